//! What each command does, and when.
//!
//! While a search runs, some commands act at once, some wait until it has ended, and some are refused ([`Turn`]).

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::command::{self, Command, GoCommand, PositionCommand, Setting};
use super::display::display;
use super::limits::limits;
use super::reply;
use crate::engine::options::{self, OptionId, Options};
use crate::engine::{self, BENCH_DEPTH, Engine};
use crate::eval::explain;
use crate::frontend::{self, Desk, Narrator, Output, Protocol, Reading, Stop, first_move};
use crate::rules::{Game, Position, parse_fen, parse_uci, perft_stoppable};
use crate::search::{Control, Limits, SearchEvent, SearchResult};

/// Serves one GUI until `quit`, the end of `input` or a reader of the replies that is gone.
///
/// # Errors
/// When the log file that the options name cannot be opened, or the system gives no thread.
pub fn run(engine: Engine, input: impl BufRead + Send + 'static, output: Output) -> io::Result<()> {
    frontend::serve(Session { game: Game::new(Position::start()), debug: false }, engine, input, output)
}

/// The text that a task leaves behind is printed as it is.
type UciDesk = Desk<String>;

/// When a command acts.
enum Turn {
    Now,
    /// Once the task that runs has ended, after what came before.
    Later,
    /// Not at all: one search at a time. The word is the command's.
    Never(&'static str),
}

struct Session {
    game: Game,
    debug: bool,
}

impl Protocol for Session {
    type Answer = String;

    fn read(&mut self, desk: &mut UciDesk, line: &str) -> Reading {
        match command::parse(line) {
            Ok(Some(command)) => match turn_of(&command, desk) {
                Turn::Now => self.act(desk, command),
                Turn::Later => return Reading::Later,
                Turn::Never(word) => desk.send(&reply::error(&format!("'{word}' is refused while a search runs"))),
            },
            Ok(None) => {}
            Err(error) => desk.send(&reply::error(&error.to_string())),
        }
        Reading::Done
    }

    fn finish(&mut self, desk: &mut UciDesk, answer: String) {
        desk.send(&answer);
    }
}

/// After `stop` everything waits for the end of the search, so that `stop`, `position`, `go` may come in one go.
fn turn_of(command: &Command, desk: &UciDesk) -> Turn {
    let Some(task) = desk.task() else {
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

/// True of the option that asks for nothing but an answer, so that it need not wait for the engine.
fn is_variant(name: &str) -> bool {
    options::find(name).is_some_and(|spec| spec.id == OptionId::UciVariant)
}

impl Session {
    fn act(&mut self, desk: &mut UciDesk, command: Command) {
        match command {
            Command::Uci => desk.send(&reply::identity(desk.options())),
            Command::IsReady => desk.send("readyok"),
            Command::NewGame => desk.new_game(),
            Command::Position(position) => self.set_position(desk, &position),
            Command::Go(go) => self.go(desk, &go),
            Command::Stop => desk.stop(),
            Command::PonderHit => desk.ponder_hit(),
            Command::Quit => desk.quit(),
            Command::Debug(debug) => self.debug = debug,
            Command::SetOption { name, value } => self.set_option(desk, &name, value.as_deref()),
            Command::Display => desk.send(&display(&self.game)),
            Command::Eval => desk.send(&explain(self.game.position(), &desk.network())),
            Command::Bench(depth) => bench(desk, depth.unwrap_or(BENCH_DEPTH)),
            Command::Help => desk.send(reply::HELP),
        }
    }

    fn set_option(&mut self, desk: &mut UciDesk, name: &str, value: Option<&str>) {
        match desk.set_option(name, value) {
            Ok(applied) => {
                if applied.clamped_from.is_some() || self.debug {
                    desk.send(&reply::remark(&applied.to_string()));
                }
                if applied.id == OptionId::UciVariant {
                    desk.send(&reply::variant());
                }
            }
            Err(error) => desk.send(&reply::error(&error.to_string())),
        }
    }

    /// Sets up a position: all of it, the part before the first bad move, or the one before where the board is bad.
    fn set_position(&mut self, desk: &UciDesk, command: &PositionCommand) {
        let complain = |text: &str| desk.send(&reply::error(&format!("position: {text}")));
        let start = match &command.setting {
            Setting::Start => Position::start(),
            Setting::Fen(text) => match parse_fen(text) {
                Ok(parsed) => {
                    let repairs: Vec<String> = parsed.repairs.iter().map(ToString::to_string).collect();
                    if !repairs.is_empty() {
                        desk.send(&reply::remark(&format!("position: {}", repairs.join("; "))));
                    }
                    parsed.position
                }
                Err(error) => return complain(&format!("{error}; the position before stays")),
            },
        };
        let mut game = Game::new(start);
        for (index, text) in command.moves.iter().enumerate() {
            match parse_uci(game.position(), text) {
                Ok(mv) => game.push(mv),
                Err(error) => {
                    complain(&format!("move {}: {error}; it and the rest are dropped", index + 1));
                    break;
                }
            }
        }
        self.game = game;
    }

    fn go(&mut self, desk: &mut UciDesk, go: &GoCommand) {
        let position = self.game.position();
        if let Some(depth) = go.perft {
            return perft(desk, position.clone(), depth);
        }
        let (limits, complaints) = limits(go, position);
        for complaint in complaints {
            desk.send(&reply::error(&complaint));
        }
        let narrator = UciNarrator { show_wdl: desk.options().show_wdl };
        let unsearched = first_move(position, &limits);
        if let Err(error) = desk.search(&self.game, limits, narrator) {
            desk.send(&reply::error(&format!("no engine: {error}")));
            desk.send(&reply::best_move(&self.game, &unsearched));
        }
    }
}

/// Tells of a search in `info` lines; what is left is the `bestmove`.
struct UciNarrator {
    show_wdl: bool,
}

impl Narrator for UciNarrator {
    type Answer = String;

    fn event(&self, event: &SearchEvent) -> String {
        reply::event(event, self.show_wdl)
    }

    fn failure(&self, fault: &str) -> String {
        reply::failure(fault)
    }

    fn answer(&self, game: &Game, result: SearchResult) -> String {
        reply::best_move(game, &result)
    }
}

/// Counts move sequences, a line for each move at the root and the sum at the end.
fn perft(desk: &mut UciDesk, position: Position, depth: u32) {
    let flag = Arc::new(AtomicBool::new(false));
    let stop = Stop::Flag(Arc::clone(&flag));
    let output = desk.output();
    let work = move || {
        let mut print = |mv, count| {
            output.send(&format!("{mv}: {count}"));
            flag.fetch_or(output.is_closed(), Ordering::Relaxed);
        };
        match perft_stoppable(&position, depth, &flag, &mut print) {
            Some(total) => format!("\nNodes searched: {total}"),
            None => reply::remark("perft stopped"),
        }
    };
    desk.start(stop, work, reply::failure);
}

/// Searches the bench positions to a depth in plies.
fn bench(desk: &mut UciDesk, depth: u32) {
    let control = Arc::new(Control::new(&Limits::default()));
    let stop = Stop::Control(Arc::clone(&control));
    let work = move || match engine::bench(Options::default(), depth, &control, &mut |_, _, _, _| {}) {
        Ok(_) if control.is_stopped() => reply::remark("bench stopped"),
        Ok(report) => reply::bench(&report),
        Err(error) => reply::error(&format!("bench: {error}")),
    };
    desk.start(stop, work, reply::failure);
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};
    use std::sync::Mutex;
    use std::thread;
    use std::time::{Duration, Instant};

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
