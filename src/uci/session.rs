//! The loop between a GUI and the engine.
//!
//! A thread reads lines; the session acts on them one by one and never searches itself. While a search runs, some
//! commands act at once, some wait until it has ended, and some are refused ([`Turn`]). `bestmove` is printed by the
//! session when the engine is back, so that whatever a GUI sends on seeing it finds the session ready.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::command::{self, Command, GoCommand, PositionCommand, Setting};
use super::display::display;
use super::limits::limits;
use super::output::Output;
use super::reply;
use super::task::{Finished, Task, Worker, first_move};
use crate::engine::options::{self, Applied, OptionId, Options};
use crate::engine::{BENCH_DEPTH, Engine};
use crate::eval::{Weights, explain};
use crate::rules::{Game, Position, parse_fen, parse_uci};
use crate::search::Parameters;

/// How long `quit` waits for a running search to give its move.
const QUIT_PATIENCE: Duration = Duration::from_millis(40);
/// How long the end of input waits for it.
const END_PATIENCE: Duration = Duration::from_secs(10);

/// What the session waits for.
enum Event {
    Line(String),
    EndOfInput,
    Done(Box<Finished>),
}

/// When a command acts.
enum Turn {
    Now,
    /// Once the task that runs has ended, after what came before.
    Later,
    /// Not at all: one search at a time. The word is the command's.
    Never(&'static str),
}

struct Session {
    output: Arc<Output>,
    events: Sender<Event>,
    worker: Worker,
    /// Away while a search has it, and gone when a search has lost it.
    engine: Option<Engine>,
    /// The engine's options, to be looked up while it is away, and those of the next one.
    options: Options,
    parameters: Parameters,
    game: Game,
    task: Option<Task>,
    waiting: VecDeque<Command>,
    debug: bool,
    /// Set when the session is to end with the task that runs.
    leaving: bool,
    /// When the session ends, come what may.
    deadline: Option<Instant>,
}

/// Serves one GUI until `quit`, the end of `input` or a reader of the replies that is gone.
///
/// # Errors
/// When the log file that the options name cannot be opened, or the system gives no thread.
pub fn run(engine: Engine, input: impl BufRead + Send + 'static, output: Output) -> io::Result<()> {
    let output = Arc::new(output);
    let (options, parameters) = (engine.options().clone(), engine.parameters().clone());
    let path = &options.debug_log_file;
    output.log_to(path).map_err(|error| io::Error::new(error.kind(), format!("Debug Log File {path:?}: {error}")))?;
    let (events, inbox) = mpsc::channel();
    let lines = events.clone();
    let copy = Arc::clone(&output);
    thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(input, &copy, &lines))?;
    let mut session = Session {
        output,
        events,
        worker: Worker::new()?,
        engine: Some(engine),
        options,
        parameters,
        game: Game::new(Position::start()),
        task: None,
        waiting: VecDeque::new(),
        debug: false,
        leaving: false,
        deadline: None,
    };
    session.serve(&inbox);
    Ok(())
}

/// Turns bytes into lines. What is no UTF-8 becomes a replacement character and so part of an unknown word.
fn read_lines(mut input: impl BufRead, output: &Output, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let event = match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => Event::EndOfInput,
            Ok(_) => Event::Line(String::from_utf8_lossy(&bytes).into_owned()),
        };
        let last = matches!(event, Event::EndOfInput);
        if let Event::Line(line) = &event {
            output.record(line);
        }
        if events.send(event).is_err() || last {
            return;
        }
    }
}

impl Session {
    fn serve(&mut self, inbox: &Receiver<Event>) {
        while !self.has_ended() {
            match self.next(inbox) {
                Some(Event::Line(line)) => self.read(&line),
                Some(Event::EndOfInput) => self.leave(END_PATIENCE),
                Some(Event::Done(finished)) => self.finish(*finished),
                None => return,
            }
        }
    }

    fn has_ended(&self) -> bool {
        self.output.is_closed() || (self.leaving && self.task.is_none())
    }

    /// The next event, or `None` when there is no more time to wait for it.
    fn next(&self, inbox: &Receiver<Event>) -> Option<Event> {
        match self.deadline {
            None => inbox.recv().ok(),
            Some(deadline) => inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok(),
        }
    }

