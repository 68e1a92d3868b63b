//! What an engine thought of its move, as match runners write it in comments.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A score as an engine claims it, for the side that it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evaluation {
    Centipawns(i32),
    /// Full moves to a mate, negative when the player is mated.
    Mate(i32),
}

impl Evaluation {
    /// Centipawns, a mate being worth more than anything else.
    pub const fn centipawns(self) -> i32 {
        const MATE: i32 = 30_000;
        match self {
            Evaluation::Centipawns(value) => value,
            Evaluation::Mate(moves) if moves > 0 => MATE,
            Evaluation::Mate(_) => -MATE,
        }
    }
}

/// As match runners write it in comments: pawns (`+0.35`), or plies to the mate (`+M3` mates with its second move).
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Evaluation::Centipawns(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            Evaluation::Mate(moves) if moves > 0 => write!(f, "+M{}", 2 * i64::from(moves) - 1),
            Evaluation::Mate(moves) => write!(f, "-M{}", -2 * i64::from(moves)),
        }
    }
}

/// `+0.35/14 0.210s`: score, depth, time.
pub fn search_comment(evaluation: Evaluation, depth: u32, elapsed: Duration) -> String {
    format!("{evaluation}/{depth} {}", time_comment(elapsed))
}

/// True of what [`search_comment`] writes.
pub fn is_search_comment(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = |text: &str| text.split_once('.').is_some_and(|(whole, part)| is_number(whole) && is_number(part));
    let is_evaluation = |text: &str| {
        let value = text.strip_prefix(['+', '-']).unwrap_or_default();
        is_decimal(value) || value.strip_prefix('M').is_some_and(is_number)
    };
    let parts = text.split_once('/').and_then(|(evaluation, rest)| Some((evaluation, rest.split_once(' ')?)));
    parts.is_some_and(|(evaluation, (depth, time))| {
        is_evaluation(evaluation) && is_number(depth) && time.strip_suffix('s').is_some_and(is_decimal)
    })
}

/// `0.210s`, for a move without a score.
pub fn time_comment(elapsed: Duration) -> String {
    format!("{:.3}s", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_known_again() {
        for evaluation in [Evaluation::Centipawns(-1204), Evaluation::Centipawns(0), Evaluation::Mate(-3)] {
            assert!(is_search_comment(&search_comment(evaluation, 14, Duration::from_millis(210))), "{evaluation}");
        }
        for other in
            ["", "+0.35", "+0.35/14", "0.35/14 0.210s", "+0.35/14 0.210s sure", "+M/3 0.1s", "1/2 a draw", "+/ s"]
        {
            assert!(!is_search_comment(other), "{other}");
        }
    }

    #[test]
    fn evaluations_are_written_as_runners_do() {
        let written = |evaluation: Evaluation| evaluation.to_string();
        assert_eq!(written(Evaluation::Centipawns(35)), "+0.35");
        assert_eq!(written(Evaluation::Centipawns(-1204)), "-12.04");
        assert_eq!(written(Evaluation::Centipawns(0)), "+0.00");
        assert_eq!(written(Evaluation::Mate(2)), "+M3");
        assert_eq!(written(Evaluation::Mate(-1)), "-M2");
        assert_eq!(written(Evaluation::Mate(0)), "-M0");
        assert!(Evaluation::Mate(9).centipawns() > 20_000 && Evaluation::Mate(0).centipawns() < -20_000);
    }
}
