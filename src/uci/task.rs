//! The work that goes on beside the session, in a thread of its own: a search, a perft or a bench.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::output::Output;
use super::reply;
use crate::engine::options::Options;
use crate::engine::{self, Engine};
use crate::rules::{Game, Position, perft_stoppable};
use crate::search::{Control, Limits, SearchResult};
use crate::types::Score;

/// The thread that does one task after another. It lives as long as its session, so that no task can fail to start.
pub struct Worker {
    jobs: Sender<Box<dyn FnOnce() + Send>>,
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new() -> io::Result<Worker> {
        let (jobs, inbox) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
        let thread = thread::Builder::new().name("worker".to_owned());
        thread.spawn(move || inbox.into_iter().for_each(|job| job()))?;
        Ok(Worker { jobs })
    }

    /// Does the work, then hands on what it leaves behind. If it panicked that is the news of it, and what `rescue` finds
    /// to answer.
    fn start(
        &self,
        work: impl FnOnce() -> Finished + Send + 'static,
        rescue: impl FnOnce() -> String + Send + 'static,
        done: impl FnOnce(Finished) + Send + 'static,
    ) {
        let job = move || {
            let finished = catch_unwind(AssertUnwindSafe(work));
            done(finished.unwrap_or_else(|panic| {
                let answer = format!("{}\n{}", failure(panic.as_ref()), rescue());
                Finished { engine: None, answer }
            }));
        };
        // The thread outlives its worker: it ends only when the sender is gone.
        let _ = self.jobs.send(Box::new(job));
    }

    /// Searches; `done` is called with the engine and the `bestmove` line once the GUI may have it. A panic outside the
    /// search itself costs the engine: `done` gets none back, but still one `bestmove`.
    pub fn search(
        &self,
        mut engine: Engine,
        game: Game,
        limits: Limits,
        output: Arc<Output>,
        done: impl FnOnce(Finished) + Send + 'static,
    ) -> Task {
        let control = Arc::new(Control::new(&limits));
        let task = Task::new(Stop::Control(Arc::clone(&control)), limits.infinite);
        let search = Arc::new(Search { game, limits, control, settled: Arc::clone(&task.settled) });
        let lost = Arc::clone(&search);
        let work = move || {
            let result = think(&mut engine, &search.game, &search.limits, &search.control, &output);
            Finished { engine: Some(engine), answer: search.answer(&result) }
        };
        let rescue = move || lost.answer(&first_move(lost.game.position(), &lost.limits));
        self.start(work, rescue, done);
        task
    }

    /// Counts move sequences, a line for each move at the root and the sum at the end.
    pub fn perft(
        &self,
        position: Position,
        depth: u32,
        output: Arc<Output>,
        done: impl FnOnce(Finished) + Send + 'static,
    ) -> Task {
        let flag = Arc::new(AtomicBool::new(false));
        let task = Task::new(Stop::Flag(Arc::clone(&flag)), false);
        let work = move || {
            let mut print = |mv, count| {
                output.send(&format!("{mv}: {count}"));
                flag.fetch_or(output.is_closed(), Ordering::Relaxed);
            };
            let answer = match perft_stoppable(&position, depth, &flag, &mut print) {
                Some(total) => format!("\nNodes searched: {total}"),
                None => "info string perft stopped".to_owned(),
            };
            Finished { engine: None, answer }
        };
        self.start(work, String::new, done);
        task
    }

    /// Searches the bench positions to a depth in plies.
    pub fn bench(&self, depth: u32, done: impl FnOnce(Finished) + Send + 'static) -> Task {
        let control = Arc::new(Control::new(&Limits::default()));
        let task = Task::new(Stop::Control(Arc::clone(&control)), false);
        let work = move || {
            let answer = match engine::bench(Options::default(), depth, &control, &mut |_, _, _, _| {}) {
                Ok(_) if control.is_stopped() => "info string bench stopped".to_owned(),
                Ok(report) => reply::bench(&report),
                Err(error) => format!("info string error: bench: {error}"),
            };
            Finished { engine: None, answer }
        };
        self.start(work, String::new, done);
        task
    }
}

