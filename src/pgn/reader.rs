//! Reads games in PGN: tags, and the moves of the main line with the comments and glyphs on them.

use thiserror::Error;

use super::GameResult;
use crate::rules::{FenError, Game, MoveError, Position, Repair, parse_fen, parse_move};

/// A game as the file gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnRecord {
    /// Line of the file, from 1, at which the game starts.
    pub line: usize,
    pub tags: Vec<(String, String)>,
    /// The moves of the main line as written, without what judges them.
    pub moves: Vec<String>,
    /// What is said of the main line, each with the number of moves before it.
    pub comments: Vec<(usize, String)>,
    /// The numeric annotation glyphs of the main line, each with the number of moves up to the one that it judges;
    /// `!`, `?` and pairs of them are 1 to 6.
    pub glyphs: Vec<(usize, u8)>,
    /// What ends the moves: `1-0`, `0-1`, `1/2-1/2` or `*`; `None` when it is missing.
    pub terminator: Option<String>,
    /// The first comment or variation that nothing ends before the next game: its line, and the character that opens it.
    pub unclosed: Option<(usize, char)>,
}

/// A game that was played anew from its record.
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    pub game: Game,
    /// What had to be mended in the position of the FEN tag.
    pub repairs: Vec<Repair>,
}

/// Why a game cannot be replayed. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnError {
    #[error("line {line}: the FEN tag: {error}")]
    Fen { line: usize, error: FenError },
    #[error("line {line}: move {number} of the game: {error}")]
    Move { line: usize, number: usize, error: MoveError },
    #[error("line {line}: '{opening}' in line {at} is never closed")]
    Unclosed { line: usize, at: usize, opening: char },
}

impl PgnRecord {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The result behind the moves, or that of the tag where nothing ends them; `None` of a game without an end.
    pub fn result(&self) -> Option<GameResult> {
        self.terminator.as_deref().or(self.tag("Result")).and_then(GameResult::parse)
    }

    /// Plays the moves by the rules, at most `plies` of them, from the position of the FEN tag or else from the start.
    /// They may be written in any notation that [`parse_move`] reads.
    ///
    /// # Errors
    /// When the FEN or a move is not legal, or part of the game lies in a comment or variation without an end.
    pub fn replay(&self, plies: usize) -> Result<ReplayedGame, PgnError> {
        let (start, repairs) = match self.tag("FEN") {
            Some(fen) => {
                let parsed = parse_fen(fen).map_err(|error| PgnError::Fen { line: self.line, error })?;
                (parsed.position, parsed.repairs)
            }
            None => (Position::start(), Vec::new()),
        };
        if let Some((at, opening)) = self.unclosed {
            return Err(PgnError::Unclosed { line: self.line, at, opening });
        }
        let mut game = Game::new(start);
        for (index, text) in self.moves.iter().enumerate().take(plies) {
            let mv = parse_move(game.position(), text).map_err(|error| {
                let number = index + 1;
                PgnError::Move { line: self.line, number, error }
            })?;
            game.push(mv);
        }
        Ok(ReplayedGame { game, repairs })
    }
}

/// Splits a text into games. Variations and escaped lines are passed over; whatever else the text holds is taken for
/// moves, to be judged when the game is replayed. A comment between two games belongs to the second.
pub fn read_games(text: &str) -> Vec<PgnRecord> {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { rest, line: 1, games: Vec::new(), held_comments: Vec::new() };
    while reader.step() {}
    if let Some(last) = reader.games.last_mut() {
        let moves = last.moves.len();
        last.comments.extend(reader.held_comments.into_iter().map(|comment| (moves, comment)));
    }
    reader.games
}

