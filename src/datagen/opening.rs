use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use thiserror::Error;

use crate::rules::{Game, Position};
use crate::types::Move;

/// How games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSettings {
    /// Random plies from the start position; as chance has it there is one more, so that either side is to move.
    pub random_plies: u16,
    /// How often, in percent, an Anti-King is moved where it can be. Among all moves its few would be rare.
    pub anti_king_share: u8,
    /// The greatest distance of the score from zero, centipawns.
    pub bound: u16,
}

/// No random moves led to a position that can be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}: of {attempts} random openings none was within --opening-bound; raise it or lower --random-plies")]
pub struct NoOpening {
    pub game: u32,
    pub attempts: u32,
}

impl OpeningSettings {
    /// The position after random moves; `None` if the game has ended by then, or the side to move is in check.
    pub fn draw(&self, random: &mut impl Rng) -> Option<Position> {
        let mut game = Game::new(Position::start());
        let plies = u32::from(self.random_plies) + random.random_range(0..=1);
        for _ in 0..plies {
            if game.outcome().is_some() {
                return None;
            }
            let mv = self.draw_move(game.position(), random)?;
            game.push(mv);
        }
        let is_playable = game.outcome().is_none() && !game.position().in_check();
        is_playable.then(|| game.position().clone())
    }

    /// A random legal move; `None` if there is none.
    fn draw_move(&self, position: &Position, random: &mut impl Rng) -> Option<Move> {
        let anti_king = position.anti_king(position.turn());
        let (steps, others): (Vec<Move>, Vec<Move>) =
            position.legal_moves().into_iter().partition(|mv| mv.from() == anti_king);
        let prefers_step = random.random_range(0..100) < self.anti_king_share;
        let (first, second) = if prefers_step { (steps, others) } else { (others, steps) };
        first.choose(random).or_else(|| second.choose(random)).copied()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;
    use crate::types::{Color, Kind};

    fn moves(share: u8, count: usize) -> Vec<Move> {
        let settings = OpeningSettings { random_plies: 8, anti_king_share: share, bound: 0 };
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let start = Position::start();
        (0..count).map(|_| settings.draw_move(&start, &mut random).unwrap()).collect()
    }

    #[test]
    fn anti_kings_move_as_often_as_was_asked() {
        let start = Position::start();
        let steps = |share| {
            let is_step = |mv: &&Move| start.piece_on(mv.from()).map(|piece| piece.kind()) == Some(Kind::AntiKing);
            moves(share, 1_000).iter().filter(is_step).count()
        };
        assert_eq!((steps(0), steps(100)), (0, 1_000));
        let quarter = steps(25);
        assert!((190..310).contains(&quarter), "{quarter} of 1000");
    }

    #[test]
    fn all_moves_have_their_chance() {
        let mut seen: Vec<u16> = moves(50, 1_000).into_iter().map(Move::code).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), Position::start().legal_moves().len());
    }

    #[test]
    fn openings_are_in_no_check_and_leave_either_side_to_move() {
        let settings = OpeningSettings { random_plies: 8, anti_king_share: 25, bound: 0 };
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let drawn: Vec<_> = (0..400).map(|_| settings.draw(&mut random)).collect();
        let kept: Vec<&Position> = drawn.iter().flatten().collect();
        assert!(kept.len() < drawn.len(), "none was thrown away");
        assert!(kept.iter().all(|position| !position.in_check() && position.has_legal_move()));
        let white = kept.iter().filter(|position| position.turn() == Color::White).count();
        assert!(white > 50 && kept.len() - white > 50, "{white} of {}", kept.len());
    }
}
