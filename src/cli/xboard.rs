use std::io::{self, BufReader};

use super::{Failure, engine};
use crate::config::Settings;
use crate::frontend::Output;
use crate::xboard;

/// Speaks the protocol of XBoard until `quit` or the end of the input.
pub fn run(settings: Settings) -> Result<(), Failure> {
    xboard::run(engine(settings)?, BufReader::new(io::stdin()), Output::new(io::stdout())).map_err(Failure::Session)
}
