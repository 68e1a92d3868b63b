//! What other tests here try for a moment, at the length at which a GUI does it. Together some minutes, ignored by default:
//! `cargo test --release --test uci -- --ignored`.

use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use antiking::rules::{Game, Position};

use crate::support::Engine;

const SECOND: Duration = Duration::from_secs(1);
const ONE_MOVE: &str = "fen a7/2N1k1P1/7n/p7/A7/8/8/K7 w - - 0 1";
const LOST_IN_ONE: &str = "fen 7k/5n2/3a4/8/3R4/1K3A2/5N2/6r1 w - - 0 1";

#[test]
#[ignore = "a minute"]
fn long_infinite_and_pondering_searches_answer_only_after_stop() {
    let mut engine = Engine::with_options(&[("Ponder", "true")]);
    for position in [ONE_MOVE, LOST_IN_ONE] {
        engine.position(position);
        engine.go_and_stop("go infinite", 10 * SECOND);
        engine.go_and_stop("go ponder wtime 1000 btime 1000", 5 * SECOND);
        engine.go_and_stop("go depth 4 infinite", 5 * SECOND);
    }
    engine.position("startpos moves e2e4 e7e5");
    for (go, allowed) in [("go ponder wtime 2000 btime 2000 winc 20 binc 20", 500), ("go ponder movetime 300", 310)] {
        engine.send(go);
        let before = engine.listen(5 * SECOND);
        assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{go}");
        let hit = std::time::Instant::now();
        engine.send("ponderhit");
        engine.search(before);
        assert!(hit.elapsed() <= Duration::from_millis(10 * allowed), "{go}: {:?}", hit.elapsed());
    }
}

#[test]
#[ignore = "a minute"]
fn the_greatest_depth_is_reached_and_not_passed() {
    let mut engine = Engine::new();
    engine.position(LOST_IN_ONE);
    engine.go("go depth 1000");
    engine.go_and_stop("go infinite", 20 * SECOND);
    engine.send("setoption name Threads value 4");
    engine.position("fen 4K2k/8/8/6Q1/2P5/ap6/AP6/8 w - - 0 1");
    let search = engine.go("go movetime 20000");
    assert!(search.infos.iter().all(|info| info.depth <= 246 && info.selective_depth <= 246));
}

/// Positions from games of arbitrary moves.
fn game_positions(count: usize) -> Vec<String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(50);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = Game::new(Position::start());
        for _ in 0..random.random_range(4..120) {
            let legal = game.position().legal_moves();
            if game.outcome().is_some() {
                break;
            }
            game.push(legal[random.random_range(0..legal.len())]);
        }
        if game.outcome().is_none() {
            positions.push(format!("fen {}", game.position()));
        }
    }
    positions
}

#[test]
#[ignore = "minutes"]
fn every_line_of_deep_searches_is_legal() {
    let mut engine = Engine::new();
    engine.position("startpos");
    engine.go("go depth 12");
    for options in [&[("Threads", "1")][..], &[("MultiPV", "4")], &[("MultiPV", "1"), ("Threads", "4"), ("Hash", "1")]]
    {
        for (name, value) in options {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        for position in game_positions(50) {
            engine.position(&position);
            engine.go("go depth 12 movetime 5000");
            engine.go("go mate 2 movetime 50");
            engine.go("go movetime 50");
        }
    }
}

#[test]
#[ignore = "a minute"]
fn a_small_table_torn_by_many_threads_gives_legal_moves() {
    let mut engine = Engine::with_options(&[("Hash", "1"), ("Threads", "4")]);
    for position in game_positions(20) {
        engine.position(&position);
        engine.go("go movetime 3000");
    }
}