    fn read(&mut self, line: &str) {
        match command::parse(line) {
            Ok(Some(command)) => self.take(command),
            Ok(None) => {}
            Err(error) => self.output.complain(&error.to_string()),
        }
    }

    fn take(&mut self, command: Command) {
        match self.turn_of(&command) {
            Turn::Now => self.act(command),
            Turn::Later => self.waiting.push_back(command),
            Turn::Never(word) => self.output.complain(&format!("'{word}' is refused while a search runs")),
        }
    }

    /// After `stop` everything waits for the end of the search, so that `stop`, `position`, `go` may come in one go.
    fn turn_of(&self, command: &Command) -> Turn {
        let Some(task) = &self.task else {
            return Turn::Now;
        };
        match command {
            Command::Quit => Turn::Now,
            _ if task.is_ending() => Turn::Later,
            Command::SetOption { name, .. } if is_variant(name) => Turn::Now,
            Command::Position(_) | Command::NewGame | Command::SetOption { .. } => Turn::Later,
            Command::Go(_) => Turn::Never("go"),
            Command::Bench(_) => Turn::Never("bench"),
            Command::Display => Turn::Never("d"),
            Command::Eval => Turn::Never("eval"),
            _ => Turn::Now,
        }
    }

    fn act(&mut self, command: Command) {
        match command {
            Command::Uci => self.output.send(&reply::identity(&self.options)),
            Command::IsReady => self.output.send("readyok"),
            Command::NewGame => self.new_game(),
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.task.iter_mut().for_each(Task::ponder_hit),
            Command::Quit => self.leave(QUIT_PATIENCE),
            Command::Debug(debug) => self.debug = debug,
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Display => self.output.send(&display(&self.game)),
            Command::Eval => self.output.send(&explain(self.game.position(), &Weights::DEFAULT)),
            Command::Bench(depth) => self.bench(depth.unwrap_or(BENCH_DEPTH)),
            Command::Help => self.output.send(reply::HELP),
        }
    }

    fn stop(&mut self) {
        self.task.iter_mut().for_each(Task::stop);
    }

    /// Ends the session with the task that runs, or after what waits behind a task that is ending already.
    fn leave(&mut self, patience: Duration) {
        let until = Instant::now() + patience;
        self.deadline = Some(self.deadline.map_or(until, |deadline| deadline.min(until)));
        if self.task.as_ref().is_some_and(Task::is_ending) && !self.waiting.is_empty() {
            self.waiting.push_back(Command::Quit);
        } else {
            self.stop();
            self.leaving = true;
        }
    }

    fn finish(&mut self, finished: Finished) {
        self.task = None;
        self.engine = finished.engine.or(self.engine.take());
        self.output.send(&finished.answer);
        self.engine = self.engine.take().or_else(|| self.new_engine());
        for command in std::mem::take(&mut self.waiting) {
            if !self.leaving {
                self.take(command);
            }
        }
    }

    /// An engine in place of one that was lost.
    fn new_engine(&self) -> Option<Engine> {
        let made = Engine::with_parameters(self.options.clone(), self.parameters.clone());
        made.map_err(|error| self.output.complain(&format!("no engine: {error}"))).ok()
    }

    fn new_game(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let outcome = match &mut self.engine {
            Some(engine) => engine.set_option(name, value),
            None => self.options.set(name, value),
        };
        match outcome {
            Ok(applied) => {
                if applied.clamped_from.is_some() || self.debug {
                    self.output.inform(&applied.to_string());
                }
                self.follow(&applied);
            }
            Err(error) => self.output.complain(&error.to_string()),
        }
        if let Some(engine) = &self.engine {
            self.options = engine.options().clone();
        }
    }

    /// Does what an option means to the session itself.
    fn follow(&mut self, applied: &Applied) {
        match applied.id {
            OptionId::UciVariant => self.output.send(&reply::variant()),
            OptionId::DebugLogFile => {
                if let Err(error) = self.output.log_to(&applied.value.to_string()) {
                    self.output.complain(&format!("option {}: {error}; nothing is logged", applied.name));
                    self.set_option(applied.name, Some(""));
                }
            }
            _ => {}
        }
    }

