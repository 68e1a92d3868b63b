//! `antiking match` through the real binary, against stub engines.

mod match_stub;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use antiking::arena::state::SavedMatch;
use antiking::pgn::{PgnRecord, read_games};
use antiking::rules::{Game, Position, parse_uci};
use match_stub::engine;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Not a test: the stub engine, when a match starts it.
#[test]
#[ignore = "the stub engine of the other tests"]
fn stub_engine() {
    match_stub::run();
}

/// A command line of `match` in a directory of its own.
struct Arena {
    directory: TempDir,
    words: Vec<String>,
}

impl Arena {
    fn new(engines: &[Vec<String>], rest: &str) -> Arena {
        let mut words = vec!["match".to_string()];
        for engine in engines {
            words.push("--engine".into());
            words.extend(engine.iter().cloned());
        }
        words.extend(rest.split_ascii_whitespace().map(String::from));
        Arena { directory: tempfile::tempdir().unwrap(), words }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn file(self, name: &str, text: &str) -> Arena {
        fs::write(self.path(name), text).unwrap();
        self
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_antiking"));
        command.args(&self.words).current_dir(self.directory.path());
        command
    }

    fn run(&self) -> Report {
        Report::of(self.command().output().unwrap())
    }

    fn spawn(&self) -> Child {
        self.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn pgn(&self) -> Vec<PgnRecord> {
        read_games(&fs::read_to_string(self.path("games.pgn")).unwrap())
    }
}

struct Report {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Report {
    fn of(output: Output) -> Report {
        Report {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn assert_status(self, status: i32) -> Report {
        assert_eq!(self.status, Some(status), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    fn finished_games(&self) -> Vec<&str> {
        self.out.lines().filter(|line| line.starts_with("Finished game ")).collect()
    }

    fn assert_out(&self, text: &str) {
        assert!(self.out.contains(text), "{text:?} is not in\n{}", self.out);
    }

    fn assert_err(&self, text: &str) {
        assert!(self.err.contains(text), "{text:?} is not in\n{}", self.err);
    }
}

/// Waits until something holds.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "waited too long until {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Processes that have a word among their arguments.
#[cfg(target_os = "linux")]
fn processes_with(word: &str) -> usize {
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    processes
        .filter(|arguments| String::from_utf8_lossy(arguments).split('\0').any(|argument| argument == word))
        .count()
}

fn assert_pgn_is_sound(games: &[PgnRecord]) {
    for game in games {
        let replayed = game.replay(usize::MAX).unwrap().game;
        assert_eq!(game.tag("PlyCount"), Some(replayed.moves().len().to_string().as_str()));
        assert_eq!(game.tag("Result"), game.terminator.as_deref());
        assert_eq!((game.tag("SetUp"), game.tag("Variant")), (Some("1"), Some("anti-king-2")));
        let ended_by_rules = replayed.outcome().is_some();
        assert_eq!(game.tag("Termination") == Some("normal"), ended_by_rules);
    }
}

#[test]
fn an_engine_that_cannot_start_ends_the_match_before_any_game() {
    let missing = vec!["cmd=/no/such/engine".to_string(), "name=missing".into()];
    let no_variant = engine("orthodox", "variant=chess");
    let no_choice = engine("old", "variant=none");
    let mute = engine("mute", "mute-at-start");
    let mut unknown_option = engine("option", "legal");
    unknown_option.push("option.Hahs=4".into());
    for (broken, named) in [
        (missing, "/no/such/engine"),
        (mute, "silent"),
        (no_variant, "does not play anti-king-2; it offers: chess"),
        (no_choice, "it has no option UCI_Variant"),
        (unknown_option, "Hahs"),
    ] {
        let arena = Arena::new(&[engine("good", "legal"), broken], "--each nodes=1 --stall 8 --pgnout games.pgn");
        let report = arena.run().assert_status(2);
        assert_eq!(report.finished_games(), [""; 0]);
        assert_eq!(report.err.lines().count(), 1);
        report.assert_err(named);
        assert!(arena.pgn().is_empty());
    }
}

#[test]
fn bad_answers_lose_the_game_and_are_reported_raw() {
    for (answer, reason) in [
        ("answer=", "White names no move"),
        ("answer=(none)", "White makes an illegal move: (none)"),
        ("answer=a1a1", "White makes an illegal move: a1a1"),
        ("answer=d6d5", "White makes an illegal move: d6d5"),
        ("answer=d6d5_ponder_e7e5", "White makes an illegal move: d6d5"),
    ] {
        let arena = Arena::new(
            &[engine("liar", answer), engine("good", "legal")],
            "--each nodes=1 --rounds 3 --pgnout games.pgn",
        );
        let report = arena.run().assert_status(1);
        assert_eq!(report.finished_games(), [format!("Finished game 1 (liar vs good): 0-1 {{{reason}}}")]);
        report.assert_out("Score of liar vs good: 0 - 1 - 0  [0.000] 1");
        report.assert_out("Ends: illegal move 1\n");
        let raw = format!("bestmove {}", answer.trim_start_matches("answer=").replace('_', " "));
        report.assert_err(&format!("{:?}", raw.trim_end()));
        report.assert_err("position fen rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves");
        let games = arena.pgn();
        assert_eq!((games.len(), games[0].tag("Termination")), (1, Some("illegal move")));
        assert_eq!((games[0].terminator.as_deref(), games[0].moves().len()), (Some("0-1"), 0));
        assert_pgn_is_sound(&games);
    }
}

#[test]
fn an_engine_without_a_choice_of_variants_plays_when_told_to() {
    let mut old = engine("old", "variant=none log=told");
    old.push("variant=assume".into());
    let arena = Arena::new(&[old, engine("good", "legal")], "--each nodes=1 --maxmoves 2");
    arena.run().assert_status(0);
    let told = fs::read_to_string(arena.path("told")).unwrap();
    assert!(told.contains("go nodes 1") && !told.contains("setoption"), "{told}");
}

#[test]
fn the_standard_error_of_an_engine_at_fault_is_shown() {
    for (fault, shown) in [
        ("complaint=ouch answer=a1a1", "standard error: ouch\\u{1b}0 | ouch\\u{1b}1; position fen"),
        ("complaint=ouch crash-at=1", "exit status: 3); last lines: "),
        ("complaint=ouch crash-at=1", "standard error: ouch\\u{1b}0 | ouch\\u{1b}1; position fen"),
        ("complaint=ouch mute", "standard error: ouch\\u{1b}0; position fen"),
    ] {
        let arena = Arena::new(&[engine("bad", fault), engine("good", "legal")], "--each nodes=1 --stall 8");
        let report = arena.run().assert_status(1);
        report.assert_err(shown);
        assert!(!report.err.contains('\u{1b}'));
    }
    for behaviour in ["complaint=ouch mute-at-start", "complaint=ouch dead"] {
        let arena = Arena::new(&[engine("bad", behaviour), engine("good", "legal")], "--each nodes=1 --stall 8");
        let report = arena.run().assert_status(2);
        report.assert_err("standard error: ouch\\u{1b}0\n");
        assert_eq!(report.err.lines().count(), 1);
    }
}

#[test]
fn an_engine_that_writes_much_on_its_standard_error_is_not_held_up() {
    let arena = Arena::new(&[engine("loud", "noise=200000"), engine("good", "legal")], "--each nodes=1 --maxmoves 5");
    let report = arena.run().assert_status(0);
    assert_eq!(report.err, "");
}

#[test]
fn a_log_keeps_all_that_is_said() {
    let behaviour = "complaint=ouch log=told";
    let arena = Arena::new(
        &[engine("first", behaviour), engine("second", "legal")],
        "--each nodes=1 --rounds 6 --games 2 --maxmoves 6 --concurrency 3 --log log",
    )
    .file("log", "earlier\n");
    arena.run().assert_status(0);
    let text = fs::read_to_string(arena.path("log")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("earlier"));
    let mut games = std::collections::BTreeMap::<&str, Vec<&str>>::new();
    let mut told = Vec::new();
    for line in lines {
        // 2026-05-01T12:00:00.123Z game 3 first[4711] > go nodes 1
        let (head, said) = line.split_at(line.find("] ").unwrap() + 4);
        let words: Vec<&str> = head.split(' ').collect();
        assert!(words[0].len() == 24 && words[0].as_bytes()[19] == b'.' && words[1] == "game", "{line}");
        let [name, mark] = [words[3].split('[').next().unwrap(), words[4]];
        // It may be too slow to hear that it is to leave.
        if (name, mark) == ("first", ">") && said != "quit" {
            told.push(said);
        }
        assert!(mark != "!" || (name == "first" && said.starts_with("ouch")), "{line}");
        games.entry(words[2]).or_default().push(&line[line.find(words[3]).unwrap()..]);
    }
    let numbers: Vec<String> = std::iter::once("-".to_string()).chain((1..=12).map(|game| game.to_string())).collect();
    let mut seen: Vec<&str> = games.keys().copied().collect();
    seen.sort_by_key(|number| number.parse::<u32>().unwrap_or(0));
    assert_eq!(seen, numbers);
    for (number, lines) in games.iter().filter(|(number, _)| **number != "-") {
        let count = |what: &str| lines.iter().filter(|line| line.contains(what)).count();
        assert_eq!((count("> go nodes 1"), count("< bestmove "), count("< info depth")), (12, 12, 12), "{number}");
        assert_eq!((count("> ucinewgame"), count("> position fen ")), (2, 12), "{number}");
    }
    // What the engine itself has got, in whatever order its processes have written it down.
    let kept = fs::read_to_string(arena.path("told")).unwrap();
    let mut kept: Vec<&str> = kept.lines().filter(|line| *line != "quit").collect();
    kept.sort();
    told.sort();
    assert_eq!(told, kept);
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_that_cannot_be_written_is_told_of_and_the_match_goes_on() {
    let engines = [engine("a", "legal"), engine("b", "legal")];
    let report = Arena::new(&engines, "--each nodes=1 --maxmoves 2 --log /dev/full").run().assert_status(0);
    report.assert_err("warning: --log: the record ends early: ");
    Arena::new(&engines, "--each nodes=1 --log /no/such/log").run().assert_status(2).assert_err("--log");
}

/// An engine whose program is a link in the directory of the match.
#[cfg(unix)]
fn linked(name: &str, behaviour: &str, arena: &Path) -> Vec<String> {
    let mut words = engine(name, behaviour);
    let program = arena.join("engine");
    link(&program);
    words[0] = format!("cmd={}", program.display());
    words
}

#[cfg(unix)]
fn link(program: &Path) {
    std::os::unix::fs::symlink(std::env::current_exe().unwrap(), program).unwrap();
}

/// A match against an engine whose program is gone after its crash in the second of four games.
#[cfg(unix)]
fn vanishing(rest: &str) -> Arena {
    let mut arena = Arena::new(&[], "");
    let vanishing = linked("vanishing", "crash-at=5 vanish=engine", arena.directory.path());
    let words = format!("--each nodes=1 --rounds 4 --maxmoves 4 --pgnout games.pgn --resume state {rest}");
    arena.words = Arena::new(&[vanishing, engine("good", "legal")], &words).words;
    arena
}

#[test]
#[cfg(unix)]
fn an_engine_that_was_gone_for_a_moment_is_waited_for() {
    let arena = vanishing("--recover=600 --ratinginterval 1");
    let mut child = arena.spawn();
    // The match goes on each time when the program is there again.
    while child.try_wait().unwrap().is_none() {
        if !arena.path("engine").exists() {
            thread::sleep(Duration::from_millis(200));
            link(&arena.path("engine"));
        }
        thread::sleep(Duration::from_millis(10));
    }
    let report = Report::of(child.wait_with_output().unwrap()).assert_status(0);
    assert_eq!(report.finished_games().len(), 4);
    report.assert_out("crash ");
    report.assert_err("engine 'vanishing' does not start: cannot run");
    assert_eq!(arena.pgn().len(), 4);
}

#[test]
#[cfg(unix)]
fn an_engine_that_stays_away_ends_the_match_with_what_was_played() {
    for rest in ["--recover=0.3", "--recover=0.3 --json"] {
        let arena = vanishing(rest);
        let report = arena.run().assert_status(1);
        report.assert_err("engine 'vanishing' does not start: cannot run");
        report.assert_err("stopped, since an engine does not start any more");
        if rest.contains("json") {
            let total: serde_json::Value = serde_json::from_str(report.out.lines().last().unwrap()).unwrap();
            assert_eq!((&total["end"], &total["games"]), (&"engine-lost".into(), &2.into()));
        } else {
            report.assert_out("Score of vanishing vs good: ");
        }
        assert_eq!(arena.pgn().len(), 2);
        link(&arena.path("engine"));
        let resumed = arena.run();
        assert!(resumed.out.contains("Resumed with 2 games played") || rest.contains("json"), "{}", resumed.out);
    }
}

#[test]
fn a_clock_and_a_fixed_time_are_both_told_and_both_hold() {
    let behaviour = "log=told";
    let mut both = engine("both", behaviour);
    both.extend(["tc=600", "st=400"].map(String::from));
    let arena = Arena::new(&[both, engine("good", "legal")], "--each nodes=1 --maxmoves 5 --pgnout games.pgn");
    let report = arena.run().assert_status(0);
    report.assert_out("(600, 1/400, nodes 1 against nodes 1)");
    let told = fs::read_to_string(arena.path("told")).unwrap();
    assert!(told.contains("go wtime 600000 winc 0 movetime 400000 nodes 1\n"), "{told}");
    for (tc, st) in [("600", "0.05"), ("0.05", "600")] {
        let mut slow = engine("slow", "delay=200");
        slow.extend([format!("tc={tc}"), format!("st={st}")]);
        let arena = Arena::new(&[slow, engine("good", "legal")], "--each nodes=1 --maxmoves 5");
        arena.run().assert_status(1).assert_out("0-1 {White loses on time}");
    }
}

#[test]
fn a_match_goes_on_after_faults_when_asked_to() {
    let arena = Arena::new(
        &[engine("crasher", "crash-at=3"), engine("good", "legal")],
        "--each nodes=1 --games 2 --rounds 3 --repeat --recover --pgnout games.pgn",
    );
    let report = arena.run().assert_status(0);
    assert_eq!(report.finished_games().len(), 6);
    report.assert_out("Score of crasher vs good: 0 - 6 - 0  [0.000] 6");
    report.assert_out("Ptnml(0-2): [3, 0, 0, 0, 0]");
    report.assert_out("Ends: crash 6\n");
    report.assert_out("Finished match\n");
    report.assert_err("exit status: 3");
    let games = arena.pgn();
    assert_pgn_is_sound(&games);
    assert!(games.iter().all(|game| game.tag("Termination") == Some("abandoned") && game.moves().len() >= 4));
}

#[test]
fn a_silent_engine_stalls() {
    let arena =
        Arena::new(&[engine("good", "legal"), engine("mute", "mute")], "--each nodes=1 --stall 8 --pgnout games.pgn");
    let report = arena.run().assert_status(1);
    assert_eq!(report.finished_games(), ["Finished game 1 (good vs mute): 1-0 {Black's connection stalls}"]);
    let games = arena.pgn();
    assert_eq!((games[0].tag("Termination"), games[0].moves().len()), (Some("stalled connection"), 1));
    assert_pgn_is_sound(&games);
}

#[test]
fn a_mute_engine_with_a_clock_loses_on_time() {
    let arena = Arena::new(&[engine("good", "legal"), engine("mute", "mute")], "--each tc=3+0.1 --pgnout games.pgn");
    let report = arena.run().assert_status(1);
    assert_eq!(report.finished_games(), ["Finished game 1 (good vs mute): 1-0 {Black loses on time}"]);
    let game = arena.pgn().remove(0);
    assert_eq!((game.tag("Termination"), game.tag("TimeControl")), (Some("time forfeit"), Some("3+0.1")));
}

#[test]
fn a_margin_is_granted_and_a_process_kept_unless_told_otherwise() {
    let mut slow = engine("slow", "delay=120 crash-at=7");
    slow.push("st=0.1".into());
    let rest = "--each nodes=1 --games 2 --rounds 1 --maxmoves 5";
    let with = |key: &str| {
        let mut slow = slow.clone();
        slow.extend(key.split(' ').map(String::from));
        Arena::new(&[slow, engine("good", "legal")], rest)
    };
    with("timemargin=0").run().assert_status(1).assert_out("Ends: time 1\n");
    with("timemargin=60000").run().assert_status(1).assert_out("Ends: move limit 1, crash 1\n");
    with("timemargin=60000 restart=on").run().assert_status(0).assert_out("Ends: move limit 2\n");
}

#[test]
fn one_oversleep_is_one_loss_in_every_total() {
    let mut sleeper = engine("sleeper", "oversleep=marker");
    sleeper.push("st=2.5".into());
    let arena = Arena::new(
        &[sleeper, engine("good", "legal")],
        "--each nodes=1 --games 2 --rounds 2 --repeat --recover --pgnout games.pgn --json",
    );
    let report = arena.run().assert_status(0);
    let lines: Vec<serde_json::Value> = report.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let late = |line: &&serde_json::Value| line["end"] == "time";
    assert_eq!(lines.iter().filter(late).count(), 1);
    let total = lines.last().unwrap();
    assert_eq!((&total["event"], &total["end"], &total["games"]), (&"match".into(), &"complete".into(), &4.into()));
    assert_eq!((&total["engines"][0]["faults"], &total["engines"][1]["faults"]), (&1.into(), &0.into()));
    let ends = total["ends"].as_array().unwrap();
    assert!(ends.contains(&serde_json::json!({ "end": "time", "games": 1 })), "{ends:?}");
    assert_eq!(total["pairings"][0]["pairs"]["pentanomial"].as_array().unwrap().len(), 5);
    let games = arena.pgn();
    assert_eq!(games.iter().filter(|game| game.tag("Termination") == Some("time forfeit")).count(), 1);
    assert_eq!((games.len(), games[0].tag("WhiteTimeControl")), (4, Some("1/2.5")));
}

#[test]
fn openings_are_clean_and_played_with_both_colours() {
    let book = "# comment\n\
        rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n\n\
        rnbqkbnr/1pppp1pp/p2A4/4Pp2/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
        rnbqkbnr/1pppp1pp/p2A4/4Pp2/8/3a4/PPPP1PPP/RNBQKBNR w KQkq f6\r\n\
        2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1\n";
    let arena = Arena::new(
        &[engine("a", "legal"), engine("b", "legal")],
        "--each nodes=1 --games 2 --rounds 2 --repeat --openings file=book.epd --pgnout games.pgn",
    )
    .file("book.epd", book);
    let report = arena.run().assert_status(0);
    report.assert_err("line 4: ");
    report.assert_err("line 6: the game is over: ");
    let games = arena.pgn();
    assert_pgn_is_sound(&games);
    let tags = |name: &str| games.iter().map(|game| game.tag(name).unwrap().to_string()).collect::<Vec<_>>();
    let first = "rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let second = "rnbqkbnr/1pppp1pp/p2A4/4Pp2/8/3a4/PPPP1PPP/RNBQKBNR w KQkq f6 0 1";
    assert_eq!(tags("FEN"), [first, first, second, second]);
    assert_eq!(tags("White"), ["a", "b", "a", "b"]);
    assert_eq!(tags("Round"), ["1.1", "1.2", "2.1", "2.2"]);
}

#[test]
fn pgn_openings_are_played_to_the_ply_asked_for() {
    let arena = Arena::new(
        &[engine("a", "legal"), engine("b", "legal")],
        "--each nodes=1 --openings file=book.pgn plies=3 --pgnout games.pgn",
    )
    .file("book.pgn", "[Event \"x\"]\n\n1. e4 e5 2. Qh5 Nc6 *\n");
    arena.run().assert_status(0);
    let game = arena.pgn().remove(0);
    assert_eq!(game.moves()[..3], ["e4", "e5", "Qh5"]);
    assert_pgn_is_sound(&[game]);
    let text = fs::read_to_string(arena.path("games.pgn")).unwrap();
    assert!(text.contains("1. e4 {book} 1... e5 {book} 2. Qh5 {book} 2... "), "{text}");
}

#[test]
fn draws_are_adjudicated_at_the_first_possible_move() {
    let book = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
        rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 30\n";
    let arena = Arena::new(
        &[engine("a", "score=19"), engine("b", "score=-20")],
        "--each nodes=1 --rounds 2 --openings file=book.epd --draw movenumber=34 movecount=8 score=20 --pgnout games.pgn",
    )
    .file("book.epd", book);
    let report = arena.run().assert_status(0);
    report.assert_out("Ends: draw by adjudication 2\n");
    let games = arena.pgn();
    assert_pgn_is_sound(&games);
    let tags = |name: &str| games.iter().map(|game| game.tag(name).unwrap()).collect::<Vec<_>>();
    // Moves 1 to 34 of both sides, and 30 to 37.
    assert_eq!(tags("PlyCount"), ["68", "16"]);
    assert_eq!(tags("Termination"), ["adjudication", "adjudication"]);
    assert_eq!(tags("Result"), ["1/2-1/2", "1/2-1/2"]);
}

#[test]
fn lost_games_are_resigned_and_long_ones_drawn() {
    let resign = Arena::new(
        &[engine("a", "score=600"), engine("b", "score=-600")],
        "--each nodes=1 --resign movecount=3 score=500 twosided=true",
    );
    let report = resign.run().assert_status(0);
    assert_eq!(report.finished_games(), ["Finished game 1 (a vs b): 1-0 {White wins by adjudication}"]);
    let long =
        Arena::new(&[engine("a", "legal"), engine("b", "legal")], "--each nodes=1 --maxmoves 5 --pgnout games.pgn");
    long.run().assert_status(0).assert_out("Ends: move limit 1\n");
    assert_eq!(long.pgn()[0].tag("PlyCount"), Some("10"));
}

fn move_texts(game: &PgnRecord) -> Vec<String> {
    game.moves().into_iter().map(str::to_owned).collect()
}

/// The moves and ends of all games, without what depends on the time of day.
fn games_played(arena: &Arena) -> Vec<(String, Vec<String>, Option<String>)> {
    let games = arena.pgn().into_iter();
    games.map(|game| (game.tag("Round").unwrap().to_string(), move_texts(&game), game.terminator)).collect()
}

#[test]
fn the_same_games_whatever_the_concurrency() {
    let book = include_str!("data/openings.epd");
    let arena = |concurrency: u32, seed: u32| {
        let rest = format!(
            "--each nodes=1 --games 2 --rounds 10 --repeat --openings file=book.epd order=random --srand {seed} \
             --concurrency {concurrency} --pgnout games.pgn"
        );
        let players = [engine("a", "legal"), vec!["cmd=greedy".into(), "name=b".into()]];
        let arena = Arena::new(&players, &rest).file("book.epd", book);
        arena.run().assert_status(0);
        arena
    };
    let alone = games_played(&arena(1, 5));
    assert_eq!(alone.len(), 20);
    assert_eq!(games_played(&arena(4, 5)), alone);
    assert_ne!(games_played(&arena(4, 6)), alone);
}

#[test]
fn one_line_a_game_and_the_lines_of_other_runners() {
    let arena = Arena::new(
        &[engine("a", "legal"), engine("b", "answer=a1a1")],
        "--each nodes=1 --games 2 --rounds 2 --repeat --recover --srand 3 --sprt elo0=0 elo1=5",
    );
    let report = arena.run().assert_status(0);
    let lines: Vec<&str> = report.out.lines().collect();
    assert_eq!(
        lines[..11],
        [
            "Match of a, b: 4 games, openings 1, srand 3",
            "Finished game 1 (a vs b): 1-0 {Black makes an illegal move: a1a1}",
            "Finished game 2 (b vs a): 0-1 {White makes an illegal move: a1a1}",
            "Finished game 3 (a vs b): 1-0 {Black makes an illegal move: a1a1}",
            "Finished game 4 (b vs a): 0-1 {White makes an illegal move: a1a1}",
            "Score of a vs b: 4 - 0 - 0  [1.000] 4",
            "...      a playing White: 2 - 0 - 0  [1.000] 2",
            "...      a playing Black: 2 - 0 - 0  [1.000] 2",
            "...      White vs Black: 2 - 2 - 0  [0.500] 4",
            "Elo difference: inf +/- nan, LOS: 100.0 %, DrawRatio: 0.0 %",
            "SPRT: llr 0.04 (1.4%), lbound -2.94, ubound 2.94",
        ]
    );
    assert_eq!(
        lines[11..18],
        [
            "Results of a vs b (nodes 1), Elo and points of a:",
            "Elo: inf +/- nan, nElo: inf +/- 340.48",
            "LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf",
            "Games: 4, Wins: 4, Losses: 0, Draws: 0, Points: 4.0 (100.00 %)",
            "Ptnml(0-2): [0, 0, 0, 0, 2], WL/DD Ratio: nan",
            "LLR: 0.04 (1.4%) (-2.94, 2.94) [0.00, 5.00]",
            "SPRT model: normalized, pentanomial",
        ]
    );
    assert_eq!(lines.last(), Some(&"Finished match"));
}

#[test]
fn the_sequential_test_ends_one_sided_matches() {
    for (first, second, verdict) in
        [("legal", "answer=a1a1", "H1 was accepted"), ("answer=a1a1", "legal", "H0 was accepted")]
    {
        let arena = Arena::new(
            &[engine("a", first), engine("b", second)],
            "--each nodes=1 --games 2 --rounds 500 --repeat --recover --sprt elo0=-200 elo1=200 model=logistic",
        );
        let report = arena.run().assert_status(0);
        report.assert_out(verdict);
        assert!(report.finished_games().len() < 40);
    }
}

#[test]
fn gauntlets_rank_the_engines() {
    let arena = Arena::new(
        &[engine("first", "answer=a1a1"), engine("b", "legal"), engine("c", "legal")],
        "--each nodes=1 --tournament gauntlet --games 2 --rounds 2 --repeat --recover --concurrency 2",
    );
    let report = arena.run().assert_status(0);
    assert_eq!(report.finished_games().len(), 8);
    report.assert_out("Score of first vs b: 0 - 4 - 0  [0.000] 4");
    report.assert_out("Score of first vs c: 0 - 4 - 0  [0.000] 4");
    assert!(!report.out.contains("Score of b vs c"));
    let last = report.out.lines().find(|line| line.trim_start().starts_with("3 first")).unwrap();
    assert!(last.contains("-inf"), "{last}");
}

fn resumable(delay: u32) -> Arena {
    Arena::new(
        &[engine("a", &format!("delay={delay}")), engine("b", "legal")],
        "--each nodes=1 --games 2 --rounds 6 --repeat --maxmoves 10 --openings file=book.epd order=random \
         --concurrency 2 --resume state --pgnout games.pgn",
    )
    .file("book.epd", include_str!("data/openings.epd"))
}

#[test]
fn a_killed_match_goes_on_and_writes_each_game_once() {
    let arena = resumable(5).file("games.pgn", "[Event \"earlier\"]\n\n*\n\n");
    let state = arena.path("state");
    let games = || fs::read_to_string(&state).unwrap_or_default().matches("{\"game\":").count();
    for wanted in [2, 5] {
        let mut child = arena.spawn();
        wait_until("some games are played", || games() >= wanted);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // What a kill in the middle of a line leaves.
    let mut half_written = fs::read(&state).unwrap();
    half_written.extend(b"{\"game\":{\"number\":");
    fs::write(&state, half_written).unwrap();
    let report = arena.run().assert_status(0);
    report.assert_out("Resumed with ");
    report.assert_out("Finished match\n");
    let again = arena.run().assert_status(0);
    assert!(again.finished_games().is_empty());
    again.assert_out("Resumed with 12 games played");
    let table = |report: &Report| report.out[report.out.find("Score of").unwrap()..].to_string();
    let after_last_game = |report: &Report| table(report).split("...").skip(1).collect::<String>();
    assert_eq!(after_last_game(&again), after_last_game(&report));
    let pgn = arena.pgn();
    assert_pgn_is_sound(&pgn[1..]);
    assert_eq!(pgn[0].tag("Event"), Some("earlier"));
    let rounds: Vec<&str> = pgn[1..].iter().map(|game| game.tag("Round").unwrap()).collect();
    let expected: Vec<String> = (1..=6).flat_map(|round| [format!("{round}.1"), format!("{round}.2")]).collect();
    assert_eq!(rounds, expected);
}

/// Kills a match fifty times at random and lets it end. What a kill leaves must hold all games that were there before, and
/// in the end each game must stand once in the state and once, with the same text, in the PGN file.
fn survives_fifty_kills(engines: &[Vec<String>], rounds: u32, longest: u64, random: &mut SmallRng) {
    let rest = format!(
        "--each nodes=1 --games 2 --rounds {rounds} --repeat --maxmoves 3 --srand 1 --concurrency 2 --resume state \
         --openings file=book.epd order=random --pgnout games.pgn"
    );
    let book = include_str!("data/openings.epd");
    let arena = Arena::new(engines, &rest).file("book.epd", book).file("games.pgn", "[Event \"earlier\"]\n\n*\n\n");
    let mut before = Vec::new();
    let mut torn = 0;
    for kill in 1..=50 {
        let mut child = arena.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(random.random_range(0..longest)));
        assert_eq!(child.try_wait().unwrap(), None, "the match ends before kill {kill}: give it more rounds");
        child.kill().unwrap();
        child.wait().unwrap();
        let state = fs::read(arena.path("state")).unwrap_or_default();
        torn += u32::from(!state.is_empty() && !state.ends_with(b"\n"));
        let games = SavedMatch::read(&arena.path("state")).unwrap().map(|saved| saved.games).unwrap_or_default();
        assert!(games.starts_with(&before), "kill {kill} has lost a game");
        before = games;
    }
    let report = arena.run().assert_status(0);
    report.assert_out("Finished match\n");
    let games = SavedMatch::read(&arena.path("state")).unwrap().unwrap().games;
    assert!(games.starts_with(&before));
    let total = 2 * u64::from(rounds);
    report.assert_out(&format!("Games: {total}, "));
    let mut numbers: Vec<u64> = games.iter().map(|game| game.number).collect();
    numbers.sort();
    assert_eq!(numbers, (1..=total).collect::<Vec<_>>());
    let mut texts: Vec<(u64, &str)> = games.iter().map(|game| (game.number, game.pgn.as_str())).collect();
    texts.sort();
    let expected: String = texts.into_iter().map(|(_, text)| text).collect();
    let pgn = fs::read_to_string(arena.path("games.pgn")).unwrap();
    assert!(pgn == format!("[Event \"earlier\"]\n\n*\n\n{expected}"), "the PGN file is not the games of the state");
    println!("{} games before the last kill of {total}, {torn} states with half a line", before.len());
}

/// For a change of the state or the output files: `cargo test --test match_command kills -- --ignored --nocapture`.
#[test]
#[ignore = "two minutes"]
fn a_hundred_kills_lose_no_game_and_count_none_twice() {
    let mut random = SmallRng::seed_from_u64(17);
    let greedy = |name: &str| vec!["cmd=greedy".to_string(), format!("name={name}")];
    survives_fifty_kills(&[greedy("a"), greedy("b")], 15_000, 300, &mut random);
    survives_fifty_kills(&[engine("a", "delay=5"), greedy("b")], 5000, 700, &mut random);
}

#[test]
fn a_state_of_other_settings_is_refused() {
    let mut arena = resumable(0);
    arena.run().assert_status(0);
    let limit = arena.words.iter().position(|word| word == "--maxmoves").unwrap() + 1;
    arena.words[limit] = "11".into();
    let report = arena.run().assert_status(2);
    report.assert_err("maxmoves is 10 there and 11 here");
    assert_eq!(arena.pgn().len(), 12);
}

#[test]
fn a_file_that_holds_no_match_is_named_and_kept() {
    for notes in ["remember the milk", "remember the milk\n"] {
        let arena = resumable(0).file("state", notes);
        arena.run().assert_status(2).assert_err("line 1 of 'state' is no record of a match");
        assert_eq!(fs::read_to_string(arena.path("state")).unwrap(), notes);
    }
}

#[test]
fn ctrl_c_ends_a_match_with_its_table() {
    let mut arena = resumable(20);
    let state = arena.path("state");
    let words = arena.words.len();
    // The pauses keep the match from being over before the signal comes, which must end them.
    arena.words.extend(["--wait".into(), "600000".into()]);
    let child = arena.spawn();
    wait_until("a game is played", || fs::read_to_string(&state).unwrap_or_default().contains("{\"game\":"));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let signalled = Instant::now();
    let report = Report::of(child.wait_with_output().unwrap()).assert_status(130);
    assert!(signalled.elapsed() < Duration::from_secs(60));
    report.assert_out("Score of a vs b: ");
    report.assert_out("Ends: ");
    report.assert_err("interrupted");
    assert_eq!(report.finished_games().len(), arena.pgn().len());
    assert!(report.finished_games().len() < 12);
    arena.words.truncate(words);
    arena.run().assert_status(0);
    assert_eq!(arena.pgn().len(), 12);
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_a_match_whose_engines_are_not_ready_with_its_table() {
    let tag = format!("as:score=-{}", std::process::id());
    let mute = engine("mute", &format!("mute-at-start {}", &tag[3..]));
    let arena = Arena::new(&[mute, engine("b", "legal")], "--each nodes=1 --stall 600");
    let child = arena.spawn();
    wait_until("the engine runs", || processes_with(&tag) == 1);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let report = Report::of(child.wait_with_output().unwrap()).assert_status(130);
    report.assert_out("Score of mute vs b: 0 - 0 - 0");
    assert_eq!(report.err, "warning: interrupted\n");
}

#[test]
#[cfg(target_os = "linux")]
fn no_engine_outlives_the_match() {
    let tag = format!("as:score={}", std::process::id());
    let behaviour = format!("mute undying {}", &tag[3..]);
    for signal in [Signal::KILL, Signal::INT, Signal::TERM] {
        let arena = Arena::new(
            &[engine("a", &behaviour), engine("b", &behaviour)],
            "--each nodes=1 --rounds 4 --concurrency 2",
        );
        let mut child = arena.spawn();
        wait_until("four engines run", || processes_with(&tag) == 4);
        kill_process(Pid::from_child(&child), signal).unwrap();
        child.wait().unwrap();
        wait_until("no engine runs", || processes_with(&tag) == 0);
    }
}

#[test]
fn parts_of_a_match_are_merged() {
    let book = include_str!("data/openings.epd");
    let part = |rounds: u32, start: u32, directory: &Path, state: &str| {
        let rest = format!(
            "--each nodes=1 --games 2 --rounds {rounds} --repeat --openings file=book.epd order=random start={start} \
             --srand 9 --resume {state}"
        );
        let arena = Arena::new(&[engine("a", "legal"), engine("b", "legal")], &rest).file("book.epd", book);
        arena.run().assert_status(0);
        fs::copy(arena.path(state), directory.join(state)).unwrap();
    };
    let mut whole = Arena::new(&[], "");
    part(3, 1, whole.directory.path(), "one");
    part(2, 4, whole.directory.path(), "two");
    whole.words = ["match", "--merge", "one", "two", "--pgnout", "games.pgn"].map(String::from).to_vec();
    let report = whole.run().assert_status(0);
    report.assert_out("Games: 10, ");
    let pairs = report.out.lines().find_map(|line| line.strip_prefix("Ptnml(0-2): [")).unwrap();
    let pairs = pairs.split(']').next().unwrap().split(", ").map(|count| count.parse::<u32>().unwrap()).sum::<u32>();
    assert_eq!(pairs, 5);
    let mut openings: Vec<String> = whole.pgn().iter().map(|game| game.tag("FEN").unwrap().to_string()).collect();
    assert_eq!(openings.len(), 10);
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), 5);
    whole.words = ["match", "--merge", "one", "one"].map(String::from).to_vec();
    whole.run().assert_status(2).assert_err("same match");
    part(2, 3, whole.directory.path(), "overlapping");
    whole.words = ["match", "--merge", "one", "overlapping"].map(String::from).to_vec();
    whole.run().assert_status(2).assert_err("openings in common: from 3 to 3");
    whole.words = ["match", "--merge", "one", "three"].map(String::from).to_vec();
    whole.run().assert_status(2).assert_err("three");
}

#[test]
fn bad_arguments_are_named() {
    for (words, named) in [
        ("--each nodes=x", "nodes=x"),
        ("--each tc=1+", "tc=1+"),
        ("--each nods=1", "unknown key 'nods'"),
        ("--each depth=0", "depth=0"),
        ("", "no limit"),
        ("--each nodes=1 --openings file=/no/such", "/no/such"),
        ("--each nodes=1 --sprt elo0=5 elo1=0", "elo1=0"),
        ("--each nodes=1 --draw movecount=8", "score"),
        ("--each nodes=1 --resign score=1 movecount=1 twosided=maybe", "twosided=maybe"),
        ("--each nodes=1 --rounds 0", "--rounds"),
        ("--each nodes=1 --variant chess", "anti-king-2"),
        ("--each nodes=1 --resume .", "--resume"),
        ("--each nodes=1 --pgnout /no/such/games.pgn", "--pgnout"),
        ("--each nodes=1 --resume x --pgnout ./x", "--resume and --pgnout name the same file"),
        ("--each nodes=1 --pgnout x --epdout x", "--pgnout and --epdout name the same file"),
        ("--each nodes=1 --pgnout x --log x", "--pgnout and --log name the same file"),
        ("--each nodes=1 --recover=0", "--recover"),
        ("--each nodes=1 variant=chess", "variant=chess is not assume"),
    ] {
        let report = Arena::new(&[engine("a", "legal"), engine("b", "legal")], words).run().assert_status(2);
        report.assert_err(named);
        assert!(report.finished_games().is_empty());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn devices_are_no_state_and_a_full_one_ends_the_match() {
    let engines = [engine("a", "legal"), engine("b", "legal")];
    let report = Arena::new(&engines, "--each nodes=1 --resume /dev/full").run().assert_status(2);
    report.assert_err("'/dev/full' is not a regular file");
    let arena = Arena::new(&engines, "--each nodes=1 --rounds 2");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let report = Report::of(arena.command().stdout(full).output().unwrap()).assert_status(2);
    report.assert_err("cannot write to the standard output");
}

#[test]
fn engines_ponder_when_asked_to() {
    let engines = [engine("right", "guess=right log=right.log"), engine("wrong", "guess=wrong log=wrong.log")];
    let games_and_logs = |rest: &str| {
        let arena = Arena::new(&engines, &format!("{rest} --games 2 --maxmoves 20 --pgnout games.pgn"));
        arena.run().assert_status(0);
        let logs = ["right.log", "wrong.log"].map(|name| fs::read_to_string(arena.path(name)).unwrap());
        (arena.pgn().iter().map(move_texts).collect::<Vec<_>>(), logs)
    };
    let (games, [right, wrong]) = games_and_logs("--each tc=10+1 ponder");
    assert!(right.matches("go ponder wtime").count() > 30 && right.matches("ponderhit").count() > 30, "{right}");
    // What is pondered on at the end of a game is stopped before the next.
    assert_eq!(right.matches("stop\n").count(), 1, "{right}");
    assert!(wrong.matches("stop\n").count() > 30 && !wrong.contains("ponderhit"), "{wrong}");
    let (plain_games, [right, _]) = games_and_logs("--each tc=10+1");
    assert!(!right.contains("ponder"), "{right}");
    assert_eq!(games, plain_games);
}

#[test]
fn last_positions_and_other_notations_are_written() {
    let arena = Arena::new(
        &[engine("a", "legal"), engine("b", "legal")],
        "--each nodes=1 --rounds 2 --maxmoves 10 --wait 1 --epdout last.epd --pgnout games.pgn min notation=uci append=false",
    )
    .file("games.pgn", "old");
    arena.run().assert_status(0);
    let positions = fs::read_to_string(arena.path("last.epd")).unwrap();
    let text = fs::read_to_string(arena.path("games.pgn")).unwrap();
    assert!(text.starts_with("[Event ") && !text.contains('{') && !text.contains("PlyCount"), "{text}");
    for (game, fen) in read_games(&text).iter().zip(positions.lines()) {
        let mut played = Game::new(Position::start());
        for mv in game.moves() {
            played.push(parse_uci(played.position(), mv).unwrap());
        }
        assert_eq!(played.position().fen(), fen);
    }
    assert_eq!((positions.lines().count(), read_games(&text).len()), (2, 2));
}
