use crate::types::{Bitboard, Color, Square};

const KNIGHT: [Bitboard; 64] = steps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
const KING: [Bitboard; 64] = steps(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
const PAWN: [[Bitboard; 64]; 2] = [steps(&[(-1, 1), (1, 1)]), steps(&[(-1, -1), (1, -1)])];

/// The squares that single steps (files, ranks) reach from each square.
const fn steps(deltas: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < deltas.len() {
            let file = (square % 8) as i8 + deltas[i].0;
            let rank = (square / 8) as i8 + deltas[i].1;
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares a knight attacks.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares one step away: a King's and an Anti-King's reach.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a pawn attacks.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that any of these pawns attacks.
#[inline]
pub fn pawns_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.left() | ahead.right()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::bitboard::drawn;

    #[test]
    fn leapers_stay_on_the_board() {
        let square = |name| Square::parse(name).unwrap();
        let knight = drawn(
            "........
             ........
             ........
             ........
             ........
             .X......
             ..X.....
             ........",
        );
        assert_eq!(knight_attacks(square("a1")), knight);
        let king = drawn(
            "......X.
             ......XX
             ........
             ........
             ........
             ........
             ........
             ........",
        );
        assert_eq!(king_attacks(square("h8")), king);
        assert_eq!(pawn_attacks(Color::White, square("a2")), square("b3").bitboard());
        assert_eq!(pawn_attacks(Color::Black, square("h7")), square("g6").bitboard());
        assert_eq!(pawn_attacks(Color::White, square("e8")), Bitboard::EMPTY);
    }

    #[test]
    fn pawns_together_attack_what_each_attacks() {
        for color in Color::ALL {
            let pawns = Bitboard(0x0081_2400_1842_ff00);
            let each = pawns.into_iter().fold(Bitboard::EMPTY, |set, pawn| set | pawn_attacks(color, pawn));
            assert_eq!(pawns_attacks(color, pawns), each);
        }
    }
}
