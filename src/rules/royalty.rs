//! Who attacks whom: the only place that knows when a side is in check on either royal man, which men are bound by it,
//! and which moves give check.

use super::position::Position;
use crate::attacks::{
    attacks, between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks, pawns_attacks,
    rook_attacks, rook_rays,
};
use crate::types::{Bitboard, Color, Kind, Move, Square};

/// What bears on the two royal men of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Royalty {
    /// The enemy men that attack the King.
    pub checkers: Bitboard,
    /// The own men that alone shield the King from an enemy slider.
    pub pinned: Bitboard,
    /// The enemy men that attack the Anti-King; with none it is in check.
    pub anti_attackers: Bitboard,
    /// The own men that alone keep an enemy slider from attacking the Anti-King.
    pub anti_blockers: Bitboard,
}

impl Royalty {
    pub fn of(position: &Position) -> Royalty {
        let us = position.turn;
        let (checkers, pinned) = bearing(position, position.king(us), !us, us);
        let (anti_attackers, anti_blockers) = bearing(position, position.anti_king(us), !us, us);
        Royalty { checkers, pinned, anti_attackers, anti_blockers }
    }

    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any() || self.anti_attackers.is_empty()
    }
}

/// The men of `by` (royals aside) that attack a square, and the men of `blocking` that alone stand between it and a
/// slider of `by`.
#[inline]
fn bearing(position: &Position, square: Square, by: Color, blocking: Color) -> (Bitboard, Bitboard) {
    let occupied = position.occupied();
    let mut attackers = pawn_attacks(!by, square) & position.pieces(by, Kind::Pawn)
        | knight_attacks(square) & position.pieces(by, Kind::Knight);
    let mut blockers = Bitboard::EMPTY;
    let snipers =
        rook_rays(square) & position.orthogonal_sliders(by) | bishop_rays(square) & position.diagonal_sliders(by);
    for sniper in snipers {
        let in_the_way = between(square, sniper) & occupied;
        if in_the_way.is_empty() {
            attackers |= sniper.bitboard();
        } else if !in_the_way.more_than_one() {
            blockers |= in_the_way;
        }
    }
    (attackers, blockers & position.color(blocking))
}

impl Position {
    /// True when the side to move is in check on either royal man.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.royalty.in_check()
    }

    /// The royal men of the side to move that are in check.
    pub fn royals_in_check(&self) -> Bitboard {
        let royal = |square: Square, in_check: bool| if in_check { square.bitboard() } else { Bitboard::EMPTY };
        royal(self.king(self.turn), self.king_in_check()) | royal(self.anti_king(self.turn), self.anti_king_in_check())
    }

    /// True when an enemy man attacks the King of the side to move.
    #[inline]
    pub fn king_in_check(&self) -> bool {
        self.royalty.checkers.any()
    }

    /// True when no enemy man attacks the Anti-King of the side to move.
    #[inline]
    pub fn anti_king_in_check(&self) -> bool {
        self.royalty.anti_attackers.is_empty()
    }

    /// The enemy men that attack the King of the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.royalty.checkers
    }

    /// The enemy men that attack the Anti-King of the side to move; pinned men count.
    #[inline]
    pub fn anti_attackers(&self) -> Bitboard {
        self.royalty.anti_attackers
    }

    /// The men of `by` that attack a square when `occupied` is what stands on the board. Anti-Kings attack nothing; Kings
    /// attack, but not an Anti-King: they are left out here, and [`king_guards`](Position::king_guards) knows them.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        pawn_attacks(!by, square) & self.pieces(by, Kind::Pawn)
            | knight_attacks(square) & self.pieces(by, Kind::Knight)
            | bishop_attacks(square, occupied) & self.diagonal_sliders(by)
            | rook_attacks(square, occupied) & self.orthogonal_sliders(by)
    }

    /// True when the King of `by` stands next to a square.
    #[inline]
    pub fn king_guards(&self, square: Square, by: Color) -> bool {
        king_attacks(square).intersects(self.pieces(by, Kind::King))
    }

    /// Every square that a man of `by` attacks, both royals left out.
    #[inline]
    pub fn attacked_by_men(&self, by: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut attacked = pawns_attacks(by, self.pieces(by, Kind::Pawn));
        for square in self.pieces(by, Kind::Knight) {
            attacked |= knight_attacks(square);
        }
        for square in self.diagonal_sliders(by) {
            attacked |= bishop_attacks(square, occupied);
        }
        for square in self.orthogonal_sliders(by) {
            attacked |= rook_attacks(square, occupied);
        }
        attacked
    }

    /// True when the side to move, having made an en passant capture from a square, has both royal men safe. Two men
    /// leave the board's lines at once, so this is tried out instead of derived from pins.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let us = self.turn;
        let captured = captured_en_passant(to, us).bitboard();
        let occupied = self.occupied() ^ from.bitboard() ^ to.bitboard() ^ captured;
        let attackers = |square| self.attackers(square, !us, occupied) - captured;
        attackers(self.king(us)).is_empty() && attackers(self.anti_king(us)).any()
    }

    /// What this position's moves need to know to tell which of them give check: computed once for all of them.
    pub fn check_info(&self) -> CheckInfo {
        let us = self.turn;
        let occupied = self.occupied();
        let king = self.king(!us);
        let diagonal = bishop_attacks(king, occupied);
        let orthogonal = rook_attacks(king, occupied);
        let anti_king = self.anti_king(!us);
        let (_, discoverers) = bearing(self, king, us, us);
        let (anti_attackers, anti_discoverers) = bearing(self, anti_king, us, us);
        let (leaving, landing) = ways_to_end_attacks(anti_king, anti_attackers);
        CheckInfo {
            king,
            checks: [
                pawn_attacks(!us, king),
                knight_attacks(king),
                diagonal,
                orthogonal,
                diagonal | orthogonal,
                Bitboard::EMPTY,
                Bitboard::EMPTY,
            ],
            discoverers,
            anti_king,
            anti_attackers,
            anti_discoverers,
            leaving,
            landing,
        }
    }

    /// True when a legal move leaves the opponent in check on either royal man.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.check_info().gives_check(self, mv)
    }
}

