//! Positions in words: a FEN or `startpos`, and moves after the word `moves`.

use thiserror::Error;

use crate::rules::{FenError, Game, MoveError, Position, Repair, parse_move, parse_setup};
use crate::types::Square;

/// A game that words tell.
#[derive(Clone, Debug)]
pub struct GameInWords {
    pub game: Game,
    /// What had to be mended in its first position.
    pub repairs: Vec<Repair>,
    /// The square that a pawn has just crossed by a double step, by the last move or else by the FEN.
    pub stepped_over: Option<Square>,
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
    let (start, repairs, crossed) = match &words[..board_end] {
        [] | ["startpos"] => (Position::start(), Vec::new(), None),
        ["fen", fields @ ..] | fields => {
            let setup = parse_setup(&fields.join(" "))?;
            let (position, repairs) = setup.validated().map_err(FenError::from)?;
            let is_impossible = repairs.iter().any(|repair| matches!(repair, Repair::EnPassant(_)));
            (position, repairs, setup.en_passant.filter(|_| !is_impossible))
        }
    };
    let mut game = Game::new(start);
    for (index, text) in words.iter().skip(board_end + 1).enumerate() {
        let mv = parse_move(game.position(), text).map_err(|error| WordsError::Move { number: index + 1, error })?;
        game.push(mv);
    }
    let stepped_over = if game.moves().is_empty() { crossed } else { game.stepped_over() };
    Ok(GameInWords { game, repairs, stepped_over })
}
