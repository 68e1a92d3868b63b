//! Perft: the number of move sequences of a given length, the classic proof of a move generator.

use std::sync::atomic::{AtomicBool, Ordering};

use super::position::Position;
use crate::types::Move;

/// The number of legal move sequences of `depth` plies; 1 for depth 0. The last ply is counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => position.legal_moves().into_iter().map(|mv| perft(&position.played(mv), depth - 1)).sum(),
    }
}

/// [`perft`] that reports each root move as it is counted and gives up (`None`) soon after `stop` is set.
pub fn perft_stoppable(
    position: &Position,
    depth: u32,
    stop: &AtomicBool,
    on_root: &mut dyn FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for mv in position.legal_moves() {
        let count = counted(&position.played(mv), depth - 1, stop)?;
        on_root(mv, count);
        total += count;
    }
    Some(total)
}

fn counted(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    // The lowest plies run without a look at the flag; they take some milliseconds at most.
    if depth <= 3 {
        return (!stop.load(Ordering::Relaxed)).then(|| perft(position, depth));
    }
    position.legal_moves().into_iter().map(|mv| counted(&position.played(mv), depth - 1, stop)).sum()
}
