//! The work that goes on beside the session, in a thread of its own: a search, or whatever else takes long.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::output::Output;
use crate::engine::Engine;
use crate::rules::{Game, Position};
use crate::search::{Control, Limits, SearchEvent, SearchResult};
use crate::types::Score;

/// How a protocol words what a search has to tell.
pub trait Narrator: Send + Sync + 'static {
    /// What is left when the search is over.
    type Answer: Send + 'static;

    /// The lines for an event of the search; empty if it is passed over.
    fn event(&self, event: &SearchEvent) -> String;

    /// The line for a fault of the program, which cost the search.
    fn failure(&self, fault: &str) -> String;

    /// The answer, now that the user may have it.
    fn answer(&self, game: &Game, result: SearchResult) -> Self::Answer;
}

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
        // Not a search thread of the engine's: a search in its own thread goes on while a GUI is slow to read of it.
        let thread = thread::Builder::new().name("worker".to_owned());
        thread.spawn(move || inbox.into_iter().for_each(|job| job()))?;
        Ok(Worker { jobs })
    }

    /// Does the work, then hands on what it leaves behind. If it panicked that is what `rescue` makes of the fault.
    pub fn start<A: 'static>(
        &self,
        work: impl FnOnce() -> Finished<A> + Send + 'static,
        rescue: impl FnOnce(&str) -> Finished<A> + Send + 'static,
        done: impl FnOnce(Finished<A>) + Send + 'static,
    ) {
        let job = move || {
            let finished = catch_unwind(AssertUnwindSafe(work));
            done(finished.unwrap_or_else(|panic| rescue(&fault(panic.as_ref()))));
        };
        // The thread outlives its worker: it ends only when the sender is gone.
        let _ = self.jobs.send(Box::new(job));
    }

    /// Searches; `done` is called with the engine and the answer once the user may have it. A panic outside the search
    /// itself costs the engine: `done` gets none back, but still one answer.
    pub fn search<N: Narrator>(
        &self,
        mut engine: Engine,
        game: Game,
        limits: Limits,
        output: Arc<Output>,
        narrator: N,
        done: impl FnOnce(Finished<N::Answer>) + Send + 'static,
    ) -> Task {
        let control = Arc::new(Control::new(&limits));
        let task = Task::new(Stop::Control(Arc::clone(&control)), limits.infinite);
        let search = Arc::new(Search { game, limits, control, settled: Arc::clone(&task.settled), narrator });
        let lost = Arc::clone(&search);
        let work = move || {
            let result = search.think(&mut engine, &output);
            Finished { engine: Some(engine), complaint: None, answer: search.answer(result) }
        };
        let rescue = move |fault: &str| {
            let complaint = Some(lost.narrator.failure(fault));
            let answer = lost.answer(first_move(lost.game.position(), &lost.limits));
            Finished { engine: None, complaint, answer }
        };
        self.start(work, rescue, done);
        task
    }
}

/// What a search is asked for.
struct Search<N> {
    game: Game,
    limits: Limits,
    control: Arc<Control>,
    settled: Arc<AtomicBool>,
    narrator: N,
}

impl<N: Narrator> Search<N> {
    /// Thinks and tells on the way. A panic costs the search, not the game: the first move allowed is played.
    fn think(&self, engine: &mut Engine, output: &Output) -> SearchResult {
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            engine.think(&self.game, &self.limits, &self.control, &mut |event| {
                output.send(&self.narrator.event(event));
                if output.is_closed() {
                    self.control.stop();
                }
            })
        }));
        attempt.unwrap_or_else(|panic| {
            output.send(&self.narrator.failure(&fault(panic.as_ref())));
            engine.new_game();
            first_move(self.game.position(), &self.limits)
        })
    }

    /// The answer, once the user may have it.
    fn answer(&self, result: SearchResult) -> N::Answer {
        self.settled.store(true, Ordering::Release);
        self.control.wait_for_release(&self.limits);
        self.narrator.answer(&self.game, result)
    }
}

/// What a task leaves behind.
pub struct Finished<A> {
    /// The engine that was lent to it; none when the task had none or lost it.
    pub engine: Option<Engine>,
    /// A line to print before anything else.
    pub complaint: Option<String>,
    pub answer: A,
}

/// The session's handle on a task that runs.
pub struct Task {
    stop: Stop,
    /// Set when the search has its move and only waits for leave to tell it.
    settled: Arc<AtomicBool>,
    infinite: bool,
    /// Set when nothing is left but to wait for the end.
    ending: bool,
}

/// What ends a task before its time.
pub enum Stop {
    Control(Arc<Control>),
    Flag(Arc<AtomicBool>),
}

impl Task {
    pub(super) fn new(stop: Stop, infinite: bool) -> Task {
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

/// Logs a panic; its message on one line.
fn fault(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    log::error!("the search failed: {text}");
    text.replace('\n', " ")
}

/// An answer without a search: the first move allowed.
pub fn first_move(position: &Position, limits: &Limits) -> SearchResult {
    let best = limits.search_moves.first().copied().or_else(|| position.legal_moves().first().copied());
    SearchResult { best, ponder: None, score: Score::DRAW, depth: 0, nodes: 0, time: Duration::ZERO, lines: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::Options;

    /// Panics at the first event it is told, if it is a trap.
    struct Trap {
        sprung: AtomicBool,
    }

    impl Narrator for Trap {
        type Answer = SearchResult;

        fn event(&self, _: &SearchEvent) -> String {
            assert!(self.sprung.swap(true, Ordering::Relaxed), "a fault on purpose");
            String::new()
        }

        fn failure(&self, fault: &str) -> String {
            fault.to_owned()
        }

        fn answer(&self, _: &Game, result: SearchResult) -> SearchResult {
            result
        }
    }

    #[test]
    fn a_search_that_panics_still_gives_a_move_that_is_allowed() {
        let mut engine = Engine::new(Options::default()).unwrap();
        let game = Game::new(Position::start());
        let allowed = game.position().legal_moves()[7];
        for search_moves in [vec![], vec![allowed]] {
            let limits = Limits { depth: Some(3), search_moves: search_moves.clone(), ..Limits::default() };
            let output = Output::new(io::sink());
            let search = Search {
                game: game.clone(),
                control: Arc::new(Control::new(&limits)),
                limits,
                settled: Arc::default(),
                narrator: Trap { sprung: AtomicBool::new(false) },
            };
            let best = search.think(&mut engine, &output).best.unwrap();
            assert!(game.position().is_legal(best) && (search_moves.is_empty() || best == allowed));
            assert_eq!(search.think(&mut engine, &output).depth, 3, "the next search is whole again");
        }
    }
}
