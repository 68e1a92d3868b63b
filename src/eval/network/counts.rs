//! Counts as inputs: a count of n sets the first n bits of its field, so that a step up or down changes one input, and
//! what is learned of a count serves the greater ones.
//!
//! King's word, of the King's owner and its men:
//!
//! | bits | count |
//! |---|---|
//! | 0-7 | squares that are open to the King |
//! | 8-22 | the enemy's attack units against it ([`Attacks::king_danger`], halved) |
//! | 23-30 | two for each kind: squares from which an enemy knight, bishop, rook, queen could check the King and no man takes it |
//! | 31-33 | own pawns on the two ranks before the King, on its file and those beside it |
//! | 34-39 | 1 for a passed pawn on the second to the seventh rank, as its owner counts |
//! | 40 | 1 if an enemy man stands before a passed pawn |
//! | 41-55 | own mobility ([`Attacks::mobility`]) in fours |
//! | 56 | 1 if an own pawn attacks an enemy officer |
//! | 57 | 1 if an own knight or bishop attacks an enemy rook or queen |
//! | 58-59, 60-61 | enemy officers, pawns that are attacked and not protected |
//! | 62 | 1 for two own bishops |
//!
//! Anti-King's word:
//!
//! | bits | count |
//! |---|---|
//! | 0-7 | squares that are open to the Anti-King |
//! | 8-11 | of these, attacked by two men or more |
//! | 12-15 | of these, attacked by a pawn |
//! | 16-17, 18-20 | enemy pawns, officers that attack the Anti-King |
//! | 21, 22-29 | 1 if its only attacker is a pawn; then, open squares that do not depend on that pawn |
//! | 30, 31-38 | the same for an officer |
//! | 39-54 | squares two steps away that an enemy man attacks |
//! | 55-57, 58-60, 61-63 | enemy pawns one, two, three steps away |

use super::attack_state::{Attacks, officer_sources};
use crate::attacks::{attacks, king_attacks};
use crate::rules::Position;
use crate::types::{Bitboard, Color, Kind};

/// A word that fills up field by field.
#[derive(Default)]
pub struct Fields {
    pub word: u64,
    at: u32,
}

impl Fields {
    /// Adds a field of `size` bits, of which `count` are set, or all if it is more.
    #[inline]
    pub fn add(&mut self, size: u32, count: u32) {
        self.word |= ((1 << count.min(size)) - 1) << self.at;
        self.at += size;
    }

    #[inline]
    pub fn add_flag(&mut self, flag: bool) {
        self.add(1, flag.into());
    }
}

/// The word of a side's King; `open` are the squares it could enter if they were near.
pub fn king_counts(position: &Position, owner: Color, attacks: &[Attacks; 2], open: Bitboard) -> u64 {
    let (own, enemy) = (&attacks[owner.index()], &attacks[(!owner).index()]);
    let king = position.king(owner);
    let mut fields = Fields::default();
    fields.add(8, (open & king_attacks(king)).count());
    fields.add(15, enemy.king_danger / 2);
    add_safe_checks(&mut fields, position, owner, own, enemy);
    let king = king.bitboard();
    let before = (king | king.left() | king.right()).forward(owner);
    let pawns = position.pieces(owner, Kind::Pawn);
    fields.add(3, ((before | before.forward(owner)) & pawns).count());
    add_passed_pawns(&mut fields, position, owner);
    fields.add(15, own.mobility / 4);
    let officers =
        position.color(!owner) - position.kind(Kind::Pawn) - position.kind(Kind::King) - position.kind(Kind::AntiKing);
    let heavy = position.pieces(!owner, Kind::Rook) | position.pieces(!owner, Kind::Queen);
    let by_pawns = own.by_kind[Kind::Pawn.index()];
    let by_minors = own.by_kind[Kind::Knight.index()] | own.by_kind[Kind::Bishop.index()];
    let loose = own.once - enemy.once - king_attacks(position.king(!owner));
    fields.add_flag(officers.intersects(by_pawns));
    fields.add_flag(heavy.intersects(by_minors));
    fields.add(2, (officers & loose).count());
    fields.add(2, (position.pieces(!owner, Kind::Pawn) & loose).count());
    fields.add_flag(position.pieces(owner, Kind::Bishop).more_than_one());
    fields.word
}

