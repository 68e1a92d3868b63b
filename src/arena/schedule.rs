//! Which games a match consists of, in order.

use super::match_settings::{MatchSettings, TournamentFormat};

/// The games of a match, each found by its number alone.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u64,
    games: u64,
    repeat: bool,
    swap: bool,
    seed: u64,
}

/// One game of the schedule. Engines are named by their place in the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// From 1.
    pub number: u64,
    /// From 1.
    pub round: u64,
    /// Place of the game in its round, from 1.
    pub game_of_round: u64,
    /// Place of the pairing among [`Schedule::pairings`].
    pub pairing: usize,
    /// The games of one pairing in one round have the same value, and no others.
    pub encounter: u64,
    pub white: usize,
    pub black: usize,
    /// Number of the opening in the book, from 0.
    pub opening: usize,
    /// All the chance that the players may use.
    pub seed: u64,
}

impl Schedule {
    pub fn new(settings: &MatchSettings) -> Schedule {
        let engines = settings.engines.len();
        let firsts = match settings.format {
            TournamentFormat::RoundRobin => 0..engines,
            TournamentFormat::Gauntlet => 0..1,
        };
        let pairings = firsts.flat_map(|first| (first + 1..engines).map(move |second| [first, second])).collect();
        Schedule {
            pairings,
            rounds: settings.rounds.into(),
            games: settings.games.into(),
            repeat: settings.repeat,
            swap: settings.swap,
            seed: settings.seed,
        }
    }

    /// The pairs of engines that meet, each with the one first whose results are counted.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// Number of games.
    pub fn total(&self) -> u64 {
        self.rounds * self.games_of_round()
    }

    fn games_of_round(&self) -> u64 {
        self.pairings.len() as u64 * self.games
    }

    /// The game with a number from 1 to the total.
    pub fn game(&self, number: u64) -> ScheduledGame {
        let index = number - 1;
        let encounter = index / self.games;
        let game_of_encounter = index % self.games;
        let pairing = (encounter % self.pairings.len() as u64) as usize;
        let [first, second] = self.pairings[pairing];
        let is_swapped = self.swap && game_of_encounter % 2 == 1;
        let (white, black) = if is_swapped { (second, first) } else { (first, second) };
        ScheduledGame {
            number,
            round: index / self.games_of_round() + 1,
            game_of_round: index % self.games_of_round() + 1,
            pairing,
            encounter,
            white,
            black,
            opening: if self.repeat { encounter as usize } else { index as usize },
            seed: self.seed.wrapping_add(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::test_settings;

    fn games(schedule: &Schedule) -> Vec<(usize, usize, usize, u64)> {
        (1..=schedule.total())
            .map(|number| schedule.game(number))
            .map(|game| (game.white, game.black, game.opening, game.round))
            .collect()
    }

    #[test]
    fn two_engines_play_each_opening_with_both_colours() {
        let schedule = Schedule::new(&MatchSettings { rounds: 2, games: 2, repeat: true, ..test_settings(2) });
        assert_eq!(games(&schedule), [(0, 1, 0, 1), (1, 0, 0, 1), (0, 1, 1, 2), (1, 0, 1, 2)]);
        let schedule = Schedule::new(&MatchSettings { rounds: 1, games: 3, repeat: false, ..test_settings(2) });
        assert_eq!(games(&schedule), [(0, 1, 0, 1), (1, 0, 1, 1), (0, 1, 2, 1)]);
        let schedule = Schedule::new(&MatchSettings { rounds: 2, games: 1, swap: false, ..test_settings(2) });
        assert_eq!(games(&schedule), [(0, 1, 0, 1), (0, 1, 1, 2)]);
    }

    #[test]
    fn gauntlet_and_round_robin_pair_the_engines() {
        let settings = MatchSettings { rounds: 2, games: 2, repeat: true, ..test_settings(4) };
        let all = Schedule::new(&settings);
        assert_eq!(all.pairings(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(all.total(), 24);
        let one = Schedule::new(&MatchSettings { format: TournamentFormat::Gauntlet, ..settings });
        assert_eq!(one.pairings(), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(one.total(), 12);
        let last = one.game(12);
        assert_eq!((last.white, last.black, last.round, last.game_of_round, last.encounter), (3, 0, 2, 6, 5));
    }

    #[test]
    fn games_have_seeds_of_their_own() {
        let schedule = Schedule::new(&MatchSettings { rounds: 10, ..test_settings(2) });
        let mut seeds: Vec<u64> = (1..=schedule.total()).map(|number| schedule.game(number).seed).collect();
        seeds.dedup();
        assert_eq!(seeds.len() as u64, schedule.total());
    }
}
