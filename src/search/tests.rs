//! What needs a look behind the public face of the search.

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::transposition::Entry;
use super::worker::{NodeCounter, Shared, Worker};
use super::*;
use crate::eval::Network;
use crate::rules::{Game, Position, parse_fen};
use crate::types::{Bitboard, Color, MAX_PLY, Move, MoveFlag, Score, Square};

/// A search on one thread.
pub fn shared<'a>(
    table: &'a TranspositionTable,
    control: &'a Control,
    limits: &'a Limits,
    parameters: &'a Parameters,
    network: &'a Network,
) -> Shared<'a> {
    Shared {
        table,
        control,
        limits,
        budget: TimeBudget::new(limits, Color::White, Duration::ZERO),
        parameters,
        network,
        lines: 1,
        nodes: vec![NodeCounter::default()],
        finished: AtomicBool::new(false),
    }
}

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
        let network = Network::embedded();
        let shared = shared(&table, &control, &limits, &parameters, &network);
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

/// What quiescence says of a position within a window, with parameters and a fresh table; and what the table then knows.
fn quiesced(position: &Position, (alpha, beta): (Score, Score), parameters: &Parameters) -> (Score, Option<Entry>) {
    let (game, limits) = (Game::new(position.clone()), Limits::default());
    let (table, control) = (TranspositionTable::new(1).unwrap(), Control::new(&limits));
    let network = Network::embedded();
    let shared = shared(&table, &control, &limits, parameters, &network);
    let mut histories = Histories::new();
    let mut worker = Worker::new(&shared, &mut histories, 0, &game);
    let score = worker.quiescence::<true>(position, alpha, beta, 1);
    (score, table.probe(position.key(), 1))
}

/// Positions in check with a legal move, out of all that follow the boards of perft.
fn positions_in_check() -> impl Iterator<Item = Position> {
    let boards = include_str!("../../tests/data/perft.epd").lines().filter(|line| !line.starts_with('#'));
    let boards = boards.map(|line| parse_fen(line.split(';').next().unwrap()).unwrap().position);
    let next = boards.flat_map(|board| board.legal_moves().into_iter().map(move |mv| board.played(mv)));
    next.filter(|position| position.in_check() && position.has_legal_move())
}

/// However few evasions are tried, a position in which one of them helps is not mated.
#[test]
fn leaving_evasions_out_makes_no_mate() {
    let window = (-Score::INFINITE, Score::INFINITE);
    let few = Parameters { quiescence_evasions: 0, ..Parameters::default() };
    let many = Parameters { quiescence_evasions: 20, ..Parameters::default() };
    let mut saved = 0;
    for position in positions_in_check().step_by(5) {
        let [few, many] = [&few, &many].map(|parameters| quiesced(&position, window, parameters).0);
        let mated = |score: Score| score.is_mate() && score < Score::DRAW;
        assert_eq!(mated(few), mated(many), "{position}");
        saved += usize::from(!mated(few));
    }
    assert!(saved > 20, "{saved}");
}

#[test]
fn an_evaluation_that_ends_quiescence_is_stored_and_says_nothing_else() {
    let position = Position::start();
    let (alpha, beta) = (Score(-900), Score(-899));
    let (score, known) = quiesced(&position, (alpha, beta), &Parameters::default());
    let known = known.unwrap();
    assert_eq!(known.evaluation, Some(score));
    assert!(score >= beta && !known.settles(alpha, beta) && !known.bounds(score));
}

/// Goes as deep as it can from the start, trying quiet moves in a random order; returns the ply reached.
fn dive(histories: &mut Histories) -> usize {
    let game = Game::new(Position::start());
    let table = TranspositionTable::new(1).unwrap();
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    let control = Control::new(&limits);
    let parameters = Parameters::default();
    table.start_search();
    let network = Network::embedded();
    let shared = shared(&table, &control, &limits, &parameters, &network);
    let mut worker = Worker::new(&shared, histories, 0, &game);
    worker.negamax::<true>(game.position(), -Score::INFINITE, Score::INFINITE, i32::from(i16::MAX), 1, false);
    worker.selective_depth
}

/// Repetitions and the fifty-move rule end most paths long before the greatest ply.
#[test]
fn the_greatest_ply_takes_less_than_a_quarter_of_the_stack() {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let reaches_greatest_ply = |_| {
        let mut histories = Histories::new();
        for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
            if from != to {
                let mv = Move::new(from, to, MoveFlag::Normal);
                for color in Color::ALL {
                    let (from, to) = (from.bitboard(), to.bitboard());
                    for threatened in [Bitboard::EMPTY, from, to, from | to] {
                        histories.quiet.update(color, mv, threatened, random.random_range(-16_000..16_000));
                    }
                }
            }
        }
        let thread = thread::Builder::new().stack_size(STACK / 4).spawn(move || dive(&mut histories)).unwrap();
        thread.join().unwrap() == MAX_PLY - 1
    };
    assert!((0..1_000).any(reaches_greatest_ply));
}
