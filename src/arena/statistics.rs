//! The arithmetic of match results, as pure functions of counts.
//!
//! A match is a row of independent trials that each end with a score between 0 and 1: single games (0, ½, 1) or,
//! when every opening is played with both colours, pairs of games (0, ¼, ½, ¾, 1). All functions that take
//! `counts` take the number of trials at each of these equally spaced scores, three for games and five for pairs.
//!
//! Sources: A. Elo, *The Rating of Chessplayers* (the logistic curve as chess servers use it); R. Coulom, *Whole-History
//! Rating* and the BayesElo pages (likelihood of superiority); M. Van den Bergh, *Normalized Elo Revisited* and
//! *Comments on Normalized Elo* (normalized Elo, pairs of games).

use serde::{Deserialize, Serialize};

/// Half the width of a 95 % interval of the normal distribution, in standard deviations.
const Z_95: f64 = 1.959_963_984_540_054;

/// One unit of `(score - 1/2) / standard deviation` of a game in normalized Elo: 800 / ln 10. It makes Elo and
/// normalized Elo agree near equality in games without draws (Van den Bergh).
pub const NORMALIZED_ELO_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Games of one player by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
}

impl Tally {
    pub const fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// One for a win, a half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game; 0 of no games.
    pub fn score(&self) -> f64 {
        ratio(self.points(), self.games() as f64)
    }

    /// Draws per game; 0 of no games.
    pub fn draw_ratio(&self) -> f64 {
        ratio(self.draws as f64, self.games() as f64)
    }

    /// Losses, draws, wins: the counts that the functions of this module take.
    pub const fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// The same games seen by the opponent.
    pub const fn reversed(&self) -> Tally {
        Tally { wins: self.losses, losses: self.wins, draws: self.draws }
    }

    /// Counts a game by the points of the player in halves: 0 lost, 1 drawn, 2 won.
    pub fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
    }
}

/// Pairs of games from one opening with colours changed, by the points of the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairTally {
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// How many of the pairs with 1 point are a win and a loss; the others are two draws.
    pub win_and_loss: u64,
}

impl PairTally {
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Counts a pair by the points of the player in its two games, in halves.
    pub fn add(&mut self, first: usize, second: usize) {
        self.counts[first + second] += 1;
        self.win_and_loss += u64::from(first.abs_diff(second) == 2);
    }

    /// Pairs won for each pair lost: infinite when none was lost, NaN when none was decided.
    pub fn pairs_ratio(&self) -> f64 {
        (self.counts[3] + self.counts[4]) as f64 / (self.counts[0] + self.counts[1]) as f64
    }

    /// Share of the pairs with one point: the draw ratio of a match in pairs; 0 of no pairs.
    pub fn draw_ratio(&self) -> f64 {
        ratio(self.counts[2] as f64, self.pairs() as f64)
    }

    /// Pairs of a win and a loss for each pair of two draws: infinite or NaN when there is none of these.
    pub fn win_loss_ratio(&self) -> f64 {
        self.win_and_loss as f64 / (self.counts[2] - self.win_and_loss) as f64
    }
}

/// A value with half the width of its 95 % confidence interval.
///
/// Infinite and NaN stand where the results allow nothing better: the Elo of a player that won every game is infinite,
/// and its error not a number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    pub error: f64,
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

/// The scores of the trials that `counts` counts: equally spaced from 0 to 1.
pub fn scores(kinds: usize) -> impl Iterator<Item = f64> {
    (0..kinds).map(move |index| index as f64 / (kinds - 1) as f64)
}

/// Mean score of the trials, 0 to 1; NaN of none.
pub fn mean(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    counts.iter().zip(scores(counts.len())).map(|(&count, score)| count as f64 * score).sum::<f64>() / total as f64
}

/// Mean squared distance of the trials from their mean (divided by their number, as the sources do); NaN of none.
pub fn variance(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    let mean = mean(counts);
    let squares = counts.iter().zip(scores(counts.len())).map(|(&count, score)| count as f64 * (score - mean).powi(2));
    squares.sum::<f64>() / total as f64
}

