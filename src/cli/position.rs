//! Positions on the command line: a FEN in one argument or several, or `startpos`, and moves after the word `moves`.

use std::io::{self, Write};

use clap::Args;
use thiserror::Error;

use crate::analysis::position_text::{self, GameInWords, WordsError};
use crate::rules::Game;

/// The arguments of the commands that tell of a position.
#[derive(Debug, Args)]
pub struct ReportArguments {
    #[command(flatten)]
    pub position: PositionArguments,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The arguments of the commands that take a position and no more words.
#[derive(Debug, Args)]
pub struct PositionArguments {
    /// A FEN (quoted or not) or startpos, then perhaps the word moves and moves in UCI, SAN or long algebraic notation
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
}

impl PositionArguments {
    /// The game that they tell.
    ///
    /// # Errors
    /// When the FEN or a move is not good.
    pub fn game(&self) -> Result<Game, PositionError> {
        parse(&self.position)
    }

    /// The same with all that the words tell.
    ///
    /// # Errors
    /// When the FEN or a move is not good.
    pub fn in_words(&self) -> Result<GameInWords, PositionError> {
        parse_words(&self.position)
    }
}

/// Why words are no position.
#[derive(Debug, Error)]
pub enum PositionError {
    #[error("position: {0}")]
    Words(#[from] WordsError),
    #[error("position: the text is empty; leave it out for the start position")]
    Empty,
    #[error("the last argument must be the depth, a whole number of plies")]
    Depth,
}

/// The game that the words tell; no words are the start position. Moves are read as UCI, SAN or long algebraic notation.
///
/// # Errors
/// When the FEN or a move is not good.
pub fn parse(words: &[String]) -> Result<Game, PositionError> {
    parse_words(words).map(|told| told.game)
}

fn parse_words(words: &[String]) -> Result<GameInWords, PositionError> {
    let are_given = !words.is_empty();
    let words: Vec<&str> = words.iter().flat_map(|word| word.split_whitespace()).collect();
    // As from a variable of a script that was never set.
    if are_given && words.is_empty() {
        return Err(PositionError::Empty);
    }
    let told = position_text::parse(&words)?;
    for repair in &told.repairs {
        let _ = writeln!(io::stderr(), "warning: position: {repair}");
    }
    Ok(told)
}

/// The game that the words tell, with more moves after it.
///
/// # Errors
/// When the FEN or a move is not good.
pub fn parse_with_moves(words: &[String], moves: &[String]) -> Result<Game, PositionError> {
    let mut all = words.to_vec();
    if !words.iter().any(|word| word.split_whitespace().any(|word| word == "moves")) {
        all.push("moves".to_owned());
    }
    all.extend_from_slice(moves);
    parse(&all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;

    fn fen(words: &[&str]) -> Result<String, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        parse(&words).map(|game| game.position().fen()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_fen_may_be_one_word_or_many() {
        let start = Ok(Position::START_FEN.to_owned());
        assert_eq!(fen(&[]), start);
        assert_eq!(fen(&["startpos"]), start);
        assert!(fen(&["", " "]).unwrap_err().contains("empty"));
        assert_eq!(fen(&[Position::START_FEN]), start);
        assert_eq!(fen(&Position::START_FEN.split(' ').collect::<Vec<_>>()), start);
        assert_eq!(fen(&["fen", Position::START_FEN, "moves"]), start);
    }

    #[test]
    fn moves_are_uci_or_san() {
        let uci = fen(&["startpos", "moves", "e2e4", "e7e5", "g1f3"]);
        assert_eq!(uci, fen(&["startpos moves e4 e5 Nf3"]));
        assert!(uci.unwrap().starts_with("rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a1N2/"));
        assert!(fen(&["startpos", "moves", "e2e4", "d6d5"]).unwrap_err().starts_with("position: move 2: "));
        assert!(fen(&["nonsense"]).unwrap_err().starts_with("position: "));
    }
}
