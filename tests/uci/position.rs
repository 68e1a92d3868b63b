//! `position`: what is set up, what is refused, and what is kept then.

use antiking::rules::Position;

use crate::support::Engine;

fn fen(engine: &mut Engine) -> String {
    let shown = engine.ask("d");
    shown.iter().find_map(|line| line.strip_prefix("Fen: ")).unwrap().to_owned()
}

/// Sends `position` with `text`, which must give one line that names `named`, and be followed by a legal move.
fn complaint(engine: &mut Engine, text: &str, named: &str) {
    let answer = engine.ask(&format!("position {text}"));
    assert_eq!(answer.len(), 1, "{text}: {answer:?}");
    assert!(answer[0].starts_with("info string ") && answer[0].contains(named), "{text}: {answer:?}");
}

#[test]
fn a_bad_move_ends_the_list() {
    let mut engine = Engine::new();
    for (moves, named, number) in [
        ("e2e4 e7e5 d6d5 b8c6", "d6d5", 3),
        ("e2e4 e2e4", "e2e4", 2),
        ("e2", "e2", 1),
        ("zz99", "zz99", 1),
        ("0000", "0000", 1),
        ("e2e4 e7e5q", "e7e5q", 2),
        ("e2e4 é7é5", "é7é5", 2),
    ] {
        let text = format!("startpos moves {moves}");
        complaint(&mut engine, &text, named);
        complaint(&mut engine, &text, &format!("move {number}"));
        engine.position(&text);
        engine.ready();
        let played = antiking::rules::parse_fen(&fen(&mut engine)).unwrap().position.fullmove_number();
        assert_eq!(played as usize, 1 + (number - 1) / 2, "{text}");
        engine.go("go depth 3");
    }
    engine.position("startpos");
    engine.go("go depth 3");
}

#[test]
fn what_is_no_position_keeps_the_one_before() {
    let mut engine = Engine::new();
    for before in ["startpos", "startpos moves e2e4", "fen 4k3/8/8/2p5/1p6/A3a3/3P3P/R3K2R w KQ - 0 1"] {
        engine.position(before);
        let kept = fen(&mut engine);
        for (text, named) in [
            ("", "startpos"),
            ("fen", "empty"),
            ("startpos e2e4", "e2e4"),
            ("nonsense", "startpos"),
            ("fen rnbqkbnr/pppppppp/8/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Anti-King"),
            ("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4", "Anti-King"),
            ("fen rnbqkbnr/pppppppp/2AA4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Anti-King"),
            ("fen rnbq1bnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQ - 0 1", "King"),
            ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "King"),
            ("fen Pnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQk - 0 1", ""),
            ("fen rnbqkbnr/ppppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w - - 0 1", "squares"),
            ("fen rnbqkbnr/pppppppp/3A4/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rows"),
            ("fen rnbqkbnr/pppppppp/3A4/3a4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Anti-King"),
            ("fen rnb1kbnr/pppp1ppp/3A4/8/4q3/3a4/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "King"),
            ("fen rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq z9 0 1", "z9"),
            ("fen rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkqX - 0 1", "KQkqX"),
            ("fen knNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/KAnNnNaN w - - 0 1", ""),
        ] {
            complaint(&mut engine, text, named);
            assert_eq!(fen(&mut engine), kept, "{text}");
        }
        engine.go("go depth 2");
    }
}

#[test]
fn repairs_are_named_and_the_position_taken() {
    let mut engine = Engine::new();
    for (text, repaired) in [
        (
            "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBN1 w KQkq - 0 1",
            "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBN1 w Qkq - 0 1",
        ),
        ("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", Position::START_FEN),
        ("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq e3 0 1", Position::START_FEN),
    ] {
        complaint(&mut engine, &format!("fen {text}"), "dropped");
        assert_eq!(fen(&mut engine), repaired);
    }
}

#[test]
fn short_forms_and_empty_lists_are_taken() {
    let mut engine = Engine::new();
    for text in [
        "startpos moves",
        "fen rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq -",
        "fen rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1; moves",
    ] {
        engine.position("startpos moves e2e4");
        assert_eq!(engine.ask(&format!("position {text}")), [] as [&str; 0], "{text}");
        assert_eq!(fen(&mut engine), Position::START_FEN, "{text}");
    }
}

#[test]
fn the_old_position_stays_after_a_new_game() {
    let mut engine = Engine::new();
    engine.position("startpos moves e2e4");
    engine.send("ucinewgame");
    assert!(fen(&mut engine).contains(" b "));
}

#[test]
fn long_games_are_set_up_and_searched() {
    let mut engine = Engine::new();
    for cycles in [300, 2000] {
        engine.position(&format!("startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(cycles)));
        assert_eq!(engine.ready(), [] as [&str; 0]);
        let shown = engine.ask("d");
        assert!(shown.last().unwrap().contains("3-fold repetition"), "{shown:#?}");
        engine.go("go depth 4");
    }
}

#[test]
fn a_game_sent_again_after_every_move_is_followed() {
    let mut engine = Engine::new();
    let mut moves = String::new();
    let mut position = Position::start();
    for number in 0..600 {
        let legal = position.legal_moves();
        let Some(&mv) = legal.get(number * 7 % legal.len().max(1)) else { break };
        position = position.played(mv);
        moves.push_str(&format!(" {mv}"));
        engine.send(&format!("position startpos moves{moves}"));
    }
    assert_eq!(fen(&mut engine), position.fen());
}

#[test]
fn promotions_and_castling_are_read_and_written_as_uci() {
    let mut engine = Engine::new();
    let promotion = "fen 2a4k/1P1K4/2p5/3Ap3/8/P7/8/8 w - - 0 1";
    engine.position(promotion);
    let search = engine.go("go depth 4");
    assert_eq!((search.best.as_str(), search.last().score.as_str()), ("b7b8n", "mate 1"));
    let answer = engine.ask(&format!("position {promotion} moves b7b8N"));
    let board = fen(&mut engine);
    assert!(board.starts_with("1Na4k/") || answer.len() == 1 && board.starts_with("2a4k/1P"), "{board} {answer:?}");
    let castling = "fen 4k3/8/8/2p5/1p6/A3a3/3P3P/R3K2R w KQ - 0 1";
    engine.position(castling);
    assert_eq!(engine.go("go depth 4 searchmoves e1g1").best, "e1g1");
    engine.position(&format!("{castling} moves e1g1"));
    assert!(fen(&mut engine).starts_with("4k3/8/8/2p5/1p6/A3a3/3P3P/R4RK1 b "));
    for refused in ["e1h1", "O-O"] {
        complaint(&mut engine, &format!("{castling} moves {refused}"), refused);
    }
}

#[test]
fn finished_games_are_named_by_d() {
    let mut engine = Engine::new();
    for (text, named) in [
        ("fen 2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1", "mate"),
        ("fen 4K2k/8/6Q1/8/2P5/ap6/AP6/8 b - - 0 1", "stalemate"),
        ("fen rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 100 80", "fifty"),
        ("startpos", "none"),
    ] {
        engine.position(text);
        let shown = engine.ask("d");
        assert!(shown.last().unwrap().contains(named), "{text}: {shown:#?}");
    }
}
