//! Perft of this engine beside cozy-chess, both bulk-counted on one thread without a hash, in one run.
//!
//! `cargo bench -p versus-cozy` prints the nodes a second of each (criterion's `thrpt`); the README states the ratios.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ANTI_KIWIPETE: &str = "r3k2r/p1ppqpb1/bnA1pnp1/3PN3/1p2P3/2Na1Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy_perft(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

fn compare(criterion: &mut Criterion, name: &str, depth: u32, ours: &str, theirs: &str) {
    let position = antiking::rules::parse_fen(ours).expect("a legal position").position;
    let board: cozy_chess::Board = theirs.parse().expect("a legal board");
    let mut group = criterion.benchmark_group(name);
    group.sample_size(30);
    group.throughput(Throughput::Elements(antiking::rules::perft(&position, depth)));
    group.bench_function("antiking", |bencher| bencher.iter(|| antiking::rules::perft(&position, depth)));
    group.throughput(Throughput::Elements(cozy_perft(&board, depth)));
    group.bench_function("cozy-chess", |bencher| bencher.iter(|| cozy_perft(&board, depth)));
    group.finish();
}

fn perft(criterion: &mut Criterion) {
    compare(criterion, "perft 5 of the start", 5, antiking::rules::Position::START_FEN, START);
    compare(criterion, "perft 4 of kiwipete", 4, ANTI_KIWIPETE, KIWIPETE);
}

criterion_group!(benches, perft);
criterion_main!(benches);
