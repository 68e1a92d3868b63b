//! The command line: one file a subcommand, each of which parses its arguments, calls the library and prints.

mod analyze;
mod bench;
mod datagen;
mod diagram;
mod display;
mod eval;
mod explain;
mod interrupt;
mod match_command;
mod mate;
mod options;
mod perft;
mod position;
mod progress;
mod review_files;
mod show;
mod train;
mod uci;
mod xboard;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use thiserror::Error;

use crate::config::{self, ConfigError, Settings};
use crate::engine::options::{OptionError, Options};
use crate::engine::{Engine, EngineError};

/// The exit status of a command that was asked for something impossible.
const BAD_INPUT: u8 = 2;

/// A UCI and XBoard engine for Anti-King Chess II. Without a command it speaks the protocol of a GUI on its standard input
/// and output: XBoard's if the first line is xboard, else UCI.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    configuration: Configuration,
}

/// Where the options come from, for the commands that have an engine to set them. The others neither take these flags nor
/// read a file.
#[derive(Debug, Default, Args)]
struct Configuration {
    /// Read the options from this file instead of engine.toml beside the executable
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Set an engine option, by its UCI name; may be given more than once
    #[arg(short, long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl Configuration {
    fn is_given(&self) -> bool {
        self.config.is_some() || !self.options.is_empty()
    }

    /// These flags from before a command, and those behind it, which win.
    fn followed_by(mut self, later: Configuration) -> Configuration {
        self.options.extend(later.options);
        Configuration { config: later.config.or(self.config), options: self.options }
    }

    fn load(&self) -> Result<Settings, Failure> {
        let mut settings = config::load(self.config.as_deref())?;
        for text in &self.options {
            set_option(&mut settings.options, text)?;
        }
        Ok(settings)
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Speak UCI on standard input and output (the default)
    Uci(Configuration),
    /// Speak the protocol of XBoard and WinBoard on standard input and output
    Xboard(Configuration),
    /// Analyse a position, a file of positions, a test suite or games
    Analyze(Box<analyze::Arguments>),
    /// Search a fixed list of positions and print the number of nodes
    Bench(bench::Arguments),
    /// Play engines against each other
    Match(Box<match_command::Arguments>),
    /// Prove the shortest mate in at most a number of moves, or that there is none
    Mate(mate::Arguments),
    /// Make training data by self-play, or tell what it holds
    Datagen(Box<datagen::Arguments>),
    /// Train a network from such data
    Train(Box<train::Arguments>),
    /// Count the move sequences of a given length
    Perft(perft::Arguments),
    /// Print the evaluation of a position, and what each man is worth where it stands
    Eval(eval::Arguments),
    /// Print a position
    D(position::ReportArguments),
    /// Draw a position, as text or as an SVG diagram
    Show(show::Arguments),
    /// Explain the checks and the illegal moves of a position in plain English
    Explain(position::ReportArguments),
    /// Print an engine.toml with every option at its default
    Options,
}

/// Why a command failed.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("--option {0:?} is not NAME=VALUE")]
    OptionSyntax(String),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("option {name}: {value} is out of range")]
    OptionRange { name: &'static str, value: String },
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Position(#[from] position::PositionError),
    #[error(transparent)]
    Analyze(#[from] analyze::AnalyzeError),
    #[error(transparent)]
    Datagen(#[from] datagen::DatagenError),
    #[error(transparent)]
    Train(#[from] train::TrainError),
    #[error(transparent)]
    Session(io::Error),
    #[error("--svg: cannot write {file:?}: {error}")]
    Svg { file: std::ffi::OsString, error: io::Error },
    #[error("the last argument must be the number of moves, 1 to {}", crate::mate::MAX_MOVES)]
    MateMoves,
    #[error(transparent)]
    MateTable(#[from] crate::mate::TableError),
    #[error("cannot catch Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
    #[error(
        "--config and --option are for uci, xboard and analyze only; match takes args= and option.NAME= of an engine"
    )]
    UnusedOptions,
    #[error("{0}")]
    Output(#[from] io::Error),
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    match execute(Arguments::parse()) {
        Ok(status) => status,
        // The reader of the output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr(), "error: {failure}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn execute(arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { command, configuration } = arguments;
    let out = &mut io::stdout();
    match command.unwrap_or(Command::Uci(Configuration::default())) {
        Command::Uci(own) => uci::run(configuration.followed_by(own).load()?)?,
        Command::Xboard(own) => xboard::run(configuration.followed_by(own).load()?)?,
        Command::Analyze(mut arguments) => {
            let own = std::mem::take(&mut arguments.configuration);
            return analyze::run(&arguments, configuration.followed_by(own).load()?, out);
        }
        _ if configuration.is_given() => return Err(Failure::UnusedOptions),
        Command::Bench(arguments) => bench::run(&arguments, out)?,
        Command::Match(arguments) => return Ok(match_command::run(&arguments)),
        Command::Mate(arguments) => return mate::run(&arguments, out),
        Command::Datagen(arguments) => return datagen::run(&arguments, out),
        Command::Train(arguments) => return train::run(&arguments, out),
        Command::Perft(arguments) => perft::run(&arguments, out)?,
        Command::Eval(arguments) => eval::run(&arguments, out)?,
        Command::D(arguments) => display::run(&arguments, out)?,
        Command::Show(arguments) => show::run(&arguments, out)?,
        Command::Explain(arguments) => explain::run(&arguments, out)?,
        Command::Options => options::run(out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Sets an option from `NAME=VALUE`. Unlike `setoption` nothing is clamped: who types a number sees that it is wrong.
fn set_option(options: &mut Options, text: &str) -> Result<(), Failure> {
    let (name, value) = text.split_once('=').ok_or_else(|| Failure::OptionSyntax(text.to_owned()))?;
    let applied = options.set(name.trim(), Some(value.trim()))?;
    match applied.clamped_from {
        Some(value) => Err(Failure::OptionRange { name: applied.name, value }),
        None => Ok(()),
    }
}

/// Sets a numeric option from a flag of its own, if that was given.
fn set_number(options: &mut Options, name: &str, value: Option<u32>) -> Result<(), Failure> {
    value.map_or(Ok(()), |value| set_option(options, &format!("{name}={value}")))
}

fn engine(settings: Settings) -> Result<Engine, Failure> {
    Ok(Engine::with_parameters(settings.options, settings.parameters)?)
}

/// Prints a value as indented JSON.
fn print_json(out: &mut dyn Write, value: &serde_json::Value) -> Result<(), Failure> {
    Ok(writeln!(out, "{value:#}")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_are_set_by_name_and_not_clamped() {
        let mut options = Options::default();
        set_option(&mut options, "move overhead = 50").unwrap();
        assert_eq!(options.move_overhead, 50);
        for bad in ["Hash", "Hash=0", "Hash=x", "Hsah=1", "=1"] {
            assert!(set_option(&mut options, bad).is_err(), "{bad}");
        }
    }
}
