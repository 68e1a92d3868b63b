use std::collections::VecDeque;
use std::env;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read, Write};
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
use crate::analysis::input::{BadEntry, Entry, FileGame, Format, GameReader, ReadGame, read_positions};
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
keeps tags, comments, glyphs and variations, and replaces what an earlier review has left. Each game is written \
as soon as it is reviewed, to FILE.part, which becomes FILE at the end.

PGN: Bytes that are not UTF-8 are read as Windows-1252; lines that begin with % are left out. A tag Variant must name \
this game, whatever its case, blanks and hyphens: anti-king-2, Anti-King II, Anti-King Chess 2, Anti-King Chess II; \
without one, a game is taken for it. A game is kept up to a move that cannot be read, and what is behind that as a \
comment. A game is refused if it is another one, has a bad FEN, no move that can be read, more than 16 MB or 50,000 \
moves; --annotate leaves it out.

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
    Positions { name: String, text: String },
    Games(Box<GameFile>),
}

/// Searches a position, a file of positions or the positions of games, and prints what is found.
pub fn run(arguments: &Arguments, mut settings: Settings, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    super::set_number(&mut settings.options, "MultiPV", arguments.multipv)?;
    super::set_number(&mut settings.options, "Threads", arguments.threads)?;
    super::set_number(&mut settings.options, "Hash", arguments.hash)?;
    let input = arguments.input()?;
    arguments.check_flags(&input)?;
    let input = input.begun()?;
    let interrupt = interrupt_on_signal().map_err(AnalyzeError::from)?;
    let session = Session { arguments, settings, interrupt, layout: arguments.layout() };
    match input {
        Input::Position(game) => session.single(&game, out),
        Input::Positions { name, text } => session.positions(&name, &text, out),
        Input::Games(file) => session.games(*file, out),
    }
}

impl Input {
    /// Reads as much of games as is read before the first of them is analysed.
    fn begun(mut self) -> Result<Input, AnalyzeError> {
        if let Input::Games(file) = &mut self {
            file.read_ahead()?;
        }
        Ok(self)
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
        let failed = |error| AnalyzeError::Read { file: name.clone(), error };
        let path = (!is_stdin).then_some(path);
        let mut reader = opened(path.as_deref()).map_err(failed)?;
        let mut head = Vec::new();
        let format = match self.format {
            Some(FormatName::Epd) => Format::Positions,
            Some(FormatName::Pgn) => Format::Games,
            None => {
                head = first_words(&mut reader).map_err(failed)?;
                Format::of(path.as_deref(), &String::from_utf8_lossy(&head))
            }
        };
        let mut reader = Cursor::new(head).chain(reader);
        if format == Format::Games {
            return Ok(Input::Games(Box::new(GameFile::new(name, path, Box::new(reader)))));
        }
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(failed)?;
        Ok(Input::Positions { name, text: String::from_utf8_lossy(&bytes).into_owned() })
    }

