//! Everything that decides which games a match consists of and when it is over.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::adjudication::Adjudication;
use super::engine_settings::EngineSettings;
use super::openings::OpeningSettings;
use super::pgn_settings::PgnStyle;
use super::sprt::Sprt;

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets every other.
    Gauntlet,
}

/// The settings of a match. Two matches with the same settings and the same engines play the same games, if the engines
/// do not depend on time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSettings {
    pub engines: Vec<EngineSettings>,
    #[serde(rename = "tournament")]
    pub format: TournamentFormat,
    pub rounds: u32,
    /// Games of each pairing in a round.
    pub games: u32,
    /// Whether all games of a pairing in a round have the same opening.
    pub repeat: bool,
    /// Whether the players of a pairing change colours after each game.
    pub swap: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSettings>,
    /// Seed of everything that chance decides.
    #[serde(rename = "srand")]
    pub seed: u64,
    #[serde(flatten)]
    pub adjudication: Adjudication,
    /// How long an engine may be silent when no clock of its own runs down.
    pub stall: Duration,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// How the games are written, since they are kept that way.
    #[serde(flatten, default)]
    pub style: PgnStyle,
    /// PGN tags.
    pub event: String,
    pub site: String,
}

/// What does not fit together in the settings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    #[error("--sprt: needs exactly two engines, {0} given")]
    SprtEngines(usize),
}

impl MatchSettings {
    pub fn check(&self) -> Result<(), SettingsError> {
        match self.engines.len() {
            2 => Ok(()),
            count if self.sprt.is_some() => Err(SettingsError::SprtEngines(count)),
            _ => Ok(()),
        }
    }

    /// Whether the games come in pairs from the same opening with colours changed, which the statistics then use.
    pub const fn is_in_pairs(&self) -> bool {
        self.repeat && self.swap && self.games == 2
    }
}
