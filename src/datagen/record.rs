use thiserror::Error;

use super::bytes::{is_sealed, put, seal, take};
use crate::pgn::GameResult;
use crate::rules::{CastlingRights, DrawKind, InvalidSetup, MateKind, Outcome, Position, Setup};
use crate::types::{Bitboard, Color, MAX_MEN, Move, Piece, Score, Square};

/// Length of a record, in bytes.
pub const RECORD_LENGTH: usize = 48;
const MEN_AT: usize = 8;
/// In the place of an en passant square.
const NO_SQUARE: u8 = 64;
/// Better than any score.
const SCORE_END: i32 = Score::INFINITE.0;

/// A position of a game, what the engine thought of it, and how the game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub position: Position,
    /// For White.
    pub score: Score,
    /// Legal in the position; it was played.
    pub best: Move,
    /// Of the search, plies.
    pub depth: u8,
    /// The number of the game, from 0.
    pub game: u32,
    /// How the game ended.
    pub outcome: Outcome,
    /// True for the last record of a game.
    pub is_last: bool,
}

/// Why bytes are no record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordFault {
    #[error("the checksum of the record does not fit")]
    Checksum,
    #[error("there are {0} men")]
    TooManyMen(u32),
    #[error("{0} is the number of no man")]
    Man(u8),
    #[error("the position breaks the rules: {0}")]
    Position(#[from] InvalidSetup),
    #[error("the best move is not legal")]
    BestMove,
    #[error("the score is out of range")]
    Score,
    #[error("the end of the game is none that the rules know")]
    Outcome,
    #[error("the fields contradict each other")]
    Contradiction,
}

impl Record {
    /// The result of the game.
    pub fn result(&self) -> GameResult {
        GameResult::won_by(self.outcome.winner())
    }

    /// True for a position that is worth what its men are worth where they stand: not in check, without a mate in
    /// sight, and its best move neither takes a man nor promotes.
    pub fn is_quiet(&self) -> bool {
        let takes = self.position.piece_on(self.best.to()).is_some() || self.best.is_en_passant();
        !(takes || self.best.promotion().is_some() || self.position.in_check() || self.score.is_mate())
    }

    /// The bytes of the record, as the module's documentation tells.
    pub fn encode(&self) -> [u8; RECORD_LENGTH] {
        let position = &self.position;
        let mut bytes = [0; RECORD_LENGTH];
        put(&mut bytes, 0, position.occupied().0.to_le_bytes());
        let men = position.occupied().into_iter().filter_map(|square| position.piece_on(square));
        for (index, piece) in men.enumerate() {
            bytes[MEN_AT + index / 2] |= (piece.index() as u8) << (index % 2 * 4);
        }
        bytes[25] = position.turn().index() as u8;
        bytes[26] = position.castling().index() as u8;
        bytes[27] = position.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
        put(&mut bytes, 28, (position.halfmove_clock() as u16).to_le_bytes());
        put(&mut bytes, 30, (position.fullmove_number() as u16).to_le_bytes());
        put(&mut bytes, 32, (self.score.0 as i16).to_le_bytes());
        put(&mut bytes, 34, self.best.code().to_le_bytes());
        bytes[36] = self.depth;
        bytes[37] = self.result().half_points(Color::White) as u8;
        bytes[38] = end_code(self.outcome);
        bytes[39] = self.is_last.into();
        put(&mut bytes, 40, self.game.to_le_bytes());
        seal(&mut bytes);
        bytes
    }

    /// Reads a record and checks all of it: the position and the best move are legal, and no bit is set without
    /// meaning.
    ///
    /// # Errors
    /// The first fault that is found.
    pub fn decode(bytes: &[u8; RECORD_LENGTH]) -> Result<Record, RecordFault> {
        if !is_sealed(bytes) {
            return Err(RecordFault::Checksum);
        }
        let (position, _) = setup(bytes)?.validated()?;
        let score = Score(i16::from_le_bytes(take(bytes, 32)).into());
        if score.0.abs() >= SCORE_END {
            return Err(RecordFault::Score);
        }
        let best = Move::from_code(u16::from_le_bytes(take(bytes, 34)));
        let record = Record {
            best: best.filter(|&mv| position.is_legal(mv)).ok_or(RecordFault::BestMove)?,
            position,
            score,
            depth: bytes[36],
            game: u32::from_le_bytes(take(bytes, 40)),
            outcome: outcome(bytes[37], bytes[38]).ok_or(RecordFault::Outcome)?,
            is_last: bytes[39] != 0,
        };
        // What validation mended, or what stands where nothing should, does not come out as it went in.
        if record.encode() == *bytes { Ok(record) } else { Err(RecordFault::Contradiction) }
    }
}