/// The squares from which enemy officers can check the King without being taken by a man.
#[inline]
fn add_safe_checks(fields: &mut Fields, position: &Position, owner: Color, own: &Attacks, enemy: &Attacks) {
    let safe = !own.once - position.color(!owner);
    for (kind, from) in officer_sources(position.king(owner), position.occupied()) {
        fields.add(2, (enemy.by_kind[kind.index()] & from & safe).count());
    }
}

#[inline]
fn add_passed_pawns(fields: &mut Fields, position: &Position, owner: Color) {
    let own = position.pieces(owner, Kind::Pawn);
    let enemy_front = squares_before(position.pieces(!owner, Kind::Pawn), !owner);
    let passed = own - enemy_front - enemy_front.left() - enemy_front.right() - squares_before(own, !owner);
    for rank in 1..7 {
        fields.add_flag(passed.intersects(Bitboard::relative_rank(owner, rank)));
    }
    fields.add_flag(passed.forward(owner).intersects(position.color(!owner)));
}

/// All squares before some of the pawns, on the pawn's own file.
#[inline]
fn squares_before(pawns: Bitboard, color: Color) -> Bitboard {
    let mut front = pawns.forward(color);
    front |= front.forward(color);
    front |= front.forward(color).forward(color);
    front | front.forward(color).forward(color).forward(color).forward(color)
}

/// The word of a side's Anti-King; `attackers` are the enemy men that attack it, `open` are the squares it could enter
/// if they were near.
pub fn anti_king_counts(
    position: &Position,
    owner: Color,
    enemy: &Attacks,
    attackers: Bitboard,
    open: Bitboard,
) -> u64 {
    let anti_king = position.anti_king(owner);
    let steps = open & king_attacks(anti_king);
    let mut fields = Fields::default();
    fields.add(8, steps.count());
    fields.add(4, (steps & enemy.twice).count());
    fields.add(4, (steps & enemy.by_kind[Kind::Pawn.index()]).count());
    let pawns = attackers & position.kind(Kind::Pawn);
    fields.add(2, pawns.count());
    fields.add(3, (attackers - pawns).count());
    let without_it = steps_without_the_only_attacker(position, owner, enemy, attackers, steps);
    for of_pawn in [true, false] {
        let left = without_it.filter(|_| pawns.any() == of_pawn);
        fields.add_flag(left.is_some());
        fields.add(8, left.unwrap_or(0));
    }
    let near = one_step_around(anti_king.bitboard());
    let wide = one_step_around(near);
    fields.add(16, ((wide - near) & enemy.once).count());
    let enemy_pawns = position.pieces(!owner, Kind::Pawn);
    for ring in [near, wide - near, one_step_around(wide) - wide] {
        fields.add(3, (enemy_pawns & ring).count());
    }
    fields.word
}

/// How many steps stay open when a lone attacker goes; `None` if there is not exactly one.
#[inline]
fn steps_without_the_only_attacker(
    position: &Position,
    owner: Color,
    enemy: &Attacks,
    attackers: Bitboard,
    steps: Bitboard,
) -> Option<u32> {
    let attacker = attackers.first().filter(|_| !attackers.more_than_one())?;
    let man = position.piece_on(attacker)?;
    let its_own = attacks(man.kind(), !owner, attacker, position.occupied());
    Some((steps & (enemy.twice | (enemy.once - its_own))).count())
}

