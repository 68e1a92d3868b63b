//! What the games of a match have come to so far.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ending::{EndKind, Ending};
use super::match_settings::MatchSettings;
use super::referee::PlayedGame;
use super::schedule::{Schedule, ScheduledGame};
use super::sprt::Decision;
use super::statistics::{PairTally, Tally};
use crate::pgn::GameResult;
use crate::types::Color;

/// A finished game as the match keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSummary {
    /// From 1.
    pub number: u64,
    pub white: usize,
    pub black: usize,
    #[serde(flatten)]
    pub ending: Ending,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incident: Option<String>,
    /// Plies, those of the opening included.
    pub plies: usize,
    /// What White and Black have spent.
    pub efforts: [Effort; 2],
    /// The position at the end.
    #[serde(default)]
    pub last_fen: String,
    pub pgn: String,
}

impl GameSummary {
    pub fn new(scheduled: &ScheduledGame, played: &PlayedGame, pgn: String) -> GameSummary {
        GameSummary {
            number: scheduled.number,
            white: scheduled.white,
            black: scheduled.black,
            ending: played.ending.clone(),
            incident: played.incident.clone(),
            plies: played.game.moves().len(),
            efforts: Effort::of_both(played),
            last_fen: played.game.position().fen(),
            pgn,
        }
    }

    /// The engine that lost by a fault.
    pub fn at_fault(&self) -> Option<usize> {
        let loser = if self.ending.result == GameResult::WhiteWins { self.black } else { self.white };
        self.ending.kind.is_fault().then_some(loser)
    }
}

/// What an engine has spent on its moves, by its own word but for the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    pub moves: u64,
    /// Sum of the depths, plies.
    pub depth: u64,
    pub nodes: u64,
    pub time: Duration,
}

impl Effort {
    fn of_both(played: &PlayedGame) -> [Effort; 2] {
        let mut efforts = [Effort::default(); 2];
        let first = played.game.start().turn();
        for (index, made) in played.moves.iter().enumerate() {
            let is_first = (index + played.opening_plies).is_multiple_of(2);
            let side = if is_first { first } else { !first };
            efforts[side.index()].add(&Effort {
                moves: 1,
                depth: made.report.depth.into(),
                nodes: made.report.nodes,
                time: made.elapsed,
            });
        }
        efforts
    }

    fn add(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.depth = self.depth.saturating_add(other.depth);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.time += other.time;
    }

    /// Plies; 0 without moves.
    pub fn mean_depth(&self) -> f64 {
        self.depth as f64 / self.moves.max(1) as f64
    }

    /// Nodes for each second of the time spent; 0 when no time was.
    pub fn nodes_per_second(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 { self.nodes as f64 / seconds } else { 0.0 }
    }
}

/// The results of two engines against each other, counted for the first.
#[derive(Clone, Debug, Default)]
pub struct PairingStanding {
    pub first: usize,
    pub second: usize,
    pub games: Tally,
    pub with_white: Tally,
    pub with_black: Tally,
    /// Results of White against Black, whoever played it.
    pub white: Tally,
    pub pairs: PairTally,
    /// Half points of the first game of a pair whose second is not finished, by encounter.
    open_pairs: HashMap<u64, usize>,
}

impl PairingStanding {
    fn add(&mut self, game: &GameSummary, encounter: Option<u64>) {
        let color = if game.white == self.first { Color::White } else { Color::Black };
        let half_points = game.ending.result.half_points(color);
        self.games.add(half_points);
        match color {
            Color::White => self.with_white.add(half_points),
            Color::Black => self.with_black.add(half_points),
        }
        self.white.add(game.ending.result.half_points(Color::White));
        if let Some(encounter) = encounter {
            match self.open_pairs.remove(&encounter) {
                Some(other) => self.pairs.add(half_points, other),
                None => drop(self.open_pairs.insert(encounter, half_points)),
            }
        }
    }
}

/// The state of a whole match.
#[derive(Clone, Debug)]
pub struct Standings {
    /// By pairing of the schedule.
    pub pairings: Vec<PairingStanding>,
    pub ends: BTreeMap<EndKind, u64>,
    /// By engine.
    pub efforts: Vec<Effort>,
    /// By engine: games lost by a fault.
    pub faults: Vec<u64>,
    /// Whether pairs of games are counted.
    pub in_pairs: bool,
    /// What the sequential test came to when it ended the match; games that end later change nothing about it.
    pub decision: Option<Decision>,
}

