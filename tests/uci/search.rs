//! What the search answers, as far as a GUI can see it.

use std::time::Duration;

use antiking::rules::Position;

use crate::support::{Engine, by_build};

const SHORT: Duration = Duration::from_millis(300);

const KING_MATED: &str = "fen 3kn2A/8/5N2/4P3/8/4p3/7r/5RaK w - - 0 1";
const ANTI_KING_MATED: &str = "fen 2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1";
const BOTH_MATED: &str = "fen 5k2/8/8/8/pP2n2a/6K1/6N1/6A1 w - - 0 1";
const STALEMATE: &str = "fen 4K2k/8/6Q1/8/2P5/ap6/AP6/8 b - - 0 1";
const BEFORE_STALEMATE: &str = "fen 4K2k/8/8/6Q1/2P5/ap6/AP6/8 w - - 0 1";
const MANY_MOVES: &str = "fen a2Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNAk w - - 0 1";

#[test]
fn finished_positions_get_no_move() {
    for (lines, threads) in [("1", "1"), ("3", "4")] {
        let mut engine = Engine::with_options(&[("MultiPV", lines), ("Threads", threads)]);
        for position in [KING_MATED, ANTI_KING_MATED, BOTH_MATED, STALEMATE] {
            engine.position("startpos");
            engine.go("go depth 3");
            engine.position(position);
            assert_eq!(engine.go("go depth 5").best, "(none)");
            assert_eq!(engine.go("go wtime 1000 btime 1000").best, "(none)");
            assert_eq!(engine.go_and_stop("go infinite", SHORT).best, "(none)");
            assert_eq!(engine.go_and_stop("go ponder", SHORT).best, "(none)");
        }
        engine.position("startpos");
        engine.go("go depth 3");
    }
}

