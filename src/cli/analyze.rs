use std::env;
use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget};
use thiserror::Error;

use super::interrupt::{INTERRUPTED, interrupt_on_signal};
use super::progress::{cores, style};
use super::review_files::{ReviewFileError, ReviewFiles};
use super::{BAD_INPUT, Configuration, Failure, engine, position, print_json};
use crate::analysis::batch;
use crate::analysis::epd::Epd;
use crate::analysis::game_review::{GamePosition, GamesInReview, ReviewedGame};
use crate::analysis::input::{BadEntry, Entry, Format, read_games, read_positions};
use crate::analysis::json::{self, Origin};
use crate::analysis::report::{self, LatestLines, Layout};
use crate::analysis::search::{Analysis, analyse};
use crate::analysis::suite::{Goals, Tally};
use crate::config::Settings;
use crate::engine::{Engine, Interrupt};
use crate::rules::{Game, Repair};
use crate::search::{Control, Limits};
use crate::text::{Paint, Symbols, board, royals};

/// How long the search of a single position without a limit takes.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// How long that of each of many takes.
const DEFAULT_TIME_OF_MANY: Duration = Duration::from_secs(1);
/// Not every position of a suite was solved, and `--strict` was given.
const MISSED: u8 = 1;

// Each paragraph is one line, which is wrapped to the width of the terminal.
const AFTER_HELP: &str = "\
Input: The words are a position: a FEN (quoted or not) or startpos, then perhaps the word moves and moves in UCI, SAN or \
long algebraic notation. A single word is a file instead where it names one or ends in .epd, .fen or .pgn; - is standard \
input.