/// The Elo difference at which this score is expected: -400 log10(1/s - 1); infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// The score expected at this Elo difference: 1 / (1 + 10^(-d/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Elo difference with error: half of the 95 % interval of the mean score, both ends taken to Elo.
pub fn elo(counts: &[u64]) -> Estimate {
    let mean = mean(counts);
    let margin = Z_95 * standard_error(counts);
    Estimate { value: elo_of_score(mean), error: (elo_of_score(mean + margin) - elo_of_score(mean - margin)) / 2.0 }
}

/// Normalized Elo with error: the distance of the mean from ½ in standard deviations of one game.
///
/// In pairs the standard deviation of a game is √2 times that of a pair's mean score. The error is that of a mean in
/// units of its own standard deviation, 1/√games.
pub fn normalized_elo(counts: &[u64]) -> Estimate {
    let games_per_trial = if counts.len() == 5 { 2.0 } else { 1.0 };
    let games = games_per_trial * counts.iter().sum::<u64>() as f64;
    let advantage = mean(counts) - 0.5;
    let deviation = (games_per_trial * variance(counts)).sqrt();
    let value = if advantage == 0.0 { 0.0 } else { advantage / deviation * NORMALIZED_ELO_UNIT };
    Estimate { value, error: Z_95 / games.sqrt() * NORMALIZED_ELO_UNIT }
}

/// Likelihood of superiority, 0 to 1: the chance that the player is the stronger one, given the results.
///
/// Games: Φ((W - L) / √(W + L)), in which draws drop out (Coulom). Pairs: Φ of the distance of the mean from ½ in
/// standard errors. One half without any decided trial.
pub fn likelihood_of_superiority(counts: &[u64]) -> f64 {
    let deviations = if let &[losses, _, wins] = counts {
        (wins as f64 - losses as f64) / ((wins + losses) as f64).sqrt()
    } else {
        (mean(counts) - 0.5) / standard_error(counts)
    };
    if deviations.is_nan() { 0.5 } else { normal_distribution(deviations) }
}

fn standard_error(counts: &[u64]) -> f64 {
    (variance(counts) / counts.iter().sum::<u64>() as f64).sqrt()
}

