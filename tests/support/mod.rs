//! A GUI for tests: drives the real binary and checks what every search must keep to.

#![allow(dead_code)] // each test program uses its own part

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use antiking::rules::{Game, Position, parse_fen, parse_uci};
use serde_json::Value;

/// Longer than anything may take on a busy machine; whoever waits so long has hung.
const WATCHDOG: Duration = Duration::from_secs(60);

/// A number that is smaller where debug assertions make the search slow.
pub fn by_build<T>(release: T, debug: T) -> T {
    if cfg!(debug_assertions) { debug } else { release }
}

/// The binary with the given arguments, and no configuration from outside.
pub fn binary(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_antiking"));
    command.args(arguments).env_remove("ANTIKING_CONFIG").env_remove("RUST_LOG");
    command
}

/// What a command said, and how it ended.
pub struct Report {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Report {
    pub fn of(output: Output) -> Report {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Report { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    pub fn assert_status(self, status: i32) -> Report {
        assert_eq!(self.status, Some(status), "{}\n{}", self.out, self.err);
        self
    }

    /// The output of a command that has nothing to complain of.
    pub fn good(self) -> String {
        let report = self.assert_status(0);
        assert_eq!(report.err, "");
        report.out
    }

    pub fn json_lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// One message on standard error that has these words, nothing on standard output.
    pub fn assert_refused(self, words: &[&str]) {
        let report = self.assert_status(2);
        assert_eq!((report.out.as_str(), report.err.lines().count()), ("", 1), "{}", report.err);
        assert!(report.err.starts_with("error: "), "{}", report.err);
        for word in words {
            assert!(report.err.contains(word), "{word:?} is not in {}", report.err);
        }
    }
}

/// All that a command that succeeds writes to a terminal, on standard output and error.
#[cfg(target_os = "linux")]
pub fn on_terminal(command: &mut Command) -> String {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let theirs = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let error = theirs.try_clone().unwrap();
    command.env("TERM", "xterm").env("LANG", "C.UTF-8").stdin(Stdio::null()).stdout(theirs).stderr(error);
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        // The read fails when nobody holds the other side any more.
        let _ = File::from(ours).read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let mut child = command.spawn().unwrap();
    // The command holds the other side too.
    *command = Command::new("true");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    reader.join().unwrap()
}

/// A folder for the files of a test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A subcommand in this folder, with the words of a line.
    pub fn subcommand(&self, name: &str, line: &str) -> Command {
        let words: Vec<&str> = [name].into_iter().chain(line.split_ascii_whitespace()).collect();
        let mut command = binary(&words);
        command.current_dir(self.0.path());
        command
    }
}

/// A running engine.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    game: Game,
}

impl Engine {
    /// Starts the engine and says no word.
    pub fn silent(arguments: &[&str]) -> Engine {
        Engine::spawn(&mut binary(arguments))
    }

    /// Starts the engine by a command of the test's own.
    pub fn spawn(command: &mut Command) -> Engine {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = child.stdout.take().unwrap();
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                if sender.send(String::from_utf8(line.unwrap()).unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, lines, game: Game::new(Position::start()) }
    }

    /// Starts the engine as GUIs do.
    pub fn new() -> Engine {
        let mut engine = Engine::silent(&[]);
        engine.send("uci");
        engine.wait_for("uciok");
        engine.send("setoption name UCI_Variant value anti-king-2");
        engine.ready();
        engine
    }

    /// [`Engine::new`] with options set.
    pub fn with_options(options: &[(&str, &str)]) -> Engine {
        let mut engine = Engine::new();
        for (name, value) in options {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        engine.ready();
        engine
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Sends `position`, and keeps the game that it tells: without the moves from the first bad one on.
    pub fn position(&mut self, text: &str) {
        self.send(&format!("position {text}"));
        self.game = game(text);
    }

    /// Sends a line and returns what comes before `readyok`.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.ready()
    }

    /// Sends `isready` and returns what comes before `readyok`.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.wait_for("readyok");
        lines.pop();
        lines
    }

    /// The lines up to the first that begins with `prefix`.
    pub fn wait_for(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(WATCHDOG) {
                Ok(line) => {
                    check_line(&line);
                    let found = line.starts_with(prefix);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                Err(error) => panic!("no line {prefix:?} ({error}) after {:#?}", tail(&lines)),
            }
        }
    }

