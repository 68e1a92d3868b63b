//! The Universal Chess Interface: the grammar as values in both directions, and the session between them.

pub mod command;
mod display;
mod limits;
pub mod reply;
mod session;

pub use display::display;
pub use session::run;
