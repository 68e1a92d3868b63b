use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Failure, diagram, position};
use crate::text::grid;
use crate::types::Color;

#[derive(Debug, Args)]
pub struct Arguments {
    /// A FEN (quoted or not) or startpos, then perhaps the word moves and moves in UCI, SAN or long algebraic notation
    #[arg(value_name = "POSITION")]
    position: Vec<String>,

    /// Moves to play from there, in UCI, SAN or long algebraic notation; the last one is marked in the diagram
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,

    /// Write a diagram as SVG to a file, - for standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Look from Black's side
    #[arg(long)]
    flip: bool,
}

/// Draws a position: as text, or as an SVG diagram.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let game = position::parse_with_moves(&arguments.position, &arguments.moves)?;
    let bottom = if arguments.flip { Color::Black } else { Color::White };
    let Some(path) = &arguments.svg else {
        return Ok(write!(out, "{}", grid(game.position(), bottom))?);
    };
    let diagram = diagram::svg(&game, bottom);
    if path == Path::new("-") {
        return Ok(out.write_all(diagram.as_bytes())?);
    }
    fs::write(path, diagram).map_err(|error| Failure::Svg { file: path.into(), error })
}
