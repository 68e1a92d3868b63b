//! The tree below the root: principal variation search with its cuts, reductions and extensions.

use super::history::PieceTo;
use super::info::Bound;
use super::move_picker::{MovePicker, captured_kind, is_noisy};
use super::reductions::PLY_PARTS;
use super::static_exchange::static_exchange_reaches;
use super::transposition::Entry;
use super::worker::Worker;
use crate::rules::Position;
use crate::types::{Bitboard, Kind, MAX_PLY, Move, MoveList, Score};

/// What is known of a node before its moves are tried.
pub(super) struct Node<'a> {
    pub position: &'a Position,
    pub alpha: Score,
    pub beta: Score,
    /// Plies left to search.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    pub in_check: bool,
    /// The corrected static evaluation, sharpened by the hash table; a mate against the side to move when in check.
    pub evaluation: Score,
    /// The side to move stands better than at its last move.
    pub improving: bool,
    /// A null window in which some move is expected to fail high.
    pub cut_node: bool,
    pub known: Option<Entry>,
}

impl Bound {
    /// What a score says, found by searching a window.
    pub(super) fn of(score: Score, alpha: Score, beta: Score) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

impl Entry {
    /// True when the stored score alone answers the window.
    pub(super) fn settles(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// True when the stored score is a better estimate than an evaluation on the other side of its bound.
    pub(super) fn bounds(&self, evaluation: Score) -> bool {
        !self.score.is_mate()
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score > evaluation,
                Bound::Upper => self.score < evaluation,
            }
    }
}

impl Worker<'_> {
    /// The worth of a position for the side to move, within the window. With `PV` the window is open and the best line
    /// is kept; without it the window is null.
    pub(super) fn negamax<const PV: bool>(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (PV || beta == alpha + 1));
        debug_assert!(ply > 0 && !(PV && cut_node));
        if depth <= 0 {
            return self.quiescence::<PV>(position, alpha, beta, ply);
        }
        self.lines[ply].clear();
        if self.check_bounds() {
            return Score::DRAW;
        }
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(score) = self.draw_by_rule(position) {
            return score;
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { Score::DRAW } else { self.raw_evaluation(position, ply) };
        }
        // Mate-distance pruning: no line from here is better than mating at once or worse than being mated now.
        let alpha = alpha.max(Score::mated(ply));
        let beta = beta.min(Score::mating(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let excluded = self.frames[ply].excluded;
        let known = if excluded.is_some() { None } else { self.shared.table.probe(position.key(), ply) };
        // A stored fail low is trusted only from a deeper search: it speaks of all moves, a fail high of one.
        if let Some(entry) = &known
            && !PV
            && entry.depth >= depth + i32::from(entry.score < beta)
            && entry.settles(alpha, beta)
            && position.halfmove_clock() < 90
        {
            return entry.score;
        }

        let raw_evaluation = if in_check {
            None
        } else {
            Some(known.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.raw_evaluation(position, ply)))
        };
        let mut node = Node {
            position,
            alpha,
            beta,
            depth,
            ply,
            in_check,
            evaluation: Score::mated(ply),
            improving: false,
            cut_node,
            known,
        };
        self.set_evaluation(&mut node, raw_evaluation);
        self.frames[ply + 1].killers = [None; 2];
        // Counted over all replies to all moves of this node.
        self.frames[ply + 2].cutoffs = 0;

        // Right after a root move such guesses would hide quiet threats, as an anti-mate in two, from the choice of the
        // move itself.
        let after_root_move = ply == 1;
        if !PV && !in_check && excluded.is_none() && !after_root_move {
            if let Some(score) = self.reverse_futility(&node) {
                if let Some(raw) = raw_evaluation.filter(|_| known.is_none()) {
                    self.remember_evaluation(position, ply, raw);
                }
                return score;
            }
            if let Some(score) = self.razoring(&node) {
                return score;
            }
            if let Some(score) = self.null_move(&node, raw_evaluation) {
                return score;
            }
        }
        node.depth -= internal_iterative_reduction::<PV>(&node, excluded);
        self.search_moves::<PV>(&node, raw_evaluation)
    }

    /// A draw by repetition or by the fifty-move rule, if the position is one.
    #[inline]
    pub(super) fn draw_by_rule(&self, position: &Position) -> Option<Score> {
        let clock = position.halfmove_clock();
        let fifty_moves = clock >= 100 && (!position.in_check() || position.has_legal_move());
        (fifty_moves || self.path.is_repetition(position.key(), clock)).then_some(Score::DRAW)
    }

