//! Games as text, in the format of the PGN standard.
//!
//! [`PgnReader`] takes a file game by game, as far as it can be told what is meant; [`PgnRecord::replay`] plays a game
//! by the rules, and [`PgnGame`] writes it.

mod comment;
mod line;
mod notation;
mod reader;
mod record;
mod replay;
mod result;
mod source;
mod tags;
mod variant;
mod words;
mod writer;

pub use comment::{Evaluation, is_search_comment, search_comment, time_comment};
pub use line::{Line, LineMove, Remark, Word};
pub use notation::MoveNotation;
pub use reader::{MAX_GAME_BYTES, MAX_MOVES, MAX_NESTING, PgnReader, read_games};
pub use record::{Oddity, PgnError, PgnFault, PgnRecord, PgnRemark, PgnWarning};
pub use replay::ReplayedGame;
pub use result::GameResult;
pub use tags::Tag;
pub use variant::is_this_game;
pub use writer::PgnGame;