fn setup(bytes: &[u8; RECORD_LENGTH]) -> Result<Setup, RecordFault> {
    let occupied = Bitboard(u64::from_le_bytes(take(bytes, 0)));
    if occupied.count() as usize > MAX_MEN {
        return Err(RecordFault::TooManyMen(occupied.count()));
    }
    let mut board = [None; 64];
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[MEN_AT + index / 2] >> (index % 2 * 4) & 15;
        let piece = Piece::ALL.get(usize::from(code)).ok_or(RecordFault::Man(code))?;
        board[square.index()] = Some(*piece);
    }
    let rights = ['K', 'Q', 'k', 'q'].into_iter().filter_map(CastlingRights::from_letter);
    let castling = rights.fold(CastlingRights::NONE, |castling, (color, wing)| {
        let with = castling.with(color, wing);
        let bit = (with.index() ^ castling.index()) as u8;
        if bytes[26] & bit != 0 { with } else { castling }
    });
    Ok(Setup {
        board,
        turn: if bytes[25] == 0 { Color::White } else { Color::Black },
        castling,
        en_passant: (bytes[27] < NO_SQUARE).then(|| Square::new(bytes[27])),
        halfmove_clock: u16::from_le_bytes(take(bytes, 28)),
        fullmove_number: u16::from_le_bytes(take(bytes, 30)),
    })
}

const fn end_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Mate { kind: MateKind::King, .. } => 0,
        Outcome::Mate { kind: MateKind::AntiKing, .. } => 1,
        Outcome::Mate { kind: MateKind::Both, .. } => 2,
        Outcome::Draw(DrawKind::Stalemate) => 3,
        Outcome::Draw(DrawKind::Threefold) => 4,
        Outcome::Draw(DrawKind::FiftyMoves) => 5,
    }
}

