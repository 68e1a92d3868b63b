use std::fmt;
use std::ops::{Add, Neg, Sub};

use super::Color;

/// The greatest distance from the root, in plies, that a search reaches.
pub const MAX_PLY: usize = 246;

/// The worth of a position for one side, in centipawns; mates stand at the far ends by their distance in plies.
///
/// `Score::mated(n)` is worse than any evaluation for every n up to `MAX_PLY`, `Score::mating(n)` better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    pub const DRAW: Score = Score(0);
    /// Mate on the board, for the side that gave it. Fits 16 bits, as the hash table needs.
    const MATE: i32 = 32_000;
    /// Better than any score that a search gives.
    pub const INFINITE: Score = Score(Score::MATE + 1);
    /// The greatest evaluation that is no mate.
    pub const MAX_EVALUATION: Score = Score(Score::MATE - MAX_PLY as i32 - 1);

    /// The side to move is mated `plies` from the root.
    #[inline]
    pub const fn mated(plies: usize) -> Score {
        Score(-Score::MATE + plies as i32)
    }

    /// The side to move mates `plies` from the root.
    #[inline]
    pub const fn mating(plies: usize) -> Score {
        Score(Score::MATE - plies as i32)
    }

    /// For White, what this is for a side.
    pub const fn for_white(self, side: Color) -> Score {
        match side {
            Color::White => self,
            Color::Black => Score(-self.0),
        }
    }

    /// True when either side mates by force.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() > Score::MAX_EVALUATION.0
    }

    /// Plies to the mate: positive when the side to move mates, negative or zero when it is mated.
    pub const fn mate_plies(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some(Score::MATE - self.0)
        } else {
            Some(-Score::MATE - self.0)
        }
    }

    /// Full moves to the mate as UCI counts them: 1 mates with this move, -1 is mated by the next reply, 0 is mated.
    pub const fn mate_moves(self) -> Option<i32> {
        match self.mate_plies() {
            Some(plies) if plies > 0 => Some((plies + 1) / 2),
            Some(plies) => Some(plies / 2),
            None => None,
        }
    }

    /// The score kept away from the mates.
    #[inline]
    pub fn clamped_to_evaluation(self) -> Score {
        Score(self.0.clamp(-Score::MAX_EVALUATION.0, Score::MAX_EVALUATION.0))
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, centipawns: i32) -> Score {
        Score(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, centipawns: i32) -> Score {
        Score(self.0 - centipawns)
    }
}

/// As UCI writes it: `cp 35` or `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_full_moves() {
        assert_eq!(Score::mating(1).to_string(), "mate 1");
        assert_eq!(Score::mating(3).to_string(), "mate 2");
        assert_eq!(Score::mated(0).to_string(), "mate 0");
        assert_eq!(Score::mated(2).to_string(), "mate -1");
        assert_eq!(Score::mated(4).to_string(), "mate -2");
        assert_eq!(Score(-35).to_string(), "cp -35");
    }

    #[test]
    fn every_reachable_mate_is_one_and_no_evaluation_is() {
        assert!(Score::mated(MAX_PLY).is_mate() && Score::mating(MAX_PLY).is_mate());
        assert!(!Score::MAX_EVALUATION.is_mate() && !(-Score::MAX_EVALUATION).is_mate());
    }
}
