//! The search: picks a move. It reads no input and writes no output; limits go in, plain values come out.
//!
//! # Names
//! - *ply*: distance from the root in half-moves. *depth*: half-moves left before quiescence.
//! - *window*: the scores between *alpha*, which the side to move has already, and *beta*, which the opponent will not
//!   allow. A *null window* holds no score: it only asks on which side the true one lies.
//! - *PV node*: searched with an open window, on the line that is best so far. *Cut node*: a null window in which some
//!   move is expected to reach beta.
//! - *noisy*, *quiet*: as [`crate::rules::Stage`] divides them. *check*: on either royal man.

mod history;
mod info;
mod limits;
mod memory;
mod move_picker;
mod negamax;
mod parameters;
mod path;
mod quiescence;
mod reductions;
mod root;
mod static_exchange;
#[cfg(test)]
mod tests;
mod time;
mod transposition;
mod worker;

pub use history::Histories;
pub use info::{Bound, SearchEvent, SearchInfo, SearchResult, nodes_per_second};
pub use limits::{Control, Limits};
pub use parameters::{ParameterSpec, Parameters};
pub use root::{Findings, MAX_DEPTH};
pub use time::TimeBudget;
pub use transposition::{TableError, TranspositionTable};
pub use worker::{NodeCounter, STACK, Shared, Worker};
