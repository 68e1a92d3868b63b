use std::io::Write;

use clap::Args;
use serde_json::json;

use super::{Failure, position, print_json};
use crate::eval::{Weights, evaluate, explain};

#[derive(Debug, Args)]
pub struct Arguments {
    /// A FEN (quoted or not) or startpos, then perhaps the word moves and moves in UCI or SAN
    #[arg(value_name = "POSITION")]
    position: Vec<String>,

    /// Print the sum alone, as JSON, in centipawns for the side to move
    #[arg(long)]
    json: bool,
}

/// Prints the evaluation of a position without a search.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let game = position::parse(&arguments.position)?;
    let position = game.position();
    if arguments.json {
        return print_json(
            out,
            &json!({ "fen": position.fen(), "centipawns": evaluate(position, &Weights::DEFAULT).0 }),
        );
    }
    Ok(writeln!(out, "{}", explain(position, &Weights::DEFAULT).trim_end())?)
}
