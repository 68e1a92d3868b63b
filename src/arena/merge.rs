//! One result from the state files of a match that was split into parts.

use std::ops::Range;
use std::path::{Path, PathBuf};

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
    #[error("'{first}' and '{second}' have the same srand and openings in common: from {from} to {to}")]
    Overlap { first: PathBuf, second: PathBuf, from: usize, to: usize },
}

/// Fails when two parts play the same games: with one seed, the order of the openings and the chance of each game are the same.
fn refuse_overlap(
    first: &Path,
    first_settings: &MatchSettings,
    second: &Path,
    second_settings: &MatchSettings,
) -> Result<(), MergeError> {
    if first_settings.seed != second_settings.seed {
        return Ok(());
    }
    let (one, two) = (openings_used(first_settings), openings_used(second_settings));
    let (from, to) = (one.start.max(two.start), one.end.min(two.end));
    if from < to {
        return Err(MergeError::Overlap { first: first.into(), second: second.into(), from, to: to - 1 });
    }
    Ok(())
}

/// The openings of a match by their number from 1, those beyond the end of the book counted on.
fn openings_used(settings: &MatchSettings) -> Range<usize> {
    let first = settings.openings.as_ref().map_or(1, |openings| openings.start);
    let schedule = Schedule::new(settings);
    let used = (1..=schedule.total()).last().map_or(0, |number| schedule.game(number).opening + 1);
    first..first + used
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
        for (other, path) in parts.iter().zip(files) {
            refuse_overlap(path, &other.record.settings, file, &part.record.settings)?;
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
