//! The parameters of `go`.

use std::time::Duration;

use antiking::rules::Position;

use crate::support::{Engine, by_build};

const SHORT: Duration = Duration::from_millis(300);
/// All the time in the world, which a test must not use up.
const HUGE: &str = "9223372036854775807";

#[test]
fn odd_limits_end_by_themselves() {
    let mut engine = Engine::new();
    engine.position("startpos");
    for go in [
        "go wtime 205 btime -2 winc 80 binc 80",
        "go wtime -2 btime 205",
        "go wtime 0 btime 0",
        "go wtime 1 btime 1",
        "go movetime 0",
        "go movetime -1",
        "go depth 0",
        "go depth -3",
        "go nodes 0",
        "go nodes 1",
        "go wtime btime 5000",
        "go btime 5000",
        "go wtime 100",
        "go movestogo 0 wtime 1000 btime 1000",
        "go movestogo 1 wtime 100 btime 100",
        "go depth 1 nonsense 7",
        "go wtime 1000 btime 1000 winc -500 binc -500",
        "go mate 0 depth 2",
    ] {
        engine.go(go);
    }
    assert_eq!(engine.ready(), [] as [&str; 0]);
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    let mut engine = Engine::new();
    engine.position("startpos");
    for go in [
        format!("go wtime 100 btime 100 movetime {HUGE}"),
        format!("go wtime {HUGE} btime {HUGE} movetime 50"),
        format!("go wtime 100 btime 100 depth 200 nodes {HUGE}"),
        format!("go movetime {HUGE} depth 2"),
    ] {
        engine.go(&go);
    }
}

#[test]
fn limits_that_cannot_be_read_end_the_search_soon() {
    let mut engine = Engine::new();
    engine.position("startpos");
    for go in ["go wtime x", "go wtime x btime y", "go wtime", "go movetime abc", "go depth", "go nodes -", "go mate q"]
    {
        let search = engine.go(go);
        assert!(search.strings.iter().any(|line| line.contains("thinking for 100 ms")), "{go}: {search:#?}");
    }
}

#[test]
fn huge_limits_last_until_stop() {
    let mut engine = Engine::new();
    engine.position("startpos");
    for go in [
        "go".to_owned(),
        "go wtime 99999999999999999999 btime 1".to_owned(),
        format!("go movetime {HUGE}"),
        format!("go wtime {HUGE} btime {HUGE} winc {HUGE} binc {HUGE}"),
        format!("go nodes {HUGE}"),
        "go ponder wtime 1000 btime 1000".to_owned(),
    ] {
        engine.go_and_stop(&go, SHORT);
    }
}

#[test]
fn node_limits_hold_and_are_forgotten() {
    let mut engine = Engine::new();
    engine.position("startpos");
    let nodes = |engine: &mut Engine, go: &str| engine.go(go).last().nodes;
    for limit in [1_000, 20_000] {
        let used = nodes(&mut engine, &format!("go nodes {limit}"));
        assert!(used <= limit + 1024 && used >= limit - limit / 100, "{used} of {limit}");
    }
    let search = engine.go(by_build("go depth 10", "go depth 5"));
    assert_eq!(search.last().depth, by_build(10, 5));
    let search = engine.go("go nodes 5000000 depth 3");
    assert_eq!(search.last().depth, 3);
    engine.send("setoption name MultiPV value 4");
    let search = engine.go("go nodes 20000");
    let used = search.infos.last().unwrap().nodes;
    assert!(used <= 20_000 + 1024, "{used}");
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Engine::new();
    engine.position("startpos");
    let first_moves = |engine: &mut Engine, go: &str| {
        let search = engine.go(go);
        assert!(search.infos.iter().all(|info| info.pv[0] == search.best || info.bound.is_none()));
        (search.best.clone(), search.strings.len(), search.last().depth)
    };
    for go in ["go depth 4 searchmoves e2e5", "go depth 4 searchmoves d6d5"] {
        let (_, complaints, depth) = first_moves(&mut engine, go);
        assert!(complaints >= 1 && depth == 4, "{go}");
    }
    assert_eq!(first_moves(&mut engine, "go depth 4 searchmoves").1, 0);
    let search = engine.go("go nodes 20000 searchmoves a2a3");
    assert!(search.infos.iter().all(|info| info.pv[0] == "a2a3"), "{search:#?}");
    let search = engine.go("go searchmoves a2a3 h2h3 depth 4");
    assert!(search.infos.iter().all(|info| ["a2a3", "h2h3"].contains(&info.pv[0].as_str())), "{search:#?}");
    assert_eq!(search.last().depth, 4);
    let search = engine.go_and_stop("go infinite searchmoves zz99 e2e4", SHORT);
    assert_eq!((search.best.as_str(), search.strings.len()), ("e2e4", 1));
}

