//! What one asks of an engine besides a move: the worth of a position, of a file of them, of a game that was played.
//!
//! Text becomes positions and games in [`input`], [`epd`] and [`position_text`]; [`search`] looks at one of them,
//! [`batch`] at many on all cores; [`suite`] and [`review`] judge what was found, and [`game_review`] puts whole games
//! together; [`report`], [`json`], [`annotate`] and [`plot`] tell it.

pub mod annotate;
pub mod batch;
pub mod epd;
pub mod game_review;
pub mod input;
pub mod json;
pub mod plot;
pub mod position_text;
pub mod report;
pub mod review;
pub mod search;
pub mod suite;
