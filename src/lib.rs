//! An engine for Anti-King Chess II.
//!
//! The modules are floors of a house; each imports only from those below it: [`types`], then [`attacks`], [`rules`],
//! [`eval`], [`search`], [`engine`], [`uci`] and [`arena`], and on top [`config`] and [`cli`].

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
