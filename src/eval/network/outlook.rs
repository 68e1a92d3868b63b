//! From where a side sees the board, and so which row of hidden weights stands for an input (Chess Programming Wiki,
//! "NNUE": perspectives, horizontal mirroring and king buckets, the latter here by the Anti-King).
//!
//! A side sees its own men first and the ranks from its own end. Files are mirrored when its King stands on the e- to
//! h-files, so that the network learns one wing only. Men have rows of their own for each quarter of the board in which
//! the side's Anti-King may stand, after that mirroring: what a man is good for depends on where it has to attack or to
//! leave alone. All other inputs have one row each. "Own" and "enemy" in place of White and Black, the rows are
//!
//! | rows | inputs |
//! |---|---|
//! | 0 to 895 | men, by kind and square as inputs 0 to 895 are, the Anti-King on the a- to d-files of ranks 1 to 4 |
//! | 896 to 1791 | the same, on the e- to h-files of ranks 1 to 4 |
//! | 1792 to 2687 | the same, on the a- to d-files of ranks 5 to 8 |
//! | 2688 to 3583 | the same, on the e- to h-files of ranks 5 to 8 |
//! | 3584 to 4223 | inputs 896 to 1535 |

use super::inputs::{
    AROUND_BITS, COUNT_WORDS_FROM, FACTS_AROUND, INPUTS, MEN_INPUTS, MEN_WORDS, PROSPECT_WORDS_FROM, SQUARES_AROUND,
};
use crate::rules::Position;
use crate::types::Color;

/// Quarters of the board.
const QUARTERS: usize = 4;
/// Rows of the men; they come first, quarter by quarter.
const MEN_ROWS: usize = QUARTERS * MEN_INPUTS;
/// All rows of hidden weights.
pub const ROWS: usize = MEN_ROWS + INPUTS - MEN_INPUTS;

/// From where a side sees the board: bit 0 for mirrored files, bit 1 for an Anti-King on the e- to h-files, bit 2 for
/// one on ranks 5 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook(u8);

impl Outlook {
    /// Different ones of one side.
    pub const COUNT: usize = 2 * QUARTERS;
    /// That of an accumulator of no position.
    pub const FIRST: Outlook = Outlook(0);

    #[inline]
    pub fn of(position: &Position, perspective: Color) -> Outlook {
        let mirrored = position.king(perspective).file() >= 4;
        let anti_king = position.anti_king(perspective).relative(perspective);
        let right = (anti_king.file() >= 4) != mirrored;
        let far = anti_king.rank() >= 4;
        Outlook(u8::from(mirrored) | u8::from(right) << 1 | u8::from(far) << 2)
    }

    /// 0 to `COUNT` - 1.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    const fn is_mirrored(self) -> bool {
        self.0 & 1 != 0
    }

    /// 0 to `QUARTERS` - 1.
    const fn quarter(self) -> usize {
        self.0 as usize >> 1
    }
}

/// The row for each input, as a side sees it.
pub type View = [u16; INPUTS];

#[inline]
pub fn view(perspective: Color, outlook: Outlook) -> &'static View {
    &VIEWS[perspective.index()][outlook.index()]
}

static VIEWS: [[View; Outlook::COUNT]; 2] = {
    let mut views = [[[0; INPUTS]; Outlook::COUNT]; 2];
    let mut index = 0;
    while index < Outlook::COUNT {
        let outlook = Outlook(index as u8);
        let mut input = 0;
        while input < INPUTS {
            views[0][index][input] = row(turned_input(input, false, outlook.is_mirrored()), outlook.quarter());
            views[1][index][input] = row(turned_input(input, true, outlook.is_mirrored()), outlook.quarter());
            input += 1;
        }
        index += 1;
    }
    views
};

/// The row of an input, already as the side sees it, with the Anti-King in a quarter.
const fn row(input: usize, quarter: usize) -> u16 {
    let row = if input < MEN_INPUTS { quarter * MEN_INPUTS + input } else { MEN_ROWS - MEN_INPUTS + input };
    row as u16
}

/// The input with colours and ranks swapped if that is wanted, and with files mirrored if that is.
const fn turned_input(input: usize, swapped: bool, mirrored: bool) -> usize {
    let (word, bit) = (input / 64, input % 64);
    if word < MEN_WORDS {
        let word = word ^ swapped as usize;
        return word * 64 + turned(bit, 8, swapped, mirrored);
    }
    if word >= PROSPECT_WORDS_FROM {
        let word = PROSPECT_WORDS_FROM + ((word - PROSPECT_WORDS_FROM) ^ swapped as usize);
        return word * 64 + bit;
    }
    if word >= COUNT_WORDS_FROM {
        let word = COUNT_WORDS_FROM + ((word - COUNT_WORDS_FROM) ^ (2 * swapped as usize));
        return word * 64 + bit;
    }
    let word = MEN_WORDS + ((word - MEN_WORDS) ^ (2 * swapped as usize));
    if bit >= AROUND_BITS {
        return word * 64 + bit;
    }
    let (fact, place) = (bit / SQUARES_AROUND, bit % SQUARES_AROUND);
    word * 64 + fact * SQUARES_AROUND + turned(place, 3, swapped, mirrored)
}

