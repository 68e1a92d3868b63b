//! `match`: plays engines against each other.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget};
use thiserror::Error;

use super::BAD_INPUT;
use super::interrupt::{INTERRUPTED, interrupt_on_signal};
use super::progress::style;
use crate::arena::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::arena::engine_settings::{EngineError, EngineSettings};
use crate::arena::key_values::KeyError;
use crate::arena::match_settings::{MatchSettings, TournamentFormat};
use crate::arena::merge::{MergeError, merge};
use crate::arena::openings::OpeningSettings;
use crate::arena::pgn_file::PgnFile;
use crate::arena::pgn_settings::{PgnSettings, PgnStyle};
use crate::arena::report::Reporter;
use crate::arena::roster::Roster;
use crate::arena::schedule::Schedule;
use crate::arena::sprt::Sprt;
use crate::arena::standings::{GameSummary, Standings};
use crate::arena::time_control::parse_seconds;
use crate::arena::tournament::{Conduct, Match, MatchEnd, MatchError, MatchFiles, Observer};
use crate::arena::traffic::TrafficLog;
use crate::engine::Interrupt;
use crate::rules::VARIANT;

/// The match stopped because an engine was at fault.
const STOPPED_BY_FAULT: u8 = 1;

#[derive(Debug, Args)]
#[command(after_long_help = KEYS)]
pub struct Arguments {
    #[command(flatten)]
    engines: EngineWords,

    /// Who meets whom; in a gauntlet the first engine meets every other
    #[arg(long, value_name = "FORMAT", default_value = "round-robin")]
    tournament: FormatName,

    /// Rounds to play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Games of each pairing in a round [default: 1, with --repeat 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,

    /// Play all games of a pairing in a round from the same opening
    #[arg(long, value_name = "GAMES", num_args = 0..=1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<Option<u32>>,

    /// Do not change colours after each game of a pairing
    #[arg(long)]
    noswap: bool,

    /// Games to play at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,

    /// Openings: file=FILE [format=epd|pgn] [order=sequential|random] [plies=N] [start=N]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    openings: Option<Vec<String>>,

    /// Seed of everything that chance decides [default: drawn, and printed]
    #[arg(long, value_name = "N")]
    srand: Option<u64>,

    /// Declare a draw: movenumber=N movecount=N score=CENTIPAWNS
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    draw: Option<Vec<String>>,

    /// Resign lost games: movecount=N score=CENTIPAWNS [twosided=true]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Option<Vec<String>>,

    /// Declare a draw when this move is made, as the board counts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    maxmoves: Option<u32>,

    /// Stop when the results decide: elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=normalized|logistic|bayesian]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Option<Vec<String>>,

    /// Go on after an engine's fault, with the engine started again; that is tried for 30 seconds, or so many
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "30",
        value_parser = stall_time)]
    recover: Option<Duration>,

    /// How long an engine may be silent when it has no clock
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = stall_time)]
    stall: Duration,

    /// Keep the state of the match in a file, and go on from it when it exists
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Add the games to a PGN file: FILE [min] [fi] [append=true|false] [notation=san|lan|uci], or file=FILE and the like
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pgnout: Option<Vec<String>>,

    /// Add the last position of each game to a file
    #[arg(long, value_name = "FILE")]
    epdout: Option<PathBuf>,

    /// Add all that the engines are told and say to a file, line by line, with time, game and process
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Wait between games
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0)]
    wait: u64,

    /// Print the table of a match whose parts were kept with --resume
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["engine", "resume"])]
    merge: Vec<PathBuf>,

    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,

    /// Print the score after every N games; 0: only at the end
    #[arg(long, value_name = "N", default_value_t = 10)]
    ratinginterval: u64,

    /// The variant; there is only one
    #[arg(long, value_name = "NAME", default_value = VARIANT, value_parser = [VARIANT])]
    variant: String,

    /// PGN tag
    #[arg(long, value_name = "TEXT", default_value = "Engine match")]
    event: String,

    /// PGN tag
    #[arg(long, value_name = "TEXT", default_value = "?")]
    site: String,
}

