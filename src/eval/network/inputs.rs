//! What the network sees of a position: 24 sets of 64 bits, first seen from White's side.
//!
//! | word | bits |
//! |---|---|
//! | 0 to 13 | the squares of each man, in the order of [`Piece::ALL`](crate::types::Piece::ALL) |
//! | 14 to 17 | what happens around White's King, White's Anti-King, Black's King, Black's Anti-King |
//! | 18 to 21 | counts that concern the same four, see [`super::counts`] |
//! | 22, 23 | what may become of White's royals, of Black's, see [`super::prospects`] |
//!
//! Around a royal seven groups of nine bits tell of its own square and the eight next to it, row by row from the
//! lowest rank, each from the lowest file; squares off the board are never set. "Enemy" is the side that the royal
//! does not belong to, and attacks are those of pawns to queens:
//!
//! | bit | squares |
//! |---|---|
//! | 0, 9, 18, 27, 36 | attacked by enemy pawns, knights, bishops, rooks, queens |
//! | 45 | attacked by two enemy men or more |
//! | 54 | open to a step: for a King no own man stands there, no enemy attacks and the enemy King is not next to it, for an Anti-King neither an enemy man nor its own King stands there and an enemy man attacks |

use super::attack_state::Attacks;
use super::counts::{anti_king_counts, king_counts};
use super::prospects::{prospects, shields};
use crate::attacks::king_attacks;
use crate::rules::Position;
use crate::types::{Bitboard, Color, Piece, Square};

/// Words of the men.
const MEN_WORDS: usize = Piece::ALL.len();
/// The first of the words that hold counts.
const COUNT_WORDS_FROM: usize = MEN_WORDS + 4;
/// The first of the words that hold prospects.
const PROSPECT_WORDS_FROM: usize = COUNT_WORDS_FROM + 4;
/// The inputs of the men are those below this number.
pub const MEN_INPUTS: usize = MEN_WORDS * 64;
/// All words.
pub const WORDS: usize = PROSPECT_WORDS_FROM + 2;
/// Inputs of the network for one perspective.
pub const INPUTS: usize = WORDS * 64;

/// The group of inputs with much the same meaning to which one belongs, numbered from 0: all squares of a man, or the
/// nine squares of one kind around one royal. `None` for what belongs to none.
pub const fn group(input: usize) -> Option<usize> {
    let (word, bit) = (input / 64, input % 64);
    if word < MEN_WORDS {
        Some(word)
    } else if word < COUNT_WORDS_FROM && bit < 63 {
        Some(MEN_WORDS + 7 * (word - MEN_WORDS) + bit / 9)
    } else {
        None
    }
}

/// The inputs that are set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs(pub [u64; WORDS]);

impl Inputs {
    /// None at all, as of no position.
    pub const NONE: Inputs = Inputs([0; WORDS]);

    pub fn of(position: &Position) -> Inputs {
        let mut words = [0; WORDS];
        for (index, piece) in Piece::ALL.into_iter().enumerate() {
            words[index] = position.pieces(piece.color(), piece.kind()).0;
        }
        let attacks = Color::ALL.map(|color| Attacks::of(position, color));
        let king_shields = Color::ALL.map(|color| shields(position, position.king(color), !color));
        for owner in Color::ALL {
            let enemy = &attacks[(!owner).index()];
            let (king, anti_king) = (position.king(owner), position.anti_king(owner));
            let guarded = enemy.once | king_attacks(position.king(!owner));
            let king_steps = !(position.color(owner) | guarded);
            let anti_king_steps = enemy.once - position.color(!owner) - king.bitboard();
            let at = MEN_WORDS + 2 * owner.index();
            words[at] = around(king, enemy, king_steps);
            words[at + 1] = around(anti_king, enemy, anti_king_steps);
            let at = COUNT_WORDS_FROM + 2 * owner.index();
            words[at] = king_counts(position, owner, &attacks, king_steps);
            let attackers = if owner == position.turn() {
                position.anti_attackers()
            } else {
                position.attackers(anti_king, !owner, position.occupied())
            };
            words[at + 1] = anti_king_counts(position, owner, enemy, attackers, anti_king_steps);
            let at = PROSPECT_WORDS_FROM + owner.index();
            words[at] = prospects(position, owner, &attacks, attackers, &king_shields);
        }
        Inputs(words)
    }

