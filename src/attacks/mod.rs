//! Geometry: which squares a mover reaches on an occupancy. No rule of the game is known here.

mod leapers;
mod lines;
mod sliders;

pub use leapers::{king_attacks, knight_attacks, pawn_attacks, pawns_attacks};
pub use lines::{between, line};
pub use sliders::{bishop_attacks, bishop_rays, queen_attacks, rook_attacks, rook_rays};

use crate::types::{Bitboard, Color, Kind, Square};

/// The squares that a man of this kind and colour on `square` attacks when `occupied` is what stands on the board.
///
/// Royal men are movers like others here: both step one square. Who counts as an attacker is for the rules to say.
#[inline]
pub fn attacks(kind: Kind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Pawn => pawn_attacks(color, square),
        Kind::Knight => knight_attacks(square),
        Kind::Bishop => bishop_attacks(square, occupied),
        Kind::Rook => rook_attacks(square, occupied),
        Kind::Queen => queen_attacks(square, occupied),
        Kind::King | Kind::AntiKing => king_attacks(square),
    }
}
