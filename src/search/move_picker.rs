//! Staged move ordering: moves come best first, and later stages are generated only when asked for.

use arrayvec::ArrayVec;

use super::history::{CONTINUATION_PLIES, Continuation, EarlierMoves, Histories};
use super::static_exchange::{exchange_value, static_exchange_reaches};
use crate::rules::{CheckInfo, Noisy, Position, Quiet};
use crate::types::{Bitboard, Kind, MAX_MOVES, Move, MoveList};

/// What the order of moves depends on besides the position.
pub struct OrderingContext<'a> {
    pub histories: &'a Histories,
    /// The squares that enemy men other than the royals attack.
    pub threatened: Bitboard,
    pub earlier: EarlierMoves,
    /// Which moves give check; quiet ones that do are tried sooner. `None` where no quiet ones are asked for.
    pub check_info: Option<&'a CheckInfo>,
}

impl OrderingContext<'_> {
    /// How well a move, noisy or quiet, did before, in units of history.
    #[inline]
    pub fn history(&self, position: &Position, mv: Move, noisy: bool) -> i32 {
        if noisy {
            self.noisy_history(position, mv)
        } else {
            self.quiet_history_after(&self.continuations(), position, mv)
        }
    }

    #[inline]
    fn noisy_history(&self, position: &Position, mv: Move) -> i32 {
        let Some(mover) = position.piece_on(mv.from()) else { return 0 };
        self.histories.capture.get(mover, mv, captured_kind(position, mv))
    }

    /// How moves did after the earlier ones, looked up once for all moves of a node.
    #[inline]
    fn continuations(&self) -> [Option<&Continuation>; CONTINUATION_PLIES.len()] {
        let histories = &self.histories.continuation;
        std::array::from_fn(|index| self.earlier[index].map(|earlier| histories[index].after(earlier)))
    }

    #[inline]
    fn quiet_history_after(
        &self,
        continuations: &[Option<&Continuation>; CONTINUATION_PLIES.len()],
        position: &Position,
        mv: Move,
    ) -> i32 {
        let Some(mover) = position.piece_on(mv.from()) else { return 0 };
        let after =
            |continuation: &Option<&Continuation>| continuation.map_or(0, |moves| moves.get(mover.kind(), mv.to()));
        self.histories.quiet.get(position.turn(), mv, self.threatened) + continuations.iter().map(after).sum::<i32>()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    HashMove,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Hands out the legal moves of a position, each once.
pub struct MovePicker {
    stage: Stage,
    hash_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    /// The killers that were handed out.
    tried_killers: [Option<Move>; 2],
    /// The moves of the present stage.
    moves: MoveList,
    /// For each of them its score above its index counted from the end: one number, so that the best is found by many comparisons
    /// at a time. `TAKEN` once it was handed out.
    ranks: ArrayVec<i32, MAX_MOVES>,
    /// Captures that lose material by exchange, in the order in which they were found.
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    /// Leave quiet moves out.
    noisy_only: bool,
}

impl MovePicker {
    /// All moves. Hash move and killers may be any moves; those not legal here are passed over.
    #[inline(always)]
    pub fn new(hash_move: Option<Move>, killers: [Option<Move>; 2]) -> MovePicker {
        MovePicker {
            stage: Stage::HashMove,
            hash_move,
            killers,
            next_killer: 0,
            tried_killers: [None; 2],
            moves: MoveList::new(),
            ranks: ArrayVec::new(),
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
            noisy_only: false,
        }
    }

    /// Leaves out the quiet moves that are still to come.
    pub fn skip_quiet(&mut self) {
        self.noisy_only = true;
    }

    /// Leaves quiet moves out from the start, the hash move too if it is quiet.
    pub fn leave_quiet_out(&mut self, position: &Position) {
        self.skip_quiet();
        self.hash_move = self.hash_move.filter(|&mv| is_noisy(position, mv));
    }

    /// The next move, or `None` when all were handed out.
    pub fn next(&mut self, position: &Position, context: &OrderingContext) -> Option<Move> {
        loop {
            if self.noisy_only && (Stage::Killers..=Stage::Quiet).contains(&self.stage) {
                self.stage = Stage::BadNoisy;
            }
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::GenerateNoisy;
                    self.hash_move = self.hash_move.filter(|&mv| position.is_legal(mv));
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.stage = Stage::GoodNoisy;
                    self.generate_noisy(position, context);
                }
                Stage::GoodNoisy => match self.best() {
                    Some(mv) if static_exchange_reaches(position, mv, 0) => return Some(mv),
                    Some(mv) => self.bad_noisy.push(mv),
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => match self.killers.get(self.next_killer) {
                    None => self.stage = Stage::GenerateQuiet,
                    Some(&killer) => {
                        let fits = |mv: &Move| {
                            Some(*mv) != self.hash_move && !is_noisy(position, *mv) && position.is_legal(*mv)
                        };
                        let killer = killer.filter(fits);
                        self.tried_killers[self.next_killer] = killer;
                        self.next_killer += 1;
                        if killer.is_some() {
                            return killer;
                        }
                    }
                },
                Stage::GenerateQuiet => {
                    self.stage = Stage::Quiet;
                    self.generate_quiet(position, context);
                }
                Stage::Quiet => match self.best() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => match self.bad_noisy.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// True once only captures that lose material are left.
    pub fn only_bad_noisy_left(&self) -> bool {
        self.stage >= Stage::BadNoisy
    }

    // The two generators stay out of line: inlined into the loop of `next`, what they read of the position would be
    // loaded at each call of it, whatever the stage (a sixth of all instructions of a search).

    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, context: &OrderingContext) {
        position.generate::<Noisy>(&mut self.moves);
        self.score_moves(|mv| noisy_score(position, mv, context));
    }

    #[inline(never)]
    fn generate_quiet(&mut self, position: &Position, context: &OrderingContext) {
        self.moves.clear();
        position.generate::<Quiet>(&mut self.moves);
        let continuations = context.continuations();
        self.score_moves(|mv| {
            context.quiet_history_after(&continuations, position, mv) + quiet_merits(position, mv, context)
        });
    }

    /// Scores those moves of the list that were not handed out before.
    fn score_moves(&mut self, score: impl Fn(Move) -> i32) {
        let tried = [self.hash_move, self.tried_killers[0], self.tried_killers[1]];
        self.ranks.clear();
        for (index, &mv) in self.moves.iter().enumerate() {
            let rank =
                if tried.contains(&Some(mv)) { TAKEN } else { score(mv) << INDEX_BITS | (LAST_INDEX - index as i32) };
            self.ranks.push(rank);
        }
    }

    /// Takes the move with the highest score out of the list.
    fn best(&mut self) -> Option<Move> {
        let best = self.ranks.iter().copied().fold(TAKEN, i32::max);
        if best == TAKEN {
            return None;
        }
        let index = (LAST_INDEX - (best & LAST_INDEX)) as usize;
        self.ranks[index] = TAKEN;
        Some(self.moves[index])
    }
}

/// Enough for `MAX_MOVES`; scores have the rest of 32 bits, 24, which no sum of histories and values comes near.
const INDEX_BITS: u32 = 8;
const LAST_INDEX: i32 = (1 << INDEX_BITS) - 1;
const TAKEN: i32 = i32::MIN;

/// True for captures of enemy men, en passant and queen promotions, as the stages of the generator divide them.
#[inline]
pub fn is_noisy(position: &Position, mv: Move) -> bool {
    position.color(!position.turn()).contains(mv.to()) || mv.is_en_passant() || mv.promotion() == Some(Kind::Queen)
}

/// The most valuable victim first, and among those the captures that did well before.
fn noisy_score(position: &Position, mv: Move, context: &OrderingContext) -> i32 {
    let promotion = mv.promotion().map_or(0, exchange_value);
    16 * (exchange_value(captured_kind(position, mv)) + promotion) + context.noisy_history(position, mv)
}

/// What a noisy move takes; a King for a promotion that takes nothing, since nothing else takes one.
pub fn captured_kind(position: &Position, mv: Move) -> Kind {
    match position.piece_on(mv.to()) {
        Some(piece) => piece.kind(),
        None if mv.is_en_passant() => Kind::Pawn,
        None => Kind::King,
    }
}

/// What a check is worth in the order of quiet moves, in units of history.
const CHECK_BONUS: i32 = 6_000;
/// What a centipawn given away by a self-capture or a lesser promotion costs, in units of history.
const CENTIPAWN_COST: i32 = 30;

/// What a quiet move gains or costs whatever its history, in units of history.
#[inline]
fn quiet_merits(position: &Position, mv: Move, context: &OrderingContext) -> i32 {
    let mut score = 0;
    if context.check_info.is_some_and(|info| info.gives_check(position, mv)) {
        score += CHECK_BONUS;
    }
    // Only an Anti-King's quiet move lands on a man: one of its own.
    if let Some(own) = position.piece_on(mv.to()) {
        score -= CENTIPAWN_COST * exchange_value(own.kind());
    }
    if mv.promotion().is_some() {
        score -= CENTIPAWN_COST * exchange_value(Kind::Pawn);
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    /// All moves that come. After so many quiet ones the others are skipped.
    fn picked(mut picker: MovePicker, position: &Position, quiets: usize) -> Vec<Move> {
        let (histories, check_info) = (Histories::new(), position.check_info());
        let context = OrderingContext {
            histories: &histories,
            threatened: Bitboard::EMPTY,
            earlier: [None; CONTINUATION_PLIES.len()],
            check_info: Some(&check_info),
        };
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(position, &context) {
            moves.push(mv);
            if moves.iter().filter(|&&mv| !is_noisy(position, mv)).count() >= quiets {
                picker.skip_quiet();
            }
        }
        moves
    }

    fn codes(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
        let mut codes: Vec<u16> = moves.into_iter().map(Move::code).collect();
        codes.sort_unstable();
        codes
    }

    #[test]
    fn every_legal_move_comes_once_whatever_the_hash_move_and_the_killers() {
        let boards = include_str!("../../tests/data/perft.epd").lines().filter(|line| !line.starts_with('#'));
        for line in boards {
            let position = parse_fen(line.split(';').next().unwrap()).unwrap().position;
            let legal = position.legal_moves();
            for (index, &hash_move) in legal.iter().enumerate() {
                let killers = [Some(legal[(index + 1) % legal.len()]), Move::from_code(4711)];
                let moves = picked(MovePicker::new(Some(hash_move), killers), &position, usize::MAX);
                assert_eq!(moves[0], hash_move);
                assert_eq!(codes(moves), codes(legal.clone()), "{position}");
            }
            let mut picker = MovePicker::new(legal.first().copied(), [None; 2]);
            picker.leave_quiet_out(&position);
            let noisy = picked(picker, &position, usize::MAX);
            let expected = legal.iter().copied().filter(|&mv| is_noisy(&position, mv));
            assert_eq!(codes(noisy), codes(expected), "{position}");
        }
    }

    #[test]
    fn no_quiet_move_comes_once_they_are_skipped_and_every_noisy_one_does() {
        let boards = include_str!("../../tests/data/perft.epd").lines().filter(|line| !line.starts_with('#'));
        for line in boards {
            let position = parse_fen(line.split(';').next().unwrap()).unwrap().position;
            let legal = position.legal_moves();
            let (noisy, quiet): (Vec<Move>, Vec<Move>) = legal.into_iter().partition(|&mv| is_noisy(&position, mv));
            let killers = [quiet.get(2).copied(), quiet.get(1).copied()];
            for quiets in 1..6 {
                let moves = picked(MovePicker::new(quiet.first().copied(), killers), &position, quiets);
                let (noisy_picked, quiet_picked): (Vec<Move>, Vec<Move>) =
                    moves.into_iter().partition(|&mv| is_noisy(&position, mv));
                assert_eq!(codes(noisy_picked), codes(noisy.clone()), "{position}");
                assert_eq!(quiet_picked.len(), quiets.min(quiet.len()), "{position}");
            }
        }
    }
}
