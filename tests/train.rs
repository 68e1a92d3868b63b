//! `antiking train` through the real binary, and the networks that it makes in the engine.

mod support;

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use support::{Engine, Folder, Report};

impl Folder {
    fn run(&self, command: &str, line: &str) -> Report {
        Report::of(self.subcommand(command, line).stdin(Stdio::null()).output().unwrap())
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Games to learn from in `games`.
    fn with_games(count: u32) -> Folder {
        let folder = Folder::new();
        let line = format!("--output games --games {count} --nodes 100 --hash 1 --seed 5");
        folder.run("datagen", &line).assert_status(0);
        folder
    }

    fn evaluation(&self, network: &str) -> i64 {
        let mut engine = Engine::new();
        engine.send(&format!("setoption name EvalFile value {}", self.path(network).display()));
        assert_eq!(engine.ready(), Vec::<String>::new());
        evaluation(&mut engine)
    }
}

/// What `eval` says of the start position, in centipawns.
fn evaluation(engine: &mut Engine) -> i64 {
    engine.position("startpos moves e2e4");
    let lines = engine.ask("eval");
    let text = lines.last().unwrap().strip_prefix("Evaluation ").unwrap();
    let pawns: f64 = text.split(' ').next().unwrap().parse().unwrap();
    (100.0 * pawns).round() as i64
}

#[test]
fn a_network_comes_out_and_plays() {
    let folder = Folder::with_games(40);
    let report = folder.run("train", "--data games --output new/net.nnue --epochs 2 --batch 512").assert_status(0);
    assert_eq!(report.err, "", "quiet in a pipe");
    let lines: Vec<&str> = report.out.lines().collect();
    assert_eq!(lines.len(), 4, "{}", report.out);
    assert!(lines[0].contains(" positions to learn from, ") && lines[0].ends_with(" held out"), "{}", lines[0]);
    assert!(lines[1].starts_with("Epoch 1: loss 0.") && lines[2].starts_with("Epoch 2: loss 0."), "{}", report.out);
    assert!(lines[3].starts_with("new/net.nnue: network "), "{}", lines[3]);
    assert!(!folder.path("new/net.nnue.checkpoint").exists() && !folder.path("new/net.nnue.part").exists());

    let mut engine = Engine::new();
    let built_in = evaluation(&mut engine);
    assert_ne!(folder.evaluation("new/net.nnue"), built_in);
    let text = folder
        .run("datagen", "--output more --games 2 --nodes 50 --hash 1 --seed 1 --network new/net.nnue")
        .assert_status(0);
    assert!(text.out.starts_with("more: 2 games"), "{}", text.out);
    let other = folder.run("datagen", "--output more --games 3 --nodes 50 --hash 1 --seed 1");
    other.assert_refused(&["more holds games of another kind", "network is "]);
}

#[test]
fn the_network_depends_on_data_and_seed_alone() {
    let folder = Folder::with_games(25);
    let train = |output: &str, line: &str| {
        folder.run("train", &format!("--data games --output {output} --epochs 2 --batch 300 {line}")).assert_status(0);
        folder.bytes(output)
    };
    let first = train("a", "--threads 1");
    assert!(train("b", "--threads 2") == first);
    assert!(train("c", "--seed 2") != first);
    assert!(train("d", "--result-share 0") != first);
}

#[test]
fn a_training_goes_on_where_it_was_stopped() {
    let folder = Folder::with_games(40);
    let epochs = 12;
    let line = |output: &str| format!("--data games --output {output} --epochs {epochs} --batch 100");
    folder.run("train", &line("whole")).assert_status(0);
    for (name, signal) in [("killed", Signal::KILL), ("interrupted", Signal::INT)] {
        let mut command = folder.subcommand("train", &line(name));
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let checkpoint = folder.path(&format!("{name}.checkpoint"));
        let deadline = Instant::now() + Duration::from_secs(60);
        while !checkpoint.exists() {
            assert!(Instant::now() < deadline);
            thread::sleep(Duration::from_millis(1));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        let report = Report::of(child.wait_with_output().unwrap());
        assert_eq!(report.status, if signal == Signal::INT { Some(130) } else { None });
        assert!(!folder.path(name).exists());
        let other =
            folder.run("train", &format!("--data games --output {name} --epochs 5 --batch 100")).assert_status(2);
        assert!(other.err.contains("remove it to begin anew"), "{}", other.err);
        let resumed = folder.run("train", &line(name)).assert_status(0);
        assert!(resumed.out.contains("\nResumed after epoch "), "{}", resumed.out);
        assert!(folder.bytes(name) == folder.bytes("whole"), "{name}");
    }
}

#[test]
fn bad_data_and_wishes_are_refused() {
    let folder = Folder::with_games(2);
    let games = folder.bytes("games");
    fs::write(folder.path("cut"), &games[..games.len() - 7]).unwrap();
    fs::write(folder.path("notes"), "remember the milk\n").unwrap();
    fs::write(folder.path("empty"), &games[..80]).unwrap();
    let refuse = |line: &str, words: &[&str]| {
        let report = folder.run("train", line).assert_status(2);
        assert_eq!(report.err.lines().count(), 1, "{}", report.err);
        for word in words {
            assert!(report.err.contains(word), "{word:?} is not in {}", report.err);
        }
    };
    refuse("--data none --output x", &["none, byte 0: cannot read: "]);
    refuse("--data games cut --output x", &["cut, byte ", "ends within a record"]);
    refuse("--data notes --output x", &["notes, byte 0: it does not begin like"]);
    refuse("--data empty --output x", &["--data: of 0 records 0 are to learn from"]);
    refuse("--data games --output .", &["--output: cannot write ."]);
    refuse("--data games --output ./games", &["--output: ./games holds data"]);
    assert!(folder.bytes("games") == games);
    assert!(!folder.path("x").exists());
    for line in [
        "--data games",
        "--output x",
        "--data games --output x --epochs 0",
        "--data games --output x --result-share 1.5",
        "--data games --output x --rate -1",
        "--data games --output x --weight-decay much",
    ] {
        assert_eq!(folder.run("train", line).status, Some(2), "{line}");
    }
}

#[test]
fn a_bad_network_leaves_the_old_one() {
    let folder = Folder::with_games(25);
    folder.run("train", "--data games --output good.nnue --epochs 1 --batch 300").assert_status(0);
    let good = folder.bytes("good.nnue");
    let mut damaged = good.clone();
    damaged[5_000] ^= 1;
    fs::write(folder.path("damaged.nnue"), &damaged).unwrap();
    fs::write(folder.path("cut.nnue"), &good[..40_000]).unwrap();
    let mut engine = Engine::new();
    let mut set = |name: &str| engine.ask(&format!("setoption name EvalFile value {name}"));
    let path = |name: &str| folder.path(name).display().to_string();
    assert_eq!(set(&path("good.nnue")), Vec::<String>::new());
    for (name, fault) in
        [("damaged.nnue", "checksum"), ("cut.nnue", "40000 bytes"), ("games", "begin like"), ("none", "read")]
    {
        let lines = set(&path(name));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("info string error: option EvalFile: ") && lines[0].contains(fault), "{lines:?}");
        assert!(lines[0].ends_with(&format!("it stays {}", path("good.nnue"))), "{lines:?}");
    }
    let with_good = evaluation(&mut engine);
    assert_eq!(with_good, folder.evaluation("good.nnue"));
    assert_eq!(engine.ask("setoption name EvalFile value <empty>"), Vec::<String>::new());
    assert_eq!(evaluation(&mut engine), evaluation(&mut Engine::new()));

    let analyze = |file: &str| folder.run("analyze", &format!("startpos --depth 1 --json --option EvalFile={file}"));
    folder.run("uci", "--option EvalFile=damaged.nnue").assert_refused(&["EvalFile", "damaged.nnue", "checksum"]);
    fs::write(folder.path("bad.toml"), "[options]\nEvalFile = \"cut.nnue\"\n").unwrap();
    folder.run("uci", "--config bad.toml").assert_refused(&["EvalFile", "cut.nnue", "40000 bytes"]);
    analyze("damaged.nnue").assert_refused(&["EvalFile", "damaged.nnue", "checksum"]);
    let report: Value = serde_json::from_str(&analyze("good.nnue").assert_status(0).out).unwrap();
    assert!(report["best"].is_string());
    folder.run("datagen", "--output x --games 1 --network cut.nnue").assert_refused(&["--network: cut.nnue"]);
}