/// Φ, the distribution function of the standard normal distribution.
fn normal_distribution(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    #[test]
    fn sixty_to_forty_by_hand() {
        // Score 0.6, standard error sqrt(0.6 * 0.4 / 100) = 0.0489898, margin 0.0960182.
        // Elo 400 log10(0.6 / 0.4) = 70.4365; ends 400 log10(0.6960182 / 0.3039818) = 143.9092 and
        // 400 log10(0.5039818 / 0.4960182) = 2.7669.
        let counts = Tally { wins: 60, losses: 40, draws: 0 }.counts();
        let estimate = elo(&counts);
        assert_near(estimate.value, 70.4365, 1e-4);
        assert_near(estimate.error, (143.9092 - 2.7669) / 2.0, 1e-3);
        // Twenty more wins than losses in a hundred decided games: two standard deviations.
        assert_near(likelihood_of_superiority(&counts), 0.977_249_87, 1e-8);
        // Advantage 0.1 over a deviation of sqrt(0.24) = 0.4898979: 0.2041241 * 347.4356; error 1.96 / 10 of the unit.
        let normalized = normalized_elo(&counts);
        assert_near(normalized.value, 70.9200, 1e-3);
        assert_near(normalized.error, 68.0961, 1e-3);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert_eq!(elo_of_score(0.5), 0.0);
        // The table of the rating of chess players: 0.76 at 200 points, 10 to 1 at 400.
        assert_near(score_of_elo(200.0), 0.7597, 1e-4);
        assert_near(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
        for elo in [-1500.0, -20.0, 0.0, 3.0, 700.0] {
            assert_near(elo_of_score(score_of_elo(elo)), elo, 1e-6);
        }
    }

    #[test]
    fn pairs_without_correlation_tell_what_single_games_tell() {
        // Games of score 0, ½, 1 with chances ¼, ½, ¼, paired at random: 1, 4, 6, 4, 1 of sixteen.
        let pairs = [1000, 4000, 6000, 4000, 1000];
        let games = [8000, 16000, 8000];
        assert_near(elo(&pairs).error, elo(&games).error, 1e-9);
        assert_near(normalized_elo(&pairs).error, normalized_elo(&games).error, 1e-9);
        assert_near(variance(&pairs) * 2.0, variance(&games), 1e-12);
    }

    #[test]
    fn normalized_elo_of_pairs_by_hand() {
        // Mean (0*1 + 0.25*2 + 0.5*4 + 0.75*6 + 1*3) / 16 = 10/16 = 0.625.
        // Mean square (0.0625*2 + 0.25*4 + 0.5625*6 + 3) / 16 = 7.5/16 = 0.46875; variance 0.078125.
        // Deviation of a game sqrt(0.15625) = 0.3952847; 0.125 / 0.3952847 * 347.4356 = 109.8688.
        let counts = [1, 2, 4, 6, 3];
        assert_near(mean(&counts), 0.625, 1e-12);
        assert_near(variance(&counts), 0.078125, 1e-12);
        assert_near(normalized_elo(&counts).value, 109.8688, 1e-3);
        // Standard error sqrt(0.078125 / 16) = 0.0698771; 0.125 is 1.788854 of it; Φ from the tables 0.96318.
        assert_near(likelihood_of_superiority(&counts), 0.96318, 1e-5);
    }

    #[test]
    fn one_sided_results_are_infinite_and_superiority_stays_a_chance() {
        let all_won = Tally { wins: 20, ..Tally::default() }.counts();
        assert_eq!(elo(&all_won).value, f64::INFINITY);
        assert!(elo(&all_won).error.is_nan());
        assert_near(likelihood_of_superiority(&all_won), 1.0, 1e-4);
        let all_lost = Tally { losses: 20, ..Tally::default() }.counts();
        assert_eq!(elo(&all_lost).value, f64::NEG_INFINITY);
        let all_drawn = Tally { draws: 20, ..Tally::default() }.counts();
        assert_eq!(elo(&all_drawn), Estimate { value: 0.0, error: 0.0 });
        assert_eq!(normalized_elo(&all_drawn).value, 0.0);
        assert_eq!(likelihood_of_superiority(&all_drawn), 0.5);
        assert_eq!(likelihood_of_superiority(&[0, 0, 0, 0, 10]), 1.0);
        assert_eq!(likelihood_of_superiority(&[0, 0, 0, 0, 0]), 0.5);
        assert_eq!(likelihood_of_superiority(&[0, 0, 0]), 0.5);
    }

    #[test]
    fn tallies_count() {
        let mut tally = Tally::default();
        for half_points in [2, 2, 1, 0, 2] {
            tally.add(half_points);
        }
        assert_eq!(tally, Tally { wins: 3, losses: 1, draws: 1 });
        assert_eq!(tally.points(), 3.5);
        assert_near(tally.score(), 0.7, 1e-12);
        assert_eq!(tally.reversed().counts(), [3, 1, 1]);
        assert_eq!(Tally::default().score(), 0.0);
        let mut pairs = PairTally::default();
        for (first, second) in [(2, 2), (2, 0), (1, 1), (0, 1), (1, 2), (0, 2)] {
            pairs.add(first, second);
        }
        assert_eq!(pairs, PairTally { counts: [0, 1, 3, 1, 1], win_and_loss: 2 });
        assert_eq!((pairs.pairs_ratio(), pairs.win_loss_ratio(), pairs.draw_ratio()), (2.0, 2.0, 0.5));
    }
}