#[test]
fn a_root_that_is_drawn_gets_a_move() {
    let mut engine = Engine::new();
    engine.position("fen rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 100 80");
    engine.go("go depth 4");
    engine.position(&format!("startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(3)));
    engine.go("go depth 4");
}

#[test]
fn mates_are_counted_in_full_moves() {
    let mut engine = Engine::new();
    for (position, score, best, after) in [
        ("fen 8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1", "mate 1", Some("e7g8"), None),
        ("fen 7n/1R6/1a4A1/8/K1k5/8/N7/8 w - - 0 1", "mate 2", None, None),
        ("fen 1k4A1/3P2B1/8/8/Nb1a2K1/4p3/2n5/8 w - - 0 1", "mate -1", Some("g8f8"), Some("g8f8")),
        ("fen K4R1n/8/2N5/8/4A3/2r5/3k1a2/8 w - - 0 1", "mate 1", None, None),
        ("fen 2a4k/1P1K4/2p5/3Ap3/8/P7/8/8 w - - 0 1", "mate 1", Some("b7b8n"), None),
    ] {
        let check = |engine: &mut Engine, go: &str| {
            engine.position(position);
            let search = engine.go(go);
            let last = search.last();
            let moves: i32 = score[5..].parse().unwrap();
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert_eq!((last.score.as_str(), last.pv.len()), (score, plies as usize), "{position}: {last:?}");
            assert!(best.is_none_or(|best| search.best == best), "{position}: {}", search.best);
            search
        };
        check(&mut engine, by_build("go depth 8", "go depth 5"));
        // The successor's search fills the table with other distances.
        let first = check(&mut engine, "go depth 4").best;
        engine.position(&format!("{position} moves {}", after.unwrap_or(&first)));
        engine.go("go depth 5");
        check(&mut engine, "go depth 5");
    }
}

#[test]
fn mates_by_quiet_moves_are_seen_at_depth_two() {
    let mut engine = Engine::new();
    for position in [
        "fen 8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1",
        "fen K4R1n/8/2N5/8/4A3/2r5/3k1a2/8 w - - 0 1",
        "fen 2a4k/1P1K4/2p5/3Ap3/8/P7/8/8 w - - 0 1",
    ] {
        engine.position(position);
        assert_eq!(engine.go("go depth 2").last().score, "mate 1", "{position}");
    }
}

#[test]
fn stalemate_is_a_draw_and_not_played_for() {
    let mut engine = Engine::new();
    engine.position(BEFORE_STALEMATE);
    assert_eq!(engine.go("go depth 5 searchmoves g5g6").last().score, "cp 0");
    assert_ne!(engine.go(by_build("go depth 10", "go depth 6")).best, "g5g6");
}

#[test]
fn a_winning_side_does_not_repeat() {
    let mut engine = Engine::new();
    engine.position("fen 4K2k/8/8/6Q1/2P5/ap6/AP6/8 w - - 0 1 moves g5g4 h8h7 g4g5 h7h8 g5g4 h8h7");
    assert_eq!(engine.go("go depth 6 searchmoves g4g5").last().score, "cp 0");
    let search = engine.go(by_build("go depth 10", "go depth 6"));
    assert!(search.last().value() > 0 && search.best != "g4g5", "{:?}", search.last());
    engine.send("setoption name MultiPV value 5");
    engine.position("startpos moves g1f3 g8f6 f3g1 f6g8");
    let search = engine.go(by_build("go depth 8", "go depth 5"));
    assert!(search.lines().iter().any(|info| info.value() != 0), "{search:#?}");
}

#[test]
fn every_move_has_a_scored_line_before_it() {
    let mut engine = Engine::with_options(&[("Hash", "1")]);
    engine.position("fen a7/2N1k1P1/7n/p7/A7/8/8/K7 w - - 0 1");
    engine.go("go wtime 1000 btime 1000");
    engine.position("startpos");
    engine.go("go depth 1");
    engine.go("go wtime 100 btime 100");
    engine.go(by_build("go depth 12", "go depth 6"));
}

#[test]
fn great_depths_end_within_bounds() {
    let mut engine = Engine::new();
    engine.position("fen 7k/5n2/3a4/8/3R4/1K3A2/5N2/6r1 w - - 0 1");
    let search = engine.go("go depth 1000");
    assert!(search.infos.iter().all(|info| info.depth <= 246 && info.selective_depth <= 246));
    engine.go_and_stop("go infinite", SHORT);
    engine.send("setoption name Threads value 4");
    engine.position(BEFORE_STALEMATE);
    engine.go("go movetime 2000");
}

#[test]
fn crowded_boards_obey() {
    let mut engine = Engine::new();
    engine.position(MANY_MOVES);
    engine.go("go depth 2");
    engine.go("go movetime 500");
    engine.go_and_stop("go infinite", SHORT);
}

#[test]
fn both_royals_in_check_are_searched() {
    for threads in ["1", "4"] {
        let mut engine = Engine::with_options(&[("Threads", threads)]);
        for position in [
            "fen n7/5A1K/5a2/8/3P3B/3b4/5Np1/4k3 w - - 0 1",
            "fen 8/8/5K2/8/3k4/6A1/2R1a3/5r1Q w - - 0 1",
            "fen 4k3/8/8/8/1r6/A3a3/3P3P/R3K2R w KQ - 0 1",
        ] {
            engine.position(position);
            engine.go(by_build("go depth 12", "go depth 6"));
        }
    }
}

/// Positions along one game of arbitrary moves.
fn wandering(count: usize) -> Vec<String> {
    let mut position = Position::start();
    let mut list = Vec::new();
    for number in 0..count {
        let legal = position.legal_moves();
        let Some(&mv) = legal.get(number * 11 % legal.len().max(1)) else { break };
        position = position.played(mv);
        list.push(format!("fen {position}"));
    }
    list
}

#[test]
fn lines_are_legal_also_with_a_small_table_and_many_threads() {
    let mut engine = Engine::with_options(&[("Hash", "1"), ("Threads", "4"), ("MultiPV", "2")]);
    for position in wandering(20) {
        engine.position(&position);
        engine.go("go movetime 100");
        engine.go("go mate 1 movetime 20");
        engine.go("go movetime 50");
    }
}

#[test]
fn mirrored_positions_score_the_same() {
    let mut engine = Engine::new();
    for (white, black) in [
        ("8/8/5K2/8/3k4/6A1/2R1a3/5r1Q w - - 0 1", "5R1q/2r1A3/6a1/3K4/8/5k2/8/8 b - - 0 1"),
        (
            "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        ),
    ] {
        let mut score = |fen: &str| {
            engine.send("ucinewgame");
            engine.position(&format!("fen {fen}"));
            engine.go("go depth 1").last().score.clone()
        };
        assert_eq!(score(white), score(black), "{white}");
    }
}
