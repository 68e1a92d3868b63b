use super::outcome::{DrawKind, Outcome};
use super::position::Position;
use crate::types::Move;

/// A game: where it started, what was played, and what repetition needs to know.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// The keys of all positions before the present one, oldest first.
    keys: Vec<u64>,
}

impl Game {
    /// A game that starts in a position. What came before it is not known: its clock counts, its repetitions do not.
    pub fn new(start: Position) -> Game {
        Game { position: start.clone(), start, moves: Vec::new(), keys: Vec::new() }
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// In debug builds, if the move is not legal.
    pub fn push(&mut self, mv: Move) {
        self.keys.push(self.position.key());
        self.moves.push(mv);
        self.position = self.position.played(mv);
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position at the start.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves played so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of the positions since the last capture or pawn move, oldest first, the present one left out: those that
    /// can be repeated.
    pub fn reversible_keys(&self) -> &[u64] {
        let reversible = self.keys.len().min(self.position.halfmove_clock() as usize);
        &self.keys[self.keys.len() - reversible..]
    }

    /// How often the present position has stood on the board, this time included.
    pub fn repetitions(&self) -> usize {
        let key = self.position.key();
        1 + self.reversible_keys().iter().filter(|&&earlier| earlier == key).count()
    }

    /// The end of the game, if it has ended. A mate counts before any draw, also on the hundredth half-move.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            if self.repetitions() >= 3 {
                Some(Outcome::Draw(DrawKind::Threefold))
            } else if self.position.halfmove_clock() >= 100 {
                Some(Outcome::Draw(DrawKind::FiftyMoves))
            } else {
                None
            }
        })
    }
}
