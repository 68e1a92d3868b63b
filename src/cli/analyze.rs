use std::env;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use thiserror::Error;

use super::interrupt::{INTERRUPTED, interrupt_on_signal};
use super::{BAD_INPUT, Configuration, Failure, engine, position, print_json};
use crate::analysis::annotate::annotated;
use crate::analysis::epd::Epd;
use crate::analysis::input::{BadEntry, Entry, FileGame, Format, read_games, read_positions};
use crate::analysis::json::{self, Origin};
use crate::analysis::report::{self, LatestLines, Layout};
use crate::analysis::review::review;
use crate::analysis::search::{Analysis, analyse};
use crate::analysis::suite::{Goals, Tally};
use crate::analysis::{batch, plot};
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
Input: The words are a position: a FEN (quoted or not) or startpos, then perhaps the word moves and moves in UCI or SAN. \
A single word is a file instead where it names one or ends in .epd, .fen or .pgn; - is standard input.

A file holds positions, one a line as EPD or FEN (lines that begin with # are passed over), or games in PGN. Its name or \
else its first line tells which. A line or game that cannot be read is named on standard error; the rest goes on, and the \
exit status is 2.

Suites: Positions with bm, am or dm are scored: one of the bm moves (SAN or UCI) must be chosen, none of the am moves, and \
a mate in at most dm moves be seen. The time to the solution counts from when the search held on to it. A search for dm \
ends as soon as the mate is there.

Games: Each position of a game is searched; a move costs what it is worse than the best. An inaccuracy, a mistake, a \
blunder gives away 5, 10, 20 percent of the expected score. Scores in the table are for White. Comments of an earlier \
review are replaced in --annotate, other comments kept, variations left out.

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

    /// How the board of a single position is drawn [default: unicode on a terminal that has it, else ascii]
    #[arg(long, value_name = "STYLE")]
    board: Option<BoardName>,

    /// Print JSON: an object for a position or game, one a line for a file
    #[arg(long)]
    json: bool,

    /// Exit with status 1 if a position of a suite is not solved
    #[arg(long)]
    strict: bool,

    /// Write the games with scores and remarks in comments to this PGN file, anew
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
    #[error("--annotate: {0} is the file that is read")]
    SameFile(String),
    #[error("{flag}: cannot write {file}: {error}")]
    Write { flag: &'static str, file: String, error: io::Error },
    #[error("cannot catch Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
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
    let session = Session { arguments, settings, interrupt, layout: layout() };
    match input {
        Input::Position(game) => session.single(&game, out),
        Input::Text { name, text, format: Format::Positions, .. } => session.positions(&name, &text, out),
        Input::Text { name, text, format: Format::Games, .. } => session.games(&name, &text, out),
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
        let (is_file, are_games, path) = match input {
            Input::Position(_) => (false, false, None),
            Input::Text { format, path, .. } => (true, *format == Format::Games, path.as_ref()),
        };
        let checks = [
            ("--format", self.format.is_some(), is_file, "files"),
            ("--jobs", self.jobs.is_some(), is_file, "files"),
            ("--strict", self.strict, is_file && !are_games, "files of positions"),
            ("--board", self.board.is_some(), !is_file, "a single position"),
            ("--annotate", self.annotate.is_some(), are_games, "files of games"),
            ("--plot", self.plot.is_some(), are_games, "files of games"),
        ];
        if let Some((flag, _, _, what)) = checks.into_iter().find(|(_, is_given, fits, _)| *is_given && !fits) {
            return Err(AnalyzeError::Misplaced { flag, what });
        }
        if let (Some(target), Some(source)) = (&self.annotate, path)
            && let (Ok(target), Ok(source)) = (target.canonicalize(), source.canonicalize())
            && target == source
        {
            return Err(AnalyzeError::SameFile(source.display().to_string()));
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

fn layout() -> Layout {
    let is_terminal = io::stdout().is_terminal();
    let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let enabled = is_terminal && !is_refused && console::colors_enabled();
    let width = is_terminal.then(|| usize::from(console::Term::stdout().size().1));
    Layout { paint: Paint { enabled }, width }
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
        let to_stop = control.clone();
        let _registration = self.interrupt.on_raise(move || to_stop.stop());
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
        Ok(self.status(false, false))
    }

    fn print_board(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        if let Some(symbols) = self.arguments.symbols() {
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
        entries.iter().for_each(|entry| warn(name, entry.line, &entry.content.repairs));
        let common = self.arguments.limits(DEFAULT_TIME_OF_MANY);
        let work = |engine: &mut Engine, entry: &Entry<Epd>, control: &Control| {
            let Epd { game, goals, .. } = &entry.content;
            let limits = Limits { mate: goals.mate_in.or(common.mate), ..common.clone() };
            analyse(engine, game, goals, &limits, control, &mut |_| {})
        };
        let mut tally = Tally::default();
        self.run_all(&entries, work, &mut |index, analysis, bar| {
            let Entry { line, content } = &entries[index];
            analysis.verdict.iter().for_each(|&verdict| tally.add(verdict));
            let text = if self.arguments.json {
                let origin = Origin { line: Some(*line), id: content.id.clone() };
                format!("{}\n", json::position(&analysis, &origin, &content.goals))
            } else {
                report::file_position(&analysis, &format!("{name}:{line}"), content.id.as_deref(), self.layout)
            };
            print(bar, out, &text)
        })?;
        if tally.total > 0 && self.arguments.json {
            writeln!(out, "{}", json::suite(&tally))?;
        } else if tally.total > 0 {
            writeln!(out, "{}", report::suite(&tally))?;
        }
        Ok(self.status(!bad.is_empty(), self.arguments.strict && tally.solved < tally.total))
    }

    fn games(&self, name: &str, text: &str, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        let (games, bad) = read_games(text);
        complain(name, &bad);
        if games.is_empty() && bad.is_empty() {
            return Err(AnalyzeError::Empty { file: name.to_owned(), what: "games" }.into());
        }
        let annotations = self.arguments.annotate.as_deref().map(open_for_writing).transpose()?;
        let tasks: Vec<(usize, usize)> = games.iter().enumerate().flat_map(positions_of).collect();
        let limits = self.arguments.limits(DEFAULT_TIME_OF_MANY);
        let work = |engine: &mut Engine, &(game, ply): &(usize, usize), control: &Control| {
            let game = prefix(&games[game].content.game, ply);
            analyse(engine, &game, &Goals::default(), &limits, control, &mut |_| {})
        };
        let mut reviewed = GamesReviewed::new(self.arguments, self.layout, &games);
        self.run_all(&tasks, work, &mut |index, analysis, bar| {
            let (game, ply) = tasks[index];
            match reviewed.take(game, ply, analysis) {
                Some(text) => print(bar, out, &text),
                None => Ok(()),
            }
        })?;
        write!(out, "{}", reviewed.rest())?;
        if let (Some(mut file), Some(path)) = (annotations, &self.arguments.annotate) {
            let written = file.set_len(0).and_then(|()| file.write_all(reviewed.annotated.concat().as_bytes()));
            written.map_err(|error| AnalyzeError::Write {
                flag: "--annotate",
                file: path.display().to_string(),
                error,
            })?;
        }
        reviewed.write_plots()?;
        Ok(self.status(!bad.is_empty(), false))
    }

    /// Analyses on all cores, with a progress bar on a terminal. What `on_result` cannot print ends the analysis.
    fn run_all<T: Sync>(
        &self,
        tasks: &[T],
        work: impl Fn(&mut Engine, &T, &Control) -> Analysis + Sync,
        on_result: &mut dyn FnMut(usize, Analysis, &ProgressBar) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads = self.settings.options.threads as usize;
        let jobs = self.arguments.jobs.map_or(cores / threads, |jobs| jobs as usize).clamp(1, tasks.len().max(1));
        let engines = (0..jobs).map(|_| engine(self.settings.clone())).collect::<Result<_, _>>()?;
        let bar = progress_bar(tasks.len());
        let mut printed = Ok(());
        batch::run(tasks, engines, &self.interrupt, work, &mut || bar.inc(1), &mut |index, analysis| {
            if printed.is_ok() {
                printed = on_result(index, analysis, &bar);
            }
            if printed.is_err() {
                self.interrupt.raise();
            }
        });
        bar.finish_and_clear();
        Ok(printed?)
    }

    fn status(&self, is_bad: bool, is_missed: bool) -> ExitCode {
        if self.interrupt.is_raised() {
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
}

/// The positions of a game, as numbers of the game and of moves before.
fn positions_of((index, entry): (usize, &Entry<FileGame>)) -> impl Iterator<Item = (usize, usize)> {
    (0..=entry.content.game.moves().len()).map(move |ply| (index, ply))
}

fn prefix(game: &Game, plies: usize) -> Game {
    let mut part = Game::new(game.start().clone());
    game.moves()[..plies].iter().for_each(|&mv| part.push(mv));
    part
}

/// Prints above a progress bar.
fn print(bar: &ProgressBar, out: &mut dyn Write, text: &str) -> io::Result<()> {
    bar.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Opens a file without a change to it, so that a bad name is known before the work.
fn open_for_writing(path: &Path) -> Result<File, AnalyzeError> {
    let opened = File::options().create(true).write(true).truncate(false).open(path);
    opened.map_err(|error| AnalyzeError::Write { flag: "--annotate", file: path.display().to_string(), error })
}

/// Lines of text that are drawn anew in their place.
fn live_lines() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stdout());
    bar.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// On standard error, and only if that is a terminal.
fn progress_bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    let template = "{bar:30} {pos}/{len} positions [{elapsed} < {eta}]";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Collects the analyses of games until a game is whole.
struct GamesReviewed<'a> {
    arguments: &'a Arguments,
    layout: Layout,
    games: &'a [Entry<FileGame>],
    /// By game, then by the number of moves before the position.
    analyses: Vec<Vec<Option<Analysis>>>,
    /// By game, if they are wanted.
    annotated: Vec<String>,
    plots: Vec<String>,
    /// The games that are done with.
    told: usize,
}

impl<'a> GamesReviewed<'a> {
    fn new(arguments: &'a Arguments, layout: Layout, games: &'a [Entry<FileGame>]) -> GamesReviewed<'a> {
        let analyses = games.iter().map(|entry| vec![None; entry.content.game.moves().len() + 1]).collect();
        GamesReviewed { arguments, layout, games, analyses, annotated: Vec::new(), plots: Vec::new(), told: 0 }
    }

    /// Takes the next analysis; the report of the game if that was its last.
    fn take(&mut self, game: usize, ply: usize, analysis: Analysis) -> Option<String> {
        self.analyses[game][ply] = Some(analysis);
        let is_whole = game == self.told && self.analyses[game].iter().all(Option::is_some);
        is_whole.then(|| self.tell(game))
    }

    /// The reports of the games that an interrupt left unfinished; of those that were not begun there are none.
    fn rest(&mut self) -> String {
        (self.told..self.games.len()).map(|game| self.tell(game)).collect()
    }

    fn tell(&mut self, index: usize) -> String {
        let Entry { line, content } = &self.games[index];
        let number = index + 1;
        // Of a long file not every analysis is kept.
        let analyses = &std::mem::take(&mut self.analyses[index])[..];
        let reviews = review(&content.game, analyses);
        if self.arguments.annotate.is_some() {
            self.annotated.push(annotated(&content.record, &content.game, &reviews));
        }
        if self.arguments.plot.is_some() {
            self.plots.push(plot::svg(&report::curve(content, number, analyses, &reviews)));
        }
        self.told = number;
        if analyses.iter().all(Option::is_none) {
            String::new()
        } else if self.arguments.json {
            format!("{}\n", json::game(content, number, *line, analyses, &reviews))
        } else {
            let gap = if index > 0 { "\n" } else { "" };
            format!("{gap}{}", report::game(content, number, analyses, &reviews, self.layout))
        }
    }

    fn write_plots(&self) -> Result<(), AnalyzeError> {
        let Some(path) = &self.arguments.plot else { return Ok(()) };
        for (index, picture) in self.plots.iter().enumerate() {
            let path = if self.plots.len() == 1 { path.clone() } else { numbered_path(path, index + 1) };
            fs::write(&path, picture).map_err(|error| AnalyzeError::Write {
                flag: "--plot",
                file: path.display().to_string(),
                error,
            })?;
        }
        Ok(())
    }
}

/// `curve.svg` becomes `curve-3.svg`.
fn numbered_path(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}-{number}{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_of_several_games_are_numbered() {
        assert_eq!(numbered_path(Path::new("a/curve.svg"), 3), Path::new("a/curve-3.svg"));
        assert_eq!(numbered_path(Path::new("curve"), 1), Path::new("curve-1"));
    }

    #[test]
    fn words_that_name_files_are_told_from_positions() {
        assert!(names_file("-") && names_file("no-such.PGN") && names_file("Cargo.toml"));
        assert!(!names_file("startpos") && !names_file("8/8/8/8/8/8/8/8") && !names_file("no-such"));
    }
}
