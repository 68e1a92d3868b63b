use crate::rules::Position;
use crate::types::Kind;

/// The phase with all officers on the board.
pub const PHASE_MAX: i32 = 24;

/// How much of the middle game is left, 0 to [`PHASE_MAX`]: by the officers of both sides.
pub fn phase(position: &Position) -> i32 {
    let weights = [(Kind::Knight, 1), (Kind::Bishop, 1), (Kind::Rook, 2), (Kind::Queen, 4)];
    let sum: i32 = weights.into_iter().map(|(kind, weight)| position.kind(kind).count() as i32 * weight).sum();
    sum.min(PHASE_MAX)
}