    /// Sets up a position: all of it, the part before the first bad move, or the one before where the board is bad.
    fn set_position(&mut self, command: &PositionCommand) {
        let start = match &command.setting {
            Setting::Start => Position::start(),
            Setting::Fen(text) => match parse_fen(text) {
                Ok(parsed) => {
                    let repairs: Vec<String> = parsed.repairs.iter().map(ToString::to_string).collect();
                    if !repairs.is_empty() {
                        self.output.inform(&format!("position: {}", repairs.join("; ")));
                    }
                    parsed.position
                }
                Err(error) => return self.output.complain(&format!("position: {error}; the position before stays")),
            },
        };
        let mut game = Game::new(start);
        for (index, text) in command.moves.iter().enumerate() {
            match parse_uci(game.position(), text) {
                Ok(mv) => game.push(mv),
                Err(error) => {
                    let number = index + 1;
                    self.output.complain(&format!("position: move {number}: {error}; it and the rest are dropped"));
                    break;
                }
            }
        }
        self.game = game;
    }

    fn go(&mut self, go: &GoCommand) {
        let position = self.game.position();
        let output = Arc::clone(&self.output);
        if let Some(depth) = go.perft {
            self.task = Some(self.worker.perft(position.clone(), depth, output, self.courier()));
            return;
        }
        let (limits, complaints) = limits(go, position);
        for complaint in complaints {
            self.output.complain(&complaint);
        }
        match self.engine.take().or_else(|| self.new_engine()) {
            Some(engine) => {
                self.task = Some(self.worker.search(engine, self.game.clone(), limits, output, self.courier()));
            }
            None => self.output.send(&reply::best_move(&self.game, &first_move(position, &limits))),
        }
    }

    fn bench(&mut self, depth: u32) {
        self.task = Some(self.worker.bench(depth, self.courier()));
    }

    /// Brings what a task leaves behind back to the session.
    fn courier(&self) -> impl FnOnce(Finished) + Send + 'static {
        let events = self.events.clone();
        // The session may have left without waiting.
        move |finished| drop(events.send(Event::Done(Box::new(finished))))
    }
}

/// True of the option that asks for nothing but an answer, so that it need not wait for the engine.
fn is_variant(name: &str) -> bool {
    options::find(name).is_some_and(|spec| spec.id == OptionId::UciVariant)
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};
    use std::sync::Mutex;

    use super::*;

    /// A writer that keeps what it is given, and panics at the first lines about a search.
    #[derive(Clone)]
    struct Trap {
        kept: Arc<Mutex<String>>,
        panics: u32,
    }

    impl Write for Trap {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = String::from_utf8_lossy(bytes);
            if text.starts_with("info") && self.panics > 0 {
                self.panics -= 1;
                panic!("a fault on purpose");
            }
            self.kept.lock().unwrap().push_str(&text);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_lost_engine_is_replaced_by_one_with_its_options() {
        let kept = Arc::new(Mutex::new(String::new()));
        // The first panic is met in the search, the second in the care for the first.
        let output = Output::new(Trap { kept: Arc::clone(&kept), panics: 2 });
        let (input, mut lines) = io::pipe().unwrap();
        let engine = Engine::new(Options::default()).unwrap();
        let session = thread::spawn(move || run(engine, BufReader::new(input), output));
        let mut said_after = |text: &str, best_moves: usize| {
            lines.write_all(text.as_bytes()).unwrap();
            let deadline = Instant::now() + Duration::from_secs(60);
            loop {
                let said = kept.lock().unwrap().clone();
                if said.matches("bestmove ").count() >= best_moves {
                    return said;
                }
                assert!(Instant::now() < deadline, "{said}");
                thread::sleep(Duration::from_millis(5));
            }
        };
        let said = said_after("setoption name MultiPV value 2\ngo depth 2\n", 1);
        assert!(said.starts_with("info string error: the search failed: a fault on purpose\nbestmove "), "{said}");
        let said = said_after("go depth 2\n", 2);
        assert!(said.contains(" multipv 2 "), "{said}");
        let said = said_after("quit\n", 2);
        assert_eq!(said.matches("bestmove ").count(), 2, "{said}");
        session.join().unwrap().unwrap();
    }
}
