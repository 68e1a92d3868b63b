use std::io::Write;

use super::Failure;
use crate::config;

/// Prints the text of an `engine.toml` with the defaults.
pub fn run(out: &mut dyn Write) -> Result<(), Failure> {
    Ok(write!(out, "{}", config::template())?)
}
