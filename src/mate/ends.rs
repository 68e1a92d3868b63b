//! How shortest mates end: in which kinds, which of them the attacker can force, and the line that shows it.

use std::collections::HashMap;

use super::solver::{Solver, key};
use super::{FirstMove, Kinds, Stopped};
use crate::rules::{MateKind, Position};
use crate::types::Move;

/// What is known of positions with the attacker to move, by their keys in the table.
#[derive(Default)]
pub struct Memory {
    /// The ends of all shortest lines.
    ends: HashMap<u64, Kinds>,
    /// Whether the attacker can force a kind.
    forced: HashMap<(u64, MateKind), bool>,
}

impl Solver<'_> {
    /// A first move that mates in so many, with the kinds of its mates.
    pub fn named(&mut self, root: &Position, mv: Move, distance: u32) -> Result<FirstMove, Stopped> {
        let after = root.played(mv);
        let kinds = self.ends_of_defence(&after, distance - 1)?;
        for kind in kinds.iter() {
            if kinds.only() == Some(kind) || self.defender_is_forced(&after, distance - 1, kind)? {
                return Ok(FirstMove { mv, kinds, forced: Some(kind) });
            }
        }
        Ok(FirstMove { mv, kinds, forced: None })
    }

    /// A line of longest defences that begins with a first move and ends with the kind that it forces, if it does.
    pub fn main_line(&mut self, root: &Position, first: FirstMove, distance: u32) -> Result<Vec<Move>, Stopped> {
        let mut line = vec![first.mv];
        let mut position = root.played(first.mv);
        for left in (1..distance).rev() {
            let Some((reply, next)) = self.longest_defences(&position, left)?.into_iter().next() else { break };
            let Some((mv, after)) = self.shortest_attack(&next, left, first.forced)? else { break };
            line.extend([reply, mv]);
            position = after;
        }
        Ok(line)
    }

    /// The kinds with which shortest lines end from a position whose side to move mates in exactly so many.
    fn ends_of_attack(&mut self, position: &Position, moves: u32) -> Result<Kinds, Stopped> {
        let key = key(position, moves);
        if let Some(&known) = self.memory.ends.get(&key) {
            return Ok(known);
        }
        let mut kinds = Kinds::NONE;
        for mv in candidates(position, moves) {
            let next = position.played(mv);
            if kinds != Kinds::ALL && self.is_lost(&next, moves - 1)? {
                kinds = kinds.union(self.ends_of_defence(&next, moves - 1)?);
            }
        }
        self.memory.ends.insert(key, kinds);
        Ok(kinds)
    }

    /// The same where the side to move is mated in so many moves of the opponent; 0 if it is mated already.
    fn ends_of_defence(&mut self, position: &Position, moves: u32) -> Result<Kinds, Stopped> {
        if moves == 0 {
            return Ok(position.mate_kind().map_or(Kinds::NONE, Kinds::of));
        }
        let mut kinds = Kinds::NONE;
        for (_, next) in self.longest_defences(position, moves)? {
            if kinds == Kinds::ALL {
                break;
            }
            kinds = kinds.union(self.ends_of_attack(&next, moves)?);
        }
        Ok(kinds)
    }

    /// The replies that hold out longest, of a defender who is mated in so many moves of the opponent, at least 1.
    fn longest_defences(&mut self, position: &Position, moves: u32) -> Result<Vec<(Move, Position)>, Stopped> {
        let mut longest = Vec::new();
        for reply in position.legal_moves() {
            let next = position.played(reply);
            if moves == 1 || !self.is_won(&next, moves - 1)? {
                longest.push((reply, next));
            }
        }
        Ok(longest)
    }

    /// The first move that mates in exactly so many, and forces the kind if one is named.
    fn shortest_attack(
        &mut self,
        position: &Position,
        moves: u32,
        kind: Option<MateKind>,
    ) -> Result<Option<(Move, Position)>, Stopped> {
        for mv in candidates(position, moves) {
            let next = position.played(mv);
            let fits = self.is_lost(&next, moves - 1)?
                && match kind {
                    Some(kind) => self.defender_is_forced(&next, moves - 1, kind)?,
                    None => true,
                };
            if fits {
                return Ok(Some((mv, next)));
            }
        }
        Ok(None)
    }

    /// True when the attacker can bring every longest defence to an end of the kind.
    fn defender_is_forced(&mut self, position: &Position, moves: u32, kind: MateKind) -> Result<bool, Stopped> {
        if moves == 0 {
            return Ok(position.mate_kind() == Some(kind));
        }
        for (_, next) in self.longest_defences(position, moves)? {
            if !self.attacker_forces(&next, moves, kind)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True when the attacker, who mates in exactly so many moves, can make it end with the kind.
    fn attacker_forces(&mut self, position: &Position, moves: u32, kind: MateKind) -> Result<bool, Stopped> {
        let memory_key = (key(position, moves), kind);
        if let Some(&known) = self.memory.forced.get(&memory_key) {
            return Ok(known);
        }
        let forces = self.shortest_attack(position, moves, Some(kind))?.is_some();
        self.memory.forced.insert(memory_key, forces);
        Ok(forces)
    }
}

/// The moves that may mate in so many: with one left, only checks.
fn candidates(position: &Position, moves: u32) -> impl Iterator<Item = Move> + '_ {
    let checks = position.check_info();
    position.legal_moves().into_iter().filter(move |&mv| moves > 1 || checks.gives_check(position, mv))
}
