//! An engine for Anti-King Chess II.
//!
//! The modules are floors: each imports only from those above it in this list.

pub mod arena;
pub mod attacks;
pub mod cli;
pub mod config;
pub mod engine;
pub mod eval;
pub mod rules;
pub mod search;
pub mod types;
pub mod uci;
