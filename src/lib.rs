//! An engine for Anti-King Chess II.
//!
//! The modules are floors of a house; each imports only from those below it: [`types`], then [`attacks`], [`rules`],
//! [`text`] and [`eval`], [`search`] and [`mate`], [`engine`] and [`pgn`], [`frontend`], [`uci`], [`xboard`], [`arena`],
//! [`analysis`], [`datagen`] and [`train`], and on top [`config`] and [`cli`].

pub mod analysis;
pub mod arena;
pub mod attacks;
pub mod cli;
pub mod config;
pub mod datagen;
pub mod engine;
pub mod eval;
mod files;
pub mod frontend;
pub mod mate;
pub mod pgn;
pub mod rules;
pub mod search;
mod seed;
pub mod text;
pub mod train;
pub mod types;
pub mod uci;
pub mod xboard;
