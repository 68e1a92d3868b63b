//! Time controls `[moves/][minutes:]seconds[+increment]` and the clock that runs down under one.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The time of one player for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TimeControl {
    /// Moves of a session, after which the base time is given again; `None`: one session for the whole game.
    pub moves: Option<u32>,
    /// Time at the start of a session; never zero.
    pub base: Duration,
    /// Time given after each move.
    pub increment: Duration,
}

/// What is wrong with the text of a time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("time control '{0}' is not of the form [moves/][minutes:]seconds[+increment]")]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        parse(text).ok_or_else(|| TimeControlError(text.into()))
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

fn parse(text: &str) -> Option<TimeControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), rest),
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        Some((base, increment)) => (base, parse_seconds(increment)?),
        None => (rest, Duration::ZERO),
    };
    let base = match base.split_once(':') {
        Some((minutes, seconds)) => {
            Duration::from_secs(minutes.parse::<u32>().ok()? as u64 * 60) + parse_seconds(seconds)?
        }
        None => parse_seconds(base)?,
    };
    (!base.is_zero()).then_some(TimeControl { moves, base, increment })
}

/// A decimal number of seconds as a duration of whole microseconds; `None` of anything that is none, or over ten years.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| plain)?;
    (seconds <= 3e8).then(|| Duration::from_micros((seconds * 1e6).round() as u64))
}

/// As the PGN standard writes it: `40/60+0.6`, seconds in decimals.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// The running clock of one player.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    pub fn new(control: TimeControl) -> Clock {
        Clock { control, remaining: control.base, moves_to_go: control.moves }
    }

    /// Time left for the moves of this session.
    pub const fn remaining(&self) -> Duration {
        self.remaining
    }

    pub const fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves to the end of this session.
    pub const fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Takes the time of a move off and gives what the move has earned. A move that took longer than the time left,
    /// within the margin that the referee grants, leaves none.
    pub fn move_made(&mut self, elapsed: Duration) {
        self.remaining = self.remaining.saturating_sub(elapsed) + self.control.increment;
        match &mut self.moves_to_go {
            Some(moves) if *moves > 1 => *moves -= 1,
            Some(moves) => {
                *moves = self.control.moves.unwrap_or(1);
                self.remaining += self.control.base;
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    #[test]
    fn forms_are_read_and_written() {
        let milliseconds = Duration::from_millis;
        assert_eq!(
            control("1+0.01"),
            TimeControl { moves: None, base: milliseconds(1000), increment: milliseconds(10) }
        );
        assert_eq!(
            control("40/2:30.5+1"),
            TimeControl { moves: Some(40), base: milliseconds(150_500), increment: milliseconds(1000) }
        );
        for (text, written) in
            [("1+0.01", "1+0.01"), ("40/60", "40/60"), ("0:30", "30"), ("0.5+0.005", "0.5+0.005"), ("2+0", "2")]
        {
            assert_eq!(control(text).to_string(), written);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "", "0", "0+1", "/5", "0/5", "-1", "1e3", "inf", "nan", "1+", "+1", "1+-1", "1:2:3", "x", "40/", "1 ",
            "99999999999",
        ] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn clock_gives_increment_and_sessions() {
        let seconds = Duration::from_secs;
        let mut clock = Clock::new(control("2/10+1"));
        clock.move_made(seconds(4));
        assert_eq!((clock.remaining(), clock.moves_to_go()), (seconds(7), Some(1)));
        clock.move_made(seconds(6));
        assert_eq!((clock.remaining(), clock.moves_to_go()), (seconds(12), Some(2)));
        let mut late = Clock::new(control("1+0.5"));
        late.move_made(seconds(2));
        assert_eq!((late.remaining(), late.moves_to_go()), (Duration::from_millis(500), None));
    }

    proptest! {
        #![proptest_config(crate::seed::fixed(12, 256))]

        #[test]
        fn what_is_read_is_written_back(text in "([0-9]{1,3}/)?([0-9]{1,4}:)?[0-9]{1,5}(\\.[0-9]{0,6})?(\\+[0-9]{1,3}(\\.[0-9]{1,6})?)?") {
            if let Ok(control) = text.parse::<TimeControl>() {
                prop_assert_eq!(control.to_string().parse::<TimeControl>(), Ok(control));
            }
        }

        #[test]
        fn no_text_makes_it_fail(text in "[0-9/:+.e-]*|.*") {
            let _ = text.parse::<TimeControl>();
        }
    }
}
