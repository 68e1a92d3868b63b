//! Whole games in the real XBoard. Long, and in need of XBoard, uci2wb and Xvfb, so only on request:
//! `cargo test --test xboard_gui -- --ignored`.

use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/xboard.sh");

fn plays_to_its_end(mode: &str) {
    let folder = tempfile::tempdir().unwrap();
    let engine = env!("CARGO_BIN_EXE_antiking");
    let output = Command::new(SCRIPT).args([mode, engine]).arg(folder.path()).output().unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    println!("{said}");
}

#[test]
#[ignore = "a game of about a minute; needs XBoard and Xvfb"]
fn a_game_in_xboard_with_legality_testing() {
    plays_to_its_end("native");
}

#[test]
#[ignore = "a game of about a minute; needs XBoard, uci2wb and Xvfb"]
fn a_game_in_xboard_through_uci2wb() {
    plays_to_its_end("uci2wb");
}
