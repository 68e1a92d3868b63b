//! Positions, lines and scores as people read them.

mod board;
mod line;
mod paint;

pub use board::{Symbols, board, grid, royals};
pub use line::{numbered, san, score};
pub use paint::Paint;
