//! Files of positions and of games.

use std::path::Path;

use super::epd::{self, Epd};
use crate::pgn::{self, PgnRecord, ReplayedGame};
use crate::rules::{Game, Repair};

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A position a line, as EPD or FEN. Empty lines and those that begin with `#` are passed over.
    Positions,
    /// Games in PGN.
    Games,
}

impl Format {
    /// What a file holds by its name, or else by its first words.
    pub fn of(name: Option<&Path>, text: &str) -> Format {
        let extension = name.and_then(|name| name.extension()).map(|extension| extension.to_ascii_lowercase());
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("pgn") => Format::Games,
            Some("epd" | "fen") => Format::Positions,
            _ => Format::of_text(text),
        }
    }

    fn of_text(text: &str) -> Format {
        let Some((_, line)) = lines(text).next() else { return Format::Positions };
        let first = line.split(|letter: char| letter.is_whitespace() || letter == ';').next().unwrap_or_default();
        let is_board = first.contains('/') && first != "1/2-1/2" && first.starts_with(char::is_alphanumeric);
        let is_position = is_board || matches!(first, "startpos" | "fen");
        if is_position { Format::Positions } else { Format::Games }
    }
}

/// The lines of a file of positions that say something, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// What a file holds at a line, from 1.
#[derive(Clone, Debug)]
pub struct Entry<T> {
    pub line: usize,
    pub content: T,
}

/// A part of a file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEntry {
    /// From 1.
    pub line: usize,
    pub reason: String,
}

/// A game of a file.
#[derive(Clone, Debug)]
pub struct FileGame {
    /// Among all games of the file, those that cannot be replayed too, from 1.
    pub number: usize,
    pub record: PgnRecord,
    pub game: Game,
    /// What had to be mended in its first position.
    pub repairs: Vec<Repair>,
}

/// The positions of a text, and the lines that are none.
pub fn read_positions(text: &str) -> (Vec<Entry<Epd>>, Vec<BadEntry>) {
    let mut bad = Vec::new();
    let mut good = Vec::new();
    for (line, content) in lines(text) {
        match epd::parse(content) {
            Ok(content) => good.push(Entry { line, content }),
            Err(error) => bad.push(BadEntry { line, reason: error.to_string() }),
        }
    }
    (good, bad)
}

/// The games of a text, and those that cannot be replayed.
pub fn read_games(text: &str) -> (Vec<Entry<FileGame>>, Vec<BadEntry>) {
    let mut bad = Vec::new();
    let mut good = Vec::new();
    for (number, record) in (1..).zip(pgn::read_games(text)) {
        let line = record.line;
        match record.replay(usize::MAX) {
            Ok(ReplayedGame { game, repairs }) => {
                good.push(Entry { line, content: FileGame { number, record, game, repairs } });
            }
            Err(error) => bad.push(BadEntry { line, reason: without_line(&error.to_string(), line).to_owned() }),
        }
    }
    (good, bad)
}

/// A message without the line with which it begins, since the caller names the line together with the file.
fn without_line(message: &str, line: usize) -> &str {
    message.strip_prefix(&format!("line {line}: ")).unwrap_or(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;

    #[test]
    fn the_name_tells_the_format_and_else_the_text() {
        let format = |name: Option<&str>, text: &str| Format::of(name.map(Path::new), text);
        assert_eq!(format(Some("x.PGN"), Position::START_FEN), Format::Games);
        assert_eq!(format(Some("x.epd"), "1. e4"), Format::Positions);
        assert_eq!(format(Some("x.txt"), "# comment\n\n8/8/8/8/8/8/8/8 w - -"), Format::Positions);
        assert_eq!(format(None, Position::START_FEN), Format::Positions);
        assert_eq!(format(None, "startpos moves e4"), Format::Positions);
        assert_eq!(format(None, "8/8 w - -"), Format::Positions);
        for game in ["[Event \"x\"]\n", "1. e4 e5", "{1/2} e4", "% 1", "e4", "1/2-1/2"] {
            assert_eq!(format(None, game), Format::Games, "{game}");
        }
    }

    #[test]
    fn bad_lines_are_told_apart() {
        let text = format!("# head\n{}\n8/8 w - -\n\nstartpos moves e4\n", Position::START_FEN);
        let (good, bad) = read_positions(&text);
        assert_eq!(good.iter().map(|entry| entry.line).collect::<Vec<_>>(), [2, 5]);
        assert_eq!((bad[0].line, bad.len()), (3, 1));
        let (good, bad) = read_games("1. e4 e5 *\n\n[White \"x\"]\n\n1. e4 Qh4 *\n\n1. c4 *");
        let numbers: Vec<(usize, usize)> = good.iter().map(|entry| (entry.content.number, entry.line)).collect();
        assert_eq!((numbers, bad.len(), bad[0].line), (vec![(1, 1), (3, 7)], 1, 3));
        assert_eq!(bad[0].reason, "move 2 of the game: \"Qh4\" is not a legal move");
    }
}
