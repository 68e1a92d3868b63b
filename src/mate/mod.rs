//! Proves mates: the fewest moves in which the side to move can mate, or that it cannot within a number of moves.
//!
//! It is a search of the AND/OR tree of all legal moves (Chess Programming Wiki, "Mate Search"), deepened a move at a time:
//! at an *OR node* the attacker needs one move that mates in time, at an *AND node* every reply of the defender must lose.
//! Nothing is judged and nothing is left out. What makes it fast misses no mate:
//! - With one move left only moves that give check to either royal man are tried, since no other can mate.
//! - The order of the moves: the attacker's by how few replies they leave, the defender's so that what has refuted a
//!   neighbouring move comes first.
//! - A table of what is proved of a position: a mate within so many moves, or none within so many.
//!
//! The table knows a position by its 64-bit [`key`](Position::key). Two positions with one key would be taken for each
//! other; that is the usual practice, and the chance is about three in a million for ten million different positions.
//!
//! **Draws.** A mate on the hundredth half-move without capture or pawn move counts, and a position that reaches that number
//! without being mate is drawn: where the counter can come so far before the mate is due, the table tells positions apart
//! by it. A shortest mate never comes back to a position of its own line, since each move of the attacker brings the mate
//! nearer; so of the third repetition only positions matter that stood on the board twice in the game before.
//!
//! **Kinds.** A mate is of the King, of the Anti-King, or of both at once. All *shortest lines* count, those in which the
//! attacker always mates as soon as he can and the defender holds out as long as he can: where they all end alike, that is
//! the [kind](Mate::kind), and where they do not it is mixed. Of a mixed mate and of each mixed first move it is also told who
//! chooses: the attacker if he can force one kind, the defender if not.

mod ends;
mod solver;
mod table;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use thiserror::Error;

use crate::rules::{Game, MateKind};
use crate::types::Move;

use solver::Solver;
use table::Table;

/// The most moves that can be asked for.
pub const MAX_MOVES: u32 = 100;

/// A shortest mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// Moves of the attacker, the mating one included; at least 1.
    pub moves: u32,
    /// Every first move that mates in so many, in the order of the move generator; never empty.
    pub first_moves: Vec<FirstMove>,
    /// The main line: the first of the first moves, longest defences, and an end of the kind that this move forces.
    pub line: Vec<Move>,
}

impl Mate {
    /// True when the attacker can force one kind by at least one of the first moves.
    pub fn can_be_forced(&self) -> bool {
        self.first_moves.iter().any(|first| first.forced.is_some())
    }

    /// How all shortest lines end; `None` if they do not all end alike.
    pub fn kind(&self) -> Option<MateKind> {
        self.first_moves.iter().fold(Kinds::NONE, |kinds, first| kinds.union(first.kinds)).only()
    }
}

/// A first move of a shortest mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstMove {
    pub mv: Move,
    /// How the shortest lines that begin with it end; never empty.
    pub kinds: Kinds,
    /// An end that the attacker can force against the longest defences; `None` if the defender chooses.
    pub forced: Option<MateKind>,
}

/// A set of kinds of mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    const NONE: Kinds = Kinds(0);
    const ALL: Kinds = Kinds(7);

    const fn of(kind: MateKind) -> Kinds {
        Kinds(match kind {
            MateKind::King => 1,
            MateKind::AntiKing => 2,
            MateKind::Both => 4,
        })
    }

    const fn union(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// The kinds in the set, in the order King, Anti-King, both.
    pub fn iter(self) -> impl Iterator<Item = MateKind> {
        let kinds = [MateKind::King, MateKind::AntiKing, MateKind::Both];
        kinds.into_iter().filter(move |&kind| self.0 & Kinds::of(kind).0 != 0)
    }

    /// The kind, if it is the only one.
    pub fn only(self) -> Option<MateKind> {
        self.iter().next().filter(|&kind| self == Kinds::of(kind))
    }
}

/// How far a proof has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The distance under proof; there is no mate in fewer moves.
    pub moves: u32,
    /// First moves looked at with this distance, and how many there are.
    pub first_moves: (usize, usize),
    /// Positions entered.
    pub nodes: u64,
}

/// What a proof showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The shortest mate; `None` if there is none within the moves asked for.
    pub mate: Option<Mate>,
    /// Positions entered.
    pub nodes: u64,
}

/// The watcher wished no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped")]
pub struct Stopped;

/// No memory for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no memory for a table of {megabytes} MB")]
pub struct TableError {
    pub megabytes: usize,
}

/// What one proof needs: the table.
pub struct Prover {
    table: Table,
}

impl Prover {
    /// A prover with a table of about this size.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(megabytes: usize) -> Result<Prover, TableError> {
        Ok(Prover { table: Table::new(megabytes)? })
    }

    /// Proves the shortest mate by the side to move in at most `most` moves (and [`MAX_MOVES`]), or that there is none.
    /// None is there when the game is over. `watch` is called for every first move and every few thousand nodes, and may
    /// end the proof.
    ///
    /// # Errors
    /// When `watch` ended it.
    pub fn prove(
        self,
        game: &Game,
        most: u32,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Proof, Stopped> {
        if game.outcome().is_some() {
            return Ok(Proof { mate: None, nodes: 0 });
        }
        let mut solver = Solver::new(self.table, standing_twice(game), watch);
        let mate = solver.shortest(game.position(), most.min(MAX_MOVES))?;
        Ok(Proof { mate, nodes: solver.nodes() })
    }
}

/// The keys of the positions that have stood on the board twice and can come a third time.
fn standing_twice(game: &Game) -> Vec<u64> {
    let mut keys = game.reversible_keys().to_vec();
    keys.push(game.position().key());
    keys.sort_unstable();
    let mut twice: Vec<u64> = keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    twice.dedup();
    twice
}
