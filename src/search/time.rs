use std::time::Duration;

use super::limits::Limits;
use crate::types::Color;

/// How long to think, in wall time since the clock started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new depth is begun after this; how sure the search is of its move stretches or shrinks it. `None`: no bound.
    pub soft: Option<Duration>,
    /// The search is broken off after this. `None`: no bound.
    pub hard: Option<Duration>,
}

/// Moves at most for which a clock has to last, as far as one move's share goes.
const HORIZON: u32 = 34;
/// The greatest part of the clock that one move may take, in percent.
const HARD_PERCENT: u32 = 25;
/// So many increments stay on the clock, though no more than a quarter of it, for the time when a busy machine is late.
const RESERVED_INCREMENTS: u32 = 2;
/// How much more than its share a move may take when it must.
const HARD_FACTOR: u32 = 6;

impl TimeBudget {
    /// The budget of a move of `color`. `overhead` is what passes on the way between engine and clock, for each move.
    ///
    /// A clock at zero or below counts as empty: the answer comes at once.
    pub fn new(limits: &Limits, color: Color, overhead: Duration) -> TimeBudget {
        if let Some(move_time) = limits.move_time {
            let time = Some(move_time.saturating_sub(overhead));
            return TimeBudget { soft: time, hard: time };
        }
        let Some(clock) = limits.clocks[color.index()] else { return TimeBudget { soft: None, hard: None } };
        let increment = limits.increments[color.index()];
        let moves = match limits.moves_to_go {
            Some(moves) => moves.clamp(1, HORIZON),
            None => HORIZON,
        };
        let reserve = (increment * RESERVED_INCREMENTS).min(clock / 4);
        let usable = clock.saturating_sub(overhead + reserve);
        // Each of the moves to come brings its increment and costs its overhead.
        let share = (usable / moves + increment * 3 / 4).saturating_sub(overhead);
        let ceiling = if limits.moves_to_go == Some(1) { usable * 9 / 10 } else { usable * HARD_PERCENT / 100 };
        let soft = share.min(ceiling);
        TimeBudget { soft: Some(soft), hard: Some((soft * HARD_FACTOR).min(ceiling)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn budget(clock: u32, increment: u32, moves_to_go: Option<u32>, overhead: u32) -> (Duration, Duration) {
        let limits = Limits {
            clocks: [Some(MS * clock), None],
            increments: [MS * increment, Duration::ZERO],
            moves_to_go,
            ..Limits::default()
        };
        let budget = TimeBudget::new(&limits, Color::White, MS * overhead);
        (budget.soft.unwrap(), budget.hard.unwrap())
    }

    #[test]
    fn no_budget_reaches_the_end_of_the_clock() {
        for clock in [0, 1, 5, 20, 100, 1_000, 60_000] {
            for increment in [0, 10, 500, 5_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    for overhead in [0, 10, 100] {
                        let (soft, hard) = budget(clock, increment, moves_to_go, overhead);
                        assert!(soft <= hard, "{soft:?} {hard:?}");
                        assert!(hard <= (MS * clock).saturating_sub(MS * overhead), "{clock}+{increment}: {hard:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn increments_stay_on_the_clock_in_reserve() {
        for (clock, reserve) in [(10_000, 200), (600, 150), (40, 10)] {
            let (_, hard) = budget(clock, 100, Some(1), 0);
            let greatest = MS * (clock - reserve) * 9 / 10;
            assert!(hard <= greatest, "{clock}: {hard:?}");
        }
        // Where nothing comes back the whole clock counts.
        assert_eq!(budget(600, 0, Some(1), 0).1, MS * 540);
    }

    #[test]
    fn overhead_shortens_a_move_by_about_itself() {
        let (without, _) = budget(10_000, 100, None, 0);
        let (with, _) = budget(10_000, 100, None, 50);
        let shorter = (without - with).as_millis();
        assert!((50..=55).contains(&shorter), "{shorter} ms");
    }

    #[test]
    fn without_a_clock_there_is_no_bound_and_a_move_time_is_kept() {
        let none = TimeBudget::new(&Limits::default(), Color::Black, MS);
        assert_eq!(none, TimeBudget { soft: None, hard: None });
        let limits = Limits { move_time: Some(MS * 300), ..Limits::default() };
        let fixed = TimeBudget::new(&limits, Color::White, MS * 10);
        assert_eq!(fixed, TimeBudget { soft: Some(MS * 290), hard: Some(MS * 290) });
    }
}
