use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

use thiserror::Error;

use super::record::{RECORD_LENGTH, Record, RecordFault};
use super::settings::{HEADER_LENGTH, HeaderFault, Settings};

/// What is wrong with a file, and where.
#[derive(Debug, Error)]
#[error("{file}, byte {offset}: {fault}")]
pub struct DataError {
    pub file: String,
    /// Where the header or the record begins that is not good; for a file that ends too early, its end.
    pub offset: u64,
    pub fault: Fault,
}

/// What is wrong there.
#[derive(Debug, Error)]
pub enum Fault {
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
    #[error(transparent)]
    Header(#[from] HeaderFault),
    #[error(transparent)]
    Record(#[from] RecordFault),
    #[error("the file ends within its header")]
    HeaderCutShort,
    #[error("the file ends within a record")]
    RecordCutShort,
    #[error("the file ends before game {game} does")]
    GameCutShort { game: u32 },
}

/// Reads the records of a file one after the other, and checks each. After an error there are no more.
pub struct Reader<R> {
    source: R,
    file: String,
    offset: u64,
    settings: Settings,
    /// The game that is not at its end yet.
    open_game: Option<u32>,
    is_done: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When it cannot be read, or is no file of games.
    pub fn open(path: &Path) -> Result<Reader<BufReader<File>>, DataError> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Reader::new(BufReader::new(file), name),
            Err(error) => Err(DataError { file: name, offset: 0, fault: error.into() }),
        }
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header. The name of the file is for messages.
    ///
    /// # Errors
    /// When there is no good one.
    pub fn new(mut source: R, file: String) -> Result<Reader<R>, DataError> {
        let mut bytes = [0; HEADER_LENGTH];
        let settings = match fill(&mut source, &mut bytes) {
            // A short text is told for what it is.
            Ok(length) if length < HEADER_LENGTH => match Settings::decode(&bytes) {
                Err(fault @ HeaderFault::Magic) if length > 0 => Err((0, fault.into())),
                _ => Err((length as u64, Fault::HeaderCutShort)),
            },
            Ok(_) => Settings::decode(&bytes).map_err(|fault| (0, fault.into())),
            Err(error) => Err((0, error.into())),
        };
        match settings {
            Ok(settings) => {
                Ok(Reader { source, file, offset: HEADER_LENGTH as u64, settings, open_game: None, is_done: false })
            }
            Err((offset, fault)) => Err(DataError { file, offset, fault }),
        }
    }

    /// What the header tells.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where the next record begins, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    fn read_record(&mut self) -> Result<Option<Record>, DataError> {
        let mut bytes = [0; RECORD_LENGTH];
        let length = fill(&mut self.source, &mut bytes).map_err(|error| self.error(error.into()))?;
        match (length, self.open_game) {
            (0, None) => return Ok(None),
            (0, Some(game)) => return Err(self.error(Fault::GameCutShort { game })),
            (RECORD_LENGTH, _) => {}
            _ => {
                self.offset += length as u64;
                return Err(self.error(Fault::RecordCutShort));
            }
        }
        let record = Record::decode(&bytes).map_err(|fault| self.error(fault.into()))?;
        self.offset += RECORD_LENGTH as u64;
        self.open_game = (!record.is_last).then_some(record.game);
        Ok(Some(record))
    }

    fn error(&self, fault: Fault) -> DataError {
        DataError { file: self.file.clone(), offset: self.offset, fault }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, DataError>;

    fn next(&mut self) -> Option<Result<Record, DataError>> {
        if self.is_done {
            return None;
        }
        let next = self.read_record().transpose();
        self.is_done = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Fills the buffer as far as the source goes; returns how far.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match source.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