    /// How many inputs are set in one of both only.
    #[inline]
    pub fn distance(&self, other: &Inputs) -> u32 {
        self.0.iter().zip(&other.0).map(|(word, other)| (word ^ other).count_ones()).sum()
    }

    /// The indices of the words in which both differ.
    #[inline]
    pub fn different_words(&self, other: &Inputs) -> impl Iterator<Item = usize> + use<> {
        // Without branches, as most words are the same and no order is in those that are not.
        let pairs = self.0.iter().zip(&other.0).enumerate();
        let different = pairs.fold(0, |set, (index, (word, other))| set | u64::from(word != other) << index);
        Bitboard(different).into_iter().map(Square::index)
    }

    /// The numbers of all inputs that are set.
    pub fn numbers(&self) -> Vec<u16> {
        let mut numbers = Vec::new();
        for (index, &word) in self.0.iter().enumerate() {
            for_each_input(index, word, |input| numbers.push(input));
        }
        numbers
    }
}

/// Calls `each` with the numbers of the inputs that some bits of a word are.
#[inline]
pub fn for_each_input(word: usize, bits: u64, mut each: impl FnMut(u16)) {
    for bit in Bitboard(bits) {
        each((word * 64 + bit.index()) as u16);
    }
}

/// What happens around a royal man, with the squares that are open to it.
#[inline]
fn around(royal: Square, enemy: &Attacks, open: Bitboard) -> u64 {
    let [pawns, knights, bishops, rooks, queens] = enemy.by_kind;
    let groups = [pawns, knights, bishops, rooks, queens, enemy.twice, open];
    (0..).zip(groups).fold(0, |word, (index, group)| word | near(royal, group) << (9 * index))
}

/// The squares of a set within one step of another, as nine bits.
#[inline]
fn near(center: Square, set: Bitboard) -> u64 {
    /// Where the center is moved to: so near squares lie in the first three rows and files. None of them crosses a
    /// side of the board.
    const PLACE: usize = 9;
    let within = (set & (center.bitboard() | king_attacks(center))).0;
    let center = center.index();
    let moved = if center < PLACE { within << (PLACE - center) } else { within >> (center - PLACE) };
    moved & 0b111 | moved >> 5 & 0b111_000 | moved >> 10 & 0b111_000_000
}

/// True if a perspective sees the board with its files mirrored: its own King stands on the e- to h-files. So the
/// network learns one wing only.
#[inline]
pub fn is_mirrored(position: &Position, perspective: Color) -> bool {
    position.king(perspective).file() >= 4
}

/// The number under which a side sees each input: own men first, ranks from its own side, files mirrored or not.
#[inline]
pub fn view(perspective: Color, mirrored: bool) -> &'static [u16; INPUTS] {
    &VIEWS[perspective.index()][mirrored as usize]
}

static VIEWS: [[[u16; INPUTS]; 2]; 2] = {
    let mut views = [[[0; INPUTS]; 2]; 2];
    let mut input = 0;
    while input < INPUTS {
        let mut turned = 0;
        while turned < 4 {
            views[turned / 2][turned % 2][input] = seen(input, turned / 2 == 1, turned % 2 == 1);
            turned += 1;
        }
        input += 1;
    }
    views
};

/// The input with colours and ranks swapped, and with files mirrored.
const fn seen(input: usize, swapped: bool, mirrored: bool) -> u16 {
    let (word, bit) = (input / 64, input % 64);
    if word < MEN_WORDS {
        let word = word ^ swapped as usize;
        return (word * 64 + turned(bit, 8, swapped, mirrored)) as u16;
    }
    if word >= PROSPECT_WORDS_FROM {
        let word = PROSPECT_WORDS_FROM + ((word - PROSPECT_WORDS_FROM) ^ swapped as usize);
        return (word * 64 + bit) as u16;
    }
    if word >= COUNT_WORDS_FROM {
        let word = COUNT_WORDS_FROM + ((word - COUNT_WORDS_FROM) ^ (2 * swapped as usize));
        return (word * 64 + bit) as u16;
    }
    let word = MEN_WORDS + ((word - MEN_WORDS) ^ (2 * swapped as usize));
    let bit = if bit < 63 { bit / 9 * 9 + turned(bit % 9, 3, swapped, mirrored) } else { bit };
    (word * 64 + bit) as u16
}

