//! The vocabulary of the board: one concept a file. Nothing here knows a rule or an engine.

pub(crate) mod bitboard;
mod color;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::Bitboard;
pub use color::Color;
pub use moves::{MAX_MOVES, Move, MoveFlag, MoveList};
pub use piece::{Kind, MAX_MEN, MAX_MEN_OF_A_SIDE, Piece};
pub use score::{MAX_PLY, Score};
pub use square::Square;
