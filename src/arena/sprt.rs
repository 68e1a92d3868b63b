//! The sequential probability ratio test: stops a match as soon as its results decide between two hypotheses.
//!
//! A. Wald, *Sequential Tests of Statistical Hypotheses* (1945): after every trial the logarithm of the likelihood ratio
//! of the two hypotheses is compared with two bounds that depend only on the chances of error.
//! The hypotheses fix one number, the Elo difference; the other parameters of the distribution are set to their most
//! likely values under either hypothesis (M. Van den Bergh, *A Practical Introduction to the GSPRT*).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::key_values::{KeyError, KeyValues};
use super::statistics::{NORMALIZED_ELO_UNIT, PairTally, Tally, score_of_elo, scores};

/// Stands for a result that was never seen, so that no hypothesis is impossible (as the public testing frameworks do).
const UNSEEN: f64 = 1e-3;

/// What `elo0` and `elo1` measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the distance from equality in standard deviations of a game, so that the length of the test does
    /// not depend on how drawish the games are.
    Normalized,
    /// The usual Elo difference of the expected score.
    Logistic,
    /// The Elo difference of the BayesElo program, with a draw parameter estimated from the results; single games only.
    Bayesian,
}

impl Model {
    const ALL: [Model; 3] = [Model::Normalized, Model::Logistic, Model::Bayesian];

    pub const fn name(self) -> &'static str {
        match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
            Model::Bayesian => "bayesian",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Model {
    type Err = ();

    fn from_str(text: &str) -> Result<Model, ()> {
        Model::ALL.into_iter().find(|model| model.name() == text).ok_or(())
    }
}

/// The hypothesis that the results have decided for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// The difference is `elo0` rather than `elo1`.
    H0,
    /// The difference is `elo1` rather than `elo0`.
    H1,
}

/// A test of the difference `elo0` against `elo1`, in Elo of the model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// Chance to accept `elo1` when `elo0` is true.
    pub alpha: f64,
    /// Chance to accept `elo0` when `elo1` is true.
    pub beta: f64,
    pub model: Model,
}

impl Sprt {
    /// Reads `elo0= elo1= alpha= beta= model=`; alpha and beta are 0.05 and the model normalized when not given.
    pub fn parse(texts: &[String]) -> Result<Sprt, KeyError> {
        let mut keys = KeyValues::parse("--sprt", texts)?;
        let number = |value: &f64| value.is_finite();
        let chance = |value: &f64| *value > 0.0 && *value < 0.5;
        let sprt = Sprt {
            elo0: keys.require_where("elo0", "a number", number)?,
            elo1: keys.require_where("elo1", "a number", number)?,
            alpha: keys.take_where("alpha", "a chance between 0 and 0.5", chance)?.unwrap_or(0.05),
            beta: keys.take_where("beta", "a chance between 0 and 0.5", chance)?.unwrap_or(0.05),
            model: keys.take("model", "normalized, logistic or bayesian")?.unwrap_or(Model::Normalized),
        };
        keys.finish("elo0, elo1, alpha, beta, model")?;
        if sprt.elo0 >= sprt.elo1 {
            return Err(KeyError::value("--sprt", "elo1", &sprt.elo1.to_string(), "greater than elo0"));
        }
        Ok(sprt)
    }

    /// The two bounds of the logarithm of the likelihood ratio: under the first H0 is accepted, over the second H1.
    ///
    /// Wald: ln(β / (1 - α)) and ln((1 - β) / α).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio of H1 to H0; always finite, 0 without results.
    ///
    /// With `pairs` the trials are pairs of games (pentanomial), else single games (trinomial). The Bayesian model always
    /// takes single games.
    pub fn log_likelihood_ratio(&self, games: &Tally, pairs: Option<&PairTally>) -> f64 {
        if games.games() == 0 {
            return 0.0;
        }
        match (self.model, pairs) {
            (Model::Bayesian, _) => self.bayesian(games),
            (_, Some(pairs)) => self.generalized(&pairs.counts),
            (_, None) => self.generalized(&games.counts()),
        }
    }