A file holds positions, one a line as EPD or FEN (lines that begin with # are passed over), or games in PGN. Its name or \
else its first line tells which. A line or game that cannot be read is named on standard error; the rest goes on, and the \
exit status is 2.

Suites: Positions with bm, am or dm are scored: one of the bm moves must be chosen, none of the am moves, and \
a mate in at most dm moves be seen. The time to the solution counts from when the search held on to it. A search for dm \
ends as soon as the mate is there.

Limits: They hold for the search of each position. Where it finds a mate whose line it has cut short, up to 500,000 \
nodes more go into the rest of it.

Games: Each position of a game is searched; a move costs what it is worse than the best. An inaccuracy, a mistake, a \
blunder gives away 5, 10, 20 percent of the expected score. Scores in the table are for White. --annotate \
keeps tags, comments and glyphs, replaces those of an earlier review, and leaves variations out. Each game is written \
as soon as it is reviewed, to FILE.part, which becomes FILE at the end.

Exit status: 0; 1 with --strict when a position is not solved; 2 for bad input; 130 after Ctrl-C, which ends the searches \
and keeps what is done.";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct Arguments {
    /// A position (FEN or startpos, then moves), a file of positions or games, or - for standard input
    #[arg(value_name = "INPUT", conflicts_with = "file")]
    words: Vec<String>,

    /// A file of positions or games, whatever its name looks like
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// What the file holds [default: told from its name, or its first line]
    #[arg(long, value_name = "FORMAT")]
    format: Option<FormatName>,

    /// Stop after this many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Stop after this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Stop after this time [default, if there is no depth and no nodes: 5000, or 1000 for each of many]
    #[arg(long, alias = "time", value_name = "MILLISECONDS")]
    movetime: Option<u64>,

    /// Stop as soon as a mate in at most this many moves is found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    mate: Option<u32>,

    /// Number of lines
    #[arg(long, value_name = "N")]
    multipv: Option<u32>,

    /// Number of search threads of each search
    #[arg(long, value_name = "N")]
    threads: Option<u32>,

    /// Size of the transposition table of each search in megabytes
    #[arg(long, value_name = "MB")]
    hash: Option<u32>,

    /// Positions of a file to search at the same time [default: as many as there are cores for]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    jobs: Option<u32>,

    /// How the board of a single position and the curve of a game are drawn [default: unicode on a terminal that has
    /// it, else ascii]
    #[arg(long, value_name = "STYLE")]
    board: Option<BoardName>,

    /// Print JSON: an object for a position or game, one a line for a file
    #[arg(long)]
    json: bool,

    /// Exit with status 1 if a position of a suite is not solved
    #[arg(long)]
    strict: bool,

    /// Write the games with scores and remarks in comments to this PGN file, in place of what it holds
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,

    /// Draw the curve of the game into this SVG file; of several games, into files with their numbers before the dot
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    pub(super) configuration: Configuration,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    /// Positions, as EPD or FEN
    #[value(alias = "fen")]
    Epd,
    /// Games
    Pgn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BoardName {
    Unicode,
    Ascii,
    None,
}

/// Why there is nothing to analyse, or nowhere to write it.
#[derive(Debug, Error)]
pub enum AnalyzeError {
    #[error("cannot read {file}: {error}")]
    Read { file: String, error: io::Error },
    #[error("{file} holds no {what}")]
    Empty { file: String, what: &'static str },
    #[error("{flag} is for {what} only")]
    Misplaced { flag: &'static str, what: &'static str },
    #[error(transparent)]
    File(#[from] ReviewFileError),
    #[error("cannot catch Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
    #[error("no thread to analyse in: {0}")]
    Thread(#[source] io::Error),
}

/// What is to be analysed.
enum Input {
    Position(Box<Game>),
    Text { name: String, path: Option<PathBuf>, text: String, format: Format },
}

/// Searches a position, a file of positions or the positions of games, and prints what is found.
pub fn run(arguments: &Arguments, mut settings: Settings, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    super::set_number(&mut settings.options, "MultiPV", arguments.multipv)?;
    super::set_number(&mut settings.options, "Threads", arguments.threads)?;
    super::set_number(&mut settings.options, "Hash", arguments.hash)?;
    let input = arguments.input()?;
    arguments.check_flags(&input)?;
    let interrupt = interrupt_on_signal().map_err(AnalyzeError::from)?;
    let session = Session { arguments, settings, interrupt, layout: arguments.layout() };
    match input {
        Input::Position(game) => session.single(&game, out),
        Input::Text { name, text, format: Format::Positions, .. } => session.positions(&name, &text, out),
        Input::Text { name, path, text, format: Format::Games } => session.games(&name, path.as_deref(), &text, out),
    }
}

impl Arguments {
    fn input(&self) -> Result<Input, Failure> {
        let path = match (&self.file, &self.words[..]) {
            (Some(file), _) => Some(file.clone()),
            (None, [word]) if names_file(word) => Some(PathBuf::from(word)),
            _ => None,
        };
        let Some(path) = path else { return Ok(Input::Position(Box::new(position::parse(&self.words)?))) };
        let is_stdin = path.as_os_str() == "-";
        let name = if is_stdin { "<stdin>".to_owned() } else { path.display().to_string() };
        let bytes = if is_stdin { read_stdin() } else { fs::read(&path) };
        let bytes = bytes.map_err(|error| AnalyzeError::Read { file: name.clone(), error })?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let path = (!is_stdin).then_some(path);
        let format = match self.format {
            Some(FormatName::Epd) => Format::Positions,
            Some(FormatName::Pgn) => Format::Games,
            None => Format::of(path.as_deref(), &text),
        };
        Ok(Input::Text { name, path, text, format })
    }

    fn check_flags(&self, input: &Input) -> Result<(), AnalyzeError> {
        let (is_file, are_games) = match input {
            Input::Position(_) => (false, false),
            Input::Text { format, .. } => (true, *format == Format::Games),
        };
        let checks = [
            ("--format", self.format.is_some(), is_file, "files"),
            ("--jobs", self.jobs.is_some(), is_file, "files"),
            ("--strict", self.strict, is_file && !are_games, "files of positions"),
            ("--board", self.board.is_some(), !is_file || are_games, "a single position and for games"),
            ("--annotate", self.annotate.is_some(), are_games, "files of games"),
            ("--plot", self.plot.is_some(), are_games, "files of games"),
        ];
        if let Some((flag, _, _, what)) = checks.into_iter().find(|(_, is_given, fits, _)| *is_given && !fits) {
            return Err(AnalyzeError::Misplaced { flag, what });
        }
        Ok(())
    }

    fn limits(&self, default_time: Duration) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.movetime.is_none();
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.movetime.map(Duration::from_millis).or(unlimited.then_some(default_time)),
            mate: self.mate,
            ..Limits::default()
        }
    }

    fn layout(&self) -> Layout {
        let is_terminal = io::stdout().is_terminal();
        let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let enabled = is_terminal && !is_refused && console::colors_enabled();
        let width = is_terminal.then(|| usize::from(console::Term::stdout().size().1));
        Layout { paint: Paint { enabled }, width, symbols: self.symbols() }
    }

    fn symbols(&self) -> Option<Symbols> {
        match self.board {
            Some(BoardName::None) => None,
            Some(BoardName::Ascii) => Some(Symbols::Ascii),
            Some(BoardName::Unicode) => Some(Symbols::Unicode),
            None if io::stdout().is_terminal() && locale_is_unicode() => Some(Symbols::Unicode),
            None => Some(Symbols::Ascii),
        }
    }
}

fn names_file(word: &str) -> bool {
    let path = Path::new(word);
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    let is_typical = extension.is_some_and(|extension| extension == "epd" || extension == "fen" || extension == "pgn");
    word == "-" || word != "startpos" && (is_typical || path.is_file())
}

fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What the locale says: the first variable that is set counts.
fn locale_is_unicode() -> bool {
    let value = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(env::var_os).find(|value| !value.is_empty());
    let value = value.map(|value| value.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    value.contains("utf-8") || value.contains("utf8")
}

fn warn(name: &str, line: usize, repairs: &[Repair]) {
    for repair in repairs {
        let _ = writeln!(io::stderr(), "warning: {name}:{line}: {repair}");
    }
}

fn complain(name: &str, bad: &[BadEntry]) {
    for entry in bad {
        let _ = writeln!(io::stderr(), "error: {name}:{}: {}", entry.line, entry.reason);
    }
}

/// What is the same for all that is analysed.
struct Session<'a> {
    arguments: &'a Arguments,
    settings: Settings,
    interrupt: Interrupt,
    layout: Layout,
}

impl Session<'_> {
    fn single(&self, game: &Game, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        let json = self.arguments.json;
        if !json {
            self.print_board(game, out)?;
        }
        let limits = self.arguments.limits(DEFAULT_TIME);
        let mut engine = engine(self.settings.clone())?;
        let control = Arc::new(Control::new(&limits));
        let _registration = self.interrupt.stops(&control);
        let is_live = io::stdout().is_terminal() && !json;
        let live = if is_live { live_lines() } else { ProgressBar::hidden() };
        let mut latest = LatestLines::default();
        let goals = Goals::default();
        let analysis = analyse(&mut engine, game, &goals, &limits, &control, &mut |info| {
            latest.put(info);
            if is_live {
                live.set_message(latest.table(game.position(), self.layout));
            }
        });
        live.finish_and_clear();
        if json {
            print_json(out, &json::position(&analysis, &Origin::default(), &goals))?;
        } else {
            let lines = &analysis.result.lines;
            if analysis.result.best.is_some() {
                write!(out, "{}", report::lines_table(game.position(), lines, &analysis.mates, self.layout))?;
            }
            writeln!(out, "{}", report::best_move(&analysis))?;
        }
        Ok(status(self.interrupt.is_raised(), false, false))
    }

    fn print_board(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        if let Some(symbols) = self.layout.symbols {
            writeln!(out, "{}", board(game.position(), symbols, self.layout.paint))?;
        }
        writeln!(out, "{}\n{}", game.position().fen(), royals(game.position()))?;
        out.flush()
    }

    fn positions(&self, name: &str, text: &str, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        let (entries, bad) = read_positions(text);
        complain(name, &bad);
        if entries.is_empty() && bad.is_empty() {
            return Err(AnalyzeError::Empty { file: name.to_owned(), what: "positions" }.into());
        }
        if self.arguments.strict && entries.iter().all(|entry| entry.content.goals.is_empty()) {
            return Err(AnalyzeError::Empty { file: name.to_owned(), what: "bm, am or dm to be strict about" }.into());
        }
        entries.iter().for_each(|entry| warn(name, entry.line, &entry.content.repairs));
        let common = self.arguments.limits(DEFAULT_TIME_OF_MANY);
        let work = |engine: &mut Engine, entry: &Entry<Epd>, control: &Control| {
            let Epd { game, goals, .. } = &entry.content;
            let limits = Limits { mate: goals.mate_in.or(common.mate), ..common.clone() };
            analyse(engine, game, goals, &limits, control, &mut |_| {})
        };
        let mut tally = Tally::default();
        let mut printer = Printer::new(out);
        let is_interrupted = self.run_all(&entries, work, &mut |index, analysis, bar| {
            let Entry { line, content } = &entries[index];
            analysis.verdict.iter().for_each(|&verdict| tally.add(verdict));
            let text = if self.arguments.json {
                let origin = Origin { line: Some(*line), id: content.id.clone() };
                format!("{}\n", json::position(&analysis, &origin, &content.goals))
            } else {
                report::file_position(&analysis, &format!("{name}:{line}"), content.id.as_deref(), self.layout)
            };
            bar.suspend(|| printer.print(&text));
            // The exit status is wanted even when nobody reads on.
            go_on_if(printer.is_open() || self.arguments.strict)
        })?;
        if tally.total > 0 && self.arguments.json {
            printer.print(&format!("{}\n", json::suite(&tally)));
        } else if tally.total > 0 {
            printer.print(&format!("{}\n", report::suite(&tally)));
        }
        let is_missed = self.arguments.strict && tally.solved < tally.total;
        printer.end(status(is_interrupted, !bad.is_empty(), is_missed))
    }

    fn games(&self, name: &str, source: Option<&Path>, text: &str, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        let (games, bad) = read_games(text);
        complain(name, &bad);
        if games.is_empty() && bad.is_empty() {
            return Err(AnalyzeError::Empty { file: name.to_owned(), what: "games" }.into());
        }
        games.iter().for_each(|entry| warn(name, entry.line, &entry.content.repairs));
        let (annotate, plot) = (self.arguments.annotate.as_deref(), self.arguments.plot.as_deref());
        let mut files = ReviewFiles::open(annotate, plot, source, &games).map_err(AnalyzeError::from)?;
        let mut in_review = GamesInReview::new(&games);
        let positions = in_review.positions();
        let limits = self.arguments.limits(DEFAULT_TIME_OF_MANY);
        let work = |engine: &mut Engine, position: &GamePosition, control: &Control| {
            analyse(engine, &position.game(), &Goals::default(), &limits, control, &mut |_| {})
        };
        let mut printer = Printer::new(out);
        let mut written = Ok(());
        let is_interrupted = self.run_all(&positions, work, &mut |index, analysis, bar| {
            if let Some(game) = in_review.take(positions[index], analysis) {
                written = files.write(&game);
                bar.suspend(|| printer.print(&self.told(&game, printer.has_printed)));
            }
            go_on_if(written.is_ok() && (printer.is_open() || files.are_wanted()))
        })?;
        written.map_err(AnalyzeError::from)?;
        for game in in_review.rest() {
            files.write(&game).map_err(AnalyzeError::from)?;
            printer.print(&self.told(&game, printer.has_printed));
        }
        files.finish().map_err(AnalyzeError::from)?;
        printer.end(status(is_interrupted, !bad.is_empty(), false))
    }

    /// The report of a game, none of one that was not begun.
    fn told(&self, game: &ReviewedGame, is_behind_another: bool) -> String {
        if !game.is_begun() {
            String::new()
        } else if self.arguments.json {
            format!("{}\n", json::game(game))
        } else {
            let gap = if is_behind_another { "\n" } else { "" };
            format!("{gap}{}", report::game(game, self.layout))
        }
    }

    /// Analyses on all cores, with a progress bar on a terminal, until `on_result` wants no more. True if that was cut
    /// short by an interrupt.
    fn run_all<T: Sync>(
        &self,
        tasks: &[T],
        work: impl Fn(&mut Engine, &T, &Control) -> Analysis + Sync,
        on_result: &mut dyn FnMut(usize, Analysis, &ProgressBar) -> ControlFlow<()>,
    ) -> Result<bool, Failure> {
        let threads = self.settings.options.threads as usize;
        let jobs = self.arguments.jobs.map_or(cores() / threads, |jobs| jobs as usize).clamp(1, tasks.len().max(1));
        let engines = (0..jobs).map(|_| engine(self.settings.clone())).collect::<Result<_, _>>()?;
        let bar = progress_bar(tasks.len());
        let mut is_interrupted = None;
        let end = batch::run(tasks, engines, &self.interrupt, work, &mut || bar.inc(1), &mut |index, analysis| {
            if is_interrupted.is_none() && on_result(index, analysis, &bar).is_break() {
                is_interrupted = Some(self.interrupt.is_raised());
                self.interrupt.raise();
            }
        });
        bar.finish_and_clear();
        end.map_err(AnalyzeError::Thread)?;
        Ok(is_interrupted.unwrap_or_else(|| self.interrupt.is_raised()))
    }
}

fn status(is_interrupted: bool, is_bad: bool, is_missed: bool) -> ExitCode {
    if is_interrupted {
        let _ = writeln!(io::stderr(), "warning: interrupted");
        ExitCode::from(INTERRUPTED)
    } else if is_bad {
        ExitCode::from(BAD_INPUT)
    } else if is_missed {
        ExitCode::from(MISSED)
    } else {
        ExitCode::SUCCESS
    }
}

/// Standard output until it fails; what comes later is dropped, and the work can go on.
struct Printer<'a> {
    out: &'a mut dyn Write,
    has_printed: bool,
    failure: Option<io::Error>,
}

impl<'a> Printer<'a> {
    fn new(out: &'a mut dyn Write) -> Printer<'a> {
        Printer { out, has_printed: false, failure: None }
    }

    fn is_open(&self) -> bool {
        self.failure.is_none()
    }

    fn print(&mut self, text: &str) {
        if self.is_open() && !text.is_empty() {
            self.has_printed = true;
            self.failure = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()).err();
        }
    }

    /// The exit status, but for an output that failed though somebody may still want it.
    fn end(self, status: ExitCode) -> Result<ExitCode, Failure> {
        match self.failure {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(status),
        }
    }
}

fn go_on_if(is_wanted: bool) -> ControlFlow<()> {
    if is_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Lines of text that are drawn anew in their place.
fn live_lines() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stdout());
    bar.set_style(style("{msg}"));
    bar
}

/// On standard error, and only if that is a terminal.
fn progress_bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    bar.set_style(style("{bar:30} {pos}/{len} positions [{elapsed} < {eta}]"));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_files_are_told_from_positions() {
        assert!(names_file("-") && names_file("no-such.PGN") && names_file("Cargo.toml"));
        assert!(!names_file("startpos") && !names_file("8/8/8/8/8/8/8/8") && !names_file("no-such"));
    }
}
