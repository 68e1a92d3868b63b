//! What commands with long work have in common.

use std::num::NonZeroUsize;
use std::thread;

use indicatif::ProgressStyle;

/// A style by its template, one of our own, which is good; the default of bars if it is not.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The processors that this process may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
