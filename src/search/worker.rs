use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use arrayvec::ArrayVec;

use super::history::{CONTINUATION_PLIES, EarlierMoves, Histories, PieceTo};
use super::limits::{Control, Limits};
use super::move_picker::OrderingContext;
use super::parameters::Parameters;
use super::path::Path;
use super::reductions::Reductions;
use super::time::TimeBudget;
use super::transposition::TranspositionTable;
use crate::eval::{Accumulators, Network, faded};
use crate::rules::{CheckInfo, Game, Position};
use crate::types::{Bitboard, MAX_PLY, Move, Score};

/// What all threads of one search share.
pub struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub control: &'a Control,
    pub limits: &'a Limits,
    pub budget: TimeBudget,
    pub parameters: &'a Parameters,
    pub network: &'a Network,
    /// How many lines the main thread gives.
    pub lines: usize,
    /// Moves made, by thread.
    pub nodes: Vec<NodeCounter>,
    /// Set when the main thread has its answer.
    pub finished: AtomicBool,
}

/// The count of one thread, on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
pub struct NodeCounter(AtomicU64);

impl Shared<'_> {
    /// Moves made by all threads.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }
}

/// A line of moves, best play for both sides as far as it was found out.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// What one ply of the current path remembers.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// The move made here: its man and target; `None` for a null move.
    pub moved: Option<PieceTo>,
    /// The static evaluation of the position here; `None` in check.
    pub evaluation: Option<Score>,
    pub killers: [Option<Move>; 2],
    /// Beta cutoffs by moves at this ply, in the nodes below the one that is being searched two plies before.
    pub cutoffs: u32,
    /// The move left out while it is tested for being the only good one.
    pub excluded: Option<Move>,
}

/// One thread of a search.
pub struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) histories: &'a mut Histories,
    accumulators: Accumulators,
    pub(super) reductions: Reductions,
    pub(super) id: usize,
    pub(super) root: Position,
    pub(super) path: Path,
    pub(super) frames: Vec<Frame>,
    /// By ply: the best line from there, as far as it was searched.
    pub(super) lines: Vec<Line>,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// The last depth that was searched to its end.
    pub(super) completed_depth: i32,
    /// Null moves are off above this ply, while a cut by one is verified.
    pub(super) null_move_floor: usize,
    stopped: bool,
}

/// The stack of a thread that runs a worker, in bytes. A search to the greatest ply takes 0.9 MB of it, in a build
/// without optimisation 1.5 MB.
pub const STACK: usize = 8 << 20;

/// How many nodes pass between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1_024;
/// Bounds other than a stop are kept only after this many nodes or a full depth, so that there is an answer.
const GUARANTEED_NODES: u64 = 1_000;

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared<'a>, histories: &'a mut Histories, id: usize, game: &Game) -> Worker<'a> {
        // A game drawn by the fifty-move rule may be played on; the search then counts from here.
        let position = game.position();
        let root = if position.halfmove_clock() >= 100 { position.with_fresh_clock() } else { position.clone() };
        Worker {
            shared,
            histories,
            accumulators: Accumulators::new(shared.network),
            reductions: Reductions::new(shared.parameters),
            id,
            root,
            path: Path::new(game.reversible_keys()),
            frames: vec![Frame::default(); MAX_PLY + 8],
            lines: vec![Line::new(); MAX_PLY + 1],
            nodes: 0,
            selective_depth: 0,
            completed_depth: 0,
            null_move_floor: 0,
            stopped: false,
        }
    }

    /// True for the thread whose answer counts.
    pub(super) fn is_main(&self) -> bool {
        self.id == 0
    }

    /// True once the search has to unwind; what it returns from then on means nothing.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Looks whether a bound of the search is reached.
    #[inline]
    pub(super) fn check_bounds(&mut self) -> bool {
        #[cfg(test)]
        assert!(self.nodes < 2_000 || self.shared.control.failing_thread != Some(self.id), "made to fail");
        if !self.stopped {
            self.stopped = self.shared.control.is_stopped()
                || self.shared.finished.load(Ordering::Relaxed)
                || self.may_be_cut_short() && (self.nodes_are_spent() || self.time_is_over());
        }
        self.stopped
    }

    #[inline]
    fn may_be_cut_short(&self) -> bool {
        self.completed_depth > 0 || self.nodes >= GUARANTEED_NODES
    }

    #[inline]
    fn nodes_are_spent(&self) -> bool {
        match self.shared.limits.nodes {
            None => false,
            Some(limit) if self.shared.nodes.len() == 1 => self.nodes >= limit,
            Some(limit) => self.nodes.is_multiple_of(64) && self.shared.total_nodes() >= limit,
        }
    }

    #[inline]
    fn time_is_over(&self) -> bool {
        self.nodes.is_multiple_of(CLOCK_INTERVAL)
            && (self.is_past(self.shared.budget.hard) || self.has_pondered_enough())
    }

    /// After a ponder hit the time spent pondering counts as thought: what would have been enough from the start is enough
    /// now.
    fn has_pondered_enough(&self) -> bool {
        let (control, budget) = (self.shared.control, self.shared.budget);
        self.shared.limits.ponder
            && !control.is_pondering()
            && budget.soft.or(budget.hard).is_some_and(|enough| control.elapsed() >= enough)
    }

    /// True when the clock runs and has passed a bound.
    pub(super) fn is_past(&self, bound: Option<Duration>) -> bool {
        match (bound, self.shared.control.clock_elapsed()) {
            (Some(bound), Some(elapsed)) => elapsed >= bound,
            _ => false,
        }
    }

    /// Makes a legal move at `ply`; [`unmake`](Worker::unmake) takes the path back.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        self.frames[ply].moved = position.piece_on(mv.from()).map(|mover| PieceTo::new(mover, mv));
        self.count_node();
        self.path.push(position.key());
        self.shared.table.prefetch(position.likely_key_after(mv));
        position.played(mv)
    }

    /// Passes the turn at `ply`.
    pub(super) fn make_null(&mut self, position: &Position, ply: usize) -> Position {
        self.frames[ply].moved = None;
        self.count_node();
        self.path.push_null(position.key());
        position.passed()
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.path.pop();
    }

    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        self.shared.nodes[self.id].0.store(self.nodes, Ordering::Relaxed);
    }

    /// The static evaluation, before any correction.
    #[inline]
    pub(super) fn raw_evaluation(&mut self, position: &Position, ply: usize) -> Score {
        faded(self.accumulators.evaluate(self.shared.network, position, ply), position)
    }

    /// The moves played at the [`CONTINUATION_PLIES`] before `ply`.
    #[inline]
    pub(super) fn earlier_moves(&self, ply: usize) -> EarlierMoves {
        CONTINUATION_PLIES.map(|back| ply.checked_sub(back).and_then(|earlier| self.frames[earlier].moved))
    }

    #[inline]
    pub(super) fn ordering<'c>(
        &'c self,
        threatened: Bitboard,
        earlier: EarlierMoves,
        check_info: Option<&'c CheckInfo>,
    ) -> OrderingContext<'c> {
        OrderingContext { histories: self.histories, threatened, earlier, check_info }
    }

    /// The line from `ply` becomes a move and the line behind it.
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (before, behind) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(behind.first().into_iter().flatten().copied().take(room));
    }
}
