//! Positions, lines and scores as people read them.

mod board;
mod line;
mod paint;

pub use board::{Symbols, board, grid, royals};
pub use line::{numbered, score};
pub use paint::Paint;
