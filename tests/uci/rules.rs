//! The rules as a GUI sees them: which moves are legal.

use crate::support::Engine;

/// The legal moves by `go perft 1`, sorted.
fn legal_moves(engine: &mut Engine, fen: &str) -> Vec<String> {
    engine.position(&format!("fen {fen}"));
    engine.send("go perft 1");
    let lines = engine.wait_for("Nodes searched");
    let mut moves: Vec<String> = lines
        .iter()
        .filter_map(|line| line.strip_suffix(": 1"))
        .filter(|mv| mv.len() <= 5)
        .map(str::to_owned)
        .collect();
    moves.sort_unstable();
    moves
}

#[test]
fn a_king_attacks_no_anti_king() {
    let mut engine = Engine::new();
    assert_eq!(legal_moves(&mut engine, "8/8/8/4k3/4A3/5a2/6P1/2b3K1 w - - 0 1"), ["e4e3", "e4f4"]);
    engine.go("go depth 4");
    assert_eq!(legal_moves(&mut engine, "8/8/8/8/4k3/4Aa2/6P1/2b3K1 b - - 0 1").len(), 9);
}

#[test]
fn royals_are_not_captured() {
    let mut engine = Engine::new();
    let moves = legal_moves(&mut engine, "4k3/8/8/2p5/1p6/A6N/3P1a1P/R3K2R w KQ - 0 1");
    assert_eq!(moves.len(), 16);
    assert!(!moves.contains(&"e1f2".to_owned()));
    let moves = legal_moves(&mut engine, "8/7k/8/3n4/4PAa1/5K2/5N1p/4r3 w - - 0 1");
    assert_eq!(moves.len(), 9);
    assert!(moves.contains(&"f4e4".to_owned()));
    assert!(!moves.iter().any(|mv| ["f4f3", "f4g4"].contains(&mv.as_str())));
}

#[test]
fn en_passant_asks_for_both_royals() {
    let mut engine = Engine::new();
    let barred = legal_moves(&mut engine, "4k3/8/8/3pP3/4A3/4a3/3P4/4K3 w - d6 0 1");
    assert_eq!((barred.len(), barred.contains(&"e5d6".to_owned())), (7, false));
    let evasion = legal_moves(&mut engine, "7k/8/4A3/3pP3/2a5/1P2q3/8/K7 w - d6 0 1");
    assert_eq!((evasion.len(), evasion.contains(&"e5d6".to_owned())), (2, true));
}

#[test]
fn castling_asks_for_both_royals() {
    let mut engine = Engine::new();
    for (fen, count, castling) in [
        ("4k3/8/8/2p5/1p6/A3a3/3P3P/R3K2R w KQ - 0 1", 16, vec!["e1c1", "e1g1"]),
        ("4k3/8/8/8/1r6/A3a3/3P3P/R3K2R w KQ - 0 1", 3, vec![]),
        ("3rk3/8/8/2p5/1p6/A3a3/5P1P/R3K2R w KQ - 0 1", 13, vec!["e1g1"]),
        ("4k3/8/8/2p5/1p6/A6N/3P1a1P/R3K2R w KQ - 0 1", 16, vec!["e1c1", "e1g1"]),
    ] {
        let moves = legal_moves(&mut engine, fen);
        let castled: Vec<&String> = moves.iter().filter(|mv| ["e1c1", "e1g1"].contains(&mv.as_str())).collect();
        assert_eq!(
            (moves.len(), castled),
            (count, castling.iter().map(|mv| (*mv).to_owned()).collect::<Vec<_>>().iter().collect()),
            "{fen}"
        );
    }
}

#[test]
fn a_double_check_of_two_royals_is_answered_as_one() {
    let mut engine = Engine::new();
    for (fen, count) in [
        ("n7/5A1K/5a2/8/3P3B/3b4/5Np1/4k3 w - - 0 1", 1),
        ("8/8/5K2/8/3k4/6A1/2R1a3/5r1Q w - - 0 1", 3),
        ("K4R1n/8/2N5/8/4A3/2r5/3k1a2/8 w - - 0 1", 3),
    ] {
        assert_eq!(legal_moves(&mut engine, fen).len(), count, "{fen}");
    }
    assert_eq!(legal_moves(&mut engine, "n7/5A1K/5a2/8/3P3B/3b4/5Np1/4k3 w - - 0 1"), ["f7g6"]);
}

#[test]
fn crowded_boards_have_all_their_moves() {
    let mut engine = Engine::new();
    assert_eq!(legal_moves(&mut engine, "a2Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNAk w - - 0 1").len(), 208);
}
