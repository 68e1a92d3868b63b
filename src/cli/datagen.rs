//! `datagen`: makes training data by self-play, and tells what such data holds.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use thiserror::Error;

use super::interrupt::{INTERRUPTED, interrupt_on_signal};
use super::progress::{cores, style};
use super::{Failure, print_json};
use crate::datagen::{
    self, DataError, GenerationError, OpeningSettings, Output, OutputError, Reader, Settings, Shard, Statistics,
    contents,
};
use crate::engine::network;
use crate::eval::NetworkError;

/// The hard limit where none is given, as a multiple of the soft one.
const HARD_FACTOR: u64 = 8;

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    generation: Generation,

    /// Print what files hold
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = GENERATION, conflicts_with = "dump")]
    stats: Vec<PathBuf>,

    /// Print the records of a file, a line each: FEN | centipawns for White | White's points
    #[arg(long, value_name = "FILE", conflicts_with_all = GENERATION, conflicts_with = "json")]
    dump: Option<PathBuf>,

    /// Print the statistics as JSON
    #[arg(long, requires = "stats", conflicts_with_all = GENERATION)]
    json: bool,
}

/// The flags that ask for what files hold, not for games.
const READERS: [&str; 3] = ["stats", "dump", "json"];

/// The flags of [`Generation`].
const GENERATION: [&str; 12] = [
    "output", "games", "nodes", "hard_nodes", "seed", "shard", "threads", "hash", "random_plies", "anti_king_share",
    "opening_bound", "network",
];

/// What games to play.
#[derive(Debug, Args)]
struct Generation {
    /// The file that takes the records; one of an earlier run with the same settings is gone on with
    #[arg(short, long, value_name = "FILE", required_unless_present_any = READERS)]
    output: Option<PathBuf>,

    /// Games of the whole run, all shards together
    #[arg(long, value_name = "N", required_unless_present_any = READERS, value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,