/// What a search is asked for.
struct Search {
    game: Game,
    limits: Limits,
    control: Arc<Control>,
    settled: Arc<AtomicBool>,
}

impl Search {
    /// The `bestmove` line, once the GUI may have it.
    fn answer(&self, result: &SearchResult) -> String {
        self.settled.store(true, Ordering::Release);
        self.control.wait_for_release(&self.limits);
        reply::best_move(&self.game, result)
    }
}

/// What a task leaves behind.
pub struct Finished {
    /// The engine that the session lent; none when the task had none or lost it.
    pub engine: Option<Engine>,
    /// The lines to print now that all is over.
    pub answer: String,
}

/// The session's handle on a task that runs.
pub struct Task {
    stop: Stop,
    /// Set when the search has its move and only waits for leave to print it.
    settled: Arc<AtomicBool>,
    infinite: bool,
    /// Set when nothing is left but to wait for the end.
    ending: bool,
}

enum Stop {
    Control(Arc<Control>),
    Flag(Arc<AtomicBool>),
}

impl Task {
    fn new(stop: Stop, infinite: bool) -> Task {
        Task { stop, settled: Arc::default(), infinite, ending: false }
    }

    /// Ends the task soon.
    pub fn stop(&mut self) {
        match &self.stop {
            Stop::Control(control) => control.stop(),
            Stop::Flag(flag) => flag.store(true, Ordering::Relaxed),
        }
        self.ending = true;
    }

    /// Lets a search that ponders go on by its clock, or answer at once if it has its move.
    pub fn ponder_hit(&mut self) {
        if let Stop::Control(control) = &self.stop {
            control.ponder_hit();
            self.ending |= self.settled.load(Ordering::Acquire) && !self.infinite;
        }
    }

    /// True once the end has been asked for.
    pub fn is_ending(&self) -> bool {
        self.ending
    }
}

/// Thinks and prints on the way. A panic costs the search, not the game: the first move allowed is played.
fn think(engine: &mut Engine, game: &Game, limits: &Limits, control: &Control, output: &Output) -> SearchResult {
    let show_wdl = engine.options().show_wdl;
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        engine.think(game, limits, control, &mut |event| {
            output.send(&reply::event(event, show_wdl));
            if output.is_closed() {
                control.stop();
            }
        })
    }));
    attempt.unwrap_or_else(|panic| {
        output.send(&failure(panic.as_ref()));
        engine.new_game();
        first_move(game.position(), limits)
    })
}

/// Logs a panic; the line that tells the GUI of it.
fn failure(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    log::error!("the search failed: {text}");
    format!("info string error: the search failed: {}", text.replace('\n', " "))
}

/// An answer without a search: the first move allowed.
pub fn first_move(position: &Position, limits: &Limits) -> SearchResult {
    let best = limits.search_moves.first().copied().or_else(|| position.legal_moves().first().copied());
    SearchResult { best, ponder: None, score: Score::DRAW, depth: 0, nodes: 0, time: Duration::ZERO, lines: Vec::new() }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// A writer that panics at its first line.
    struct Trap {
        sprung: bool,
    }

    impl Write for Trap {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if !std::mem::replace(&mut self.sprung, true) {
                panic!("a fault on purpose");
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_search_that_panics_still_gives_a_move_that_is_allowed() {
        let mut engine = Engine::new(Options::default()).unwrap();
        let game = Game::new(Position::start());
        let allowed = game.position().legal_moves()[7];
        for search_moves in [vec![], vec![allowed]] {
            let limits = Limits { depth: Some(3), search_moves: search_moves.clone(), ..Limits::default() };
            let output = Output::new(Trap { sprung: false });
            let result = think(&mut engine, &game, &limits, &Control::new(&limits), &output);
            let best = result.best.unwrap();
            assert!(game.position().is_legal(best) && (search_moves.is_empty() || best == allowed));
            let result = think(&mut engine, &game, &limits, &Control::new(&limits), &output);
            assert_eq!(result.depth, 3, "the next search is whole again");
        }
    }
}