#[test]
fn several_lines_are_numbered_distinct_and_sorted() {
    let mut engine = Engine::with_options(&[("MultiPV", "500")]);
    let lines_of_each_depth = |engine: &mut Engine, go: &str, count: usize, depth: u32| {
        let search = engine.go(go);
        assert_eq!(search.last().depth, depth);
        let exact: Vec<_> = search.infos.iter().filter(|info| info.bound.is_none()).collect();
        for reached in 1..=depth {
            let of_depth: Vec<_> = exact.iter().filter(|info| info.depth == reached).collect();
            let last = &of_depth[of_depth.len() - count..];
            let numbers: Vec<usize> = last.iter().map(|info| info.line).collect();
            assert_eq!(numbers, (1..=count).collect::<Vec<_>>(), "depth {reached}: {of_depth:#?}");
            let mut first_moves: Vec<&str> = last.iter().map(|info| info.pv[0].as_str()).collect();
            first_moves.sort_unstable();
            first_moves.dedup();
            assert_eq!(first_moves.len(), count, "depth {reached}");
            assert!(last.windows(2).all(|pair| pair[0].value() >= pair[1].value()), "depth {reached}: {last:#?}");
        }
        let lines = search.lines();
        assert_eq!((lines.len(), &lines[0].pv[0]), (count, &search.best));
    };
    engine.position("fen 8/8/5K2/8/3k4/6A1/2R1a3/5r1Q w - - 0 1");
    lines_of_each_depth(&mut engine, by_build("go depth 8", "go depth 5"), 3, by_build(8, 5));
    engine.position("startpos");
    lines_of_each_depth(&mut engine, "go depth 5 searchmoves a2a3 a2a4", 2, 5);
    engine.send("setoption name MultiPV value 1");
    lines_of_each_depth(&mut engine, "go depth 5", 1, 5);
}

#[test]
fn perft_counts_and_divides() {
    let mut engine = Engine::new();
    for (position, counts) in [
        ("startpos", [20, 409, 8849]),
        ("fen 7k/8/4A3/3pP3/2a5/1P2q3/8/K7 w - d6 0 1", [2, 46, 185]),
        ("fen 2a4k/1P1K4/2p5/3Ap3/8/P7/8/8 w - - 0 1", [12, 53, 567]),
        ("fen 4k3/8/8/2p5/1p6/A3a3/3P3P/R3K2R w KQ - 0 1", [16, 101, 1556]),
        ("fen 4k3/8/8/2p5/1p6/A6N/3P1a1P/R3K2R w KQ - 0 1", [16, 160, 2515]),
    ] {
        engine.position(position);
        for (depth, count) in (1..).zip(counts) {
            engine.send(&format!("go perft {depth}"));
            let lines = engine.wait_for("Nodes searched");
            let parts = lines.iter().filter_map(|line| line.split_once(": ")).filter(|(name, _)| name.len() <= 5);
            let parts: Vec<u64> = parts.map(|(_, part)| part.parse().unwrap()).collect();
            assert_eq!(lines.last(), Some(&format!("Nodes searched: {count}")), "{position} {depth}");
            assert_eq!((parts.len(), parts.iter().sum()), (counts[0], count as u64), "{position} {depth}");
            assert_eq!(lines[lines.len() - 2], "");
        }
    }
    engine.send("go perft 0");
    assert_eq!(engine.wait_for("Nodes searched").last().unwrap(), "Nodes searched: 1");
}

#[test]
fn a_mate_that_is_found_ends_the_search() {
    let mut engine = Engine::new();
    engine.position("fen 7n/1R6/1a4A1/8/K1k5/8/N7/8 w - - 0 1");
    let search = engine.go("go mate 2");
    assert_eq!(search.last().score, "mate 2");
    engine.position("startpos");
    engine.go("go mate 1 nodes 5000");
    engine.go_and_stop("go mate 1", SHORT);
    engine.go_and_stop("go mate", SHORT);
}

#[test]
fn extra_commands_answer() {
    let mut engine = Engine::new();
    let shown = engine.ask("d");
    assert!(shown.contains(&format!("Fen: {}", Position::START_FEN)));
    assert!(shown.iter().any(|line| line.starts_with("Key: ")));
    engine.position("fen 8/8/8/4k3/4A3/5a2/6P1/2b3K1 w - - 0 1");
    assert!(engine.ask("d").contains(&"White Anti-King: in check, attacked by none".to_owned()));
    for position in
        ["startpos", "fen 8/8/5K2/8/3k4/6A1/2R1a3/5r1Q w - - 0 1", "fen 2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1"]
    {
        engine.position(position);
        assert!(!engine.ask("eval").is_empty(), "{position}");
    }
    engine.send("bench 1");
    let line = engine.wait_for("").pop().unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]) && words[0].parse::<u64>().is_ok(), "{line}");
}
