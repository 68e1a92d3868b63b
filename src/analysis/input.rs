//! Files of positions and of games.

use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;

use super::epd::{self, Epd};
use crate::pgn::{self, Line, PgnReader, PgnRecord, PgnWarning, ReplayedGame};
use crate::rules::Game;

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

impl<T> From<Entry<T>> for Entry<Arc<T>> {
    fn from(Entry { line, content }: Entry<T>) -> Entry<Arc<T>> {
        Entry { line, content: Arc::new(content) }
    }
}

/// A part of a file that cannot be used, or that one must be warned of.
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
    /// Without its moves.
    pub record: PgnRecord,
    /// As far as it could be read.
    pub game: Game,
    /// Its moves with what is said of them.
    pub main: Line,
}

/// What was read of a game.
#[derive(Clone, Debug)]
pub struct ReadGame {
    /// `None` of a game that is refused.
    pub game: Option<Entry<FileGame>>,
    /// What was read otherwise than it stands in the file, by line.
    pub warnings: Vec<BadEntry>,
    /// Why the game is refused, or goes no further.
    pub error: Option<BadEntry>,
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

/// The games of a file, one by one; no more than two are held.
pub struct GameReader<R> {
    reader: PgnReader<R>,
    /// Games that were read.
    count: usize,
}

impl<R: BufRead> GameReader<R> {
    pub fn new(reader: R) -> GameReader<R> {
        GameReader { reader: PgnReader::new(reader), count: 0 }
    }

    /// Bytes of the file that were read.
    pub fn bytes_read(&self) -> u64 {
        self.reader.bytes_read()
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<io::Result<ReadGame>> {
        let record = self.reader.next()?;
        self.count += 1;
        Some(record.map(|record| replayed(record, self.count)))
    }
}

/// Plays a game. One that has moves, but none that can be read, is refused too.
fn replayed(mut record: PgnRecord, number: usize) -> ReadGame {
    let mut warnings = told(&record.warnings);
    let ReplayedGame { game, repairs, main, stopped, warnings: of_moves } = match record.replay_readable(usize::MAX) {
        Ok(replayed) => replayed,
        Err(error) => {
            let error = BadEntry { line: error.line, reason: format!("game {number}: {}", error.what) };
            return ReadGame { game: None, warnings, error: Some(error) };
        }
    };
    let fen_line = record.full_tag("FEN").map_or(record.line, |tag| tag.line);
    warnings.extend(repairs.iter().map(|repair| BadEntry { line: fen_line, reason: repair.to_string() }));
    warnings.extend(told(&of_moves));
    warnings.sort_by_key(|warning| warning.line);
    let is_refused = stopped.is_some() && game.moves().is_empty();
    let end = if is_refused { "" } else { "; the game is kept up to there" };
    let error = stopped.map(|error| BadEntry { line: error.line, reason: format!("{}{end}", error.what) });
    let line = record.line;
    record.main = pgn::Line::default();
    let entry = Entry { line, content: FileGame { number, record, game, main } };
    ReadGame { game: (!is_refused).then_some(entry), warnings, error }
}

fn told(warnings: &[PgnWarning]) -> Vec<BadEntry> {
    warnings.iter().map(|warning| BadEntry { line: warning.line, reason: warning.what.to_string() }).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rules::Position;

    /// The games of a text, and what is wrong with them.
    pub fn games_of(text: &str) -> (Vec<Entry<FileGame>>, Vec<BadEntry>) {
        let read: Vec<ReadGame> = GameReader::new(text.as_bytes()).map(Result::unwrap).collect();
        let bad = read.iter().filter_map(|read| read.error.clone()).collect();
        (read.into_iter().filter_map(|read| read.game).collect(), bad)
    }

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
    }

    #[test]
    fn bad_games_are_refused_or_kept_in_part() {
        let atomic = "[White \"x\"]\n[Variant \"Atomic\"]\n\n1. e4 *";
        let (good, bad) = games_of(&format!("1. e4\nQh4 *\n\n{atomic}\n\n1. Sf3 *\n\n1. c4 *"));
        let told: Vec<(usize, usize, usize)> =
            good.iter().map(|entry| (entry.content.number, entry.line, entry.content.game.moves().len())).collect();
        assert_eq!(told, [(1, 1, 1), (4, 11, 1)]);
        let bad: Vec<(usize, &str)> = bad.iter().map(|bad| (bad.line, bad.reason.as_str())).collect();
        assert_eq!(
            bad,
            [
                (2, "1... Qh4: not a legal move; the game is kept up to there"),
                (5, "game 2: variant \"Atomic\" is not Anti-King Chess II"),
                (9, "1. Sf3: not a move (pieces are written K, Q, R, B, N and A)"),
            ]
        );
    }
}
