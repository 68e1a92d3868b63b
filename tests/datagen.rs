//! `antiking datagen` through the real binary.

mod support;

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use antiking::datagen::{HEADER_LENGTH, RECORD_LENGTH, Reader, Record};
use antiking::pgn::GameResult;
use antiking::rules::{Game, Outcome};
use antiking::types::Color;
use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
#[cfg(target_os = "linux")]
use support::on_terminal;
use support::{Folder, Report};

const SETTINGS: &str = "--nodes 200 --hard-nodes 800 --seed 7 --hash 1";

impl Folder {
    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// `datagen` in this folder, with the words of a line.
    fn command(&self, line: &str) -> Command {
        let mut command = self.subcommand("datagen", line);
        command.stdin(Stdio::null());
        command
    }

    fn run(&self, line: &str) -> Report {
        Report::of(self.command(line).output().unwrap())
    }

    /// Plays games with the common settings into a file.
    fn play(&self, file: &str, line: &str) -> Report {
        self.run(&format!("--output {file} {SETTINGS} {line}")).assert_status(0)
    }

    fn spawn(&self, line: &str) -> Child {
        self.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn records(&self, name: &str) -> Vec<Record> {
        Reader::open(&self.path(name)).unwrap().map(Result::unwrap).collect()
    }
}

/// Waits until a file is longer than that.
fn wait_for_length(path: &Path, length: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(path).map_or(0, |metadata| metadata.len()) <= length as u64 {
        assert!(Instant::now() < deadline, "{} does not grow", path.display());
        thread::sleep(Duration::from_millis(2));
    }
}

fn games_of(records: &[Record]) -> Vec<&[Record]> {
    records.split_inclusive(|record| record.is_last).collect()
}

#[test]
fn games_replay_to_their_results_whoever_wins() {
    let folder = Folder::new();
    let report = folder.play("new/folder/games.akg", "--games 20 --threads 2");
    assert_eq!(report.err, "", "quiet in a pipe");
    let records = folder.records("new/folder/games.akg");
    let counts = format!("new/folder/games.akg: 20 games, {} positions, seed 7, shard 1/1\n", records.len());
    assert!(report.out.starts_with(&counts) && report.out.ends_with(" positions per second\n"), "{}", report.out);
    let games = games_of(&records);
    assert_eq!(games.len(), 20);
    let mut results = HashSet::new();
    for (number, records) in games.into_iter().enumerate() {
        let mut game = Game::new(records[0].position.clone());
        assert!(!game.position().in_check());
        for record in records {
            assert_eq!((game.position(), game.outcome()), (&record.position, None));
            assert_eq!((record.game as usize, record.outcome), (number, records[0].outcome));
            game.push(record.best);
        }
        assert_eq!(game.outcome(), Some(records[0].outcome));
        results.insert(records[0].result());
        if let Outcome::Mate { loser, .. } = records[0].outcome {
            // The last move mates: for White a score far above zero, for Black far below.
            let last = &records[records.len() - 1];
            assert_eq!(last.score.0.signum(), if loser == Color::Black { 1 } else { -1 });
            assert!(last.score.is_mate());
        }
    }
    assert!(results.contains(&GameResult::WhiteWins) && results.contains(&GameResult::BlackWins), "{results:?}");
}

#[test]
fn the_same_bytes_come_of_any_number_of_threads_and_shards() {
    let folder = Folder::new();
    folder.play("one", "--games 20 --threads 1");
    folder.play("two", "--games 20 --threads 2");
    assert_eq!(folder.bytes("one"), folder.bytes("two"));
    let mut records = Vec::new();
    for shard in 1..=3 {
        let name = format!("shard-{shard}");
        folder.play(&name, &format!("--games 20 --shard {shard}/3"));
        records.extend(folder.records(&name));
    }
    records.sort_by_key(|record| record.game);
    assert_eq!(records, folder.records("one"));
    let other_seed = folder.run("--output other --nodes 200 --hard-nodes 800 --seed 8 --hash 1 --games 1");
    other_seed.assert_status(0);
    assert_ne!(folder.records("other")[0], records[0]);
}

#[test]
fn a_run_goes_on_where_it_was_killed() {
    let folder = Folder::new();
    folder.play("whole", "--games 16");
    let whole = folder.bytes("whole");
    let line = format!("--output killed {SETTINGS} --games 16 --threads 2");
    let killed = folder.path("killed");
    for length in [HEADER_LENGTH, whole.len() / 2] {
        let mut child = folder.spawn(&line);
        wait_for_length(&killed, length);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(whole.starts_with(&folder.bytes("killed")));
    }
    assert!(folder.run(&line).assert_status(0).out.starts_with("Resumed with "));
    assert!(folder.bytes("killed") == whole);
    let again = folder.run(&line).assert_status(0);
    assert!(again.out.starts_with("Resumed with 16 games, ") && again.out.lines().count() == 2, "{}", again.out);
}

#[test]
fn a_run_goes_on_from_whatever_part_of_a_write_is_there() {
    let folder = Folder::new();
    folder.play("whole", "--games 2");
    let whole = folder.bytes("whole");
    let first = HEADER_LENGTH + games_of(&folder.records("whole"))[0].len() * RECORD_LENGTH;
    for length in [0, 5, HEADER_LENGTH - 1, HEADER_LENGTH, HEADER_LENGTH + 1, first - 1, first, first + 60] {
        fs::write(folder.path("cut"), &whole[..length]).unwrap();
        folder.play("cut", "--games 2");
        assert!(folder.bytes("cut") == whole, "cut to {length} bytes");
    }
    let longer = folder.play("cut", "--games 3");
    assert!(
        longer.out.starts_with("Resumed with 2 games, ") && longer.out.contains("cut: 3 games, "),
        "{}",
        longer.out
    );
    assert!(folder.bytes("cut").starts_with(&whole));
}

#[test]
fn ctrl_c_loses_nothing() {
    let folder = Folder::new();
    let line = format!("--output games {SETTINGS} --games 100000 --threads 2");
    let child = folder.spawn(&line);
    wait_for_length(&folder.path("games"), HEADER_LENGTH + 500 * RECORD_LENGTH);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let report = Report::of(child.wait_with_output().unwrap()).assert_status(130);
    assert!(report.err.starts_with("warning: interrupted") && report.err.lines().count() == 1, "{}", report.err);
    let records = folder.records("games");
    let games = games_of(&records).len();
    assert!(report.out.contains(&format!("games: {games} games, {} positions", records.len())), "{}", report.out);
    folder.play("whole", &format!("--games {games}"));
    assert!(folder.bytes("games") == folder.bytes("whole"));
}

#[test]
fn a_seed_is_drawn_printed_and_kept() {
    let folder = Folder::new();
    let seed = |line: &str| {
        let report = folder.run(&format!("--games 1 --nodes 1 --hash 1 {line}")).assert_status(0);
        report.out.split("seed ").nth(1).unwrap().split(',').next().unwrap().to_string()
    };
    let drawn = seed("--output a");
    assert_eq!(seed("--output a"), drawn);
    assert_ne!(seed("--output b"), drawn);
    assert_eq!(seed(&format!("--output c --seed {drawn}")), drawn);
    assert_eq!(folder.bytes("a"), folder.bytes("c"));
}

#[test]
fn files_that_are_not_of_this_run_are_kept() {
    let folder = Folder::new();
    folder.play("games", "--games 2");
    let before = folder.bytes("games");
    let other = |line: &str| folder.run(&format!("--output games --games 3 {line}"));
    other("--nodes 300 --hard-nodes 800 --seed 9 --hash 1").assert_refused(&[
        "games holds games of another kind",
        "seed is 7 there and 9 here",
        "nodes is 200 there and 300",
    ]);
    other(&format!("{SETTINGS} --shard 1/2")).assert_refused(&["shard is 1/1 there and 1/2 here"]);
    let file = File::open(folder.path("games")).unwrap();
    flock(&file, FlockOperation::NonBlockingLockExclusive).unwrap();
    other(SETTINGS).assert_refused(&["games is in use by another run"]);
    drop(file);
    assert_eq!(folder.bytes("games"), before);
    for notes in ["remember the milk\n", &"remember the milk\n".repeat(20)] {
        fs::write(folder.path("notes"), notes).unwrap();
        folder.run("--output notes --games 1").assert_refused(&["notes, byte 0: it does not begin like"]);
        assert_eq!(folder.bytes("notes"), notes.as_bytes());
    }
    // A game in the place of another.
    let (header, records) = before.split_at(HEADER_LENGTH);
    let first = games_of(&folder.records("games"))[0].len() * RECORD_LENGTH;
    fs::write(folder.path("games"), [header, &records[first..]].concat()).unwrap();
    other(SETTINGS).assert_refused(&["games, byte 80: game 1 stands where game"]);
}

#[test]
fn damaged_files_are_told_with_the_place() {
    let folder = Folder::new();
    folder.play("good", "--games 2");
    let good = folder.bytes("good");
    let with = |at: usize, change: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= change;
        bytes
    };
    let third = HEADER_LENGTH + 2 * RECORD_LENGTH;
    let end = good.len();
    let cases = [
        (Vec::new(), 0, "ends within its header"),
        (good[..50].to_vec(), 50, "ends within its header"),
        (b"rnbqkbnr".to_vec(), 0, "does not begin like"),
        (with(0, 1), 0, "does not begin like"),
        (with(8, 6), 0, "version 7"),
        (with(33, 1), 0, "checksum of the header"),
        (with(third + 9, 16), third, "checksum of the record"),
        (with(third + RECORD_LENGTH - 1, 128), third, "checksum of the record"),
        (good[..third + 7].to_vec(), third + 7, "ends within a record"),
        (good[..third].to_vec(), third, "ends before game 0 does"),
        (good[..end - 1].to_vec(), end - 1, "ends within a record"),
        ([&good[..], b"x"].concat(), end + 1, "ends within a record"),
        ([&good[..], &[0; RECORD_LENGTH]].concat(), end, "checksum of the record"),
    ];
    for (bytes, offset, fault) in cases {
        fs::write(folder.path("bad"), &bytes).unwrap();
        let place = format!("bad, byte {offset}: ");
        folder.run("--stats good bad").assert_refused(&[&place, fault]);
        folder.run("--stats bad --json").assert_refused(&[&place, fault]);
        let dump = folder.run("--dump bad").assert_status(2);
        assert!(dump.err.contains(&place) && dump.err.contains(fault), "{}", dump.err);
        let whole_records = (offset.max(HEADER_LENGTH) - HEADER_LENGTH) / RECORD_LENGTH;
        assert_eq!(dump.out.lines().count(), whole_records, "what is good before byte {offset}");
        assert_eq!(folder.bytes("bad"), bytes);
    }
    // A run does not go on behind damage, and cuts nothing off.
    fs::write(folder.path("bad"), with(third + 9, 16)).unwrap();
    let resumed = folder.run(&format!("--output bad {SETTINGS} --games 3"));
    resumed.assert_refused(&[&format!("bad, byte {third}: "), "checksum of the record"]);
    assert_eq!(folder.bytes("bad"), with(third + 9, 16));
    for line in ["--stats good none", "--dump none"] {
        folder.run(line).assert_refused(&["none, byte 0: cannot read: "]);
    }
}