    /// All that the engine says within this time.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            check_line(&line);
            lines.push(line);
        }
        lines
    }

    /// Sends a `go` that ends by itself, and checks the search.
    pub fn go(&mut self, line: &str) -> Search {
        self.send(line);
        self.search(Vec::new())
    }

    /// Reads a search to its `bestmove` and checks it; `before` holds lines of it that were read already.
    pub fn search(&mut self, mut before: Vec<String>) -> Search {
        before.extend(self.wait_for("bestmove"));
        let search = Search::parse(&before);
        search.check(&self.game);
        search
    }

    /// Sends a `go`, lets it run for a while without an answer, stops it and checks the search.
    pub fn go_and_stop(&mut self, line: &str, run: Duration) -> Search {
        self.send(line);
        let before = self.listen(run);
        assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{line}: answered unasked: {before:#?}");
        self.send("stop");
        let search = self.search(before);
        assert_eq!(self.ready(), [] as [&str; 0], "after the bestmove of {line}");
        search
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process; returns what it said before, and how it ended.
    pub fn exit(&mut self, patience: Duration) -> (Vec<String>, ExitStatus) {
        let end = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("still there after {patience:?}, said {:#?}", tail(&lines)),
            }
        }
        (lines, self.child.wait().unwrap())
    }

    /// The processor time used so far by all threads, in clock ticks (hundredths of a second).
    #[cfg(target_os = "linux")]
    pub fn processor_ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        let after_name = stat.rsplit_once(')').unwrap().1;
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn tail(lines: &[String]) -> &[String] {
    &lines[lines.len().saturating_sub(10)..]
}

fn check_line(line: &str) {
    assert!(line.len() < 1999, "a line of {} bytes", line.len());
    assert_eq!(line, line.trim_end(), "blanks at the end");
}

/// The game that a `position` command tells, up to the first bad move.
pub fn game(text: &str) -> Game {
    let (board, moves) = text.split_once(" moves").unwrap_or((text, ""));
    let start = match board.strip_prefix("fen ") {
        Some(fen) => parse_fen(fen).unwrap().position,
        None => Position::start(),
    };
    let mut game = Game::new(start);
    for text in moves.split_whitespace() {
        match parse_uci(game.position(), text) {
            Ok(mv) => game.push(mv),
            Err(_) => break,
        }
    }
    game
}

/// An `info` line with a score.
#[derive(Clone, Debug)]
pub struct Info {
    pub depth: u32,
    pub selective_depth: u32,
    pub line: usize,
    /// `cp 12` or `mate -3`.
    pub score: String,
    pub bound: Option<String>,
    pub wdl: Option<[u32; 3]>,
    pub nodes: u64,
    pub nps: u64,
    pub hash_full: u32,
    pub time: u64,
    pub pv: Vec<String>,
}

impl Info {
    /// `None` of a line without a score.
    fn parse(text: &str) -> Option<Info> {
        let words: Vec<&str> = text.split(' ').collect();
        assert!(words.iter().all(|word| !word.is_empty()), "doubled blanks: {text:?}");
        let after = |key: &str| words.iter().position(|word| *word == key).map(|at| &words[at + 1..]);
        if words[1] == "string" {
            return None;
        }
        let score = after("score")?;
        let pv = after("pv").unwrap_or(&[]);
        let number =
            |key: &str| after(key).map_or(0, |rest| rest[0].parse::<u64>().unwrap_or_else(|_| panic!("{text}")));
        if !pv.is_empty() {
            for key in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"] {
                assert!(after(key).is_some(), "no {key}: {text}");
            }
        }
        let parsed = |text: &str| text.parse::<i32>().is_ok();
        assert!(["cp", "mate"].contains(&score[0]) && parsed(score[1]), "{text}");
        Some(Info {
            depth: number("depth") as u32,
            selective_depth: number("seldepth") as u32,
            line: number("multipv").max(1) as usize,
            score: score[..2].join(" "),
            bound: score.get(2).filter(|word| word.ends_with("bound")).map(|word| (*word).to_owned()),
            wdl: after("wdl").map(|wdl| [0, 1, 2].map(|index| wdl[index].parse().unwrap())),
            nodes: number("nodes"),
            nps: number("nps"),
            hash_full: number("hashfull") as u32,
            time: number("time"),
            pv: pv.iter().map(|mv| (*mv).to_owned()).collect(),
        })
    }

    /// The score as one number: mates beyond all centipawns, the nearer the further out.
    pub fn value(&self) -> i64 {
        let (kind, number) = self.score.split_once(' ').unwrap();
        let number: i64 = number.parse().unwrap();
        match kind {
            "cp" => number,
            _ if number > 0 => 1_000_000 - number,
            _ => -1_000_000 - number,
        }
    }
}