/// The outcome with this end, won by the side that White's half points tell.
fn outcome(white_half_points: u8, end: u8) -> Option<Outcome> {
    let loser = if white_half_points == 0 { Color::White } else { Color::Black };
    let mate = |kind| Outcome::Mate { loser, kind };
    let outcomes = [
        mate(MateKind::King),
        mate(MateKind::AntiKing),
        mate(MateKind::Both),
        Outcome::Draw(DrawKind::Stalemate),
        Outcome::Draw(DrawKind::Threefold),
        Outcome::Draw(DrawKind::FiftyMoves),
    ];
    outcomes.into_iter().find(|&outcome| end_code(outcome) == end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::rules::parse_fen;

    const OUTCOMES: [Outcome; 9] = [
        Outcome::Mate { loser: Color::White, kind: MateKind::King },
        Outcome::Mate { loser: Color::White, kind: MateKind::AntiKing },
        Outcome::Mate { loser: Color::White, kind: MateKind::Both },
        Outcome::Mate { loser: Color::Black, kind: MateKind::King },
        Outcome::Mate { loser: Color::Black, kind: MateKind::AntiKing },
        Outcome::Mate { loser: Color::Black, kind: MateKind::Both },
        Outcome::Draw(DrawKind::Stalemate),
        Outcome::Draw(DrawKind::Threefold),
        Outcome::Draw(DrawKind::FiftyMoves),
    ];

    fn record(fen: &str, best: &str, score: i32, outcome: Outcome) -> Record {
        let position = parse_fen(fen).unwrap().position;
        let best = crate::rules::parse_uci(&position, best).unwrap();
        Record { position, score: Score(score), best, depth: 7, game: 0x0102_0304, outcome, is_last: true }
    }

    /// The bytes with a change and a checksum that fits it.
    fn resealed(record: &Record, change: impl FnOnce(&mut [u8; RECORD_LENGTH])) -> Result<Record, RecordFault> {
        let mut bytes = record.encode();
        change(&mut bytes);
        seal(&mut bytes);
        Record::decode(&bytes)
    }

    #[test]
    fn fields_stand_where_the_docs_say() {
        let lost = Outcome::Mate { loser: Color::White, kind: MateKind::Both };
        let bytes = record(Position::START_FEN, "d6e6", -2, lost).encode();
        assert_eq!(bytes[..8], [0xff, 0xff, 0x08, 0, 0, 0x08, 0xff, 0xff]);
        // 34 nibbles: ranks 1 and 2, Black's Anti-King, White's, rank 7, rank 8.
        let nibbles: Vec<u8> = bytes[8..25].iter().flat_map(|byte| [byte & 15, byte >> 4]).collect();
        let expected = [[6, 2, 4, 8, 10, 4, 2, 6].as_slice(), &[0; 8], &[13, 12], &[1; 8], &[7, 3, 5, 9, 11, 5, 3, 7]];
        assert_eq!(nibbles, expected.concat());
        assert_eq!(bytes[8], 0x26);
        assert_eq!(bytes[25..32], [0, 15, 64, 0, 0, 1, 0]);
        assert_eq!(bytes[32..34], [0xfe, 0xff]);
        assert_eq!(bytes[34..36], (43u16 | 44 << 6).to_le_bytes());
        assert_eq!(bytes[36..44], [7, 0, 2, 1, 4, 3, 2, 1]);
        let fen = "rnbqkbnr/ppp1pppp/A7/3pP3/8/3a4/PPPP1PPP/RNBQKBNR w Kq d6 0 9";
        let taking = record(fen, "e5d6", 32_000, Outcome::Draw(DrawKind::FiftyMoves));
        let bytes = taking.encode();
        assert_eq!((bytes[26], bytes[27], bytes[37], bytes[38]), (9, 43, 1, 5));
        assert_eq!(Record::decode(&bytes), Ok(taking));
    }

    fn along_a_random_game(seed: u64, check: impl Fn(&Record)) {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut position = Position::start();
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            check(&Record {
                position: position.clone(),
                score: Score(random.random_range(-32_000..=32_000)),
                best: moves[random.random_range(0..moves.len())],
                depth: random.random(),
                game: random.random(),
                outcome: OUTCOMES[random.random_range(0..OUTCOMES.len())],
                is_last: random.random(),
            });
            position = position.played(moves[random.random_range(0..moves.len())]);
        }
    }

    proptest! {
        #![proptest_config(crate::seed::fixed(5, 30))]

        #[test]
        fn records_round_trip_along_random_games(seed: u64) {
            along_a_random_game(seed, |record| {
                let decoded = Record::decode(&record.encode()).unwrap();
                // Also what equality of positions leaves out.
                assert_eq!(decoded.position.key(), record.position.key());
                assert_eq!(decoded.position.in_check(), record.position.in_check());
                assert_eq!(&decoded, record);
            });
        }

        #[test]
        fn bytes_that_are_no_record_are_refused_without_panic(mut bytes: [u8; RECORD_LENGTH]) {
            assert_eq!(Record::decode(&bytes), Err(RecordFault::Checksum));
            seal(&mut bytes);
            assert!(Record::decode(&bytes).is_err());
        }

        #[test]
        fn changed_bytes_give_a_fault_or_another_record(at in 0..RECORD_LENGTH - 4, mask in 1..=255u8) {
            let good = record(Position::START_FEN, "d6e6", -2, Outcome::Draw(DrawKind::Threefold));
            let mut bytes = good.encode();
            bytes[at] ^= mask;
            assert_eq!(Record::decode(&bytes), Err(RecordFault::Checksum));
            seal(&mut bytes);
            if let Ok(other) = Record::decode(&bytes) {
                assert_ne!(other, good);
                assert_eq!(other.encode(), bytes);
            }
        }
    }

    #[test]
    fn each_fault_is_told() {
        let good = record(Position::START_FEN, "d6e6", 0, Outcome::Draw(DrawKind::Threefold));
        let fault = |change: fn(&mut [u8; RECORD_LENGTH])| resealed(&good, change).unwrap_err();
        assert_eq!(fault(|bytes| bytes[3] = 1), RecordFault::TooManyMen(35));
        assert_eq!(fault(|bytes| bytes[8] = 0x2e), RecordFault::Man(14));
        assert!(matches!(fault(|bytes| bytes[8] = 0x2a), RecordFault::Position(_)));
        assert_eq!(fault(|bytes| bytes[34] ^= 1), RecordFault::BestMove);
        assert_eq!(fault(|bytes| bytes[32..34].fill(0x7f)), RecordFault::Score);
        assert_eq!(fault(|bytes| bytes[38] = 6), RecordFault::Outcome);
        let contradictions: [fn(&mut [u8; RECORD_LENGTH]); 6] = [
            |bytes| bytes[25] = 3,
            |bytes| bytes[26] = 31,
            |bytes| bytes[27] = 65,
            |bytes| bytes[30] = 0,
            |bytes| bytes[37] = 2,
            |bytes| bytes[39] = 2,
        ];
        for (index, change) in contradictions.into_iter().enumerate() {
            let fault = resealed(&good, change).unwrap_err();
            let expected = [RecordFault::BestMove, RecordFault::Contradiction];
            assert!(expected.contains(&fault), "change {index}: {fault}");
        }
    }
}
