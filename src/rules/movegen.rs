//! Legal move generation by sets of squares.
//!
//! No move is made to see whether it is legal. The men that attack or shield either royal man (`royalty`) give each
//! mover the set of squares on which it may land; what it can reach within that set is legal. En passant alone is
//! tried out. In debug builds every move that is handed out is held against the slow truth (`truth`).

use super::castling::Wing;
use super::position::Position;
use crate::attacks::{attacks, between, king_attacks, line, pawn_attacks};
use crate::types::{Bitboard, Color, Kind, Move, MoveFlag, MoveList, Square};

/// A part of the legal moves. The noisy and the quiet ones are disjoint and together are all.
pub trait Stage {
    /// Captures of enemy men, en passant, queen promotions.
    const NOISY: bool;
    /// The rest: self-captures of the Anti-King and other promotions without capture included.
    const QUIET: bool;
}

/// All legal moves.
pub struct All;
/// Captures of enemy men, en passant, queen promotions.
pub struct Noisy;
/// All moves that are not noisy.
pub struct Quiet;

impl Stage for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Stage for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Stage for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// What takes the moves: it lists them, counts them, or notes that there is one.
trait Sink {
    /// Moves of one man.
    fn man(&mut self, from: Square, targets: Bitboard);
    /// Moves of pawns that came to their targets by `step` in index.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// The same for pawns that become one of `kinds`.
    fn promotions(&mut self, targets: Bitboard, step: i8, kinds: &[Kind]);
    /// A single move that is none of these.
    fn single(&mut self, mv: Move);
}

struct Lister<'a> {
    list: &'a mut MoveList,
}

