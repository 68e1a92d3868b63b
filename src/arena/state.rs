//! The state of a match in a file, so that it can go on after any end, and be merged with others.
//!
//! The file is a journal of one JSON record a line: the settings first, then each finished game. A line that a killed
//! process left unfinished is dropped, and its game played again.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::match_settings::MatchSettings;
use super::standings::GameSummary;
use crate::files::lock;

/// Changes when the records do.
const FORMAT: u32 = 1;

/// How every file begins.
const BEGINNING: &[u8] = b"{\"match\":{\"format\":";

/// A line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Record {
    Match(Box<MatchRecord>),
    Pgn(PgnStart),
    Game(Box<GameSummary>),
}

/// What a match is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRecord {
    pub format: u32,
    /// A number that no other match has.
    pub id: u64,
    pub settings: MatchSettings,
    /// Fingerprint of the openings.
    pub openings: u64,
}

/// Where in a PGN file the games of the match begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PgnStart {
    pub file: PathBuf,
    /// Bytes.
    pub start: u64,
}

/// What is wrong with a state file.
#[derive(Debug, Error)]
pub enum StateError {
    #[error("cannot use '{file}': {error}")]
    File { file: PathBuf, error: io::Error },
    #[error("'{file}' is not a regular file")]
    NotAFile { file: PathBuf },
    #[error("'{file}' is in use by another match that is running")]
    InUse { file: PathBuf },
    #[error("line {line} of '{file}' is no record of a match: {error}")]
    Record { file: PathBuf, line: usize, error: String },
    #[error("'{file}' holds a match with other settings: {differences}")]
    OtherSettings { file: PathBuf, differences: String },
    #[error("'{second}' holds the same match as '{first}'")]
    SameMatch { first: PathBuf, second: PathBuf },
}

/// What a state file holds.
#[derive(Clone, Debug)]
pub struct SavedMatch {
    pub record: MatchRecord,
    /// By the order of their end.
    pub games: Vec<GameSummary>,
    /// The last for each PGN file.
    pub pgn_starts: Vec<PgnStart>,
    /// Length of the complete lines, bytes.
    length: u64,
}

impl SavedMatch {
    /// Reads a file; `None` when it does not exist or holds nothing.
    pub fn read(path: &Path) -> Result<Option<SavedMatch>, StateError> {
        match fs::read(path) {
            Ok(bytes) => SavedMatch::parse(&bytes, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StateError::File { file: path.into(), error }),
        }
    }

    fn parse(bytes: &[u8], path: &Path) -> Result<Option<SavedMatch>, StateError> {
        let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let bad = |line: usize, error: String| StateError::Record { file: path.into(), line, error };
        // Without a line it is the first write of a killed process, or a file of something else that must not be lost.
        if length == 0 && !bytes.starts_with(BEGINNING) && !BEGINNING.starts_with(bytes) {
            return Err(bad(1, "it does not begin like one".into()));
        }
        let mut saved: Option<SavedMatch> = None;
        for (index, line) in bytes[..length].split_inclusive(|&byte| byte == b'\n').enumerate() {
            let record = serde_json::from_slice(line).map_err(|error| bad(index + 1, error.to_string()))?;
            match (record, &mut saved) {
                (Record::Match(record), None) if record.format == FORMAT => {
                    let length = length as u64;
                    saved = Some(SavedMatch { record: *record, games: Vec::new(), pgn_starts: Vec::new(), length });
                }
                (Record::Game(game), Some(saved)) => saved.games.push(*game),
                (Record::Pgn(start), Some(saved)) => {
                    saved.pgn_starts.retain(|known| known.file != start.file);
                    saved.pgn_starts.push(start);
                }
                _ => return Err(bad(index + 1, "it does not belong there".into())),
            }
        }
        Ok(saved)
    }

    /// Where the games begin in a PGN file that the match has written to before.
    pub fn pgn_start(&self, file: &Path) -> Option<u64> {
        self.pgn_starts.iter().find(|known| known.file == file).map(|known| known.start)
    }
}

