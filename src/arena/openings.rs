//! The positions that games start from.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::key_values::{KeyError, KeyValues};
use crate::pgn::{PgnRecord, read_games};
use crate::rules::{Game, Position, parse_fen};

/// Where openings come from and in which order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningSettings {
    pub file: PathBuf,
    pub format: OpeningFormat,
    pub order: OpeningOrder,
    /// Plies of each PGN game to play; `None`: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// The opening to begin with, from 1, counted in the order in force.
    pub start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningFormat {
    /// A position a line: FEN or EPD; empty lines and those that start with `#` are passed over.
    Epd,
    Pgn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    Sequential,
    /// Shuffled by the seed of the match.
    Random,
}

impl FromStr for OpeningFormat {
    type Err = ();

    fn from_str(text: &str) -> Result<OpeningFormat, ()> {
        match text {
            "epd" => Ok(OpeningFormat::Epd),
            "pgn" => Ok(OpeningFormat::Pgn),
            _ => Err(()),
        }
    }
}

impl FromStr for OpeningOrder {
    type Err = ();

    fn from_str(text: &str) -> Result<OpeningOrder, ()> {
        match text {
            "sequential" => Ok(OpeningOrder::Sequential),
            "random" => Ok(OpeningOrder::Random),
            _ => Err(()),
        }
    }
}

impl OpeningSettings {
    /// Reads `file= format=epd|pgn order=random|sequential plies= start=`. Without a format the name of the file tells.
    pub fn parse(words: &[String]) -> Result<OpeningSettings, KeyError> {
        let mut keys = KeyValues::parse("--openings", words)?;
        let file: PathBuf = keys.require_where("file", "a file", |file: &PathBuf| !file.as_os_str().is_empty())?;
        let by_name = match file.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("pgn") => OpeningFormat::Pgn,
            _ => OpeningFormat::Epd,
        };
        let settings = OpeningSettings {
            format: keys.take("format", "epd or pgn")?.unwrap_or(by_name),
            order: keys.take("order", "sequential or random")?.unwrap_or(OpeningOrder::Sequential),
            plies: keys.take("plies", "a whole number")?,
            start: keys.take_where("start", "a whole number from 1", |&start| start > 0)?.unwrap_or(1),
            file,
        };
        keys.finish("file, format, order, plies, start").map(|()| settings)
    }
}

/// The openings of a match, in order.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    openings: Vec<Game>,
    first: usize,
    /// What was passed over and why, each with its line.
    pub rejected: Vec<String>,
    /// Changes when an opening does; 0 without a file.
    pub fingerprint: u64,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningError {
    #[error("--openings: cannot read '{file}': {error}")]
    Read { file: PathBuf, error: io::Error },
    #[error("--openings: no usable opening in '{file}'{}", first_reason(.rejected))]
    Empty { file: PathBuf, rejected: Vec<String> },
}

fn first_reason(rejected: &[String]) -> String {
    rejected.first().map(|reason| format!(" ({reason})")).unwrap_or_default()
}

impl OpeningBook {
    /// Only the start position.
    pub fn start_position() -> OpeningBook {
        OpeningBook { openings: vec![Game::new(Position::start())], first: 0, rejected: Vec::new(), fingerprint: 0 }
    }

    /// Reads the openings; those that are not legal or leave nothing to play are passed over.
    pub fn load(settings: &OpeningSettings, seed: u64) -> Result<OpeningBook, OpeningError> {
        let file = || settings.file.clone();
        let bytes = fs::read(&settings.file).map_err(|error| OpeningError::Read { file: file(), error })?;
        let mut book = OpeningBook::parse(&String::from_utf8_lossy(&bytes), settings);
        if book.openings.is_empty() {
            return Err(OpeningError::Empty { file: file(), rejected: book.rejected });
        }
        if settings.order == OpeningOrder::Random {
            book.openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        }
        Ok(book)
    }

    fn parse(text: &str, settings: &OpeningSettings) -> OpeningBook {
        let read = match settings.format {
            OpeningFormat::Epd => read_epd(text),
            OpeningFormat::Pgn => read_pgn(text, settings.plies.unwrap_or(usize::MAX)),
        };
        let mut book =
            OpeningBook { openings: Vec::new(), first: settings.start - 1, rejected: Vec::new(), fingerprint: 0 };
        for opening in read {
            match opening {
                Ok(game) => book.openings.push(game),
                Err(reason) => book.rejected.push(reason),
            }
        }
        book.fingerprint = fingerprint(&book.openings);
        book
    }

    /// The opening of a number, from 0 for the first of the match; after the last the first comes again.
    pub fn opening(&self, number: usize) -> &Game {
        &self.openings[(self.first + number) % self.openings.len()]
    }

    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Never true: a book without openings is an error.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }
}

fn read_epd(text: &str) -> Vec<Result<Game, String>> {
    let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().map(str::trim).enumerate();
    let positions = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let opening = |(index, line): (usize, &str)| match parse_fen(line) {
        Ok(parsed) => playable(Game::new(parsed.position), index + 1),
        Err(error) => Err(format!("line {}: {error}", index + 1)),
    };
    positions.map(opening).collect()
}

