use std::io::{self, BufRead, BufReader, Cursor, Read};

use super::{Failure, engine};
use crate::config::Settings;
use crate::frontend::Output;
use crate::{uci, xboard};

/// Speaks UCI until `quit` or the end of the input; or the protocol of XBoard, if that is how it is greeted.
pub fn run(settings: Settings) -> Result<(), Failure> {
    let engine = engine(settings)?;
    let mut stdin = BufReader::new(io::stdin());
    let greeting = greeting(&mut stdin);
    let is_xboard = greeting.trim_ascii() == b"xboard";
    let input = Cursor::new(greeting).chain(stdin);
    let output = Output::new(io::stdout());
    let served = if is_xboard { xboard::run(engine, input, output) } else { uci::run(engine, input, output) };
    served.map_err(Failure::Session)
}

/// The input up to the end of the first line that is not blank. What cannot be read is for the session to find.
fn greeting(input: &mut impl BufRead) -> Vec<u8> {
    let mut text = Vec::new();
    while text.trim_ascii().is_empty() && input.read_until(b'\n', &mut text).is_ok_and(|count| count > 0) {}
    text
}
