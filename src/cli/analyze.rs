use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::position::PositionArguments;
use super::{Configuration, Failure, engine, print_json};
use crate::config::Settings;
use crate::rules::{Game, to_san};
use crate::search::{Bound, Control, Limits, SearchEvent, SearchInfo, SearchResult};
use crate::types::{Move, Score};

/// How long a search without a limit takes.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,

    /// Stop after this many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Stop after this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Stop after this time [default: 5000, if there is no other limit]
    #[arg(long, value_name = "MILLISECONDS")]
    time: Option<u64>,

    /// Number of lines
    #[arg(long, value_name = "N")]
    multipv: Option<u32>,

    /// Number of search threads
    #[arg(long, value_name = "N")]
    threads: Option<u32>,

    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB")]
    hash: Option<u32>,

    /// Print the result as JSON, and nothing before it
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    pub(super) configuration: Configuration,
}

/// Searches a position, printing each line as it is found.
pub fn run(arguments: &Arguments, mut settings: Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let game = arguments.position.game()?;
    super::set_number(&mut settings.options, "MultiPV", arguments.multipv)?;
    super::set_number(&mut settings.options, "Threads", arguments.threads)?;
    super::set_number(&mut settings.options, "Hash", arguments.hash)?;
    let limits = limits(arguments);
    let control = Control::new(&limits);
    let mut printed: io::Result<()> = Ok(());
    let mut print = |event: &SearchEvent| {
        if let SearchEvent::Info(info) = event
            && !arguments.json
            && printed.is_ok()
        {
            printed = writeln!(out, "{}", line(&game, info)).and_then(|()| out.flush());
            if printed.is_err() {
                control.stop();
            }
        }
    };
    let result = engine(settings)?.think(&game, &limits, &control, &mut print);
    printed?;
    if arguments.json {
        return print_json(out, &as_json(&game, &result));
    }
    let best = result.best.map_or("none".to_owned(), |best| to_san(game.position(), best));
    Ok(writeln!(out, "best move: {best}")?)
}

fn limits(arguments: &Arguments) -> Limits {
    let unlimited = arguments.depth.is_none() && arguments.nodes.is_none() && arguments.time.is_none();
    Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        move_time: arguments.time.map(Duration::from_millis).or(unlimited.then_some(DEFAULT_TIME)),
        ..Limits::default()
    }
}

/// `12/18  +0.34  1234567 nodes  0.52 s  e4 e5 Nf3`: depth, score for the side to move, effort and line.
fn line(game: &Game, info: &SearchInfo) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " or more",
        Bound::Upper => " or less",
    };
    format!(
        "{:>3}/{:<3} {:>8}{bound} {:>12} nodes {:>8.2} s  {}",
        info.depth,
        info.selective_depth,
        score(info.score),
        info.nodes,
        info.time.as_secs_f64(),
        san(game, &info.pv).join(" ")
    )
}

fn score(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("{:+.2}", f64::from(score.0) / 100.0),
    }
}

fn score_json(score: Score) -> Value {
    match score.mate_moves() {
        Some(moves) => json!({ "mate": moves }),
        None => json!({ "centipawns": score.0 }),
    }
}

fn san(game: &Game, line: &[Move]) -> Vec<String> {
    let mut position = game.position().clone();
    line.iter()
        .map(|&mv| {
            let text = to_san(&position, mv);
            position = position.played(mv);
            text
        })
        .collect()
}

fn as_json(game: &Game, result: &SearchResult) -> Value {
    let lines: Vec<Value> = result
        .lines
        .iter()
        .map(|info| {
            json!({
                "score": score_json(info.score),
                "depth": info.depth,
                "selective_depth": info.selective_depth,
                "moves": info.pv.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "san": san(game, &info.pv),
            })
        })
        .collect();
    json!({
        "fen": game.position().fen(),
        "best": result.best.map(|mv| mv.to_string()),
        "ponder": result.ponder.map(|mv| mv.to_string()),
        "score": score_json(result.score),
        "depth": result.depth,
        "nodes": result.nodes,
        "milliseconds": result.time.as_millis() as u64,
        "lines": lines,
    })
}