impl Standings {
    pub fn new(settings: &MatchSettings, schedule: &Schedule) -> Standings {
        let pairing = |&[first, second]: &[usize; 2]| PairingStanding { first, second, ..PairingStanding::default() };
        Standings {
            pairings: schedule.pairings().iter().map(pairing).collect(),
            ends: BTreeMap::new(),
            efforts: vec![Effort::default(); settings.engines.len()],
            faults: vec![0; settings.engines.len()],
            in_pairs: settings.is_in_pairs(),
            decision: None,
        }
    }

    /// Counts a game once. `part` tells apart the matches that are merged into one.
    pub fn add(&mut self, game: &GameSummary, scheduled: &ScheduledGame, part: u64) {
        let encounter = self.in_pairs.then_some(part << 40 | scheduled.encounter);
        self.pairings[scheduled.pairing].add(game, encounter);
        *self.ends.entry(game.ending.kind).or_default() += 1;
        self.efforts[game.white].add(&game.efforts[0]);
        self.efforts[game.black].add(&game.efforts[1]);
        if let Some(engine) = game.at_fault() {
            self.faults[engine] += 1;
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.ends.values().sum()
    }

    /// The games of an engine against all others.
    pub fn of_engine(&self, engine: usize) -> Tally {
        let mut tally = Tally::default();
        for pairing in &self.pairings {
            if pairing.first == engine {
                tally.merge(&pairing.games);
            } else if pairing.second == engine {
                tally.merge(&pairing.games.reversed());
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::test_settings;

    fn summary(game: &ScheduledGame, result: GameResult, kind: EndKind) -> GameSummary {
        let effort = |nodes| Effort { moves: 10, depth: 80, nodes, time: Duration::from_secs(2) };
        GameSummary {
            number: game.number,
            white: game.white,
            black: game.black,
            ending: Ending { result, kind, reason: String::new() },
            incident: None,
            plies: 20,
            efforts: [effort(1000), effort(3000)],
            last_fen: String::new(),
            pgn: String::new(),
        }
    }

    #[test]
    fn games_are_counted_for_the_first_engine() {
        let settings = MatchSettings { rounds: 2, games: 2, repeat: true, ..test_settings(2) };
        let schedule = Schedule::new(&settings);
        let mut standings = Standings::new(&settings, &schedule);
        let results = [
            (1, GameResult::WhiteWins, EndKind::KingMate),
            (4, GameResult::WhiteWins, EndKind::Time),
            (3, GameResult::Draw, EndKind::Stalemate),
        ];
        for (number, result, kind) in results {
            let game = schedule.game(number);
            standings.add(&summary(&game, result, kind), &game, 0);
        }
        let pairing = &standings.pairings[0];
        assert_eq!(pairing.games, Tally { wins: 1, losses: 1, draws: 1 });
        assert_eq!(pairing.with_white, Tally { wins: 1, losses: 0, draws: 1 });
        assert_eq!(pairing.with_black, Tally { wins: 0, losses: 1, draws: 0 });
        assert_eq!(pairing.white, Tally { wins: 2, losses: 0, draws: 1 });
        assert_eq!(pairing.pairs.counts, [0, 1, 0, 0, 0]);
        let game = schedule.game(2);
        standings.add(&summary(&game, GameResult::BlackWins, EndKind::KingMate), &game, 0);
        assert_eq!(standings.pairings[0].pairs.counts, [0, 1, 0, 0, 1]);
        assert_eq!((standings.games(), standings.ends[&EndKind::KingMate]), (4, 2));
        assert_eq!(standings.faults, [1, 0]);
        assert_eq!(standings.of_engine(1), Tally { wins: 1, losses: 2, draws: 1 });
        // The first engine had White twice and Black twice.
        assert_eq!((standings.efforts[0].nodes, standings.efforts[0].mean_depth()), (8000, 8.0));
        assert_eq!(standings.efforts[0].nodes_per_second(), 1000.0);
    }

    #[test]
    fn merged_matches_keep_their_pairs_apart() {
        let settings = MatchSettings { rounds: 1, games: 2, repeat: true, ..test_settings(2) };
        let schedule = Schedule::new(&settings);
        let mut standings = Standings::new(&settings, &schedule);
        let game = schedule.game(1);
        for part in 0..2 {
            standings.add(&summary(&game, GameResult::WhiteWins, EndKind::KingMate), &game, part);
        }
        assert_eq!(standings.pairings[0].pairs.pairs(), 0);
    }
}
