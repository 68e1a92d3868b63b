//! A record of everything that the engines of a match are told and say.
//!
//! Each line goes to the file in one write as it is said, so nothing is held in memory and nothing is missing after a kill:
//!
//! ```text
//! 2026-05-01T12:00:00.123Z game 3 new[4711] > go wtime 1000 winc 10 btime 990 binc 10
//! 2026-05-01T12:00:00.180Z game 3 new[4711] < bestmove e2e4
//! ```
//!
//! The number in brackets is that of the process; `>` goes to the engine, `<` comes from it, `!` is its standard error.
//! Before the first game of a process the number of the game is `-`.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};

use super::printable::printable;

/// Where a line goes, or comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    ToEngine,
    FromEngine,
    StandardError,
}

impl Direction {
    const fn mark(self) -> char {
        match self {
            Direction::ToEngine => '>',
            Direction::FromEngine => '<',
            Direction::StandardError => '!',
        }
    }
}

/// The file, shared by all engines.
#[derive(Debug)]
pub struct TrafficLog(Mutex<State>);

#[derive(Debug)]
enum State {
    Open(File),
    /// A log that cannot be written is given up rather than the match.
    Failed(io::Error),
}

impl TrafficLog {
    /// Opens a file to add to it.
    pub fn append(path: &Path) -> io::Result<Arc<TrafficLog>> {
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Arc::new(TrafficLog(Mutex::new(State::Open(file)))))
    }

    /// The record of one process of an engine.
    pub fn of_process(log: &Arc<TrafficLog>, engine: &str, process: u32) -> ProcessTraffic {
        let process = format!("{}[{process}]", printable(engine));
        ProcessTraffic { log: log.clone(), process, game: Arc::default() }
    }

    /// Why the log ends early, in words; `None` when it does not.
    pub fn failure(&self) -> Option<String> {
        match &*self.state() {
            State::Open(_) => None,
            State::Failed(error) => Some(error.to_string()),
        }
    }

    fn write(&self, line: &str) {
        let mut state = self.state();
        if let State::Open(file) = &mut *state
            && let Err(error) = file.write_all(line.as_bytes())
        {
            *state = State::Failed(error);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Records what one process is told and says; clones share the number of the game.
#[derive(Clone, Debug)]
pub struct ProcessTraffic {
    log: Arc<TrafficLog>,
    /// Name of the engine and number of the process.
    process: String,
    /// 0 before the first.
    game: Arc<AtomicU64>,
}

impl ProcessTraffic {
    /// From now on the process plays this game.
    pub fn set_game(&self, number: u64) {
        self.game.store(number, Ordering::Relaxed);
    }

    /// Records a line that was said at a time.
    pub fn record(&self, direction: Direction, at: Instant, line: &str) {
        let ago = SignedDuration::try_from(at.elapsed()).unwrap_or_default();
        let time = (Timestamp::now() - ago).strftime("%Y-%m-%dT%H:%M:%S.%3fZ");
        let game = match self.game.load(Ordering::Relaxed) {
            0 => "-".to_string(),
            number => number.to_string(),
        };
        let line = printable(line.trim_end());
        self.log.write(&format!("{time} game {game} {} {} {line}\n", self.process, direction.mark()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_time_game_process_and_direction() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        std::fs::write(&path, "before\n").unwrap();
        let log = TrafficLog::append(&path).unwrap();
        let traffic = TrafficLog::of_process(&log, "new\n", 7);
        traffic.record(Direction::ToEngine, Instant::now(), "uci");
        traffic.clone().set_game(3);
        traffic.record(Direction::FromEngine, Instant::now(), "bestmove \u{1b}\r\n");
        traffic.record(Direction::StandardError, Instant::now(), "");
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "before");
        let (times, rest): (Vec<&str>, Vec<&str>) = lines[1..].iter().map(|line| line.split_once(' ').unwrap()).unzip();
        assert_eq!(rest, ["game - new\\n[7] > uci", "game 3 new\\n[7] < bestmove \\u{1b}", "game 3 new\\n[7] ! "]);
        let is_time = |time: &&str| time.len() == 24 && time.parse::<Timestamp>().is_ok();
        assert!(times.iter().all(is_time), "{times:?}");
        assert_eq!(log.failure(), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_ends_the_log_only() {
        let log = TrafficLog::append(Path::new("/dev/full")).unwrap();
        let traffic = TrafficLog::of_process(&log, "new", 7);
        for _ in 0..2 {
            traffic.record(Direction::ToEngine, Instant::now(), "uci");
            assert!(log.failure().is_some());
        }
    }
}
