//! The file that takes the games of a match, in the order of the schedule.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// Appends games to a file. A game that is finished early waits until those before it are written.
#[derive(Debug)]
pub struct PgnFile {
    file: File,
    next: u64,
    waiting: BTreeMap<u64, String>,
}

impl PgnFile {
    /// Opens a file behind what it holds already.
    pub fn append(path: &Path) -> io::Result<PgnFile> {
        let mut file = File::options().create(true).append(true).open(path)?;
        file.seek(SeekFrom::End(0))?;
        Ok(PgnFile { file, next: 1, waiting: BTreeMap::new() })
    }

    /// Opens a file and cuts off what stands behind `start`, in bytes, if it is that long.
    pub fn rewrite_from(path: &Path, start: u64) -> io::Result<PgnFile> {
        let pgn = PgnFile::append(path)?;
        if pgn.length()? > start {
            pgn.file.set_len(start)?;
        }
        Ok(pgn)
    }

    /// Length of the file, bytes.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Takes the game with a number from 1.
    pub fn add(&mut self, number: u64, text: &str) -> io::Result<()> {
        self.waiting.insert(number, text.into());
        while let Some(text) = self.waiting.remove(&self.next) {
            self.file.write_all(text.as_bytes())?;
            self.next += 1;
        }
        Ok(())
    }

    /// Writes the games that wait for others which will not come.
    pub fn finish(mut self) -> io::Result<()> {
        for text in std::mem::take(&mut self.waiting).into_values() {
            self.file.write_all(text.as_bytes())?;
        }
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn games_are_written_in_order_and_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("games.pgn");
        fs::write(&path, "old\n").unwrap();
        let mut pgn = PgnFile::append(&path).unwrap();
        for (number, text) in [(2, "two\n"), (1, "one\n"), (5, "five\n"), (4, "four\n")] {
            pgn.add(number, text).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "old\none\ntwo\n");
        pgn.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old\none\ntwo\nfour\nfive\n");
        let mut pgn = PgnFile::rewrite_from(&path, 4).unwrap();
        pgn.add(1, "again\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old\nagain\n");
        PgnFile::rewrite_from(&path, 1000).unwrap().finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old\nagain\n");
    }
}
