//! Games as text, in the format of the PGN standard.

mod comment;
mod notation;
mod reader;
mod result;
mod writer;

pub use comment::{Evaluation, is_search_comment, search_comment, time_comment};
pub use notation::MoveNotation;
pub use reader::{PgnError, PgnRecord, ReplayedGame, read_games};
pub use result::GameResult;
pub use writer::{PgnGame, PgnMove};
