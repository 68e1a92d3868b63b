//! `train`: makes a network from training data.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use thiserror::Error;

use super::Failure;
use super::interrupt::{INTERRUPTED, interrupt_on_signal};
use super::progress::{cores, style};
use crate::datagen::DataError;
use crate::engine::Interrupt;
use crate::files::{place, replace, with_ending};
use crate::train::{CheckpointError, Data, EpochReport, Session, Settings, quantisation_error};

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// Files that datagen has made
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,

    /// The file that takes the network
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,

    /// Positions for each step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,

    /// Size of the first step; the last is a hundredth of it
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = fraction)]
    rate: f32,

    /// What a step takes away of each weight, as a multiple of its size
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0, value_parser = factor)]
    weight_decay: f32,

    /// How much of what is learned is the result of the game, 0 to 1; the rest is the score
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = fraction)]
    result_share: f32,

    /// Seed of the first weights and of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads; the network does not depend on their number [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

const EXAMPLES: &str = "\
One game in twenty is held out: the loss on its positions tells how good the
network is on games that it has not seen. After each epoch the state goes to
OUTPUT.checkpoint, from which the same command goes on after a Ctrl-C or a kill;
the network is the same as without the interruption. The network's shape and the
format of its file are told in the documentation of the module eval::network.

Examples:
  antiking train --data .runs/first.akg --output .runs/first.nnue
  antiking train --data .runs/first.akg .runs/second.akg --output .runs/second.nnue --epochs 8
  antiking --option EvalFile=.runs/first.nnue";

/// Why there is no network.
#[derive(Debug, Error)]
pub enum TrainError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("--data: of {records} records {training} are to learn from and {validation} to validate with: too few")]
    TooFew { records: u64, training: usize, validation: usize },
    #[error("--output: {} holds data", .0.display())]
    SameFile(PathBuf),
    #[error("--output: cannot write {}: {error}", file.display())]
    Output { file: PathBuf, error: io::Error },
}

fn fraction(text: &str) -> Result<f32, &'static str> {
    factor(text).ok().filter(|number| *number <= 1.0).ok_or("it is no number from 0 to 1")
}

fn factor(text: &str) -> Result<f32, &'static str> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or("it is no number from 0 up")
}

/// Trains a network.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let settings = Settings {
        seed: arguments.seed,
        epochs: arguments.epochs,
        batch: arguments.batch as usize,
        rate: arguments.rate,
        weight_decay: arguments.weight_decay,
        result_share: arguments.result_share,
    };
    let interrupt = interrupt_on_signal()?;
    check_output(&arguments.output)?;
    if arguments.data.iter().any(|file| place(file) == place(&arguments.output)) {
        return Err(TrainError::SameFile(arguments.output.clone()).into());
    }
    let data = load(&arguments.data, settings.result_share)?;
    let (records, training, validation) = (data.records, data.training.len(), data.validation.len());
    let contents = format!("{records} records, {training} positions to learn from, {validation} held out");
    writeln!(out, "{contents}")?;
    if training == 0 || validation == 0 {
        return Err(TrainError::TooFew { records, training, validation }.into());
    }
    let identity = format!("{settings}, {contents}");
    let checkpoint = with_ending(&arguments.output, "checkpoint");
    let mut session = Session::new(settings);
    if session.resume(&checkpoint, &identity).map_err(TrainError::from)? {
        writeln!(out, "Resumed after epoch {}", session.epochs)?;
    }
    let threads = arguments.threads.map_or_else(cores, |threads| threads as usize);
    while !session.is_done() {
        let start = Instant::now();
        let Some(report) = epoch(&mut session, &data, threads, &interrupt) else {
            return Ok(ExitCode::from(INTERRUPTED));
        };
        session.save(&checkpoint, &identity).map_err(TrainError::from)?;
        let EpochReport { epoch, training_loss, validation_loss } = report;
        let speed = training as f64 / start.elapsed().as_secs_f64();
        writeln!(
            out,
            "Epoch {epoch}: loss {training_loss:.6}, on games held out {validation_loss:.6}, {speed:.0} positions a second"
        )?;
        out.flush()?;
    }
    let network = session.model().quantised();
    let error = quantisation_error(session.model(), &network, &data.validation);
    replace(&arguments.output, &network.encode())
        .map_err(|error| TrainError::Output { file: arguments.output.clone(), error })?;
    // It has done its work; left behind it would be in the way of the next training to this file.
    let _ = fs::remove_file(checkpoint);
    writeln!(
        out,
        "{}: network {:08x}; whole numbers instead of floating point change the output by {:.2} centipawns in the mean and {:.2} at \
         most; largest hidden unit {} of 32767",
        arguments.output.display(),
        network.checksum(),
        error.mean,
        error.max,
        error.largest_unit
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Sees that the output can be written before hours go into it, and makes its folder.
fn check_output(path: &Path) -> Result<(), TrainError> {
    let checked = match path.parent() {
        _ if path.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Some(folder) => fs::create_dir_all(folder),
        None => Ok(()),
    };
    let partial = with_ending(path, "part");
    let written = checked.and_then(|()| fs::write(&partial, "")).and_then(|()| fs::remove_file(&partial));
    written.map_err(|error| TrainError::Output { file: path.into(), error })
}

fn load(files: &[PathBuf], result_share: f32) -> Result<Data, TrainError> {
    let bar = ProgressBar::new_spinner();
    bar.set_style(style("{spinner} reading, {pos} records [{elapsed}]"));
    bar.enable_steady_tick(Duration::from_millis(100));
    let data = Data::load(files, result_share, &mut |records| bar.set_position(records));
    bar.finish_and_clear();
    Ok(data?)
}

fn epoch(session: &mut Session, data: &Data, threads: usize, interrupt: &Interrupt) -> Option<EpochReport> {
    let bar = ProgressBar::new(data.training.len() as u64);
    bar.set_style(style("{msg} {bar:20} {pos}/{len} positions [{elapsed} < {eta}]"));
    bar.set_message(format!("epoch {}/{}", session.epochs + 1, session.settings.epochs));
    bar.enable_steady_tick(Duration::from_secs(1));
    let report = session.epoch(&data.training, &data.validation, threads, interrupt, &mut |seen| {
        bar.set_position(seen as u64);
    });
    bar.finish_and_clear();
    report
}
