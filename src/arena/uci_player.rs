//! An engine in a process of its own, spoken to in UCI.

use std::fmt::Write;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::player::{Answer, Fault, Player, SearchReport, Turn};
use super::printable::joined;
use super::process::{Event, Launch, Process};
use super::time_control::Clock;
use super::traffic::TrafficLog;
use super::uci_option::{DeclaredOption, OptionError, options_to_set, set_option};
use crate::engine::Interrupt;
use crate::pgn::Evaluation;
use crate::rules::{Game, parse_uci};
use crate::types::{Color, Move};

/// How long after the end of its time a move is still waited for: a move made in time may arrive a little later.
const GRACE: Duration = Duration::from_millis(100);

/// What is needed to start an engine.
#[derive(Clone, Debug)]
pub struct UciLaunch {
    pub launch: Launch,
    /// Options to set, by name (any case) and value.
    pub options: Vec<(String, String)>,
    /// Whether it thinks on its opponent's time.
    pub ponder: bool,
    /// How long the engine may be silent when no clock of its own runs down.
    pub stall: Duration,
    /// Whether an engine that offers no choice of variants is taken to play this one.
    pub assume_variant: bool,
    /// Takes all that is said, with the name of the engine in it.
    pub log: Option<(Arc<TrafficLog>, String)>,
}

impl UciLaunch {
    /// The options given, and leave to ponder for an engine that wants it.
    fn wanted_options(&self, declared: &[DeclaredOption]) -> Vec<(String, String)> {
        const PONDER: &str = "Ponder";
        let mut wanted = self.options.clone();
        if self.ponder && declared.iter().any(|option| option.is_named(PONDER)) {
            wanted.push((PONDER.into(), "true".into()));
        }
        wanted
    }
}

/// Why an engine did not get ready to play.
#[derive(Debug, Error)]
pub enum StartError {
    #[error("cannot run '{program}': {error}")]
    Run { program: String, error: io::Error },
    /// `last_words` is what it said about it, or nothing.
    #[error("'{program}' does not get ready: {fault}{last_words}")]
    NotReady { program: String, fault: Box<Fault>, last_words: String },
    #[error("'{program}' {error}")]
    Option { program: String, error: OptionError },
}

/// Why an engine that runs is not ready.
enum Unready {
    Fault(Fault),
    Option(OptionError),
}

impl From<Fault> for Unready {
    fn from(fault: Fault) -> Unready {
        Unready::Fault(fault)
    }
}

impl From<OptionError> for Unready {
    fn from(error: OptionError) -> Unready {
        Unready::Option(error)
    }
}

/// A UCI engine that is ready to play.
pub struct UciPlayer {
    process: Option<Process>,
    interrupt: Interrupt,
    stall: Duration,
    ponder: bool,
    /// The opponent's move on which it ponders.
    pondered_move: Option<Move>,
    /// The last `position` command, and how many moves of the game it holds.
    position: String,
    moves_told: usize,
}

impl UciPlayer {
    /// Starts the engine, sets the variant where it offers a choice and then the options, and waits until it is ready.
    pub fn start(launch: &UciLaunch, interrupt: &Interrupt) -> Result<UciPlayer, StartError> {
        let program = launch.launch.program.display().to_string();
        let log = launch.log.as_ref().map(|(log, name)| (log, name.as_str()));
        let process = Process::start(&launch.launch, log, interrupt)
            .map_err(|error| StartError::Run { program: program.clone(), error })?;
        let mut player = UciPlayer {
            process: Some(process),
            interrupt: interrupt.clone(),
            stall: launch.stall,
            ponder: launch.ponder,
            pondered_move: None,
            position: String::new(),
            moves_told: 0,
        };
        match player.get_ready(launch) {
            Ok(()) => Ok(player),
            Err(Unready::Option(error)) => Err(StartError::Option { program, error }),
            Err(Unready::Fault(fault)) => {
                let last_words = player.post_mortem().map_or_else(String::new, |words| format!("; {words}"));
                Err(StartError::NotReady { program, fault: Box::new(fault), last_words })
            }
        }
    }

    fn get_ready(&mut self, launch: &UciLaunch) -> Result<(), Unready> {
        let declared = self.greet()?;
        let wanted = launch.wanted_options(&declared);
        for (name, value) in options_to_set(&declared, &wanted, launch.assume_variant)? {
            self.send(&set_option(&name, &value))?;
        }
        Ok(self.synchronize()?)
    }

