//! Reads games in PGN as they stand: tags, moves, variations, comments and glyphs.

use std::io::{self, BufRead};

use super::GameResult;
use super::line::{Line, LineMove, Remark, Word};
use super::record::{Oddity, PgnError, PgnFault, PgnRecord};
use super::replay::text_of;
use super::source::{Piece, Source};
use super::tags::{Tag, begins_tag, parse_tag};
use super::words::{Token, token};
use crate::rules::Quoted;

/// A game with more text is refused.
pub const MAX_GAME_BYTES: u64 = 16 << 20;
/// A game with more moves, those of variations counted, is refused.
pub const MAX_MOVES: usize = 50_000;
/// A game with variations in variations deeper than this is refused.
pub const MAX_NESTING: usize = 100;

/// How a game begins in nearly every file: what stands open before it stays open.
const NEXT_GAME: &str = "[Event ";

/// The games of a text.
pub fn read_games(text: &str) -> Vec<PgnRecord> {
    // Memory can always be read.
    PgnReader::new(text.as_bytes()).map_while(Result::ok).collect()
}

/// Reads a file game by game, and holds no more than two of them.
///
/// Bytes that are not UTF-8 are taken for Windows-1252. Lines that begin with `%` are passed over. Signs such as `+/=`
/// become glyphs, and what says only what the board tells, such as `e.p.`, is left out. Whatever else the text holds is
/// taken for moves, to be judged when the game is replayed. A comment between two games belongs to the second. What is
/// broken is kept as well as it can be, with a warning; a game that is too long keeps only its tags and has a fault.
pub struct PgnReader<R> {
    source: Source<R>,
    piece: Piece,
    /// Bytes of the piece that were read.
    at: usize,
    game: Building,
    /// A game that has ended; what comments the file holds behind it is not known yet.
    complete: Option<PgnRecord>,
    is_over: bool,
}

/// The game that is being read.
#[derive(Default)]
struct Building {
    record: PgnRecord,
    /// The variations that are open.
    open: Vec<OpenLine>,
    /// How many are; more than are kept if the game is refused.
    depth: usize,
    moves: usize,
    /// Where its text begins in the file; `None` before there is any.
    start: Option<u64>,
    /// False as long as there are only comments, which may still belong to the game before.
    is_begun: bool,
}

struct OpenLine {
    /// Of the file, from 1.
    opened: usize,
    line: Line<Word>,
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = io::Result<PgnRecord>;

