use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawns_attacks, rook_attacks};
use crate::rules::Position;
use crate::types::{Bitboard, Color, Kind, Square};

/// What pawns to queens of one side attack; both royals are left out, as they attack no Anti-King.
pub struct Attacks {
    /// Squares attacked by men of each kind, by kind index.
    pub by_kind: [Bitboard; 5],
    /// Squares attacked by any man.
    pub once: Bitboard,
    /// Squares attacked by two men or more.
    pub twice: Bitboard,
    /// Squares that knights, bishops, rooks and queens reach, as far as neither an own man nor an enemy pawn bars
    /// them; those that several reach count for each.
    pub mobility: u32,
    /// Attack units against the enemy King, in halves: four for each attack of a queen on a square next to it, three
    /// for a rook's, two for a knight's or bishop's.
    pub king_danger: u32,
}

impl Attacks {
    pub fn of(position: &Position, color: Color) -> Attacks {
        let occupied = position.occupied();
        let pawns = position.pieces(color, Kind::Pawn);
        let ahead = pawns.forward(color);
        let by_pawns = pawns_attacks(color, pawns);
        let mut attacks = Attacks {
            by_kind: [Bitboard::EMPTY; 5],
            once: by_pawns,
            twice: ahead.left() & ahead.right(),
            mobility: 0,
            king_danger: 0,
        };
        attacks.by_kind[Kind::Pawn.index()] = by_pawns;
        let goals = Goals {
            free: !(position.color(color) | pawns_attacks(!color, position.pieces(!color, Kind::Pawn))),
            ring: king_attacks(position.king(!color)),
        };
        let men = |kind| position.pieces(color, kind);
        attacks.add(Kind::Knight, men(Kind::Knight), &goals, 2, knight_attacks);
        attacks.add(Kind::Bishop, men(Kind::Bishop), &goals, 2, |square| bishop_attacks(square, occupied));
        attacks.add(Kind::Rook, men(Kind::Rook), &goals, 3, |square| rook_attacks(square, occupied));
        attacks.add(Kind::Queen, men(Kind::Queen), &goals, 4, |square| {
            bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        });
        attacks
    }

    /// Adds the men of a kind. One instance for each kind, so that none has to ask for it man by man.
    #[inline]
    fn add(&mut self, kind: Kind, men: Bitboard, goals: &Goals, danger: u32, reach: impl Fn(Square) -> Bitboard) {
        let mut all = Bitboard::EMPTY;
        for square in men {
            let reached = reach(square);
            self.twice |= self.once & reached;
            self.once |= reached;
            all |= reached;
            self.mobility += (reached & goals.free).count();
            self.king_danger += danger * (reached & goals.ring).count();
        }
        self.by_kind[kind.index()] = all;
    }
}

/// By kind, for knights, bishops, rooks and queens: the squares from which such a man attacks a square.
#[inline]
pub fn officer_sources(square: Square, occupied: Bitboard) -> [(Kind, Bitboard); 4] {
    let (diagonal, orthogonal) = (bishop_attacks(square, occupied), rook_attacks(square, occupied));
    let sources = [knight_attacks(square), diagonal, orthogonal, diagonal | orthogonal];
    std::array::from_fn(|index| (Kind::OFFICERS[index], sources[index]))
}

/// What a man's attacks are good for.
struct Goals {
    /// Squares that neither an own man nor an enemy pawn bars.
    free: Bitboard,
    /// Squares next to the enemy King.
    ring: Bitboard,
}
