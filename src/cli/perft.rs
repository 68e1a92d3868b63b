use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::position::{self, PositionError};
use super::{Failure, print_json};
use crate::rules::{Position, perft};
use crate::search::nodes_per_second;
use crate::types::Move;

#[derive(Debug, Args)]
pub struct Arguments {
    /// A FEN (quoted or not) or startpos, and last the depth in plies
    #[arg(value_name = "POSITION... DEPTH", required = true)]
    position: Vec<String>,

    /// Print the count of each move at the root
    #[arg(long)]
    divide: bool,

    /// Number of threads
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Counts the legal move sequences of a given length.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let (depth, words) = arguments.position.split_last().ok_or(PositionError::Depth)?;
    let depth: u32 = depth.parse().map_err(|_| PositionError::Depth)?;
    let game = position::parse(words)?;
    let start = Instant::now();
    let parts = divide(game.position(), depth, usize::from(arguments.threads));
    let time = start.elapsed();
    let total = if depth == 0 { 1 } else { parts.iter().map(|(_, count)| count).sum() };
    let nps = nodes_per_second(total, time);
    if arguments.json {
        let parts: serde_json::Map<_, _> = parts.iter().map(|(mv, count)| (mv.to_string(), json!(count))).collect();
        return print_json(
            out,
            &json!({
                "fen": game.position().fen(),
                "depth": depth,
                "nodes": total,
                "milliseconds": time.as_millis() as u64,
                "nps": nps as u64,
                "moves": parts,
            }),
        );
    }
    if arguments.divide {
        for (mv, count) in &parts {
            writeln!(out, "{mv}: {count}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Nodes searched: {total}")?;
    Ok(writeln!(out, "{:.3} s, {nps} nodes per second", time.as_secs_f64())?)
}

/// The count of each root move; the threads share out the pairs of a root move and a reply to it.
fn divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let roots: Vec<(Move, Position)> = position.legal_moves().iter().map(|&mv| (mv, position.played(mv))).collect();
    if depth == 1 {
        return roots.iter().map(|&(mv, _)| (mv, 1)).collect();
    }
    let work: Vec<(usize, Position)> = roots
        .iter()
        .enumerate()
        .flat_map(|(root, (_, position))| position.legal_moves().into_iter().map(move |mv| (root, position.played(mv))))
        .collect();
    let next = AtomicUsize::new(0);
    let count_some = || {
        let mut counts = vec![0; roots.len()];
        while let Some((root, position)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts[*root] += perft(position, depth - 2);
        }
        counts
    };
    let shares: Vec<Vec<u64>> = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(count_some)).collect();
        let own = count_some();
        // A helper that panicked has printed why.
        helpers.into_iter().filter_map(|helper| helper.join().ok()).chain([own]).collect()
    });
    let sum = |root: usize| shares.iter().map(|counts| counts[root]).sum();
    roots.iter().enumerate().map(|(root, &(mv, _))| (mv, sum(root))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::rules::perft_stoppable;

    #[test]
    fn threads_change_nothing_but_the_time() {
        let start = Position::start();
        for depth in 0..=4 {
            let mut expected = Vec::new();
            perft_stoppable(&start, depth, &AtomicBool::new(false), &mut |mv, count| expected.push((mv, count)));
            assert_eq!(divide(&start, depth, 1), expected);
            assert_eq!(divide(&start, depth, 3), expected);
        }
    }
}
