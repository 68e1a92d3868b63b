//! The Universal Chess Interface: the grammar as values in both directions, and the session between them.

pub mod command;
mod display;
mod limits;
mod output;
pub mod reply;
mod session;
mod task;

pub use display::display;
pub use output::Output;
pub use session::run;
