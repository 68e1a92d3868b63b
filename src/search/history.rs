//! What worked before: statistics that order quiet moves and captures (Chess Programming Wiki, "History Heuristic"), and
//! those that correct the static evaluation.

use crate::rules::Position;
use crate::types::{Bitboard, Color, Kind, Move, Piece, Square};

/// The greatest absolute value of a history.
const MAX: i32 = 16_384;

/// Moves a value towards a bonus; the nearer it is to the end, the less (the "gravity" formula).
#[inline]
fn update(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX, MAX);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MAX) as i16;
}

/// How well moves from one square to another did, by side and by which of both squares enemy men attack: a man flees
/// from a threat or runs into one.
pub struct ButterflyHistory(Box<[[Butterfly; 4]; 2]>);

/// By the squares that a move leaves and reaches.
type Butterfly = [[i16; 64]; 64];

impl ButterflyHistory {
    /// `threatened` are the squares that enemy men other than the royals attack.
    #[inline]
    pub fn get(&self, color: Color, mv: Move, threatened: Bitboard) -> i32 {
        let butterfly = &self.0[color.index()][ButterflyHistory::class(mv, threatened)];
        i32::from(butterfly[mv.from().index()][mv.to().index()])
    }

    #[inline]
    pub fn update(&mut self, color: Color, mv: Move, threatened: Bitboard, bonus: i32) {
        let butterfly = &mut self.0[color.index()][ButterflyHistory::class(mv, threatened)];
        update(&mut butterfly[mv.from().index()][mv.to().index()], bonus);
    }

    #[inline]
    fn class(mv: Move, threatened: Bitboard) -> usize {
        2 * usize::from(threatened.contains(mv.from())) + usize::from(threatened.contains(mv.to()))
    }
}

/// How well captures did, by the capturing man, its target and what stood there.
pub struct CaptureHistory(Box<[[[i16; 7]; 64]; 14]>);

impl CaptureHistory {
    #[inline]
    pub fn get(&self, mover: Piece, mv: Move, captured: Kind) -> i32 {
        i32::from(self.0[mover.index()][mv.to().index()][captured.index()])
    }

    #[inline]
    pub fn update(&mut self, mover: Piece, mv: Move, captured: Kind, bonus: i32) {
        update(&mut self.0[mover.index()][mv.to().index()][captured.index()], bonus);
    }
}

/// The distances in plies of the earlier moves by which a move is remembered: the opponent's last one, and the last two of
/// the move's own side.
pub const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

/// The moves at these distances, where there were some.
pub type EarlierMoves = [Option<PieceTo>; CONTINUATION_PLIES.len()];

/// A man and the square on which it landed: the handle under which a move is remembered by those that follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo {
    piece: Piece,
    to: Square,
}

impl PieceTo {
    #[inline]
    pub fn new(mover: Piece, mv: Move) -> PieceTo {
        PieceTo { piece: mover, to: mv.to() }
    }
}

/// How well moves did after one earlier move, by kind of man and target. The man's colour is left out: it follows from the
/// earlier one's, and the rows that a node reads are half as long.
#[derive(Clone)]
pub struct Continuation([[i16; 64]; 7]);

impl Continuation {
    #[inline]
    pub fn get(&self, mover: Kind, to: Square) -> i32 {
        i32::from(self.0[mover.index()][to.index()])
    }
}

/// How well a move did after an earlier one, at a fixed distance in plies.
pub struct ContinuationHistory(Box<[[Continuation; 64]]>);

impl ContinuationHistory {
    fn new() -> ContinuationHistory {
        let none = Continuation([[0; 64]; 7]);
        ContinuationHistory(vec![std::array::from_fn(|_| none.clone()); Piece::ALL.len()].into_boxed_slice())
    }

    #[inline]
    pub fn after(&self, earlier: PieceTo) -> &Continuation {
        &self.0[earlier.piece.index()][earlier.to.index()]
    }

    #[inline]
    pub fn update(&mut self, earlier: PieceTo, now: PieceTo, bonus: i32) {
        let row = &mut self.0[earlier.piece.index()][earlier.to.index()];
        update(&mut row.0[now.piece.kind().index()][now.to.index()], bonus);
    }
}

