use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A weight with a middle-game and an ending value, in centipawns (Chess Programming Wiki, "Tapered Eval").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    pub middle_game: i32,
    pub ending: i32,
}

/// Short for a [`Tapered`] in tables of weights: middle game, then ending.
pub const fn t(middle_game: i32, ending: i32) -> Tapered {
    Tapered { middle_game, ending }
}

impl Tapered {
    pub const ZERO: Tapered = t(0, 0);

    /// The blend at a phase between 0 (all men but pawns are gone) and `PHASE_MAX` (all are there).
    #[inline]
    pub const fn at(self, phase: i32) -> i32 {
        (self.middle_game * phase + self.ending * (PHASE_MAX - phase)) / PHASE_MAX
    }
}

/// The phase of a board with all its men.
pub const PHASE_MAX: i32 = 24;

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        t(self.middle_game + other.middle_game, self.ending + other.ending)
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
        self + -other
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline]
    fn neg(self) -> Tapered {
        t(-self.middle_game, -self.ending)
    }
}

impl Mul<u32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, times: u32) -> Tapered {
        t(self.middle_game * times as i32, self.ending * times as i32)
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Tapered>>(values: I) -> Tapered {
        values.fold(Tapered::ZERO, Add::add)
    }
}
