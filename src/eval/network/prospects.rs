//! What may become of a side's royals and of those who attack its Anti-King, as counts in the manner of
//! [`super::counts`].
//!
//! | bits | count |
//! |---|---|
//! | 0-1 | attackers of the Anti-King that are pinned to their own King |
//! | 2-3 | attackers that are pawns and cannot advance |
//! | 4-5, 6-7 | attackers that the own side attacks; of these, unprotected ones |
//! | 8-9, 10-11 | own men, enemy men that alone stand between the Anti-King and an enemy slider |
//! | 12-23 | three for each kind: squares from which an enemy knight, bishop, rook, queen will attack the Anti-King after one move |
//! | 24-25, 26-27 | enemy pawns that will do so after an advance, after a capture |
//! | 28-42 | enemy men besides the royals |
//! | 43-45 | own men that alone stand between their King and an enemy slider |
//! | 46-53 | squares next to the King that the enemy attacks |
//! | 54-58 | if the Anti-King has one attacker: its moves, in twos, after which it attacks no more |
//! | 59-61 | if it has one: squares between both that another enemy man attacks, where most can shut off the attack |
//! | 62, 63 | 1 for the right to castle to the King's wing, to the Queen's wing |

use super::attack_state::{Attacks, officer_sources};
use super::counts::Fields;
use crate::attacks::{attacks as squares_attacked, between, bishop_rays, king_attacks, line, pawn_attacks, rook_rays};
use crate::rules::{Position, Wing};
use crate::types::{Bitboard, Color, Kind, Square};

/// The men that alone stand between a square and a slider of a side.
pub fn shields(position: &Position, square: Square, by: Color) -> Bitboard {
    let occupied = position.occupied();
    let snipers =
        rook_rays(square) & position.orthogonal_sliders(by) | bishop_rays(square) & position.diagonal_sliders(by);
    let in_the_way = snipers.into_iter().map(|sniper| between(square, sniper) & occupied);
    in_the_way.filter(|men| !men.more_than_one()).fold(Bitboard::EMPTY, |found, men| found | men)
}

/// The word of a side. `attackers` are the enemy men that attack its Anti-King; `king_shields`, by colour, the men
/// that alone shield that side's King.
pub fn prospects(
    position: &Position,
    owner: Color,
    attacks: &[Attacks; 2],
    attackers: Bitboard,
    king_shields: &[Bitboard; 2],
) -> u64 {
    let (own, enemy) = (&attacks[owner.index()], &attacks[(!owner).index()]);
    let (own_men, enemy_men) = (position.color(owner), position.color(!owner));
    let (king, anti_king) = (position.king(owner), position.anti_king(owner));
    let pawns = attackers & position.kind(Kind::Pawn);
    let mut fields = Fields::default();
    fields.add(2, (attackers & king_shields[(!owner).index()]).count());
    fields.add(2, (pawns.forward(!owner) & position.occupied()).count());
    fields.add(2, (attackers & own.once).count());
    fields.add(2, (attackers & (own.once - enemy.once)).count());
    let shields = shields(position, anti_king, !owner);
    fields.add(2, (shields & own_men).count());
    fields.add(2, (shields & enemy_men).count());
    add_attackers_to_come(&mut fields, position, owner, enemy);
    fields.add(15, enemy_men.count() - 2);
    fields.add(3, (king_shields[owner.index()] & own_men).count());
    fields.add(8, (king_attacks(king) & enemy.once).count());
    let only = attackers.first().filter(|_| !attackers.more_than_one());
    let (ways, interpositions) = only.map_or((0, 0), |attacker| {
        let interpositions = between(attacker, anti_king) & enemy.twice;
        (moves_away(position, owner, attacker).count().div_ceil(2), interpositions.count())
    });
    fields.add(5, ways);
    fields.add(3, interpositions);
    let rights = position.castling();
    for wing in [Wing::King, Wing::Queen] {
        fields.add_flag(rights.with(owner, wing) == rights);
    }
    fields.word
}