/// By how much the static evaluation of positions with something in common was off, by side to move and by a key of what
/// they have in common (Chess Programming Wiki, "Static Evaluation Correction History").
struct CorrectionHistory(Box<[[i16; CorrectionHistory::SIZE]; 2]>);

impl CorrectionHistory {
    const SIZE: usize = 16_384;
    /// Fractions of a centipawn in which corrections are kept.
    const GRAIN: i32 = 128;
    /// The largest correction of one table, in centipawns.
    const LIMIT: i32 = 128;

    fn new() -> CorrectionHistory {
        CorrectionHistory(Box::new([[0; CorrectionHistory::SIZE]; 2]))
    }

    /// In centipawns.
    #[inline]
    fn get(&self, color: Color, key: u64) -> i32 {
        i32::from(self.0[color.index()][key as usize % CorrectionHistory::SIZE]) / CorrectionHistory::GRAIN
    }

    /// Moves the correction towards `error` centipawns, the more the deeper the search that found it.
    #[inline]
    fn update(&mut self, color: Color, key: u64, error: i32, depth: i32) {
        let slot = &mut self.0[color.index()][key as usize % CorrectionHistory::SIZE];
        let weight = (depth + 1).clamp(1, 16);
        let limit = CorrectionHistory::LIMIT * CorrectionHistory::GRAIN;
        let target = (error * CorrectionHistory::GRAIN).clamp(-limit, limit);
        *slot = ((i32::from(*slot) * (256 - weight) + target * weight) / 256) as i16;
    }
}

/// What is learned of the errors of the static evaluation: the sum of what positions with the same pawns, with the same
/// developed men of White and with the same developed men of Black have in common.
pub struct Corrections([CorrectionHistory; 3]);

impl Corrections {
    /// In centipawns, for the side to move.
    #[inline]
    pub fn get(&self, position: &Position) -> i32 {
        let turn = position.turn();
        self.0.iter().zip(Corrections::keys(position)).map(|(history, key)| history.get(turn, key)).sum()
    }

    /// Learns that the corrected evaluation was `error` centipawns too low. Each part moves towards its value plus the whole
    /// error; as all parts move, the error that is left shrinks.
    pub fn update(&mut self, position: &Position, error: i32, depth: i32) {
        let turn = position.turn();
        for (history, key) in self.0.iter_mut().zip(Corrections::keys(position)) {
            let part = history.get(turn, key);
            history.update(turn, key, part + error, depth);
        }
    }

    #[inline]
    fn keys(position: &Position) -> [u64; 3] {
        [position.pawn_key(), developed_key(position, Color::White), developed_key(position, Color::Black)]
    }
}

/// A hash of where those men of a side stand, other than pawns, that have left their back rank: with the others a key
/// would be met again less often, and corrected worse. Only two sets of kinds are told apart, so a Bishop looks like a King
/// and a Queen like an Anti-King: a price for speed.
#[inline]
fn developed_key(position: &Position, color: Color) -> u64 {
    let kinds = |kinds: &[Kind]| kinds.iter().fold(Bitboard::EMPTY, |set, &kind| set | position.kind(kind));
    let men = position.color(color) - position.kind(Kind::Pawn) - Bitboard::relative_rank(color, 0);
    let parts =
        [men, men & kinds(&[Kind::Rook, Kind::Knight]), men & kinds(&[Kind::AntiKing, Kind::Knight, Kind::Queen])];
    parts.into_iter().zip(SPREADS).fold(0, |key, (part, odd)| key ^ spread(part, odd))
}

/// Odd numbers without a pattern in their bits, to multiply sets with.
const SPREADS: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93];

/// A hash of a set. The low half of a product depends in its low bits on low squares alone, the high half in its high bits
/// on high ones; both together depend on all.
#[inline]
fn spread(men: Bitboard, odd: u64) -> u64 {
    let product = u128::from(men.0) * u128::from(odd);
    product as u64 ^ (product >> 64) as u64
}

/// All statistics of one thread. They outlive a search and end with the game.
pub struct Histories {
    pub quiet: ButterflyHistory,
    pub capture: CaptureHistory,
    /// After the earlier move at each of the [`CONTINUATION_PLIES`].
    pub continuation: [ContinuationHistory; CONTINUATION_PLIES.len()],
    pub corrections: Corrections,
}

