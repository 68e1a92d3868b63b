use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use super::{Color, Square};

/// A set of squares; bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard(0);
    pub const ALL: Bitboard = Bitboard(!0);
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    pub const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);

    /// The squares of a file, 0 (a) to 7 (h).
    #[inline]
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(Bitboard::FILE_A.0 << (file & 7))
    }

    /// The squares of a rank, 0 (the first) to 7 (the eighth).
    #[inline]
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xff << ((rank & 7) * 8))
    }

    /// The rank that a side counts as `rank`, 0 being its own back rank.
    #[inline]
    pub const fn relative_rank(color: Color, rank: u8) -> Bitboard {
        match color {
            Color::White => Bitboard::rank(rank),
            Color::Black => Bitboard::rank(7 - (rank & 7)),
        }
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// The number of squares in the set, 0 to 64.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// True for two squares or more.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// True when the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The square with the lowest index, or `None` of an empty set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as u8)) }
    }

    /// The set one rank forward as `color` sees it.
    #[inline]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 << 8),
            Color::Black => Bitboard(self.0 >> 8),
        }
    }

    /// The set one file towards the a-file.
    #[inline]
    pub const fn left(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::FILE_A.0) >> 1)
    }

    /// The set one file towards the h-file.
    #[inline]
    pub const fn right(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::FILE_H.0) << 1)
    }

    /// The set mirrored top to bottom.
    #[inline]
    pub const fn mirrored(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// The set as `color` sees it: itself for White, mirrored for Black.
    #[inline]
    pub const fn relative(self, color: Color) -> Bitboard {
        match color {
            Color::White => self,
            Color::Black => self.mirrored(),
        }
    }
}

macro_rules! set_operator {
    ($operator:ident $method:ident, $assign:ident $assign_method:ident, |$a:ident, $b:ident| $body:expr) => {
        impl $operator for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                let ($a, $b) = (self.0, other.0);
                Bitboard($body)
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = $operator::$method(*self, other);
            }
        }
    };
}

set_operator!(BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b);
set_operator!(BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b);
set_operator!(BitXor bitxor, BitXorAssign bitxor_assign, |a, b| a ^ b);
set_operator!(Sub sub, SubAssign sub_assign, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// The squares of the set, lowest index first.
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }
}

/// Eight rows from the eighth rank down, `X` for a member and `.` for any other square.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            writeln!(f)?;
            for file in 0..8 {
                f.write_str(if self.contains(Square::at(file, rank)) { " X" } else { " ." })?;
            }
        }
        Ok(())
    }
}

/// A `Bitboard` drawn as eight rows from the eighth rank down: `X` is a member, `.` is not.
#[cfg(test)]
pub(crate) fn drawn(board: &str) -> Bitboard {
    let marks: Vec<char> = board.chars().filter(|c| !c.is_whitespace()).collect();
    assert_eq!(marks.len(), 64, "a board has 64 squares");
    Square::all()
        .filter(|square| {
            let row = 7 - usize::from(square.rank());
            marks[row * 8 + usize::from(square.file())] == 'X'
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_do_not_wrap() {
        assert_eq!(Bitboard::FILE_A.left(), Bitboard::EMPTY);
        assert_eq!(Bitboard::FILE_H.right(), Bitboard::EMPTY);
        assert_eq!(Bitboard::rank(7).forward(Color::White), Bitboard::EMPTY);
        assert_eq!(Bitboard::rank(7).forward(Color::Black), Bitboard::rank(6));
    }

    #[test]
    fn iteration_gives_each_square_once_in_order() {
        let set = drawn(
            "X . . . . . . X
             . . . . . . . .
             . . . . . . . .
             . . . X . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .
             X . . . . . . .",
        );
        let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
        assert_eq!(names, ["a1", "d5", "a8", "h8"]);
        assert_eq!(set.into_iter().collect::<Bitboard>(), set);
        assert_eq!(set.count(), 4);
    }
}