#[inline]
fn add_attackers_to_come(fields: &mut Fields, position: &Position, owner: Color, enemy: &Attacks) {
    let (anti_king, occupied) = (position.anti_king(owner), position.occupied());
    for (kind, from) in officer_sources(anti_king, occupied) {
        fields.add(3, (enemy.by_kind[kind.index()] & (from - position.color(!owner))).count());
    }
    let goals = pawn_attacks(owner, anti_king);
    let advanced = position.pieces(!owner, Kind::Pawn).forward(!owner) - occupied;
    fields.add(2, (advanced & goals).count());
    fields.add(2, (enemy.by_kind[Kind::Pawn.index()] & position.color(owner) & goals).count());
}

/// Where the lone attacker of a side's Anti-King could go and attack it no more, pins aside.
#[inline]
fn moves_away(position: &Position, owner: Color, attacker: Square) -> Bitboard {
    let kind = position.piece_on(attacker).map_or(Kind::Pawn, |man| man.kind());
    let attacked = squares_attacked(kind, !owner, attacker, position.occupied());
    if kind == Kind::Pawn {
        let advance = attacker.bitboard().forward(!owner) - position.occupied();
        return advance | attacked & position.color(owner);
    }
    attacked - position.color(!owner) - line(attacker, position.anti_king(owner))
}

#[cfg(test)]
mod tests {
    use crate::eval::network::inputs::Inputs;
    use crate::rules::{Position, parse_fen};

    fn white(fen: &str) -> u64 {
        Inputs::of(&parse_fen(fen).unwrap().position).0[22]
    }

    #[test]
    fn the_start_position() {
        // Bishop and queen stand behind e7 and d7; fifteen men; both castlings.
        let expected = 0b11 << 10 | 0x7fff << 28 | 0b11 << 62;
        assert_eq!(white(Position::START_FEN), expected);
        let position = Inputs::of(&Position::start());
        assert_eq!(position.0[22], position.0[23]);
    }

    #[test]
    fn a_lone_attacker_and_its_moves() {
        // The rook may come to f4 and g4, attacks e2, and has six moves off its rank.
        let expected = 0b11 << 18 | 1 << 28 | 1 << 46 | 0b111 << 54;
        assert_eq!(white("4k3/8/8/8/4r2A/8/8/a2RK3 w - - 0 1"), expected);
        // A knight on h6 can shut off the attack on g4, one on e6 on f4, one on a6 nowhere.
        let shut_off = |fen: &str| white(fen) >> 59 & 0b111;
        assert_eq!(shut_off("4k3/8/7n/8/4r2A/8/8/a2R1K2 w - - 0 1"), 1, "g4");
        assert_eq!(shut_off("4k3/8/4n3/8/4r2A/8/8/a2R1K2 w - - 0 1"), 1, "f4");
        assert_eq!(shut_off("4k3/8/n7/8/4r2A/8/8/a2R1K2 w - - 0 1"), 0);
    }

    #[test]
    fn pinned_blocked_and_attacked_attackers() {
        // The knight on e6 attacks the Anti-King on d4 and is pinned by the rook on e1.
        let pinned = white("4k3/8/4n3/8/3A4/8/8/a3R1K1 w - - 0 1");
        assert_eq!((pinned & 0b11, pinned >> 4 & 0b11, pinned >> 6 & 0b11), (1, 1, 1));
        // The pawn on e5 attacks the Anti-King on d4 and stands before a pawn; another man of its side protects it.
        let blocked = white("4k3/8/3p4/4p3/3AP3/8/8/a3R1K1 w - - 0 1");
        assert_eq!((blocked >> 2 & 0b11, blocked >> 4 & 0b11, blocked >> 6 & 0b11), (1, 0, 0));
    }

    #[test]
    fn pawns_that_will_attack_are_counted() {
        // From c6 to c5 and from e6 to e5, which attack d4 both.
        let advance = white("4k3/8/2p1p3/8/r2A4/8/8/a3R1K1 w - - 0 1");
        assert_eq!((advance >> 24 & 0b11, advance >> 26 & 0b11), (0b11, 0));
        // Taking on e5.
        let capture = white("4k3/8/3p4/4N3/r2A4/8/8/a3R1K1 w - - 0 1");
        assert_eq!((capture >> 24 & 0b11, capture >> 26 & 0b11), (0, 1));
    }
}
