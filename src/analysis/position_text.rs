//! Positions in words: a FEN or `startpos`, and moves after the word `moves`.

use thiserror::Error;

use crate::rules::{FenError, Game, MoveError, Position, Repair, parse_fen, parse_move};

/// A game that words tell.
#[derive(Clone, Debug)]
pub struct GameInWords {
    pub game: Game,
    /// What had to be mended in its first position.
    pub repairs: Vec<Repair>,
}

/// Why words tell no game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WordsError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("move {number}: {error}")]
    Move { number: usize, error: MoveError },
}

/// The game that the words tell; no words are the start position. Moves are read as [`parse_move`] does.
///
/// # Errors
/// When the FEN or a move is not good.
pub fn parse(words: &[&str]) -> Result<GameInWords, WordsError> {
    let board_end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (start, repairs) = match &words[..board_end] {
        [] | ["startpos"] => (Position::start(), Vec::new()),
        ["fen", fields @ ..] | fields => {
            let parsed = parse_fen(&fields.join(" "))?;
            (parsed.position, parsed.repairs)
        }
    };
    let mut game = Game::new(start);
    for (index, text) in words.iter().skip(board_end + 1).enumerate() {
        let mv = parse_move(game.position(), text).map_err(|error| WordsError::Move { number: index + 1, error })?;
        game.push(mv);
    }
    Ok(GameInWords { game, repairs })
}
