//! Reads games in PGN: tags, and the moves of the main line with the comments on them.

use thiserror::Error;

use crate::rules::{FenError, Game, MoveError, Position, parse_fen, parse_san};

/// A game as the file gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnRecord {
    /// Line of the file, from 1, at which the game starts.
    pub line: usize,
    pub tags: Vec<(String, String)>,
    /// The moves of the main line as written.
    pub moves: Vec<String>,
    /// What is said of the main line, each with the number of moves before it.
    pub comments: Vec<(usize, String)>,
    /// The result at the end of the moves: `1-0`, `0-1`, `1/2-1/2` or `*`; `None` when it is missing.
    pub result: Option<String>,
}

/// Why a game cannot be replayed. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnError {
    #[error("line {line}: the FEN tag: {error}")]
    Fen { line: usize, error: FenError },
    #[error("line {line}: move {number} of the game: {error}")]
    Move { line: usize, number: usize, error: MoveError },
}

impl PgnRecord {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Plays the moves by the rules, at most `plies` of them, from the position of the FEN tag or else from the start.
    ///
    /// # Errors
    /// When the FEN or a move is not legal.
    pub fn replay(&self, plies: usize) -> Result<Game, PgnError> {
        let start = match self.tag("FEN") {
            Some(fen) => parse_fen(fen).map_err(|error| PgnError::Fen { line: self.line, error })?.position,
            None => Position::start(),
        };
        let mut game = Game::new(start);
        for (index, text) in self.moves.iter().enumerate().take(plies) {
            let mv = parse_san(game.position(), text).map_err(|error| {
                let number = index + 1;
                PgnError::Move { line: self.line, number, error }
            })?;
            game.push(mv);
        }
        Ok(game)
    }
}

/// Splits a text into games. Variations, glyphs and escaped lines are passed over; whatever else the text holds is taken
/// for moves, to be judged when the game is replayed.
pub fn read_games(text: &str) -> Vec<PgnRecord> {
    let mut reader = Reader { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1, games: Vec::new() };
    while reader.step() {}
    reader.games
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    games: Vec<PgnRecord>,
}

