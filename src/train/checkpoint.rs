//! Training that was interrupted, in a file: it goes on from the last epoch that came to its end.
//!
//! Little-endian: the letters `AKTRAIN` and a line feed; 32 bits for the length of a text and the text, which tells of
//! settings and data; the epochs done, 32 bits; the steps taken, 64 bits; the rows of numbers, their first moments and
//! their second ones, 32 bits each; the CRC-32 (that of gzip) of all before it. The numbers are as exact as in memory,
//! so the network that comes out is that of a training without interruption.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::factors::FACTORED_ROWS;
use super::model::Units;
use super::optimiser::Adam;
use super::session::Session;
use crate::eval::network::HIDDEN;
use crate::files::replace;

const MAGIC: &[u8; 8] = b"AKTRAIN\n";
const CHECKSUM_LENGTH: usize = 4;

/// Why a training cannot go on, or leave something to go on from.
#[derive(Debug, Error)]
#[error("{}: {fault}", file.display())]
pub struct CheckpointError {
    pub file: PathBuf,
    pub fault: CheckpointFault,
}

/// What is wrong with the file.
#[derive(Debug, Error)]
pub enum CheckpointFault {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no checkpoint of a training, or damaged")]
    Damaged,
    #[error("it is of a training with {there}, this one has {here}; remove it to begin anew")]
    Other { there: String, here: String },
}

impl Session {
    /// Writes the session as it is after an epoch. `identity` tells of settings and data. The old file stays until the
    /// new one is whole.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path, identity: &str) -> Result<(), CheckpointError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((identity.len() as u32).to_le_bytes());
        bytes.extend(identity.bytes());
        bytes.extend(self.epochs.to_le_bytes());
        bytes.extend(self.adam.steps.to_le_bytes());
        let rows = self.factored.iter().chain(&self.adam.first).chain(&self.adam.second);
        bytes.extend(rows.flat_map(|row| row.0).flat_map(f32::to_le_bytes));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        replace(path, &bytes).map_err(|error| CheckpointError { file: path.into(), fault: error.into() })
    }

    /// Goes on from a file, if there is one; true if so.
    ///
    /// # Errors
    /// When the file cannot be read or is of another training; the session is as it was then.
    pub fn resume(&mut self, path: &Path, identity: &str) -> Result<bool, CheckpointError> {
        let read = match fs::read(path) {
            Ok(bytes) => self.restore(&bytes, identity),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => Err(error.into()),
        };
        read.map(|()| true).map_err(|fault| CheckpointError { file: path.into(), fault })
    }

    fn restore(&mut self, bytes: &[u8], identity: &str) -> Result<(), CheckpointFault> {
        let damaged = || CheckpointFault::Damaged;
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM_LENGTH>().ok_or_else(damaged)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err(CheckpointFault::Damaged);
        }
        let rest = content.strip_prefix(MAGIC).ok_or_else(damaged)?;
        let (length, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let (there, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(damaged)?;
        if there != identity.as_bytes() {
            let there = String::from_utf8_lossy(there).into_owned();
            return Err(CheckpointFault::Other { there, here: identity.to_owned() });
        }
        let (epochs, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let (steps, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let (numbers, []) = rest.as_chunks::<4>() else { return Err(CheckpointFault::Damaged) };
        if numbers.len() != 3 * FACTORED_ROWS * HIDDEN {
            return Err(CheckpointFault::Damaged);
        }
        let mut rows =
            numbers.chunks(HIDDEN).map(|row| Units(std::array::from_fn(|unit| f32::from_le_bytes(row[unit]))));
        let mut take = || rows.by_ref().take(FACTORED_ROWS).collect::<Vec<_>>();
        let factored = take();
        let adam = Adam { first: take(), second: take(), steps: u64::from_le_bytes(*steps) };
        self.restored(factored, adam, u32::from_le_bytes(*epochs));
        Ok(())
    }
}
