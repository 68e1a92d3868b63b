use super::tapered::Tapered;
use super::weights::Weights;
use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawns_attacks, rook_attacks};
use crate::rules::Position;
use crate::types::{Bitboard, Color, Kind, Square};

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
        let pawns = position.pieces(color, Kind::Pawn);
        let enemy_pawns = position.pieces(!color, Kind::Pawn);
        let ahead = pawns.forward(color);
        let attacked_by_pawns = ahead.left() | ahead.right();
        let mut map = AttackMap {
            pawns: attacked_by_pawns,
            once: attacked_by_pawns,
            twice: ahead.left() & ahead.right(),
            ..AttackMap::default()
        };
        let goals = Goals {
            free: !(position.color(color) | pawns_attacks(!color, enemy_pawns)),
            ring: king_attacks(position.king(!color)),
        };
        let men = |kind| position.pieces(color, kind);
        map.add(Kind::Knight, men(Kind::Knight), &goals, weights, knight_attacks);
        map.add(Kind::Bishop, men(Kind::Bishop), &goals, weights, |square| bishop_attacks(square, occupied));
        map.add(Kind::Rook, men(Kind::Rook), &goals, weights, |square| rook_attacks(square, occupied));
        map.add(Kind::Queen, men(Kind::Queen), &goals, weights, |square| {
            bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        });
        map
    }

    /// Adds the men of a kind. One instance for each kind, so that none has to ask for it man by man.
    #[inline]
    fn add(
        &mut self,
        kind: Kind,
        men: Bitboard,
        goals: &Goals,
        weights: &Weights,
        attacks: impl Fn(Square) -> Bitboard,
    ) {
        for square in men {
            let reached = attacks(square);
            self.reached[kind.index()] |= reached;
            self.twice |= self.once & reached;
            self.once |= reached;
            self.mobility += weights.mobility[kind.index() - 1][(reached & goals.free).count() as usize];
            self.king_ring[kind.index()] += (reached & goals.ring).count();
        }
    }
}

/// What a man's attacks are good for.
struct Goals {
    /// Squares that neither an own man nor an enemy pawn bars.
    free: Bitboard,
    /// Squares next to the enemy King.
    ring: Bitboard,
}
