//! What bears on the royal men, and why moves are against the rules: values for those who tell it to people.

use super::castling::Wing;
use super::position::Position;
use super::royalty::{Royalty, captured_en_passant};
use crate::attacks::{attacks, between, bishop_rays, king_attacks, pawn_attacks, rook_rays};
use crate::types::{Bitboard, Color, Kind, Move, MoveFlag, Piece, Square};

/// What is to be said of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// King and Anti-King of the side to move, then those of the other.
    pub royals: [RoyalExplanation; 4],
    /// Every move of the side to move that goes as its man goes and is against the rules all the same.
    pub illegal_moves: Vec<IllegalMove>,
}

/// How a royal man stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoyalExplanation {
    pub color: Color,
    /// [`Kind::King`] or [`Kind::AntiKing`].
    pub kind: Kind,
    pub square: Square,
    /// A King is in check when it has attackers, an Anti-King when it has none.
    pub in_check: bool,
    pub attackers: Vec<Attacker>,
    /// The men of its own side that alone stand between it and an enemy slider: pinned to a King, free to let an Anti-King
    /// be attacked.
    pub shields: Vec<Shield>,
    /// The squares around it and whether it may step there; for the side that is not to move, if it were its turn.
    pub steps: Vec<(Square, Step)>,
}

/// An enemy man that attacks a royal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attacker {
    pub square: Square,
    pub kind: Kind,
    /// It is pinned to its own King, and attacks all the same.
    pub pinned: bool,
}

/// A man between a royal one and an enemy slider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shield {
    pub square: Square,
    pub kind: Kind,
    /// Where the slider stands, and what it is.
    pub slider: (Square, Kind),
}

/// Whether a royal man may step to a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It may.
    Flight,
    /// A man of its own side stands there that it does not capture.
    OwnMan(Kind),
    /// An enemy man stands there that it does not capture.
    EnemyMan(Kind),
    /// The step is against the rules.
    Illegal(Reason),
}

/// A move against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    pub mv: Move,
    /// What moves.
    pub kind: Kind,
    pub reason: Reason,
}

/// Why a move is against the rules. A move that would harm both royal men is named for the King's sake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The King is in check by these men, and still would be.
    KingStaysInCheck(Vec<(Square, Kind)>),
    /// The moving man shields the King from this one.
    KingExposed(Vec<(Square, Kind)>),
    /// The King would step to where these men attack it, the enemy King among them.
    KingStepsIntoAttack(Vec<(Square, Kind)>),
    /// The Anti-King is in check, and no man would attack it after the move.
    AntiKingStaysUnattacked,
    /// The move captures the last attacker of the own Anti-King.
    TakesLastAttacker((Square, Kind)),
    /// The move comes between the last attacker and the own Anti-King.
    ShutsOffLastAttacker((Square, Kind)),
    /// The Anti-King would step to where no enemy man attacks it.
    AntiKingStepsOutOfAttack,
    /// No castling out of check.
    CastlesInCheck(Vec<(Square, Kind)>),
    /// No castling while the own Anti-King is in check.
    CastlesWhileAntiKingUnattacked,
    /// The King would cross or reach a square that these men attack.
    CastlesThroughAttack(Square, Vec<(Square, Kind)>),
}

/// A part of the rules of which moves may fall foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The mover's King must be unattacked after the move.
    KingSafe,
    /// The mover's Anti-King must be attacked after the move.
    AntiKingAttacked,
    /// Castling.
    Castling,
}

impl Reason {
    /// The rule that the move breaks.
    pub const fn rule(&self) -> Rule {
        match self {
            Reason::KingStaysInCheck(_) | Reason::KingExposed(_) | Reason::KingStepsIntoAttack(_) => Rule::KingSafe,
            Reason::AntiKingStaysUnattacked
            | Reason::TakesLastAttacker(_)
            | Reason::ShutsOffLastAttacker(_)
            | Reason::AntiKingStepsOutOfAttack => Rule::AntiKingAttacked,
            Reason::CastlesInCheck(_) | Reason::CastlesWhileAntiKingUnattacked | Reason::CastlesThroughAttack(..) => {
                Rule::Castling
            }
        }
    }
}

