//! Games and matches between players, judged by the rules alone and never by an engine's word.

pub mod interrupt;
pub mod key_values;
pub mod limits;
pub mod process;
pub mod sprt;
pub mod statistics;
pub mod time_control;