impl<'a> Reader<'a> {
    /// Reads one tag, comment or word; false at the end.
    fn step(&mut self) -> bool {
        self.skip_blanks();
        let Some(first) = self.rest.chars().next() else { return false };
        match first {
            '[' => self.read_tag(),
            '{' => self.read_comment('}'),
            ';' => self.read_comment('\n'),
            '%' => self.skip_through('\n'),
            '(' => self.skip_variation(),
            ')' | ']' | '}' => self.skip(1),
            _ => self.read_word(),
        }
        true
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn skip(&mut self, bytes: usize) {
        self.take(bytes);
    }

    /// Skips everything up to and with a character, or all when it is missing.
    fn skip_through(&mut self, end: char) {
        self.skip(self.rest.find(end).map_or(self.rest.len(), |at| at + end.len_utf8()));
    }

    /// Reads a comment up to the character that ends it. One that stands outside of a game is passed over.
    fn read_comment(&mut self, end: char) {
        let before = self.rest;
        self.skip_through(end);
        let comment = before[1..before.len() - self.rest.len()].trim_end_matches(end);
        let words: Vec<&str> = comment.split_whitespace().collect();
        if let Some(game) = self.games.last_mut().filter(|game| game.result.is_none()) {
            game.comments.push((game.moves.len(), words.join(" ")));
        }
    }

    fn skip_blanks(&mut self) {
        self.skip(self.rest.len() - self.rest.trim_start().len());
    }

    /// Passes over `( ... )` with whatever is nested in it; a brace comment may hold parentheses of its own.
    fn skip_variation(&mut self) {
        let mut depth = 0;
        while let Some(first) = self.rest.chars().next() {
            match first {
                '{' => self.skip_through('}'),
                _ => self.skip(first.len_utf8()),
            }
            match first {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// The game that is being read; a new one when the last one is complete.
    fn game(&mut self, is_complete: impl Fn(&PgnRecord) -> bool) -> &mut PgnRecord {
        if self.games.last().is_none_or(is_complete) {
            self.games.push(PgnRecord { line: self.line, ..PgnRecord::default() });
        }
        let last = self.games.len() - 1;
        &mut self.games[last]
    }

    /// Reads `[Name "value"]`, in which a backslash escapes quotes and backslashes.
    fn read_tag(&mut self) {
        self.game(|game| game.result.is_some() || !game.moves.is_empty());
        self.skip(1);
        let end = self.rest.find(['"', ']', '\n']).unwrap_or(self.rest.len());
        let name = self.take(end).trim().to_string();
        let mut value = String::new();
        if self.rest.starts_with('"') {
            self.skip(1);
            value = self.read_quoted();
        }
        let end = self.rest.find([']', '\n']).map_or(self.rest.len(), |at| at + 1);
        self.skip(end);
        self.game(|_| false).tags.push((name, value));
    }

    fn read_quoted(&mut self) -> String {
        let mut value = String::new();
        let mut letters = self.rest.char_indices();
        let mut end = self.rest.len();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
                '"' | '\n' => {
                    end = at + usize::from(letter == '"');
                    break;
                }
                _ => value.push(letter),
            }
        }
        self.skip(end);
        value
    }

    fn read_word(&mut self) {
        let ends = |letter: char| letter.is_whitespace() || "[]{}();".contains(letter);
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let word = without_move_number(&self.rest[..end]).to_string();
        let game = self.game(|game| game.result.is_some());
        if matches!(word.as_str(), "1-0" | "0-1" | "1/2-1/2" | "*") {
            game.result = Some(word);
        } else if !word.is_empty() && !word.starts_with('$') && !word.chars().all(|letter| "!?".contains(letter)) {
            game.moves.push(word);
        }
        self.skip(end);
    }
}

/// Cuts `12.` or `12...` off the front of a word; nothing is left of a bare number.
fn without_move_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if after_digits.is_empty() || after_digits.starts_with('.') { after_digits.trim_start_matches('.') } else { word }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn games_with_everything_in_them_are_read() {
        let text = "\u{feff}% escaped\r\n[Event \"a \\\"b\\\" \\\\ ]\"]\r\n[White \"x\"]\r\n\r\n\
            1. e4 {comment (with) 1-0 } e5 $1 2.Nf3 ( 2. d3 {)} (2. a3) a6 ) 2...Nc6 ; rest of line 3. a3\r\n 3. 0-0 ! 1/2-1/2\r\n\r\n\
            [Event \"second\"]\n\n*\n\n1. d4 d5";
        let games = read_games(text);
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].tags, [("Event".into(), "a \"b\" \\ ]".into()), ("White".into(), "x".to_string())]);
        assert_eq!(games[0].moves, ["e4", "e5", "Nf3", "Nc6", "0-0"]);
        let comments = [(1, "comment (with) 1-0".into()), (4, "rest of line 3. a3".to_string())];
        assert_eq!(games[0].comments, comments);
        assert_eq!((games[0].result.as_deref(), games[0].line), (Some("1/2-1/2"), 2));
        assert_eq!((games[1].tag("Event"), games[1].result.as_deref(), games[1].line), (Some("second"), Some("*"), 8));
        assert_eq!((games[2].moves.len(), games[2].result.as_deref()), (2, None));
    }

    #[test]
    fn moves_are_judged_by_the_rules() {
        let game = |moves: &str| read_games(moves).remove(0);
        let played = game("1. e4 e5 2. Qh5").replay(usize::MAX).unwrap();
        assert_eq!(played.moves().len(), 3);
        assert_eq!(game("1. e4 e5 2. Qh5").replay(2).unwrap().moves().len(), 2);
        let message = game("\n1. e4 Ad2").replay(usize::MAX).unwrap_err().to_string();
        assert!(message.starts_with("line 2: move 2 of the game: "), "{message}");
        let message = game("[FEN \"8/8\"]\n*").replay(9).unwrap_err().to_string();
        assert!(message.starts_with("line 1: the FEN tag: "), "{message}");
        let from_fen = game("[FEN \"rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR b KQkq - 0 2\"]\n2... Nc6 *");
        assert_eq!(from_fen.replay(9).unwrap().position().fullmove_number(), 3);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in r#"([\[\](){}"\\;%$*\na-h1-8 ."]|1-0|O-O|é)*"#) {
            for game in read_games(&text) {
                let _ = game.replay(10);
            }
        }
    }
}