#[test]
fn statistics_and_dump_agree_with_the_records() {
    let folder = Folder::new();
    folder.play("a", "--games 12 --shard 1/2");
    folder.play("b", "--games 12 --shard 2/2");
    let records: Vec<Record> = [folder.records("a"), folder.records("b")].concat();
    let dump: Vec<String> = ["a", "b"]
        .iter()
        .flat_map(|file| {
            let out = folder.run(&format!("--dump {file}")).assert_status(0).out;
            out.lines().map(String::from).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(dump.len(), records.len());
    for (line, record) in dump.iter().zip(&records) {
        let points = match record.result() {
            GameResult::WhiteWins => "1.0",
            GameResult::Draw => "0.5",
            GameResult::BlackWins => "0.0",
        };
        assert_eq!(*line, format!("{} | {} | {points}", record.position.fen(), record.score.0));
    }
    let out = folder.run("--stats a b --json").assert_status(0).out;
    let statistics: Value = serde_json::from_str(&out).unwrap();
    let number = |pointer: &str| statistics.pointer(pointer).unwrap().as_u64().unwrap() as usize;
    let count = |holds: &dyn Fn(&Record) -> bool| records.iter().filter(|record| holds(record)).count();
    assert_eq!((number("/files"), number("/games"), number("/positions")), (2, 12, records.len()));
    let won = |result| count(&|record| record.is_last && record.result() == result);
    assert_eq!(number("/results/white"), won(GameResult::WhiteWins));
    assert_eq!(number("/results/black"), won(GameResult::BlackWins));
    assert_eq!(number("/results/draw"), won(GameResult::Draw));
    let checks = number("/in_check/king") + number("/in_check/anti") + number("/in_check/both");
    assert_eq!(checks, count(&|record| record.position.in_check()));
    assert_eq!(number("/mates/white"), count(&|record| record.score.is_mate() && record.score.0 > 0));
    let distinct: HashSet<u64> = records.iter().map(|record| record.position.key()).collect();
    assert_eq!(number("/duplicates"), records.len() - distinct.len());
    let sum = |list: &str| -> u64 {
        let items = statistics[list].as_array().unwrap();
        items.iter().map(|item| item["count"].as_u64().unwrap()).sum()
    };
    assert_eq!(sum("men"), records.len() as u64);
    let mates = number("/mates/white") + number("/mates/black");
    assert_eq!(sum("scores") as usize + mates, records.len());
    let text = folder.run("--stats a b").assert_status(0).out;
    assert!(text.starts_with(&format!("2 files, 12 games, {} positions, ", records.len())), "{text}");
    let twice: Value = serde_json::from_str(&folder.run("--stats a a --json").assert_status(0).out).unwrap();
    let half = folder.records("a").len() as u64;
    assert!(twice["duplicates"].as_u64().unwrap() >= half);
}

#[test]
fn impossible_wishes_are_refused() {
    let folder = Folder::new();
    let refuse = |line: &str, words: &[&str]| folder.run(line).assert_refused(words);
    refuse("--output x --games 1 --nodes 100 --hard-nodes 99", &["--hard-nodes 99 is less than --nodes 100"]);
    assert!(!folder.path("x").exists());
    refuse("--output . --games 1", &["cannot write ."]);
    // No random game is so long.
    let line = format!("--output y --games 1 {SETTINGS} --random-plies 3000");
    refuse(&line, &["game 0: of 1000 random openings"]);
    for line in [
        "",
        "--output x",
        "--games 1",
        "--output x --games 0",
        "--output x --games 1 --shard 3/2",
        "--output x --games 1 --anti-king-share 101",
        "--output x --games 1 --json",
        "--stats x --games 1",
        "--stats x --threads 2",
        "--dump x --stats x",
        "--dump x --json",
        "--json",
    ] {
        let report = folder.run(line).assert_status(2);
        assert!(report.err.starts_with("error: ") && report.out.is_empty(), "{line}: {}", report.err);
    }
    assert!(!folder.path("x").exists());
}

#[test]
fn a_reader_that_goes_ends_a_dump_quietly() {
    let folder = Folder::new();
    folder.play("games", "--games 20");
    let mut child = folder.spawn("--dump games");
    drop(child.stdout.take());
    let report = Report::of(child.wait_with_output().unwrap()).assert_status(0);
    assert_eq!(report.err, "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_progress() {
    let folder = Folder::new();
    let shown = on_terminal(&mut folder.command(&format!("--output games {SETTINGS} --games 20")));
    assert!(shown.contains("/20 games [") && shown.contains(" positions, "), "{shown:?}");
    assert!(shown.contains("games: 20 games, "), "{shown:?}");
}