impl Histories {
    pub fn new() -> Histories {
        Histories {
            quiet: ButterflyHistory(Box::new([[[[0; 64]; 64]; 4]; 2])),
            capture: CaptureHistory(Box::new([[[0; 7]; 64]; 14])),
            continuation: CONTINUATION_PLIES.map(|_| ContinuationHistory::new()),
            corrections: Corrections(std::array::from_fn(|_| CorrectionHistory::new())),
        }
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rules::parse_fen;
    use crate::types::Square;

    #[test]
    fn a_history_nears_its_ends_and_never_passes_them() {
        let mut histories = Histories::new();
        let mv = Move::normal(Square::E1, Square::F1);
        let threatened = Square::E1.bitboard();
        for _ in 0..1_000 {
            histories.quiet.update(Color::White, mv, threatened, 3_000);
        }
        let high = histories.quiet.get(Color::White, mv, threatened);
        assert!((MAX - 3_000..=MAX).contains(&high), "{high}");
        for _ in 0..1_000 {
            histories.quiet.update(Color::White, mv, threatened, -100_000);
        }
        assert!(histories.quiet.get(Color::White, mv, threatened) >= -MAX);
        assert_eq!(histories.quiet.get(Color::Black, mv, threatened), 0);
        for other in [Bitboard::EMPTY, Square::F1.bitboard(), threatened | Square::F1.bitboard()] {
            assert_eq!(histories.quiet.get(Color::White, mv, other), 0);
        }
    }

    fn position(board: &str) -> Position {
        parse_fen(&format!("{board} - - 0 1")).unwrap().position
    }

    fn learn_until_known(corrections: &mut Corrections, position: &Position, wanted: i32) {
        for _ in 0..2_000 {
            let error = wanted - corrections.get(position);
            corrections.update(position, error, 12);
        }
    }

    #[test]
    fn a_correction_nears_the_error_and_stays_within_its_limit() {
        let mut corrections = Histories::new().corrections;
        let start = Position::start();
        learn_until_known(&mut corrections, &start, 40);
        assert!((35..=40).contains(&corrections.get(&start)), "{}", corrections.get(&start));
        for _ in 0..2_000 {
            corrections.update(&start, -5_000, 12);
        }
        assert!((-3 * CorrectionHistory::LIMIT..-300).contains(&corrections.get(&start)));
    }

    #[test]
    fn every_square_has_its_part_in_a_slot() {
        for odd in SPREADS {
            let slots = |men: Vec<Bitboard>| -> HashSet<u64> {
                men.into_iter().map(|men| spread(men, odd) % CorrectionHistory::SIZE as u64).collect()
            };
            let alone = slots((0..64).map(|square| Bitboard(1 << square)).collect());
            assert!(alone.len() >= 63 && !alone.contains(&0), "{} of 64", alone.len());
            for rank in 0..8 {
                let sets = slots((1..256).map(|set| Bitboard(set << (8 * rank))).collect());
                assert!(sets.len() >= 245, "rank {}: {} of 255", rank + 1, sets.len());
            }
        }
    }

    #[test]
    fn positions_share_the_correction_of_the_men_that_they_share() {
        let mut corrections = Histories::new().corrections;
        learn_until_known(&mut corrections, &position("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w"), 90);
        let shared = |board| corrections.get(&position(board));
        let other_pawns = shared("rnbqkbnr/pppppppp/3A4/8/4P3/3a4/PPPP1PPP/RNBQKBNR w");
        let other_white_men = shared("rnbqkbnr/pppppppp/3A4/8/8/3a1N2/PPPPPPPP/RNBQKB1R w");
        let other_black_men = shared("r1bqkbnr/pppppppp/2nA4/8/8/3a4/PPPPPPPP/RNBQKBNR w");
        for part in [other_pawns, other_white_men, other_black_men] {
            assert!((50..=65).contains(&part), "two of three parts: {part}");
        }
        assert_eq!(shared("r1bqkbnr/pppppppp/2nA4/8/4P3/3a1N2/PPPP1PPP/RNBQKB1R w"), 0);
        assert_eq!(shared("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR b"), 0);
    }
}
