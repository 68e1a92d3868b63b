use std::io::Write;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;

use super::{Failure, print_json};
use crate::engine::options::Options;
use crate::engine::{BENCH_DEPTH, bench};
use crate::search::{Control, Limits, nodes_per_second};
use crate::uci::reply;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Depth in plies, as --depth
    #[arg(value_name = "DEPTH", conflicts_with = "depth", value_parser = clap::value_parser!(u32).range(1..))]
    first: Option<u32>,

    /// Depth in plies
    #[arg(long, default_value_t = BENCH_DEPTH, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,

    /// Number of search threads; with more than one the number of nodes is another each time
    #[arg(long, default_value_t = Options::default().threads, value_name = "N")]
    threads: u32,

    /// Size of the transposition table in megabytes
    #[arg(long, default_value_t = Options::default().hash, value_name = "MB")]
    hash: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Searches the bench positions; the number of nodes is the fingerprint of the search.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    // The configuration is left aside: a fingerprint must not depend on it.
    let mut options = Options::default();
    super::set_number(&mut options, "Threads", Some(arguments.threads))?;
    super::set_number(&mut options, "Hash", Some(arguments.hash))?;
    let bar = ProgressBar::new(0);
    let depth = arguments.first.unwrap_or(arguments.depth);
    let report = bench(options, depth, &Control::new(&Limits::default()), &mut |number, count, _, _| {
        bar.set_length(count as u64);
        bar.set_position(number as u64);
    })?;
    bar.finish_and_clear();
    if arguments.json {
        let nps = nodes_per_second(report.nodes, report.time) as u64;
        let milliseconds = report.time.as_millis() as u64;
        return print_json(out, &json!({ "nodes": report.nodes, "milliseconds": milliseconds, "nps": nps }));
    }
    Ok(writeln!(out, "{}", reply::bench(&report))?)
}