    /// Nodes of a search after which it begins no further depth
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Nodes after which a search is broken off [default: 8 times --nodes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    hard_nodes: Option<u64>,

    /// Seed of everything that chance decides [default: that of the file; for a new file drawn, and printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Play only a part of the games, so that several machines can share a run; each with a file of its own
    #[arg(long, value_name = "NUMBER/COUNT", default_value = "1/1")]
    shard: Shard,

    /// Evaluate with the network in this file instead of the one that is built in
    #[arg(long, value_name = "FILE")]
    network: Option<String>,

    /// Games to play at a time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Size of the transposition table of each thread in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,

    /// Random plies at the beginning of a game; in half of the games there is one more
    #[arg(long, value_name = "N", default_value_t = 8)]
    random_plies: u16,

    /// How often a random move is the Anti-King's, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 20, value_parser = clap::value_parser!(u8).range(..=100))]
    anti_king_share: u8,

    /// Throw away openings whose score is farther from zero, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 300)]
    opening_bound: u16,
}

const EXAMPLES: &str = "\
The same command goes on with a file that a Ctrl-C or a kill has left unfinished;
its records are the same as without the interruption, and with any number of
threads. Games are never adjudicated. The format of the files is told in the
documentation of the module datagen.

Examples:
  antiking datagen --output .runs/first.akg --games 100000 --nodes 5000 --seed 1
  antiking datagen --output .runs/second-half.akg --games 100000 --seed 1 --shard 2/2
  antiking datagen --stats .runs/*.akg
  antiking datagen --dump .runs/first.akg";

/// Why there is no data.
#[derive(Debug, Error)]
pub enum DatagenError {
    #[error(transparent)]
    Generation(#[from] GenerationError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("--network: {0}")]
    Network(#[from] NetworkError),
    #[error("--hard-nodes {hard} is less than --nodes {soft}")]
    HardNodes { soft: u64, hard: u64 },
    #[error("--output: cannot make the folder of {}: {error}", file.display())]
    Folder { file: PathBuf, error: io::Error },
}

impl From<OutputError> for DatagenError {
    fn from(error: OutputError) -> DatagenError {
        GenerationError::from(error).into()
    }
}

/// Makes training data, or reads it.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    if let Some(path) = &arguments.dump {
        dump(path, out)?;
    } else if let (Some(path), Some(games)) = (&arguments.generation.output, arguments.generation.games) {
        return arguments.generation.run(path, games, out);
    } else {
        print_statistics(&arguments.stats, arguments.json, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Generation {
    fn run(&self, path: &Path, games: u32, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        let hard_nodes = self.hard_nodes.unwrap_or(self.nodes.saturating_mul(HARD_FACTOR));
        if hard_nodes < self.nodes {
            return Err(DatagenError::HardNodes { soft: self.nodes, hard: hard_nodes }.into());
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| DatagenError::Folder { file: path.into(), error })?;
        }
        let network = network(self.network.as_deref().unwrap_or_default()).map_err(DatagenError::from)?;
        let checksum = network.checksum();
        let mut output = Output::open(path, self.seed, |seed| self.settings(seed, hard_nodes, checksum))
            .map_err(DatagenError::from)?;
        let games = self.shard.games(games);
        let threads = self.threads.map_or_else(cores, |threads| threads as usize);
        let interrupt = interrupt_on_signal()?;
        let bar = progress_bar(games, output.games());
        let shown = bar.clone();
        let _registration = interrupt.on_raise(move || {
            let text = "warning: interrupted; the games at hand are finished, Ctrl-C again ends at once";
            // Nobody is left to be told of a closed stderr.
            let _ = shown.suspend(|| writeln!(io::stderr(), "{text}"));
        });
        let (start, earlier) = (Instant::now(), (output.games(), output.positions()));
        let speed = |positions: u64| (positions - earlier.1) as f64 / start.elapsed().as_secs_f64().max(1e-3);
        let made = datagen::generate(&mut output, games, threads, &network, &interrupt, &mut |output| {
            bar.set_position(output.games());
            bar.set_message(format!("{} positions, {:.0}/s", output.positions(), speed(output.positions())));
        });
        bar.finish_and_clear();
        made.map_err(DatagenError::from)?;
        let Settings { seed, shard, .. } = output.settings();
        if earlier.0 > 0 {
            writeln!(out, "Resumed with {}", contents(earlier.0, earlier.1))?;
        }
        let (games_there, positions) = (output.games(), output.positions());
        writeln!(out, "{}: {}, seed {seed}, shard {shard}", path.display(), contents(games_there, positions))?;
        if games_there > earlier.0 {
            writeln!(out, "{:.1} s, {:.0} positions per second", start.elapsed().as_secs_f64(), speed(positions))?;
        }
        let is_complete = games_there >= games;
        Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
    }

    fn settings(&self, seed: u64, hard_nodes: u64, network: u32) -> Settings {
        Settings {
            engine: Settings::this_engine(),
            seed,
            shard: self.shard,
            soft_nodes: self.nodes,
            hard_nodes,
            hash: self.hash,
            openings: OpeningSettings {
                random_plies: self.random_plies,
                anti_king_share: self.anti_king_share,
                bound: self.opening_bound,
            },
            network,
        }
    }
}

fn dump(path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let mut out = BufWriter::new(out);
    for record in Reader::open(path).map_err(DatagenError::from)? {
        match record {
            Ok(record) => writeln!(out, "{}", datagen::text_line(&record))?,
            Err(error) => {
                // What is good before the fault has been asked for.
                out.flush()?;
                return Err(DatagenError::from(error).into());
            }
        }
    }
    Ok(out.flush()?)
}

fn print_statistics(paths: &[PathBuf], json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let mut statistics = Statistics::default();
    for path in paths {
        for record in Reader::open(path).map_err(DatagenError::from)? {
            statistics.add(&record.map_err(DatagenError::from)?);
        }
    }
    if json {
        return print_json(out, &datagen::json(&statistics, paths.len()));
    }
    Ok(write!(out, "{}", datagen::text(&statistics, paths.len()))?)
}

/// On standard error, and only if that is a terminal.
fn progress_bar(games: u64, earlier: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    bar.set_style(style("{bar:20} {pos}/{len} games [{elapsed} < {eta}]  {wide_msg}"));
    bar.set_position(earlier);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}
