use std::time::{Duration, Instant};

use super::options::Options;
use super::{Engine, EngineError};
use crate::rules::{Game, parse_fen};
use crate::search::{Control, Limits, SearchResult};

/// The depth of a bench that is given none, in plies.
pub const BENCH_DEPTH: u32 = 11;

/// Openings, middle games and endings, quiet and sharp; two ends of the game.
const POSITIONS: [&str; 20] = [
    "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bnA1pnp1/3PN3/1p2P3/2Na1Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkb1r/1ppp1ppp/p1nA1n2/4p3/7P/2Na2PN/PPPPPP2/R1BQKB1R b KQkq - 0 5",
    "r1bqk1nr/ppppppbp/3A2p1/2n5/2P5/3a1NP1/PP1PPP1P/RNBQKB1R w KQkq - 1 5",
    "rnbqkb1r/1p1pppp1/2pA1n2/p7/6Q1/2NaP3/PPPP1P1P/R1B1KBNR w KQkq - 1 6",
    "r1b1kb1r/pp2pppp/1q2An2/1N1pN2P/8/P2QP3/1B1PaPP1/2R1KB1R b Kkq - 2 14",
    "r2qk1nr/pbppA2p/np2pppb/8/4P3/P1Na2Q1/1PPP1PPP/R1B1KBNR w KQkq - 4 8",
    "3k1b1r/2pqA1pp/8/1rPa4/1P2Q2P/4P1P1/P4PB1/2KR3R b - - 0 26",
    "1k3b1r/1pq4p/2pA2p1/4pp2/1QP1P3/P2P3P/KR2aP1P/5BR1 b - - 3 37",
    "N1b2b1r/pp1pkp2/2A1p2p/2P3p1/8/1Pa2R1P/PBP3P1/6K1 b - - 0 19",
    "6r1/1p5k/p5bP/4QA2/3P2a1/2P2P2/PP2B3/2KR3R b - - 0 49",
    "1rbnkb1r/2qp1p1p/pp1A1n2/Pp2pPp1/2a1P1P1/2PB4/3P1N1P/RNBQ1RK1 b k - 2 13",
    "r1b5/4k1r1/1b1p4/2pPApPP/N7/1P1P4/6K1/3R1BaR w - - 1 66",
    "6rk/2pR4/p1n2p1b/4A2p/5r2/5PaP/P7/4K2R b - - 1 62",
    "8/1p4k1/2bp2N1/4AP2/6a1/3q3P/8/4K3 b - - 3 72",
    "8/8/4K3/2Bap3/4PA2/5k2/8/8 b - - 31 108",
    "8/2k5/6P1/2p5/1AP2a2/8/4K1N1/8 w - - 17 85",
    "4K2k/8/8/6Q1/2P5/ap6/AP6/8 w - - 0 1",
    "2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1",
    "4K2k/8/6Q1/8/2P5/ap6/AP6/8 b - - 0 1",
];

/// What a bench counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchReport {
    /// Moves made: the same number for the same search and evaluation, on any machine.
    pub nodes: u64,
    /// What the searches took, emptying the table between them aside.
    pub time: Duration,
}

/// Searches a fixed list of positions to a depth, forgetting everything between them. With the default options (one
/// thread, 16 MB) the count is the fingerprint of the search. `on_position` gets the number (from 1), the count, the FEN
/// and the result of each. Returns what was counted until it was done or stopped.
///
/// # Errors
/// When the hash table cannot be allocated.
pub fn bench(
    options: Options,
    depth: u32,
    control: &Control,
    on_position: &mut dyn FnMut(usize, usize, &str, &SearchResult),
) -> Result<BenchReport, EngineError> {
    let mut engine = Engine::new(options)?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut report = BenchReport { nodes: 0, time: Duration::ZERO };
    for (index, fen) in POSITIONS.iter().enumerate() {
        if control.is_stopped() {
            break;
        }
        let Ok(parsed) = parse_fen(fen) else { continue };
        engine.new_game();
        let start = Instant::now();
        let result = engine.think(&Game::new(parsed.position), &limits, control, &mut |_| {});
        report.nodes += result.nodes;
        report.time += start.elapsed();
        on_position(index + 1, POSITIONS.len(), fen, &result);
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_legal() {
        for fen in POSITIONS {
            let parsed = parse_fen(fen).unwrap();
            assert_eq!(parsed.position.fen(), fen);
            assert!(parsed.repairs.is_empty());
        }
    }
}
