//! Positions, lines, lists and scores as people read them.

mod board;
mod line;
mod list;
mod paint;
mod wrap;

pub use board::{Symbols, board, grid, royals};
pub use line::{numbered, score};
pub use list::joined;
pub use paint::Paint;
pub use wrap::wrapped;