fn read_pgn(text: &str, plies: usize) -> Vec<Result<Game, String>> {
    let opening = |record: PgnRecord| match record.replay(plies) {
        Ok(replayed) => playable(replayed.game, record.line),
        Err(error) => Err(error.to_string()),
    };
    read_games(text).into_iter().map(opening).collect()
}

fn playable(game: Game, line: usize) -> Result<Game, String> {
    match game.outcome() {
        Some(outcome) => Err(format!("line {line}: the game is over: {outcome}")),
        None => Ok(game),
    }
}

/// FNV-1a over the openings as text (G. Fowler, L. C. Noll, K.-P. Vo).
fn fingerprint(openings: &[Game]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for game in openings {
        let moves: Vec<String> = game.moves().iter().map(|mv| mv.to_string()).collect();
        for byte in format!("{} {}\n", game.start().fen(), moves.join(" ")).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "# comment\n\
        rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n\
        \n\
        rnbqkbnr/1pppp1pp/p2A4/4Pp2/8/3a4/PPPP1PPP/RNBQKBNR w KQkq f6\r\n\
        rnbqkbnr/pppppppp/8/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
        2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1\n";

    fn settings(text: &str) -> Result<OpeningSettings, KeyError> {
        OpeningSettings::parse(&text.split(' ').map(String::from).collect::<Vec<_>>())
    }

    fn book(text: &str, keys: &str) -> OpeningBook {
        OpeningBook::parse(text, &settings(keys).unwrap())
    }

    #[test]
    fn epd_lines_become_clean_positions() {
        let book = book(LINES, "file=x.epd");
        let fens: Vec<String> = book.openings.iter().map(|game| game.position().fen()).collect();
        assert_eq!(
            fens,
            [
                "rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
                "rnbqkbnr/1pppp1pp/p2A4/4Pp2/8/3a4/PPPP1PPP/RNBQKBNR w KQkq f6 0 1"
            ]
        );
        assert_eq!(book.rejected.len(), 2);
        assert!(book.rejected[0].starts_with("line 5: "), "{}", book.rejected[0]);
        assert!(book.rejected[1].starts_with("line 6: the game is over: "), "{}", book.rejected[1]);
    }

    #[test]
    fn pgn_games_are_cut_and_checked() {
        let text = "1. e4 e5 2. Nf3 Nc6 *\n\n[White \"x\"]\n1. e4 Qxd3 *\n";
        assert_eq!(book(text, "file=x.pgn").opening(0).moves().len(), 4);
        let cut = book(text, "file=x format=pgn plies=3");
        assert_eq!((cut.opening(0).moves().len(), cut.len(), cut.rejected.len()), (3, 1, 1));
    }

    #[test]
    fn numbers_start_where_asked_and_wrap_around() {
        let book = book(LINES, "file=x start=2");
        assert_eq!(book.opening(0).position().fullmove_number(), 1);
        assert_eq!(book.opening(1).position().fullmove_number(), 2);
        assert_eq!(book.opening(2).position().fullmove_number(), 1);
    }

    #[test]
    fn the_seed_decides_a_random_order() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("book.epd");
        let lines: Vec<String> =
            (1..60).map(|n| format!("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 {n}\n")).collect();
        fs::write(&file, lines.concat()).unwrap();
        let keys = |order: &str| settings(&format!("file={} order={order}", file.display())).unwrap();
        let numbers = |order: &str, seed| {
            let book = OpeningBook::load(&keys(order), seed).unwrap();
            (0..book.len()).map(|index| book.opening(index).position().fullmove_number()).collect::<Vec<_>>()
        };
        let sorted: Vec<u32> = (1..60).collect();
        assert_eq!(numbers("sequential", 1), sorted);
        assert_eq!(numbers("random", 1), numbers("random", 1));
        assert_ne!(numbers("random", 1), numbers("random", 2));
        let mut shuffled = numbers("random", 1);
        assert_ne!(shuffled, sorted);
        shuffled.sort_unstable();
        assert_eq!(shuffled, sorted);
    }

    #[test]
    fn a_file_without_openings_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("book.epd");
        fs::write(&file, "8/8 w\n").unwrap();
        let message =
            OpeningBook::load(&settings(&format!("file={}", file.display())).unwrap(), 0).unwrap_err().to_string();
        assert!(message.contains("no usable opening") && message.contains("line 1"), "{message}");
        let message = OpeningBook::load(&settings("file=/no/such").unwrap(), 0).unwrap_err().to_string();
        assert!(message.contains("/no/such"), "{message}");
        for (bad, key) in [
            ("format=epd", "file"),
            ("file=x order=odd", "order"),
            ("file=x start=0", "start"),
            ("file=x policy=y", "policy"),
        ] {
            assert!(settings(bad).unwrap_err().to_string().contains(key));
        }
    }
}
