//! A player: whoever can be asked for a move.

use std::time::Duration;

use thiserror::Error;

use super::limits::PlayLimits;
use super::time_control::Clock;
use crate::pgn::Evaluation;
use crate::rules::Game;
use crate::types::Color;

/// Somebody who plays games: an engine in a process of its own, or one inside this process.
pub trait Player {
    /// Gets ready for a new game, which has a number in its match. A player that draws lots does it by the seed alone.
    fn new_game(&mut self, number: u64, seed: u64) -> Result<(), Fault>;

    /// Answers with a move. The answer is only text: whether it is a legal move is not for the player to say.
    fn choose(&mut self, turn: &Turn) -> Result<Answer, Fault>;

    /// Ends a player that was at fault, and gives what it has left to explain it: the last lines of its standard error.
    /// Nothing more may be asked of it.
    fn post_mortem(&mut self) -> Option<String> {
        None
    }
}

/// What a player is asked.
pub struct Turn<'a> {
    /// The game, with the player to move.
    pub game: &'a Game,
    /// The clocks of White and Black; `None` of a side that plays without.
    pub clocks: [Option<&'a Clock>; 2],
    /// The limits of the player.
    pub limits: &'a PlayLimits,
}

impl Turn<'_> {
    /// The side that the player moves.
    pub fn color(&self) -> Color {
        self.game.position().turn()
    }

    /// The time after which the move loses the game, margin included; `None` without clock or fixed time.
    pub fn allowed_time(&self) -> Option<Duration> {
        let clock = self.clocks[self.color().index()].map(Clock::remaining);
        let least = [clock, self.limits.move_time].into_iter().flatten().min()?;
        Some(least + self.limits.time_margin)
    }
}

/// A player's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move as the player names it in UCI notation; empty when it named none.
    pub text: String,
    /// The whole line that it came in.
    pub line: String,
    /// Time from the question to the answer.
    pub elapsed: Duration,
    /// What the player says about it.
    pub report: SearchReport,
}

/// What a player says about its move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchReport {
    /// `None` when the player gives no score.
    pub evaluation: Option<Evaluation>,
    /// Plies; 0 when unknown.
    pub depth: u32,
    /// 0 when unknown.
    pub nodes: u64,
}

/// Why a player gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    #[error("no move after {elapsed:?}")]
    Time { elapsed: Duration },
    #[error("silent for {silent:?}; {last}")]
    Stalled { silent: Duration, last: String },
    #[error("gone ({status}); {last}")]
    Disconnected { status: String, last: String },
    /// The match is to end; nobody is to blame.
    #[error("interrupted")]
    Interrupted,
}
