//! The loop between a user and the engine.
//!
//! A thread reads lines; the session acts on them one by one and never searches itself. What takes long is done by a
//! task in another thread, one at a time. Its answer is acted on by the session when the engine is back, so that
//! whatever a GUI sends on seeing it finds the session ready.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::output::Output;
use super::worker::{Finished, Narrator, Stop, Task, Worker};
use crate::engine::options::{Applied, OptionError, OptionId, OptionValue, Options};
use crate::engine::{Engine, EngineError, network_instead};
use crate::eval::Network;
use crate::rules::Game;
use crate::search::{Limits, Parameters};

/// How long `quit` waits for a running search to give its move.
const QUIT_PATIENCE: Duration = Duration::from_millis(40);
/// How long the end of input waits for it.
const END_PATIENCE: Duration = Duration::from_secs(10);

/// What a front end makes of lines and answers.
pub trait Protocol {
    /// What a task leaves behind.
    type Answer: Send + 'static;

    /// Acts on a line, or says that it has to wait.
    fn read(&mut self, desk: &mut Desk<Self::Answer>, line: &str) -> Reading;

    /// Acts on the answer of a task that has ended.
    fn finish(&mut self, desk: &mut Desk<Self::Answer>, answer: Self::Answer);
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It was acted on, or refused.
    Done,
    /// It is to be read again once the task that runs has ended, after those that wait already.
    Later,
}

/// What the session waits for.
enum Event<A> {
    Line(String),
    EndOfInput,
    Done(Box<Finished<A>>),
}

/// What a protocol works with: the way out, the engine, and the task that runs.
pub struct Desk<A> {
    output: Arc<Output>,
    events: Sender<Event<A>>,
    worker: Worker,
    /// Away while a search has it, and gone when a search has lost it.
    engine: Option<Engine>,
    /// The engine's options, to be looked up while it is away, and those of the next one.
    options: Options,
    parameters: Parameters,
    task: Option<Task>,
    waiting: VecDeque<String>,
    /// Set when the session is to end with the task that runs.
    leaving: bool,
    /// Set when it is to end after the lines that wait.
    leaving_later: bool,
    /// When the session ends, come what may.
    deadline: Option<Instant>,
}

/// Serves one user until the protocol leaves, the end of `input` or a reader of the replies that is gone.
///
/// # Errors
/// When the log file that the options name cannot be opened, or the system gives no thread.
pub fn serve<P: Protocol>(
    mut protocol: P,
    engine: Engine,
    input: impl BufRead + Send + 'static,
    output: Output,
) -> io::Result<()> {
    let output = Arc::new(output);
    let (options, parameters) = (engine.options().clone(), engine.parameters().clone());
    let path = &options.debug_log_file;
    output.log_to(path).map_err(|error| io::Error::new(error.kind(), format!("Debug Log File {path:?}: {error}")))?;
    let (events, inbox) = mpsc::channel();
    let lines = events.clone();
    let copy = Arc::clone(&output);
    thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(input, &copy, &lines))?;
    let mut desk = Desk {
        output,
        events,
        worker: Worker::new()?,
        engine: Some(engine),
        options,
        parameters,
        task: None,
        waiting: VecDeque::new(),
        leaving: false,
        leaving_later: false,
        deadline: None,
    };
    while !desk.has_ended() {
        match desk.next(&inbox) {
            Some(Event::Line(line)) => take(&mut protocol, &mut desk, line),
            Some(Event::EndOfInput) => desk.leave(END_PATIENCE),
            Some(Event::Done(finished)) => finish(&mut protocol, &mut desk, *finished),
            None => break,
        }
    }
    Ok(())
}

