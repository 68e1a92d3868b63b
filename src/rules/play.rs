use super::castling::Wing;
use super::keys;
use super::position::Position;
use super::royalty::{Royalty, captured_en_passant};
use crate::attacks::pawn_attacks;
use crate::types::{Kind, Move, MoveFlag, Piece, Square};

impl Position {
    /// The position after a legal move.
    ///
    /// # Panics
    /// In debug builds, if the move is not legal. In release builds an illegal move gives a position without meaning.
    #[must_use]
    pub fn played(&self, mv: Move) -> Position {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        let mut next = self.clone();
        next.play(mv);
        #[cfg(debug_assertions)]
        next.assert_consistent();
        next
    }

    /// The key after a move, known before the move is made, if it changes neither castling rights nor en passant and moves one man
    /// only; else some other number. For hints to the memory, which want to come early.
    #[inline]
    #[must_use]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let man = |square: Square, piece: Piece| keys::man(piece, square);
        let moved = self.piece_on(from).map_or(0, |mover| man(from, mover) ^ man(to, mover));
        let captured = self.piece_on(to).map_or(0, |captured| man(to, captured));
        self.key ^ keys::black_to_move() ^ moved ^ captured
    }

    /// The position after passing the turn.
    ///
    /// # Panics
    /// In debug builds, if the side to move is in check on either royal man, when passing is not possible.
    #[must_use]
    pub fn passed(&self) -> Position {
        debug_assert!(!self.in_check(), "a null move in check: {self}");
        let mut next = self.clone();
        next.set_en_passant(None);
        next.pass_turn();
        next.halfmove_clock = next.halfmove_clock.saturating_add(1);
        next.royalty = Royalty::of(&next);
        next
    }

    fn play(&mut self, mv: Move) {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_on(from) else { return };
        self.set_en_passant(None);
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if let Some(captured) = self.piece_on(to) {
            self.lift(captured, to);
            self.halfmove_clock = 0;
        }
        self.lift(mover, from);
        self.put(mv.promotion().map_or(mover, |kind| Piece::new(us, kind)), to);
        match mv.flag() {
            Some(MoveFlag::Castling) => self.castle_rook(to),
            Some(MoveFlag::EnPassant) => {
                self.lift(Piece::new(!us, Kind::Pawn), captured_en_passant(to, us));
            }
            _ => {}
        }
        let rights = self.castling.after_move(from, to);
        if rights != self.castling {
            self.set_castling(rights);
        }
        self.fullmove_number = self.fullmove_number.saturating_add(us.index() as u16);
        self.pass_turn();
        self.royalty = Royalty::of(self);
        if mover.kind() == Kind::Pawn {
            self.halfmove_clock = 0;
            if from.index().abs_diff(to.index()) == 16 {
                let crossed = Square::new(((from.index() + to.index()) / 2) as u8);
                self.offer_en_passant(crossed);
            }
        }
    }

    #[inline]
    fn castle_rook(&mut self, king_to: Square) {
        let us = self.turn;
        let wing = if king_to == Wing::King.king_to(us) { Wing::King } else { Wing::Queen };
        let rook = Piece::new(us, Kind::Rook);
        self.lift(rook, wing.rook_from(us));
        self.put(rook, wing.rook_to(us));
    }

    /// Sets the en passant square if the side to move, whose opponent has just stepped over it, can legally capture there.
    pub(super) fn offer_en_passant(&mut self, crossed: Square) {
        let us = self.turn;
        let mut capturers = (pawn_attacks(!us, crossed) & self.pieces(us, Kind::Pawn)).into_iter();
        if capturers.any(|from| self.en_passant_is_safe(from, crossed)) {
            self.set_en_passant(Some(crossed));
        }
    }
}
