//! Quiescence search: captures and queen promotions until the position is quiet, evasions while in check on either royal
//! man.

use super::info::Bound;
use super::move_picker::{MovePicker, captured_kind, is_noisy};
use super::static_exchange::{exchange_value, static_exchange_reaches};
use super::transposition::Entry;
use super::worker::Worker;
use crate::rules::Position;
use crate::types::{Bitboard, MAX_PLY, Move, Score};

impl Worker<'_> {
    /// The worth of a position for the side to move once the dust has settled, within the window.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        debug_assert!(alpha < beta && (PV || beta == alpha + 1));
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
        let known = self.shared.table.probe(position.key(), ply);
        if let Some(entry) = &known
            && !PV
            && entry.settles(alpha, beta)
        {
            return entry.score;
        }

        let mut best = Score::mated(ply);
        let mut raw_evaluation = None;
        if !in_check {
            let raw = known.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.raw_evaluation(position, ply));
            raw_evaluation = Some(raw);
            best = self.corrected(position, raw);
            if let Some(entry) = known.filter(|entry| entry.bounds(best)) {
                best = entry.score;
            }
            if best >= beta {
                if known.is_none() {
                    self.remember_evaluation(position, ply, raw);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        let margin = best + self.shared.parameters.quiescence_margin;
        let hash_move = known.and_then(|entry| entry.mv);
        let mut picker = MovePicker::new(hash_move, [None; 2]);
        if !in_check {
            picker.leave_quiet_out(position);
        }
        let check_info = in_check.then(|| position.check_info());
        // Only quiet moves are ordered by them.
        let threatened = if in_check { position.attacked_by_men(!position.turn()) } else { Bitboard::EMPTY };
        let earlier = self.earlier_moves(ply);
        let original_alpha = alpha;
        let mut best_move = None;
        let mut quiet_evasions = 0;
        while let Some(mv) = picker.next(position, &self.ordering(threatened, earlier, check_info.as_ref())) {
            // With a move that is not mated, or the choice not to move at all, others may be left out.
            let may_skip = best > Score::mated(MAX_PLY);
            if may_skip {
                // Captures that lose material, which the picker keeps for last; it does not weigh the hash move.
                if picker.only_bad_noisy_left() {
                    break;
                }
                let futile = margin + most_gained(position, mv) <= alpha;
                if !in_check && (futile || Some(mv) == hash_move && !static_exchange_reaches(position, mv, 0)) {
                    continue;
                }
            }
            if in_check && !is_noisy(position, mv) {
                if may_skip && quiet_evasions >= self.shared.parameters.quiescence_evasions {
                    break;
                }
                quiet_evasions += 1;
            }
            let child = self.make(position, mv, ply);
            let score = -self.quiescence::<PV>(&child, -beta, -alpha, ply + 1);
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
                        break;
                    }
                    alpha = score;
                }
            }
        }
        let bound = Bound::of(best, original_alpha, beta);
        // Not all moves were tried: only a score that reaches beta is certain, and a lesser one holds for a quiescence
        // search alone.
        let bound = if bound == Bound::Exact { Bound::Upper } else { bound };
        let was_pv = known.is_some_and(|entry| entry.was_pv);
        let entry = Entry { mv: best_move, score: best, evaluation: raw_evaluation, depth: 0, bound, was_pv };
        self.shared.table.store(position.key(), ply, entry);
        best
    }

    /// Stores the static evaluation of a position of which nothing else is known: its score is a bound that says nothing.
    pub(super) fn remember_evaluation(&mut self, position: &Position, ply: usize, raw_evaluation: Score) {
        let entry = Entry {
            mv: None,
            score: -Score::MAX_EVALUATION,
            evaluation: Some(raw_evaluation),
            depth: 0,
            bound: Bound::Lower,
            was_pv: false,
        };
        self.shared.table.store(position.key(), ply, entry);
    }
}

/// What a noisy move wins if nothing takes back, in centipawns, for delta pruning (Chess Programming Wiki, "Delta Pruning").
fn most_gained(position: &Position, mv: Move) -> i32 {
    exchange_value(captured_kind(position, mv)) + mv.promotion().map_or(0, exchange_value)
}
