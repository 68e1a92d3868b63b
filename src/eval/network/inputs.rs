//! What the network sees of a position: 24 sets of 64 bits, here as White sees them; [`super::outlook`] tells how each
//! side sees them.
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
pub(super) const MEN_WORDS: usize = Piece::ALL.len();
/// The first of the words that hold counts.
pub(super) const COUNT_WORDS_FROM: usize = MEN_WORDS + 4;
/// The first of the words that hold prospects.
pub(super) const PROSPECT_WORDS_FROM: usize = COUNT_WORDS_FROM + 4;
/// The inputs of the men are those below this number.
pub const MEN_INPUTS: usize = MEN_WORDS * 64;
/// What is told of each square around a royal.
pub(super) const FACTS_AROUND: usize = 7;
/// A royal's own square and the eight next to it.
pub(super) const SQUARES_AROUND: usize = 9;
/// So many bits of a word tell of the squares around a royal.
pub(super) const AROUND_BITS: usize = FACTS_AROUND * SQUARES_AROUND;
/// All words.
pub const WORDS: usize = PROSPECT_WORDS_FROM + 2;
/// Inputs of the network.
pub const INPUTS: usize = WORDS * 64;

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
    let facts: [Bitboard; FACTS_AROUND] = [pawns, knights, bishops, rooks, queens, enemy.twice, open];
    facts.into_iter().enumerate().fold(0, |word, (index, fact)| word | near(royal, fact) << (SQUARES_AROUND * index))
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rules::parse_fen;
    use crate::types::Kind;

    pub fn positions() -> impl Iterator<Item = Position> {
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
}