/// A set of squares and all that are one King step away from it.
#[inline]
fn one_step_around(squares: Bitboard) -> Bitboard {
    let wide = squares | squares.left() | squares.right();
    wide | wide.forward(Color::White) | wide.forward(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::inputs::Inputs;
    use crate::rules::parse_fen;

    /// The words of White's King and Anti-King.
    fn white(fen: &str) -> [u64; 2] {
        let inputs = Inputs::of(&parse_fen(fen).unwrap().position);
        [inputs.0[18], inputs.0[19]]
    }

    /// The count in a field that begins at a bit.
    fn count(word: u64, at: u32, size: u32) -> u32 {
        let field = word >> at & ((1 << size) - 1);
        assert_eq!(field & (field + 1), 0, "the bits of a count have no gap");
        field.count_ones()
    }

    #[test]
    fn the_start_position() {
        let [king, anti_king] = white(Position::START_FEN);
        assert_eq!(count(king, 0, 8), 0);
        assert_eq!(count(king, 8, 15), 0);
        assert_eq!(count(king, 31, 3), 3);
        assert_eq!(count(king, 34, 6) + count(king, 40, 1), 0);
        // Two knights with two squares each, of which Black's pawns attack none.
        assert_eq!(count(king, 41, 15), 1);
        assert_eq!(king >> 56 & 0b11_1111, 0);
        assert_eq!(king >> 62, 1);
        // On d6, attacked by c7 and e7: c6, e6, d6 itself aside, and c5, d5, e5 not at all; c7, d7, e7 are Black's.
        assert_eq!(count(anti_king, 0, 8), 2);
        assert_eq!(count(anti_king, 12, 4), 2);
        assert_eq!((count(anti_king, 16, 2), count(anti_king, 18, 3)), (2, 0));
        assert_eq!(count(anti_king, 21, 9) + count(anti_king, 30, 9), 0);
        assert_eq!((count(anti_king, 55, 3), count(anti_king, 58, 3), count(anti_king, 61, 3)), (3, 2, 2));
    }

    #[test]
    fn a_lone_attacker_is_told_with_what_is_left_without_it() {
        // The rook on e4 alone attacks h4; of the open squares it attacks g4 only, and nothing else attacks any.
        let [_, anti_king] = white("4k3/8/8/8/4r2A/8/8/a2RK3 w - - 0 1");
        assert_eq!((count(anti_king, 16, 2), count(anti_king, 18, 3)), (0, 1));
        assert_eq!((count(anti_king, 0, 8), count(anti_king, 21, 9), count(anti_king, 30, 9)), (1, 0, 1));
        // A pawn on g5 alone attacks h4; the rook on a3 leaves g3 and h3 open when the pawn goes.
        let [_, anti_king] = white("4k3/8/8/6p1/7A/r7/8/a2RK3 w - - 0 1");
        assert_eq!((count(anti_king, 16, 2), count(anti_king, 18, 3)), (1, 0));
        assert_eq!((count(anti_king, 21, 1), count(anti_king, 22, 8), count(anti_king, 30, 9)), (1, 2, 0));
    }

    #[test]
    fn pawns_and_threats_are_told() {
        // Passed on b6 and h2, where a rook stands before the latter; the pawn on b6 attacks the rook on a7.
        let [king, _] = white("4k3/r7/1P6/7A/5p2/7r/7P/a2RK3 w - - 0 1");
        assert_eq!(king >> 34 & 0b11_1111, 0b01_0001);
        assert_eq!((king >> 40 & 1, king >> 56 & 1, king >> 57 & 1), (1, 1, 0));
        assert_eq!(king >> 62, 0);
    }

    #[test]
    fn full_fields_stay_within_their_bits() {
        let mut fields = Fields::default();
        fields.add(3, 9);
        fields.add(2, 0);
        fields.add(16, 16);
        fields.add(2, 1);
        assert_eq!(fields.word, 0b111 | 0xffff << 5 | 1 << 21);
    }

    #[test]
    fn squares_before_are_those_on_the_file_and_ahead() {
        use crate::types::Square;
        for color in Color::ALL {
            for pawn in Square::all() {
                let ahead = |square: &Square| {
                    square.file() == pawn.file() && square.relative_rank(color) > pawn.relative_rank(color)
                };
                let expected: Bitboard = Square::all().filter(ahead).collect();
                assert_eq!(squares_before(pawn.bitboard(), color), expected, "{pawn} {color:?}");
            }
        }
    }

    #[test]
    fn a_step_around_is_distance_one() {
        use crate::types::Square;
        for square in Square::all() {
            let expected: Bitboard = Square::all().filter(|other| other.distance(square) <= 1).collect();
            assert_eq!(one_step_around(square.bitboard()), expected, "{square}");
        }
    }
}