impl Sink for Lister<'_> {
    #[inline]
    fn man(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.list.push(Move::normal(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self.list.push(Move::normal(origin(to, step), to));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8, kinds: &[Kind]) {
        for to in targets {
            for &kind in kinds {
                self.list.push(Move::new(origin(to, step), to, MoveFlag::Promotion(kind)));
            }
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.list.push(mv);
    }
}

#[inline]
fn origin(to: Square, step: i8) -> Square {
    Square::new((to.index() as i8 - step) as u8)
}

struct Counter {
    moves: u64,
}

impl Sink for Counter {
    #[inline]
    fn man(&mut self, _from: Square, targets: Bitboard) {
        self.moves += u64::from(targets.count());
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _step: i8) {
        self.moves += u64::from(targets.count());
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _step: i8, kinds: &[Kind]) {
        self.moves += u64::from(targets.count()) * kinds.len() as u64;
    }

    #[inline]
    fn single(&mut self, _mv: Move) {
        self.moves += 1;
    }
}

impl Position {
    /// All legal moves, in no particular order.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<All>(&mut list);
        list
    }

    /// Appends the legal moves of a stage to a list.
    pub fn generate<S: Stage>(&self, list: &mut MoveList) {
        self.emit::<S>(&mut Lister { list });
        #[cfg(debug_assertions)]
        for &mv in list.iter() {
            assert!(super::truth::is_legal(self, mv), "generated {mv} is not legal in {self}");
        }
    }

    /// The number of legal moves, counted without listing them.
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter { moves: 0 };
        self.emit::<All>(&mut counter);
        counter.moves
    }

    /// True when the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline]
    fn emit<S: Stage>(&self, sink: &mut impl Sink) {
        let us = self.turn;
        let bounds = Bounds::of(self);
        if !self.royalty.checkers.more_than_one() {
            self.emit_men::<S>(&bounds, sink);
            self.emit_pawns::<S>(&bounds, sink);
            if S::NOISY
                && let Some(to) = self.en_passant
            {
                for from in pawn_attacks(!us, to) & self.pieces(us, Kind::Pawn) {
                    if self.en_passant_is_safe(from, to) {
                        sink.single(Move::new(from, to, MoveFlag::EnPassant));
                    }
                }
            }
        }
        self.emit_royals::<S>(&bounds, sink);
    }

    /// The squares on which the moves of a stage land, pawns and Anti-Kings aside. No man captures a royal one.
    #[inline]
    fn landings<S: Stage>(&self) -> Bitboard {
        let mut landings = Bitboard::EMPTY;
        if S::NOISY {
            landings |= self.capturable();
        }
        if S::QUIET {
            landings |= !self.occupied();
        }
        landings
    }

    /// The enemy men that can be captured.
    #[inline]
    fn capturable(&self) -> Bitboard {
        self.color(!self.turn) - self.kind(Kind::King) - self.kind(Kind::AntiKing)
    }

    /// The men that the own Anti-King can capture.
    #[inline]
    fn self_capturable(&self) -> Bitboard {
        self.color(self.turn) - self.kind(Kind::King) - self.kind(Kind::AntiKing)
    }

    #[inline]
    fn emit_men<S: Stage>(&self, bounds: &Bounds, sink: &mut impl Sink) {
        let us = self.turn;
        let occupied = self.occupied();
        let landings = self.landings::<S>();
        let free = landings & bounds.unbound;
        for kind in Kind::OFFICERS {
            for from in self.pieces(us, kind) {
                let allowed = if bounds.bound.contains(from) { landings & bounds.of_man(self, from) } else { free };
                sink.man(from, attacks(kind, us, from, occupied) & allowed);
            }
        }
    }

    #[inline]
    fn emit_pawns<S: Stage>(&self, bounds: &Bounds, sink: &mut impl Sink) {
        let pawns = self.pieces(self.turn, Kind::Pawn);
        self.emit_pawns_within::<S>(pawns - bounds.bound, bounds.unbound, sink);
        for from in pawns & bounds.bound {
            self.emit_pawns_within::<S>(from.bitboard(), bounds.of_man(self, from), sink);
        }
    }

    /// The moves of a set of pawns that land on allowed squares, en passant aside.
    #[inline]
    fn emit_pawns_within<S: Stage>(&self, pawns: Bitboard, allowed: Bitboard, sink: &mut impl Sink) {
        let us = self.turn;
        let up: i8 = if us == Color::White { 8 } else { -8 };
        let last_rank = Bitboard::relative_rank(us, 7);
        let empty = !self.occupied();
        let ahead = pawns.forward(us);

        let single = ahead & empty;
        let pushed = single & allowed;
        if S::QUIET {
            sink.pawns(pushed - last_rank, up);
            let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty & allowed;
            sink.pawns(double, 2 * up);
        }
        let promoted = pushed & last_rank;
        if promoted.any() {
            let (queen, others) = Kind::PROMOTIONS.split_at(1);
            if S::NOISY {
                sink.promotions(promoted, up, queen);
            }
            if S::QUIET {
                sink.promotions(promoted, up, others);
            }
        }
        if S::NOISY {
            let victims = self.capturable() & allowed;
            for (captures, step) in [(ahead.left() & victims, up - 1), (ahead.right() & victims, up + 1)] {
                sink.pawns(captures - last_rank, step);
                if captures.intersects(last_rank) {
                    sink.promotions(captures & last_rank, step, &Kind::PROMOTIONS);
                }
            }
        }
    }

    #[inline]
    fn emit_royals<S: Stage>(&self, bounds: &Bounds, sink: &mut impl Sink) {
        let us = self.turn;
        let (king, anti_king) = (self.king(us), self.anti_king(us));
        let king_steps = king_attacks(king) & self.landings::<S>() & bounds.of_king(self, king);
        let anti_king_steps = if S::QUIET {
            king_attacks(anti_king) & (!self.occupied() | self.self_capturable()) & bounds.of_anti_king(self, anti_king)
        } else {
            Bitboard::EMPTY
        };
        let castles = S::QUIET && self.castling_stands_open();
        if king_steps.is_empty() && anti_king_steps.is_empty() && !castles {
            return;
        }
        let attacked = self.attacked_by_men(!us);
        let unsafe_for_king = attacked | king_attacks(self.king(!us)) | self.beyond_king(king);
        sink.man(king, king_steps - unsafe_for_king);
        if S::QUIET {
            sink.man(anti_king, anti_king_steps & (attacked | self.beyond_anti_king(anti_king)));
        }
        if castles {
            for wing in Wing::ALL {
                if self.can_castle(wing) && !unsafe_for_king.intersects(wing.path(us)) {
                    sink.single(Move::new(king, wing.king_to(us), MoveFlag::Castling));
                }
            }
        }
    }

    /// The squares that a slider giving check reaches once the King steps off its line: the whole line but for the slider
    /// itself. Another one on the same line is among them, since the first protects it through the King.
    #[inline]
    fn beyond_king(&self, king: Square) -> Bitboard {
        let sliders = self.royalty.checkers & self.sliders();
        sliders.into_iter().fold(Bitboard::EMPTY, |set, slider| set | (line(king, slider) - slider.bitboard()))
    }

    /// The squares that a slider attacking the Anti-King reaches once that steps along its line.
    #[inline]
    fn beyond_anti_king(&self, anti_king: Square) -> Bitboard {
        let sliders = self.royalty.anti_attackers & self.sliders();
        sliders.into_iter().fold(Bitboard::EMPTY, |set, slider| set | line(anti_king, slider))
    }

    #[inline]
    fn sliders(&self) -> Bitboard {
        self.kind(Kind::Bishop) | self.kind(Kind::Rook) | self.kind(Kind::Queen)
    }

    #[inline]
    fn castling_stands_open(&self) -> bool {
        Wing::ALL.into_iter().any(|wing| self.can_castle(wing))
    }

    /// True when all but the safety of the King's path allows castling. It takes no attack away from the own Anti-King:
    /// the line of an attacker along the back rank would have been shut by the King already.
    #[inline]
    fn can_castle(&self, wing: Wing) -> bool {
        let us = self.turn;
        self.castling.has(us, wing) && !self.occupied().intersects(wing.gap(us)) && !self.in_check()
    }

    /// True when a move, of whatever origin, is legal here.
    ///
    /// The answer is that of membership in [`legal_moves`](Position::legal_moves), for any of the 16-bit codes.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else { return false };
        let Some(flag) = mv.flag() else { return false };
        let bounds = Bounds::of(self);
        let legal = match (piece.kind(), flag) {
            (Kind::Pawn, MoveFlag::EnPassant) => {
                self.en_passant == Some(to) && pawn_attacks(us, from).contains(to) && self.en_passant_is_safe(from, to)
            }
            (Kind::Pawn, MoveFlag::Normal | MoveFlag::Promotion(_)) => {
                (to.relative_rank(us) == 7) == mv.promotion().is_some()
                    && self.pawn_reaches(from, to)
                    && bounds.of_man(self, from).contains(to)
            }
            (Kind::King, MoveFlag::Castling) => self.castling_is_legal(from, to),
            (Kind::King, MoveFlag::Normal) => {
                (king_attacks(from) & self.landings::<All>() & bounds.of_king(self, from)).contains(to)
                    && self.attackers(to, !us, self.occupied() ^ from.bitboard()).is_empty()
                    && !self.king_guards(to, !us)
            }
            (Kind::AntiKing, MoveFlag::Normal) => {
                let landings = !self.occupied() | self.self_capturable();
                (king_attacks(from) & landings & bounds.of_anti_king(self, from)).contains(to)
                    && self.attackers(to, !us, self.occupied() ^ from.bitboard()).any()
            }
            (kind, MoveFlag::Normal) => {
                (self.landings::<All>() & bounds.of_man(self, from)).contains(to)
                    && attacks(kind, us, from, self.occupied()).contains(to)
            }
            _ => false,
        };
        #[cfg(debug_assertions)]
        assert_eq!(legal, super::truth::is_legal(self, mv), "is_legal({mv}) in {self}");
        legal
    }

    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.turn;
        if pawn_attacks(us, from).contains(to) {
            return self.capturable().contains(to);
        }
        let empty = !self.occupied();
        let single = from.bitboard().forward(us) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        (single | double).contains(to)
    }

    fn castling_is_legal(&self, from: Square, to: Square) -> bool {
        let us = self.turn;
        from == Square::E1.relative(us)
            && Wing::ALL.into_iter().any(|wing| {
                to == wing.king_to(us)
                    && self.can_castle(wing)
                    && wing.path(us).into_iter().all(|square| {
                        self.attackers(square, !us, self.occupied()).is_empty() && !self.king_guards(square, !us)
                    })
            })
    }
}

