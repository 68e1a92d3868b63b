//! The root: iterative deepening with aspiration windows, several lines, and the answer.

use std::cmp::Reverse;
use std::time::Duration;

use super::info::{Bound, SearchEvent, SearchInfo};
use super::move_picker::is_noisy;
use super::negamax::{Candidate, Node};
use super::worker::{Line, Worker};
use crate::rules::Outcome;
use crate::types::{MAX_PLY, Move, Score};

/// The greatest nominal depth of a search, in plies; a larger one asked for is cut to it.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 6;

/// After this long the root move that is searched now is told.
const TELL_MOVES_AFTER: Duration = Duration::from_secs(3);

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// From this depth; `-Score::INFINITE` when it was only refuted.
    score: Score,
    /// From the last depth in which it was among the best; `-Score::INFINITE` if it never was.
    earlier_score: Score,
    /// Starts with the move.
    line: Line,
    /// Plies reached below it.
    selective_depth: usize,
    /// Moves made below it in the whole search, by the main thread.
    nodes: u64,
}

/// What a worker brings back.
pub struct Findings {
    /// The best lines of the last depth that was searched to its end, best first; never empty.
    pub lines: Vec<SearchInfo>,
    /// That depth; 0 if not even the first was.
    pub depth: u32,
}

impl Worker<'_> {
    /// Searches deeper and deeper until a bound of the search is reached. `moves` are the root moves, at least one.
    ///
    /// The main thread tells its progress; the others only fill the hash table.
    pub fn deepen(&mut self, moves: &[Move], on_event: &mut dyn FnMut(SearchEvent)) -> Findings {
        let mut root_moves: Vec<RootMove> = moves.iter().map(|&mv| self.unsearched(mv)).collect();
        let mut completed = Vec::new();
        let limits = self.shared.limits;
        let max_depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) as i32;
        let lines = self.shared.lines.min(root_moves.len());
        let mut trust = Trust::default();
        let mut last_told = 0;

        for depth in 1..=max_depth {
            // Helpers spread over two depths, so that they do not all do the same.
            let depth = if self.is_main() { depth } else { (depth + (self.id % 2) as i32).min(max_depth) };
            for first in 0..lines {
                self.aspirate(&mut root_moves, first, depth, on_event);
                if self.is_stopped() {
                    break;
                }
                root_moves[..=first].sort_by_key(|root_move| Reverse(root_move.score));
            }
            if self.is_stopped() {
                break;
            }
            self.completed_depth = depth;
            for root_move in &mut root_moves[..lines] {
                root_move.earlier_score = root_move.score;
            }
            completed = root_moves[..lines].to_vec();
            if !self.is_main() {
                continue;
            }
            last_told = self.shared.total_nodes();
            for info in self.infos(&completed, last_told) {
                on_event(SearchEvent::Info(info));
            }
            trust.update(&root_moves, self.nodes);
            let spent = limits.soft_nodes.is_some_and(|limit| last_told >= limit);
            if spent || self.mate_is_found(&root_moves[0]) || self.enough_thought(&root_moves, depth, &trust) {
                break;
            }
        }
        if completed.is_empty() {
            root_moves.sort_by_key(|root_move| Reverse(root_move.score));
            completed = vec![self.first_guess(root_moves.swap_remove(0))];
        }
        // A depth that was broken off counted nodes that no line has shown yet.
        let broken_off = self.is_stopped();
        let nodes = if broken_off { self.shared.total_nodes() } else { last_told };
        let lines = self.infos(&completed, nodes);
        if self.is_main() && broken_off {
            on_event(SearchEvent::Info(lines[0].clone()));
        }
        Findings { lines, depth: self.completed_depth as u32 }
    }

    fn infos(&mut self, lines: &[RootMove], nodes: u64) -> Vec<SearchInfo> {
        let depth = self.completed_depth.max(1);
        let mut infos: Vec<SearchInfo> =
            (1..).zip(lines).map(|(number, line)| self.info(line, number, depth, nodes)).collect();
        for index in 1..infos.len() {
            // No line passes the one above it, which may be told one lower than its score.
            infos[index].score = infos[index].score.min(infos[index - 1].score);
        }
        infos
    }

    fn unsearched(&self, mv: Move) -> RootMove {
        let mut line = Line::new();
        line.push(mv);
        RootMove { mv, score: -Score::INFINITE, earlier_score: -Score::INFINITE, line, selective_depth: 1, nodes: 0 }
    }

    /// Searches the root moves from `first` on within a window around the score of the depth before, which is widened
    /// until the score lies inside.
    fn aspirate(
        &mut self,
        root_moves: &mut [RootMove],
        first: usize,
        depth: i32,
        on_event: &mut dyn FnMut(SearchEvent),
    ) {
        self.selective_depth = 0;
        let expected = root_moves[first].earlier_score;
        let mut delta = self.shared.parameters.aspiration_window;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= 4 && !expected.is_mate() && expected != -Score::INFINITE {
            alpha = expected - delta;
            beta = expected + delta;
        }
        loop {
            let score = self.search_root(root_moves, first, (alpha, beta), depth, on_event);
            root_moves[first..].sort_by_key(|root_move| Reverse(root_move.score));
            if self.is_stopped() {
                return;
            }
            let bound = Bound::of(score, alpha, beta);
            match bound {
                Bound::Exact => return,
                Bound::Upper => {
                    beta = Score((alpha.0 + beta.0) / 2);
                    alpha = (score - delta).max(-Score::INFINITE);
                }
                Bound::Lower => beta = (score + delta).min(Score::INFINITE),
            }
            if self.is_main() && self.shared.lines == 1 && self.shared.control.elapsed() > TELL_MOVES_AFTER {
                let nodes = self.shared.total_nodes();
                let info = self.info(&root_moves[first], first + 1, depth, nodes);
                on_event(SearchEvent::Info(SearchInfo { bound, ..info }));
            }
            delta += delta / 2 + 4;
            if delta > 600 {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// One search of the root moves from `first` on; each gets its score, or `-Score::INFINITE` where it was refuted.
    fn search_root(
        &mut self,
        root_moves: &mut [RootMove],
        first: usize,
        (mut alpha, beta): (Score, Score),
        depth: i32,
        on_event: &mut dyn FnMut(SearchEvent),
    ) -> Score {
        let position = self.root.clone();
        let check_info = position.check_info();
        let threatened = position.attacked_by_men(!position.turn());
        let earlier = self.earlier_moves(0);
        let in_check = position.in_check();
        let raw_evaluation = (!in_check).then(|| self.raw_evaluation(&position, 0));
        let evaluation = raw_evaluation.map(|raw| self.corrected(&position, raw));
        self.frames[0].evaluation = evaluation;
        self.frames[1].killers = [None; 2];
        self.frames[1].cutoffs = 0;
        self.frames[2].cutoffs = 0;
        let node = Node {
            position: &position,
            alpha,
            beta,
            depth,
            ply: 0,
            in_check,
            evaluation: evaluation.unwrap_or(Score::mated(0)),
            improving: true,
            cut_node: false,
            known: None,
        };
        let mut best = -Score::INFINITE;
        for (index, root_move) in root_moves.iter_mut().enumerate().skip(first) {
            let mv = root_move.mv;
            if self.is_main() && self.shared.control.elapsed() > TELL_MOVES_AFTER {
                on_event(SearchEvent::CurrentMove { depth: depth as u32, mv, number: index + 1 });
            }
            let noisy = is_noisy(&position, mv);
            let history = self.ordering(threatened, earlier, Some(&check_info)).history(&position, mv, noisy);
            let gives_check = check_info.gives_check(&position, mv);
            let candidate = Candidate { mv, number: index - first + 1, noisy, gives_check, history };
            let nodes_before = self.nodes;
            let child = self.make(&position, mv, 0);
            let score = self.search_move::<true>(&node, &candidate, &child, (alpha, beta), depth - 1);
            self.unmake();
            root_move.nodes += self.nodes - nodes_before;
            if self.is_stopped() {
                return best;
            }
            if index > first && score <= alpha {
                root_move.score = -Score::INFINITE;
                continue;
            }
            self.extend_line(0, mv);
            root_move.score = score;
            root_move.line = self.lines[0].clone();
            root_move.selective_depth = self.selective_depth;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The score of a search that was stopped before it had one: an evaluation after the move.
    fn first_guess(&mut self, root_move: RootMove) -> RootMove {
        if root_move.score != -Score::INFINITE {
            return root_move;
        }
        let child = self.root.played(root_move.mv);
        let score = match child.outcome() {
            Some(Outcome::Mate { .. }) => Score::mating(1),
            Some(Outcome::Draw(_)) => Score::DRAW,
            None => -self.raw_evaluation(&child, 1),
        };
        RootMove { score, ..root_move }
    }

    fn info(&mut self, root_move: &RootMove, line: usize, depth: i32, nodes: u64) -> SearchInfo {
        SearchInfo {
            depth: depth as u32,
            selective_depth: root_move.selective_depth as u32,
            line,
            score: self.told_score(root_move),
            bound: Bound::Exact,
            nodes,
            time: self.shared.control.elapsed(),
            hash_full: self.shared.table.permille_full(),
            pv: root_move.line.to_vec(),
        }
    }

    /// Some match runners take a lone move at 0 centipawns for a draw that it makes; where it makes none, it is told as
    /// -1. (As 1 it could pass the line above, and held down to that it could be 0 again.)
    fn told_score(&mut self, root_move: &RootMove) -> Score {
        let looks_drawn = root_move.score == Score::DRAW && root_move.line.len() == 1;
        if looks_drawn && !self.move_draws(root_move.mv) { Score(-1) } else { root_move.score }
    }

    fn move_draws(&mut self, mv: Move) -> bool {
        let child = self.root.played(mv);
        self.path.push(self.root.key());
        let drawn = !child.has_legal_move() || self.draw_by_rule(&child).is_some();
        self.path.pop();
        drawn
    }

    /// True when the mate that was asked for is there.
    fn mate_is_found(&self, best: &RootMove) -> bool {
        match (self.shared.limits.mate, best.score.mate_moves()) {
            (Some(wanted), Some(moves)) => moves > 0 && moves as u32 <= wanted,
            _ => false,
        }
    }

    /// True when beginning another depth is not worth the time.
    fn enough_thought(&self, root_moves: &[RootMove], depth: i32, trust: &Trust) -> bool {
        let Some(soft) = self.shared.budget.soft else { return false };
        // A lone move needs no thought, only a score to tell.
        if root_moves.len() == 1 && depth >= 4 && self.is_past(Some(Duration::ZERO)) {
            return true;
        }
        self.is_past(Some(soft.mul_f64(trust.stretch())))
    }
}

/// How sure the search is of its best move, from one depth to the next.
#[derive(Default)]
struct Trust {
    best: Option<Move>,
    /// Depths for which the best move has been the same.
    steady_for: u32,
    /// By how much the score fell at the last depth, in centipawns.
    fallen: i32,
    last_score: Option<Score>,
    /// The part of all nodes that the best move took, 0 to 1.
    effort: f64,
}

impl Trust {
    fn update(&mut self, root_moves: &[RootMove], nodes: u64) {
        let best = &root_moves[0];
        self.steady_for = if self.best == Some(best.mv) { self.steady_for + 1 } else { 0 };
        self.best = Some(best.mv);
        self.fallen = self.last_score.map_or(0, |last| last.0 - best.score.0);
        self.last_score = Some(best.score);
        self.effort = best.nodes as f64 / nodes.max(1) as f64;
    }

    /// The factor for the soft bound: more for a best move that changes, that others compete with, or that turns out
    /// worse than it seemed.
    fn stretch(&self) -> f64 {
        let change = [1.6, 1.25, 1.05, 0.95, 0.85][self.steady_for.min(4) as usize];
        let rivals = 1.7 - self.effort;
        let fall = (1.0 + f64::from(self.fallen) / 120.0).clamp(0.9, 1.5);
        change * rivals * fall
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Network;
    use crate::rules::{Game, Position};
    use crate::search::tests::shared;
    use crate::search::{Control, Histories, Limits, Parameters, TranspositionTable};

    #[test]
    fn no_lone_move_that_draws_nothing_is_told_as_zero_on_any_line() {
        let (game, limits) = (Game::new(Position::start()), Limits::default());
        let (table, control) = (TranspositionTable::new(1).unwrap(), Control::new(&limits));
        let (parameters, network) = (Parameters::default(), Network::embedded());
        let shared = shared(&table, &control, &limits, &parameters, &network);
        let mut histories = Histories::new();
        let mut worker = Worker::new(&shared, &mut histories, 0, &game);
        let moves = game.position().legal_moves();
        let even = |mv: Move, reply: Option<Move>| {
            let mut root_move = worker.unsearched(mv);
            root_move.line.extend(reply);
            RootMove { score: Score::DRAW, ..root_move }
        };
        let reply = |mv| game.position().played(mv).legal_moves()[0];
        let lines: Vec<RootMove> =
            (0..6).map(|index| even(moves[index], (index % 2 == 0).then(|| reply(moves[index])))).collect();
        for lines in [&lines[..], &lines[1..]] {
            let infos = worker.infos(lines, 1);
            for info in &infos {
                assert!(info.pv.len() > 1 || info.score != Score::DRAW, "{info:?}");
            }
            assert!(infos.is_sorted_by(|above, below| above.score >= below.score), "{infos:?}");
        }
    }
}
