//! Who may speak when: the loop, its queue, and its end.

use std::time::Duration;

use crate::support::{Engine, binary};

const SECOND: Duration = Duration::from_secs(1);
const SHORT: Duration = Duration::from_millis(300);
/// For the end of a process; it should take a twentieth of it.
const PATIENCE: Duration = Duration::from_secs(10);

/// One legal move only.
const ONE_MOVE: &str = "fen a7/2N1k1P1/7n/p7/A7/8/8/K7 w - - 0 1";
/// Lost in one, so that depth after depth is searched in no time.
const LOST_IN_ONE: &str = "fen 7k/5n2/3a4/8/3R4/1K3A2/5N2/6r1 w - - 0 1";

fn best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

#[test]
fn nothing_is_said_before_the_first_command() {
    let mut engine = Engine::silent(&[]);
    assert_eq!(engine.listen(SHORT), [] as [&str; 0]);
}

#[test]
fn the_greeting_has_options_variant_and_uciok() {
    let mut engine = Engine::silent(&["uci"]);
    engine.send("uci");
    let lines = engine.wait_for("uciok");
    assert!(lines[0].starts_with("id name ") && lines[1].starts_with("id author "));
    assert!(lines.contains(&"option name UCI_Variant type combo default anti-king-2 var anti-king-2".to_owned()));
    assert!(
        lines[lines.len() - 2].starts_with("info string variant anti-king-2 files 8 ranks 8 pocket 0 template fairy")
    );
    assert!(!lines.iter().any(|line| line.contains("UCI_Chess960")));
}

#[test]
fn infinite_searches_answer_only_after_stop() {
    let mut engine = Engine::new();
    for position in [ONE_MOVE, LOST_IN_ONE, "startpos"] {
        engine.position(position);
        for go in
            ["go infinite", "go depth 2 infinite", "go depth 4 infinite", "go nodes 100 infinite", "go", "go mate"]
        {
            engine.go_and_stop(go, SHORT);
        }
    }
}