    /// Sends `uci` and gathers the options up to `uciok`.
    fn greet(&mut self) -> Result<Vec<DeclaredOption>, Fault> {
        self.send("uci\n")?;
        let mut options = Vec::new();
        loop {
            let (text, ..) = self.next_line()?;
            match text.split_ascii_whitespace().next() {
                Some("uciok") => return Ok(options),
                Some("option") => options.extend(DeclaredOption::parse(&text)),
                _ => {}
            }
        }
    }

    /// Waits until the engine has worked off everything that it was sent.
    fn synchronize(&mut self) -> Result<(), Fault> {
        self.send("isready\n")?;
        while self.next_line()?.0.split_ascii_whitespace().next() != Some("readyok") {}
        Ok(())
    }

    fn process(&mut self) -> Result<&mut Process, Fault> {
        let gone = || Fault::Disconnected { status: "stopped".into(), last: String::new() };
        self.process.as_mut().ok_or_else(gone)
    }

    /// Gives the moment right before the lines went out.
    fn send(&mut self, lines: &str) -> Result<Instant, Fault> {
        let stall = self.stall;
        let process = self.process()?;
        match process.send(lines, stall) {
            Ok(sent) => Ok(sent),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(stalled(process, stall)),
            Err(_) => Err(disconnected(process)),
        }
    }

    /// The next answering line, however long it takes while the engine is not silent for too long.
    fn next_line(&mut self) -> Result<(String, Instant, String), Fault> {
        let asked = Instant::now();
        loop {
            let silent_since = self.process()?.last_heard().max(asked);
            let deadline = silent_since + self.stall;
            if let Some(line) = self.line_before(deadline)? {
                return Ok(line);
            }
            let stall = self.stall;
            let process = self.process()?;
            if process.last_heard().max(asked) == silent_since {
                return Err(stalled(process, stall));
            }
        }
    }

    /// The next answering line, `None` when it does not come before the deadline.
    fn line_before(&mut self, deadline: Instant) -> Result<Option<(String, Instant, String)>, Fault> {
        if self.interrupt.is_raised() {
            return Err(Fault::Interrupted);
        }
        let process = self.process()?;
        match process.next_event(deadline) {
            Some(Event::Line { text, at, info }) => Ok(Some((text, at, info))),
            Some(Event::Interrupted) => Err(Fault::Interrupted),
            Some(Event::Closed) => Err(disconnected(process)),
            None => Ok(None),
        }
    }

    /// Waits for `bestmove`: without a clock while the engine is not silent, else as long as its time lasts.
    fn wait_for_best_move(&mut self, turn: &Turn, asked: Instant) -> Result<(String, Instant, String), Fault> {
        loop {
            let line = match turn.allowed_time() {
                None => self.next_line()?,
                Some(allowed) => self
                    .line_before(asked + allowed + GRACE)?
                    .ok_or_else(|| Fault::Time { elapsed: asked.elapsed() })?,
            };
            if line.0.split_ascii_whitespace().next() == Some("bestmove") {
                return Ok(line);
            }
        }
    }

    /// Asks for a move in the position told last; gives the moment from which its time runs.
    fn ask(&mut self, turn: &Turn) -> Result<Instant, Fault> {
        let question = format!("{}\n{}\n", self.position, go_command(turn));
        let process = self.process()?;
        if !process.forget_waiting_lines() {
            return Err(disconnected(process));
        }
        self.send(&question)
    }

    /// Lets the engine think on the reply that it expects, with the clocks as they stand when its opponent begins to think.
    /// An engine that cannot be told is found out at its next move.
    fn start_pondering(&mut self, turn: &Turn, answer: &Answer) {
        let Some([best, reply]) = expected_moves(turn.game, &answer.line) else { return };
        let mut clocks = turn.clocks.map(Option::<&Clock>::cloned);
        if let Some(own) = &mut clocks[turn.color().index()] {
            own.move_made(answer.elapsed);
        }
        // Two half-moves on it is the same side's turn.
        let next = Turn { game: turn.game, clocks: [clocks[0].as_ref(), clocks[1].as_ref()], limits: turn.limits };
        let separator = if turn.game.moves().is_empty() { " moves" } else { "" };
        let go = go_command(&next).replacen("go", "go ponder", 1);
        if self.send(&format!("{}{separator} {best} {reply}\n{go}\n", self.position)).is_ok() {
            self.pondered_move = Some(reply);
        }
    }