impl Position {
    /// Why each royal man is in check or not, and why moves that look possible are none. `stepped_over` is the square that an
    /// enemy pawn has just crossed by a double step, if one has: a position remembers it only where a capture there is legal.
    pub fn explained(&self, stepped_over: Option<Square>) -> Explanation {
        let us = self.turn;
        let royals = [(us, Kind::King), (us, Kind::AntiKing), (!us, Kind::King), (!us, Kind::AntiKing)];
        let remembering = Position { en_passant: self.en_passant.or(stepped_over), ..self.clone() };
        let illegal_moves = remembering.pseudo_legal_moves().into_iter().filter_map(|mv| {
            let kind = self.piece_on(mv.from())?.kind();
            remembering.objection(mv).map(|reason| IllegalMove { mv, kind, reason })
        });
        Explanation {
            royals: royals.map(|(color, kind)| self.seen_by(color).royal_explained(kind)),
            illegal_moves: illegal_moves.collect(),
        }
    }

    /// This position as if it were the turn of a side, whose opponent may then be in check.
    fn seen_by(&self, color: Color) -> Position {
        let mut seen = self.clone();
        if seen.turn != color {
            seen.set_en_passant(None);
            seen.pass_turn();
            seen.royalty = Royalty::of(&seen);
        }
        seen
    }

    /// A royal man of the side to move.
    fn royal_explained(&self, kind: Kind) -> RoyalExplanation {
        let us = self.turn;
        let (square, attackers, in_check) = if kind == Kind::King {
            (self.king(us), self.checkers(), self.king_in_check())
        } else {
            (self.anti_king(us), self.anti_attackers(), self.anti_king_in_check())
        };
        let pinned = self.seen_by(!us).royalty.pinned;
        let attackers = self.named(attackers).into_iter();
        RoyalExplanation {
            color: us,
            kind,
            square,
            in_check,
            attackers: attackers
                .map(|(square, kind)| Attacker { square, kind, pinned: pinned.contains(square) })
                .collect(),
            shields: self.shields(square),
            steps: king_attacks(square).into_iter().map(|to| (to, self.step(kind, square, to))).collect(),
        }
    }

    /// The own men that alone stand between a square and an enemy slider.
    fn shields(&self, square: Square) -> Vec<Shield> {
        let us = self.turn;
        let sliders =
            rook_rays(square) & self.orthogonal_sliders(!us) | bishop_rays(square) & self.diagonal_sliders(!us);
        let shield = |slider: (Square, Kind)| {
            let in_the_way = between(square, slider.0) & self.occupied();
            let man = in_the_way.first().filter(|_| !in_the_way.more_than_one())?;
            let piece = self.piece_on(man).filter(|piece| piece.color() == us)?;
            Some(Shield { square: man, kind: piece.kind(), slider })
        };
        self.named(sliders).into_iter().filter_map(shield).collect()
    }

    fn step(&self, royal: Kind, from: Square, to: Square) -> Step {
        match self.piece_on(to) {
            Some(man) if !self.captures(royal, man) && man.color() == self.turn => Step::OwnMan(man.kind()),
            Some(man) if !self.captures(royal, man) => Step::EnemyMan(man.kind()),
            _ => self.objection(Move::normal(from, to)).map_or(Step::Flight, Step::Illegal),
        }
    }

    /// True when a man of the side to move, of this kind, can capture the other if it reaches it.
    fn captures(&self, kind: Kind, victim: Piece) -> bool {
        let own = victim.color() == self.turn;
        !victim.kind().is_royal() && own == (kind == Kind::AntiKing)
    }

    fn named(&self, squares: Bitboard) -> Vec<(Square, Kind)> {
        squares.into_iter().filter_map(|square| Some((square, self.piece_on(square)?.kind()))).collect()
    }

