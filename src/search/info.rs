use std::time::Duration;

use crate::types::{Move, Score};

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line of a search's thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Plies of nominal depth; 0 for a root without legal moves.
    pub depth: u32,
    /// The greatest distance from the root that was reached, in plies.
    pub selective_depth: u32,
    /// The rank of the line among those asked for, from 1.
    pub line: usize,
    /// For the side to move at the root.
    pub score: Score,
    pub bound: Bound,
    /// Moves made so far, by all threads.
    pub nodes: u64,
    /// Since the search was asked for.
    pub time: Duration,
    /// How full the hash table is, in permille.
    pub hash_full: u32,
    /// Legal from the root to its end.
    pub pv: Vec<Move>,
}

/// What a running search tells.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    Info(SearchInfo),
    /// The root move that is searched now; told only in long searches.
    CurrentMove {
        depth: u32,
        mv: Move,
        /// From 1.
        number: usize,
    },
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The move to play; `None` only if there is no legal one.
    pub best: Option<Move>,
    /// The reply that is expected; `None` if none was found. The game may end with it.
    pub ponder: Option<Move>,
    /// For the side to move at the root.
    pub score: Score,
    /// The last depth that was searched to its end, in plies.
    pub depth: u32,
    /// Moves made, by all threads.
    pub nodes: u64,
    pub time: Duration,
    /// The lines of the last depth, best first.
    pub lines: Vec<SearchInfo>,
}

/// Nodes per second as a reader would work it out from the milliseconds shown; less than one counts as one.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u128 {
    u128::from(nodes) * 1000 / time.as_millis().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_finite_without_time() {
        assert_eq!(nodes_per_second(7, Duration::ZERO), 7000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::from_micros(10)), u128::from(u64::MAX) * 1000);
    }
}