    /// Brings the `position` command up to date with the game.
    fn tell_position(&mut self, turn: &Turn) {
        let moves = turn.game.moves();
        if self.position.is_empty() {
            self.position = format!("position fen {}", turn.game.start().fen());
        }
        for (index, mv) in moves.iter().enumerate().skip(self.moves_told) {
            let separator = if index == 0 { " moves " } else { " " };
            // Writing to a string cannot fail.
            let _ = write!(self.position, "{separator}{mv}");
        }
        self.moves_told = moves.len();
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self, number: u64, _seed: u64) -> Result<(), Fault> {
        self.position.clear();
        self.moves_told = 0;
        self.process()?.set_game(number);
        if self.pondered_move.take().is_some() {
            self.send("stop\n")?;
            while self.next_line()?.0.split_ascii_whitespace().next() != Some("bestmove") {}
        }
        self.send("ucinewgame\n")?;
        self.synchronize()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        self.tell_position(turn);
        let asked = match self.pondered_move.take() {
            Some(expected) if turn.game.moves().last() == Some(&expected) => self.send("ponderhit\n")?,
            Some(_) => {
                let stopped = self.send("stop\n")?;
                self.wait_for_best_move(turn, stopped)?;
                self.ask(turn)?;
                // It spends its own time on giving up what it pondered on.
                stopped
            }
            None => self.ask(turn)?,
        };
        let (line, at, info) = self.wait_for_best_move(turn, asked)?;
        let answer = Answer {
            text: line.split_ascii_whitespace().nth(1).unwrap_or_default().into(),
            elapsed: at.saturating_duration_since(asked),
            report: parse_info(&info),
            line,
        };
        if self.ponder {
            self.start_pondering(turn, &answer);
        }
        Ok(answer)
    }

    fn post_mortem(&mut self) -> Option<String> {
        let process = self.process.take().filter(|_| !self.interrupt.is_raised())?;
        let lines = process.post_mortem();
        (!lines.is_empty()).then(|| format!("standard error: {}", joined(&lines)))
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        if let Some(process) = self.process.take()
            && !self.interrupt.is_raised()
        {
            process.quit();
        }
    }
}

fn stalled(process: &Process, silent: Duration) -> Fault {
    Fault::Stalled { silent, last: last_lines(process) }
}

fn disconnected(process: &mut Process) -> Fault {
    let status = process.exit_status().unwrap_or_else(|| "its output is closed".into());
    Fault::Disconnected { status, last: last_lines(process) }
}

fn last_lines(process: &Process) -> String {
    let lines = process.last_lines();
    if lines.is_empty() { "it has said nothing".into() } else { format!("last lines: {}", joined(&lines)) }
}

/// The moves of `bestmove X ponder Y`, if they are legal and the game goes on after them.
fn expected_moves(game: &Game, line: &str) -> Option<[Move; 2]> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [_, best, "ponder", reply, ..] = words[..] else { return None };
    let best = parse_uci(game.position(), best).ok()?;
    let reply = parse_uci(&game.position().played(best), reply).ok()?;
    game.goes_on_after(&[best, reply]).then_some([best, reply])
}

/// The command to search. Clocks are named only where one of the engine's own runs: an engine that is told its opponent's
/// alone may play by that.
fn go_command(turn: &Turn) -> String {
    let mut command = String::from("go");
    let mut add = |word: &str, number: u128| {
        // Writing to a string cannot fail.
        let _ = write!(command, " {word} {number}");
    };
    if let Some(own) = turn.clocks[turn.color().index()] {
        let words = [(Color::White, "wtime", "winc"), (Color::Black, "btime", "binc")];
        for (color, time, increment) in words {
            if let Some(clock) = turn.clocks[color.index()] {
                add(time, clock.remaining().as_millis().max(1));
                add(increment, clock.increment().as_millis());
            }
        }
        if let Some(moves) = own.moves_to_go() {
            add("movestogo", moves.into());
        }
    }
    if let Some(time) = turn.limits.move_time {
        // No more than its clock has: not every engine that is given a time for the move looks at its clock too.
        let clock = turn.clocks[turn.color().index()].map_or(time, Clock::remaining);
        add("movetime", time.min(clock).as_millis().max(1));
    }
    if let Some(nodes) = turn.limits.nodes {
        add("nodes", nodes.into());
    }
    if let Some(depth) = turn.limits.depth {
        add("depth", depth.into());
    }
    command
}

