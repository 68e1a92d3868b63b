//! One result from the state files of a match that was split into parts.

use std::path::PathBuf;

use thiserror::Error;

use super::match_settings::MatchSettings;
use super::schedule::Schedule;
use super::standings::{GameSummary, Standings};
use super::state::{SavedMatch, StateError, compare};

/// Settings in which the parts of a match may differ: how much they play and from where.
const FREE: [&str; 5] = ["rounds", "srand", "openings.start", "event", "site"];

/// The parts of a match as one.
pub struct MergedMatch {
    /// Those of the first part, with the rounds of all.
    pub settings: MatchSettings,
    pub standings: Standings,
    /// Part by part.
    pub games: Vec<GameSummary>,
}

/// Why files do not make up one match.
#[derive(Debug, Error)]
pub enum MergeError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error("'{0}' does not exist or is empty")]
    Missing(PathBuf),
}

/// Reads the state files of the parts of a match and adds up their games.
pub fn merge(files: &[PathBuf]) -> Result<MergedMatch, MergeError> {
    let mut parts: Vec<SavedMatch> = Vec::new();
    for file in files {
        let part = SavedMatch::read(file)?.ok_or_else(|| MergeError::Missing(file.clone()))?;
        if let Some(same) = parts.iter().position(|other| other.record.id == part.record.id) {
            return Err(StateError::SameMatch { first: files[same].clone(), second: file.clone() }.into());
        }
        if let Some(first) = parts.first() {
            compare(&part.record, &first.record, &FREE, file)?;
        }
        parts.push(part);
    }
    let first = parts.first().ok_or_else(|| MergeError::Missing(PathBuf::new()))?;
    let rounds = parts.iter().map(|part| part.record.settings.rounds).sum();
    let settings = MatchSettings { rounds, ..first.record.settings.clone() };
    let mut standings = Standings::new(&settings, &Schedule::new(&settings));
    for (number, part) in parts.iter().enumerate() {
        let schedule = Schedule::new(&part.record.settings);
        for game in part.games.iter().filter(|game| (1..=schedule.total()).contains(&game.number)) {
            standings.add(game, &schedule.game(game.number), number as u64);
        }
    }
    let in_order = |mut part: SavedMatch| {
        part.games.sort_by_key(|game| game.number);
        part.games
    };
    let games = parts.into_iter().flat_map(in_order).collect();
    Ok(MergedMatch { settings, standings, games })
}