    /// The static evaluation as the errors of earlier ones correct it.
    #[inline]
    pub(super) fn corrected(&self, position: &Position, raw: Score) -> Score {
        (raw + self.histories.corrections.get(position)).clamped_to_evaluation()
    }

    fn set_evaluation(&mut self, node: &mut Node, raw: Option<Score>) {
        let Some(raw) = raw else {
            self.frames[node.ply].evaluation = None;
            return;
        };
        let corrected = self.corrected(node.position, raw);
        self.frames[node.ply].evaluation = Some(corrected);
        node.evaluation = match node.known {
            Some(entry) if entry.bounds(corrected) => entry.score,
            _ => corrected,
        };
        let before =
            [2, 4].into_iter().find_map(|back| node.ply.checked_sub(back).and_then(|ply| self.frames[ply].evaluation));
        node.improving = before.is_some_and(|before| corrected > before);
    }

    fn search_moves<const PV: bool>(&mut self, node: &Node, raw_evaluation: Option<Score>) -> Score {
        let &Node { position, beta, depth, ply, .. } = node;
        let mut alpha = node.alpha;
        let excluded = self.frames[ply].excluded;
        let hash_move = node.known.and_then(|entry| entry.mv);
        let mut picker = MovePicker::new(hash_move, self.frames[ply].killers);
        let check_info = position.check_info();
        let threatened = position.attacked_by_men(!position.turn());
        let earlier = self.earlier_moves(ply);

        let mut best = Score::mated(ply);
        let mut best_move = None;
        let mut number = 0;
        let mut quiets_tried = MoveList::new();
        let mut noisies_tried = MoveList::new();
        while let Some(mv) = picker.next(position, &self.ordering(threatened, earlier, Some(&check_info))) {
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            let noisy = is_noisy(position, mv);
            let gives_check = check_info.gives_check(position, mv);
            let history = self.ordering(threatened, earlier, Some(&check_info)).history(position, mv, noisy);
            let candidate = Candidate { mv, number, noisy, gives_check, history };
            // A move is pruned only once some other is known not to be mated.
            if best > Score::mated(MAX_PLY) {
                if self.comes_too_late(node, &candidate) {
                    picker.skip_quiet();
                    continue;
                }
                let pruned = self.is_futile::<PV>(node, &candidate, alpha)
                    || self.has_bad_history(node, &candidate)
                    || self.loses_exchange(node, &candidate);
                if pruned {
                    continue;
                }
            }
            let extension = match self.singular_extension::<PV>(node, &candidate) {
                Singular::Cut(score) => return score,
                Singular::Extension(0) => self.check_extension(node, &candidate),
                Singular::Extension(plies) => plies,
            };
            let child = self.make(position, mv, ply);
            let new_depth = depth - 1 + extension;
            let window = (alpha, beta);
            let score = self.search_move::<PV>(node, &candidate, &child, window, new_depth);
            self.unmake();
            if self.is_stopped() {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        self.frames[ply].cutoffs += u32::from(excluded.is_none());
                        break;
                    }
                    alpha = score;
                }
            }
            if noisy {
                noisies_tried.push(mv);
            } else {
                quiets_tried.push(mv);
            }
        }

        if number == 0 {
            // All that was left out does not exist for a search with an excluded move.
            return if excluded.is_some() {
                node.alpha
            } else if node.in_check {
                Score::mated(ply)
            } else {
                Score::DRAW
            };
        }
        let bound = Bound::of(best, node.alpha, beta);
        if let Some(mv) = best_move.filter(|_| bound == Bound::Lower) {
            self.reward(node, threatened, mv, &quiets_tried, &noisies_tried);
        }
        if excluded.is_none() {
            self.remember(node, best, best_move, bound, raw_evaluation, PV);
        }
        best
    }

    /// Searches a move: the first with the full window, later ones reduced and with a null window first, again in full
    /// where they surprise (Chess Programming Wiki, "Principal Variation Search").
    pub(super) fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        child: &Position,
        (alpha, beta): (Score, Score),
        new_depth: i32,
    ) -> Score {
        let ply = node.ply + 1;
        if candidate.number == 1 {
            return if PV {
                -self.negamax::<true>(child, -beta, -alpha, new_depth, ply, false)
            } else {
                -self.negamax::<false>(child, -beta, -alpha, new_depth, ply, !node.cut_node)
            };
        }
        let reduction = self.late_move_reduction::<PV>(node, candidate);
        let reduced_depth = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
        let mut score = -self.negamax::<false>(child, -alpha - 1, -alpha, reduced_depth, ply, true);
        if score > alpha && reduced_depth < new_depth {
            score = -self.negamax::<false>(child, -alpha - 1, -alpha, new_depth, ply, !node.cut_node);
        }
        if PV && score > alpha {
            score = -self.negamax::<true>(child, -beta, -alpha, new_depth, ply, false);
        }
        score
    }

    fn remember(
        &mut self,
        node: &Node,
        best: Score,
        best_move: Option<Move>,
        bound: Bound,
        raw_evaluation: Option<Score>,
        pv: bool,
    ) {
        let was_pv = pv || node.known.is_some_and(|entry| entry.was_pv);
        let entry = Entry { mv: best_move, score: best, evaluation: raw_evaluation, depth: node.depth, bound, was_pv };
        self.shared.table.store(node.position.key(), node.ply, entry);
        self.learn_correction(node, best, best_move, bound);
    }

    /// Learns how far the static evaluation was from what the search found, where that says something about it.
    fn learn_correction(&mut self, node: &Node, best: Score, best_move: Option<Move>, bound: Bound) {
        let Some(evaluation) = self.frames[node.ply].evaluation else { return };
        let by_capture = best_move.is_some_and(|mv| is_noisy(node.position, mv));
        let says_nothing = by_capture
            || best.is_mate()
            || bound == Bound::Lower && best <= evaluation
            || bound == Bound::Upper && best >= evaluation;
        if !says_nothing {
            self.histories.corrections.update(node.position, best.0 - evaluation.0, node.depth);
        }
    }

    /// A move that failed high is worth more from now on, those tried before it in vain less.
    fn reward(
        &mut self,
        node: &Node,
        threatened: Bitboard,
        mv: Move,
        quiets_tried: &MoveList,
        noisies_tried: &MoveList,
    ) {
        let position = node.position;
        let bonus = (230 * node.depth - 60).min(1_700);
        if is_noisy(position, mv) {
            self.update_capture(position, mv, bonus);
        } else {
            let killers = &mut self.frames[node.ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            self.update_quiet(node, threatened, mv, bonus);
            for &other in quiets_tried {
                self.update_quiet(node, threatened, other, -bonus);
            }
        }
        for &other in noisies_tried {
            self.update_capture(position, other, -bonus);
        }
    }

    fn update_quiet(&mut self, node: &Node, threatened: Bitboard, mv: Move, bonus: i32) {
        let &Node { position, ply, .. } = node;
        let Some(mover) = position.piece_on(mv.from()) else { return };
        self.histories.quiet.update(position.turn(), mv, threatened, bonus);
        let now = PieceTo::new(mover, mv);
        let earlier_moves = self.earlier_moves(ply);
        for (history, earlier) in self.histories.continuation.iter_mut().zip(earlier_moves) {
            if let Some(earlier) = earlier {
                history.update(earlier, now, bonus);
            }
        }
    }

    fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let Some(mover) = position.piece_on(mv.from()) else { return };
        self.histories.capture.update(mover, mv, captured_kind(position, mv), bonus);
    }
}

