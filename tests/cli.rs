//! The command line through the real binary.

mod support;

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use support::binary;

const START: &str = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MATE_IN_ONE: &str = "8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1";

fn run(arguments: &[&str]) -> Output {
    binary(arguments).output().unwrap()
}

/// The standard output of a command that must succeed and say nothing else.
fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// The message of a command that must fail for what it was given.
fn refusal(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{command:?}: {message}");
    assert!(message.starts_with("error: "), "{message}");
    message
}

#[test]
fn help_and_version() {
    let help = stdout(&["--help"]);
    for command in
        ["uci", "analyze", "bench", "datagen", "train", "perft", "eval", "mate", "explain", "show", "options"]
    {
        assert!(help.contains(&format!("  {command} ")), "{command} in {help}");
        assert!(stdout(&[command, "--help"]).contains("Usage:"), "{command}");
    }
    assert!(stdout(&["--version"]).starts_with("antiking "));
}

#[test]
fn bad_input_exits_with_two_and_one_message() {
    for arguments in [
        &["perft"][..],
        &["perft", "x"],
        &["perft", "startpos"],
        &["perft", "startpos", "-1"],
        &["perft", "8/8/8/8/8/8/8/8 w - - 0 1", "3"],
        &["d", "nonsense"],
        &["d", "startpos", "moves", "e2e5"],
        &["eval", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"],
        &["analyze", "--depth", "0"],
        &["analyze", "--hash", "0", "--depth", "1"],
        &["bench", "--depth", "many"],
        &["bench", "many"],
        &["bench", "0"],
        &["bench", "1", "--depth", "1"],
        &["-o", "Hash=0"],
        &["--option", "Hsah=1"],
        &["no-such-command"],
        &["--config", "no-such-file.toml"],
    ] {
        refusal(&mut binary(arguments));
    }
    assert!(refusal(&mut binary(&["d", "startpos", "moves", "e2e4", "e2e4"])).contains("move 2"));
}

#[test]
fn perft_takes_positions_in_every_form() {
    let unquoted: Vec<&str> = ["perft"].into_iter().chain(START.split(' ')).chain(["3"]).collect();
    for arguments in [&["perft", "3"][..], &["perft", "startpos", "3"], &["perft", START, "3"], &unquoted] {
        assert_eq!(stdout(arguments).lines().next(), Some("Nodes searched: 8849"), "{arguments:?}");
    }
    let divided = stdout(&["perft", "--threads", "3", "--divide", "startpos", "3"]);
    assert_eq!(divided.lines().filter(|line| line.contains(": ")).count(), 21, "{divided}");
    let value = json(&["perft", "startpos", "2", "--json"]);
    assert_eq!((&value["nodes"], &value["moves"]["e2e4"]), (&Value::from(409), &Value::from(22)), "{value}");
}

#[test]
fn positions_are_shown() {
    let text = stdout(&["d", "startpos", "moves", "e4", "e7e5"]);
    assert!(text.contains("Fen: rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"), "{text}");
    let value = json(&["d", "--json"]);
    assert_eq!((value["fen"].as_str(), value["moves"].as_array().unwrap().len()), (Some(START), 20));
    assert!(value["outcome"].is_null());
}

#[test]
fn a_mended_position_is_shown_with_a_warning() {
    let output = run(&["d", "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBN1 w KQkq - 0 1"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().contains("/RNBQKBN1 w Qkq - 0 1\n"));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("warning: position: castling rights K dropped"));
}

#[test]
fn evaluations_are_shown() {
    assert!(stdout(&["eval"]).lines().count() > 3);
    assert!(json(&["eval", "startpos", "--json"])["centipawns"].is_i64());
}

#[test]
fn analysis_names_the_mate() {
    let text = stdout(&["analyze", MATE_IN_ONE, "--depth", "3"]);
    assert!(text.contains(" mate 1 ") && text.ends_with("best move: Ng8#\n"), "{text}");
    let value = json(&["analyze", MATE_IN_ONE, "--depth", "3", "--json", "--multipv", "2"]);
    assert_eq!((value["best"].as_str(), &value["score"]["mate"]), (Some("e7g8"), &Value::from(1)), "{value}");
    assert_eq!(value["lines"].as_array().unwrap().len(), 2);
    let value = json(&["analyze", "2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1", "--json"]);
    assert!(value["best"].is_null(), "{value}");
}

#[test]
fn bench_prints_nodes_and_speed() {
    let text = stdout(&["bench", "--depth", "1"]);
    let words: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{text}");
    let value = json(&["bench", "--depth", "1", "--json"]);
    assert_eq!(value["nodes"].to_string(), words[0]);
    let nodes = |arguments: &[&str]| json(arguments)["nodes"].as_u64().unwrap();
    assert_eq!(nodes(&["bench", "2", "--json"]), nodes(&["bench", "--depth", "2", "--json"]));
    assert!(nodes(&["bench", "2", "--json"]) > value["nodes"].as_u64().unwrap());
}

#[test]
fn the_option_table_is_printed() {
    let file = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/engine.toml")).unwrap();
    assert_eq!(stdout(&["options"]), file);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_fault() {
    let mut child = binary(&["perft", "--divide", "4"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!((child.wait().unwrap().code(), message.as_str()), (Some(0), ""));
}

/// The `default` of Hash that the engine announces.
fn announced_hash(command: &mut Command) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"uci\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("option name Hash type spin default ")).unwrap();
    line.split(' ').next().unwrap().to_owned()
}

fn write_config(path: &Path, hash: u32) {
    fs::write(path, format!("[options]\nHash = {hash}\n")).unwrap();
}

#[test]
fn the_nearest_configuration_wins() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = |name: &str| folder.path().join(name);
    let engine = path("engine-of-mine");
    // A copy would be open for writing while other tests start processes, which could inherit that: "text file busy".
    fs::hard_link(env!("CARGO_BIN_EXE_antiking"), &engine).unwrap();
    let moved = || {
        let mut command = Command::new(&engine);
        command.env_remove("ANTIKING_CONFIG");
        command
    };
    assert_eq!(announced_hash(&mut moved()), "16");
    write_config(&path("engine.toml"), 3);
    write_config(&path("named-by-environment.toml"), 4);
    write_config(&path("named.toml"), 5);
    assert_eq!(announced_hash(&mut moved()), "3");
    let environment = ("ANTIKING_CONFIG", path("named-by-environment.toml"));
    assert_eq!(announced_hash(moved().env(environment.0, &environment.1)), "4");
    assert_eq!(announced_hash(moved().env(environment.0, "")), "3");
    let named = path("named.toml");
    assert_eq!(announced_hash(moved().env(environment.0, &environment.1).arg("--config").arg(&named)), "5");
    assert_eq!(announced_hash(moved().arg("uci").arg("--config").arg(&named).args(["-o", "hash=6"])), "6");
    assert_eq!(announced_hash(binary(&[]).current_dir(folder.path())), "16", "the working directory does not count");
}

#[test]
fn only_what_has_options_to_set_takes_them() {
    for command in [&["bench", "--depth", "1"][..], &["perft", "1"], &["eval"], &["d"], &["options"], &["match"]] {
        for flags in [["--config", "engine.toml"], ["--option", "Hash=64"], ["-o", "Hash=64"]] {
            let (before, behind) = ([&flags[..], command].concat(), [command, &flags[..]].concat());
            assert!(refusal(&mut binary(&before)).contains("for uci, xboard and analyze only"), "{before:?}");
            assert!(refusal(&mut binary(&behind)).contains(flags[0]), "{behind:?}");
        }
    }
    for command in [["-o", "MultiPV=2", "analyze"], ["analyze", "-o", "MultiPV=2"]] {
        let value = json(&[&command[..], &["--depth", "1", "--json"]].concat());
        assert_eq!(value["lines"].as_array().unwrap().len(), 2, "{command:?}");
    }
    let hash = |words: &[&str]| announced_hash(&mut binary(words));
    assert_eq!(hash(&["-o", "Hash=64"]), "64");
    assert_eq!(hash(&["-o", "Hash=64", "uci"]), "64");
    assert_eq!(hash(&["-o", "Hash=64", "uci", "-o", "Hash=32"]), "32");
}

#[test]
fn a_bad_configuration_hinders_only_what_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    fs::write(&path, "[nonsense]\n").unwrap();
    let broken = |words: &[&str]| {
        let mut command = binary(words);
        command.env("ANTIKING_CONFIG", &path);
        command
    };
    for command in [&["bench", "--depth", "1"][..], &["perft", "1"], &["eval"], &["d"], &["options"]] {
        assert_eq!(broken(command).output().unwrap().status.code(), Some(0), "{command:?}");
    }
    assert!(refusal(&mut broken(&["match", "--merge", "no-such-part"])).contains("no-such-part"));
    assert!(refusal(&mut broken(&["analyze", "--depth", "1"])).contains("nonsense"));
}

#[test]
fn a_bad_configuration_is_named_by_file_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    let name = path.to_str().unwrap();
    for (text, line, key) in [
        ("[options]\nHash = 64\nHsah = 3\n", 3, "Hsah"),
        ("[options]\nHash = \"64\"\n", 2, "Hash"),
        ("# none\n[options]\n\n\"Move Overhead\" = 5001\n", 4, "Move Overhead"),
        ("[nonsense]\n", 1, "nonsense"),
        ("[options]\nHash = = 3\n", 2, ""),
    ] {
        fs::write(&path, text).unwrap();
        for arguments in [&["--config", name][..], &["uci", "--config", name], &["--config", name, "analyze"]] {
            let message = refusal(&mut binary(arguments));
            assert_eq!(message.lines().count(), 1, "{message}");
            assert!(message.contains(&format!("{name}:{line}: ")) && message.contains(key), "{message}");
        }
        assert!(refusal(binary(&[]).env("ANTIKING_CONFIG", &path)).contains(&format!("{name}:{line}: ")));
    }
    fs::write(&path, b"Hash = \xff\xfe").unwrap();
    refusal(&mut binary(&["--config", name]));
}
