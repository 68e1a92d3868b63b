use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanCount, ProgressBar};
use serde_json::{Value, json};

use super::interrupt::{INTERRUPTED, interrupt_on_signal};
use super::progress::style;
use super::{Failure, position, print_json};
use crate::mate::{FirstMove, MAX_MOVES, Mate, Progress, Prover, Stopped};
use crate::rules::{Game, MateKind, san_line, to_san};
use crate::text::{joined, numbered};

/// There is no mate within the moves asked for.
const NO_MATE: u8 = 1;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 a mate was proved, 1 there is none in so many moves, 2 bad input, 130 interrupted."
)]
pub struct Arguments {
    /// A FEN (quoted or not) or startpos, and last the most moves of the side to move, 1 to 100
    #[arg(value_name = "POSITION... MOVES", required = true)]
    position: Vec<String>,

    /// Size of the table of proved positions in megabytes
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Proves the shortest mate in at most so many moves, or that there is none.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let (most, words) = arguments.position.split_last().ok_or(Failure::MateMoves)?;
    let most = most.parse().ok().filter(|most| (1..=MAX_MOVES).contains(most)).ok_or(Failure::MateMoves)?;
    let game = position::parse(words)?;
    let prover = Prover::new(arguments.hash as usize)?;
    let interrupt = interrupt_on_signal()?;
    let start = Instant::now();
    let spinner = ProgressBar::new_spinner().with_style(style("{spinner} {elapsed}  {wide_msg}"));
    spinner.enable_steady_tick(Duration::from_millis(200));
    let mut reached = Progress::default();
    let proof = prover.prove(&game, most, &mut |progress| {
        reached = *progress;
        spinner.set_message(told(progress));
        if interrupt.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    spinner.finish_and_clear();
    let (mate, nodes) = match &proof {
        Ok(proof) => (proof.mate.as_ref(), proof.nodes),
        Err(Stopped) => (None, reached.nodes),
    };
    let answer = Answer {
        game: &game,
        most,
        mate,
        refuted: match (&proof, mate) {
            (Ok(_), None) => most,
            (Ok(_), Some(mate)) => mate.moves - 1,
            (Err(Stopped), _) => reached.moves.saturating_sub(1),
        },
        interrupted: proof.is_err(),
        nodes,
        time: start.elapsed(),
    };
    let printed = match (arguments.json, answer.interrupted) {
        (true, _) => print_json(out, &answer.json()),
        (false, true) => Ok(()),
        (false, false) => writeln!(out, "{}", answer.text()).map_err(Failure::from),
    };
    // The status is an answer of its own, which holds though nobody reads the other.
    if !matches!(&printed, Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe) {
        printed?;
    }
    if answer.interrupted {
        let proved = if answer.refuted == 0 { "nothing is proved yet".to_owned() } else { no_mate(answer.refuted) };
        let _ = writeln!(io::stderr(), "interrupted: {proved}");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(if mate.is_some() { ExitCode::SUCCESS } else { ExitCode::from(NO_MATE) })
}

fn told(progress: &Progress) -> String {
    let Progress { moves, first_moves: (done, all), nodes } = *progress;
    format!("mate in {moves}? first move {} of {all}, {} nodes", (done + 1).min(all), HumanCount(nodes))
}

fn no_mate(moves: u32) -> String {
    match moves {
        1 => "no mate in 1 move".to_owned(),
        _ => format!("no mate in {moves} moves or fewer"),
    }
}

/// The name of the only kind, or that there are several.
fn kind_name(kind: Option<MateKind>) -> &'static str {
    kind.map_or("mixed", MateKind::name)
}

/// Who has the choice of the kind, where there is one.
fn chooser(mate: &Mate) -> Option<&'static str> {
    match mate.kind() {
        Some(_) => None,
        None if mate.can_be_forced() => Some("attacker"),
        None => Some("defender"),
    }
}

/// `anti`, or where there are several kinds, who can choose among them.
fn described(first: &FirstMove) -> String {
    let kinds: Vec<String> = first.kinds.iter().map(|kind| kind.name().to_owned()).collect();
    match (first.kinds.only(), first.forced) {
        (Some(kind), _) => kind.name().to_owned(),
        (None, Some(forced)) => format!("mixed: {}; the attacker can force {}", joined(&kinds, "or"), forced.name()),
        (None, None) => format!("mixed: {}; the defender chooses", joined(&kinds, "or")),
    }
}

/// What is to be printed.
struct Answer<'a> {
    game: &'a Game,
    most: u32,
    mate: Option<&'a Mate>,
    /// There is no mate in so many moves or fewer.
    refuted: u32,
    interrupted: bool,
    nodes: u64,
    time: Duration,
}

impl Answer<'_> {
    fn text(&self) -> String {
        let position = self.game.position();
        let effort = format!("proved with {} nodes in {:.2} s", self.nodes, self.time.as_secs_f64());
        let Some(mate) = self.mate else {
            let over = self.game.outcome().map_or(String::new(), |outcome| format!("the game is over: {outcome}\n"));
            return format!("{over}{}\n{effort}", no_mate(self.most));
        };
        let chooser = chooser(mate).map_or(String::new(), |side| format!(": the {side} chooses"));
        let mut text = format!("mate in {}, {}{chooser}\nfirst moves:\n", mate.moves, kind_name(mate.kind()));
        for first in &mate.first_moves {
            text.push_str(&format!("  {:<8} {}\n", to_san(position, first.mv), described(first)));
        }
        text.push_str(&format!("main line: {}\n{effort}", numbered(position, &mate.line)));
        text
    }

    fn json(&self) -> Value {
        let position = self.game.position();
        let mate = self.mate;
        let line = mate.map_or(&[][..], |mate| &mate.line);
        let first_moves = mate.map_or(&[][..], |mate| &mate.first_moves).iter().map(|first| {
            json!({
                "move": first.mv.to_string(),
                "san": to_san(position, first.mv),
                "kinds": first.kinds.iter().map(MateKind::name).collect::<Vec<_>>(),
                "forced": first.forced.map(MateKind::name),
            })
        });
        json!({
            "fen": position.fen(),
            "asked": self.most,
            "mate": mate.map(|mate| mate.moves),
            "kind": mate.map(|mate| kind_name(mate.kind())),
            "chooser": mate.and_then(chooser),
            "first_moves": first_moves.collect::<Vec<_>>(),
            "line": line.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "san": san_line(position, line),
            "no_mate_within": self.refuted,
            "interrupted": self.interrupted,
            "nodes": self.nodes,
            "milliseconds": self.time.as_millis() as u64,
        })
    }
}
