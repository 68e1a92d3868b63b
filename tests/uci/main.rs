//! The UCI front end through the real binary. Every search in these tests is checked for what must always hold: legal
//! lines, a scored line before the move, sane counters (see `support`).

#[path = "../support/mod.rs"]
mod support;

mod full_length;
mod go;
mod options;
mod position;
mod rules;
mod search;
mod session;