const KEYS: &str = "\
Keys of --engine and --each:
  cmd=PROGRAM       the engine; self is this program, greedy a weak opponent for
                    reference that takes the most material at once
  name=NAME         its name in all reports
  dir=DIRECTORY     where it runs
  args=\"A B\"        arguments as a shell reads them (arg=A for one word)
  option.NAME=VALUE a UCI option
  tc=[MOVES/][MINUTES:]SECONDS[+INCREMENT]
  st=SECONDS        fixed time a move
  nodes=N, depth=N  limits of each search (plies=N is depth=N)
  timemargin=MS     how much it may overstep its time (0)
  ponder            thinks on its opponent's time
  restart=on|off    a new process for each game (off)
  stderr=FILE       takes its standard error; without, only its last lines are
                    kept, and shown when it is at fault
  variant=assume    it may play though it has no option UCI_Variant; one that has
                    it must offer anti-king-2

Example:
  antiking match --engine cmd=self name=new --engine cmd=./old name=old \\
    --each tc=1+0.01 option.Hash=16 --openings file=book.epd order=random \\
    --games 2 --rounds 5000 --repeat --concurrency 2 --sprt elo0=0 elo1=5";

/// The words of each `--engine` and of `--each`. Clap's derive would throw those of all engines together.
#[derive(Debug, Clone, Default)]
struct EngineWords {
    engines: Vec<Vec<String>>,
    each: Vec<String>,
}

