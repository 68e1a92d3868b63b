//! Writes games in the export format of the PGN standard.

use super::line::{Line, Remark};
use super::{GameResult, MoveNotation};
use crate::rules::{Position, to_lan, to_san};
use crate::types::{Color, Move};

/// Lines of the move text stay under 80 characters.
const LINE_WIDTH: usize = 79;

/// A game to be written.
pub struct PgnGame<'a> {
    /// The seven tags of the roster are written first and the others after them by name, whatever their order here.
    pub tags: Vec<(&'a str, String)>,
    pub start: &'a Position,
    /// Empty comments are left out.
    pub main: Line,
    pub notation: MoveNotation,
    /// `None` of a game without an end.
    pub result: Option<GameResult>,
}

const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

impl PgnGame<'_> {
    /// The text of the game, with an empty line at its end.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for name in ROSTER {
            let value = match self.tags.iter().find(|(tag, _)| *tag == name) {
                Some((_, value)) => value.as_str(),
                None if name == "Result" => self.result_text(),
                None if name == "Date" => "????.??.??",
                None => "?",
            };
            push_tag(&mut text, name, value);
        }
        let mut others: Vec<_> = self.tags.iter().filter(|(name, _)| !ROSTER.contains(name)).collect();
        others.sort();
        for (name, value) in others {
            push_tag(&mut text, name, value);
        }
        text.push('\n');
        text.push_str(&self.move_text());
        text.push('\n');
        text
    }

    fn move_text(&self) -> String {
        let mut lines = Lines::default();
        self.push_line(&mut lines, self.start, &self.main);
        lines.push(self.result_text());
        lines.text.push('\n');
        lines.text
    }

    fn push_line(&self, lines: &mut Lines, start: &Position, line: &Line) {
        line.preface.iter().for_each(|comment| lines.push_comment(comment));
        let mut position = start.clone();
        let mut is_number_due = true;
        for made in &line.moves {
            let number = position.fullmove_number();
            match position.turn() {
                Color::White => lines.push(&format!("{number}.")),
                Color::Black if is_number_due => lines.push(&format!("{number}...")),
                Color::Black => {}
            }
            lines.push(&self.notated(&position, made.mv));
            for glyph in &made.glyphs {
                lines.push(&format!("${glyph}"));
            }
            is_number_due = false;
            for remark in &made.remarks {
                is_number_due |= !matches!(remark, Remark::Comment(comment) if comment.is_empty());
                match remark {
                    Remark::Comment(comment) => lines.push_comment(comment),
                    Remark::Variation(variation) => {
                        lines.open();
                        self.push_line(lines, &position, variation);
                        lines.close();
                    }
                }
            }
            position = position.played(made.mv);
        }
    }

    fn notated(&self, position: &Position, mv: Move) -> String {
        match self.notation {
            MoveNotation::San => to_san(position, mv),
            MoveNotation::Lan => to_lan(position, mv),
            MoveNotation::Uci => mv.to_string(),
        }
    }

    fn result_text(&self) -> &'static str {
        self.result.map_or("*", GameResult::text)
    }
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    let value: String = value.chars().filter(|letter| !letter.is_control()).collect();
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    text.push_str(&format!("[{name} \"{value}\"]\n"));
}

/// Words set in lines.
#[derive(Default)]
struct Lines {
    text: String,
    width: usize,
    /// Brackets that stand before the next word.
    opening: String,
}

impl Lines {
    fn open(&mut self) {
        self.opening.push('(');
    }

    /// Puts a bracket behind the last word.
    fn close(&mut self) {
        self.text.push(')');
        self.width += 1;
    }

    fn push(&mut self, word: &str) {
        let word = std::mem::take(&mut self.opening) + word;
        let width = word.chars().count();
        if self.width > 0 && self.width + 1 + width > LINE_WIDTH {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        self.text.push_str(&word);
        self.width += width;
    }

    /// A comment may be broken at its blanks, but for those in commands such as `[%eval 0.35]`. A closing brace cannot
    /// stand in it.
    fn push_comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        let comment: String = comment.replace('}', ")").chars().filter(|letter| !letter.is_control()).collect();
        let mut command = String::new();
        for word in format!("{{{comment}}}").split(' ') {
            if !command.is_empty() {
                command.push(' ');
            }
            command.push_str(word);
            if !command.contains("[%") || command.contains(']') {
                self.push(&std::mem::take(&mut command));
            }
        }
        if !command.is_empty() {
            self.push(&command);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::LineMove;
    use crate::rules::{parse_fen, parse_uci};

    #[test]
    fn a_short_game_is_written_by_the_standard() {
        let start = parse_fen("rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR b KQkq - 0 2").unwrap().position;
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (text, comment) in [("b8c6", ""), ("d1h5", "+0.35/14 0.210s"), ("g8f6", ""), ("b1c3", "")] {
            let mv = parse_uci(&position, text).unwrap();
            position = position.played(mv);
            let glyphs = if text == "g8f6" { vec![2] } else { Vec::new() };
            moves.push(LineMove { mv, glyphs, remarks: vec![Remark::Comment(comment.to_string())] });
        }
        let tags = vec![
            ("White", "a \"b\" \\ c\n".to_string()),
            ("Variant", "anti-king-2".to_string()),
            ("Event", "Match".to_string()),
            ("FEN", start.fen()),
        ];
        let main = Line { preface: vec!["be{g}in".to_owned()], moves };
        let notation = MoveNotation::San;
        let game = PgnGame { tags, start: &start, main, notation, result: Some(GameResult::BlackWins) };
        assert_eq!(
            game.text(),
            "[Event \"Match\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"a \\\"b\\\" \\\\ c\"]\n\
             [Black \"?\"]\n[Result \"0-1\"]\n\
             [FEN \"rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR b KQkq - 0 2\"]\n\
             [Variant \"anti-king-2\"]\n\n\
             {be{g)in} 2... Nc6 3. Qh5 {+0.35/14 0.210s} 3... Nf6 $2 4. Nc3 0-1\n\n"
        );
        let unwrapped = |game: &PgnGame| game.text().split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let long = PgnGame { notation: MoveNotation::Lan, ..game };
        let expected = "2... Nb8-c6 3. Qd1-h5 {+0.35/14 0.210s} 3... Ng8-f6 $2 4. Nb1-c3 0-1";
        assert!(unwrapped(&long).ends_with(expected), "{}", long.text());
        let short = PgnGame { notation: MoveNotation::Uci, ..long };
        let expected = "2... b8c6 3. d1h5 {+0.35/14 0.210s} 3... g8f6 $2 4. b1c3 0-1";
        assert!(unwrapped(&short).ends_with(expected), "{}", short.text());
    }

    #[test]
    fn commands_are_not_broken() {
        let mut lines = Lines::default();
        for number in 10..99 {
            lines.push_comment(&format!("[%eval 0.{number},7] +0.{number} and [%open"));
        }
        assert!(lines.text.lines().all(|line| line.len() <= LINE_WIDTH && !line.ends_with("[%eval")), "{}", lines.text);
        assert_eq!(lines.text.matches("[%open}").count(), 89);
    }

    #[test]
    fn lines_stay_short() {
        let mut lines = Lines::default();
        for number in 0..500 {
            lines.push(&format!("word{number}"));
        }
        assert!(lines.text.lines().all(|line| line.len() <= LINE_WIDTH && line.len() > 60 && line.trim() == line));
    }
}
