use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::bytes::put;
use super::opening::NoOpening;
use super::record::Record;
use super::settings::Settings;
use crate::engine::Engine;
use crate::engine::options::Options;
use crate::eval::Network;
use crate::rules::{Game, Position};
use crate::search::{Control, Limits, Parameters, SearchResult, TableError};
use crate::types::{Move, Score};

/// Random openings that are tried for a game.
const OPENING_ATTEMPTS: u32 = 1_000;

/// An engine that plays against itself, on one thread.
pub struct SelfPlay {
    engine: Engine,
    settings: Settings,
}

/// What is recorded while the end of the game is not known yet.
struct Moment {
    position: Position,
    /// For White.
    score: Score,
    best: Move,
    depth: u32,
}

impl SelfPlay {
    /// A player with these settings that evaluates with the network.
    ///
    /// # Errors
    /// When the transposition table cannot be allocated.
    pub fn new(settings: &Settings, network: Arc<Network>) -> Result<SelfPlay, TableError> {
        let options = Options { hash: settings.hash, ..Options::default() };
        let engine = Engine::with_network(options, Parameters::default(), network)?;
        Ok(SelfPlay { engine, settings: settings.clone() })
    }

    /// Plays the game with a number, always in the same way, and returns its records, at least one.
    ///
    /// # Errors
    /// When no opening is found.
    pub fn play(&mut self, number: u32) -> Result<Vec<Record>, NoOpening> {
        self.engine.new_game();
        let mut game = Game::new(self.opening(number)?);
        let mut moments = Vec::new();
        let outcome = loop {
            if let Some(outcome) = game.outcome() {
                break outcome;
            }
            let result = self.think(&game);
            let best = result.best.expect("a game that goes on has a legal move");
            let position = game.position().clone();
            let score = result.score.for_white(position.turn());
            moments.push(Moment { position, score, best, depth: result.depth });
            game.push(best);
        };
        let count = moments.len();
        let records = moments.into_iter().enumerate().map(|(index, moment)| Record {
            position: moment.position,
            score: moment.score,
            best: moment.best,
            depth: moment.depth as u8,
            game: number,
            outcome,
            is_last: index + 1 == count,
        });
        Ok(records.collect())
    }

    /// A random opening that is about level for a search with the limits of the game.
    fn opening(&mut self, number: u32) -> Result<Position, NoOpening> {
        let mut random = stream(self.settings.seed, number);
        let settings = self.settings.openings.clone();
        let mut drawn = (0..OPENING_ATTEMPTS).filter_map(|_| settings.draw(&mut random));
        let opening = drawn.find(|position| self.is_level(position));
        opening.ok_or(NoOpening { game: number, attempts: OPENING_ATTEMPTS })
    }

    fn is_level(&mut self, position: &Position) -> bool {
        self.think(&Game::new(position.clone())).score.0.abs() <= self.settings.openings.bound.into()
    }

    fn think(&mut self, game: &Game) -> SearchResult {
        let limits = Limits {
            soft_nodes: Some(self.settings.soft_nodes),
            nodes: Some(self.settings.hard_nodes),
            ..Limits::default()
        };
        self.engine.think(game, &limits, &Control::new(&limits), &mut |_| {})
    }
}

/// The stream of random numbers of a game.
fn stream(seed: u64, number: u32) -> ChaCha8Rng {
    let mut bytes = [0; 32];
    put(&mut bytes, 0, seed.to_le_bytes());
    put(&mut bytes, 8, number.to_le_bytes());
    ChaCha8Rng::from_seed(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::settings::test_settings;
    use super::*;
    use crate::pgn::GameResult;
    use crate::rules::{Outcome, parse_fen};
    use crate::types::Color;

    #[test]
    fn records_replay_to_the_result() {
        let mut player = SelfPlay::new(&test_settings(), Network::embedded()).unwrap();
        let games = if cfg!(debug_assertions) { 6 } else { 30 };
        let mut won = [0; 2];
        // Beyond these until either side has won, in a few games more.
        for number in 0..games + 30 {
            if number >= games && won[0] > 0 && won[1] > 0 {
                break;
            }
            let records = player.play(number).unwrap();
            let mut game = Game::new(records[0].position.clone());
            for (index, record) in records.iter().enumerate() {
                assert_eq!(game.position(), &record.position);
                assert_eq!(game.outcome(), None);
                assert_eq!(record.is_last, index + 1 == records.len());
                game.push(record.best);
            }
            let outcome = game.outcome().unwrap();
            assert!(records.iter().all(|record| record.outcome == outcome));
            let Outcome::Mate { loser, .. } = outcome else { continue };
            // The mover of the last record has won, and saw it: for White above zero, for Black below.
            let last = records.last().unwrap();
            assert_eq!(last.position.turn(), !loser);
            let (score, result) = match loser {
                Color::Black => (Score::mating(1), GameResult::WhiteWins),
                Color::White => (-Score::mating(1), GameResult::BlackWins),
            };
            assert_eq!((last.score, last.result()), (score, result));
            won[loser.opponent().index()] += 1;
        }
        assert!(won[0] > 0 && won[1] > 0, "{won:?} games won by either side");
    }

    #[test]
    fn openings_differ_and_are_level() {
        let mut player = SelfPlay::new(&test_settings(), Network::embedded()).unwrap();
        let openings: Vec<Position> = (0..12).map(|number| player.opening(number).unwrap()).collect();
        for (index, opening) in openings.iter().enumerate() {
            assert!(!openings[..index].contains(opening), "{opening} twice");
        }
        let without_officers = "4k3/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR";
        for (board, is_level) in [("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR", true), (without_officers, false)]
        {
            for turn in ["w", "b"] {
                let position = parse_fen(&format!("{board} {turn} - - 0 1")).unwrap().position;
                assert_eq!(player.is_level(&position), is_level, "{position}");
            }
        }
    }
}
