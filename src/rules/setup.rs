use std::fmt;

use thiserror::Error;

use super::castling::CastlingRights;
use super::position::Position;
use super::royalty::{Royalty, captured_en_passant};
use crate::types::{Bitboard, Color, Kind, MAX_MEN_OF_A_SIDE, Piece, Square};

/// A board as somebody described it, legal or not. [`validated`](Setup::validated) makes a [`Position`] of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The men, by square index.
    pub board: [Option<Piece>; 64],
    pub turn: Color,
    pub castling: CastlingRights,
    pub en_passant: Option<Square>,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
}

/// A rule that a board breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BrokenRule {
    #[error("{} has no {}", .0.name(), .1.name())]
    RoyalMissing(Color, Kind),
    #[error("{} has {} {}s", .0.name(), .2, .1.name())]
    RoyalDoubled(Color, Kind, u32),
    #[error("a pawn stands on {0}")]
    PawnOnEndRank(Square),
    #[error("{} has {} men, more than {MAX_MEN_OF_A_SIDE}", .0.name(), .1)]
    TooManyMen(Color, u32),
    #[error("{} has {} pawns, more than 8", .0.name(), .1)]
    TooManyPawns(Color, u32),
    #[error("{} has {} more pieces than a game starts with, but only {} pawns are missing", .0.name(), .1, .2)]
    TooManyPromoted(Color, u32, u32),
    #[error("{} is not to move, but its King is attacked", .0.name())]
    KingCapturable(Color),
    #[error("{} is not to move, but its Anti-King is unattacked", .0.name())]
    AntiKingUnattacked(Color),
}

/// Every rule that a board breaks; never empty.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct InvalidSetup(pub Vec<BrokenRule>);

impl fmt::Display for InvalidSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, rule) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{rule}")?;
        }
        Ok(())
    }
}

/// Something that validation mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// These castling rights were dropped: King or rook is not at home.
    Castling(CastlingRights),
    /// No pawn can just have stepped twice over this square.
    EnPassant(Square),
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repair::Castling(rights) => {
                write!(f, "castling rights {rights} dropped: King or rook is not at home")
            }
            Repair::EnPassant(square) => {
                write!(f, "en passant square {square} dropped: no pawn can have stepped over it")
            }
        }
    }
}

impl Setup {
    /// The position, with what had to be mended.
    ///
    /// # Errors
    /// All the rules that the board breaks, if it breaks any.
    pub fn validated(&self) -> Result<(Position, Vec<Repair>), InvalidSetup> {
        let mut broken = Vec::new();
        for color in Color::ALL {
            self.check_men(color, &mut broken);
        }
        let mut position = Position::empty(self.turn);
        for square in Square::all() {
            if let Some(piece) = self.board[square.index()] {
                position.put(piece, square);
            }
        }
        if !broken.iter().any(|rule| matches!(rule, BrokenRule::RoyalMissing(..) | BrokenRule::RoyalDoubled(..))) {
            check_safety(&position, &mut broken);
        }
        if !broken.is_empty() {
            return Err(InvalidSetup(broken));
        }
        let mut repairs = Vec::new();
        position.royalty = Royalty::of(&position);
        position.set_castling(self.possible_castling(&mut repairs));
        if let Some(crossed) = self.en_passant {
            if self.double_step_is_possible(crossed) {
                position.offer_en_passant(crossed);
            } else {
                repairs.push(Repair::EnPassant(crossed));
            }
        }
        position.halfmove_clock = self.halfmove_clock;
        position.fullmove_number = self.fullmove_number.max(1);
        Ok((position, repairs))
    }

    fn men(&self, color: Color, kind: Kind) -> Bitboard {
        let piece = Some(Piece::new(color, kind));
        Square::all().filter(|square| self.board[square.index()] == piece).collect()
    }

    fn check_men(&self, color: Color, broken: &mut Vec<BrokenRule>) {
        let count = |kind| self.men(color, kind).count();
        for royal in [Kind::King, Kind::AntiKing] {
            match count(royal) {
                0 => broken.push(BrokenRule::RoyalMissing(color, royal)),
                1 => {}
                more => broken.push(BrokenRule::RoyalDoubled(color, royal, more)),
            }
        }
        let end_ranks = Bitboard::rank(0) | Bitboard::rank(7);
        broken.extend((self.men(color, Kind::Pawn) & end_ranks).into_iter().map(BrokenRule::PawnOnEndRank));

        let men: u32 = Kind::ALL.into_iter().map(count).sum();
        if men as usize > MAX_MEN_OF_A_SIDE {
            broken.push(BrokenRule::TooManyMen(color, men));
        }
        let pawns = count(Kind::Pawn);
        if pawns > 8 {
            broken.push(BrokenRule::TooManyPawns(color, pawns));
        }
        let at_first = [(Kind::Knight, 2), (Kind::Bishop, 2), (Kind::Rook, 2), (Kind::Queen, 1)];
        let promoted: u32 = at_first.into_iter().map(|(kind, number)| count(kind).saturating_sub(number)).sum();
        let missing = 8u32.saturating_sub(pawns);
        if promoted > missing {
            broken.push(BrokenRule::TooManyPromoted(color, promoted, missing));
        }
    }

    fn possible_castling(&self, repairs: &mut Vec<Repair>) -> CastlingRights {
        let mut kept = self.castling;
        let mut dropped = CastlingRights::NONE;
        for (color, wing, _) in self.castling.iter() {
            if !CastlingRights::fits(color, wing, |square| self.board[square.index()]) {
                kept = kept.without(color, wing);
                dropped = dropped.with(color, wing);
            }
        }
        if dropped != CastlingRights::NONE {
            repairs.push(Repair::Castling(dropped));
        }
        kept
    }

    /// True when the opponent can just have stepped a pawn over the square: the pawn stands behind it, and the square and
    /// the pawn's first one are empty.
    fn double_step_is_possible(&self, crossed: Square) -> bool {
        let us = self.turn;
        if crossed.relative_rank(us) != 5 {
            return false;
        }
        let landed = captured_en_passant(crossed, us);
        let left = captured_en_passant(crossed, !us);
        self.board[landed.index()] == Some(Piece::new(!us, Kind::Pawn))
            && self.board[crossed.index()].is_none()
            && self.board[left.index()].is_none()
    }
}

/// The side that is not to move must be in check on neither royal man.
fn check_safety(position: &Position, broken: &mut Vec<BrokenRule>) {
    let waiting = !position.turn();
    let attacked = |square| position.attackers(square, position.turn(), position.occupied()).any();
    let king = position.king(waiting);
    if attacked(king) || position.king_guards(king, position.turn()) {
        broken.push(BrokenRule::KingCapturable(waiting));
    }
    if !attacked(position.anti_king(waiting)) {
        broken.push(BrokenRule::AntiKingUnattacked(waiting));
    }
}
