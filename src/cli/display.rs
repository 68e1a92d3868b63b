use std::io::Write;

use serde_json::json;

use super::position::ReportArguments;
use super::{Failure, print_json};
use crate::rules::{Game, to_san};
use crate::uci;

/// Prints a position with its key, checks, and legal moves.
pub fn run(arguments: &ReportArguments, out: &mut dyn Write) -> Result<(), Failure> {
    let game = arguments.position.game()?;
    if arguments.json {
        return print_json(out, &as_json(&game));
    }
    Ok(writeln!(out, "{}", uci::display(&game))?)
}

fn as_json(game: &Game) -> serde_json::Value {
    let position = game.position();
    let moves = position.legal_moves();
    json!({
        "fen": position.fen(),
        "key": format!("{:016X}", position.key()),
        "king_in_check": position.king_in_check(),
        "anti_king_in_check": position.anti_king_in_check(),
        "outcome": game.outcome().map(|outcome| outcome.to_string()),
        "moves": moves.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "san": moves.iter().map(|&mv| to_san(position, mv)).collect::<Vec<_>>(),
    })
}
