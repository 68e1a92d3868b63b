//! Test suites: positions whose answer is known.

use std::time::Duration;

use crate::search::SearchInfo;
use crate::types::{Move, Score};

/// What a position asks for; all that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goals {
    /// `bm`: one of these must be chosen, if there are any.
    pub best: Vec<Move>,
    /// `am`: none of these may be chosen.
    pub avoid: Vec<Move>,
    /// `dm`: a mate in this many moves or fewer must be seen.
    pub mate_in: Option<u32>,
}

impl Goals {
    pub fn is_empty(&self) -> bool {
        *self == Goals::default()
    }

    /// True when a move with its score reaches all the goals.
    pub fn are_reached_by(&self, choice: Option<Move>, score: Score) -> bool {
        let Some(choice) = choice else { return false };
        let has_best = self.best.is_empty() || self.best.contains(&choice);
        let has_mate = self
            .mate_in
            .is_none_or(|wanted| score.mate_moves().is_some_and(|moves| moves > 0 && moves as u32 <= wanted));
        has_best && has_mate && !self.avoid.contains(&choice)
    }
}

/// How a search did on a position with goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// When the answer was found that stood to the end; `None` if it was not.
    pub solution: Option<Solution>,
}

impl Verdict {
    pub fn is_solved(self) -> bool {
        self.solution.is_some()
    }
}

/// What it took to find an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    pub time: Duration,
    pub nodes: u64,
    /// Plies.
    pub depth: u32,
}

/// Watches a search for the moment from which it held the answer.
pub struct Watch<'a> {
    goals: &'a Goals,
    since: Option<Solution>,
}

impl<'a> Watch<'a> {
    pub fn new(goals: &'a Goals) -> Watch<'a> {
        Watch { goals, since: None }
    }

    /// Takes the best line of a search at some time.
    pub fn see(&mut self, info: &SearchInfo) {
        if !self.goals.are_reached_by(info.pv.first().copied(), info.score) {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some(Solution { time: info.time, nodes: info.nodes, depth: info.depth });
        }
    }

    /// What came of it when the last line seen was the answer; `None` where nothing was asked for.
    pub fn verdict(&self) -> Option<Verdict> {
        (!self.goals.is_empty()).then_some(Verdict { solution: self.since })
    }
}

/// The sum over a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub total: usize,
    pub solved: usize,
    /// Over the solved positions.
    pub time: Duration,
    pub nodes: u64,
}

impl Tally {
    pub fn add(&mut self, verdict: Verdict) {
        self.total += 1;
        if let Some(solution) = verdict.solution {
            self.solved += 1;
            self.time += solution.time;
            self.nodes += solution.nodes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Position, parse_san};
    use crate::search::Bound;

    fn mv(text: &str) -> Move {
        parse_san(&Position::start(), text).unwrap()
    }

    #[test]
    fn all_goals_must_be_reached() {
        let both = Goals { best: vec![mv("e4"), mv("c4")], avoid: vec![mv("c4")], mate_in: None };
        assert!(both.are_reached_by(Some(mv("e4")), Score(0)));
        assert!(!both.are_reached_by(Some(mv("c4")), Score(0)));
        assert!(!both.are_reached_by(Some(mv("a3")), Score(0)));
        assert!(!both.are_reached_by(None, Score(0)));
        let mate = Goals { mate_in: Some(2), ..Goals::default() };
        assert!(mate.are_reached_by(Some(mv("e4")), Score::mating(3)));
        assert!(mate.are_reached_by(Some(mv("e4")), Score::mating(1)));
        assert!(!mate.are_reached_by(Some(mv("e4")), Score::mating(5)));
        assert!(!mate.are_reached_by(Some(mv("e4")), Score::mated(2)));
        assert!(!mate.are_reached_by(Some(mv("e4")), Score(900)));
    }

    #[test]
    fn the_time_counts_from_the_last_change_to_the_answer() {
        let goals = Goals { best: vec![mv("e4")], ..Goals::default() };
        let seen = |texts: &[&str]| {
            let mut watch = Watch::new(&goals);
            for (index, text) in texts.iter().enumerate() {
                watch.see(&SearchInfo {
                    depth: index as u32 + 1,
                    selective_depth: 1,
                    line: 1,
                    score: Score(0),
                    bound: Bound::Exact,
                    nodes: 100 * (index as u64 + 1),
                    time: Duration::from_millis(index as u64),
                    hash_full: 0,
                    pv: vec![mv(text)],
                });
            }
            watch.verdict().unwrap().solution
        };
        assert_eq!(seen(&["e4", "c4", "e4", "e4"]).map(|solution| (solution.depth, solution.nodes)), Some((3, 300)));
        assert_eq!(seen(&["e4", "c4"]), None);
        assert_eq!(Watch::new(&Goals::default()).verdict(), None);
        let mut tally = Tally::default();
        tally.add(Verdict { solution: seen(&["e4"]) });
        tally.add(Verdict { solution: None });
        assert_eq!((tally.solved, tally.total, tally.nodes), (1, 2, 100));
    }
}
