use std::io::Write;

use clap::Args;
use serde_json::json;

use super::position::PositionArguments;
use super::{Failure, print_json};
use crate::eval::{Network, evaluate, explain};

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,

    /// Print the sum alone, as JSON, in centipawns for the side to move
    #[arg(long)]
    json: bool,
}

/// Prints the evaluation of a position without a search.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let game = arguments.position.game()?;
    let position = game.position();
    if arguments.json {
        return print_json(
            out,
            &json!({ "fen": position.fen(), "centipawns": evaluate(position, &Network::embedded()).0 }),
        );
    }
    Ok(writeln!(out, "{}", explain(position, &Network::embedded()).trim_end())?)
}
