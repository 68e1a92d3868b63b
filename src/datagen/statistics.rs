use std::collections::{BTreeMap, HashSet};

use super::record::Record;
use crate::eval::{PHASE_MAX, phase};
use crate::pgn::GameResult;
use crate::rules::{DrawKind, MateKind, Outcome};
use crate::types::{Color, Kind, Score};

/// The score classes lie between these, in centipawns.
pub const SCORE_EDGES: [i32; 10] = [-1_000, -500, -200, -100, -50, 50, 100, 200, 500, 1_000];

/// What records hold, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub positions: u64,
    /// Last records of games.
    pub games: u64,
    /// Games that White won, that were drawn, that Black won.
    pub results: [u64; 3],
    pub ends: Ends,
    /// Positions by their score for White: below the first edge of [`SCORE_EDGES`], from one edge up to below the next, and
    /// from the last one on; mates left out.
    pub scores: [u64; SCORE_EDGES.len() + 1],
    /// Positions in which a mate for White was found, and for Black.
    pub mates: [u64; 2],
    /// Positions by the number of men.
    pub men: BTreeMap<u32, u64>,
    /// Positions by their phase: opening (three quarters of the officers' weight or more), middle game, ending (less than
    /// a quarter).
    pub phases: [u64; 3],
    /// Positions with White to move.
    pub white_to_move: u64,
    /// Positions in which only the King, only the Anti-King or both are in check.
    pub checks: [u64; 3],
    /// Best moves that take an enemy man.
    pub captures: u64,
    /// Best moves of an Anti-King.
    pub anti_king_moves: u64,
    /// Best moves of an Anti-King that take a man of its own side.
    pub self_captures: u64,
    pub promotions: u64,
    /// Positions not in check, without a mate in sight, whose best move neither captures nor promotes.
    pub quiet: u64,
    /// Positions that have stood in the records before, as repetition counts them.
    pub duplicates: u64,
    /// The sum of all depths, plies.
    pub depths: u64,
    seen: HashSet<u64>,
}

/// Games by the kind of their end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    pub king_mate: u64,
    pub anti_mate: u64,
    pub both_mate: u64,
    pub stalemate: u64,
    pub threefold: u64,
    pub fifty_moves: u64,
}

impl Ends {
    fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Mate { kind: MateKind::King, .. } => &mut self.king_mate,
            Outcome::Mate { kind: MateKind::AntiKing, .. } => &mut self.anti_mate,
            Outcome::Mate { kind: MateKind::Both, .. } => &mut self.both_mate,
            Outcome::Draw(DrawKind::Stalemate) => &mut self.stalemate,
            Outcome::Draw(DrawKind::Threefold) => &mut self.threefold,
            Outcome::Draw(DrawKind::FiftyMoves) => &mut self.fifty_moves,
        } += 1;
    }
}

impl Statistics {
    /// Counts a record. Eight bytes and more of memory go to each different position.
    pub fn add(&mut self, record: &Record) {
        let position = &record.position;
        self.positions += 1;
        self.depths += u64::from(record.depth);
        if record.is_last {
            self.games += 1;
            self.ends.add(record.outcome);
            self.results[match record.result() {
                GameResult::WhiteWins => 0,
                GameResult::Draw => 1,
                GameResult::BlackWins => 2,
            }] += 1;
        }
        match record.score.mate_plies() {
            Some(plies) => self.mates[usize::from(plies <= 0)] += 1,
            None => self.scores[score_class(record.score)] += 1,
        }
        *self.men.entry(position.occupied().count()).or_default() += 1;
        self.phases[phase_class(phase(position))] += 1;
        self.white_to_move += u64::from(position.turn() == Color::White);
        match (position.king_in_check(), position.anti_king_in_check()) {
            (true, false) => self.checks[0] += 1,
            (false, true) => self.checks[1] += 1,
            (true, true) => self.checks[2] += 1,
            (false, false) => {}
        }
        self.add_best_move(record);
        self.duplicates += u64::from(!self.seen.insert(position.key()));
    }

    fn add_best_move(&mut self, record: &Record) {
        let (position, best) = (&record.position, record.best);
        let captured = position.piece_on(best.to()).map(|piece| piece.color());
        let is_capture = captured == Some(!position.turn()) || best.is_en_passant();
        let is_promotion = best.promotion().is_some();
        let is_self_capture = captured == Some(position.turn());
        let mover = position.piece_on(best.from()).map(|piece| piece.kind());
        self.captures += u64::from(is_capture);
        self.self_captures += u64::from(is_self_capture);
        self.promotions += u64::from(is_promotion);
        self.anti_king_moves += u64::from(mover == Some(Kind::AntiKing));
        self.quiet += u64::from(record.is_quiet());
    }
}

/// The number of edges that a score reaches.
fn score_class(score: Score) -> usize {
    SCORE_EDGES.iter().filter(|&&edge| score.0 >= edge).count()
}

fn phase_class(phase: i32) -> usize {
    match phase * 4 / PHASE_MAX {
        3.. => 0,
        1..=2 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{parse_fen, parse_uci};

    fn record(fen: &str, best: &str, score: Score, outcome: Outcome) -> Record {
        let position = parse_fen(fen).unwrap().position;
        let best = parse_uci(&position, best).unwrap();
        Record { position, score, best, depth: 5, game: 0, outcome, is_last: true }
    }

    #[test]
    fn records_are_counted_in_every_table() {
        let start = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mate = Outcome::Mate { loser: Color::White, kind: MateKind::AntiKing };
        let mut statistics = Statistics::default();
        let first = Record { is_last: false, ..record(start, "d6e6", Score(-50), mate) };
        statistics.add(&first);
        statistics.add(&record(start, "g1f3", -Score::mating(3), mate));
        // The Anti-King takes its own knight.
        let ending = "7k/2pp4/3AN3/8/8/3a4/2P5/4K3 w - - 0 1";
        let draw = Outcome::Draw(DrawKind::Stalemate);
        statistics.add(&record(ending, "d6e6", Score(1_000), draw));
        assert_eq!((statistics.positions, statistics.games, statistics.results), (3, 2, [0, 1, 1]));
        assert_eq!((statistics.ends.anti_mate, statistics.ends.stalemate), (1, 1));
        assert_eq!(statistics.scores, [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
        assert_eq!(statistics.mates, [0, 1]);
        assert_eq!(statistics.men, BTreeMap::from([(34, 2), (8, 1)]));
        assert_eq!(statistics.phases, [2, 0, 1]);
        assert_eq!((statistics.white_to_move, statistics.duplicates, statistics.depths), (3, 1, 15));
        assert_eq!((statistics.captures, statistics.self_captures, statistics.anti_king_moves), (0, 1, 2));
        assert_eq!(statistics.quiet, 1);
    }

    #[test]
    fn classes_begin_at_their_edges() {
        let classes = [-1_001, -1_000, -51, -50, 49, 50, 999, 1_000].map(|score| score_class(Score(score)));
        assert_eq!(classes, [0, 1, 4, 5, 5, 6, 9, 10]);
        assert_eq!([24, 18, 17, 6, 5, 0].map(phase_class), [0, 0, 1, 1, 2, 2]);
    }
}