/// A place in a square of so many rows and columns, with the rows or the columns in the opposite order.
const fn turned(place: usize, size: usize, rows: bool, columns: bool) -> usize {
    let (row, column) = (place / size, place % size);
    let row = if rows { size - 1 - row } else { row };
    let column = if columns { size - 1 - column } else { column };
    row * size + column
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;
    use crate::types::Kind;

    fn positions() -> impl Iterator<Item = Position> {
        let openings = include_str!("../../../tests/data/openings.epd").lines().step_by(20);
        let mates = include_str!("../../../tests/data/mates.epd").lines().filter(|line| !line.starts_with('#'));
        openings.chain(mates).map(|line| parse_fen(line.split(';').next().unwrap()).unwrap().position)
    }

    #[test]
    fn men_are_their_squares() {
        for position in positions() {
            let inputs = Inputs::of(&position);
            for (index, piece) in Piece::ALL.into_iter().enumerate() {
                assert_eq!(Bitboard(inputs.0[index]), position.pieces(piece.color(), piece.kind()));
            }
        }
    }

    /// What the table says of a bit around a royal, square by square.
    fn around_slowly(position: &Position, owner: Color, royal: Kind) -> u64 {
        let at = if royal == Kind::King { position.king(owner) } else { position.anti_king(owner) };
        let kinds = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
        let mut word = 0;
        for square in Square::all().filter(|square| square.distance(at) <= 1) {
            let attackers = position.attackers(square, !owner, position.occupied());
            let man = position.piece_on(square);
            let man_of = |color| man.is_some_and(|man| man.color() == color);
            let is_open = if royal == Kind::King {
                !man_of(owner) && attackers.is_empty() && !position.king_guards(square, !owner)
            } else {
                !man_of(!owner) && square != position.king(owner) && attackers.any()
            };
            let by = |kind| attackers.intersects(position.kind(kind));
            let groups = kinds.map(by).into_iter().chain([attackers.more_than_one(), is_open]);
            let rank = square.rank() as i32 - at.rank() as i32 + 1;
            let file = square.file() as i32 - at.file() as i32 + 1;
            for (group, _) in groups.enumerate().filter(|(_, holds)| *holds) {
                word |= 1 << (9 * group as i32 + 3 * rank + file);
            }
        }
        word
    }

    #[test]
    fn what_happens_around_royals_is_what_the_table_says() {
        for position in positions() {
            let inputs = Inputs::of(&position);
            for (index, owner) in Color::ALL.into_iter().enumerate() {
                for (part, royal) in [Kind::King, Kind::AntiKing].into_iter().enumerate() {
                    let expected = around_slowly(&position, owner, royal);
                    assert_eq!(inputs.0[MEN_WORDS + 2 * index + part], expected, "{owner:?} {royal:?} in {position}");
                }
            }
        }
    }

    #[test]
    fn a_view_names_each_input_once() {
        for perspective in Color::ALL {
            for mirrored in [false, true] {
                let mut seen = view(perspective, mirrored).to_vec();
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..INPUTS as u16), "{perspective:?} {mirrored}");
            }
        }
        assert!(view(Color::White, false).iter().copied().eq(0..INPUTS as u16));
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
                let seen = |position: &Position| {
                    let view = view(perspective, is_mirrored(position, perspective));
                    let mut seen: Vec<u16> =
                        Inputs::of(position).numbers().into_iter().map(|input| view[usize::from(input)]).collect();
                    seen.sort_unstable();
                    seen
                };
                assert_ne!(is_mirrored(&position, perspective), is_mirrored(&mirrored, perspective));
                assert_eq!(seen(&position), seen(&mirrored), "{position}");
            }
        }
    }

    #[test]
    fn groups_hold_inputs_that_every_view_keeps_together() {
        for perspective in Color::ALL {
            for mirrored in [false, true] {
                let view = view(perspective, mirrored);
                for input in 1..INPUTS {
                    let same = group(input).is_some() && group(input) == group(input - 1);
                    let seen = [input, input - 1].map(|input| group(usize::from(view[input])));
                    assert!(!same || seen[0].is_some() && seen[0] == seen[1], "input {input}");
                }
            }
        }
    }
}
