//! Games as text, in the format of the PGN standard.

mod comment;
mod notation;
mod reader;
mod result;
mod writer;

pub use comment::{Evaluation, search_comment, time_comment};
pub use notation::MoveNotation;
pub use reader::{PgnError, PgnRecord, read_games};
pub use result::GameResult;
pub use writer::{PgnGame, PgnMove};
