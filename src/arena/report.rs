//! The state of a match as text, in the lines that users of other match runners know, and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::match_settings::MatchSettings;
use super::schedule::Schedule;
use super::sprt::{Decision, Sprt};
use super::standings::{GameSummary, PairingStanding, Standings};
use super::statistics::{Estimate, Tally, elo, likelihood_of_superiority, normalized_elo};

/// A number with decimals; `inf` and `nan` in the words of the field, and no negative zero.
fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}").to_lowercase();
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.into(),
        _ => text,
    }
}

fn estimate(estimate: Estimate, decimals: usize) -> String {
    format!("{} +/- {}", number(estimate.value, decimals), number(estimate.error, decimals))
}

/// `3 - 0 - 0  [1.000] 3`: wins, losses, draws, score, games.
fn score(tally: &Tally) -> String {
    format!("{} - {} - {}  [{:.3}] {}", tally.wins, tally.losses, tally.draws, tally.score(), tally.games())
}

/// Draws up reports on one match.
pub struct Reporter<'a> {
    settings: &'a MatchSettings,
    schedule: &'a Schedule,
}

impl<'a> Reporter<'a> {
    pub fn new(settings: &'a MatchSettings, schedule: &'a Schedule) -> Reporter<'a> {
        Reporter { settings, schedule }
    }

    fn name(&self, engine: usize) -> &'a str {
        &self.settings.engines[engine].name
    }

    /// `Finished game 1 (A vs B): 1-0 {White mates}`
    pub fn finished_game(&self, game: &GameSummary) -> String {
        let (white, black) = (self.name(game.white), self.name(game.black));
        let (result, reason) = (game.ending.result.text(), &game.ending.reason);
        format!("Finished game {} ({white} vs {black}): {result} {{{reason}}}", game.number)
    }

    /// What an engine did wrong, in one line; `None` when the game has no incident.
    pub fn incident(&self, game: &GameSummary) -> Option<String> {
        let (engine, incident) = (game.at_fault()?, game.incident.as_ref()?);
        let color = if engine == game.white { "White" } else { "Black" };
        Some(format!("game {}, {} ({color}): {incident}", game.number, self.name(engine)))
    }

    /// `Score of A vs B: 3 - 0 - 0  [1.000] 3`
    pub fn score_line(&self, pairing: &PairingStanding) -> String {
        let (first, second) = (self.name(pairing.first), self.name(pairing.second));
        format!("Score of {first} vs {second}: {}", score(&pairing.games))
    }

    /// True when no game of the schedule is left.
    pub fn is_last(&self, standings: &Standings) -> bool {
        standings.games() >= self.schedule.total()
    }

    /// The scores and the test so far, without a newline at the end.
    pub fn interval_lines(&self, standings: &Standings) -> String {
        let mut lines: Vec<String> = standings.pairings.iter().map(|pairing| self.score_line(pairing)).collect();
        if let [pairing] = &standings.pairings[..] {
            let elo = estimate(elo(&statistical_counts(standings, pairing)), 1);
            lines.push(format!("Elo difference: {elo}"));
        }
        if let Some(sprt) = &self.settings.sprt {
            lines.push(sprt_line(sprt, standings).trim_end().into());
        }
        lines.join("\n")
    }

    /// The state in a few words, for a live line.
    pub fn brief(&self, standings: &Standings) -> String {
        let [pairing] = &standings.pairings[..] else {
            let games = standings.games();
            return format!("{games} of {} games", self.schedule.total());
        };
        let elo = estimate(elo(&statistical_counts(standings, pairing)), 1);
        let mut text = format!("{}  Elo {elo}", score(&pairing.games));
        if let Some(sprt) = &self.settings.sprt {
            let ratio = log_likelihood_ratio(sprt, standings);
            let _ = write!(text, "  LLR {ratio:.2} ({})", percent_of_bound(sprt, ratio));
        }
        text
    }

    /// Everything: scores, Elo, test, pairs, ends, depth and speed.
    pub fn table(&self, standings: &Standings) -> String {
        let mut text = String::new();
        if self.settings.engines.len() > 2 {
            text.push_str(&self.ranking(standings));
        }
        for pairing in &standings.pairings {
            text.push_str(&self.pairing_lines(standings, pairing));
        }
        text.push_str(&ends_line(standings));
        text.push_str(&self.effort_lines(standings));
        text
    }

    fn pairing_lines(&self, standings: &Standings, pairing: &PairingStanding) -> String {
        let (first, second) = (self.name(pairing.first), self.name(pairing.second));
        let counts = statistical_counts(standings, pairing);
        let superiority = 100.0 * likelihood_of_superiority(&counts);
        let draws = 100.0 * pairing.games.draw_ratio();
        let mut text = self.score_line(pairing);
        let _ = write!(
            text,
            "\n...      {first} playing White: {}\n...      {first} playing Black: {}\n...      White vs Black: {}\n\
             Elo difference: {}, LOS: {superiority:.1} %, DrawRatio: {draws:.1} %\n",
            score(&pairing.with_white),
            score(&pairing.with_black),
            score(&pairing.white),
            estimate(elo(&counts), 1),
        );
        if let Some(sprt) = &self.settings.sprt {
            text.push_str(&sprt_line(sprt, standings));
        }
        let conditions = self.conditions(pairing);
        let _ = writeln!(text, "Results of {first} vs {second} ({conditions}), Elo and points of {first}:");
        text.push_str(&detail_lines(standings, pairing, &counts));
        if let Some(sprt) = &self.settings.sprt {
            text.push_str(&ratio_lines(sprt, standings));
        }
        text
    }

    /// Limits and openings of a pairing.
    fn conditions(&self, pairing: &PairingStanding) -> String {
        let limits = |engine: usize| {
            let limits = self.settings.engines[engine].limits.describe();
            if limits.is_empty() { "no limit".into() } else { limits }
        };
        let (first, second) = (limits(pairing.first), limits(pairing.second));
        let limits = if first == second { first } else { format!("{first} against {second}") };
        match self.settings.openings.as_ref().and_then(|openings| openings.file.file_name()) {
            Some(file) => format!("{limits}, {}", file.display()),
            None => limits,
        }
    }

    /// All engines by points, with Elo against the field that each has met.
    fn ranking(&self, standings: &Standings) -> String {
        let mut ranked: Vec<(usize, Tally)> =
            (0..self.settings.engines.len()).map(|engine| (engine, standings.of_engine(engine))).collect();
        ranked.sort_by(|(_, a), (_, b)| b.score().total_cmp(&a.score()));
        let mut text = format!(
            "{:>4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
            "Rank", "Name", "Elo", "+/-", "Games", "Wins", "Losses", "Draws", "Points", "Score", "Draw"
        );
        for (rank, (engine, tally)) in ranked.iter().enumerate() {
            let elo = elo(&tally.counts());
            let _ = writeln!(
                text,
                "{:>4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6.1}% {:>6.1}%",
                rank + 1,
                self.name(*engine),
                number(elo.value, 0),
                number(elo.error, 0),
                tally.games(),
                tally.wins,
                tally.losses,
                tally.draws,
                format!("{:.1}", tally.points()),
                100.0 * tally.score(),
                100.0 * tally.draw_ratio()
            );
        }
        text
    }

    fn effort_lines(&self, standings: &Standings) -> String {
        let mut text = String::new();
        for (engine, effort) in standings.efforts.iter().enumerate() {
            let (depth, speed) = (effort.mean_depth(), effort.nodes_per_second());
            let _ = writeln!(text, "Speed of {}: mean depth {depth:.1}, {speed:.0} nps", self.name(engine));
        }
        text
    }

    /// A finished game for machines.
    pub fn game_json(&self, game: &GameSummary) -> Value {
        json!({
            "event": "game",
            "number": game.number,
            "white": self.name(game.white),
            "black": self.name(game.black),
            "result": game.ending.result,
            "end": game.ending.kind,
            "reason": game.ending.reason,
            "plies": game.plies,
            "at_fault": game.at_fault().map(|engine| self.name(engine)),
            "incident": game.incident,
        })
    }

    /// The state of the match for machines. Numbers that do not exist, such as the error of an infinite Elo, are null.
    pub fn match_json(&self, standings: &Standings, end: &str) -> Value {
        let effort = |engine: usize| {
            let effort = &standings.efforts[engine];
            json!({
                "name": self.name(engine),
                "games": standings.of_engine(engine),
                "points": standings.of_engine(engine).points(),
                "faults": standings.faults[engine],
                "mean_depth": effort.mean_depth(),
                "nps": effort.nodes_per_second(),
            })
        };
        let ends: Vec<Value> =
            standings.ends.iter().map(|(kind, count)| json!({ "end": kind, "games": count })).collect();
        json!({
            "event": "match",
            "end": end,
            "games": standings.games(),
            "scheduled": self.schedule.total(),
            "srand": self.settings.seed,
            "engines": (0..self.settings.engines.len()).map(effort).collect::<Vec<_>>(),
            "pairings": standings.pairings.iter().map(|pairing| self.pairing_json(standings, pairing)).collect::<Vec<_>>(),
            "ends": ends,
        })
    }

    fn pairing_json(&self, standings: &Standings, pairing: &PairingStanding) -> Value {
        let counts = statistical_counts(standings, pairing);
        let pairs = standings.in_pairs.then(|| {
            json!({
                "pentanomial": pairing.pairs.counts,
                "win_and_loss": pairing.pairs.win_and_loss,
                "pairs_ratio": pairing.pairs.pairs_ratio(),
                "draw_ratio": pairing.pairs.draw_ratio(),
            })
        });
        json!({
            "first": self.name(pairing.first),
            "second": self.name(pairing.second),
            "games": pairing.games,
            "score": pairing.games.score(),
            "points": pairing.games.points(),
            "first_with_white": pairing.with_white,
            "first_with_black": pairing.with_black,
            "white_vs_black": pairing.white,
            "elo_of_first": elo(&counts),
            "normalized_elo_of_first": normalized_elo(&counts),
            "los": likelihood_of_superiority(&counts),
            "draw_ratio": pairing.games.draw_ratio(),
            "pairs": pairs,
            "sprt": self.settings.sprt.as_ref().map(|sprt| sprt_json(sprt, standings)),
        })
    }
}