/// Where the pawn stands that an en passant capture by `color` on `to` takes.
#[inline]
pub(super) fn captured_en_passant(to: Square, color: Color) -> Square {
    match color {
        Color::White => Square::new(to.index() as u8 - 8),
        Color::Black => Square::new(to.index() as u8 + 8),
    }
}

/// The squares that a move must leave, or on which it must land, to take away all attacks on an Anti-King, as far as one
/// man moves and none of the enemy's is captured but on the square of landing. Necessary, not sufficient.
fn ways_to_end_attacks(anti_king: Square, attackers: Bitboard) -> (Bitboard, Bitboard) {
    let Some(attacker) = attackers.first() else { return (Bitboard::ALL, Bitboard::ALL) };
    match attackers.count() {
        1 => (attackers, attackers | between(attacker, anti_king)),
        // A landing ends one attack at most; the other must be the mover's own.
        2 => (attackers, Bitboard::EMPTY),
        // A move takes away at most two attacks: its own man's, and one that it shuts off or whose man it captures.
        _ => (Bitboard::EMPTY, Bitboard::EMPTY),
    }
}

/// Facts about both enemy royal men from which `gives_check` answers for each move of one position.
pub struct CheckInfo {
    king: Square,
    /// By kind: the squares from which such a man checks the King.
    checks: [Bitboard; 7],
    /// The own men that alone stand between an own slider and the King.
    discoverers: Bitboard,
    anti_king: Square,
    /// The own men that attack the Anti-King.
    anti_attackers: Bitboard,
    /// The own men that alone stand between an own slider and the Anti-King.
    anti_discoverers: Bitboard,
    /// A move that neither leaves one of these squares nor lands on one of `landing` gives no anti-check.
    leaving: Bitboard,
    landing: Bitboard,
}

impl CheckInfo {
    /// True when a legal move of the position that this was made of leaves the opponent in check on either royal man.
    #[inline]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        if !mv.is_normal() {
            return self.special_gives_check(position, mv);
        }
        let (from, to) = (mv.from(), mv.to());
        let mover = position.piece_on(from).map_or(Kind::King, |piece| piece.kind());
        self.checks[mover.index()].contains(to)
            || self.discovers_king(from, to)
            || self.may_end_attacks(from, to) && self.checks_anti_king(position, mv)
    }

    fn special_gives_check(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match mv.promotion() {
            Some(kind) => {
                let occupied = position.occupied() ^ from.bitboard();
                attacks(kind, position.turn, to, occupied).contains(self.king)
                    || self.discovers_king(from, to)
                    || self.may_end_attacks(from, to) && self.checks_anti_king(position, mv)
            }
            // Two men change their squares: too rare to deserve a rule of its own.
            None => position.played(mv).in_check(),
        }
    }

    #[inline]
    fn discovers_king(&self, from: Square, to: Square) -> bool {
        self.discoverers.contains(from) && !line(self.king, from).contains(to)
    }

    #[inline]
    fn may_end_attacks(&self, from: Square, to: Square) -> bool {
        self.leaving.contains(from) || self.landing.contains(to)
    }

    /// An anti-check: after the move no man of the mover attacks the enemy Anti-King.
    fn checks_anti_king(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let keeps =
            |attacker: Square| attacker != from && attacker != to && !between(attacker, self.anti_king).contains(to);
        if self.anti_attackers.into_iter().any(keeps) {
            return false;
        }
        let occupied = position.occupied() ^ from.bitboard() | to.bitboard();
        let mover = mv.promotion().or_else(|| position.piece_on(from).map(|piece| piece.kind()));
        let attacks_from_there = mover.is_some_and(|kind| {
            !kind.is_royal() && attacks(kind, position.turn, to, occupied).contains(self.anti_king)
        });
        let opens_a_line = self.anti_discoverers.contains(from) && !line(self.anti_king, from).contains(to);
        !attacks_from_there && !opens_a_line
    }
}
