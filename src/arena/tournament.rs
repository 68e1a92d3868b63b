//! Plays the games of a schedule, several at a time, and keeps what comes out.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use thiserror::Error;

use super::game_record;
use super::match_settings::{MatchSettings, SettingsError};
use super::openings::{OpeningBook, OpeningError};
use super::pgn_file::PgnFile;
use super::player::Player;
use super::referee::{PlayedGame, Seats, Unfinished, play};
use super::report::decision;
use super::roster::PlayerSource;
use super::schedule::{Schedule, ScheduledGame};
use super::sprt::Decision;
use super::standings::{GameSummary, Standings};
use super::state::{Journal, MatchRecord, PgnStart, SavedMatch, StateError, compare};
use super::uci_player::StartError;
use crate::engine::{Interrupt, spawn_search_thread};
use crate::files::place;
use crate::seed;

/// The first pause before an engine is started once more; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest of these pauses.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The files of a match.
#[derive(Clone, Debug, Default)]
pub struct MatchFiles {
    /// Takes the games.
    pub pgn: Option<PathBuf>,
    /// Whether what the PGN file holds already is thrown away when a match begins.
    pub replace_pgn: bool,
    /// Takes the last position of each game.
    pub epd: Option<PathBuf>,
    /// Keeps the state.
    pub state: Option<PathBuf>,
    /// Takes what the engines are told and say; opened by the caller.
    pub log: Option<PathBuf>,
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub enum MatchError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Openings(#[from] OpeningError),
    #[error("--resume: {0}")]
    State(#[from] StateError),
    #[error("{first} and {second} name the same file, '{file}'")]
    SameFile { first: &'static str, second: &'static str, file: PathBuf },
    #[error("{flag}: cannot write '{file}': {error}")]
    Output { flag: &'static str, file: PathBuf, error: io::Error },
    #[error("engine '{name}' does not start: {error}")]
    Start { name: String, error: StartError },
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// All games are played.
    Complete,
    /// The sequential test has decided.
    Decided(Decision),
    /// An engine was at fault, and was not to be started again.
    Fault,
    /// An engine that had played did not start any more.
    EngineLost,
    Interrupted,
}

/// How the games are played.
#[derive(Clone)]
pub struct Conduct {
    /// Games at a time.
    pub concurrency: usize,
    /// Time between two games of one worker.
    pub wait: Duration,
    /// Whether the match goes on after a fault, with the engine started again: so long is that tried.
    pub recovery: Option<Duration>,
    /// Ends the match; games that are not over are thrown away.
    pub interrupt: Interrupt,
}

/// Somebody who watches a match.
pub trait Observer {
    /// A game has been counted.
    fn game_finished(&mut self, game: &GameSummary, standings: &Standings);

    /// An engine that has played does not start; the match waits for it, or is about to end.
    fn engine_missing(&mut self, what: &str);
}

/// Nobody watches.
impl Observer for () {
    fn game_finished(&mut self, _game: &GameSummary, _standings: &Standings) {}

    fn engine_missing(&mut self, _what: &str) {}
}

/// A match that is ready to be played, perhaps with games behind it.
pub struct Match {
    settings: MatchSettings,
    schedule: Schedule,
    book: OpeningBook,
    standings: Standings,
    finished: HashSet<u64>,
    journal: Option<Journal>,
    outputs: Vec<Output>,
}

/// A file that gets something of each game.
struct Output {
    /// The flag that names it.
    flag: &'static str,
    path: PathBuf,
    file: PgnFile,
    text: fn(&GameSummary) -> String,
}

impl Match {
    /// Reads the openings and the state so far. Without a seed that of the state holds, or else one is drawn.
    pub fn prepare(mut settings: MatchSettings, seed: Option<u64>, files: &MatchFiles) -> Result<Match, MatchError> {
        settings.check()?;
        refuse_shared_files(&settings, files)?;
        let (journal, saved) = files.state.as_deref().map(Journal::open).transpose()?.unzip();
        let saved = saved.flatten();
        let saved_seed = saved.as_ref().map(|saved| saved.record.settings.seed);
        settings.seed = seed.or(saved_seed).unwrap_or_else(seed::drawn);
        let book = match &settings.openings {
            Some(openings) => OpeningBook::load(openings, settings.seed)?,
            None => OpeningBook::start_position(),
        };
        let schedule = Schedule::new(&settings);
        let standings = Standings::new(&settings, &schedule);
        let finished = HashSet::new();
        let mut prepared = Match { settings, schedule, book, standings, finished, journal, outputs: Vec::new() };
        prepared.open_files(files, saved.as_ref())?;
        Ok(prepared)
    }

    fn open_files(&mut self, files: &MatchFiles, saved: Option<&SavedMatch>) -> Result<(), MatchError> {
        if let Some(path) = &files.state {
            self.begin_or_resume(path, saved)?;
        }
        if let Some(path) = &files.pgn {
            self.open_output("--pgnout", path, saved, files.replace_pgn, |game| game.pgn.clone())?;
        }
        if let Some(path) = &files.epd {
            self.open_output("--epdout", path, saved, false, |game| format!("{}\n", game.last_fen))?;
        }
        for game in saved.iter().flat_map(|saved| &saved.games) {
            self.count(game)?;
        }
        Ok(())
    }

    fn begin_or_resume(&mut self, path: &Path, saved: Option<&SavedMatch>) -> Result<(), MatchError> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let settings = self.settings.clone();
        let record = MatchRecord { format: 1, id: seed::drawn(), settings, openings: self.book.fingerprint };
        match saved {
            None => journal.begin(&record)?,
            Some(saved) => {
                compare(&saved.record, &record, &[], path)?;
                journal.resume(saved)?;
            }
        }
        Ok(())
    }

    /// Opens a file for the games. What the match wrote to it before is cut off, to be written again from the state: so each
    /// game stands in it once, whenever the process was killed.
    fn open_output(
        &mut self,
        flag: &'static str,
        path: &Path,
        saved: Option<&SavedMatch>,
        replace: bool,
        text: fn(&GameSummary) -> String,
    ) -> Result<(), MatchError> {
        let failed = |error| MatchError::Output { flag, file: path.into(), error };
        let full_path = std::path::absolute(path).map_err(failed)?;
        let written_from = saved.and_then(|saved| saved.pgn_start(&full_path));
        let file = match written_from.or(replace.then_some(0)) {
            Some(start) => PgnFile::rewrite_from(path, start).map_err(failed)?,
            None => PgnFile::append(path).map_err(failed)?,
        };
        if let (Some(journal), None) = (&mut self.journal, written_from) {
            journal.add_pgn_start(PgnStart { file: full_path, start: file.length().map_err(failed)? })?;
        }
        self.outputs.push(Output { flag, path: path.into(), file, text });
        Ok(())
    }

    pub fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    pub fn book(&self) -> &OpeningBook {
        &self.book
    }

    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// How the match stands to its end, if there is nothing left to play.
    pub fn is_over(&self) -> Option<MatchEnd> {
        if let Some(decision) = self.standings.decision {
            return Some(MatchEnd::Decided(decision));
        }
        (self.finished.len() as u64 >= self.schedule.total()).then_some(MatchEnd::Complete)
    }

    /// Plays until the match is over, an engine is at fault or the interrupt is raised. Every engine is tried out before
    /// the first game.
    pub fn run(
        &mut self,
        players: &dyn PlayerSource,
        conduct: &Conduct,
        observer: &mut dyn Observer,
    ) -> Result<MatchEnd, MatchError> {
        if let Some(end) = self.is_over() {
            self.close()?;
            return Ok(end);
        }
        self.try_out(players, &conduct.interrupt)?;
        let end = match conduct.interrupt.is_raised() {
            true => Ok(MatchEnd::Interrupted),
            false => self.play_all(players, conduct, observer),
        };
        self.close()?;
        end
    }

    /// Starts each engine once. An interrupt ends this early, and is nobody's fault.
    fn try_out(&self, players: &dyn PlayerSource, interrupt: &Interrupt) -> Result<(), MatchError> {
        for (engine, settings) in self.settings.engines.iter().enumerate() {
            match players.start(engine, interrupt) {
                _ if interrupt.is_raised() => break,
                started => started.map_err(|error| MatchError::Start { name: settings.name.clone(), error })?,
            };
        }
        Ok(())
    }

    fn play_all(
        &mut self,
        players: &dyn PlayerSource,
        conduct: &Conduct,
        observer: &mut dyn Observer,
    ) -> Result<MatchEnd, MatchError> {
        // Raised by the user's interrupt, and by this match when it is over before all games are played.
        let stop = Interrupt::new();
        let for_user = stop.clone();
        let _registration = conduct.interrupt.on_raise(move || for_user.raise());
        let open: Vec<u64> = (1..=self.schedule.total()).filter(|number| !self.finished.contains(number)).collect();
        let workers = conduct.concurrency.clamp(1, open.len());
        let queue = Mutex::new(open.into_iter());
        let (settings, schedule, book) = (self.settings.clone(), self.schedule.clone(), self.book.clone());
        let hall = Hall {
            settings: &settings,
            schedule: &schedule,
            book: &book,
            players,
            queue: &queue,
            stop: &stop,
            wait: conduct.wait,
            recovery: conduct.recovery,
        };
        thread::scope(|scope| {
            let (sender, results) = channel();
            for number in 0..workers {
                let (hall, sender) = (&hall, sender.clone());
                let work = move || hall.work(&sender);
                if let Err(error) = spawn_search_thread(scope, format!("game {number}"), work) {
                    stop.raise();
                    return Err(MatchError::Thread(error));
                }
            }
            drop(sender);
            let end = self.gather(&results, &stop, conduct, observer);
            stop.raise();
            end
        })
    }

    /// Counts the games as they come in, until all workers have gone. What comes in after the test has decided is counted
    /// too, but the match stays decided.
    fn gather(
        &mut self,
        results: &Receiver<WorkerReport>,
        stop: &Interrupt,
        conduct: &Conduct,
        observer: &mut dyn Observer,
    ) -> Result<MatchEnd, MatchError> {
        let mut is_faulty = false;
        let mut is_engine_lost = false;
        for report in results {
            let was_decided = self.standings.decision.is_some();
            match report {
                WorkerReport::Finished(game) => {
                    self.record(&game)?;
                    observer.game_finished(&game, &self.standings);
                    is_faulty |= game.at_fault().is_some() && conduct.recovery.is_none() && !was_decided;
                    if is_faulty || self.standings.decision.is_some() {
                        stop.raise();
                    }
                }
                WorkerReport::Waiting { .. } | WorkerReport::NotStarted { .. } if was_decided => {}
                WorkerReport::Waiting { engine, error } => {
                    let seconds = conduct.recovery.unwrap_or_default().as_secs_f64();
                    observer.engine_missing(&format!("{}; tried again for {seconds} s", self.missing(engine, error)));
                }
                WorkerReport::NotStarted { engine, error } => {
                    if !is_engine_lost {
                        observer.engine_missing(&self.missing(engine, error).to_string());
                    }
                    is_engine_lost = true;
                    stop.raise();
                }
            }
        }
        Ok(match self.is_over() {
            _ if is_faulty => MatchEnd::Fault,
            Some(end) => end,
            None if is_engine_lost => MatchEnd::EngineLost,
            None => MatchEnd::Interrupted,
        })
    }

    fn missing(&self, engine: usize, error: StartError) -> MatchError {
        MatchError::Start { name: self.settings.engines[engine].name.clone(), error }
    }

    fn record(&mut self, game: &GameSummary) -> Result<(), MatchError> {
        if let Some(journal) = &mut self.journal {
            journal.add_game(game)?;
        }
        self.count(game)
    }

    fn count(&mut self, game: &GameSummary) -> Result<(), MatchError> {
        if game.number == 0 || game.number > self.schedule.total() || !self.finished.insert(game.number) {
            return Ok(());
        }
        self.standings.add(game, &self.schedule.game(game.number), 0);
        self.standings.decision = self.settings.sprt.as_ref().and_then(|sprt| decision(sprt, &self.standings));
        for Output { flag, path, file, text } in &mut self.outputs {
            file.add(game.number, &text(game)).map_err(|error| MatchError::Output {
                flag,
                file: path.clone(),
                error,
            })?;
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), MatchError> {
        for Output { flag, path, file, .. } in self.outputs.drain(..) {
            file.finish().map_err(|error| MatchError::Output { flag, file: path, error })?;
        }
        Ok(())
    }
}

/// Fails when two flags name one file, which would be written over.
fn refuse_shared_files(settings: &MatchSettings, files: &MatchFiles) -> Result<(), MatchError> {
    let openings = settings.openings.as_ref().map(|openings| &openings.file);
    let named = [
        ("--openings", openings),
        ("--resume", files.state.as_ref()),
        ("--pgnout", files.pgn.as_ref()),
        ("--epdout", files.epd.as_ref()),
        ("--log", files.log.as_ref()),
    ];
    let named: Vec<_> = named.into_iter().filter_map(|(flag, path)| Some((flag, path?, place(path?)))).collect();
    for (index, (second, file, place)) in named.iter().enumerate() {
        if let Some((first, ..)) = named[..index].iter().find(|(.., other)| other == place) {
            return Err(MatchError::SameFile { first, second, file: file.to_path_buf() });
        }
    }
    Ok(())
}

enum WorkerReport {
    Finished(Box<GameSummary>),
    /// It is tried again.
    Waiting {
        engine: usize,
        error: StartError,
    },
    /// It is given up.
    NotStarted {
        engine: usize,
        error: StartError,
    },
}

/// What the workers share.
struct Hall<'a> {
    settings: &'a MatchSettings,
    schedule: &'a Schedule,
    book: &'a OpeningBook,
    players: &'a dyn PlayerSource,
    queue: &'a Mutex<std::vec::IntoIter<u64>>,
    stop: &'a Interrupt,
    wait: Duration,
    recovery: Option<Duration>,
}

/// The players of a worker, by engine.
type Bench = HashMap<usize, Box<dyn Player>>;

impl Hall<'_> {
    /// Plays games from the queue until it is empty or the match is to stop.
    fn work(&self, reports: &Sender<WorkerReport>) {
        let mut bench = Bench::new();
        while let Some(scheduled) = self.next_game() {
            let report = match self.play_scheduled(&scheduled, &mut bench, reports) {
                Ok(game) => WorkerReport::Finished(Box::new(game)),
                Err(NoGame::Unfinished) => return,
                Err(NoGame::NotStarted { .. }) if self.stop.is_raised() => return,
                Err(NoGame::NotStarted { engine, error }) => WorkerReport::NotStarted { engine, error },
            };
            let is_last = match &report {
                WorkerReport::Finished(game) => game.at_fault().is_some() && self.recovery.is_none(),
                WorkerReport::Waiting { .. } => false,
                WorkerReport::NotStarted { .. } => true,
            };
            if reports.send(report).is_err() || is_last {
                return;
            }
            self.stop.wait_for(self.wait);
        }
    }

    fn next_game(&self) -> Option<ScheduledGame> {
        if self.stop.is_raised() {
            return None;
        }
        let number = self.queue.lock().unwrap_or_else(PoisonError::into_inner).next()?;
        Some(self.schedule.game(number))
    }

    fn play_scheduled(
        &self,
        scheduled: &ScheduledGame,
        bench: &mut Bench,
        reports: &Sender<WorkerReport>,
    ) -> Result<GameSummary, NoGame> {
        let (white, black) = (scheduled.white, scheduled.black);
        bench.retain(|engine, _| [white, black].contains(engine));
        let mut white_player = self.take_player(white, bench, reports)?;
        let mut black_player = self.take_player(black, bench, reports)?;
        let seats = Seats {
            players: [white_player.as_mut(), black_player.as_mut()],
            limits: [&self.settings.engines[white].limits, &self.settings.engines[black].limits],
        };
        let opening = self.book.opening(scheduled.opening);
        let played = play(seats, opening, self.settings.adjudication, scheduled.number, scheduled.seed)?;
        let game = self.summarize(scheduled, &played);
        for (engine, player) in [(white, white_player), (black, black_player)] {
            // A player at fault is not used again.
            if game.at_fault() != Some(engine) && !self.settings.engines[engine].restart {
                bench.insert(engine, player);
            }
        }
        Ok(game)
    }

    fn take_player(
        &self,
        engine: usize,
        bench: &mut Bench,
        reports: &Sender<WorkerReport>,
    ) -> Result<Box<dyn Player>, NoGame> {
        if let Some(player) = bench.remove(&engine) {
            return Ok(player);
        }
        let deadline = Instant::now() + self.recovery.unwrap_or_default();
        let mut pause = FIRST_PAUSE;
        loop {
            let error = match self.players.start(engine, self.stop) {
                Ok(player) => return Ok(player),
                Err(error) => error,
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.stop.is_raised() {
                return Err(NoGame::NotStarted { engine, error });
            }
            if pause == FIRST_PAUSE {
                // When nobody listens any more, the match is over and the stop is raised.
                let _ = reports.send(WorkerReport::Waiting { engine, error });
            }
            self.stop.wait_for(pause.min(left));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn summarize(&self, scheduled: &ScheduledGame, played: &PlayedGame) -> GameSummary {
        let pgn = game_record::pgn(self.settings, scheduled, played, Timestamp::now());
        GameSummary::new(scheduled, played, pgn)
    }
}

/// Why a worker has no game to report.
enum NoGame {
    Unfinished,
    NotStarted { engine: usize, error: StartError },
}

impl From<Unfinished> for NoGame {
    fn from(_: Unfinished) -> NoGame {
        NoGame::Unfinished
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::ending::{EndKind, Ending};
    use crate::arena::report::Reporter;
    use crate::arena::sprt::Sprt;
    use crate::arena::standings::Effort;
    use crate::arena::test_settings;
    use crate::types::Color;

    fn conduct() -> Conduct {
        Conduct { concurrency: 1, wait: Duration::ZERO, recovery: None, interrupt: Interrupt::new() }
    }

    fn tested() -> MatchSettings {
        let words = ["elo0=-200", "elo1=200", "model=logistic"].map(String::from);
        MatchSettings { rounds: 200, sprt: Some(Sprt::parse(&words).unwrap()), ..test_settings(2) }
    }

    /// A game that an engine loses by a fault.
    fn lost_by(loser: usize, kind: EndKind, scheduled: &ScheduledGame) -> GameSummary {
        let color = if scheduled.white == loser { Color::White } else { Color::Black };
        GameSummary {
            number: scheduled.number,
            white: scheduled.white,
            black: scheduled.black,
            ending: Ending::by_fault(color, kind, "loses"),
            incident: None,
            plies: 3,
            efforts: [Effort::default(); 2],
            last_fen: String::new(),
            pgn: String::new(),
        }
    }

    /// Keeps what it is told of engines that do not start.
    #[derive(Default)]
    struct Missing(Vec<String>);

    impl Observer for Missing {
        fn game_finished(&mut self, _game: &GameSummary, _standings: &Standings) {}

        fn engine_missing(&mut self, what: &str) {
            self.0.push(what.into());
        }
    }

    /// Plays ten games between players that are gone for some starts after the first game of each, and tells the end, the
    /// games that were counted and what the observer was told.
    fn played_with_failures(failures: usize, recovery: Option<Duration>) -> (MatchEnd, u64, Vec<String>) {
        let mut settings = MatchSettings { rounds: 10, ..test_settings(2) };
        settings.adjudication.max_moves = Some(2);
        settings.engines.iter_mut().for_each(|engine| engine.restart = true);
        // Two starts to try the engines out, and two for the first game.
        let starts = std::sync::atomic::AtomicUsize::new(0);
        let players = |_: usize, _: &Interrupt| -> Result<Box<dyn Player>, StartError> {
            let start = starts.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            if (4..4 + failures).contains(&start) {
                return Err(StartError::Run { program: "engine".into(), error: io::ErrorKind::NotFound.into() });
            }
            Ok(Box::new(crate::arena::in_process::GreedyPlayer::new()))
        };
        let mut match_ = Match::prepare(settings, None, &MatchFiles::default()).unwrap();
        let mut observer = Missing::default();
        let end = match_.run(&players, &Conduct { recovery, ..conduct() }, &mut observer).unwrap();
        (end, match_.standings().games(), observer.0)
    }

    #[test]
    fn an_engine_that_is_gone_for_a_while_is_waited_for() {
        let long = Duration::from_secs(600);
        let (end, games, told) = played_with_failures(4, Some(long));
        assert_eq!((end, games, told.len()), (MatchEnd::Complete, 10, 1));
        assert!(told[0].contains("' does not start: ") && told[0].ends_with("; tried again for 600 s"), "{told:?}");
    }

    #[test]
    fn an_engine_that_does_not_come_back_ends_the_match_with_its_games() {
        let (end, games, told) = played_with_failures(usize::MAX - 4, Some(Duration::from_millis(200)));
        assert_eq!((end, games, told.len()), (MatchEnd::EngineLost, 1, 2));
        let (end, games, told) = played_with_failures(1, None);
        assert_eq!((end, games, told.len()), (MatchEnd::EngineLost, 1, 1));
    }

    #[test]
    fn a_decision_stands_whatever_ends_later() {
        let directory = tempfile::tempdir().unwrap();
        let files = MatchFiles { state: Some(directory.path().join("state")), ..MatchFiles::default() };
        let mut match_ = Match::prepare(tested(), None, &files).unwrap();
        let (sender, results) = channel();
        for number in 1..=80 {
            let (loser, kind) = if number <= 40 { (1, EndKind::KingMate) } else { (0, EndKind::Time) };
            let game = lost_by(loser, kind, &match_.schedule.game(number));
            sender.send(WorkerReport::Finished(Box::new(game))).unwrap();
        }
        let error = StartError::Run { program: "engine".into(), error: io::ErrorKind::NotFound.into() };
        sender.send(WorkerReport::NotStarted { engine: 0, error }).unwrap();
        drop(sender);
        let stop = Interrupt::new();
        let end = match_.gather(&results, &stop, &conduct(), &mut ()).unwrap();
        assert_eq!(end, MatchEnd::Decided(Decision::H1));
        assert!(stop.is_raised() && match_.standings.games() == 80);
        let table = Reporter::new(&match_.settings, &match_.schedule).table(&match_.standings);
        assert!(table.contains("llr 0.00") && table.contains("H1 was accepted"), "{table}");
        drop(match_);
        let resumed = Match::prepare(tested(), None, &files).unwrap();
        assert_eq!(resumed.is_over(), Some(MatchEnd::Decided(Decision::H1)));
    }
}