/// The counts that Elo and errors are taken from: pairs where the match is made of them and one is finished, else games.
fn statistical_counts(standings: &Standings, pairing: &PairingStanding) -> Vec<u64> {
    if standings.in_pairs && pairing.pairs.pairs() > 0 {
        pairing.pairs.counts.to_vec()
    } else {
        pairing.games.counts().to_vec()
    }
}

/// The ratio of a match between two engines.
pub fn log_likelihood_ratio(sprt: &Sprt, standings: &Standings) -> f64 {
    let pairing = &standings.pairings[0];
    sprt.log_likelihood_ratio(&pairing.games, standings.in_pairs.then_some(&pairing.pairs))
}

/// How far the ratio has come on the way to the bound on its side of zero.
fn percent_of_bound(sprt: &Sprt, ratio: f64) -> String {
    let (lower, upper) = sprt.bounds();
    let percent = 100.0 * if ratio < 0.0 { -ratio / lower } else { ratio / upper };
    format!("{percent:.1}%")
}

/// What the test has come to: the decision that ended the match, or else what the ratio says.
pub fn decision(sprt: &Sprt, standings: &Standings) -> Option<Decision> {
    standings.decision.or_else(|| sprt.decision(log_likelihood_ratio(sprt, standings)))
}

fn sprt_line(sprt: &Sprt, standings: &Standings) -> String {
    let ratio = log_likelihood_ratio(sprt, standings);
    let (lower, upper) = sprt.bounds();
    let verdict = match decision(sprt, standings) {
        Some(Decision::H0) => " - H0 was accepted",
        Some(Decision::H1) => " - H1 was accepted",
        None => "",
    };
    let percent = percent_of_bound(sprt, ratio);
    format!("SPRT: llr {ratio:.2} ({percent}), lbound {lower:.2}, ubound {upper:.2}{verdict}\n")
}