/// How a game begins in nearly every file: what stands open before it stays open.
const NEXT_GAME: &str = "\n[Event ";

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    games: Vec<PgnRecord>,
    /// Comments for the next game.
    held_comments: Vec<String>,
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

    /// Skips everything up to and with a character. Where it is missing in this game, all of the game, which is noted.
    fn skip_through(&mut self, end: char) {
        let opened = (self.line, self.rest.chars().next().unwrap_or(end));
        let found = self.rest.find(end);
        let within = &self.rest[..found.unwrap_or(self.rest.len())];
        match (within.find(NEXT_GAME), found) {
            (Some(next), _) if end != '\n' => {
                self.skip(next);
                self.note_unclosed(opened);
            }
            (_, Some(at)) => self.skip(at + end.len_utf8()),
            (_, None) => {
                self.skip(self.rest.len());
                if end != '\n' {
                    self.note_unclosed(opened);
                }
            }
        }
    }

    fn note_unclosed(&mut self, opened: (usize, char)) {
        if let Some(game) = self.games.last_mut().filter(|game| game.terminator.is_none()) {
            game.unclosed.get_or_insert(opened);
        }
    }

    /// Reads a comment up to the character that ends it. One that stands outside of a game is held for the next.
    fn read_comment(&mut self, end: char) {
        let before = self.rest;
        self.skip_through(end);
        let comment = before[1..before.len() - self.rest.len()].trim_end_matches(end);
        let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.games.last_mut().filter(|game| game.terminator.is_none()) {
            Some(game) => game.comments.push((game.moves.len(), comment)),
            None => self.held_comments.push(comment),
        }
    }

    fn skip_blanks(&mut self) {
        self.skip(self.rest.len() - self.rest.trim_start().len());
    }

    /// Passes over `( ... )` with whatever is nested in it; a comment may hold parentheses of its own.
    fn skip_variation(&mut self) {
        let opened = (self.line, '(');
        let mut depth = 0;
        while let Some(first) = self.rest.chars().next().filter(|_| !self.rest.starts_with(NEXT_GAME)) {
            match first {
                '{' => self.skip_through('}'),
                ';' => self.skip_through('\n'),
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
        self.note_unclosed(opened);
    }

    /// The game that is being read; a new one when the last one is complete.
    fn game(&mut self, is_complete: impl Fn(&PgnRecord) -> bool) -> &mut PgnRecord {
        if self.games.last().is_none_or(is_complete) {
            let comments = self.held_comments.drain(..).map(|comment| (0, comment)).collect();
            self.games.push(PgnRecord { line: self.line, comments, ..PgnRecord::default() });
        }
        let last = self.games.len() - 1;
        &mut self.games[last]
    }

    /// Reads `[Name "value"]`, in which a backslash escapes quotes and backslashes.
    fn read_tag(&mut self) {
        self.game(|game| game.terminator.is_some() || !game.moves.is_empty());
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
        let word = without_move_number(&self.rest[..end]);
        let (word, suffix) = word.split_at(word.trim_end_matches(['!', '?']).len());
        let game = self.game(|game| game.terminator.is_some());
        let glyph = match word.strip_prefix('$') {
            Some(number) => number.parse().ok(),
            None if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") => {
                game.terminator = Some(word.to_owned());
                None
            }
            None => {
                game.moves.extend((!word.is_empty()).then(|| word.to_owned()));
                glyph_of_suffix(suffix)
            }
        };
        game.glyphs.extend(glyph.map(|glyph| (game.moves.len(), glyph)));
        self.skip(end);
    }
}

