//! The Universal Chess Interface: the grammar as values in both directions, and the session between them.

pub mod command;
pub mod output;