/// A state file that is being written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Takes a file for this process alone, creates it when it does not exist, and reads it; `None` when it holds nothing.
    /// It is locked before it is read, so that nobody writes to it in between.
    pub fn open(path: &Path) -> Result<(Journal, Option<SavedMatch>), StateError> {
        let failed = |error| StateError::File { file: path.into(), error };
        let mut file = File::options().create(true).read(true).append(true).open(path).map_err(failed)?;
        // A device may have no end.
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(StateError::NotAFile { file: path.into() });
        }
        if !lock(&file) {
            return Err(StateError::InUse { file: path.into() });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let saved = SavedMatch::parse(&bytes, path)?;
        Ok((Journal { file, path: path.into() }, saved))
    }

    /// Starts the record of a match in a file that holds nothing.
    pub fn begin(&mut self, record: &MatchRecord) -> Result<(), StateError> {
        self.cut(0)?;
        self.write(&Record::Match(Box::new(record.clone())))
    }

    /// Goes on with the match that the file holds, behind its last complete line.
    pub fn resume(&mut self, saved: &SavedMatch) -> Result<(), StateError> {
        self.cut(saved.length)
    }

    fn cut(&self, length: u64) -> Result<(), StateError> {
        self.file.set_len(length).map_err(|error| StateError::File { file: self.path.clone(), error })
    }

    pub fn add_game(&mut self, game: &GameSummary) -> Result<(), StateError> {
        self.write(&Record::Game(Box::new(game.clone())))
    }

    pub fn add_pgn_start(&mut self, start: PgnStart) -> Result<(), StateError> {
        self.write(&Record::Pgn(start))
    }

    /// Writes a line in one piece.
    fn write(&mut self, record: &Record) -> Result<(), StateError> {
        let failed = |error| StateError::File { file: self.path.clone(), error };
        let mut line = serde_json::to_vec(record).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(failed)
    }
}

/// Fails with the differences named when a saved match has other settings. The settings in `ignored` may differ.
pub fn compare(saved: &MatchRecord, wanted: &MatchRecord, ignored: &[&str], file: &Path) -> Result<(), StateError> {
    let fields = |record: &MatchRecord| {
        let mut fields = Vec::new();
        let mut value = serde_json::to_value(&record.settings).unwrap_or_default();
        if record.openings != 0 {
            value["openings"]["content"] = Value::from(format!("{:016x}", record.openings));
        }
        flatten("", &value, &mut fields);
        fields.retain(|(name, _)| !ignored.contains(&name.as_str()));
        fields
    };
    let differences = differences(&fields(saved), &fields(wanted));
    if differences.is_empty() {
        return Ok(());
    }
    Err(StateError::OtherSettings { file: file.into(), differences: differences.join("; ") })
}

/// All values with their paths: `engines.1.nodes`.
fn flatten(path: &str, value: &Value, fields: &mut Vec<(String, String)>) {
    let below = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| flatten(&below(name), value, fields)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| flatten(&below(&(index + 1).to_string()), value, fields));
        }
        Value::String(text) => fields.push((path.into(), text.clone())),
        other => fields.push((path.into(), other.to_string())),
    }
}

