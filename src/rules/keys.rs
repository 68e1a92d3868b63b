//! Zobrist keys (Chess Programming Wiki, "Zobrist Hashing"): one random number for each fact about a position.

use super::castling::CastlingRights;
use crate::types::{Piece, Square};

struct Keys {
    men: [[u64; 64]; 14],
    castling: [u64; 16],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static KEYS: Keys = keys();

const fn keys() -> Keys {
    let mut state = 0x414e_5449_4b49_4e47;
    let mut table = Keys { men: [[0; 64]; 14], castling: [0; 16], en_passant: [0; 8], black_to_move: 0 };
    let mut i = 0;
    while i < 14 * 64 {
        (state, table.men[i / 64][i % 64]) = splitmix64(state);
        i += 1;
    }
    i = 0;
    while i < 16 {
        (state, table.castling[i]) = splitmix64(state);
        i += 1;
    }
    i = 0;
    while i < 8 {
        (state, table.en_passant[i]) = splitmix64(state);
        i += 1;
    }
    (_, table.black_to_move) = splitmix64(state);
    table
}

/// The next state and number of Steele, Lea and Flood's SplitMix64 ("Fast splittable pseudorandom number generators",
/// 2014): a generator that runs at compile time, so keys are the same in every build.
const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut number = state;
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, number ^ (number >> 31))
}

#[inline]
pub fn man(piece: Piece, square: Square) -> u64 {
    KEYS.men[piece.index()][square.index()]
}

#[inline]
pub fn castling(rights: CastlingRights) -> u64 {
    KEYS.castling[rights.index()]
}

#[inline]
pub fn en_passant(square: Square) -> u64 {
    KEYS.en_passant[usize::from(square.file())]
}

#[inline]
pub fn black_to_move() -> u64 {
    KEYS.black_to_move
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_keys_are_equal() {
        let mut all: Vec<u64> = KEYS.men.iter().flatten().copied().collect();
        all.extend(KEYS.castling);
        all.extend(KEYS.en_passant);
        all.push(KEYS.black_to_move);
        let distinct: HashSet<u64> = all.iter().copied().collect();
        assert_eq!(distinct.len(), all.len());
        assert!(!distinct.contains(&0));
    }
}
