//! Matches of the real binary against itself. All but the first take minutes, one an hour, and are for a machine with nothing else to
//! do: `cargo test --release --test match_engine -- --ignored --test-threads 1`.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Plays a match to its end; gives the last object of its JSON.
fn played(words: &str) -> Value {
    let output = command(words).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    last_object(&String::from_utf8(output.stdout).unwrap())
}

fn command(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_antiking"));
    let openings = concat!("file=", env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
    command.args(["match", "--json", "--openings", openings]).args(words.split_ascii_whitespace());
    command
}

fn last_object(text: &str) -> Value {
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

fn assert_no_faults(total: &Value, games: u32) {
    assert_eq!(total["games"], games);
    for engine in total["engines"].as_array().unwrap() {
        assert_eq!(engine["faults"], 0, "{total:#}");
    }
}

#[test]
fn the_binary_plays_itself_and_the_greedy_player() {
    let total = played(
        "--engine cmd=self name=a --engine cmd=self name=b --engine cmd=greedy --each nodes=300 --games 2 --rounds 1 --repeat",
    );
    assert_no_faults(&total, 6);
}

#[test]
#[ignore = "minutes"]
fn a_hundred_games_won_against_the_greedy_player() {
    let total = played(
        "--engine cmd=self --engine cmd=greedy --each nodes=10000 --games 2 --rounds 50 --repeat --concurrency 2",
    );
    assert_no_faults(&total, 100);
    assert_eq!(total["engines"][0]["games"], serde_json::json!({ "wins": 100, "losses": 0, "draws": 0 }));
}

#[test]
#[ignore = "minutes"]
fn two_hundred_fast_games_without_a_forfeit() {
    let total = played(
        "--engine cmd=self name=a --engine cmd=self name=b --each tc=1+0.01 --games 2 --rounds 100 --repeat --concurrency 2",
    );
    assert_no_faults(&total, 200);
}

/// Plays the engine against itself, and wants every game to end without a fault.
fn assert_sound_self_play(each: &str, rounds: u32, concurrency: u32) {
    let total = played(&format!(
        "--engine cmd=self name=a --engine cmd=self name=b --each {each} --games 2 --rounds {rounds} --repeat \
         --concurrency {concurrency}"
    ));
    assert_no_faults(&total, 2 * rounds);
}

#[test]
#[ignore = "minutes"]
fn a_hundred_very_fast_games_without_a_fault() {
    assert_sound_self_play("tc=0.5+0.005", 50, 2);
}

#[test]
#[ignore = "minutes"]
fn a_hundred_games_without_increment_without_a_fault() {
    assert_sound_self_play("tc=2+0", 50, 2);
}

#[test]
#[ignore = "an hour"]
fn a_hundred_games_with_two_threads_without_a_fault() {
    assert_sound_self_play("tc=10+0.1 option.Threads=2", 50, 1);
}

#[test]
#[ignore = "minutes"]
fn two_hundred_very_fast_games_with_the_smallest_hash_table_without_a_fault() {
    assert_sound_self_play("tc=0.5+0.005 option.Hash=1", 100, 2);
}

#[test]
#[ignore = "minutes"]
fn short_sessions_and_short_fixed_times_are_kept() {
    assert_sound_self_play("tc=8/0.2", 100, 2);
    assert_sound_self_play("st=0.02", 100, 2);
}

#[test]
#[ignore = "minutes"]
fn a_clock_and_a_fixed_time_are_both_kept() {
    assert_sound_self_play("tc=1 st=1", 25, 2);
    assert_sound_self_play("tc=3+0.01 st=0.05", 25, 2);
}

#[test]
#[ignore = "an hour"]
fn five_thousand_very_fast_games_without_a_fault() {
    assert_sound_self_play("tc=0.5+0.005", 2_500, 2);
}

#[test]
#[ignore = "minutes"]
fn a_fixed_time_a_move_is_kept() {
    let total = played(
        "--engine cmd=self name=a --engine cmd=self name=b --each st=0.25 --games 2 --rounds 25 --repeat --concurrency 2",
    );
    assert_no_faults(&total, 50);
}

#[test]
#[ignore = "minutes"]
fn four_times_the_time_is_worth_a_hundred_elo() {
    let total = played(
        "--engine cmd=self name=slow tc=2+0.02 --engine cmd=self name=fast tc=0.5+0.005 --games 2 --rounds 100 --repeat \
         --concurrency 2",
    );
    assert_no_faults(&total, 200);
    let elo = total["pairings"][0]["elo_of_first"]["value"].as_f64().unwrap_or(f64::INFINITY);
    assert!(elo >= 100.0, "{elo}");
}

/// The processor time that a process has used itself, in ticks of the kernel.
#[cfg(target_os = "linux")]
fn ticks(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = stat.rsplit(')').next()?.split_ascii_whitespace();
    Some(fields.nth(11)?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

/// The processes that the threads of a process have started.
#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

#[test]
#[ignore = "a minute"]
#[cfg(target_os = "linux")]
fn the_runner_needs_little_beside_the_engines() {
    let words = "--engine cmd=self name=a --engine cmd=self name=b --each nodes=20000 --games 2 --rounds 10 --repeat";
    let mut child = command(words).stdout(Stdio::null()).spawn().unwrap();
    let (mut runner, mut engines) = (0, 0);
    while child.try_wait().unwrap().is_none() {
        let spent: u64 = children(child.id()).into_iter().filter_map(ticks).sum();
        if spent >= engines {
            (runner, engines) = (ticks(child.id()).unwrap_or(runner), spent);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("runner {runner} ticks, engines {engines} ticks");
    assert!(engines > 100 && runner * 20 < engines, "runner {runner} ticks, engines {engines} ticks");
}
