//! Players inside this process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

use super::player::{Answer, Fault, Player, SearchReport, Turn};
use crate::engine::{Engine, Interrupt};
use crate::pgn::Evaluation;
use crate::rules::Position;
use crate::search::{Control, Limits, SearchResult};
use crate::types::{Color, Kind, Move};

/// This engine without a process around it, for tests and tuning.
pub struct EnginePlayer {
    engine: Engine,
    interrupt: Interrupt,
}

impl EnginePlayer {
    pub fn new(engine: Engine, interrupt: &Interrupt) -> EnginePlayer {
        EnginePlayer { engine, interrupt: interrupt.clone() }
    }
}

impl Player for EnginePlayer {
    fn new_game(&mut self, _number: u64, _seed: u64) -> Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        let asked = Instant::now();
        let limits = search_limits(turn);
        let control = Arc::new(Control::new(&limits));
        let _registration = self.interrupt.stops(&control);
        let result = self.engine.think(turn.game, &limits, &control, &mut |_| {});
        if self.interrupt.is_raised() {
            return Err(Fault::Interrupted);
        }
        let text = result.best.map(|mv| mv.to_string()).unwrap_or_default();
        Ok(Answer { line: format!("bestmove {text}"), text, elapsed: asked.elapsed(), report: report(&result) })
    }
}

fn search_limits(turn: &Turn) -> Limits {
    Limits {
        clocks: turn.clocks.map(|clock| clock.map(|clock| clock.remaining())),
        increments: turn.clocks.map(|clock| clock.map_or(Duration::ZERO, |clock| clock.increment())),
        moves_to_go: turn.clocks[turn.color().index()].and_then(|clock| clock.moves_to_go()),
        move_time: turn.limits.move_time,
        depth: turn.limits.depth,
        nodes: turn.limits.nodes,
        ..Limits::default()
    }
}

fn report(result: &SearchResult) -> SearchReport {
    let evaluation = match result.score.mate_moves() {
        Some(moves) => Evaluation::Mate(moves),
        None => Evaluation::Centipawns(result.score.0),
    };
    SearchReport { evaluation: Some(evaluation), depth: result.depth, nodes: result.nodes }
}

/// A weak opponent for reference: takes the most material that one move can take, and draws lots among equals.
///
/// It knows pawns, knights, bishops, rooks and queens as 1, 3, 3, 5 and 9, counts its own men that its Anti-King takes as
/// lost, and sees no mate.
pub struct GreedyPlayer {
    lots: Xoshiro256PlusPlus,
}

impl GreedyPlayer {
    pub fn new() -> GreedyPlayer {
        GreedyPlayer { lots: Xoshiro256PlusPlus::seed_from_u64(0) }
    }

    fn best_move(&mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let gain = |mv: Move| balance(&position.played(mv), position.turn());
        let most = moves.iter().map(|&mv| gain(mv)).max()?;
        let best: Vec<Move> = moves.into_iter().filter(|&mv| gain(mv) == most).collect();
        best.choose(&mut self.lots).copied()
    }
}

impl Default for GreedyPlayer {
    fn default() -> GreedyPlayer {
        GreedyPlayer::new()
    }
}

impl Player for GreedyPlayer {
    fn new_game(&mut self, _number: u64, seed: u64) -> Result<(), Fault> {
        self.lots = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        let asked = Instant::now();
        let text = self.best_move(turn.game.position()).map(|mv| mv.to_string()).unwrap_or_default();
        let report = SearchReport { depth: 1, ..SearchReport::default() };
        Ok(Answer { line: format!("bestmove {text}"), text, elapsed: asked.elapsed(), report })
    }
}

/// Material of one side less that of the other, in pawns.
fn balance(position: &Position, side: Color) -> i32 {
    let material = |color: Color| -> i32 {
        let values = [(Kind::Pawn, 1), (Kind::Knight, 3), (Kind::Bishop, 3), (Kind::Rook, 5), (Kind::Queen, 9)];
        values.iter().map(|&(kind, value)| value * position.pieces(color, kind).count() as i32).sum()
    };
    material(side) - material(!side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::limits::PlayLimits;
    use crate::rules::{Game, parse_fen};

    fn answers(fen: &str) -> Vec<String> {
        let game = Game::new(parse_fen(fen).unwrap().position);
        let mut player = GreedyPlayer::new();
        let answer = |seed| {
            player.new_game(1, seed).unwrap();
            player.choose(&Turn { game: &game, clocks: [None; 2], limits: &PlayLimits::default() }).unwrap().text
        };
        let mut answers: Vec<String> = (0..40).map(answer).collect();
        answers.sort();
        answers.dedup();
        answers
    }

    #[test]
    fn takes_the_most_and_draws_lots_among_equals() {
        // Either rook can be taken, or the own pawn by the Anti-King.
        let fen = "r6k/8/1N6/8/rp6/2A1a3/3P4/7K w - - 0 1";
        assert_eq!(answers(fen), ["b6a4", "b6a8"]);
        let all: Vec<String> = Position::start().legal_moves().iter().map(|mv| mv.to_string()).collect();
        let from_start = answers(&Position::start().fen());
        assert!(from_start.len() > 10 && from_start.iter().all(|text| all.contains(text)));
    }

    #[test]
    fn the_seed_decides() {
        let game = Game::new(Position::start());
        let turn = Turn { game: &game, clocks: [None; 2], limits: &PlayLimits::default() };
        let play = |seed| {
            let mut player = GreedyPlayer::new();
            player.new_game(1, seed).unwrap();
            (0..10).map(|_| player.choose(&turn).unwrap().text).collect::<Vec<_>>()
        };
        assert_eq!(play(7), play(7));
        assert_ne!(play(7), play(8));
    }
}