/// A place in a square of so many rows and columns, with the rows or the columns in the opposite order.
const fn turned(place: usize, size: usize, rows: bool, columns: bool) -> usize {
    let (row, column) = (place / size, place % size);
    let row = if rows { size - 1 - row } else { row };
    let column = if columns { size - 1 - column } else { column };
    row * size + column
}

/// The groups of rows with much the same meaning to which one belongs, each numbered from 0 to [`GROUPS`] - 1: a man on
/// a square wherever the Anti-King stands, and all squares of that man; or one fact on all nine squares around a royal.
/// The rows of counts and of prospects belong to none.
pub const fn groups(row: usize) -> [Option<usize>; 2] {
    if row < MEN_ROWS {
        let input = row % MEN_INPUTS;
        return [Some(input), Some(MEN_INPUTS + input / 64)];
    }
    let input = row - (MEN_ROWS - MEN_INPUTS);
    let (word, bit) = (input / 64, input % 64);
    if word < COUNT_WORDS_FROM && bit < AROUND_BITS {
        return [Some(MEN_GROUPS + FACTS_AROUND * (word - MEN_WORDS) + bit / SQUARES_AROUND), None];
    }
    [None, None]
}

/// A group for each man on each square, and one for each man.
const MEN_GROUPS: usize = MEN_INPUTS + MEN_WORDS;
/// All groups.
pub const GROUPS: usize = MEN_GROUPS + FACTS_AROUND * (COUNT_WORDS_FROM - MEN_WORDS);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::eval::network::inputs::{Inputs, tests::positions};
    use crate::rules::parse_fen;

    fn views() -> impl Iterator<Item = &'static View> {
        VIEWS.iter().flatten()
    }

    #[test]
    fn a_view_gives_each_input_a_row_of_its_own() {
        for view in views() {
            let rows: BTreeSet<u16> = view.iter().copied().collect();
            assert_eq!(rows.len(), INPUTS);
            assert!(rows.iter().all(|&row| usize::from(row) < ROWS));
        }
        let all: BTreeSet<u16> = views().flatten().copied().collect();
        assert_eq!(all.len(), ROWS, "each row is used");
        let white = view(Color::White, Outlook::FIRST);
        assert!((0..MEN_INPUTS).all(|input| usize::from(white[input]) == input));
    }

    /// The board without castling rights, as it is and with its files in the opposite order.
    fn both_wings(position: &Position) -> [Position; 2] {
        let fen = position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let rows: Vec<String> = fields[0].split('/').map(|row| row.chars().rev().collect()).collect();
        [fields[0], &rows.join("/")].map(|board| parse_fen(&format!("{board} {} - - 0 1", fields[1])).unwrap().position)
    }

    #[test]
    fn both_wings_look_the_same_with_the_king_there() {
        for position in positions() {
            let [position, mirrored] = both_wings(&position);
            for perspective in Color::ALL {
                let seen = |position: &Position| -> BTreeSet<u16> {
                    let view = view(perspective, Outlook::of(position, perspective));
                    Inputs::of(position).numbers().into_iter().map(|input| view[usize::from(input)]).collect()
                };
                assert_ne!(Outlook::of(&position, perspective), Outlook::of(&mirrored, perspective));
                assert_eq!(seen(&position), seen(&mirrored), "{position}");
            }
        }
    }

    #[test]
    fn the_quarter_is_that_of_the_own_anti_king() {
        let quarter = |board: &str, perspective| {
            let position = parse_fen(&format!("{board} w - - 0 1")).unwrap().position;
            Outlook::of(&position, perspective).quarter()
        };
        // White's Anti-King on f3 and White's King on g1: the same side of the board, which is the left one.
        let board = "4k3/8/8/4n3/8/5A2/8/1a1R2K1";
        assert_eq!(quarter(board, Color::White), 0);
        // Black's King on e8 and Black's Anti-King on b1, as far from Black as can be: the right, far quarter.
        assert_eq!(quarter(board, Color::Black), 3);
        // Kings on the a- to d-files. White's Anti-King on f3 is to the right and near, Black's on b1 to the left and far.
        let board = "1k6/8/8/4n3/8/5A2/8/KaR5";
        assert_eq!((quarter(board, Color::White), quarter(board, Color::Black)), (1, 2));
    }

    #[test]
    fn groups_hold_rows_that_every_view_keeps_together() {
        let numbers: BTreeSet<usize> = (0..ROWS).flat_map(groups).flatten().collect();
        assert!(numbers.into_iter().eq(0..GROUPS));
        for view in views() {
            for row in view[..MEN_INPUTS].iter().copied().map(usize::from) {
                // The same man on the same square, as seen with the Anti-King in the first quarter.
                assert_eq!(groups(row), groups(row % MEN_INPUTS));
                assert_eq!(groups(row)[0], Some(row % MEN_INPUTS));
            }
            for input in 1..INPUTS {
                let [here, before] = [input, input - 1].map(|input| groups(usize::from(view[input])));
                // All squares of a man, and those around a royal, are one group before and after.
                let unseen = [input, input - 1].map(|input| groups(usize::from(VIEWS[0][0][input])));
                let widest = |groups: [Option<usize>; 2]| groups[1].or(groups[0]);
                let same = widest(unseen[0]).is_some() && widest(unseen[0]) == widest(unseen[1]);
                assert!(!same || widest(here) == widest(before), "input {input}");
            }
        }
    }
}
