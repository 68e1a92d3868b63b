//! Plays games by the rules.

use super::GameResult;
use super::line::{Line, LineMove, Remark, Word};
use super::record::{Oddity, PgnError, PgnFault, PgnRecord, PgnWarning};
use super::variant::is_this_game;
use super::words::{is_null_move, spelled};
use crate::rules::{Game, Position, Quoted, Repair, parse_fen, parse_move};
use crate::types::Color;

/// A game that was played anew from its record.
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    pub game: Game,
    /// What had to be mended in the position of the FEN tag.
    pub repairs: Vec<Repair>,
    /// The moves of the game with what is said of them. What could not be played is kept as a comment at the end of its
    /// line.
    pub main: Line,
    /// Why the game goes no further.
    pub stopped: Option<PgnError>,
    /// What is odd about the moves.
    pub warnings: Vec<PgnWarning>,
}

/// How a comment begins that holds what could not be played.
const NOT_PLAYED: &str = "not read: ";

impl PgnRecord {
    /// Plays the moves by the rules, at most `plies` of them, from the position of the FEN tag or else from the start.
    /// They may be written in any notation that [`parse_move`] reads.
    ///
    /// # Errors
    /// When the game is another one, the FEN or a move is not legal, or part of the game lies in a comment or variation
    /// without an end.
    pub fn replay(&self, plies: usize) -> Result<ReplayedGame, PgnError> {
        let replayed = self.replay_readable(plies)?;
        match replayed.stopped {
            Some(error) => Err(error),
            None => Ok(replayed),
        }
    }

    /// As [`PgnRecord::replay`], but up to the first fault in the moves, which is then in `stopped`.
    ///
    /// # Errors
    /// When no part of the game can be used: it is another game, its FEN is not legal, or it is too long.
    pub fn replay_readable(&self, plies: usize) -> Result<ReplayedGame, PgnError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if let Some(tag) = self.full_tag("Variant").filter(|tag| !is_this_game(&tag.value)) {
            return Err(PgnError { line: tag.line, what: PgnFault::Variant(Quoted::new(&tag.value)) });
        }
        let (start, repairs) = match self.full_tag("FEN") {
            Some(tag) => {
                let parsed =
                    parse_fen(&tag.value).map_err(|error| PgnError { line: tag.line, what: PgnFault::Fen(error) })?;
                (parsed.position, parsed.repairs)
            }
            None => (Position::start(), Vec::new()),
        };
        let mut game = Game::new(start.clone());
        let mut warnings = Vec::new();
        let PlayedLine { line: main, stopped } = play(&start, &self.main, plies, &mut warnings);
        main.moves.iter().for_each(|made| game.push(made.mv));
        let unclosed = self.unclosed.map(|(line, opening)| PgnError { line, what: PgnFault::Unclosed(opening) });
        let stopped = stopped.or(unclosed);
        if stopped.is_none() && main.moves.len() == self.main.moves.len() {
            warnings.extend(self.result_on_board(&game));
        }
        if warnings.len() > PgnRecord::MAX_WARNINGS {
            warnings.truncate(PgnRecord::MAX_WARNINGS);
            warnings.push(PgnWarning { line: self.last_line, what: Oddity::More });
        }
        Ok(ReplayedGame { game, repairs, main, stopped, warnings })
    }

    /// A result that is not that of the mate or stalemate on the board.
    fn result_on_board(&self, game: &Game) -> Option<PgnWarning> {
        let outcome = game.position().outcome()?;
        let result = GameResult::won_by(outcome.winner()).text();
        let of_tag = || self.full_tag("Result").map(|tag| (tag.value.as_str(), tag.line));
        let of_end = self.terminator.as_deref().map(|end| (end, self.last_line));
        let (told, line) = of_end.or_else(of_tag).filter(|(told, _)| *told != result)?;
        let oddity = Oddity::ResultOnBoard { told: Quoted::new(told), ending: outcome.to_string(), result };
        Some(PgnWarning { line, what: oddity })
    }
}

struct PlayedLine {
    line: Line,
    stopped: Option<PgnError>,
}

fn play(start: &Position, words: &Line<Word>, plies: usize, warnings: &mut Vec<PgnWarning>) -> PlayedLine {
    let mut line = Line { preface: words.preface.clone(), moves: Vec::new() };
    let mut position = start.clone();
    for (index, made) in words.moves.iter().enumerate().take(plies) {
        let text = &made.mv.text;
        let read = if is_null_move(text) { Err(None) } else { parse_move(&position, &spelled(text)).map_err(Some) };
        let mv = match read {
            Ok(mv) => mv,
            Err(error) => {
                let fault = PgnFault::Move { number: number(&position), text: Quoted::new(text), error };
                let rest = Line { preface: Vec::new(), moves: words.moves[index..].to_vec() };
                line.comment(format!("{NOT_PLAYED}{}", text_of(&rest, Some(&position))));
                return PlayedLine { line, stopped: Some(PgnError { line: made.mv.line, what: fault }) };
            }
        };
        let remarks = made.remarks.iter().map(|remark| match remark {
            Remark::Comment(text) => Remark::Comment(text.clone()),
            Remark::Variation(words) => variation(&position, words, warnings),
        });
        let remarks = remarks.collect();
        line.moves.push(LineMove { mv, glyphs: made.glyphs.clone(), remarks });
        position = position.played(mv);
    }
    PlayedLine { line, stopped: None }
}

/// A variation as far as it is legal, a comment where no move of it is.
fn variation(start: &Position, words: &Line<Word>, warnings: &mut Vec<PgnWarning>) -> Remark {
    let PlayedLine { line, stopped } = play(start, words, usize::MAX, warnings);
    warnings.extend(stopped.map(|PgnError { line, what }| PgnWarning { line, what: Oddity::Variation(what) }));
    if line.moves.is_empty() {
        return Remark::Comment(format!("({})", text_of(words, Some(start))));
    }
    Remark::Variation(line)
}

/// `3.` or `3...`.
fn number(position: &Position) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.fullmove_number())
}

/// Moves as they were written, fit for a comment; they are numbered if it is known where they begin.
pub(super) fn text_of(line: &Line<Word>, start: Option<&Position>) -> String {
    let mut words = Vec::new();
    push_words(&mut words, line, start.map(|position| (position.fullmove_number(), position.turn())));
    words.join(" ")
}

fn push_words(words: &mut Vec<String>, line: &Line<Word>, start: Option<(u32, Color)>) {
    let mut at = start;
    let mut is_number_due = true;
    words.extend(line.preface.iter().map(|text| format!("[{text}]")));
    for made in &line.moves {
        match at {
            Some((number, Color::White)) => words.push(format!("{number}.")),
            Some((number, Color::Black)) if is_number_due => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(made.mv.text.clone());
        words.extend(made.glyphs.iter().map(|glyph| format!("${glyph}")));
        for remark in &made.remarks {
            match remark {
                Remark::Comment(text) => words.push(format!("[{text}]")),
                Remark::Variation(variation) => {
                    words.push("(".to_owned());
                    push_words(words, variation, at);
                    words.push(")".to_owned());
                }
            }
        }
        is_number_due = !made.remarks.is_empty();
        at = at.map(|(number, turn)| (number.saturating_add(u32::from(turn == Color::Black)), !turn));
    }
}