    fn next(&mut self) -> Option<io::Result<PgnRecord>> {
        while !self.is_over {
            match self.step() {
                Ok(None) => {}
                Ok(Some(game)) => return Some(Ok(game)),
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
        self.complete.take().map(Ok)
    }
}

impl<R: BufRead> PgnReader<R> {
    pub fn new(reader: R) -> PgnReader<R> {
        PgnReader {
            source: Source::new(reader),
            piece: Piece::default(),
            at: 0,
            game: Building::default(),
            complete: None,
            is_over: false,
        }
    }

    /// Bytes of the file that were read.
    pub fn bytes_read(&self) -> u64 {
        self.piece.end
    }

    /// Reads one tag, comment, word or bracket. Gives the game before if that begins a new one.
    fn step(&mut self) -> io::Result<Option<PgnRecord>> {
        let rest = self.rest();
        let text = rest.trim_start();
        let blanks = rest.len() - text.len();
        let first = text.chars().next();
        self.at += blanks;
        match first {
            None => {
                if !self.next_piece()? {
                    return Ok(self.end_file());
                }
                if self.piece.starts_line && self.piece.text.starts_with('%') {
                    self.skip_line()?;
                }
                return Ok(None);
            }
            Some('{') => self.read_comment()?,
            Some(';') => self.read_comment_to_the_end_of_the_line()?,
            Some('[') => return Ok(self.read_bracket()),
            Some('(') => {
                self.at += 1;
                let before = self.begin();
                self.open_variation();
                return Ok(before);
            }
            Some(')') if self.game.depth > 0 => {
                self.at += 1;
                self.game.close_variation();
            }
            Some(end @ (')' | ']' | '}')) => {
                self.at += 1;
                self.game.record.warn(self.piece.line, Oddity::StrayEnd(end));
            }
            Some(_) => return Ok(self.read_word()),
        }
        Ok(None)
    }

    fn rest(&self) -> &str {
        &self.piece.text[self.at..]
    }

    /// False at the end of the file.
    fn next_piece(&mut self) -> io::Result<bool> {
        let Some(piece) = self.source.next_piece()? else { return Ok(false) };
        self.piece = piece;
        self.at = 0;
        if self.game.start.is_some_and(|start| self.piece.end - start > MAX_GAME_BYTES) {
            self.game.refuse(PgnFault::TooLong, self.piece.line);
        }
        Ok(true)
    }

    fn skip_line(&mut self) -> io::Result<()> {
        while !self.piece.ends_line && self.next_piece()? {}
        self.at = self.piece.text.len();
        Ok(())
    }

    fn starts_next_game(&self) -> bool {
        self.piece.starts_line && self.at == 0 && self.piece.text.starts_with(NEXT_GAME)
    }

    /// Begins a game, unless one is begun. Gives the game before it.
    fn begin(&mut self) -> Option<PgnRecord> {
        self.note_start();
        if self.game.is_begun {
            return None;
        }
        self.game.is_begun = true;
        self.game.record.line = self.piece.line;
        self.complete.take()
    }

    /// The size of a game counts from here, if it has no text yet.
    fn note_start(&mut self) {
        let here = self.piece.end.saturating_sub(self.rest().len() as u64);
        self.game.start.get_or_insert(here);
    }

    /// The game before, if there is one, waits in `complete` no more when a game is begun.
    fn end_game(&mut self) {
        self.complete = Some(std::mem::take(&mut self.game).finished(self.piece.line));
    }

    fn end_file(&mut self) -> Option<PgnRecord> {
        self.is_over = true;
        if self.game.is_begun {
            self.end_game();
        } else if let Some(last) = &mut self.complete {
            let Building { record, .. } = std::mem::take(&mut self.game);
            record.main.preface.into_iter().for_each(|comment| last.main.comment(comment));
            last.warnings.extend(record.warnings);
        }
        None
    }

    fn read_comment(&mut self) -> io::Result<()> {
        self.note_start();
        let opened = self.piece.line;
        self.at += 1;
        let mut comment = String::new();
        loop {
            let rest = self.rest();
            let end = rest.find('}');
            comment.push_str(&rest[..end.unwrap_or(rest.len())]);
            if let Some(end) = end {
                self.at += end + 1;
                break;
            }
            comment.push_str(if self.piece.ends_line { "\n" } else { "" });
            self.at = self.piece.text.len();
            if !self.next_piece()? || self.starts_next_game() {
                self.game.note_unclosed(opened, '{');
                break;
            }
            if self.game.is_refused() {
                comment.clear();
            }
        }
        self.game.comment(&comment);
        Ok(())
    }

    fn read_comment_to_the_end_of_the_line(&mut self) -> io::Result<()> {
        self.note_start();
        self.at += 1;
        let mut comment = self.rest().to_owned();
        while !self.piece.ends_line && self.next_piece()? {
            if self.game.is_refused() {
                comment.clear();
            }
            comment.push_str(&self.piece.text);
        }
        self.at = self.piece.text.len();
        self.game.comment(&comment);
        Ok(())
    }

    /// Reads a tag. What is none but stands in brackets is kept as a comment.
    fn read_bracket(&mut self) -> Option<PgnRecord> {
        let has_moves = self.game.moves > 0;
        let is_tag = self.game.depth == 0 && begins_tag(self.rest(), has_moves);
        if !is_tag && !self.starts_next_game() {
            let before = self.begin();
            let rest = self.rest();
            let end = rest.find(']').map_or(rest.len(), |at| at + 1);
            let text = rest[..end].to_owned();
            self.at += end;
            self.game.record.warn(self.piece.line, Oddity::StrayBracket(Quoted::new(&text)));
            self.game.comment(&text);
            return before;
        }
        if has_moves || self.game.depth > 0 {
            self.end_game();
        }
        let before = self.begin();
        let parsed = parse_tag(self.rest());
        let text = self.rest()[..parsed.length].to_owned();
        self.at += parsed.length;
        let line = self.piece.line;
        let Building { record, .. } = &mut self.game;
        if parsed.name.is_empty() {
            record.warn(line, Oddity::NamelessTag(Quoted::new(&text)));
            record.main.comment(text);
            return before;
        }
        let (name, value) = (|| Quoted::new(&parsed.name), || Quoted::new(&parsed.value));
        if parsed.is_broken {
            record.warn(line, Oddity::BrokenTag { name: name(), value: value() });
        }
        if let Some(first) = record.full_tag(&parsed.name).map(|tag| tag.line) {
            record.warn(line, Oddity::RepeatedTag { name: name(), value: value(), first });
        } else if record.tags.len() == MAX_TAGS {
            self.game.refuse(PgnFault::TooLong, line);
        } else {
            record.tags.push(Tag { name: parsed.name, value: parsed.value, line });
        }
        before
    }

    fn open_variation(&mut self) {
        self.game.depth += 1;
        if self.game.depth > MAX_NESTING {
            self.game.refuse(PgnFault::TooDeep, self.piece.line);
        } else if !self.game.is_refused() {
            self.game.open.push(OpenLine { opened: self.piece.line, line: Line::default() });
        }
    }

    fn read_word(&mut self) -> Option<PgnRecord> {
        let before = self.begin();
        let rest = self.rest();
        let ends = |(at, letter): &(usize, char)| letter.is_whitespace() || *at > 0 && "[]{}();$".contains(*letter);
        let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
        let word = rest[..end].to_owned();
        self.at += end;
        match token(&word) {
            Token::End(end) if self.game.depth == 0 => {
                self.game.record.terminator = Some(end.to_owned());
                self.end_game();
            }
            token => self.game.take(token, word, self.piece.line),
        }
        before
    }
}

/// No game has more tags.
const MAX_TAGS: usize = 1_000;

impl Building {
    const fn is_refused(&self) -> bool {
        self.record.fault.is_some()
    }

    /// Keeps no more of the game than its tags.
    fn refuse(&mut self, what: PgnFault, line: usize) {
        self.record.fault.get_or_insert(PgnError { line, what });
        self.record.main = Line::default();
        self.open.clear();
    }

    fn current(&mut self) -> &mut Line<Word> {
        self.open.last_mut().map_or(&mut self.record.main, |open| &mut open.line)
    }

    /// Takes a comment, in which the lengths of blanks say nothing.
    fn comment(&mut self, text: &str) {
        let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        if !self.is_refused() && !text.is_empty() {
            self.current().comment(text);
        }
    }

    /// Takes a word; an end stands in a variation.
    fn take(&mut self, token: Token, word: String, line: usize) {
        if self.is_refused() {
            self.moves += 1;
            return;
        }
        let last = self.current().moves.last_mut();
        match (token, last) {
            (Token::Number, _) | (Token::Redundant, Some(_)) => {}
            (Token::Glyphs(glyphs), Some(last)) => last.glyphs.extend(glyphs),
            (Token::End(_) | Token::BadGlyph, _) | (Token::Glyphs(_), None) => self.comment(&word),
            (Token::Redundant, None) => self.push_move(word, Vec::new(), line),
            (Token::Move(text, glyphs), _) => self.push_move(text, glyphs, line),
        }
    }

    fn push_move(&mut self, text: String, glyphs: Vec<u8>, line: usize) {
        self.moves += 1;
        if self.moves > MAX_MOVES {
            return self.refuse(PgnFault::TooLong, line);
        }
        self.current().moves.push(LineMove { mv: Word { text, line }, glyphs, remarks: Vec::new() });
    }

    fn close_variation(&mut self) {
        self.depth -= 1;
        let Some(OpenLine { opened, line }) = self.open.pop() else { return };
        let outer = self.current();
        match outer.moves.last_mut() {
            _ if line.moves.is_empty() => line.preface.into_iter().for_each(|comment| outer.comment(comment)),
            Some(last) => last.remarks.push(Remark::Variation(line)),
            None => {
                outer.comment(format!("({})", text_of(&line, None)));
                self.record.warn(opened, Oddity::EarlyVariation);
            }
        }
    }

    fn note_unclosed(&mut self, opened: usize, opening: char) {
        if self.is_begun {
            self.record.unclosed.get_or_insert((opened, opening));
        } else {
            self.record.warn(opened, Oddity::UnclosedBetweenGames);
        }
    }

    /// The game, which ends in a line of the file.
    fn finished(mut self, line: usize) -> PgnRecord {
        if let Some(opened) = self.open.first().map(|open| open.opened) {
            self.note_unclosed(opened, '(');
        }
        while self.depth > 0 {
            self.close_variation();
        }
        let mut record = self.record;
        record.last_line = line;
        if let (Some(tag), Some(end)) = (record.full_tag("Result"), &record.terminator) {
            let is_known = tag.value == "*" || GameResult::parse(&tag.value).is_some();
            if is_known && tag.value != *end {
                let oddity = Oddity::ResultTag { tag: Quoted::new(&tag.value), end: end.clone() };
                record.warn(tag.line, oddity);
            }
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pgn::{MoveNotation, PgnGame};
    use crate::rules::{Position, parse_fen, parse_move};
    use crate::types::Move;

    fn messages(record: &PgnRecord) -> Vec<String> {
        record.warnings.iter().map(ToString::to_string).collect()
    }

    fn comments(record: &PgnRecord) -> Vec<&str> {
        record.main.comments().map(|(_, text)| text).collect()
    }

    #[test]
    fn games_with_everything_in_them_are_read() {
        let text = "\u{feff}% escaped\r\n[Event \"a \\\"b\\\" \\\\ ]\"]\r\n[White \"x\"]\r\n\r\n\
            1. e4 {comment (with) 1-0 } e5 $10 2.Nf3?! ( 2. d3 {)} (2. a3) a6 $3 ) 2...Nc6 ; rest of line 3. a3\r\n 3. 0-0 ! 1/2-1/2\r\n\r\n\
            [Event \"second\"]\n\n*\n\n1. d4 d5";
        let games = read_games(text);
        assert_eq!(games.len(), 3);
        let tag = |name: &str, value: &str, line| Tag { name: name.to_owned(), value: value.to_owned(), line };
        assert_eq!(games[0].tags, [tag("Event", "a \"b\" \\ ]", 2), tag("White", "x", 3)]);
        assert_eq!(games[0].moves(), ["e4", "e5", "Nf3", "Nc6", "0-0"]);
        let comments = [(1, "comment (with) 1-0"), (4, "rest of line 3. a3")];
        assert_eq!(games[0].comments(), comments);
        assert_eq!(games[0].main.glyphs().collect::<Vec<_>>(), [(2, 10), (3, 6), (5, 1)]);
        assert_eq!((games[0].terminator.as_deref(), games[0].line), (Some("1/2-1/2"), 2));
        assert_eq!(
            (games[1].tag("Event"), games[1].terminator.as_deref(), games[1].line),
            (Some("second"), Some("*"), 8)
        );
        assert_eq!((games[2].moves().len(), games[2].terminator.as_deref()), (2, None));
    }

    #[test]
    fn comments_to_the_end_of_the_line_may_close_brackets() {
        let games = read_games("1. e4 (1. d4 ; or :)\n d5) e5 *");
        assert_eq!((games.len(), &games[0].moves()[..]), (1, &["e4", "e5"][..]));
    }

    #[test]
    fn comments_between_games_belong_to_the_next() {
        let games = read_games("{first} 1. e4 {on e4} *\n\n{second}\n[Event \"x\"]\n\n1. d4 * ;third\n1. c4 0-1 {end}");
        let comments: Vec<_> = games.iter().map(PgnRecord::comments).collect();
        let comment = |moves: usize, text: &'static str| (moves, text);
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
                    main: Line {
                        preface: Vec::new(),
                        moves: moves.iter().map(|&mv| LineMove { mv, glyphs: vec![1], remarks: Vec::new() }).collect(),
                    },
                    notation,
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
            assert_eq!(message, format!("line 3: '{opening}' is never closed"));
            let part = games[0].replay_readable(usize::MAX).unwrap();
            assert_eq!((part.game.moves().len(), part.main.moves[0].remarks.len()), (1, 1), "what is behind is kept");
            assert_eq!(games[1].replay(usize::MAX).unwrap().game.moves().len(), 2);
        }
        let last = read_games("1. e4 e5 (2. Nf3");
        assert_eq!(last[0].unclosed, Some((1, '(')));
        assert_eq!(read_games("1. e4 ; to the end")[0].unclosed, None);
        let between = read_games("1. e4 *\n{lost?\n1. d4 *\n[Event \"x\"]\n1. c4 *");
        assert_eq!(comments(&between[1]), ["lost? 1. d4 *"]);
        assert_eq!(messages(&between[1]), ["line 2: '{' is never closed; the comment goes up to the next game"]);
    }

    #[test]
    fn variations_are_kept_where_they_stand() {
        let games = read_games("1. e4 {a} ( {b} 1. d4 $1 (1. c4 c5) {c} d5 {d} ) {e} e5 ({only} ) (()) *");
        let game = &games[0];
        assert_eq!((game.moves(), comments(game)), (vec!["e4", "e5"], vec!["a", "e", "only"]));
        let [Remark::Comment(_), Remark::Variation(variation), Remark::Comment(_)] = &game.main.moves[0].remarks[..]
        else {
            panic!("{game:?}")
        };
        let told: Vec<_> = variation.comments().collect();
        assert_eq!((told, variation.glyphs().collect()), (vec![(0, "b"), (1, "c"), (2, "d")], vec![(1, 1)]));
        let Remark::Variation(nested) = &variation.moves[0].remarks[0] else { panic!("{variation:?}") };
        assert_eq!(nested.moves.len(), 2);
        assert!(game.warnings.is_empty());
        let early = read_games("(1. d4 d5 {x}) 1. e4 *").remove(0);
        assert_eq!((comments(&early), early.moves()), (vec!["(d4 d5 [x])"], vec!["e4"]));
        assert_eq!(messages(&early), ["line 1: a variation before the first move is kept as a comment"]);
    }

    #[test]
    fn broken_tags_are_kept_and_told() {
        let text = "[Event \"5th \"M\" Int\"]\n[White \"Anna]\n[\"who?\"]\n[Black Otto]\n[White \"Eva\"]\n\
            [Result \"1-0\"]\n\n1. e4 0-1";
        let game = read_games(text).remove(0);
        let values: Vec<(&str, &str)> = game.tags.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect();
        assert_eq!(values, [("Event", "5th \"M\" Int"), ("White", "Anna"), ("Black", "Otto"), ("Result", "1-0")]);
        assert_eq!(comments(&game), ["[\"who?\"]"]);
        assert_eq!(
            messages(&game),
            [
                "line 1: the tag Event is not written as [Name \"value\"] is; its value is read as \
                 \"5th \\\"M\\\" Int\"",
                "line 2: the tag White is not written as [Name \"value\"] is; its value is read as \"Anna\"",
                "line 3: a tag without a name is kept as a comment: \"[\\\"who?\\\"]\"",
                "line 4: the tag Black is not written as [Name \"value\"] is; its value is read as \"Otto\"",
                "line 5: the tag White is given again as \"Eva\"; the first, in line 2, counts",
                "line 6: the tag Result says 1-0, but the moves end with 0-1, which counts",
            ]
        );
        for fine in ["[Result \"*\"]\n1. e4 *", "[Result \"won\"]\n1. e4 1-0", "[Result \"1-0\"]\n1. e4"] {
            assert_eq!(messages(&read_games(fine)[0]), Vec::<String>::new(), "{fine}");
        }
    }

    #[test]
    fn signs_become_glyphs_and_nothing_foreign_ends_a_game() {
        let text =
            "1. e4 +/= {x} e5 ± 2. ♘f3!? N Nc6 e.p. 3. Bb5 [%odd] a6 dbl ch $300 4. Ba4 ) Nf6 5. o-o\n% 1-0\n5...Be7 *";
        let game = read_games(text).remove(0);
        assert_eq!(game.moves(), ["e4", "e5", "♘f3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "o-o", "Be7"]);
        assert_eq!(game.main.glyphs().collect::<Vec<_>>(), [(1, 14), (2, 16), (3, 5), (3, 146)]);
        assert_eq!(game.comments(), [(1, "x"), (5, "[%odd]"), (6, "$300")]);
        assert_eq!(
            messages(&game),
            [
                "line 1: \"[%odd]\" stands outside of comments and is kept as one",
                "line 1: ')' closes nothing and is passed over"
            ]
        );
    }

    #[test]
    fn games_that_are_too_long_or_too_deep_are_refused_alone() {
        let shuffling = "Nf3 Nf6 Ng1 Ng8 ".repeat(MAX_MOVES / 4 + 1);
        let comment = format!("1. e4 {{{}}}", "blah ".repeat(MAX_GAME_BYTES as usize / 5 + 100));
        let line = format!("1. e4 ;{}\n", "x".repeat(MAX_GAME_BYTES as usize + (2 << 20)));
        let nested = format!("1. e4 {}e5", "(1. d4 ".repeat(MAX_NESTING + 1) + &")".repeat(MAX_NESTING + 1));
        let tags = "[A \"x\"]".replace('A', "A0")
            + &(1..=MAX_TAGS).map(|number| format!("[A{number} \"x\"]\n")).collect::<String>();
        for (text, what) in [
            (shuffling, PgnFault::TooLong),
            (comment, PgnFault::TooLong),
            (line, PgnFault::TooLong),
            (nested, PgnFault::TooDeep),
            (tags, PgnFault::TooLong),
        ] {
            let games = read_games(&format!("[White \"x\"]\n{text} *\n\n1. d4 *"));
            assert_eq!(games.len(), 2, "{what}");
            let error = games[0].replay_readable(usize::MAX).unwrap_err();
            assert_eq!((error.what, games[0].tag("White"), games[0].moves().len()), (what, Some("x"), 0));
            assert_eq!(games[1].moves(), ["d4"]);
        }
        let deep = format!("1. e4 {}e5 *", "(1. d4 ".repeat(MAX_NESTING) + &")".repeat(MAX_NESTING));
        assert!(read_games(&deep)[0].replay(9).is_ok());
    }

    #[test]
    fn moves_are_judged_by_the_rules() {
        let game = |moves: &str| read_games(moves).remove(0);
        let played = game("1. e4 e5 2. Qh5").replay(usize::MAX).unwrap();
        assert_eq!(played.game.moves().len(), 3);
        assert_eq!(game("1. e4 e5 2. Qh5").replay(2).unwrap().game.moves().len(), 2);
        let message = game("\n1. e4\nAd2").replay(usize::MAX).unwrap_err().to_string();
        assert_eq!(message, "line 3: 1... Ad2: not a legal move");
        let message = game("1. e4 e5 2. Sf3").replay(usize::MAX).unwrap_err().to_string();
        assert_eq!(message, "line 1: 2. Sf3: not a move (pieces are written K, Q, R, B, N and A)");
        let message = game("1. e4 Z0").replay(usize::MAX).unwrap_err().to_string();
        assert_eq!(message, "line 1: 1... Z0: a null move, which has no place in a game");
        let message = game("[White \"x\"]\n[FEN \"8/8\"]\n*").replay(9).unwrap_err().to_string();
        assert!(message.starts_with("line 2: the FEN tag: "), "{message}");
        let message = game("[Variant \"Atomic\"]\n1. e4 *").replay(9).unwrap_err().to_string();
        assert_eq!(message, "line 1: variant \"Atomic\" is not Anti-King Chess II");
        let from_fen = game("[FEN \"rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR b KQkq - 0 2\"]\n2... Nc6 *");
        assert_eq!(from_fen.replay(9).unwrap().game.position().fullmove_number(), 3);
    }

    #[test]
    fn a_game_is_played_up_to_its_fault_and_the_rest_is_kept() {
        let game = read_games("1. e4 e5 2. Qh5 {x} Qx9 $2 (2... a6 {y}) 3. Nf3 1-0").remove(0);
        let replayed = game.replay_readable(usize::MAX).unwrap();
        assert_eq!(replayed.game.moves().len(), 3);
        assert!(replayed.stopped.is_some() && game.result() == Some(GameResult::WhiteWins));
        let told: Vec<_> = replayed.main.comments().collect();
        assert_eq!(told, [(3, "x"), (3, "not read: 2... Qx9 $2 ( 2... a6 [y] ) 3. Nf3")]);
    }

    #[test]
    fn variations_are_played_as_far_as_they_are_legal() {
        let game =
            read_games("1. e4 e5 (1... a5 2. Ad2 c5) (1... Ke4) (1... c5 (1... c6\n2. c3 -- 3. a3)) *").remove(0);
        let replayed = game.replay(usize::MAX).unwrap();
        let written = PgnGame {
            tags: Vec::new(),
            start: replayed.game.start(),
            main: replayed.main,
            notation: MoveNotation::San,
            result: None,
        };
        let text = written.text();
        let moves = text.split("\n\n").nth(1).unwrap().replace('\n', " ");
        assert_eq!(
            moves,
            "1. e4 e5 (1... a5 {not read: 2. Ad2 c5}) {(1... Ke4)} \
             (1... c5 (1... c6 2. c3 {not read: 2... -- 3. a3})) *"
        );
        let told: Vec<String> = replayed.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 1: in a variation: 2. Ad2: not a legal move; it is kept as a comment from there on",
                "line 1: in a variation: 1... Ke4: not a legal move; it is kept as a comment from there on",
                "line 2: in a variation: 2... --: a null move, which has no place in a game; it is kept as a comment \
                 from there on",
            ]
        );
    }

    #[test]
    fn a_result_that_the_board_contradicts_is_told() {
        let mate = "[FEN \"7n/1R6/1a4A1/8/K1k5/8/N7/8 w - - 0 1\"]\n[Result \"1/2-1/2\"]\n1. Rd7+ Ab7 2. Rd1#";
        let told = |text: &str| -> Vec<String> {
            let replayed = read_games(text)[0].replay(usize::MAX).unwrap();
            replayed.warnings.iter().map(ToString::to_string).collect()
        };
        assert_eq!(
            told(mate),
            ["line 2: the result is given as 1/2-1/2, but the moves end in White anti-checkmates: 1-0"]
        );
        assert_eq!(told(&format!("{mate}\n0-1")).len(), 1);
        assert_eq!(told(&format!("{mate} 1-0")), Vec::<String>::new());
        assert_eq!(told("1. e4 1-0"), Vec::<String>::new());
    }

    /// A line with comments, glyphs and variations, all of them legal.
    fn random_line(start: &Position, length: usize, depth: usize, choices: &mut dyn Iterator<Item = u32>) -> Line {
        const COMMENTS: [&str; 6] = ["why?", "1. e4 (no) ;", "[%clk 0:01:00] é ♘", "a \"b\" \\", "$3 [x] 1-0", "{"];
        let mut choose = |from: usize| choices.next().unwrap_or_default() as usize % from;
        let mut position = start.clone();
        let mut picked = Vec::new();
        for _ in 0..length {
            let moves: Vec<Move> = position.legal_moves().into_iter().collect();
            if moves.is_empty() {
                break;
            }
            let mv = moves[choose(moves.len())];
            picked.push((position.clone(), mv, [choose(6), choose(8), choose(8), choose(40)]));
            position = position.played(mv);
        }
        let mut line = Line { preface: Vec::new(), moves: Vec::new() };
        if choose(3) == 0 {
            line.preface.push(COMMENTS[choose(COMMENTS.len())].to_owned());
        }
        for (before, mv, [is_judged, said, variations, glyph]) in picked {
            let mut made = LineMove::plain(mv);
            if is_judged == 0 {
                made.glyphs.push(glyph as u8);
            }
            for number in 0..variations.saturating_sub(5) {
                if said > number {
                    made.remarks.push(Remark::Comment(COMMENTS[(said + number) % COMMENTS.len()].to_owned()));
                }
                let beside = if depth == 0 { Line::default() } else { random_line(&before, 3, depth - 1, choices) };
                if !beside.moves.is_empty() {
                    made.remarks.push(Remark::Variation(beside));
                }
            }
            line.moves.push(made);
        }
        line
    }

    proptest! {
        #![proptest_config(crate::seed::fixed(15, 256))]

        #[test]
        fn no_text_makes_it_fail(text in r#"([\[\](){}"\\;%$*\na-h1-8 ."]|1-0|O-O|é|\[Event |e4 |Nf6 |\+/=)*"#) {
            for game in read_games(&text) {
                let _ = game.replay_readable(10);
            }
        }

        #[test]
        fn no_bytes_make_it_fail(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            for game in PgnReader::new(&bytes[..]) {
                let _ = game.unwrap().replay_readable(10);
            }
        }

        #[test]
        fn what_is_written_reads_back_the_same(
            choices in proptest::collection::vec(any::<u32>(), 0..200),
            values in proptest::collection::vec(r#"[ -~é♘€]{0,30}"#, 3),
        ) {
            let start = Position::start();
            let main = random_line(&start, 12, 3, &mut choices.into_iter());
            let names = ["Event", "Opening", "Annotator"];
            let tags = names.into_iter().zip(values).collect::<Vec<_>>();
            let written = PgnGame { tags, start: &start, main, notation: MoveNotation::San, result: None };
            let text = written.text();
            let records = read_games(&text);
            prop_assert_eq!(records.len(), 1, "{}", text);
            let replayed = records[0].replay(usize::MAX).unwrap();
            prop_assert_eq!(&replayed.main, &written.main, "{}", text);
            prop_assert_eq!(&records[0].warnings, &[], "{}", text);
            for (name, value) in &written.tags {
                prop_assert_eq!(records[0].tag(name), Some(value.as_str()), "{}", text);
            }
        }
    }
}
