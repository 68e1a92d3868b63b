use crate::types::{Bitboard, Square};

static BETWEEN: [[u64; 64]; 64] = tables().0;
static LINE: [[u64; 64]; 64] = tables().1;

/// Both tables: squares strictly between, and whole lines through, each two squares.
const fn tables() -> ([[u64; 64]; 64], [[u64; 64]; 64]) {
    let mut between = [[0; 64]; 64];
    let mut line = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = DIRECTIONS[direction];
            let ahead = ray(from, files, ranks);
            let whole = ahead | ray(from, -files, -ranks) | 1 << from;
            let mut rest = ahead;
            while rest != 0 {
                let to = rest.trailing_zeros() as usize;
                line[from][to] = whole;
                between[from][to] = ahead & ray(to, -files, -ranks);
                rest &= rest - 1;
            }
            direction += 1;
        }
        from += 1;
    }
    (between, line)
}

const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The squares from `from` (exclusive) to the edge in one direction.
const fn ray(from: usize, files: i8, ranks: i8) -> u64 {
    let mut set = 0;
    let (mut file, mut rank) = (from as i8 % 8 + files, from as i8 / 8 + ranks);
    while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        set |= 1 << (rank * 8 + file);
        file += files;
        rank += ranks;
    }
    set
}

/// The squares strictly between two squares on one rank, file or diagonal; empty for any other two.
#[inline]
pub fn between(from: Square, to: Square) -> Bitboard {
    Bitboard(BETWEEN[from.index()][to.index()])
}

/// The whole rank, file or diagonal through two different squares, both of them included; empty if they share none.
#[inline]
pub fn line(from: Square, to: Square) -> Bitboard {
    Bitboard(LINE[from.index()][to.index()])
}

#[cfg(test)]
mod tests {
    use super::super::sliders::{bishop_rays, rook_rays};
    use super::*;
    use crate::types::bitboard::drawn;

    #[test]
    fn between_excludes_the_ends_and_line_has_both() {
        let square = |name| Square::parse(name).unwrap();
        let diagonal = drawn(
            ".......X
             ......X.
             .....X..
             ....X...
             ...X....
             ..X.....
             .X......
             X.......",
        );
        assert_eq!(line(square("b2"), square("e5")), diagonal);
        let inner: Bitboard = [square("c3"), square("d4")].into_iter().collect();
        assert_eq!(between(square("b2"), square("e5")), inner);
        assert_eq!(line(square("a1"), square("b3")), Bitboard::EMPTY);
        assert_eq!(between(square("a1"), square("a2")), Bitboard::EMPTY);
    }

    #[test]
    fn tables_are_symmetric_and_cover_the_rays() {
        for from in Square::all() {
            for to in Square::all() {
                assert_eq!(between(from, to), between(to, from));
                assert_eq!(line(from, to), line(to, from));
                let aligned = (rook_rays(from) | bishop_rays(from)).contains(to);
                assert_eq!(line(from, to).contains(to), aligned);
            }
        }
    }
}
