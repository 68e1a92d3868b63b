use std::time::Duration;

use super::limits::Limits;
use crate::types::Color;

/// How long to think, in wall time since the clock started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// The share of the game clock for this move: no new depth is begun after it. How sure the search is of its move
    /// stretches or shrinks it. `None` without a game clock.
    pub soft: Option<Duration>,
    /// The search is broken off after this, be it for the game clock or for a fixed time a move. `None`: no bound.
    pub hard: Option<Duration>,
}

/// The moves for which a clock has to last, where the time control does not say how many.
const HORIZON: u32 = 28;
/// The greatest part of the clock that one move may take, in percent.
const HARD_PERCENT: u32 = 25;
/// How much more than its share a move may take when it must.
const HARD_FACTOR: u32 = 6;
/// The part of each increment that is spent as it comes, in percent.
const INCREMENT_PERCENT: u32 = 85;
/// The share never falls below this part of an increment, in percent, while the clock has it.
const LEAST_INCREMENT_PERCENT: u32 = 50;
/// So many increments and overheads stay on the clock for the time when a busy machine is late.
const RESERVED_INCREMENTS: u32 = 2;
const RESERVED_OVERHEADS: u32 = 5;
/// The greatest part of the clock that is held in reserve, in percent.
const RESERVED_PERCENT: u32 = 75;
/// The overhead of the moves to come takes no more than this part of their time, in percent: on a fast clock the
/// default overhead would otherwise take all of it.
const OVERHEAD_PERCENT: u32 = 20;

impl TimeBudget {
    /// The budget of a move of `color`. `overhead` is the time lost on each move between engine and clock.
    ///
    /// Clock and fixed time both hold where both are given. A clock at zero or below counts as empty: the answer comes
    /// at once.
    pub fn new(limits: &Limits, color: Color, overhead: Duration) -> TimeBudget {
        let by_clock = limits.clocks[color.index()].map(|clock| {
            let increment = limits.increments[color.index()];
            TimeBudget::of_clock(clock, increment, limits.moves_to_go, overhead)
        });
        let by_clock = by_clock.unwrap_or_default();
        let fixed = limits.move_time.map(|time| time - overhead.min(time / 2));
        TimeBudget { soft: by_clock.soft, hard: [by_clock.hard, fixed].into_iter().flatten().min() }
    }

    fn of_clock(clock: Duration, increment: Duration, moves_to_go: Option<u32>, overhead: Duration) -> TimeBudget {
        let moves = moves_to_go.map_or(HORIZON, |moves| moves.clamp(1, HORIZON));
        let reserved_overheads = RESERVED_OVERHEADS.min(moves);
        let reserve = overhead * reserved_overheads + increment * RESERVED_INCREMENTS;
        let reserve = reserve.min(clock * RESERVED_PERCENT / 100);
        let usable = clock.saturating_sub(reserve.max(overhead));
        let ceiling = if moves_to_go == Some(1) { usable * 9 / 10 } else { usable * HARD_PERCENT / 100 };
        // All moves to come share what the clock has and gains.
        let total = usable + increment * moves * INCREMENT_PERCENT / 100;
        let lost = (overhead * (moves - reserved_overheads)).min(total * OVERHEAD_PERCENT / 100);
        let share = ((total - lost) / moves).max(increment * LEAST_INCREMENT_PERCENT / 100);
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
        let fixed = |time: u32, overhead: u32| {
            let limits = Limits { move_time: Some(MS * time), ..Limits::default() };
            TimeBudget::new(&limits, Color::White, MS * overhead)
        };
        assert_eq!(fixed(300, 10), TimeBudget { soft: None, hard: Some(MS * 290) });
        // A time shorter than the overhead is not given up altogether.
        assert_eq!(fixed(10, 10).hard, Some(MS * 5));
        assert_eq!(fixed(0, 10).hard, Some(Duration::ZERO));
    }

    #[test]
    fn a_clock_and_a_fixed_time_both_hold() {
        let both = |clock: u32, move_time: u32| {
            let limits = Limits { clocks: [Some(MS * clock); 2], move_time: Some(MS * move_time), ..Limits::default() };
            TimeBudget::new(&limits, Color::White, MS * 10).hard.unwrap()
        };
        assert_eq!(both(100, 1_000), budget(100, 0, None, 10).1);
        assert_eq!(both(60_000, 100), MS * 90);
    }

    #[test]
    fn the_default_overhead_leaves_fast_clocks_most_of_their_time() {
        for (clock, increment, least) in
            [(50, 5, 3), (100, 0, 1), (100, 1, 1), (200, 5, 6), (500, 5, 15), (1_000, 10, 30)]
        {
            let (soft, _) = budget(clock, increment, None, 10);
            assert!(soft >= MS * least, "{clock}+{increment}: {soft:?}");
        }
    }

    /// Plays moves that each take their share and `late`, and tells what is left after them.
    fn left_after(moves: u32, base: u32, increment: u32, overhead: u32, late: Duration) -> Duration {
        let mut clock = MS * base;
        for _ in 0..moves {
            let limits = Limits {
                clocks: [Some(clock), None],
                increments: [MS * increment, Duration::ZERO],
                ..Limits::default()
            };
            let soft = TimeBudget::new(&limits, Color::White, MS * overhead).soft.unwrap();
            clock = clock.checked_sub(soft + late).expect("a loss on time") + MS * increment;
        }
        clock
    }

    #[test]
    fn long_games_use_up_their_base_time() {
        for (base, increment) in [(1_000, 10), (2_000, 20), (10_000, 100), (60_000, 600)] {
            let left = left_after(100, base, increment, 10, Duration::ZERO);
            assert!(left <= MS * base / 4, "{base}+{increment}: {left:?}");
        }
    }

    #[test]
    fn moves_that_are_late_by_their_overhead_never_lose() {
        for (base, increment) in [(60_000, 1_000), (10_000, 100), (1_000, 10)] {
            for overhead in [0, 1, 10] {
                left_after(300, base, increment, overhead, MS * overhead);
            }
        }
        left_after(300, 60_000, 1_000, 990, MS * 990);
        left_after(300, 10_000, 100, 90, MS * 90);
    }
}