    /// Every move that goes as its man goes, the safety of the royal men left out. Castling is among them when its right
    /// is kept and the squares between are empty; en passant where the position remembers the double step.
    pub(super) fn pseudo_legal_moves(&self) -> Vec<Move> {
        let us = self.turn;
        let mut moves = Vec::new();
        for from in self.color(us) {
            let Some(kind) = self.piece_on(from).map(Piece::kind) else { continue };
            let reached =
                if kind == Kind::Pawn { self.pawn_reach(from) } else { attacks(kind, us, from, self.occupied()) };
            for to in reached {
                if self.piece_on(to).is_some_and(|man| !self.captures(kind, man)) {
                    continue;
                }
                if kind == Kind::Pawn && to.relative_rank(us) == 7 {
                    let promotions = Kind::PROMOTIONS.into_iter();
                    moves.extend(promotions.map(|kind| Move::new(from, to, MoveFlag::Promotion(kind))));
                } else if kind == Kind::Pawn && self.piece_on(to).is_none() && from.file() != to.file() {
                    moves.push(Move::new(from, to, MoveFlag::EnPassant));
                } else {
                    moves.push(Move::normal(from, to));
                }
            }
        }
        let open = |wing: &Wing| self.castling.has(us, *wing) && !self.occupied().intersects(wing.gap(us));
        let castlings = Wing::ALL.into_iter().filter(open);
        moves.extend(castlings.map(|wing| Move::new(self.king(us), wing.king_to(us), MoveFlag::Castling)));
        moves
    }

    /// The squares to which a pawn can go or capture, if those of its captures hold what it can capture.
    fn pawn_reach(&self, from: Square) -> Bitboard {
        let us = self.turn;
        let empty = !self.occupied();
        let single = from.bitboard().forward(us) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        let victims = self.color(!us) | self.en_passant.map_or(Bitboard::EMPTY, Square::bitboard);
        single | double | pawn_attacks(us, from) & victims
    }

    /// Why a move that goes as its man goes is against the rules; `None` if it is legal.
    fn objection(&self, mv: Move) -> Option<Reason> {
        if mv.is_castling() {
            return self.objection_to_castling(mv);
        }
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let mover = self.piece_on(from)?.kind();
        let taken = if mv.is_en_passant() { captured_en_passant(to, us).bitboard() } else { to.bitboard() };
        let occupied = ((self.occupied() ^ from.bitboard()) - taken) | to.bitboard();
        let attackers = |square: Square| self.attackers(square, !us, occupied) - taken;

        let king = if mover == Kind::King { to } else { self.king(us) };
        let checkers = attackers(king) | self.kings_next_to(king);
        if checkers.any() {
            let by = self.named(checkers);
            return Some(if mover == Kind::King {
                Reason::KingStepsIntoAttack(by)
            } else if checkers.intersects(self.checkers()) {
                Reason::KingStaysInCheck(by)
            } else {
                Reason::KingExposed(by)
            });
        }
        let anti_king = if mover == Kind::AntiKing { to } else { self.anti_king(us) };
        if attackers(anti_king).any() {
            return None;
        }
        let last = self.anti_attackers();
        let captured = self.named(last & taken).first().copied();
        Some(match (mover, captured, self.named(last).first().copied()) {
            (Kind::AntiKing, ..) => Reason::AntiKingStepsOutOfAttack,
            (_, Some(captured), _) => Reason::TakesLastAttacker(captured),
            (_, None, Some(attacker)) => Reason::ShutsOffLastAttacker(attacker),
            (_, None, None) => Reason::AntiKingStaysUnattacked,
        })
    }

    fn objection_to_castling(&self, mv: Move) -> Option<Reason> {
        let us = self.turn;
        if self.king_in_check() {
            return Some(Reason::CastlesInCheck(self.named(self.checkers())));
        }
        if self.anti_king_in_check() {
            return Some(Reason::CastlesWhileAntiKingUnattacked);
        }
        let wing = Wing::ALL.into_iter().find(|wing| wing.king_to(us) == mv.to())?;
        wing.path(us).into_iter().find_map(|square| {
            let attackers = self.attackers(square, !us, self.occupied()) | self.kings_next_to(square);
            attackers.any().then(|| Reason::CastlesThroughAttack(square, self.named(attackers)))
        })
    }

