//! What needs a look behind the public face of the search.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::worker::{NodeCounter, Shared, Worker};
use super::*;
use crate::eval::Weights;
use crate::rules::{Game, parse_fen};
use crate::types::{Color, Move};

/// A table that takes positions for each other hands out moves that are not legal and scores that mean nothing; the
/// search must neither play the former nor fall over the latter.
#[test]
fn mistaken_hash_entries_do_no_harm() {
    let table = TranspositionTable::new(1).unwrap().with_key_mask(0xff);
    let boards = include_str!("../../tests/data/perft.epd").lines().filter(|line| !line.starts_with('#'));
    for line in boards.step_by(4) {
        let game = Game::new(parse_fen(line.split(';').next().unwrap()).unwrap().position);
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        let control = Control::new(&limits);
        let parameters = Parameters::default();
        table.start_search();
        let shared = Shared {
            table: &table,
            control: &control,
            limits: &limits,
            budget: TimeBudget::new(&limits, Color::White, Duration::ZERO),
            parameters: &parameters,
            weights: &Weights::DEFAULT,
            lines: 1,
            nodes: vec![NodeCounter::default()],
            finished: AtomicBool::new(false),
        };
        let moves: Vec<Move> = game.position().legal_moves().to_vec();
        let mut histories = Histories::new();
        let findings = Worker::new(&shared, &mut histories, 0, &game).deepen(&moves, &mut |_| {});
        let mut position = game.position().clone();
        for &mv in &findings.lines[0].pv {
            assert!(position.is_legal(mv), "{mv} in {position}");
            position = position.played(mv);
        }
    }
}
