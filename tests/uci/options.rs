//! Options as GUIs set them.

use crate::support::{Engine, by_build};

const VARIANT_LINE: &str = "info string variant anti-king-2 files 8 ranks 8 pocket 0 template fairy startpos \
                            rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The `default` of an option, which is the value in force.
fn value(engine: &mut Engine, name: &str) -> String {
    let lines = engine.ask("uci");
    let start = format!("option name {name} type ");
    let line = lines.iter().find_map(|line| line.strip_prefix(&start)).unwrap();
    line.split(' ').nth(2).unwrap().to_owned()
}

#[test]
fn good_settings_say_nothing_and_hold() {
    let mut engine = Engine::new();
    for line in [
        "setoption name hAsH value 32",
        "setoption name Clear Hash",
        "setoption name clear hash",
        "setoption name clear hash value true",
        "setoption name  Move   Overhead  value 50",
        "setoption name UCI_AnalyseMode value true",
        "setoption name Ponder value true",
    ] {
        assert_eq!(engine.ask(line), [] as [&str; 0], "{line}");
    }
    assert_eq!(value(&mut engine, "Hash"), "32");
    assert_eq!(value(&mut engine, "Move Overhead"), "50");
    assert_eq!(value(&mut engine, "Ponder"), "true");
}

#[test]
fn bad_settings_say_one_line_and_change_nothing() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 32");
    for line in [
        "setoption name OwnBook value false",
        "setoption name Hash value",
        "setoption name Hash",
        "setoption name Hash value abc",
        "setoption name Hash value 1.5",
        "setoption Hash 32",
        "setoption",
        "setoption name",
        "setoption name Ponder value maybe",
    ] {
        let answer = engine.ask(line);
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        assert!(answer[0].starts_with("info string error: "), "{line}: {answer:?}");
    }
    assert_eq!(value(&mut engine, "Hash"), "32");
    assert_eq!(value(&mut engine, "Ponder"), "false");
}

#[test]
fn numbers_out_of_range_are_clamped_with_one_line() {
    let mut engine = Engine::new();
    for (name, sent, kept) in [
        ("Threads", "0", "1"),
        ("Threads", "-99999999999999999999", "1"),
        ("MultiPV", "501", "500"),
        ("Move Overhead", "99999999999999999999", "5000"),
        ("Hash", "0", "1"),
    ] {
        let answer = engine.ask(&format!("setoption name {name} value {sent}"));
        assert_eq!(answer.len(), 1, "{name} {sent}: {answer:?}");
        assert!(answer[0].starts_with("info string "), "{answer:?}");
        assert_eq!(value(&mut engine, name), kept, "{name}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_that_does_not_fit_leaves_the_old_one() {
    let limited = format!("ulimit -v 4000000; exec {}", env!("CARGO_BIN_EXE_antiking"));
    let mut engine =
        Engine::spawn(std::process::Command::new("sh").args(["-c", &limited]).env_remove("ANTIKING_CONFIG"));
    engine.send("setoption name Hash value 3");
    let answer = engine.ask("setoption name Hash value 65536");
    assert_eq!(answer.len(), 1, "{answer:?}");
    assert!(answer[0].starts_with("info string error: option Hash: "), "{answer:?}");
    assert_eq!(value(&mut engine, "Hash"), "3");
    engine.go("go depth 3");
}

#[test]
fn the_variant_is_announced_each_time_it_is_set() {
    let mut engine = Engine::silent(&[]);
    for line in [
        "setoption name UCI_Variant value anti-king-2",
        "setoption name UCI_Variant value Anti-King-2",
        "setoption name uci_variant value ANTI-KING-2",
    ] {
        assert_eq!(engine.ask(line), [VARIANT_LINE], "{line}");
    }
    for line in ["setoption name UCI_Variant value chess", "setoption name UCI_Variant value nonsense"] {
        let answer = engine.ask(line);
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        assert!(!answer[0].contains("startpos"), "{line}: {answer:?}");
    }
    engine.go("go depth 4");
    engine.position("startpos moves e2e4");
    engine.send("setoption name UCI_Variant value anti-king-2");
    engine.ready();
    engine.go("go depth 4");
}

#[test]
fn the_variant_is_announced_during_a_search_too() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    engine.wait_for("info depth");
    engine.send("setoption name UCI_Variant value anti-king-2");
    assert!(engine.ready().contains(&VARIANT_LINE.to_owned()));
    engine.send("stop");
    engine.wait_for("bestmove");
}

#[test]
fn threads_can_be_changed_at_any_time() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    engine.send("setoption name Threads value 4");
    engine.ready();
    engine.send("stop");
    engine.wait_for("bestmove");
    engine.go("go movetime 200");
    engine.send("setoption name Threads value 512");
    engine.go("go movetime 200");
    engine.send("setoption name Threads value 1");
    engine.go(by_build("go depth 5", "go depth 3"));
    engine.send("quit");
    assert_eq!(engine.exit(std::time::Duration::from_secs(10)).1.code(), Some(0));
}

/// What a search of fixed depth tells but for the time.
fn trace(engine: &mut Engine, position: &str, go: &str) -> Vec<String> {
    engine.position(position);
    let search = engine.go(go);
    let infos = search.infos.iter().filter(|info| info.bound.is_none());
    infos
        .map(|info| format!("{} {} {} {:?}", info.depth, info.score, info.nodes, info.pv))
        .chain([search.best])
        .collect()
}

#[test]
fn a_new_game_remembers_nothing() {
    let go = by_build("go depth 9", "go depth 6");
    let round = |engine: &mut Engine, between: &str| {
        engine.send(between);
        engine.ready();
        [trace(engine, "startpos", go), trace(engine, "startpos moves e2e4", go)]
    };
    let mut engine = Engine::new();
    let first = round(&mut engine, "ucinewgame");
    for between in ["ucinewgame", "setoption name Clear Hash"] {
        assert_eq!(round(&mut engine, between), first, "after {between}");
    }
    assert_eq!(round(&mut Engine::new(), ""), first, "in a fresh process");
    engine.send("go infinite");
    engine.wait_for("info depth");
    engine.send("ucinewgame");
    engine.send("stop");
    engine.wait_for("bestmove");
    assert_eq!(round(&mut engine, ""), first, "after ucinewgame in mid-search");
}

#[test]
fn chances_are_shown_on_request() {
    let mut engine = Engine::with_options(&[("UCI_ShowWDL", "true")]);
    let search = engine.go("go depth 3");
    assert!(search.infos.iter().all(|info| info.wdl.is_some_and(|wdl| wdl.iter().sum::<u32>() == 1000)), "{search:#?}");
    engine.position("fen 8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1");
    assert_eq!(engine.go("go depth 3").last().wdl, Some([1000, 0, 0]));
    engine.send("setoption name UCI_ShowWDL value false");
    assert!(engine.go("go depth 3").infos.iter().all(|info| info.wdl.is_none()));
}

#[test]
fn one_option_file_sets_what_is_announced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "[options]\nHash = 3\nThreads = 2\n").unwrap();
    let mut engine = Engine::silent(&["--config", path.to_str().unwrap(), "-o", "Threads=1"]);
    assert_eq!((value(&mut engine, "Hash").as_str(), value(&mut engine, "Threads").as_str()), ("3", "1"));
}