fn differences(saved: &[(String, String)], wanted: &[(String, String)]) -> Vec<String> {
    let find = |fields: &[(String, String)], name: &str| {
        fields.iter().find(|(other, _)| other == name).map_or("nothing".to_string(), |(_, value)| value.clone())
    };
    let names = saved.iter().chain(wanted.iter().filter(|(name, _)| saved.iter().all(|(other, _)| other != name)));
    names
        .map(|(name, _)| (name, find(saved, name), find(wanted, name)))
        .filter(|(_, saved, wanted)| saved != wanted)
        .map(|(name, saved, wanted)| format!("{name} is {saved} there and {wanted} here"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::ending::{EndKind, Ending};
    use crate::arena::standings::Effort;
    use crate::arena::test_settings;
    use crate::types::Color;

    fn record() -> MatchRecord {
        MatchRecord { format: FORMAT, id: 7, settings: test_settings(2), openings: 0xab }
    }

    fn game(number: u64) -> GameSummary {
        GameSummary {
            number,
            white: 0,
            black: 1,
            ending: Ending::by_fault(Color::Black, EndKind::Time, "loses on time"),
            incident: Some("late".into()),
            plies: 3,
            efforts: [Effort { moves: 2, depth: 9, nodes: 4, time: std::time::Duration::from_millis(3) }; 2],
            last_fen: "fen".into(),
            pgn: "text\n".into(),
        }
    }

    fn begun(path: &Path, record: &MatchRecord) -> Journal {
        let (mut journal, saved) = Journal::open(path).unwrap();
        assert!(saved.is_none());
        journal.begin(record).unwrap();
        journal
    }

    #[test]
    fn what_was_written_is_read_back_and_half_a_line_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        assert!(SavedMatch::read(&path).unwrap().is_none());
        let mut journal = begun(&path, &record());
        let start = |start| PgnStart { file: "x.pgn".into(), start };
        journal.add_pgn_start(start(5)).unwrap();
        journal.add_game(&game(2)).unwrap();
        journal.add_pgn_start(start(9)).unwrap();
        drop(journal);
        let complete = fs::read(&path).unwrap();
        for garbage in ["", "{\"game\":{\"num", "\u{0}"] {
            fs::write(&path, [&complete[..], garbage.as_bytes()].concat()).unwrap();
            let saved = SavedMatch::read(&path).unwrap().unwrap();
            assert_eq!(
                (&saved.record, &saved.games[..], saved.pgn_start(Path::new("x.pgn"))),
                (&record(), &[game(2)][..], Some(9))
            );
            let mut journal = Journal::open(&path).unwrap().0;
            journal.resume(&saved).unwrap();
            journal.add_game(&game(1)).unwrap();
            assert_eq!(SavedMatch::read(&path).unwrap().unwrap().games, [game(2), game(1)]);
        }
    }

    #[test]
    fn other_files_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        for (text, line) in [("1. e4\n", 1), ("1. e4", 1), ("{", 0), ("{\"match\":{\"fmt", 1), ("\u{0}", 1)] {
            fs::write(&path, text).unwrap();
            for outcome in [SavedMatch::read(&path).map(drop), Journal::open(&path).map(drop)] {
                let message = outcome.map_or_else(|error| error.to_string(), |()| String::new());
                let expected = format!("line {line} of '{}' is no record", path.display());
                assert!(
                    if line == 0 { message.is_empty() } else { message.starts_with(&expected) },
                    "{text}: {message}"
                );
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let later = MatchRecord { format: FORMAT + 1, ..record() };
        fs::remove_file(&path).unwrap();
        drop(begun(&path, &later));
        assert!(SavedMatch::read(&path).is_err());
    }

    #[test]
    fn a_first_line_that_was_cut_short_is_written_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        drop(begun(&path, &record()));
        let complete = fs::read(&path).unwrap();
        for length in 0..complete.len() {
            fs::write(&path, &complete[..length]).unwrap();
            drop(begun(&path, &record()));
            assert_eq!(fs::read(&path).unwrap(), complete);
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_file_has_one_writer_and_only_that_one_reads_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        let first = begun(&path, &record());
        assert!(matches!(Journal::open(&path), Err(StateError::InUse { .. })));
        fs::write(&path, "half of another line").unwrap();
        assert!(matches!(Journal::open(&path), Err(StateError::InUse { .. })));
        drop(first);
        assert!(matches!(Journal::open(&path), Err(StateError::Record { .. })));
    }

    #[test]
    fn differences_are_named() {
        let path = Path::new("state");
        assert!(compare(&record(), &record(), &[], path).is_ok());
        let mut other = record();
        other.settings.engines[1].limits.nodes = Some(2000);
        other.settings.rounds = 5;
        let message = compare(&record(), &other, &["rounds"], path).unwrap_err().to_string();
        assert!(message.ends_with(": engines.2.nodes is 1000 there and 2000 here"), "{message}");
        let message = compare(&record(), &other, &[], path).unwrap_err().to_string();
        assert!(message.contains("rounds is 1 there and 5 here"), "{message}");
        let message = compare(&record(), &MatchRecord { openings: 1, ..record() }, &[], path).unwrap_err().to_string();
        assert!(message.contains("openings.content"), "{message}");
    }
}