/// What stands behind a move as a numeric annotation glyph.
fn glyph_of_suffix(suffix: &str) -> Option<u8> {
    let place = ["!", "?", "!!", "??", "!?", "?!"].into_iter().position(|known| known == suffix)?;
    Some(place as u8 + 1)
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
    use crate::pgn::{MoveNotation, PgnGame, PgnMove};

    #[test]
    fn games_with_everything_in_them_are_read() {
        let text = "\u{feff}% escaped\r\n[Event \"a \\\"b\\\" \\\\ ]\"]\r\n[White \"x\"]\r\n\r\n\
            1. e4 {comment (with) 1-0 } e5 $10 2.Nf3?! ( 2. d3 {)} (2. a3) a6 $3 ) 2...Nc6 ; rest of line 3. a3\r\n 3. 0-0 ! 1/2-1/2\r\n\r\n\
            [Event \"second\"]\n\n*\n\n1. d4 d5";
        let games = read_games(text);
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].tags, [("Event".into(), "a \"b\" \\ ]".into()), ("White".into(), "x".to_string())]);
        assert_eq!(games[0].moves, ["e4", "e5", "Nf3", "Nc6", "0-0"]);
        let comments = [(1, "comment (with) 1-0".into()), (4, "rest of line 3. a3".to_string())];
        assert_eq!(games[0].comments, comments);
        assert_eq!(games[0].glyphs, [(2, 10), (3, 6), (5, 1)]);
        assert_eq!((games[0].terminator.as_deref(), games[0].line), (Some("1/2-1/2"), 2));
        assert_eq!(
            (games[1].tag("Event"), games[1].terminator.as_deref(), games[1].line),
            (Some("second"), Some("*"), 8)
        );
        assert_eq!((games[2].moves.len(), games[2].terminator.as_deref()), (2, None));
    }

    #[test]
    fn comments_to_the_end_of_the_line_may_close_brackets() {
        let games = read_games("1. e4 (1. d4 ; or :)\n d5) e5 *");
        assert_eq!((games.len(), &games[0].moves[..]), (1, &["e4".to_owned(), "e5".to_owned()][..]));
    }

    #[test]
    fn comments_between_games_belong_to_the_next() {
        let games = read_games("{first} 1. e4 {on e4} *\n\n{second}\n[Event \"x\"]\n\n1. d4 * ;third\n1. c4 0-1 {end}");
        let comments: Vec<_> = games.iter().map(|game| game.comments.clone()).collect();
        let comment = |moves: usize, text: &str| (moves, text.to_owned());
        assert_eq!(
            comments,
            [
                vec![comment(0, "first"), comment(1, "on e4")],
                vec![comment(0, "second")],
                vec![comment(0, "third"), comment(1, "end")]
            ]
        );
        assert!(read_games("{nothing else}").is_empty());
    }

    #[test]
    fn the_result_is_that_of_the_moves_or_else_of_the_tag() {
        let result = |text: &str| read_games(text)[0].result();
        assert_eq!(result("[Result \"1-0\"]\n\n1. e4 0-1"), Some(GameResult::BlackWins));
        assert_eq!(result("[Result \"1-0\"]\n\n1. e4"), Some(GameResult::WhiteWins));
        assert_eq!(result("[Result \"1-0\"]\n\n1. e4 *"), None);
        assert_eq!(result("[Result \"won\"]\n\n1. e4"), None);
    }

    #[test]
    fn every_notation_is_read_back() {
        let start = parse_fen("2a4k/1P1K4/2p5/3Ap3/8/P7/8/8 w - - 0 1").unwrap().position;
        for (start, texts) in
            [(Position::start(), &["e2e4", "e7e5", "g1f3", "g8f6", "f1e2", "f6e4", "e1g1"][..]), (start, &["b7b8n"])]
        {
            let mut position = start.clone();
            let mut moves = Vec::new();
            for text in texts {
                let mv = parse_move(&position, text).unwrap();
                position = position.played(mv);
                moves.push(mv);
            }
            for notation in [MoveNotation::San, MoveNotation::Lan, MoveNotation::Uci] {
                let written = PgnGame {
                    tags: vec![("FEN", start.fen())],
                    start: &start,
                    moves: moves.iter().map(|&mv| PgnMove { mv, glyphs: vec![1], comments: Vec::new() }).collect(),
                    notation,
                    preface: String::new(),
                    result: None,
                };
                let replayed = read_games(&written.text())[0].replay(99).unwrap();
                assert_eq!(replayed.game.moves(), moves, "{}", written.text());
            }
        }
    }

    #[test]
    fn a_mended_fen_is_told() {
        let record = &read_games("[FEN \"rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBN1 w KQkq - 0 1\"]\n*")[0];
        assert_eq!(record.replay(9).unwrap().repairs.len(), 1);
        assert_eq!(read_games("1. e4 *")[0].replay(9).unwrap().repairs, []);
    }

    #[test]
    fn what_is_never_closed_costs_one_game_and_is_named() {
        for (opening, text) in [('(', "1. e4 (1. d4 e5 (2. c4) 1-0"), ('{', "1. e4 {a word\n\n1... e5 1-0")] {
            let games = read_games(&format!("[Event \"a\"]\n\n{text}\n\n[Event \"b\"]\n\n1. c4 e5 * {{x}}"));
            assert_eq!(games.len(), 2, "{text}");
            let message = games[0].replay(usize::MAX).unwrap_err().to_string();
            assert_eq!(message, format!("line 1: '{opening}' in line 3 is never closed"));
            assert_eq!(games[1].replay(usize::MAX).unwrap().game.moves().len(), 2);
        }
        let last = read_games("1. e4 e5 (2. Nf3");
        assert_eq!(last[0].unclosed, Some((1, '(')));
        assert_eq!(read_games("1. e4 ; to the end")[0].unclosed, None);
    }

    #[test]
    fn moves_are_judged_by_the_rules() {
        let game = |moves: &str| read_games(moves).remove(0);
        let played = game("1. e4 e5 2. Qh5").replay(usize::MAX).unwrap();
        assert_eq!(played.game.moves().len(), 3);
        assert_eq!(game("1. e4 e5 2. Qh5").replay(2).unwrap().game.moves().len(), 2);
        let message = game("\n1. e4 Ad2").replay(usize::MAX).unwrap_err().to_string();
        assert!(message.starts_with("line 2: move 2 of the game: "), "{message}");
        let message = game("[FEN \"8/8\"]\n*").replay(9).unwrap_err().to_string();
        assert!(message.starts_with("line 1: the FEN tag: "), "{message}");
        let from_fen = game("[FEN \"rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR b KQkq - 0 2\"]\n2... Nc6 *");
        assert_eq!(from_fen.replay(9).unwrap().game.position().fullmove_number(), 3);
    }

    proptest! {
        #![proptest_config(crate::seed::fixed(15, 256))]

        #[test]
        fn no_text_makes_it_fail(text in r#"([\[\](){}"\\;%$*\na-h1-8 ."]|1-0|O-O|é)*"#) {
            for game in read_games(&text) {
                let _ = game.replay(10);
            }
        }
    }
}
