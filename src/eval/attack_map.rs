use super::tapered::Tapered;
use super::weights::Weights;
use crate::attacks::{attacks, king_attacks, pawns_attacks};
use crate::rules::Position;
use crate::types::{Bitboard, Color, Kind};

/// What the men of one side attack; both royals are left out, as they attack no Anti-King.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttackMap {
    /// Squares attacked by pawns.
    pub pawns: Bitboard,
    /// Squares attacked by any man.
    pub once: Bitboard,
    /// Squares attacked by two men or more.
    pub twice: Bitboard,
    /// By kind index, for knights to queens: the squares that such men attack.
    pub reached: [Bitboard; 5],
    /// What knights, bishops, rooks and queens gain by the squares that each reaches and that neither an own man nor an
    /// enemy pawn bars.
    pub mobility: Tapered,
    /// How often knights, bishops, rooks and queens, by kind index, attack a square next to the enemy King.
    pub king_ring: [u32; 5],
}

impl AttackMap {
    pub fn of(position: &Position, color: Color, weights: &Weights) -> AttackMap {
        let occupied = position.occupied();
        let own = position.color(color);
        let pawns = position.pieces(color, Kind::Pawn);
        let barred = own | pawns_attacks(!color, position.pieces(!color, Kind::Pawn));
        let ring = king_attacks(position.king(!color));

        let ahead = pawns.forward(color);
        let attacked_by_pawns = pawns_attacks(color, pawns);
        let mut map = AttackMap {
            pawns: attacked_by_pawns,
            once: attacked_by_pawns,
            twice: ahead.left() & ahead.right(),
            ..AttackMap::default()
        };
        for (kind, mobility) in Kind::OFFICERS.into_iter().zip(&weights.mobility) {
            for square in position.pieces(color, kind) {
                let reached = attacks(kind, color, square, occupied);
                map.reached[kind.index()] |= reached;
                map.twice |= map.once & reached;
                map.once |= reached;
                map.mobility += mobility[(reached - barred).count() as usize];
                map.king_ring[kind.index()] += (reached & ring).count();
            }
        }
        map
    }
}
