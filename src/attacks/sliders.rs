//! Slider attacks.
//!
//! One formula, the obstruction difference o^(o-2r) (Chess Programming Wiki, "Hyperbola Quintessence"), gives the
//! attacks along one line from the occupancy alone. Where the CPU has BMI2, tables indexed by PEXT, filled by that
//! formula at compile time, answer faster.

use crate::types::{Bitboard, Square};

/// The four lines through a square: rank, file, diagonal, anti-diagonal, without the square itself.
const LINES: [[u64; 64]; 4] = [rays(1, 0), rays(0, 1), rays(1, 1), rays(1, -1)];

const fn rays(files: i8, ranks: i8) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut sign = -1;
        while sign <= 1 {
            let mut file = square as i8 % 8 + sign * files;
            let mut rank = square as i8 / 8 + sign * ranks;
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square] |= 1 << (rank * 8 + file);
                file += sign * files;
                rank += sign * ranks;
            }
            sign += 2;
        }
        square += 1;
    }
    table
}

/// The attacks of a slider along one line.
#[inline]
const fn along(line: u64, square: usize, occupied: u64) -> u64 {
    let slider = 1u64 << square;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider.wrapping_mul(2));
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits().wrapping_mul(2)).reverse_bits();
    (up ^ down) & line
}

#[inline]
const fn rook_by_formula(square: usize, occupied: u64) -> u64 {
    along(LINES[0][square], square, occupied) | along(LINES[1][square], square, occupied)
}

#[inline]
const fn bishop_by_formula(square: usize, occupied: u64) -> u64 {
    along(LINES[2][square], square, occupied) | along(LINES[3][square], square, occupied)
}

#[cfg(target_feature = "bmi2")]
mod lookup {
    use std::arch::x86_64::_pext_u64;

    use super::{LINES, bishop_by_formula, rook_by_formula};

    /// The squares whose occupancy matters to a slider, and where its answers begin in the table.
    #[derive(Clone, Copy)]
    struct Entry {
        mask: u64,
        offset: usize,
    }

    const ROOK_ANSWERS: usize = 102_400;
    const BISHOP_ANSWERS: usize = 5_248;

    const ROOKS: [Entry; 64] = entries(LINES[0], LINES[1]);
    const BISHOPS: [Entry; 64] = entries(LINES[2], LINES[3]);
    // A hundred thousand answers take the compiler a few seconds, not for ever.
    #[allow(long_running_const_eval)]
    static ROOK_TABLE: [u64; ROOK_ANSWERS] = filled(&ROOKS, true);
    static BISHOP_TABLE: [u64; BISHOP_ANSWERS] = filled(&BISHOPS, false);

    const fn entries(first: [u64; 64], second: [u64; 64]) -> [Entry; 64] {
        let mut table = [Entry { mask: 0, offset: 0 }; 64];
        let mut offset = 0;
        let mut square = 0;
        while square < 64 {
            // The last square of a line is reached whether or not it is occupied, unless the slider is on that edge.
            let rank = 0xff << (square / 8 * 8);
            let file = 0x0101_0101_0101_0101 << (square % 8);
            let edges = (0xff00_0000_0000_00ff & !rank) | (0x8181_8181_8181_8181 & !file);
            let mask = (first[square] | second[square]) & !edges;
            table[square] = Entry { mask, offset };
            offset += 1 << mask.count_ones();
            square += 1;
        }
        table
    }

    const fn filled<const N: usize>(entries: &[Entry; 64], rook: bool) -> [u64; N] {
        let mut table = [0; N];
        let mut square = 0;
        while square < 64 {
            let Entry { mask, offset } = entries[square];
            // The subsets of the mask in rising order are the PEXT indices 0, 1, 2, ... (the Carry-Rippler trick).
            let mut subset = 0u64;
            let mut index = offset;
            loop {
                table[index] = if rook { rook_by_formula(square, subset) } else { bishop_by_formula(square, subset) };
                index += 1;
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    break;
                }
            }
            square += 1;
        }
        table
    }

    #[inline]
    fn answer<const N: usize>(table: &[u64; N], entry: &Entry, occupied: u64) -> u64 {
        // SAFETY: `_pext_u64` needs BMI2, which this module is compiled under. The index stays below the entry's
        // offset plus 2^(bits of its mask), and the offsets and sizes add up to N (`tables_are_full` checks it).
        unsafe { *table.get_unchecked(entry.offset + _pext_u64(occupied, entry.mask) as usize) }
    }

    #[inline]
    pub fn rook(square: usize, occupied: u64) -> u64 {
        answer(&ROOK_TABLE, &ROOKS[square], occupied)
    }

    #[inline]
    pub fn bishop(square: usize, occupied: u64) -> u64 {
        answer(&BISHOP_TABLE, &BISHOPS[square], occupied)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn tables_are_full() {
            for (entries, size) in [(ROOKS, ROOK_ANSWERS), (BISHOPS, BISHOP_ANSWERS)] {
                let last = entries[63];
                assert_eq!(last.offset + (1 << last.mask.count_ones()), size);
            }
        }
    }
}

#[cfg(not(target_feature = "bmi2"))]
mod lookup {
    pub(super) use super::{bishop_by_formula as bishop, rook_by_formula as rook};
}

/// The squares a rook attacks: along its lines up to and including the first man.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(lookup::rook(square.index(), occupied.0))
}

/// The squares a bishop attacks: along its lines up to and including the first man.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(lookup::bishop(square.index(), occupied.0))
}

/// The squares a queen attacks.
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

/// The squares a rook attacks on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    const RAYS: [u64; 64] = joined(LINES[0], LINES[1]);
    Bitboard(RAYS[square.index()])
}

/// The squares a bishop attacks on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    const RAYS: [u64; 64] = joined(LINES[2], LINES[3]);
    Bitboard(RAYS[square.index()])
}

const fn joined(first: [u64; 64], second: [u64; 64]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = first[square] | second[square];
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::*;

    /// The attacks found by walking square by square.
    fn walked(square: Square, occupied: Bitboard, directions: [(i8, i8); 4]) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for (files, ranks) in directions {
            let (mut file, mut rank) = (square.file() as i8 + files, square.rank() as i8 + ranks);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let target = Square::at(file as u8, rank as u8);
                reached |= target.bitboard();
                if occupied.contains(target) {
                    break;
                }
                file += files;
                rank += ranks;
            }
        }
        reached
    }

    #[test]
    fn formula_and_table_agree_with_walking() {
        let mut random = SmallRng::seed_from_u64(1);
        for _ in 0..500 {
            let occupied = Bitboard(random.next_u64() & random.next_u64());
            for square in Square::all() {
                let rook = walked(square, occupied, [(0, 1), (1, 0), (0, -1), (-1, 0)]);
                let bishop = walked(square, occupied, [(1, 1), (1, -1), (-1, -1), (-1, 1)]);
                assert_eq!(rook_attacks(square, occupied), rook);
                assert_eq!(bishop_attacks(square, occupied), bishop);
                assert_eq!(rook_by_formula(square.index(), occupied.0), rook.0);
                assert_eq!(bishop_by_formula(square.index(), occupied.0), bishop.0);
            }
        }
    }

    #[test]
    fn rays_are_attacks_on_an_empty_board() {
        for square in Square::all() {
            assert_eq!(rook_rays(square), rook_attacks(square, Bitboard::EMPTY));
            assert_eq!(bishop_rays(square), bishop_attacks(square, Bitboard::EMPTY));
        }
    }
}