fn ratio_lines(sprt: &Sprt, standings: &Standings) -> String {
    let ratio = log_likelihood_ratio(sprt, standings);
    let (lower, upper) = sprt.bounds();
    let (elo0, elo1, percent) = (sprt.elo0, sprt.elo1, percent_of_bound(sprt, ratio));
    format!(
        "LLR: {ratio:.2} ({percent}) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]\nSPRT model: {}, {}\n",
        sprt.model,
        sprt.trials(standings.in_pairs)
    )
}

fn sprt_json(sprt: &Sprt, standings: &Standings) -> Value {
    let ratio = log_likelihood_ratio(sprt, standings);
    let (lower, upper) = sprt.bounds();
    json!({
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "model": sprt.model,
        "trials": sprt.trials(standings.in_pairs),
        "llr": ratio,
        "lower_bound": lower,
        "upper_bound": upper,
        "accepted": decision(sprt, standings),
    })
}

fn detail_lines(standings: &Standings, pairing: &PairingStanding, counts: &[u64]) -> String {
    let (games, pairs) = (&pairing.games, &pairing.pairs);
    let superiority = 100.0 * likelihood_of_superiority(counts);
    let draw_ratio = 100.0 * if standings.in_pairs { pairs.draw_ratio() } else { games.draw_ratio() };
    let mut text = format!("Elo: {}, nElo: {}\n", estimate(elo(counts), 2), estimate(normalized_elo(counts), 2));
    let _ = write!(text, "LOS: {superiority:.2} %, DrawRatio: {draw_ratio:.2} %");
    if standings.in_pairs {
        let _ = write!(text, ", PairsRatio: {}", number(pairs.pairs_ratio(), 2));
    }
    let _ = writeln!(
        text,
        "\nGames: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
        games.games(),
        games.wins,
        games.losses,
        games.draws,
        games.points(),
        100.0 * games.score()
    );
    if standings.in_pairs {
        let ratio = number(pairs.win_loss_ratio(), 2);
        let _ = writeln!(text, "Ptnml(0-2): {:?}, WL/DD Ratio: {ratio}", pairs.counts);
    }
    text
}

fn ends_line(standings: &Standings) -> String {
    let ends: Vec<String> = standings.ends.iter().map(|(kind, count)| format!("{} {count}", kind.name())).collect();
    format!("Ends: {}\n", if ends.is_empty() { "none".into() } else { ends.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_field_does() {
        let written =
            [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -0.0, -0.004, -0.06, 12.345].map(|value| number(value, 1));
        assert_eq!(written, ["inf", "-inf", "nan", "0.0", "0.0", "-0.1", "12.3"]);
    }
}