/// A search from `go` to `bestmove`.
#[derive(Clone, Debug)]
pub struct Search {
    pub infos: Vec<Info>,
    /// The `info string` lines, without those words.
    pub strings: Vec<String>,
    pub best: String,
    pub ponder: Option<String>,
}

impl Search {
    fn parse(lines: &[String]) -> Search {
        let (last, before) = lines.split_last().unwrap();
        for line in before {
            assert!(line.starts_with("info "), "not an info line: {line:?}");
        }
        let words: Vec<&str> = last.split(' ').collect();
        let ponder = match words[..] {
            ["bestmove", _] => None,
            ["bestmove", _, "ponder", ponder] => Some(ponder.to_owned()),
            _ => panic!("{last:?}"),
        };
        Search {
            infos: before.iter().filter_map(|line| Info::parse(line)).collect(),
            strings: before.iter().filter_map(|line| line.strip_prefix("info string ")).map(str::to_owned).collect(),
            best: words[1].to_owned(),
            ponder,
        }
    }

    /// The last line that the move was chosen by.
    pub fn last(&self) -> &Info {
        self.infos.iter().rev().find(|info| info.line == 1).unwrap()
    }

    /// The last complete set of lines, best first.
    pub fn lines(&self) -> Vec<&Info> {
        let last = self.infos.iter().rposition(|info| info.line == 1).unwrap();
        self.infos[last..].iter().collect()
    }

    /// What holds of every search.
    fn check(&self, game: &Game) {
        let position = game.position();
        assert!(!self.infos.is_empty(), "no info before bestmove {}", self.best);
        if !position.has_legal_move() {
            let expected = if position.in_check() { "mate 0" } else { "cp 0" };
            assert_eq!((self.best.as_str(), self.last().score.as_str()), ("(none)", expected));
            assert!(self.ponder.is_none() && self.infos.iter().all(|info| info.depth == 0 && info.pv.is_empty()));
            return;
        }
        self.infos.iter().for_each(|info| check_info(info, game));
        for pair in self.infos.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].time <= pair[1].time, "{pair:#?}");
        }
        let last = self.last();
        assert_eq!(last.bound, None, "{last:?}");
        assert_eq!(Some(&self.best), last.pv.first(), "{last:?}");
        if let Some(ponder) = &self.ponder {
            assert_eq!(Some(ponder), last.pv.get(1), "{last:?}");
            assert_eq!(replay(game, &last.pv[..2]).outcome(), None, "pondering on the last move of a game");
        }
    }
}

fn check_info(info: &Info, game: &Game) {
    assert!(info.depth >= 1 && !info.pv.is_empty(), "{info:?}");
    assert!(info.hash_full <= 1000, "{info:?}");
    assert_eq!(info.nps, info.nodes * 1000 / info.time.max(1), "{info:?}");
    let end = replay(game, &info.pv);
    if info.bound.is_some() {
        return;
    }
    if let Some(moves) = info.score.strip_prefix("mate ") {
        let moves: i32 = moves.parse().unwrap();
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert!(info.pv.len() <= plies as usize, "{info:?}");
        let mated = end.outcome().is_some_and(|outcome| outcome.winner().is_some());
        assert_eq!(mated, info.pv.len() == plies as usize, "{info:?}");
    } else if info.score == "cp 0" && info.pv.len() == 1 {
        assert!(end.outcome().is_some(), "runners take this for a draw: {info:?}");
    }
}

/// The game after a line, each move of which must be legal, and none of which may follow on the game's end. (A root that
/// is drawn already is searched all the same.)
fn replay(game: &Game, line: &[String]) -> Game {
    let drawn_before = game.outcome().is_some();
    let mut game = game.clone();
    for (index, text) in line.iter().enumerate() {
        assert!(drawn_before || game.outcome().is_none(), "{line:?} goes on after the end of the game at {index}");
        let mv = parse_uci(game.position(), text).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        game.push(mv);
    }
    game
}