    /// What this ratio decides, if it does.
    pub fn decision(&self, log_likelihood_ratio: f64) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        if log_likelihood_ratio >= upper {
            Some(Decision::H1)
        } else if log_likelihood_ratio <= lower {
            Some(Decision::H0)
        } else {
            None
        }
    }

    /// The kind of trial that the ratio is made of, for the report.
    pub fn trials(&self, in_pairs: bool) -> &'static str {
        if in_pairs && self.model != Model::Bayesian { "pentanomial" } else { "trinomial" }
    }

    fn generalized(&self, counts: &[u64]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let weights: Vec<f64> = counts.iter().map(|&count| if count == 0 { UNSEEN } else { count as f64 }).collect();
        let most_likely = |elo: f64| match self.model {
            Model::Normalized => most_likely_with_deviations(&weights, normalized_deviations(elo, counts.len())),
            _ => most_likely_with_score(&weights, score_of_elo(elo)),
        };
        let (under_h0, under_h1) = (most_likely(self.elo0), most_likely(self.elo1));
        weights.iter().zip(under_h0.iter().zip(&under_h1)).map(|(weight, (p0, p1))| weight * (p1 / p0).ln()).sum()
    }

    /// The test as BayesElo's model has it: chances of a win, loss and draw from an Elo difference d and a draw parameter e,
    /// P(win) = 1 / (1 + 10^((e - d) / 400)) and P(loss) = 1 / (1 + 10^((e + d) / 400)), e estimated from the results, half
    /// a game added to each count so that the estimate exists.
    fn bayesian(&self, games: &Tally) -> f64 {
        let counts = [games.losses, games.draws, games.wins].map(|count| count as f64 + 0.5);
        let total: f64 = counts.iter().sum();
        let (loss, win) = (counts[0] / total, counts[2] / total);
        let draw_elo = 200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10();
        let chances = |elo: f64| {
            let (win, loss) = (score_of_elo(elo - draw_elo), score_of_elo(-elo - draw_elo));
            [loss, 1.0 - win - loss, win].map(|chance: f64| chance.max(f64::MIN_POSITIVE))
        };
        let (under_h0, under_h1) = (chances(self.elo0), chances(self.elo1));
        (0..3).map(|index| counts[index] * (under_h1[index] / under_h0[index]).ln()).sum()
    }
}

/// A normalized Elo as distance of the mean from ½ in standard deviations of one trial: √2 times more of them in a
/// trial of two games.
fn normalized_deviations(elo: f64, kinds: usize) -> f64 {
    let games_per_trial: f64 = if kinds == 5 { 2.0 } else { 1.0 };
    elo / NORMALIZED_ELO_UNIT * games_per_trial.sqrt()
}

/// The most likely distribution whose mean is `score`, given these observations.
fn most_likely_with_score(weights: &[f64], score: f64) -> Vec<f64> {
    let values: Vec<f64> = scores(weights.len()).map(|value| value - score).collect();
    most_likely_with_zero_mean(weights, &values)
}

/// The most likely distribution whose mean is `deviations` of its own standard deviations above ½.
///
/// With x = score - ½ and t the wanted deviations, the condition is t² E[x²] = (1 + t²) E[x]². Where E[x] is near m, E[x]²
/// may be replaced by its tangent 2 m E[x] - m², which makes the condition linear; solving it and moving m to the new
/// E[x] is repeated until m stands still. (Van den Bergh, *Comments on Normalized Elo*, gives the same step in another form.)
fn most_likely_with_deviations(weights: &[f64], deviations: f64) -> Vec<f64> {
    if deviations == 0.0 {
        return most_likely_with_score(weights, 0.5);
    }
    if deviations < 0.0 {
        let mirrored: Vec<f64> = weights.iter().rev().copied().collect();
        let mut distribution = most_likely_with_deviations(&mirrored, -deviations);
        distribution.reverse();
        return distribution;
    }
    let square = deviations * deviations;
    let mean_of = |distribution: &[f64]| -> f64 {
        distribution.iter().zip(scores(distribution.len())).map(|(chance, score)| chance * (score - 0.5)).sum()
    };
    let mut mean = 0.5;
    let mut distribution = Vec::new();
    for _ in 0..200 {
        let condition = |x: f64| square * x * x - (1.0 + square) * (2.0 * mean * x - mean * mean);
        let values: Vec<f64> = scores(weights.len()).map(|score| condition(score - 0.5)).collect();
        distribution = most_likely_with_zero_mean(weights, &values);
        let moved = mean_of(&distribution);
        let step = (moved - mean).abs();
        mean = moved;
        if step < 1e-13 {
            break;
        }
    }
    distribution
}