/// A move about to be searched.
pub(super) struct Candidate {
    pub mv: Move,
    /// From 1, in the order of trying.
    pub number: usize,
    pub noisy: bool,
    /// On either royal man.
    pub gives_check: bool,
    /// How well it did before, in units of history; quiet moves have the sum of four, captures one.
    pub history: i32,
}

/// What the test of the hash move says.
enum Singular {
    Extension(i32),
    /// Several moves fail high: so does the node.
    Cut(Score),
}

/// A node without a hash move is searched less deep: it is likely to be unimportant, and the next iteration will have
/// one (Chess Programming Wiki, "Internal Iterative Reductions").
fn internal_iterative_reduction<const PV: bool>(node: &Node, excluded: Option<Move>) -> i32 {
    let has_move = node.known.is_some_and(|entry| entry.mv.is_some());
    i32::from((PV || node.cut_node) && node.depth >= 4 && !has_move && excluded.is_none())
}

impl Worker<'_> {
    /// Reverse futility: so far above beta that a search this shallow will hardly bring it below.
    fn reverse_futility(&self, node: &Node) -> Option<Score> {
        let parameters = self.shared.parameters;
        let margin = parameters.reverse_futility_margin * (node.depth - i32::from(node.improving));
        let holds = node.depth <= parameters.reverse_futility_depth
            && !node.beta.is_mate()
            && node.evaluation - margin >= node.beta;
        holds.then(|| Score((node.evaluation.0 + node.beta.0) / 2).clamped_to_evaluation())
    }

    /// Razoring: so far below alpha that only captures could help; if they do not, the node fails low.
    fn razoring(&mut self, node: &Node) -> Option<Score> {
        let parameters = self.shared.parameters;
        let margin = parameters.razoring_margin * node.depth;
        if node.depth > parameters.razoring_depth || node.alpha.is_mate() || node.evaluation + margin >= node.alpha {
            return None;
        }
        let score = self.quiescence::<false>(node.position, node.alpha, node.alpha + 1, node.ply);
        (score <= node.alpha).then_some(score)
    }

    /// Null move: if passing still fails high, a move will (Chess Programming Wiki, "Null Move Pruning"). Never in check on
    /// either royal man, where passing is not possible, and not without officers, where having to move can hurt.
    fn null_move(&mut self, node: &Node, raw_evaluation: Option<Score>) -> Option<Score> {
        let &Node { position, beta, depth, ply, .. } = node;
        let has_officers = has_officers(position);
        let twice_in_a_row = self.frames[ply - 1].moved.is_none();
        if depth < 3
            || node.evaluation < beta
            || beta.is_mate()
            || twice_in_a_row
            || !has_officers
            || ply < self.null_move_floor
        {
            return None;
        }
        let parameters = self.shared.parameters;
        let surplus = (node.evaluation.0 - beta.0) / parameters.null_move_evaluation_divisor;
        let reduction = parameters.null_move_base + depth / parameters.null_move_divisor + surplus.min(3);
        let child = self.make_null(position, ply);
        let score = -self.negamax::<false>(&child, -beta, -beta + 1, depth - reduction, ply + 1, !node.cut_node);
        self.unmake();
        if self.is_stopped() || score < beta {
            return None;
        }
        let score = if score.is_mate() { beta } else { score };
        if depth < 12 || self.null_move_floor > 0 {
            return Some(score);
        }
        // Deep down a cut is verified by moves, and without null moves, as the side to move may be in zugzwang.
        let verification_depth = (depth - reduction).max(1);
        self.null_move_floor = ply + 3 * verification_depth as usize / 4;
        let verification = Node { alpha: beta - 1, depth: verification_depth, cut_node: false, ..*node };
        let verified = self.search_moves::<false>(&verification, raw_evaluation);
        self.null_move_floor = 0;
        (verified >= beta).then_some(score)
    }

    /// Late move pruning: so many moves were tried at a shallow depth that quiet ones are left out from this one on. A
    /// check does not begin that, but is left out after it.
    fn comes_too_late(&self, node: &Node, candidate: &Candidate) -> bool {
        let allowed = self.shared.parameters.late_move_base + node.depth * node.depth;
        let allowed = if node.improving { allowed } else { allowed / 2 };
        !node.in_check && !candidate.noisy && !candidate.gives_check && candidate.number as i32 > allowed
    }

    /// Futility pruning: a quiet move that gives no check will not lift a position this far below alpha.
    fn is_futile<const PV: bool>(&self, node: &Node, candidate: &Candidate, alpha: Score) -> bool {
        let parameters = self.shared.parameters;
        let margin = parameters.futility_base + parameters.futility_margin * node.depth + candidate.history / 128;
        !PV && !node.in_check
            && !candidate.noisy
            && !candidate.gives_check
            && node.depth <= parameters.futility_depth
            && node.evaluation + margin <= alpha
    }

    /// History pruning: a quiet move that hardly ever did well is left out near the leaves.
    fn has_bad_history(&self, node: &Node, candidate: &Candidate) -> bool {
        let parameters = self.shared.parameters;
        !node.in_check
            && !candidate.noisy
            && !candidate.gives_check
            && node.depth <= parameters.history_pruning_depth
            && candidate.history < -parameters.history_pruning_margin * node.depth
    }

    /// Pruning by static exchange: a move that gives away more than the depth left is likely to win back.
    fn loses_exchange(&self, node: &Node, candidate: &Candidate) -> bool {
        if node.depth > 8 || node.in_check || candidate.gives_check {
            return false;
        }
        let parameters = self.shared.parameters;
        let threshold = if candidate.noisy {
            -parameters.noisy_exchange_margin * node.depth
        } else {
            -parameters.quiet_exchange_margin * node.depth
        };
        !static_exchange_reaches(node.position, candidate.mv, threshold)
    }

    /// Late move reductions: moves far down the order are searched less deep at first.
    fn late_move_reduction<const PV: bool>(&self, node: &Node, candidate: &Candidate) -> i32 {
        if node.depth < 3 || candidate.number < 2 + usize::from(PV) {
            return 0;
        }
        let parameters = self.shared.parameters;
        let mut reduction = self.reductions.get(node.depth, candidate.number);
        if candidate.noisy {
            reduction /= 2;
            reduction -= candidate.history * PLY_PARTS / parameters.reduction_noisy_history_divisor;
        } else {
            reduction -= candidate.history * PLY_PARTS / parameters.reduction_history_divisor;
        }
        let mut add = |condition: bool, parts: i32| reduction += if condition { parts } else { 0 };
        add(!node.improving, parameters.reduction_not_improving);
        add(node.cut_node, parameters.reduction_cut_node);
        // Where replies to this move's siblings have cut off again and again, it is unlikely to do better.
        add(self.frames[node.ply + 1].cutoffs > 2, parameters.reduction_cutoffs);
        add(PV, -parameters.reduction_pv);
        add(node.known.is_some_and(|entry| entry.was_pv), -parameters.reduction_was_pv);
        add(candidate.gives_check, -parameters.reduction_gives_check);
        add(node.in_check, -parameters.reduction_in_check);
        reduction.max(0) / PLY_PARTS
    }

    /// Singular extension: if all moves but the hash move fail well below its score, it is the only good one and is
    /// searched deeper (Chess Programming Wiki, "Singular Extensions"), by two plies if it is better by far (a double
    /// extension).
    fn singular_extension<const PV: bool>(&mut self, node: &Node, candidate: &Candidate) -> Singular {
        let ply = node.ply;
        let Some(entry) = node.known.filter(|entry| entry.mv == Some(candidate.mv)) else {
            return Singular::Extension(0);
        };
        if node.depth < self.shared.parameters.singular_depth
            || entry.depth < node.depth - 3
            || entry.bound == Bound::Upper
            || entry.score.is_mate()
            || self.is_extended_enough(ply)
        {
            return Singular::Extension(0);
        }
        let threshold = entry.score - node.depth;
        self.frames[ply].excluded = Some(candidate.mv);
        let score = self.negamax::<false>(
            node.position,
            threshold - 1,
            threshold,
            ((node.depth - 1) / 2).max(1),
            ply,
            node.cut_node,
        );
        self.frames[ply].excluded = None;
        if score < threshold {
            let by_far = !PV && score < threshold - self.shared.parameters.singular_double_margin;
            Singular::Extension(1 + i32::from(by_far))
        } else if threshold >= node.beta {
            Singular::Cut(threshold)
        } else if entry.score >= node.beta {
            Singular::Extension(-1)
        } else {
            Singular::Extension(0)
        }
    }

    /// Check extension: a check on either royal man that loses nothing by exchange is searched a ply deeper, since its
    /// answers are few (Chess Programming Wiki, "Check Extensions").
    fn check_extension(&self, node: &Node, candidate: &Candidate) -> i32 {
        let extends = candidate.gives_check
            && !self.is_extended_enough(node.ply)
            && static_exchange_reaches(node.position, candidate.mv, 0);
        i32::from(extends)
    }

    /// True so far below the nominal depth that further extensions would let the tree grow without end.
    fn is_extended_enough(&self, ply: usize) -> bool {
        ply as i32 >= 2 * (self.completed_depth + 1)
    }
}

/// True when the side to move has a man besides pawns and royals.
fn has_officers(position: &Position) -> bool {
    let own = position.color(position.turn());
    let others = position.kind(Kind::Pawn) | position.kind(Kind::King) | position.kind(Kind::AntiKing);
    (own - others).any()
}