impl Args for EngineWords {
    fn augment_args(command: clap::Command) -> clap::Command {
        let words = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).help(help).value_name("KEY=VALUE").num_args(1..).action(ArgAction::Append)
        };
        command
            .arg(words("engine", "An engine: cmd=PROGRAM [KEY=VALUE...]; once for each engine"))
            .arg(words("each", "Keys for all engines that do not give them themselves"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        EngineWords::augment_args(command)
    }
}

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineWords, clap::Error> {
        let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
        Ok(EngineWords {
            engines: occurrences.map(|words| words.cloned().collect()).collect(),
            each: matches.get_many::<String>("each").into_iter().flatten().cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineWords::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    RoundRobin,
    Gauntlet,
}

fn stall_time(text: &str) -> Result<Duration, String> {
    parse_seconds(text).filter(|time| !time.is_zero()).ok_or_else(|| "it is not a number of seconds above 0".into())
}

/// Why there is no match.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error("--merge: {0}")]
    Merge(#[from] MergeError),
    #[error("--pgnout: cannot write {file:?}: {error}")]
    Pgn { file: OsString, error: io::Error },
    #[error("cannot find this executable: {0}")]
    OwnProgram(io::Error),
    #[error("cannot catch Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
    #[error("cannot write to the standard output, which ended the match: {0}")]
    Output(io::Error),
}

/// Plays a match, or adds up the parts of one.
pub fn run(arguments: &Arguments) -> ExitCode {
    let result = if arguments.merge.is_empty() { play(arguments) } else { add_up(arguments) };
    result.unwrap_or_else(|failure| {
        let _ = writeln!(io::stderr(), "error: {failure}");
        ExitCode::from(BAD_INPUT)
    })
}

fn play(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let pgn = pgn_settings(arguments)?;
    let style_of_games = pgn.as_ref().map(|pgn| pgn.style).unwrap_or_default();
    let files = MatchFiles {
        replace_pgn: pgn.as_ref().is_some_and(|pgn| !pgn.append),
        pgn: pgn.map(|pgn| pgn.file),
        epd: arguments.epdout.clone(),
        state: arguments.resume.clone(),
        log: arguments.log.clone(),
    };
    let mut prepared = Match::prepare(settings(arguments, style_of_games)?, arguments.srand, &files)?;
    let own_program = std::env::current_exe().map_err(Failure::OwnProgram)?;
    let conduct = Conduct {
        concurrency: arguments.concurrency as usize,
        wait: Duration::from_millis(arguments.wait),
        recovery: arguments.recover,
        interrupt: interrupt_on_signal()?,
    };
    let log = arguments.log.as_deref().map(open_log).transpose()?;
    let (settings, schedule) = (prepared.settings().clone(), prepared.schedule().clone());
    let reporter = Reporter::new(&settings, &schedule);
    let mut display = Display::new(arguments, reporter, conduct.interrupt.clone());
    display.begin(&prepared);
    let roster = Roster { settings: &settings, own_program, log };
    let end = prepared.run(&roster, &conduct, &mut display);
    if let Some(error) = roster.log.and_then(|log| log.failure()) {
        display.warn(&format!("--log: the record ends early: {error}"));
    }
    if let Ok(end) = end {
        display.finish(prepared.standings(), end);
    }
    if let Some(error) = display.failure.take().filter(|error| error.kind() != io::ErrorKind::BrokenPipe) {
        return Err(Failure::Output(error));
    }
    Ok(match end? {
        MatchEnd::Complete | MatchEnd::Decided(_) => ExitCode::SUCCESS,
        MatchEnd::Fault | MatchEnd::EngineLost => ExitCode::from(STOPPED_BY_FAULT),
        MatchEnd::Interrupted => ExitCode::from(INTERRUPTED),
    })
}

fn open_log(path: &Path) -> Result<Arc<TrafficLog>, MatchError> {
    TrafficLog::append(path).map_err(|error| MatchError::Output { flag: "--log", file: path.into(), error })
}

fn settings(arguments: &Arguments, style: PgnStyle) -> Result<MatchSettings, Failure> {
    let adjudication = Adjudication {
        draw: arguments.draw.as_deref().map(DrawRule::parse).transpose()?,
        resign: arguments.resign.as_deref().map(ResignRule::parse).transpose()?,
        max_moves: arguments.maxmoves,
    };
    let repeated = arguments.repeat.map(|games| games.unwrap_or(2));
    Ok(MatchSettings {
        engines: EngineSettings::parse_all(&arguments.engines.engines, &arguments.engines.each)?,
        format: match arguments.tournament {
            FormatName::RoundRobin => TournamentFormat::RoundRobin,
            FormatName::Gauntlet => TournamentFormat::Gauntlet,
        },
        rounds: arguments.rounds,
        games: arguments.games.or(repeated).unwrap_or(1),
        repeat: arguments.repeat.is_some(),
        swap: !arguments.noswap,
        openings: arguments.openings.as_deref().map(OpeningSettings::parse).transpose()?,
        seed: arguments.srand.unwrap_or(0),
        adjudication,
        stall: arguments.stall,
        sprt: arguments.sprt.as_deref().map(Sprt::parse).transpose()?,
        style,
        event: arguments.event.clone(),
        site: arguments.site.clone(),
    })
}

fn pgn_settings(arguments: &Arguments) -> Result<Option<PgnSettings>, KeyError> {
    arguments.pgnout.as_deref().map(PgnSettings::parse).transpose()
}

/// Prints the table of the merged parts, and their games.
fn add_up(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let merged = merge(&arguments.merge)?;
    if let Some(PgnSettings { file: path, append, .. }) = &pgn_settings(arguments)? {
        let failed = |error| Failure::Pgn { file: path.into(), error };
        let opened = if *append { PgnFile::append(path) } else { PgnFile::rewrite_from(path, 0) };
        let mut pgn = opened.map_err(failed)?;
        for (index, game) in merged.games.iter().enumerate() {
            pgn.add(index as u64 + 1, &game.pgn).map_err(failed)?;
        }
        pgn.finish().map_err(failed)?;
    }
    let schedule = Schedule::new(&merged.settings);
    let reporter = Reporter::new(&merged.settings, &schedule);
    let text = if arguments.json {
        format!("{}\n", reporter.match_json(&merged.standings, "merged"))
    } else {
        reporter.table(&merged.standings)
    };
    // A reader that has gone wants no more.
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(ExitCode::SUCCESS)
}

/// Shows a match: a live line on a terminal, lines in a pipe, or JSON.
struct Display<'a> {
    reporter: Reporter<'a>,
    json: bool,
    interval: u64,
    bar: Option<ProgressBar>,
    /// Raised when the output cannot be written any more.
    interrupt: Interrupt,
    /// Why it could not.
    failure: Option<io::Error>,
}

impl<'a> Display<'a> {
    fn new(arguments: &Arguments, reporter: Reporter<'a>, interrupt: Interrupt) -> Display<'a> {
        let is_live = io::stdout().is_terminal() && !arguments.json;
        let bar = is_live.then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::stdout()));
        Display { reporter, json: arguments.json, interval: arguments.ratinginterval, bar, interrupt, failure: None }
    }

    fn begin(&mut self, prepared: &Match) {
        for rejected in &prepared.book().rejected {
            self.warn(&format!("opening passed over: {rejected}"));
        }
        let (settings, total) = (prepared.settings(), prepared.schedule().total());
        if !self.json {
            let names: Vec<&str> = settings.engines.iter().map(|engine| engine.name.as_str()).collect();
            let openings = prepared.book().len();
            let seed = settings.seed;
            self.print(&format!("Match of {}: {total} games, openings {openings}, srand {seed}", names.join(", ")));
            let before = prepared.standings().games();
            if before > 0 {
                self.print(&format!("Resumed with {before} games played"));
            }
        }
        if let Some(bar) = &self.bar {
            bar.set_style(style("{bar:20} {pos}/{len} [{elapsed} < {eta}]  {wide_msg}"));
            bar.set_length(total);
            bar.set_position(prepared.standings().games());
            bar.reset_eta();
            bar.set_message(self.reporter.brief(prepared.standings()));
            bar.enable_steady_tick(Duration::from_secs(1));
        }
    }

    fn finish(&mut self, standings: &Standings, end: MatchEnd) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if self.json {
            self.print(&self.reporter.match_json(standings, end_name(end)).to_string());
        } else {
            self.print(self.reporter.table(standings).trim_end());
        }
        match end {
            MatchEnd::Complete | MatchEnd::Decided(_) if !self.json => self.print("Finished match"),
            MatchEnd::Complete | MatchEnd::Decided(_) => {}
            MatchEnd::Fault => self.warn("stopped after an engine's fault; --recover goes on"),
            MatchEnd::EngineLost => self.warn("stopped, since an engine does not start any more"),
            MatchEnd::Interrupted if self.failure.is_some() => self.warn("interrupted, since nobody reads the output"),
            MatchEnd::Interrupted => self.warn("interrupted"),
        }
    }

    fn print(&mut self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.println(text);
            return;
        }
        let mut out = io::stdout().lock();
        if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush()) {
            self.interrupt.raise();
            self.failure.get_or_insert(error);
        }
    }

    fn warn(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(format!("warning: {text}")),
            None => {
                // Nobody is left to be told of a closed stderr.
                let _ = writeln!(io::stderr(), "warning: {text}");
            }
        }
    }
}

impl Observer for Display<'_> {
    fn engine_missing(&mut self, what: &str) {
        self.warn(what);
    }

    fn game_finished(&mut self, game: &GameSummary, standings: &Standings) {
        if let Some(incident) = self.reporter.incident(game) {
            self.warn(&incident);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(standings.games());
            bar.set_message(self.reporter.brief(standings));
        } else if self.json {
            self.print(&self.reporter.game_json(game).to_string());
        } else {
            self.print(&self.reporter.finished_game(game));
            let is_due = self.interval > 0 && standings.games().is_multiple_of(self.interval);
            if is_due && !self.reporter.is_last(standings) {
                self.print(&self.reporter.interval_lines(standings));
            }
        }
    }
}

const fn end_name(end: MatchEnd) -> &'static str {
    match end {
        MatchEnd::Complete => "complete",
        MatchEnd::Decided(_) => "decided",
        MatchEnd::Fault => "fault",
        MatchEnd::EngineLost => "engine-lost",
        MatchEnd::Interrupted => "interrupted",
    }
}