/// Where the men of the side to move may land so that both royal men are safe.
struct Bounds {
    /// The men for which more than `unbound` has to be asked.
    bound: Bitboard,
    /// The squares allowed to a man that shields neither royal man.
    unbound: Bitboard,
    /// The squares that answer a check to the King; all when there is none.
    king_answers: Bitboard,
    /// The squares on which a man that opens no line to the Anti-King leaves it attacked.
    anti_king_answers: Bitboard,
}

impl Bounds {
    #[inline]
    fn of(position: &Position) -> Bounds {
        let us = position.turn;
        let royalty = &position.royalty;
        let king_answers = match royalty.checkers.first() {
            None => Bitboard::ALL,
            Some(_) if royalty.checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => between(position.king(us), checker) | checker.bitboard(),
        };
        let anti_king_answers = match royalty.anti_attackers.first() {
            None => Bitboard::EMPTY,
            // Of two attackers one move takes away at most one.
            Some(_) if royalty.anti_attackers.more_than_one() => Bitboard::ALL,
            // The last attacker may be neither captured nor shut off.
            Some(attacker) => !(between(position.anti_king(us), attacker) | attacker.bitboard()),
        };
        Bounds {
            bound: royalty.pinned | royalty.anti_blockers,
            unbound: king_answers & anti_king_answers,
            king_answers,
            anti_king_answers,
        }
    }

    /// For an ordinary man.
    #[inline]
    fn of_man(&self, position: &Position, from: Square) -> Bitboard {
        let pin = self.pin(position, from);
        self.king_answers & pin & self.keeping_anti_king_attacked(position, from)
    }

    /// For the King, the safety of its own new square left out.
    #[inline]
    fn of_king(&self, position: &Position, king: Square) -> Bitboard {
        self.keeping_anti_king_attacked(position, king)
    }

    /// For the Anti-King, the attack on its own new square left out. It answers a check only by stepping between.
    #[inline]
    fn of_anti_king(&self, position: &Position, anti_king: Square) -> Bitboard {
        self.king_answers & self.pin(position, anti_king)
    }

    #[inline]
    fn pin(&self, position: &Position, from: Square) -> Bitboard {
        if position.royalty.pinned.contains(from) { line(position.king(position.turn), from) } else { Bitboard::ALL }
    }

    /// A sole blocker that leaves its line lets a further man attack the Anti-King, whatever its move takes away.
    #[inline]
    fn keeping_anti_king_attacked(&self, position: &Position, from: Square) -> Bitboard {
        if !position.royalty.anti_blockers.contains(from) {
            self.anti_king_answers
        } else if position.anti_king_in_check() {
            !line(position.anti_king(position.turn), from)
        } else {
            Bitboard::ALL
        }
    }
}