#[test]
fn pondering_searches_answer_only_after_stop_or_ponderhit() {
    let mut engine = Engine::with_options(&[("Ponder", "true")]);
    for position in [ONE_MOVE, LOST_IN_ONE, "startpos moves e2e4 e7e5"] {
        engine.position(position);
        for go in ["go ponder wtime 1000 btime 1000", "go ponder depth 2", "go ponder movetime 10", "go ponder"] {
            engine.go_and_stop(go, SHORT);
        }
        for go in ["go ponder wtime 1000 btime 1000", "go ponder depth 2", "go ponder movetime 10"] {
            engine.send(go);
            let before = engine.listen(SHORT);
            assert_eq!(best_moves(&before), 0, "{go}");
            engine.send("ponderhit");
            engine.search(before);
        }
        engine.send("go ponder movetime 10");
        engine.send("ponderhit");
        engine.search(Vec::new());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_search_that_waits_uses_no_processor() {
    let mut engine = Engine::with_options(&[("Threads", "2")]);
    for (position, go) in [
        ("startpos", "go depth 2 infinite"),
        (LOST_IN_ONE, "go ponder depth 3"),
        ("fen 2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1", "go infinite"),
    ] {
        engine.position(position);
        engine.send(go);
        let before = engine.listen(SHORT);
        let ticks = engine.processor_ticks();
        std::thread::sleep(SECOND);
        assert!(engine.processor_ticks() - ticks <= 2, "{position} {go}");
        engine.send("stop");
        engine.search(before);
    }
}

#[test]
fn isready_is_answered_during_a_search_which_goes_on() {
    for threads in ["1", "2"] {
        let mut engine = Engine::with_options(&[("Threads", threads)]);
        engine.position("startpos");
        engine.send("go infinite");
        let mut lines = engine.wait_for("info depth");
        for _ in 0..3 {
            engine.send("isready");
            lines.extend(engine.wait_for("readyok"));
            lines.extend(engine.wait_for("info"));
        }
        assert_eq!(best_moves(&lines), 0);
        engine.send("stop");
        assert_eq!(best_moves(&engine.wait_for("bestmove")), 1);
        assert_eq!(engine.ready(), [] as [&str; 0]);
    }
}

#[test]
fn quit_ends_a_search_and_the_process() {
    for threads in ["1", "4"] {
        let mut engine = Engine::with_options(&[("Threads", threads)]);
        engine.send("go infinite");
        engine.wait_for("info depth");
        engine.send("quit");
        let (_, status) = engine.exit(PATIENCE);
        assert_eq!(status.code(), Some(0));
    }
}

#[test]
fn the_end_of_input_stops_a_search_which_still_answers() {
    for threads in ["1", "4"] {
        for line in ["go infinite\n", "go infinite", "go depth 200", "go ponder wtime 1000 btime 1000"] {
            let mut engine = Engine::with_options(&[("Threads", threads)]);
            engine.send_bytes(line.as_bytes());
            engine.close_input();
            let (lines, status) = engine.exit(PATIENCE);
            assert_eq!((best_moves(&lines), status.code()), (1, Some(0)), "{line:?}: {lines:#?}");
        }
    }
}

#[test]
fn empty_input_is_no_fault() {
    let output = binary(&[]).stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0));
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = binary(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.as_mut().unwrap().write_all(b"go infinite\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn lines_may_end_in_anything_and_hold_anything() {
    let mut engine = Engine::silent(&[]);
    engine.send_bytes(b"\r\n\n \t\nuci\r\n");
    engine.wait_for("uciok");
    engine.send_bytes(b"  isready \r\n");
    engine.wait_for("readyok");
    engine.send_bytes(b"position\tstartpos   moves\t\te2e4  e7e5 \r\n");
    engine.send_bytes(b"go \t depth   3\r\n");
    let search = Engine::wait_for(&mut engine, "bestmove");
    assert!(search.iter().all(|line| line.starts_with("info ") || line.starts_with("bestmove ")));
    let shown = engine.ask("d");
    assert!(shown.iter().any(|line| line.starts_with("Fen: rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/")), "{shown:#?}");
    engine.send_bytes(b"isr\xd2eady\n\x00\x01\xff\n");
    let complaints = engine.ready();
    assert_eq!(complaints.len(), 2);
    assert!(complaints.iter().all(|line| line.starts_with("info string error: ")));
    engine.send_bytes(&[b'x'; 300_000]);
    engine.send_bytes(b"\n");
    assert_eq!(engine.ready().len(), 1);
}

#[test]
fn unknown_commands_get_one_line() {
    let mut engine = Engine::new();
    for line in ["joho isready", "Uci", "bestmove e2e4", "setoption", "debug", "debug maybe", "bench x", "go perft"] {
        let answer = engine.ask(line);
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        assert!(answer[0].starts_with("info string error: "), "{line}: {answer:?}");
    }
    for line in ["stop", "ponderhit", "debug on", "debug off", "ucinewgame", ""] {
        assert_eq!(engine.ask(line), [] as [&str; 0], "{line}");
    }
    assert!(engine.ask("help").len() > 10);
}

#[test]
fn a_second_search_is_refused_with_one_line() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    engine.wait_for("info depth");
    for line in ["go depth 1", "go perft 1", "bench", "d", "eval"] {
        let answer: Vec<String> = engine.ask(line).into_iter().filter(|line| line.starts_with("info string")).collect();
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
    }
    engine.send("stop");
    assert_eq!(best_moves(&engine.wait_for("bestmove")), 1);
    assert_eq!(engine.ready(), [] as [&str; 0]);
}

#[test]
fn what_follows_stop_waits_for_the_end_of_the_search() {
    let mut engine = Engine::new();
    engine.send_bytes(
        b"go infinite\nstop\nposition startpos moves e2e4\ngo depth 2\nstop\nd\n\
          position startpos moves e2e4 e7e5\ngo infinite\nstop\nisready\n",
    );
    let lines = engine.wait_for("readyok");
    assert_eq!(best_moves(&lines), 3, "{lines:#?}");
    assert!(!lines.iter().any(|line| line.starts_with("info string")), "{lines:#?}");
    let shown = lines.iter().position(|line| line.starts_with("Fen: ")).unwrap();
    assert_eq!(best_moves(&lines[..shown]), 2);
}

#[test]
fn every_go_gets_one_answer_even_when_stop_follows_at_once() {
    let mut engine = Engine::with_options(&[("Threads", "2")]);
    for _ in 0..50 {
        for go in ["go infinite", "go ponder", "go depth 3", "go movetime 1", "go nodes 1"] {
            engine.send_bytes(format!("{go}\nstop\n").as_bytes());
            engine.search(Vec::new());
        }
    }
    assert_eq!(engine.ready(), [] as [&str; 0]);
}

#[test]
fn what_comes_during_a_search_acts_after_it_in_order() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    engine.wait_for("info depth");
    engine.send("setoption name Threads value 2");
    engine.send("setoption name Hash value 1");
    engine.send("ucinewgame");
    engine.send("position startpos moves e2e4 e7e5 g1f3");
    let lines = engine.ready();
    assert!(!lines.iter().any(|line| line.starts_with("info string")), "{lines:#?}");
    engine.send("stop");
    engine.wait_for("bestmove");
    let shown = engine.ask("d");
    assert!(shown.iter().any(|line| line.starts_with("Fen: rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a1N2/")), "{shown:#?}");
    let declared = engine.ask("uci");
    assert!(declared.iter().any(|line| line.starts_with("option name Threads type spin default 2 ")));
}

#[test]
fn perft_can_be_stopped_and_has_no_bestmove() {
    let mut engine = Engine::new();
    engine.send("go perft 12");
    let lines = engine.ready();
    assert!(lines.len() < 20, "{lines:#?}");
    engine.send("stop");
    let lines = engine.ready();
    assert_eq!(best_moves(&lines), 0);
    assert!(!lines.iter().any(|line| line.starts_with("Nodes searched")));
    assert!(engine.ask("d").len() > 10, "the engine is free again");
}

#[test]
fn bench_can_be_stopped() {
    let mut engine = Engine::new();
    engine.send("bench 100");
    engine.ready();
    engine.send("stop");
    assert_eq!(best_moves(&engine.ready()), 0);
    assert!(engine.ask("d").len() > 10, "the engine is free again");
    engine.send("bench 1");
    assert!(engine.wait_for("").last().is_some());
}

#[test]
fn the_log_file_has_both_directions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic of today.log");
    let mut engine = Engine::new();
    let set = format!("setoption name Debug Log File value {}", path.display());
    assert_eq!(engine.ask(&set), [] as [&str; 0]);
    engine.go("go depth 1");
    engine.send("setoption name Debug Log File value");
    engine.ready();
    let log = std::fs::read_to_string(&path).unwrap();
    assert!(log.contains(">> go depth 1\n") && log.contains("\n<< bestmove "), "{log}");
    let answer = engine.ask(&format!("setoption name Debug Log File value {}", folder.path().display()));
    assert_eq!(answer.len(), 1, "{answer:?}");
    assert!(engine.ask("uci").contains(&"option name Debug Log File type string default <empty>".to_owned()));
}