/// Turns bytes into lines. What is no UTF-8 becomes a replacement character and so part of an unknown word.
fn read_lines<A>(mut input: impl BufRead, output: &Output, events: &Sender<Event<A>>) {
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

fn take<P: Protocol>(protocol: &mut P, desk: &mut Desk<P::Answer>, line: String) {
    if protocol.read(desk, &line) == Reading::Later {
        desk.waiting.push_back(line);
    }
}

fn finish<P: Protocol>(protocol: &mut P, desk: &mut Desk<P::Answer>, finished: Finished<P::Answer>) {
    desk.task = None;
    desk.engine = finished.engine.or(desk.engine.take());
    desk.output.send(&finished.complaint.unwrap_or_default());
    protocol.finish(desk, finished.answer);
    for line in std::mem::take(&mut desk.waiting) {
        if !desk.leaving {
            take(protocol, desk, line);
        }
    }
    if desk.leaving_later && desk.waiting.is_empty() {
        desk.stop();
        desk.leaving = true;
    }
}

impl<A: Send + 'static> Desk<A> {
    fn has_ended(&self) -> bool {
        self.output.is_closed() || (self.leaving && self.task.is_none())
    }

    /// The next event, or `None` when there is no more time to wait for it.
    fn next(&self, inbox: &Receiver<Event<A>>) -> Option<Event<A>> {
        match self.deadline {
            None => inbox.recv().ok(),
            Some(deadline) => inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok(),
        }
    }

    /// Writes the lines of a text.
    pub fn send(&self, text: &str) {
        self.output.send(text);
    }

    /// The way out, for a task to write on.
    pub fn output(&self) -> Arc<Output> {
        Arc::clone(&self.output)
    }

    /// The options as they are now.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The task that runs.
    pub fn task(&self) -> Option<&Task> {
        self.task.as_ref()
    }

    /// Ends the task that runs, if one does.
    pub fn stop(&mut self) {
        self.task.iter_mut().for_each(Task::stop);
    }

    /// Tells a search that ponders that the move it ponders on was played.
    pub fn ponder_hit(&mut self) {
        self.task.iter_mut().for_each(Task::ponder_hit);
    }

    /// Sets an option and does what it means to the session. While the engine is away the next one gets it.
    ///
    /// # Errors
    /// When there is no such option, its value does not fit, or its effect fails.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Applied, OptionError> {
        let applied = match &mut self.engine {
            Some(engine) => engine.set_option(name, value)?,
            None => {
                let mut options = self.options.clone();
                let applied = options.set(name, value)?;
                if applied.id == OptionId::EvalFile {
                    network_instead(&options, &self.options)?;
                }
                self.options = options;
                applied
            }
        };
        if let Some(engine) = &self.engine {
            self.options = engine.options().clone();
        }
        if applied.id == OptionId::DebugLogFile
            && let Err(error) = self.output.log_to(&applied.value.to_string())
        {
            self.set_option(applied.name, Some(""))?;
            let kept = OptionValue::Text("<empty>".to_owned());
            return Err(OptionError::Failed { name: applied.name, reason: error.to_string(), kept });
        }
        Ok(applied)
    }

    /// The network that the engine evaluates with; the one that is built in while the engine is away.
    pub fn network(&self) -> Arc<Network> {
        self.engine.as_ref().map_or_else(Network::embedded, Engine::network)
    }

    /// Forgets what the engine knows of earlier games.
    pub fn new_game(&mut self) {
        self.engine.iter_mut().for_each(Engine::new_game);
    }

    /// Starts a search of the game's position. No other task may run.
    ///
    /// # Errors
    /// When the engine was lost and no other can be made.
    pub fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        narrator: impl Narrator<Answer = A>,
    ) -> Result<(), EngineError> {
        debug_assert!(self.task.is_none());
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::with_parameters(self.options.clone(), self.parameters.clone())?,
        };
        let (game, output, done) = (game.clone(), self.output(), self.courier());
        self.task = Some(self.worker.search(engine, game, limits, output, narrator, done));
        Ok(())
    }

    /// Starts work that needs no engine and that `stop` ends early. No other task may run. `rescue` makes an answer of
    /// a fault in it.
    pub fn start(
        &mut self,
        stop: Stop,
        work: impl FnOnce() -> A + Send + 'static,
        rescue: impl FnOnce(&str) -> A + Send + 'static,
    ) {
        debug_assert!(self.task.is_none());
        let finished = |answer| Finished { engine: None, complaint: None, answer };
        let done = self.courier();
        self.worker.start(move || finished(work()), move |fault| finished(rescue(fault)), done);
        self.task = Some(Task::new(stop, false));
    }

    /// Ends the session soon, as the user asked.
    pub fn quit(&mut self) {
        self.leave(QUIT_PATIENCE);
    }

    /// True when the session ends with the task that runs.
    pub fn is_leaving(&self) -> bool {
        self.leaving
    }

    /// Ends the task that runs, and the session after it and what waits behind it.
    fn leave(&mut self, patience: Duration) {
        let until = Instant::now() + patience;
        self.deadline = Some(self.deadline.map_or(until, |deadline| deadline.min(until)));
        self.stop();
        self.leaving = self.waiting.is_empty();
        self.leaving_later = !self.leaving;
    }

    /// Brings what a task leaves behind back to the session.
    fn courier(&self) -> impl FnOnce(Finished<A>) + Send + 'static {
        let events = self.events.clone();
        // The session may have left without waiting.
        move |finished| drop(events.send(Event::Done(Box::new(finished))))
    }
}
