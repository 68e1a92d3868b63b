use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::reader::{DataError, Fault, Reader};
use super::record::Record;
use super::settings::{HEADER_LENGTH, MAGIC, Settings};
use crate::files::lock;
use crate::seed;

/// Why a file cannot take games.
#[derive(Debug, Error)]
pub enum OutputError {
    #[error("cannot write {}: {error}", file.display())]
    File { file: PathBuf, error: io::Error },
    #[error("{} is in use by another run", .0.display())]
    InUse(PathBuf),
    #[error(transparent)]
    Damaged(#[from] DataError),
    #[error("{} holds games of another kind: {differences}", file.display())]
    OtherSettings { file: PathBuf, differences: String },
    #[error("{}, byte {offset}: game {found} stands where game {wanted:?} belongs", file.display())]
    WrongGame { file: PathBuf, offset: u64, found: u32, wanted: Option<u32> },
}

/// A file that takes the games of a run in their order, each in one write.
#[derive(Debug)]
pub struct Output {
    file: File,
    path: PathBuf,
    settings: Settings,
    games: u64,
    positions: u64,
}

impl Output {
    /// Takes a file for this process alone. A new one gets a header; one of an earlier run is gone through, and what a
    /// kill has left of an unfinished game is cut off. Without a seed it is that of the file, or for a new file drawn;
    /// `settings` makes the settings from it.
    ///
    /// # Errors
    /// When the file cannot be written, is damaged, or holds anything but games with these settings; it is left as it was.
    pub fn open(path: &Path, seed: Option<u64>, settings: impl FnOnce(u64) -> Settings) -> Result<Output, OutputError> {
        let failed = |error| OutputError::File { file: path.into(), error };
        let mut file = File::options().create(true).read(true).append(true).open(path).map_err(failed)?;
        if !lock(&file) {
            return Err(OutputError::InUse(path.into()));
        }
        if is_unbegun(&mut file).map_err(failed)? {
            let settings = settings(seed.unwrap_or_else(seed::drawn));
            file.set_len(0).and_then(|()| file.write_all(&settings.encode())).map_err(failed)?;
            return Ok(Output { file, path: path.into(), settings, games: 0, positions: 0 });
        }
        file.rewind().map_err(failed)?;
        let reader = Reader::new(BufReader::new(&file), path.display().to_string())?;
        let settings = settings(seed.unwrap_or(reader.settings().seed));
        if let Some(differences) = settings.differences(reader.settings()) {
            return Err(OutputError::OtherSettings { file: path.into(), differences });
        }
        let whole = WholeGames::read(reader, &settings, path)?;
        file.set_len(whole.end).map_err(failed)?;
        Ok(Output { file, path: path.into(), settings, games: whole.games, positions: whole.positions })
    }

    /// What the header says.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many games the file holds.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many positions the file holds.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Adds a whole game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, records: &[Record]) -> Result<(), OutputError> {
        let bytes: Vec<u8> = records.iter().flat_map(Record::encode).collect();
        self.file.write_all(&bytes).map_err(|error| OutputError::File { file: self.path.clone(), error })?;
        self.games += 1;
        self.positions += records.len() as u64;
        Ok(())
    }
}

/// True for a file that holds nothing, or not even a whole header.
fn is_unbegun(file: &mut File) -> io::Result<bool> {
    let mut bytes = Vec::new();
    file.take(HEADER_LENGTH as u64).read_to_end(&mut bytes)?;
    let begins_like_one = bytes.iter().zip(MAGIC).all(|(&byte, magic)| byte == magic);
    Ok(bytes.len() < HEADER_LENGTH && begins_like_one)
}

/// The games of a file that are at their end.
struct WholeGames {
    games: u64,
    positions: u64,
    /// Where they end, in bytes.
    end: u64,
}

impl WholeGames {
    fn read(mut reader: Reader<impl Read>, settings: &Settings, path: &Path) -> Result<WholeGames, OutputError> {
        let mut whole = WholeGames { games: 0, positions: 0, end: reader.offset() };
        let mut open_positions = 0;
        loop {
            let offset = reader.offset();
            let record = match reader.next() {
                Some(Ok(record)) => record,
                None => return Ok(whole),
                Some(Err(error)) => match error.fault {
                    Fault::RecordCutShort | Fault::GameCutShort { .. } => return Ok(whole),
                    _ => return Err(error.into()),
                },
            };
            let wanted = settings.shard.game(whole.games);
            if wanted != Some(record.game) {
                return Err(OutputError::WrongGame { file: path.into(), offset, found: record.game, wanted });
            }
            open_positions += 1;
            if record.is_last {
                whole.games += 1;
                whole.positions += open_positions;
                whole.end = reader.offset();
                open_positions = 0;
            }
        }
    }
}