/// The most likely distribution over `values` with mean zero, given these observations.
///
/// By Lagrange the chances are p_i = w_i / (W (1 + θ v_i)), with the one θ at which Σ p_i v_i = 0; the sum falls with θ
/// between the poles. Values of one sign only admit no such distribution: the chances then gather on the value
/// nearest to zero.
fn most_likely_with_zero_mean(weights: &[f64], values: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / greatest.max(f64::MIN_POSITIVE), -1.0 / least.min(-f64::MIN_POSITIVE));
    let weighted_mean = |theta: f64| -> f64 {
        weights.iter().zip(values).map(|(weight, value)| weight * value / (1.0 + theta * value)).sum()
    };
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if weighted_mean(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = (low + high) / 2.0;
    let chance = |(weight, value): (&f64, &f64)| (weight / (total * (1.0 + theta * value))).abs();
    let chances: Vec<f64> = weights.iter().zip(values).map(chance).collect();
    let sum: f64 = chances.iter().sum();
    chances.iter().map(|chance| (chance / sum).clamp(f64::MIN_POSITIVE, 1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn assert_near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    #[test]
    fn bounds_of_five_percent() {
        // ln(0.05 / 0.95) = -2.9444, the bound that every public test shows.
        let (lower, upper) = sprt(Model::Normalized, 0.0, 5.0).bounds();
        assert_near(lower, -2.9444, 1e-4);
        assert_near(upper, 2.9444, 1e-4);
    }

    #[test]
    fn logistic_trinomial_value_known_from_the_field() {
        let games = Tally { wins: 880, losses: 759, draws: 1863 };
        let ratio = sprt(Model::Logistic, 0.0, 5.0).log_likelihood_ratio(&games, None);
        assert_near(ratio, 2.95, 0.005);
        // The normal approximation of the same ratio: N (s1 - s0) (2 s - s0 - s1) / (2 variance).
        let (s0, s1) = (0.5, score_of_elo(5.0));
        let counts = games.counts();
        let (mean, variance) = (crate::arena::statistics::mean(&counts), crate::arena::statistics::variance(&counts));
        assert_near(ratio, 3502.0 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance), 0.01);
    }

    #[test]
    fn logistic_ratio_without_draws_by_hand() {
        // Two outcomes leave nothing to estimate: ln L = W ln p + (L) ln (1 - p). The draws stand at 1e-3 and weigh nothing.
        let games = Tally { wins: 70, losses: 30, draws: 0 };
        let ratio = sprt(Model::Logistic, 0.0, 100.0).log_likelihood_ratio(&games, None);
        let p1 = score_of_elo(100.0);
        assert_near(ratio, 70.0 * (p1 / 0.5).ln() + 30.0 * ((1.0 - p1) / 0.5).ln(), 1e-2);
    }

    #[test]
    fn bayesian_ratio_by_hand() {
        // 10 wins, 10 losses, 10 draws with half a game added to each: P(win) = P(loss) = 1/3, so the draw parameter is
        // 200 log10(2 * 2) = 120.412. Under elo 0 all chances are 1/3; under 50 P(win) = 1/(1 + 10^(70.412/400)) = 0.400055,
        // P(loss) = 1/(1 + 10^(170.412/400)) = 0.272688, the draw 0.327257: 10.5 ln(27 * product) = 10.5 * ln(0.963915).
        let games = Tally { wins: 10, losses: 10, draws: 10 };
        let ratio = sprt(Model::Bayesian, 0.0, 50.0).log_likelihood_ratio(&games, None);
        assert_near(ratio, 10.5 * 0.963_915_f64.ln(), 1e-3);
    }

    /// The most likely distribution over three scores with the wanted deviations, found by walking along all of them.
    fn brute_force(weights: [f64; 3], deviations: f64) -> f64 {
        let mut best = f64::NEG_INFINITY;
        let steps = 200_000;
        for step in 1..steps {
            // x = ±½: mean m = (w - l) / 2, E[x²] = (w + l) / 4. With s = w + l and t² s / 4 = (1 + t²) m² the mean follows.
            let decided = step as f64 / steps as f64;
            let square = deviations * deviations;
            let mean = deviations.signum() * (square * decided / (4.0 * (1.0 + square))).sqrt();
            let (win, loss) = (decided / 2.0 + mean, decided / 2.0 - mean);
            if win > 0.0 && loss > 0.0 {
                let logarithm = weights[0] * loss.ln() + weights[1] * (1.0 - decided).ln() + weights[2] * win.ln();
                best = best.max(logarithm);
            }
        }
        best
    }

    #[test]
    fn normalized_trinomial_agrees_with_brute_force() {
        for weights in
            [[300.0, 500.0, 350.0], [759.0, 1863.0, 880.0], [10.0, 1.0, 30.0], [UNSEEN, 5.0, 20.0], [40.0, 7.0, 2.0]]
        {
            for elo in [-300.0, -50.0, -3.0, 2.0, 5.0, 40.0, 200.0] {
                let deviations = normalized_deviations(elo, 3);
                let found = most_likely_with_deviations(&weights, deviations);
                let likelihood: f64 = weights.iter().zip(&found).map(|(weight, chance)| weight * chance.ln()).sum();
                assert_near(likelihood, brute_force(weights, deviations), 1e-3);
                let mean: f64 = (found[2] - found[0]) / 2.0;
                let deviation = ((found[2] + found[0]) / 4.0 - mean * mean).sqrt();
                assert_near(mean / deviation, deviations, 1e-6);
            }
        }
    }

    #[test]
    fn normalized_pairs_near_equality_agree_with_the_normal_approximation() {
        // For small differences the ratio tends to N (t1 - t0) (2 t - t0 - t1) / 2 with t = (mean - ½) / deviation.
        let pairs = PairTally { counts: [400, 2300, 5000, 2500, 420], win_and_loss: 0 };
        let ratio = sprt(Model::Normalized, 0.0, 5.0)
            .log_likelihood_ratio(&Tally { wins: 1, ..Tally::default() }, Some(&pairs));
        let statistics = crate::arena::statistics::variance(&pairs.counts).sqrt();
        let t = (crate::arena::statistics::mean(&pairs.counts) - 0.5) / statistics;
        let (t0, t1) = (0.0, normalized_deviations(5.0, 5));
        assert_near(ratio, pairs.pairs() as f64 * (t1 - t0) * (2.0 * t - t0 - t1) / 2.0, 0.02);
    }

    #[test]
    fn two_won_pairs_as_the_field_prints_them() {
        // Another match runner prints `LLR: 0.16` for pairs [0, 0, 0, 0, 2] at the bounds [0, 20].
        let pairs = PairTally { counts: [0, 0, 0, 0, 2], win_and_loss: 0 };
        let games = Tally { wins: 4, ..Tally::default() };
        assert_near(sprt(Model::Normalized, 0.0, 20.0).log_likelihood_ratio(&games, Some(&pairs)), 0.16, 0.005);
    }

    #[test]
    fn one_sided_results_decide_and_stay_finite() {
        for model in Model::ALL {
            for (elo0, elo1) in [(0.0, 5.0), (-1500.0, -500.0), (0.0, 50.0), (500.0, 1500.0)] {
                let test = sprt(model, elo0, elo1);
                for (wins, losses, draws) in
                    [(20, 0, 0), (0, 20, 0), (0, 0, 20), (1, 0, 0), (0, 1, 0), (7, 3, 1), (5000, 0, 0)]
                {
                    let games = Tally { wins, losses, draws };
                    let pairs = PairTally { counts: [losses / 2, 0, draws / 2, 0, wins / 2], win_and_loss: 0 };
                    for pairs in [None, Some(&pairs)] {
                        let ratio = test.log_likelihood_ratio(&games, pairs);
                        assert!(ratio.is_finite(), "{model} {elo0} {elo1} {games:?} {pairs:?}: {ratio}");
                    }
                }
                let decided = |games: Tally| test.decision(test.log_likelihood_ratio(&games, None));
                assert_eq!(decided(Tally { wins: 100_000, ..Tally::default() }), Some(Decision::H1), "{test:?}");
                assert_eq!(decided(Tally { losses: 100_000, ..Tally::default() }), Some(Decision::H0), "{test:?}");
            }
        }
    }

    #[test]
    fn no_results_decide_nothing() {
        for model in Model::ALL {
            let test = sprt(model, 0.0, 5.0);
            assert_eq!(test.log_likelihood_ratio(&Tally::default(), None), 0.0);
            let only_an_open_pair =
                test.log_likelihood_ratio(&Tally { wins: 1, ..Tally::default() }, Some(&PairTally::default()));
            assert!(only_an_open_pair.abs() < 0.1);
        }
    }

    #[test]
    fn keys_are_read_and_checked() {
        let parse = |text: &str| Sprt::parse(&text.split(' ').map(String::from).collect::<Vec<_>>());
        assert_eq!(parse("elo0=0 elo1=5"), Ok(sprt(Model::Normalized, 0.0, 5.0)));
        let full = parse("elo0=-1 elo1=4 alpha=0.1 beta=0.01 model=logistic").unwrap();
        assert_eq!(full, Sprt { elo0: -1.0, elo1: 4.0, alpha: 0.1, beta: 0.01, model: Model::Logistic });
        for (text, named) in [
            ("elo0=0", "elo1"),
            ("elo0=0 elo1=x", "elo1"),
            ("elo0=5 elo1=0", "elo1"),
            ("elo0=0 elo1=5 alpha=2", "alpha"),
            ("elo0=0 elo1=nan", "elo1"),
            ("elo0=0 elo1=5 model=best", "model"),
            ("elo0=0 elo1=5 elo2=7", "elo2"),
        ] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.contains(named) && message.contains("--sprt"), "{message}");
        }
    }
}
