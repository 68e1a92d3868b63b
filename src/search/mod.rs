//! The search: picks a move. It reads no input and writes no output; limits go in, plain values come out.

mod info;
mod limits;

pub use info::{Bound, SearchEvent, SearchInfo, SearchResult};
pub use limits::{Control, Limits};
