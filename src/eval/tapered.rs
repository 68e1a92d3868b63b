use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A weight with a middle-game and an ending value, in centipawns (Chess Programming Wiki, "Tapered Eval").
///
/// Both share one number, the middle game 65536 times, so that one addition adds both; each stays within 16 bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Tapered(i32);

/// Short for a [`Tapered`] in tables of weights: middle game, then ending.
pub const fn t(middle_game: i32, ending: i32) -> Tapered {
    Tapered::new(middle_game, ending)
}

/// The phase of a board with all its men.
pub const PHASE_MAX: i32 = 24;

impl Tapered {
    pub const ZERO: Tapered = Tapered(0);

    /// Both values in centipawns, each within 16 bits.
    pub const fn new(middle_game: i32, ending: i32) -> Tapered {
        Tapered(middle_game * 65_536 + ending)
    }

    /// In centipawns.
    #[inline]
    pub const fn middle_game(self) -> i32 {
        // A negative ending has borrowed one from the upper half.
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// In centipawns.
    #[inline]
    pub const fn ending(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The blend at a phase between 0 (all men but pawns are gone) and `PHASE_MAX` (all are there).
    #[inline]
    pub const fn at(self, phase: i32) -> i32 {
        (self.middle_game() * phase + self.ending() * (PHASE_MAX - phase)) / PHASE_MAX
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t({}, {})", self.middle_game(), self.ending())
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline]
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<u32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, times: u32) -> Tapered {
        Tapered(self.0 * times as i32)
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Tapered>>(values: I) -> Tapered {
        values.fold(Tapered::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_are_added_without_touching_each_other() {
        let pairs = [(0, 0), (1, -1), (-1, 1), (-300, -200), (5_000, -7_000), (-5_000, 7_000), (12, 34)];
        for a in pairs {
            for b in pairs {
                let (x, y) = (t(a.0, a.1), t(b.0, b.1));
                assert_eq!(x + y, t(a.0 + b.0, a.1 + b.1));
                assert_eq!(x - y, t(a.0 - b.0, a.1 - b.1));
                assert_eq!(((x * 3).middle_game(), (x * 3).ending()), (3 * a.0, 3 * a.1));
                assert_eq!((-x).ending(), -a.1);
            }
        }
        assert_eq!(t(100, 40).at(PHASE_MAX), 100);
        assert_eq!(t(100, 40).at(0), 40);
        assert_eq!(t(100, 40).at(12), 70);
    }
}
