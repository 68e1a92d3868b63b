//! python-chess, a client that many programs are built on, drives the real binary.
//!
//! Needs Python with the package `chess`, by the interpreter that `ANTIKING_PYTHON` names or else `python3`. Where it is
//! missing the test says so and passes, unless `ANTIKING_PYTHON` is set.

use std::io::{self, Write};
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/python_chess.py");

#[test]
fn python_chess_drives_the_engine() {
    let named = std::env::var_os("ANTIKING_PYTHON");
    let python = named.clone().unwrap_or_else(|| "python3".into());
    let has_chess = Command::new(&python).args(["-c", "import chess.engine"]).output();
    if !has_chess.is_ok_and(|output| output.status.success()) {
        assert!(named.is_none(), "{python:?}, which ANTIKING_PYTHON names, does not have the package chess");
        // Not by `eprintln!`, which only failing tests show.
        let _ = writeln!(io::stderr(), "SKIPPED: no {python:?} with the package chess (python3 -m pip install chess)");
        return;
    }
    let engine = env!("CARGO_BIN_EXE_antiking");
    let output = Command::new(&python).args(["-B", SCRIPT, engine]).env_remove("ANTIKING_CONFIG").output().unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.ends_with("quit: works\n"), "{said}{errors}");
}
