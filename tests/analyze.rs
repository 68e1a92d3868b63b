//! `antiking analyze` through the real binary.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use antiking::pgn::{PgnRecord, read_games};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
#[cfg(target_os = "linux")]
use support::on_terminal;
use support::{Folder, Report, binary};

const START: &str = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White castles long and leaves the enemy Anti-King on a2 unattacked.
const ANTI_MATE_IN_ONE: &str = "r1bqkb2/pp1n4/1App2np/4p2Q/2P5/P2PP3/aP4PP/R3KBNR w KQq - 1 17";
const MATE_IN_TWO: &str = "7n/1R6/1a4A1/8/K1k5/8/N7/8 w - - 0 1";

impl Folder {
    fn file(self, name: &str, text: &str) -> Folder {
        fs::write(self.path(name), text).unwrap();
        self
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// `analyze` in this folder, with the words of a line.
    fn command(&self, line: &str) -> Command {
        self.subcommand("analyze", line)
    }

    fn run(&self, line: &str) -> Report {
        Report::of(self.command(line).stdin(Stdio::null()).output().unwrap())
    }
}

fn game(fen: &str, moves: &str) -> String {
    format!("[Event \"Test\"]\n[White \"Anna\"]\n[Black \"Otto\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves}\n\n")
}

#[test]
fn a_position_is_shown_with_its_lines() {
    let words = ["analyze", MATE_IN_TWO, "--depth", "6", "--multipv", "2"];
    let text = Report::of(binary(&words).output().unwrap()).good();
    assert!(
        text.starts_with("8  .  .  .  .  .  .  .  n\n7  .  R  .  .  .  .  .  .\n6  . (a) .  .  .  . (A) .\n"),
        "{text}"
    );
    assert!(text.contains(&format!("\n{MATE_IN_TWO}\nWhite King: safe, attacked by none\n")), "{text}");
    let first = text.lines().find(|line| line.starts_with("  1 ")).unwrap();
    assert!(first.contains(" mate 2 ") && first.contains(" 100.0/0.0/0.0 "), "{text}");
    assert!(first.contains("  1. R") && first.ends_with("# (anti-mate)"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("  2 ")).count(), 1, "{text}");
    assert!(text.contains("\nbest move: R") && !text.contains('\u{1b}'), "{text}");
    let folder = Folder::new();
    let figures = folder.run("startpos moves e4 --depth 1 --board unicode").good();
    assert!(figures.contains("\n6  ·  ·  ·  Ⓐ  ·  ·  ·  ·\n"), "{figures}");
    assert!(folder.run("startpos --depth 1 --board none").good().starts_with(START));
}

#[test]
fn a_royal_man_in_check_is_marked() {
    let text = Report::of(binary(&["analyze", "5k2/8/8/8/pP2n2a/6K1/6N1/6A1 w - - 0 1"]).output().unwrap()).good();
    assert!(text.contains(" [K] ") && text.contains(" [A] "), "{text}");
    assert!(text.ends_with("\nbest move: none, Black mates both royals\n"), "{text}");
}

#[test]
fn limits_end_the_search() {
    let folder = Folder::new();
    let json = |line: &str| -> Value { serde_json::from_str(&folder.run(line).good()).unwrap() };
    assert_eq!(json("startpos --depth 3 --json")["depth"], 3);
    let nodes = json("startpos --nodes 5000 --json")["nodes"].as_u64().unwrap();
    assert!((5_000..10_000).contains(&nodes), "{nodes}");
    for flag in ["--movetime", "--time"] {
        assert!(json(&format!("startpos {flag} 30 --json"))["milliseconds"].as_u64().unwrap() < 3_000);
    }
    let mate = json(&format!("{MATE_IN_TWO} --mate 2 --nodes 100000000 --json"));
    assert_eq!(mate["score"]["mate"], 2);
    assert!(mate["nodes"].as_u64().unwrap() < 100_000, "{mate}");
}

#[test]
fn json_tells_all_of_a_position() {
    let folder = Folder::new();
    let value: Value =
        serde_json::from_str(&folder.run(&format!("{ANTI_MATE_IN_ONE} --depth 3 --json")).good()).unwrap();
    for (key, wanted) in [
        ("fen", Value::from(ANTI_MATE_IN_ONE)),
        ("king_in_check", false.into()),
        ("anti_king_in_check", false.into()),
        ("outcome", Value::Null),
        ("best", "e1c1".into()),
        ("san", "O-O-O#".into()),
        ("ponder", Value::Null),
        ("mate_kind", "anti".into()),
        ("depth", 3.into()),
    ] {
        assert_eq!(value[key], wanted, "{key} of {value}");
    }
    assert_eq!(value["score"], serde_json::json!({ "mate": 1 }));
    assert_eq!(value["wdl"], serde_json::json!([1000, 0, 0]));
    let line = &value["lines"][0];
    assert_eq!((&line["moves"][0], &line["san"][0]), (&Value::from("e1c1"), &Value::from("O-O-O#")));
    assert!(value["nodes"].is_u64() && value["milliseconds"].is_u64() && line["selective_depth"].is_u64());
}

#[test]
fn files_are_analysed_in_order_on_any_number_of_workers() {
    let lines: Vec<&str> = include_str!("data/openings.epd").lines().take(8).collect();
    let folder = Folder::new().file("many.epd", &lines.join("\n"));
    let nodes = |jobs: u32| {
        let report = folder.run(&format!("many.epd --nodes 3000 --json --jobs {jobs}")).assert_status(0);
        let told: Vec<(u64, String)> = report
            .json_lines()
            .iter()
            .map(|value| (value["line"].as_u64().unwrap(), format!("{} {}", value["nodes"], value["lines"])))
            .collect();
        told
    };
    let alone = nodes(1);
    assert_eq!(alone.iter().map(|(line, _)| *line).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
    assert_eq!(nodes(3), alone);
}

#[test]
fn standard_input_is_read() {
    let folder = Folder::new();
    let fed = |line: &str, text: &str| {
        let mut child =
            folder.command(line).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        Report::of(child.wait_with_output().unwrap())
    };
    let positions = fed("- --depth 1 --json", &format!("{START}\nstartpos moves e4\n")).assert_status(0);
    assert_eq!(positions.json_lines().len(), 2);
    let games = fed("- --depth 1 --json", "1. e4 e5 *").assert_status(0);
    assert_eq!(games.json_lines()[0]["moves"].as_array().unwrap().len(), 2);
    let forced = fed("--file - --format pgn --depth 1", "startpos").assert_status(2);
    assert!(forced.err.starts_with("error: <stdin>:1: "), "{}", forced.err);
    let bad = fed("- --depth 1", &format!("# x\n{START}\n8/8 w - -\n")).assert_status(2);
    assert_eq!(bad.err, "error: <stdin>:3: the board has 2 rows instead of 8\n");
    assert!(bad.out.starts_with("<stdin>:2"), "{}", bad.out);
}

#[test]
fn suites_are_scored() {
    // A move is not good and bad at once.
    let missed = format!("{START} bm e4; am e4; id \"impossible\";");
    let text = format!("{ANTI_MATE_IN_ONE} ;dm 1 ;bm O-O-O# ;id \"castle; mate\"\n{MATE_IN_TWO} dm 3;\n{missed}\n");
    let folder = Folder::new().file("suite.epd", &text);
    let report = folder.run("suite.epd --nodes 20000").assert_status(0);
    assert!(report.out.contains("suite.epd:1 castle; mate  r1bqkb2/"), "{}", report.out);
    assert_eq!(report.out.matches("\n  solved at depth ").count(), 2, "{}", report.out);
    assert_eq!(report.out.matches("\n  not solved\n").count(), 1, "{}", report.out);
    assert!(report.out.lines().last().unwrap().starts_with("solved 2 of 3, "), "{}", report.out);
    folder.run("suite.epd --nodes 20000 --strict").assert_status(1);
    let values = folder.run("suite.epd --nodes 20000 --json").json_lines();
    assert_eq!(values.len(), 4);
    assert_eq!(values[0]["goals"]["solved"], true);
    assert_eq!(values[0]["goals"]["bm"], serde_json::json!(["e1c1"]));
    assert!(values[0]["goals"]["solution"]["nodes"].is_u64());
    assert_eq!((&values[2]["id"], &values[2]["goals"]["solution"]), (&Value::from("impossible"), &Value::Null));
    assert_eq!((&values[3]["suite"]["solved"], &values[3]["suite"]["total"]), (&Value::from(2), &Value::from(3)));
}

#[test]
fn known_mates_are_solved() {
    let lines: Vec<&str> = include_str!("data/mates.epd").lines().filter(|line| !line.starts_with('#')).collect();
    let part: Vec<&str> = lines.iter().copied().filter(|line| !line.contains(";dm 4")).step_by(40).collect();
    let folder = Folder::new().file("mates.epd", &part.join("\n"));
    let report = folder.run("mates.epd --nodes 1000000 --strict --json").assert_status(0);
    let values = report.json_lines();
    assert_eq!(values.len(), part.len() + 1);
    for (value, line) in values.iter().zip(&part) {
        let kind = line.split(";kind ").nth(1).unwrap().split(' ').next().unwrap();
        assert_eq!(value["mate_kind"], kind, "{line}");
    }
}

#[test]
fn a_game_is_reviewed() {
    let text =
        game(ANTI_MATE_IN_ONE, "17. h3 {a pity} $4 (17. O-O-O#) *") + &game(MATE_IN_TWO, "1. Rd7+ Ab7 2. Rd1# 1-0");
    let folder = Folder::new().file("games.pgn", &text);
    let report = folder.run("games.pgn --depth 4 --annotate out.pgn --plot curve.svg");
    let told = report.good();
    let missed = told.lines().find(|line| line.starts_with("17. h3 ")).unwrap();
    assert!(missed.contains(" O-O-O# ") && missed.ends_with("missed anti-mate in 1: 17. O-O-O#"), "{told}");
    assert!(told.starts_with("Game 1: Anna - Otto *\n") && told.contains("\nGame 2: Anna - Otto 1-0\n"), "{told}");
    assert!(
        told.contains("1 (anti 1)\n") && told.contains("\nWhite anti-checkmates\n") && told.contains("\nWhite |"),
        "{told}"
    );
    for name in ["curve-1.svg", "curve-2.svg"] {
        assert!(folder.text(name).starts_with("<svg "), "{name}");
    }
    assert!(folder.text("curve-1.svg").contains("17. h3 ("));

    let annotated = read_games(&folder.text("out.pgn"));
    let plain = read_games(&text);
    assert_eq!(annotated.len(), 2);
    for (annotated, plain) in annotated.iter().zip(&plain) {
        assert_eq!((annotated.moves(), annotated.result()), (plain.moves(), plain.result()));
        assert_eq!(annotated.replay(99).unwrap().game.moves(), plain.replay(99).unwrap().game.moves());
        assert!(plain.tags.iter().all(|tag| annotated.tag(&tag.name) == Some(&tag.value)));
    }
    let comments =
        |record: &PgnRecord| record.comments().iter().map(|(_, text)| (*text).to_owned()).collect::<Vec<_>>();
    let first = comments(&annotated[0]);
    assert!(first[0].starts_with("[%eval ") && first[0].contains("missed anti-mate in 1"), "{first:?}");
    assert_eq!(first[1], "a pity");
    assert!(comments(&annotated[1])[0].starts_with("[%eval #1] +M3/"), "{:?}", comments(&annotated[1]));
}

#[test]
fn json_tells_all_of_a_game() {
    let folder = Folder::new().file("games.pgn", &game(ANTI_MATE_IN_ONE, "17. h3 *"));
    let report = folder.run("games.pgn --depth 4 --json").assert_status(0);
    let value = report.json_lines().remove(0);
    let first = &value["moves"][0];
    assert_eq!((&value["game"], &value["line"], &value["tags"]["White"]), (&1.into(), &1.into(), &"Anna".into()));
    assert_eq!(first["missed_mate"], serde_json::json!({ "moves": 1, "kind": "anti" }));
    assert_eq!((&first["move"], &first["san"], &first["best"]), (&"h2h3".into(), &"h3".into(), &"e1c1".into()));
    assert_eq!(first["fen"], ANTI_MATE_IN_ONE);
    assert!(first["loss"].is_i64() && first["accuracy"].is_f64() && first["lines"][0]["san"].is_array(), "{first}");
    assert_eq!(value["white"]["missed_mates"]["anti"], 1);
    assert_eq!((&value["white"]["moves"], &value["black"]["moves"]), (&1.into(), &0.into()));
    assert_eq!(value["black"]["accuracy"], Value::Null);
}

#[test]
fn bad_games_are_named_and_the_others_go_on() {
    let text = game(START, "1. e4 Qh4 *") + &game(START, "1. e4 *");
    let folder = Folder::new().file("games.pgn", &text);
    let report = folder.run("games.pgn --depth 1 --json").assert_status(2);
    assert_eq!(report.err, "error: games.pgn:7: 1... Qh4: not a legal move; the game is kept up to there\n");
    let values = report.json_lines();
    let told: Vec<_> = values.iter().map(|value| [&value["game"], &value["line"]]).collect();
    assert_eq!(told, [[&Value::from(1), &Value::from(1)], [&Value::from(2), &Value::from(9)]]);
    assert_eq!(values[0]["moves"].as_array().unwrap().len(), 1);
}

#[test]
fn nothing_of_an_archive_is_lost() {
    let text = b"[Event \"5th \"M\" Int\"]\n[White \"M\xfcller\"]\n[Black \"Ren\xc3\xa9\"]\n[Black \"Otto\"]\n\n\
        1. e4 {gut \x96 oder?} e5 +/= \
        (1... c5 {Tsch\xfc\xdf} 2. \xe2\x99\x98f3!? (2. c3 Nc6 $14)) 2. Ad2 {lost?} Nc6 1-0\n\n\
        [Variant \"Atomic\"]\n\n1. e4 *\n";
    let folder = Folder::new();
    fs::write(folder.path("games.pgn"), text).unwrap();
    let report = folder.run("games.pgn --depth 1 --annotate out.pgn").assert_status(2);
    assert_eq!(
        report.err,
        "warning: games.pgn:1: the tag Event is not written as [Name \"value\"] is; its value is read as \
         \"5th \\\"M\\\" Int\"\n\
         warning: games.pgn:4: the tag Black is given again as \"Otto\"; the first, in line 3, counts\n\
         error: games.pgn:6: 2. Ad2: not a legal move; the game is kept up to there\n\
         error: games.pgn:8: game 2: variant \"Atomic\" is not Anti-King Chess II\n"
    );
    assert!(report.out.contains("Game 1: Müller - René 1-0\n") && !report.out.contains("Game 2"), "{}", report.out);
    let written = folder.text("out.pgn");
    assert!(written.contains("[Event \"5th \\\"M\\\" Int\"]\n"), "{written}");
    let moves = written.split("\n\n").nth(1).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        " {gut – oder?} 1... e5 ",
        " $14 ",
        " (1... c5 {Tschüß} 2. Nf3 $5 (2. c3 Nc6 $14)) {not read: 2. Ad2 [lost?] 2... Nc6} 1-0",
    ] {
        assert!(moves.contains(part), "{part} is not in {moves}");
    }
    let again = folder.run("out.pgn --depth 1 --annotate again.pgn").assert_status(0);
    assert_eq!(again.err, "");
    let variations = |text: &str| text[text.find(" (1...").unwrap()..].to_owned();
    let joined = |name: &str| folder.text(name).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(variations(&joined("again.pgn")), variations(&joined("out.pgn")));
}

#[test]
#[cfg(target_os = "linux")]
fn a_long_file_takes_little_memory() {
    let game = format!("[Event \"x\"]\n\n{{{}}}\n1. e4 *\n\n", "so it goes ".repeat(50_000));
    let endless = format!("[Event \"x\"]\n\n1. e4 {{{}}} *\n\n", "on and on ".repeat(3_000_000));
    let folder = Folder::new();
    let mut file = fs::File::create(folder.path("games.pgn")).unwrap();
    for _ in 0..150 {
        file.write_all(game.as_bytes()).unwrap();
    }
    file.write_all(endless.as_bytes()).unwrap();
    file.write_all(game.as_bytes()).unwrap();
    let mut command = Command::new("sh");
    let script = "ulimit -v 250000; exec \"$0\" analyze games.pgn --depth 1 --hash 1 --jobs 1 --json";
    command.args(["-c", script, env!("CARGO_BIN_EXE_antiking")]).current_dir(folder.path(""));
    let report = Report::of(command.env_remove("ANTIKING_CONFIG").output().unwrap()).assert_status(2);
    let line = report.err.strip_prefix("error: games.pgn:").and_then(|rest| rest.split_once(": "));
    assert_eq!(line, Some(("753", "game 151: the game is longer than 16 MB or 50000 moves\n")), "{}", report.err);
    assert_eq!(report.json_lines().len(), 151);
}

#[test]
fn moves_may_be_in_any_notation() {
    let texts = ["1. e4 e5 2. Nf3", "1. e2-e4 e7-e5 2. Ng1-f3", "1. e2e4 e7e5 2. g1f3"];
    let games: Vec<String> = texts.iter().map(|moves| game(START, &format!("{moves} *"))).collect();
    let folder = Folder::new().file("games.pgn", &games.concat());
    let report = folder.run("games.pgn --depth 1 --json").assert_status(0);
    let played = |value: &Value| -> Vec<String> {
        value["moves"].as_array().unwrap().iter().map(|made| made["san"].as_str().unwrap().to_owned()).collect()
    };
    let told: Vec<Vec<String>> = report.json_lines().iter().map(played).collect();
    assert_eq!(told, vec![["e4", "e5", "Nf3"]; 3]);
}

#[test]
fn the_result_is_the_same_everywhere() {
    let folder = Folder::new().file("games.pgn", "[Result \"1-0\"]\n\n1. e4 e5\n");
    let text = folder.run("games.pgn --depth 1 --annotate out.pgn").good();
    assert!(text.starts_with("Game 1: ? - ? 1-0\n"), "{text}");
    assert_eq!(folder.run("games.pgn --depth 1 --json").json_lines()[0]["result"], "1-0");
    assert_eq!(read_games(&folder.text("out.pgn"))[0].terminator.as_deref(), Some("1-0"));
}

#[test]
fn a_mended_position_of_a_game_is_told() {
    let folder = Folder::new().file("games.pgn", &game(&START.replace("RNBQKBNR", "RNBQKBN1"), "1. e4 *"));
    let report = folder.run("games.pgn --depth 1").assert_status(0);
    assert_eq!(report.err, "warning: games.pgn:5: castling rights K dropped: King or rook is not at home\n");
}

#[test]
fn the_curve_is_drawn_as_the_board_is() {
    let folder = Folder::new().file("games.pgn", &game(MATE_IN_TWO, "1. Rd7+ Ab7 2. Rd1# 1-0"));
    let piped = folder.run("games.pgn --depth 4").good();
    assert!(piped.is_ascii() && piped.contains("\nWhite |####\n"), "{piped}");
    let figures = folder.run("games.pgn --depth 4 --board unicode").good();
    assert_eq!(figures.replace('█', "#"), piped);
    let without = folder.run("games.pgn --depth 4 --board none").good();
    assert!(piped.starts_with(&without) && !without.contains('|'), "{without}");
}

#[test]
fn bad_input_is_refused() {
    let folder = Folder::new()
        .file("empty.epd", "# nothing\n")
        .file("empty.pgn", "")
        .file("one.epd", START)
        .file("one.pgn", "1. e4 *\n");
    for (line, message) in [
        ("no-such.epd", "cannot read no-such.epd: "),
        ("--file no-such", "cannot read no-such: "),
        ("empty.epd", "empty.epd holds no positions"),
        ("empty.pgn", "empty.pgn holds no games"),
        ("one.epd --annotate x.pgn", "--annotate is for files of games only"),
        ("startpos --plot x.svg", "--plot is for files of games only"),
        ("one.pgn --strict", "--strict is for files of positions only"),
        ("startpos --jobs 2", "--jobs is for files only"),
        ("one.epd --board none", "--board is for a single position and for games only"),
        ("one.epd --strict", "one.epd holds no bm, am or dm"),
        ("one.pgn --annotate one.pgn", "--annotate: one.pgn is the file that is read"),
        ("one.pgn --plot ./one.pgn", "--plot: ./one.pgn is the file that is read"),
        ("one.pgn --annotate x --plot x", "--plot: x is written by --annotate already"),
        ("one.pgn --annotate no/such/folder.pgn", "--annotate: cannot write no/such/folder.pgn: "),
        ("one.pgn --depth 1 --plot no/such/folder.svg", "--plot: cannot write no/such/folder.svg: "),
        ("one.epd startpos", "position: "),
        ("startpos moves e5", "position: move 1: "),
        ("--mate 0", "--mate"),
        ("one.epd --file one.epd", "cannot be used with"),
    ] {
        let report = folder.run(line).assert_status(2);
        assert!(report.err.starts_with("error: ") && report.err.contains(message), "{line}: {}", report.err);
        assert_eq!(report.out, "", "{line}: nothing was done before");
    }
    assert_eq!(folder.text("one.pgn"), "1. e4 *\n");
}

#[test]
fn ctrl_c_keeps_what_is_done() {
    let text = format!("{ANTI_MATE_IN_ONE} ;dm 1\n{START}\n{START}\n");
    let folder = Folder::new().file("long.epd", &text);
    let mut child = folder
        .command("long.epd --nodes 1000000000000 --json --jobs 1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    let report = Report::of(child.wait_with_output().unwrap()).assert_status(130);
    assert!(
        first.contains("\"solved\":true") && rest.starts_with("{\"suite\":") && rest.lines().count() == 1,
        "{rest}"
    );
    assert_eq!(report.err, "warning: interrupted\n");
}

#[test]
fn ctrl_c_ends_a_single_search_with_its_lines() {
    let folder = Folder::new();
    let mut child =
        folder.command("startpos --nodes 1000000000000").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    Report::of(child.wait_with_output().unwrap()).assert_status(130);
    assert!(rest.contains(" variation\n") && rest.contains("\nbest move: "), "{rest}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_fault() {
    let folder = Folder::new().file("many.epd", &format!("{START}\n").repeat(200));
    let mut child = folder.command("many.epd --depth 5").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

/// The report of a command whose output nobody reads.
fn unread(mut command: Command) -> Report {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    Report::of(command.stdout(writer).output().unwrap())
}

#[test]
fn files_and_exit_status_are_right_whoever_reads() {
    let games = game(MATE_IN_TWO, "1. Rd7+ *").repeat(3);
    let suite = format!("{START} bm a3; am a3;\n{ANTI_MATE_IN_ONE} bm O-O-O;\n");
    let bad = format!("{START}\n8/8 w - -\n");
    let folder = Folder::new().file("games.pgn", &games).file("suite.epd", &suite).file("bad.epd", &bad);
    let report = unread(folder.command("games.pgn --depth 3 --annotate out.pgn --plot curve.svg --jobs 1"));
    assert_eq!(report.assert_status(0).err, "");
    assert_eq!(read_games(&folder.text("out.pgn")).iter().filter(|game| game.comments().len() == 1).count(), 3);
    assert!((1..=3).all(|number| folder.text(&format!("curve-{number}.svg")).starts_with("<svg ")));
    unread(folder.command("suite.epd --depth 2 --strict --jobs 1")).assert_status(1);
    unread(folder.command("bad.epd --depth 1 --jobs 1")).assert_status(2);
}

/// A game that is reviewed at once if a mate in one is enough, and two that take for ever.
fn games_without_end() -> Folder {
    let long = game(START, "1. e4 {hopeful} *").repeat(2);
    Folder::new().file("games.pgn", &(game(ANTI_MATE_IN_ONE, "17. O-O-O# 1-0") + &long)).file("out.pgn", "older")
}

const WITHOUT_END: &str =
    "games.pgn --mate 1 --nodes 1000000000000 --json --jobs 1 --annotate out.pgn --plot curve.svg";

/// Starts a command and ends it by a signal when it has printed a line.
fn ended_by(signal: Signal, mut command: Command) -> Report {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    kill_process(Pid::from_child(&child), signal).unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    let report = Report::of(child.wait_with_output().unwrap());
    Report { out: first + &rest, ..report }
}

#[test]
fn ctrl_c_leaves_all_games_and_the_pictures_of_those_begun() {
    let folder = games_without_end();
    let report = ended_by(Signal::INT, folder.command(WITHOUT_END)).assert_status(130);
    assert_eq!(report.json_lines().len(), 1);
    let games = read_games(&folder.text("out.pgn"));
    assert_eq!(games.len(), 3);
    assert_eq!((games[0].tag("Annotator").is_some(), games[2].tag("Annotator")), (true, None));
    assert_eq!(games[2].comments(), [(1, "hopeful")]);
    let exists = ["curve-1.svg", "curve-2.svg", "curve-3.svg", "out.pgn.part"].map(|name| folder.path(name).exists());
    assert_eq!(exists, [true, false, false, false]);
}

#[test]
fn a_kill_loses_no_game_that_is_done() {
    let folder = games_without_end();
    ended_by(Signal::KILL, folder.command(WITHOUT_END));
    assert_eq!(folder.text("out.pgn"), "older");
    let games = read_games(&folder.text("out.pgn.part"));
    assert_eq!((games.len(), games[0].terminator.as_deref()), (1, Some("1-0")));
    assert!(folder.text("curve-1.svg").ends_with("</svg>\n"));
    let report = folder.run(WITHOUT_END).assert_status(2);
    assert!(report.err.contains("out.pgn.part holds what a run that was cut short has done"), "{}", report.err);
}

/// True of a text with an escape sequence that sets colours or styles.
#[cfg(target_os = "linux")]
fn has_colours(text: &str) -> bool {
    let sequences = text.split("\u{1b}[").skip(1);
    let mut ends = sequences.filter_map(|sequence| sequence.chars().find(|letter| letter.is_ascii_alphabetic()));
    ends.any(|end| end == 'm')
}

#[test]
#[cfg(target_os = "linux")]
fn colours_are_for_terminals_that_want_them() {
    let folder = Folder::new();
    let clean = |command: &mut Command| {
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LC_ALL", "LC_CTYPE"] {
            command.env_remove(name);
        }
    };
    let mut command = folder.command("startpos --depth 4");
    clean(&mut command);
    let coloured = on_terminal(&mut command);
    assert!(has_colours(&coloured));
    assert!(coloured.contains("\u{1b}[36m") && coloured.contains('Ⓐ'), "{coloured:?}");
    let mut command = folder.command("startpos --depth 4");
    clean(&mut command);
    let plain = on_terminal(command.env("NO_COLOR", "1"));
    assert!(plain.contains('Ⓐ') && !has_colours(&plain), "{plain:?}");
    assert!(plain.contains(" 1/1 ") && plain.contains(" 4/4 "), "each depth is shown: {plain:?}");
    let piped = folder.run("startpos --depth 4").good();
    assert!(!piped.contains(" 1/1 ") && piped.contains(" 4/4 "), "only the last one is: {piped}");
    let mut command = folder.command("startpos --depth 4 --json");
    clean(&mut command);
    assert!(serde_json::from_str::<Value>(&on_terminal(&mut command)).is_ok());
}
