//! `antiking show` and `antiking explain` through the real binary.

mod support;

use std::fs;
use std::process::{Output, Stdio};

use serde_json::Value;
use support::binary;

const BOTH_MATED: &str = "rnbqkbnr/pppp1Qpp/1A6/4p3/4P2a/8/PPPP1PPP/RNB1KBNR b KQkq - 0 3";
const LAST_ATTACKER: &str = "7k/8/2B5/3p4/4A3/4a3/3P4/4K3 w - - 0 1";

fn run(arguments: &[&str]) -> Output {
    binary(arguments).stdin(Stdio::null()).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), message.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {message}");
    assert!(message.starts_with("error: "), "{arguments:?}: {message}");
    message
}

/// Checks that every tag is closed in its order, and returns how often each element stands in the text.
fn elements(svg: &str) -> std::collections::HashMap<String, usize> {
    let mut open: Vec<&str> = Vec::new();
    let mut counts = std::collections::HashMap::new();
    for tag in svg.split('<').skip(1).map(|tag| tag.split('>').next().unwrap()) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{svg}");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        *counts.entry(name.to_owned()).or_default() += 1;
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    counts
}

#[test]
fn boards_are_text_without_a_file() {
    let text = stdout(&["show"]);
    assert!(text.lines().nth(1).unwrap().ends_with("| r | n | b | q | k | b | n | r | 8"), "{text}");
    let text = stdout(&["show", "startpos", "--flip"]);
    assert!(text.lines().nth(1).unwrap().ends_with("| R | N | B | K | Q | B | N | R | 1"), "{text}");
    assert!(text.ends_with("h   g   f   e   d   c   b   a\n"), "{text}");
    let moved = stdout(&["show", "startpos", "--moves", "e4", "e7e5"]);
    assert_eq!(moved, stdout(&["show", "startpos", "moves", "e2e4", "e5"]));
    assert_eq!(moved, stdout(&["show", "startpos moves e2e4", "--moves", "e5"]));
}

#[test]
fn diagrams_are_well_formed_and_hold_every_man() {
    let svg = stdout(&["show", "--svg", "-"]);
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 880 880\""), "{svg}");
    let elements = elements(&svg);
    // The rim and the squares; the coordinates; a group for each man with two inside, and one for the coordinates.
    assert_eq!((elements["rect"], elements["text"], elements["g"]), (65, 16, 34 * 3 + 1));
    assert_eq!(svg.matches("rotate(180 50 50)").count(), 2, "two Anti-Kings stand on their heads");
    assert!(!svg.contains("href") && !svg.contains("url("), "nothing comes from elsewhere");
}

#[test]
fn diagrams_mark_the_last_move_and_checks() {
    let marked = |arguments: &[&str], color: &str| {
        let svg = stdout(&[&["show", "--svg", "-"], arguments].concat());
        elements(&svg);
        svg.matches(&format!("fill=\"{color}\"")).count()
    };
    let (last_move, check) = ("#e6c93a", "#d8232a");
    assert_eq!((marked(&["startpos"], last_move), marked(&["startpos", "moves", "e4"], last_move)), (0, 2));
    assert_eq!((marked(&["startpos"], check), marked(&[BOTH_MATED], check)), (0, 2));
    let anti_check = ["8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1", "--moves", "Ng8"];
    assert_eq!((marked(&anti_check, check), marked(&anti_check, last_move)), (1, 2));
}

#[test]
fn a_flipped_diagram_turns_men_and_coordinates() {
    let (white, black) = (stdout(&["show", "--svg", "-"]), stdout(&["show", "--flip", "--svg", "-"]));
    // White's h1 is Black's upper left corner.
    assert!(white.contains("<text x=\"90\" y=\"868\">a</text>") && black.contains("<text x=\"90\" y=\"868\">h</text>"));
    assert!(white.contains("<text x=\"20\" y=\"98\">8</text>") && black.contains("<text x=\"20\" y=\"98\">1</text>"));
}

#[test]
fn diagrams_go_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.svg");
    assert_eq!(stdout(&["show", BOTH_MATED, "--svg", path.to_str().unwrap()]), "");
    assert_eq!(fs::read_to_string(&path).unwrap(), stdout(&["show", BOTH_MATED, "--svg", "-"]));
    let nowhere = folder.path().join("no-such-folder/board.svg");
    assert!(refusal(&["show", "--svg", nowhere.to_str().unwrap()]).contains("no-such-folder"));
}

#[test]
fn explanations_read_well() {
    let text = stdout(&["explain"]);
    for line in [
        "White to move, with 20 legal moves.",
        "White Anti-King on d6: safe",
        "  - Attacked, as an Anti-King must be, by the pawn on c7 and the pawn on e7.",
        "  - It can step to c6 or e6.",
        "  - It cannot take on c7, d7 or e7: an Anti-King takes men of its own side only.",
        "Black King on e8: safe",
        "  - Anti-King d6 to c5, d5 or e5: no enemy man would attack the Anti-King there.",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line} in {text}");
    }
    let text = stdout(&["explain", BOTH_MATED]);
    for part in [
        "The game is over: White mates both royals.",
        "In check by the queen on f7.",
        "No enemy man attacks it, and an unattacked Anti-King is in check.",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let text = stdout(&["explain", LAST_ATTACKER]);
    assert!(text.contains("Bishop c6 to d5: it takes the pawn on d5, the Anti-King's last attacker."), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn en_passant_captures_against_the_rules_are_explained() {
    let objection = "Pawn e5 to d6: it takes the pawn on d5, the Anti-King's last attacker.";
    assert!(stdout(&["explain", "4k3/8/8/3pP3/4A3/4a3/3P4/4K3 w - d6 0 1"]).contains(objection));
    assert!(!stdout(&["explain", "4k3/8/8/3pP3/4A3/4a3/3P4/4K3 w - - 0 1"]).contains(objection));
}

#[test]
fn explanations_are_json_too() {
    let value: Value = serde_json::from_str(&stdout(&["explain", LAST_ATTACKER, "--json"])).unwrap();
    let royals = value["royals"].as_array().unwrap();
    let names: Vec<String> = royals.iter().map(|royal| format!("{} {}", royal["color"], royal["man"])).collect();
    assert_eq!(names.join(", ").replace('"', ""), "White King, White Anti-King, Black King, Black Anti-King");
    assert_eq!(royals[1]["attackers"][0]["square"], "d5", "{value}");
    let illegal = value["illegal_moves"].as_array().unwrap();
    let taking = illegal.iter().find(|illegal| illegal["move"] == "c6d5").unwrap();
    assert_eq!(taking["reason"], "takes last attacker", "{value}");
}

#[test]
fn bad_input_is_refused() {
    for command in ["show", "explain"] {
        for position in [&["nonsense"][..], &["startpos", "moves", "e2e5"], &["8/8/8/8/8/8/8/8 w - - 0 1"]] {
            refusal(&[&[command], position].concat());
        }
    }
    assert!(refusal(&["show", "startpos", "--moves", "e2e4", "e2e4"]).contains("move 2"));
    refusal(&["show", "--svg"]);
}
