use std::io::{self, BufReader};

use super::{Failure, engine};
use crate::config::Settings;
use crate::frontend::Output;
use crate::uci;

/// Speaks UCI until `quit` or the end of the input.
pub fn run(settings: Settings) -> Result<(), Failure> {
    uci::run(engine(settings)?, BufReader::new(io::stdin()), Output::new(io::stdout())).map_err(Failure::Session)
}
