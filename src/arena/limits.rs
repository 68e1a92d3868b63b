//! What one engine may spend on a move.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::key_values::{KeyError, KeyValues};
use super::time_control::{TimeControl, parse_seconds};

/// The limits of one engine; at least one is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayLimits {
    /// The clock of the whole game.
    #[serde(rename = "tc", skip_serializing_if = "Option::is_none")]
    pub time_control: Option<TimeControl>,
    /// A fixed time for each move.
    #[serde(rename = "st", skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Duration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How far an engine may overstep its time without losing.
    #[serde(rename = "timemargin")]
    pub time_margin: Duration,
}

impl PlayLimits {
    /// Takes `tc st nodes depth plies timemargin` out of the keys. `tc=inf` is no clock, `plies` another name of `depth`.
    pub fn take(keys: &mut KeyValues) -> Result<PlayLimits, KeyError> {
        let positive = "a whole number above 0";
        let depth = keys.take_where("depth", positive, |&depth: &u32| depth > 0)?;
        let plies = keys.take_where("plies", positive, |&depth: &u32| depth > 0)?;
        let margin: Option<u64> = keys.take("timemargin", "a whole number of milliseconds")?;
        Ok(PlayLimits {
            time_control: take_time_control(keys)?,
            move_time: keys
                .take_where("st", "a number of seconds above 0", |time: &Seconds| !time.0.is_zero())?
                .map(|time| time.0),
            nodes: keys.take_where("nodes", positive, |&nodes: &u64| nodes > 0)?,
            depth: depth.or(plies),
            time_margin: Duration::from_millis(margin.unwrap_or(0)),
        })
    }

    /// True when nothing ends a search.
    pub fn is_unlimited(&self) -> bool {
        self.time_control.is_none() && self.move_time.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// The time control in the words of the PGN standard: `40/60+0.6`, `1/0.25` for a fixed time a move, `-` for none. They
    /// have none for both at once, and the clock is named.
    pub fn pgn_time_control(&self) -> String {
        match (self.time_control, self.move_time) {
            (Some(control), _) => control.to_string(),
            (None, Some(time)) => format!("1/{}", time.as_secs_f64()),
            (None, None) => "-".into(),
        }
    }

    /// All limits in a few words, for the head of a report: `1+0.01`, `nodes 5000`.
    pub fn describe(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.time_control.map(|control| control.to_string()));
        words.extend(self.move_time.map(|time| format!("1/{}", time.as_secs_f64())));
        words.extend(self.nodes.map(|nodes| format!("nodes {nodes}")));
        words.extend(self.depth.map(|depth| format!("depth {depth}")));
        words.join(", ")
    }
}

fn take_time_control(keys: &mut KeyValues) -> Result<Option<TimeControl>, KeyError> {
    /// A clock, or the word that says that there is none.
    struct MaybeClock(Option<TimeControl>);

    impl std::str::FromStr for MaybeClock {
        type Err = super::time_control::TimeControlError;

        fn from_str(text: &str) -> Result<MaybeClock, Self::Err> {
            if text == "inf" { Ok(MaybeClock(None)) } else { text.parse().map(|control| MaybeClock(Some(control))) }
        }
    }

    let expected = "a time control [moves/][minutes:]seconds[+increment], or inf";
    Ok(keys.take::<MaybeClock>("tc", expected)?.and_then(|clock| clock.0))
}

struct Seconds(Duration);

impl std::str::FromStr for Seconds {
    type Err = ();

    fn from_str(text: &str) -> Result<Seconds, ()> {
        parse_seconds(text).map(Seconds).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> Result<PlayLimits, KeyError> {
        let words: Vec<String> = text.split_ascii_whitespace().map(String::from).collect();
        let mut keys = KeyValues::parse("--each", &words)?;
        let limits = PlayLimits::take(&mut keys)?;
        keys.finish("").map(|()| limits)
    }

    #[test]
    fn keys_become_limits() {
        let all = limits("tc=1+0.01 st=0.25 nodes=5000 plies=9 timemargin=20").unwrap();
        assert_eq!(all.describe(), "1+0.01, 1/0.25, nodes 5000, depth 9");
        assert_eq!((all.move_time, all.time_margin), (Some(Duration::from_millis(250)), Duration::from_millis(20)));
        assert_eq!(limits("st=0.25").unwrap().pgn_time_control(), "1/0.25");
        assert_eq!(limits("nodes=1").unwrap().pgn_time_control(), "-");
        assert!(limits("tc=inf").unwrap().is_unlimited());
        for bad in ["tc=x", "st=0", "st=-1", "nodes=0", "depth=x", "timemargin=0.5"] {
            let key = bad.split('=').next().unwrap();
            assert!(limits(bad).unwrap_err().to_string().contains(key), "{bad}");
        }
    }
}