    /// The enemy King, if it stands next to a square.
    fn kings_next_to(&self, square: Square) -> Bitboard {
        king_attacks(square) & self.pieces(!self.turn, Kind::King)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::along_random_games;
    use super::super::{parse_fen, truth};
    use super::*;

    fn explained(fen: &str) -> Explanation {
        parse_fen(fen).unwrap().position.explained(None)
    }

    fn reason(fen: &str, mv: &str) -> Reason {
        let explanation = explained(fen);
        let illegal = explanation.illegal_moves.into_iter().find(|illegal| illegal.mv.to_string() == mv);
        illegal.unwrap_or_else(|| panic!("{mv} in {fen}")).reason
    }

    fn at(name: &str, kind: Kind) -> (Square, Kind) {
        (Square::parse(name).unwrap(), kind)
    }

    #[test]
    fn every_move_is_legal_or_has_one_reason() {
        let mut seen = std::collections::HashSet::new();
        along_random_games(9, 60, |position| {
            let legal = position.legal_moves();
            let illegal = position.explained(None).illegal_moves;
            let mut all: Vec<u16> =
                legal.iter().copied().chain(illegal.iter().map(|illegal| illegal.mv)).map(Move::code).collect();
            all.sort_unstable();
            let mut pseudo_legal: Vec<u16> = position.pseudo_legal_moves().into_iter().map(Move::code).collect();
            pseudo_legal.sort_unstable();
            assert_eq!(all, pseudo_legal, "{position}");
            assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{position}");
            for IllegalMove { mv, reason, .. } in illegal {
                assert!(!truth::is_legal(position, mv), "{mv} in {position}");
                if !mv.is_castling() {
                    let (king_safe, anti_king_safe) = truth::safe_after(position, mv);
                    assert_eq!(reason.rule() == Rule::KingSafe, !king_safe, "{mv} in {position}");
                    assert!(!king_safe || !anti_king_safe, "{mv} in {position}");
                }
                seen.insert(std::mem::discriminant(&reason));
            }
        });
        assert_eq!(seen.len(), 10, "some reason was never met");
    }

    #[test]
    fn nothing_that_a_man_can_do_is_passed_over() {
        let mut positions = 0;
        along_random_games(10, 8, |position| {
            positions += 1;
            if positions % 10 == 0 {
                let moves = position.pseudo_legal_moves();
                let codes = (1..=u16::MAX).filter_map(Move::from_code);
                let truth: Vec<Move> = codes.filter(|&mv| truth::is_pseudo_legal(position, mv)).collect();
                assert!(truth.iter().all(|mv| moves.contains(mv)), "{position}");
                let castling = |mv: &&Move| mv.is_castling();
                let surplus = moves.iter().filter(|mv| !truth.contains(mv)).count();
                assert!(surplus <= moves.iter().filter(castling).count(), "{position}");
            }
        });
    }

    #[test]
    fn royals_agree_with_the_rules() {
        along_random_games(11, 30, |position| {
            let explanation = position.explained(None);
            let [king, anti_king, ..] = &explanation.royals;
            assert_eq!((king.in_check, anti_king.in_check), (position.king_in_check(), position.anti_king_in_check()));
            for royal in &explanation.royals {
                assert_eq!(royal.in_check, royal.attackers.is_empty() == (royal.kind == Kind::AntiKing), "{position}");
                assert!(royal.color == position.turn() || !royal.in_check, "{position}");
            }
            for royal in [king, anti_king] {
                for (to, step) in &royal.steps {
                    let mv = Move::normal(royal.square, *to);
                    assert_eq!(*step == Step::Flight, position.is_legal(mv), "{mv} in {position}");
                }
            }
        });
    }

    #[test]
    fn the_start_position_is_explained() {
        let Explanation { royals: [king, anti_king, ..], illegal_moves } = explained(Position::START_FEN);
        assert!(king.attackers.is_empty() && !king.in_check);
        let attackers: Vec<String> = anti_king.attackers.iter().map(|attacker| attacker.square.to_string()).collect();
        assert_eq!(attackers, ["c7", "e7"]);
        let step = |name: &str| anti_king.steps.iter().find(|(to, _)| to.to_string() == name).unwrap().1.clone();
        assert_eq!(step("c6"), Step::Flight);
        assert_eq!(step("d5"), Step::Illegal(Reason::AntiKingStepsOutOfAttack));
        assert_eq!(step("c7"), Step::EnemyMan(Kind::Pawn));
        let illegal: Vec<String> = illegal_moves.iter().map(|illegal| illegal.mv.to_string()).collect();
        assert_eq!(illegal, ["d6c5", "d6d5", "d6e5"]);
    }

    #[test]
    fn each_reason_names_the_men_that_matter() {
        let last = "4k3/8/8/2p1p3/1p1A4/3a4/2P2n2/R3K2R w KQ - 0 1";
        assert!(matches!(reason(last, "e1d1"), Reason::KingStepsIntoAttack(by) if by == [at("f2", Kind::Knight)]));
        assert_eq!(
            reason(last, "e1c1"),
            Reason::CastlesThroughAttack(Square::parse("d1").unwrap(), vec![at("f2", Kind::Knight)])
        );
        let taking = "7k/8/8/1B1p4/4A3/4a3/3P4/4K3 w - - 0 1";
        assert_eq!(
            reason("7k/8/2B5/3p4/4A3/4a3/3P4/4K3 w - - 0 1", "c6d5"),
            Reason::TakesLastAttacker(at("d5", Kind::Pawn))
        );
        let shutting = "4k3/8/4r3/7R/4A3/4a3/3P4/4K3 w - - 0 1";
        assert_eq!(reason(shutting, "h5e5"), Reason::ShutsOffLastAttacker(at("e6", Kind::Rook)));
        assert!(reason(taking, "e4e5").rule() == Rule::AntiKingAttacked);
    }

    #[test]
    fn en_passant_is_explained_where_the_double_step_is_told() {
        let objection = |fen: &str, crossed: &str, mv: &str| {
            let position = parse_fen(fen).unwrap().position;
            let illegal = position.explained(Square::parse(crossed)).illegal_moves;
            illegal.into_iter().find(|illegal| illegal.mv.to_string() == mv).map(|illegal| illegal.reason)
        };
        let last_attacker = "4k3/8/8/3pP3/4A3/4a3/3P4/4K3 w - - 0 1";
        let taken = Reason::TakesLastAttacker(at("d5", Kind::Pawn));
        assert_eq!(objection(last_attacker, "d6", "e5d6"), Some(taken));
        assert_eq!(objection(last_attacker, "", "e5d6"), None);
        let exposed = Reason::KingExposed(vec![at("h5", Kind::Rook)]);
        let rank = "4k3/2p5/1A6/K2pP2r/8/4a3/3P4/8 w - - 0 1";
        assert_eq!(objection(rank, "d6", "e5d6"), Some(exposed));
    }

    #[test]
    fn pinned_attackers_and_shields_are_named() {
        let [king, anti_king, ..] = explained("4k3/4n3/8/3A1P1r/8/5a2/4R1P1/2r3K1 w - - 0 1").royals;
        let attacker = |name, kind, pinned| Attacker { square: at(name, kind).0, kind, pinned };
        assert_eq!(king.attackers, [attacker("c1", Kind::Rook, false)]);
        assert_eq!(anti_king.attackers, [attacker("e7", Kind::Knight, true)]);
        let shield = Shield { square: at("f5", Kind::Pawn).0, kind: Kind::Pawn, slider: at("h5", Kind::Rook) };
        assert_eq!((king.shields, anti_king.shields), (vec![], vec![shield]));
    }
}
