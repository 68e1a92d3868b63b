use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::ends::Memory;
use super::table::Table;
use super::{Mate, Progress, Stopped};
use crate::rules::Position;
use crate::types::{MAX_MOVES as MAX_LEGAL_MOVES, Move};

/// Nodes between two looks at the watcher, less one: a power of two less one.
const WATCH_MASK: u64 = 0xfff;

/// Half-moves without capture or pawn move after which a game is drawn.
const FIFTY_MOVES: u32 = 100;

/// The counters of refutations are halved beyond this.
const MAX_CREDIT: u32 = 1 << 20;

/// A move with what orders it.
type Ranked = ArrayVec<(u32, Move), MAX_LEGAL_MOVES>;

/// One proof.
pub struct Solver<'a> {
    table: Table,
    /// The keys of positions that would stand on the board for the third time.
    drawn: Vec<u64>,
    watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
    progress: Progress,
    /// How often a reply between two squares refuted an attack.
    refutations: Box<[u32; 64 * 64]>,
    pub(super) memory: Memory,
}

impl<'a> Solver<'a> {
    pub fn new(table: Table, drawn: Vec<u64>, watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Solver<'a> {
        Solver {
            table,
            drawn,
            watch,
            progress: Progress::default(),
            refutations: Box::new([0; 64 * 64]),
            memory: Memory::default(),
        }
    }

    /// Positions entered so far.
    pub fn nodes(&self) -> u64 {
        self.progress.nodes
    }

    /// The shortest mate in at most `most` moves, from a position in which the game is not over.
    pub fn shortest(&mut self, root: &Position, most: u32) -> Result<Option<Mate>, Stopped> {
        let moves = root.legal_moves();
        for distance in 1..=most {
            self.progress.moves = distance;
            let mut mating = Vec::new();
            for (index, &mv) in moves.iter().enumerate() {
                self.progress.first_moves = (index, moves.len());
                self.look()?;
                if self.is_lost(&root.played(mv), distance - 1)? {
                    mating.push(mv);
                }
            }
            if !mating.is_empty() {
                let mut first_moves = Vec::with_capacity(mating.len());
                for mv in mating {
                    first_moves.push(self.named(root, mv, distance)?);
                }
                let line = self.main_line(root, first_moves[0], distance)?;
                return Ok(Some(Mate { moves: distance, first_moves, line }));
            }
        }
        Ok(None)
    }

    fn look(&mut self) -> Result<(), Stopped> {
        match (self.watch)(&self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stopped),
        }
    }

    fn enter(&mut self) -> Result<(), Stopped> {
        self.progress.nodes += 1;
        if self.progress.nodes & WATCH_MASK == 0 { self.look() } else { Ok(()) }
    }

    /// OR node: true when the side to move mates within so many moves, at least 1.
    pub fn is_won(&mut self, position: &Position, moves: u32) -> Result<bool, Stopped> {
        self.enter()?;
        if self.is_drawn(position) {
            return Ok(false);
        }
        let key = key(position, moves);
        let known = self.table.get(key);
        if let Some(answer) = known.answer(moves) {
            return Ok(answer);
        }
        let before = self.progress.nodes;
        // What is short is cheap to find, and most replies lose at once.
        for distance in u32::from(known.refuted) + 1..=moves {
            let mate =
                if distance == 1 { mating_move(position) } else { self.winning_move(position, distance, known.best)? };
            if let Some(mv) = mate {
                self.table.add(key, distance, true, Some(mv), self.progress.nodes - before);
                return Ok(true);
            }
        }
        self.table.add(key, moves, false, None, self.progress.nodes - before);
        Ok(false)
    }

    /// A move after which every reply loses in time.
    fn winning_move(&mut self, position: &Position, moves: u32, hint: Option<Move>) -> Result<Option<Move>, Stopped> {
        for (_, mv) in attackers_order(position, hint) {
            if self.is_lost(&position.played(mv), moves - 1)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// AND node: true when the side to move is mated already, or within so many moves of the opponent whatever it plays.
    pub fn is_lost(&mut self, position: &Position, moves: u32) -> Result<bool, Stopped> {
        self.enter()?;
        if moves == 0 {
            return Ok(position.in_check() && !position.has_legal_move());
        }
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.in_check());
        }
        if self.is_drawn(position) {
            return Ok(false);
        }
        let mut ranked: Ranked =
            replies.into_iter().map(|reply| (self.refutations[squares(position, reply)], reply)).collect();
        ranked.sort_unstable_by_key(|&(credit, _)| std::cmp::Reverse(credit));
        for (_, reply) in ranked {
            if !self.is_won(&position.played(reply), moves)? {
                self.credit(position, reply, moves);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn credit(&mut self, position: &Position, reply: Move, moves: u32) {
        let credit = &mut self.refutations[squares(position, reply)];
        *credit += moves * moves;
        if *credit > MAX_CREDIT {
            self.refutations.iter_mut().for_each(|credit| *credit /= 2);
        }
    }

    /// True when the fifty-move rule or the third repetition has ended the game, if no mate has.
    fn is_drawn(&self, position: &Position) -> bool {
        position.halfmove_clock() >= FIFTY_MOVES || self.drawn.contains(&position.key())
    }
}

/// The number of a pair of squares, as the mover sees the board.
fn squares(position: &Position, mv: Move) -> usize {
    let side = position.turn();
    mv.from().relative(side).index() * 64 + mv.to().relative(side).index()
}

/// Under what a position is kept in the table. Where the fifty-move counter can run out before the mating move is made,
/// what holds with one counter need not hold with another.
pub(super) fn key(position: &Position, moves: u32) -> u64 {
    let clock = position.halfmove_clock();
    if clock + 2 * moves - 1 <= FIFTY_MOVES {
        position.key()
    } else {
        position.key() ^ u64::from(clock + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A move that mates at once: it must give check.
pub(super) fn mating_move(position: &Position) -> Option<Move> {
    let checks = position.check_info();
    position
        .legal_moves()
        .into_iter()
        .find(|&mv| checks.gives_check(position, mv) && !position.played(mv).has_legal_move())
}

/// The attacker's moves: first the one that worked before, then those that leave the fewest replies.
fn attackers_order(position: &Position, hint: Option<Move>) -> Ranked {
    let rank = |mv: Move| if Some(mv) == hint { 0 } else { 1 + position.played(mv).count_legal_moves() as u32 };
    let mut ranked: Ranked = position.legal_moves().into_iter().map(|mv| (rank(mv), mv)).collect();
    ranked.sort_unstable_by_key(|&(replies, mv)| (replies, mv.code()));
    ranked
}