/// Reads depth, score and nodes from an `info` line; what is missing or no number stays unknown.
fn parse_info(line: &str) -> SearchReport {
    let mut report = SearchReport::default();
    let mut words = line.split_ascii_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => report.depth = words.next().and_then(|number| number.parse().ok()).unwrap_or(0),
            "nodes" => report.nodes = words.next().and_then(|number| number.parse().ok()).unwrap_or(0),
            "score" => {
                let (kind, value) = (words.next(), words.next().and_then(|number| number.parse().ok()));
                report.evaluation = match (kind, value) {
                    (Some("cp"), Some(value)) => Some(Evaluation::Centipawns(value)),
                    (Some("mate"), Some(moves)) => Some(Evaluation::Mate(moves)),
                    _ => None,
                };
            }
            "pv" | "string" => break,
            _ => {}
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::limits::PlayLimits;
    use crate::rules::Position;

    #[test]
    fn info_lines_are_read() {
        let line = "info depth 14 seldepth 20 multipv 1 score cp -35 wdl 1 2 3 nodes 5000 nps 100 pv e2e4 depth 99";
        let expected = SearchReport { evaluation: Some(Evaluation::Centipawns(-35)), depth: 14, nodes: 5000 };
        assert_eq!(parse_info(line), expected);
        let mate = SearchReport { evaluation: Some(Evaluation::Mate(-2)), ..SearchReport::default() };
        assert_eq!(parse_info("info score mate -2 depth x"), mate);
        assert_eq!(parse_info(""), SearchReport::default());
        assert_eq!(parse_info("info score"), SearchReport::default());
    }

    #[test]
    fn an_expected_reply_must_be_legal_and_leave_a_game() {
        let game = Game::new(Position::start());
        let expected = |line: &str| expected_moves(&game, line).map(|moves| moves.map(|mv| mv.to_string()));
        assert_eq!(expected("bestmove e2e4 ponder e7e5"), Some(["e2e4".into(), "e7e5".into()]));
        for line in [
            "bestmove e2e4",
            "bestmove e2e5 ponder e7e5",
            "bestmove e2e4 ponder e2e4",
            "bestmove",
            "bestmove e2e4 x e7e5",
        ] {
            assert_eq!(expected(line), None, "{line}");
        }
    }

    #[test]
    fn go_names_the_clocks_of_an_engine_that_has_one() {
        let mut game = Game::new(Position::start());
        let white = Clock::new("40/60+0.5".parse().unwrap());
        let black = Clock::new("0.5+0.005".parse().unwrap());
        let limits = PlayLimits { nodes: Some(9), depth: Some(3), ..PlayLimits::default() };
        let go = |game: &Game, clocks, limits: &PlayLimits| go_command(&Turn { game, clocks, limits });
        assert_eq!(
            go(&game, [Some(&white), Some(&black)], &PlayLimits::default()),
            "go wtime 60000 winc 500 btime 500 binc 5 movestogo 40"
        );
        game.push(parse_uci(game.position(), "e2e4").unwrap());
        assert_eq!(go(&game, [Some(&white), None], &limits), "go nodes 9 depth 3");
        assert_eq!(go(&game, [None, Some(&black)], &limits), "go btime 500 binc 5 nodes 9 depth 3");
        let fixed = PlayLimits { move_time: Some(Duration::from_millis(250)), ..PlayLimits::default() };
        assert_eq!(go(&game, [None, None], &fixed), "go movetime 250");
        let both = |black: &str| {
            let clock = Clock::new(black.parse().unwrap());
            go_command(&Turn { game: &game, clocks: [None, Some(&clock)], limits: &fixed })
        };
        assert_eq!(both("9"), "go btime 9000 binc 0 movetime 250");
        assert_eq!(both("0.2+1"), "go btime 200 binc 1000 movetime 200");
    }

    #[test]
    fn the_time_allowed_is_the_least_and_the_margin() {
        let game = Game::new(Position::start());
        let white = Clock::new("1".parse().unwrap());
        let milliseconds = Duration::from_millis;
        let limits =
            PlayLimits { move_time: Some(milliseconds(250)), time_margin: milliseconds(30), ..PlayLimits::default() };
        let turn = Turn { game: &game, clocks: [Some(&white), None], limits: &limits };
        assert_eq!(turn.allowed_time(), Some(milliseconds(280)));
        let short = Clock::new("0.2+5".parse().unwrap());
        let turn = Turn { game: &game, clocks: [Some(&short), None], limits: &limits };
        assert_eq!(turn.allowed_time(), Some(milliseconds(230)));
        let turn = Turn { game: &game, clocks: [None, Some(&white)], limits: &PlayLimits::default() };
        assert_eq!(turn.allowed_time(), None);
    }
}
