use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{Kind, Square};

/// More moves than any legal position has (see [`crate::rules`], legal positions, which have fewer than 256).
pub const MAX_MOVES: usize = 256;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// What a move is beside its two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveFlag {
    /// Any move that the other flags do not describe: captures, self-captures and double steps included.
    Normal,
    /// The King's two steps; the rook follows by the rule.
    Castling,
    /// A pawn takes a pawn that it passes.
    EnPassant,
    /// A pawn becomes this kind.
    Promotion(Kind),
}

/// A move in 16 bits: from (bits 0-5), to (bits 6-11), flag (bits 12-15: 0 normal, 1 castling, 2 en passant,
/// 4-7 promotion to N, B, R, Q). The code 0 (a1a1) is no move, so `Option<Move>` takes 16 bits too.
///
/// A value need not be legal, nor even sensible: the hash table may hold anything. `Position::is_legal` tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move with these squares and flag.
    ///
    /// # Panics
    /// Never for two different squares.
    #[inline]
    pub const fn new(from: Square, to: Square, flag: MoveFlag) -> Move {
        let flag = match flag {
            MoveFlag::Normal => 0,
            MoveFlag::Castling => 1,
            MoveFlag::EnPassant => 2,
            MoveFlag::Promotion(Kind::Knight) => 4,
            MoveFlag::Promotion(Kind::Bishop) => 5,
            MoveFlag::Promotion(Kind::Rook) => 6,
            MoveFlag::Promotion(_) => 7,
        };
        let code = from.index() as u16 | (to.index() as u16) << 6 | flag << 12;
        match NonZeroU16::new(code) {
            Some(code) => Move(code),
            None => panic!("a move from a1 to a1"),
        }
    }

    /// A move that is neither castling, en passant nor a promotion.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::new(from, to, MoveFlag::Normal)
    }

    /// The move with this code; `None` of 0.
    #[inline]
    pub const fn from_code(code: u16) -> Option<Move> {
        match NonZeroU16::new(code) {
            Some(code) => Some(Move(code)),
            None => None,
        }
    }

    /// The 16-bit code, never 0.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0.get()
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.code() & 63) as u8)
    }

    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.code() >> 6 & 63) as u8)
    }

    /// The flag, or `None` of a code that no flag has.
    #[inline]
    pub const fn flag(self) -> Option<MoveFlag> {
        Some(match self.code() >> 12 {
            0 => MoveFlag::Normal,
            1 => MoveFlag::Castling,
            2 => MoveFlag::EnPassant,
            4 => MoveFlag::Promotion(Kind::Knight),
            5 => MoveFlag::Promotion(Kind::Bishop),
            6 => MoveFlag::Promotion(Kind::Rook),
            7 => MoveFlag::Promotion(Kind::Queen),
            _ => return None,
        })
    }

    /// True for a move that is neither castling, en passant nor a promotion.
    #[inline]
    pub const fn is_normal(self) -> bool {
        self.code() >> 12 == 0
    }

    #[inline]
    pub const fn is_castling(self) -> bool {
        self.code() >> 12 == 1
    }

    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.code() >> 12 == 2
    }

    /// The kind that a promoting pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        match self.code() >> 12 {
            4 => Some(Kind::Knight),
            5 => Some(Kind::Bishop),
            6 => Some(Kind::Rook),
            7 => Some(Kind::Queen),
            _ => None,
        }
    }
}

/// UCI move text: `e2e4`, `e7e8q`, castling as the King's two steps.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        for code in 1..=u16::MAX {
            let mv = Move::from_code(code).unwrap();
            if let Some(flag) = mv.flag() {
                assert_eq!(Move::new(mv.from(), mv.to(), flag), mv);
            }
        }
        assert_eq!(Move::from_code(0), None);
        assert_eq!(std::mem::size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn text_is_uci() {
        let square = |name| Square::parse(name).unwrap();
        assert_eq!(Move::normal(square("e2"), square("e4")).to_string(), "e2e4");
        let promotion = Move::new(square("b7"), square("b8"), MoveFlag::Promotion(Kind::Knight));
        assert_eq!(promotion.to_string(), "b7b8n");
    }
}
