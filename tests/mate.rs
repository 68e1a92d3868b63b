//! `antiking mate` through the real binary, and the proofs held against the collection of proven mates.

mod support;

use std::ops::ControlFlow;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use antiking::mate::Prover;
use antiking::rules::{Game, MateKind, Position, parse_fen};
use serde_json::Value;
use support::{binary, by_build};

const ANTI_MATE_IN_ONE: &str = "8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1";
const DEFENDER_CHOOSES: &str = "3k1b1r/2q3pp/Q2ABp2/8/P7/3a1PP1/4P2P/R4R1K w - - 1 36";

/// A line of the collection.
struct Known {
    fen: &'static str,
    moves: u32,
    kind: &'static str,
    /// In alphabetical order.
    first_moves: Vec<String>,
}

fn known(moves: u32) -> impl Iterator<Item = Known> {
    let lines = include_str!("data/mates.epd").lines().filter(|line| !line.starts_with('#'));
    let known = lines.map(|line| {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap();
        let field = |name: &str| fields.clone().find_map(|field| field.strip_prefix(name)).unwrap().trim();
        let moves = field("dm ").parse().unwrap();
        Known { fen, moves, kind: field("kind "), first_moves: sorted(field("bm ").split(' ')) }
    });
    known.filter(move |known| known.moves == moves)
}

fn sorted<T: ToString>(moves: impl IntoIterator<Item = T>) -> Vec<String> {
    let mut moves: Vec<String> = moves.into_iter().map(|mv| mv.to_string()).collect();
    moves.sort_unstable();
    moves
}

/// Holds the library's proof against a line.
fn assert_known(known: &Known) {
    let game = Game::new(parse_fen(known.fen).unwrap().position);
    let proof = Prover::new(1).unwrap().prove(&game, known.moves + 1, &mut |_| ControlFlow::Continue(())).unwrap();
    let mate = proof.mate.unwrap_or_else(|| panic!("no mate in {}", known.fen));
    let kind = match mate.kind() {
        Some(MateKind::King) => "king",
        Some(MateKind::AntiKing) => "anti",
        Some(MateKind::Both) => "both",
        None => "mixed",
    };
    let first_moves = sorted(mate.first_moves.iter().map(|first| first.mv));
    assert_eq!((mate.moves, kind, &first_moves), (known.moves, known.kind, &known.first_moves), "{}", known.fen);
    let mut end = game;
    mate.line.iter().for_each(|&mv| end.push(mv));
    assert!(end.outcome().is_some_and(|outcome| outcome.winner().is_some()), "{:?} in {}", mate.line, known.fen);
}

fn run(arguments: &[&str]) -> Output {
    binary(&[&["mate", "--hash", "1"], arguments].concat()).stdin(Stdio::null()).output().unwrap()
}

/// Standard output of a command that must say nothing else.
fn stdout(arguments: &[&str], status: i32) -> String {
    let output = run(arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), message.as_str()), (Some(status), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str], status: i32) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--json"]].concat(), status)).unwrap()
}

/// Holds what the binary prints against a line.
fn assert_printed(known: &Known) {
    let value = json(&[known.fen, &known.moves.to_string()], 0);
    let first_moves = value["first_moves"].as_array().unwrap().iter().map(|first| first["move"].as_str().unwrap());
    assert_eq!(value["mate"], Value::from(known.moves), "{value}");
    assert_eq!(value["kind"].as_str(), Some(known.kind), "{value}");
    assert_eq!(sorted(first_moves), known.first_moves, "{value}");
    assert_eq!(value["line"].as_array().unwrap().len() as u32, 2 * known.moves - 1, "{value}");
    assert_eq!(value["no_mate_within"], Value::from(known.moves - 1), "{value}");
}

#[test]
fn known_mates_in_one_and_two_are_proved() {
    known(1).chain(known(2)).for_each(|known| assert_known(&known));
}

#[test]
fn known_mates_in_three_are_proved() {
    known(3).step_by(by_build(1, 6)).for_each(|known| assert_known(&known));
}

