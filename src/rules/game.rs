use super::outcome::{DrawKind, Outcome};
use super::position::Position;
use crate::types::{Kind, Move, Square};

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

    /// The square that a pawn has crossed, if the last move was its double step.
    pub fn stepped_over(&self) -> Option<Square> {
        let mv = *self.moves().last()?;
        let (from, to) = (mv.from().index(), mv.to().index());
        let is_pawn = self.position().piece_on(mv.to()).is_some_and(|man| man.kind() == Kind::Pawn);
        (is_pawn && from.abs_diff(to) == 16).then(|| Square::new(((from + to) / 2) as u8))
    }

    /// The game as it was after so many of its moves, at most all of them.
    pub fn prefix(&self, moves: usize) -> Game {
        let mut part = Game::new(self.start.clone());
        self.moves.iter().take(moves).for_each(|&mv| part.push(mv));
        part
    }

    /// The position as the start of a game, which knows no moves but still what makes it a draw. It takes little
    /// memory.
    pub fn without_moves(&self) -> Game {
        // Without a capture or pawn move for longer than this, it is a draw anyway.
        const PLIES: usize = 100;
        let keys = self.reversible_keys();
        let keys = keys[keys.len().saturating_sub(PLIES)..].to_vec();
        Game { start: self.position.clone(), position: self.position.clone(), moves: Vec::new(), keys }
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

    /// True if these moves are legal one after the other and none of them ends the game.
    pub fn goes_on_after(&self, line: &[Move]) -> bool {
        let mut game = self.clone();
        line.iter().all(|&mv| {
            let legal = game.position.is_legal(mv);
            if legal {
                game.push(mv);
            }
            legal && game.outcome().is_none()
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_uci;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new(Position::start());
        for text in moves {
            game.push(parse_uci(game.position(), text).unwrap());
        }
        game
    }

    #[test]
    fn a_prefix_is_the_game_as_it_was() {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4"];
        let whole = game(&shuffle);
        for moves in 0..=6 {
            let (part, as_it_was) = (whole.prefix(moves), game(&shuffle[..moves.min(5)]));
            assert_eq!((part.position(), part.moves()), (as_it_was.position(), as_it_was.moves()));
            assert_eq!(part.repetitions(), as_it_was.repetitions());
            assert_eq!(part.reversible_keys(), as_it_was.reversible_keys());
        }
    }

    #[test]
    fn a_game_goes_on_only_after_legal_moves_that_do_not_end_it() {
        let game = game(&["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]);
        let mv = |text| parse_uci(game.position(), text).unwrap();
        assert!(game.goes_on_after(&[mv("a7a6")]));
        assert!(!game.goes_on_after(&[mv("a7a6"), mv("a7a6")]), "not twice");
        assert!(!game.goes_on_after(&[mv("f6g8")]), "the third repetition");
    }
}