    fn check_flags(&self, input: &Input) -> Result<(), AnalyzeError> {
        let (is_file, are_games) = match input {
            Input::Position(_) => (false, false),
            Input::Positions { .. } => (true, false),
            Input::Games(_) => (true, true),
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

/// A file, or else the standard input.
fn opened(path: Option<&Path>) -> io::Result<Box<dyn BufRead + Send>> {
    Ok(match path {
        Some(path) => Box::new(BufReader::with_capacity(READ_SIZE, File::open(path)?)),
        None => Box::new(BufReader::with_capacity(READ_SIZE, io::stdin())),
    })
}

/// Bytes that are read of a file at a time.
const READ_SIZE: usize = 256 << 10;
/// The format of a file is told from no more of its lines.
const MAX_HEAD: u64 = 1 << 20;

/// The lines of a file up to the first one that tells what the file holds.
fn first_words(reader: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut reader = reader.take(MAX_HEAD);
    loop {
        let begin = head.len();
        if reader.read_until(b'\n', &mut head)? == 0 {
            return Ok(head);
        }
        let line = head[begin..].trim_ascii_start();
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii_start();
        if !line.is_empty() && !line.starts_with(b"#") {
            return Ok(head);
        }
    }
}

/// So many positions of games are looked for before any of them is analysed, so that what is wrong with a file of usual
/// size is told at once.
const POSITIONS_AHEAD: usize = 10_000;
/// No more bytes of the file are read for it, but for the last game.
const BYTES_AHEAD: u64 = 8 << 20;

/// A file of games, which is read game by game. What is wrong with a game is told when it is read.
struct GameFile {
    name: String,
    /// `None` of the standard input.
    path: Option<PathBuf>,
    reader: GameReader<Box<dyn BufRead + Send>>,
    /// Games that were read ahead.
    ahead: VecDeque<Entry<FileGame>>,
    /// True when all games were read.
    is_over: bool,
    is_bad: bool,
    failure: Option<io::Error>,
}

impl GameFile {
    fn new(name: String, path: Option<PathBuf>, reader: Box<dyn BufRead + Send>) -> GameFile {
        let reader = GameReader::new(reader);
        GameFile { name, path, reader, ahead: VecDeque::new(), is_over: false, is_bad: false, failure: None }
    }

    fn read_ahead(&mut self) -> Result<(), AnalyzeError> {
        let mut positions = 0;
        while positions < POSITIONS_AHEAD
            && self.reader.bytes_read() < BYTES_AHEAD
            && let Some(game) = self.read(&|tell| tell())
        {
            positions += game.content.game.moves().len() + 1;
            self.ahead.push_back(game);
        }
        self.end()?;
        if self.is_over && self.ahead.is_empty() && !self.is_bad {
            return Err(AnalyzeError::Empty { file: self.name.clone(), what: "games" });
        }
        Ok(())
    }

    fn positions_ahead(&self) -> usize {
        self.ahead.iter().map(|entry| entry.content.game.moves().len() + 1).sum()
    }

    /// The next game, those read ahead first; what is wrong with games is told in a call of `tell`.
    fn next(&mut self, tell: &dyn Fn(&dyn Fn())) -> Option<Entry<FileGame>> {
        self.ahead.pop_front().or_else(|| self.read(tell))
    }

    fn read(&mut self, tell: &dyn Fn(&dyn Fn())) -> Option<Entry<FileGame>> {
        while !self.is_over {
            match self.reader.next() {
                Some(Ok(ReadGame { game, warnings, error })) => {
                    self.is_bad |= error.is_some();
                    if error.is_some() || !warnings.is_empty() {
                        tell(&|| {
                            warn(&self.name, &warnings);
                            complain(&self.name, error.as_slice());
                        });
                    }
                    if game.is_some() {
                        return game;
                    }
                }
                Some(Err(error)) => {
                    self.failure = Some(error);
                    self.is_over = true;
                }
                None => self.is_over = true,
            }
        }
        None
    }

    /// The failure that has ended the reading.
    fn end(&mut self) -> Result<(), AnalyzeError> {
        match self.failure.take() {
            Some(error) => Err(AnalyzeError::Read { file: self.name.clone(), error }),
            None => Ok(()),
        }
    }
}

/// What the locale says: the first variable that is set counts.
fn locale_is_unicode() -> bool {
    let value = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(env::var_os).find(|value| !value.is_empty());
    let value = value.map(|value| value.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    value.contains("utf-8") || value.contains("utf8")
}

fn warn(name: &str, warnings: &[BadEntry]) {
    for warning in warnings {
        let _ = writeln!(io::stderr(), "warning: {name}:{}: {}", warning.line, warning.reason);
    }
}

fn warn_of_repairs(name: &str, line: usize, repairs: &[Repair]) {
    let told = |repair: &Repair| BadEntry { line, reason: repair.to_string() };
    warn(name, &repairs.iter().map(told).collect::<Vec<_>>());
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
        entries.iter().for_each(|entry| warn_of_repairs(name, entry.line, &entry.content.repairs));
        let common = self.arguments.limits(DEFAULT_TIME_OF_MANY);
        let work = |engine: &mut Engine, entry: &&Entry<Epd>, control: &Control| {
            let Epd { game, goals, .. } = &entry.content;
            let limits = Limits { mate: goals.mate_in.or(common.mate), ..common.clone() };
            analyse(engine, game, goals, &limits, control, &mut |_| {})
        };
        let mut tally = Tally::default();
        let mut printer = Printer::new(out);
        let bar = progress_bar(Some(entries.len()));
        let is_interrupted =
            self.run_all(entries.iter(), Some(entries.len()), &bar, work, &mut |entry, analysis| {
                let Entry { line, content } = entry;
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

    fn games(&self, mut file: GameFile, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        let (annotate, plot) = (self.arguments.annotate.as_deref(), self.arguments.plot.as_deref());
        let mut files = ReviewFiles::open(annotate, plot, file.path.as_deref(), file.ahead.iter(), !file.is_over)
            .map_err(AnalyzeError::from)?;
        let total = file.is_over.then(|| file.positions_ahead());
        let bar = progress_bar(total);
        let in_review = GamesInReview::default();
        let limits = self.arguments.limits(DEFAULT_TIME_OF_MANY);
        let work = |engine: &mut Engine, position: &GamePosition, control: &Control| {
            analyse(engine, &position.game(), &Goals::default(), &limits, control, &mut |_| {})
        };
        let mut printer = Printer::new(out);
        let mut written = Ok(());
        let games = std::iter::from_fn(|| file.next(&|tell| bar.suspend(tell)));
        let positions = in_review.positions(games);
        let is_interrupted = self.run_all(positions, total, &bar, work, &mut |position, analysis| {
            if let Some(game) = in_review.take(&position, analysis) {
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
        while files.keep_all_games()
            && let Some(game) = file.next(&|tell| tell())
        {
            files.write(&ReviewedGame::unbegun(game)).map_err(AnalyzeError::from)?;
        }
        file.end()?;
        files.finish().map_err(AnalyzeError::from)?;
        printer.end(status(is_interrupted, file.is_bad, false))
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
    /// short by an interrupt. `total` is the number of tasks, if it is known.
    fn run_all<T: Send>(
        &self,
        tasks: impl Iterator<Item = T> + Send,
        total: Option<usize>,
        bar: &ProgressBar,
        work: impl Fn(&mut Engine, &T, &Control) -> Analysis + Sync,
        on_result: &mut dyn FnMut(T, Analysis) -> ControlFlow<()>,
    ) -> Result<bool, Failure> {
        let threads = self.settings.options.threads as usize;
        let jobs = self.arguments.jobs.map_or(cores() / threads, |jobs| jobs as usize);
        let jobs = jobs.clamp(1, total.unwrap_or(usize::MAX).max(1));
        let engines = (0..jobs).map(|_| engine(self.settings.clone())).collect::<Result<_, _>>()?;
        let mut is_interrupted = None;
        let end = batch::run(tasks, engines, &self.interrupt, work, &mut || bar.inc(1), &mut |task, analysis| {
            if is_interrupted.is_none() && on_result(task, analysis).is_break() {
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
fn progress_bar(length: Option<usize>) -> ProgressBar {
    let Some(length) = length else {
        let bar = ProgressBar::new_spinner();
        bar.set_style(style("{spinner} {pos} positions [{elapsed}]"));
        return bar;
    };
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