#[test]
fn the_binary_prints_what_is_known() {
    for moves in 1..=3 {
        known(moves).step_by(by_build(12, 30)).for_each(|known| assert_printed(&known));
    }
}

/// `cargo test --release --test mate -- --ignored`
#[test]
#[ignore = "every line through the binary"]
fn the_binary_prints_all_that_is_known() {
    let mut lines = 0;
    for moves in 1..=4 {
        known(moves).for_each(|known| {
            assert_printed(&known);
            lines += 1;
        });
    }
    assert_eq!(lines, 380);
}

#[test]
fn a_mate_is_told_in_words() {
    let text = stdout(&[ANTI_MATE_IN_ONE, "3"], 0);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..4], ["mate in 1, anti", "first moves:", "  Ng8#     anti", "main line: 1. Ng8#"], "{text}");
    assert!(lines[4].starts_with("proved with "), "{text}");
    let text = stdout(&["startpos", "moves", "e4", "2"], 1);
    assert!(text.starts_with("no mate in 2 moves or fewer\nproved with "), "{text}");
    let mated = "2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1";
    assert!(stdout(&[mated, "1"], 1).starts_with("the game is over: "));
}

#[test]
fn it_is_told_who_chooses() {
    if cfg!(not(debug_assertions)) {
        assert_eq!(json(&[DEFENDER_CHOOSES, "4"], 0)["chooser"], "defender");
    }
    let value = json(&["7n/1R6/1a4A1/8/K1k5/8/N7/8 w - - 0 1", "2"], 0);
    assert_eq!((&value["kind"], &value["chooser"]), (&Value::from("mixed"), &Value::from("attacker")), "{value}");
}

#[test]
fn positions_come_in_every_form() {
    let unquoted: Vec<&str> = ANTI_MATE_IN_ONE.split(' ').chain(["1"]).collect();
    assert_eq!(json(&unquoted, 0)["first_moves"][0]["san"], "Ng8#");
    let value = json(&["2"], 1);
    assert!(value["fen"].as_str().unwrap().starts_with("rnbqkbnr/"), "{value}");
    assert_eq!((&value["mate"], &value["no_mate_within"]), (&Value::Null, &Value::from(2)), "{value}");
}

#[test]
fn bad_input_is_refused() {
    for arguments in [
        &[][..],
        &["startpos"],
        &["startpos", "0"],
        &["startpos", "101"],
        &["startpos", "-1"],
        &["startpos", "two"],
        &["nonsense", "1"],
        &["8/8/8/8/8/8/8/8 w - - 0 1", "1"],
        &["startpos", "moves", "e2e5", "1"],
        &["startpos", "1", "--hash", "0"],
    ] {
        let output = run(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {message}");
        assert!(message.starts_with("error: "), "{arguments:?}: {message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_proof_tells_what_it_has_proved() {
    let interrupted = |arguments: &[&str]| {
        let command = [&["mate", "startpos", "100"], arguments].concat();
        let child =
            binary(&command).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A proof of a hundred moves takes for ever.
        let deadline = Instant::now() + Duration::from_secs(60);
        while !handles_interrupts(child.id()) {
            assert!(Instant::now() < deadline, "no handler for Ctrl-C");
            thread::sleep(Duration::from_millis(5));
        }
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{message}");
        assert!(message.starts_with("interrupted: ") && message.lines().count() == 1, "{message}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(interrupted(&[]), "");
    let value: Value = serde_json::from_str(&interrupted(&["--json"])).unwrap();
    assert_eq!((&value["interrupted"], &value["mate"]), (&Value::from(true), &Value::Null), "{value}");
}

/// True once the process has set up what Ctrl-C does.
#[cfg(target_os = "linux")]
fn handles_interrupts(process: u32) -> bool {
    const INTERRUPT: u64 = 1 << (2 - 1);
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & INTERRUPT != 0
}

#[test]
fn the_status_is_the_answer_though_nobody_reads_the_other() {
    for (position, status) in [(ANTI_MATE_IN_ONE, 0), (Position::START_FEN, 1)] {
        let mut child = binary(&["mate", position, "1"]).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(status), "{position}");
    }
}
