//! The terms of the evaluation, each a function from a board and a side to what that side gains by it.

use super::attack_map::AttackMap;
use super::tapered::Tapered;
use super::weights::Weights;
use crate::attacks::{attacks, bishop_attacks, king_attacks, knight_attacks, pawns_attacks, rook_attacks};
use crate::rules::Position;
use crate::types::{Bitboard, Color, Kind};

/// What all terms look at.
pub struct Board<'a> {
    pub position: &'a Position,
    pub weights: &'a Weights,
    /// By colour.
    pub attacks: [AttackMap; 2],
}

/// A term's name and what it gives a side.
pub type Term = (&'static str, fn(&Board, Color) -> Tapered);

/// All terms, in the order in which they are explained.
pub const TERMS: [Term; 10] = [
    ("Material", material),
    ("Placement", placement),
    ("Mobility", mobility),
    ("Pawns", pawns),
    ("Rooks", rooks),
    ("King safety", king_safety),
    ("Anti-King attackers", anti_king_attackers),
    ("Anti-King steps", anti_king_steps),
    ("Enemy army", enemy_army),
    ("Threats", threats),
];

impl Board<'_> {
    fn own(&self, color: Color, kind: Kind) -> Bitboard {
        self.position.pieces(color, kind)
    }

    /// The squares next to a side's King.
    fn near_king(&self, color: Color) -> Bitboard {
        king_attacks(self.position.king(color))
    }

    fn map(&self, color: Color) -> &AttackMap {
        &self.attacks[color.index()]
    }
}

fn material(board: &Board, color: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for (kind, &worth) in Kind::ALL.into_iter().zip(&board.weights.material) {
        sum += worth * board.own(color, kind).count();
    }
    if board.own(color, Kind::Bishop).more_than_one() {
        sum += board.weights.bishop_pair;
    }
    sum
}

fn placement(board: &Board, color: Color) -> Tapered {
    let folded = &HALF_BOARD[color.index()];
    let mut sum = Tapered::ZERO;
    for (kind, worth) in Kind::ALL.into_iter().zip(&board.weights.placement) {
        for square in board.own(color, kind) {
            sum += worth[usize::from(folded[square.index()])];
        }
    }
    sum
}

/// By colour, then by square: its index, as that side sees it, among the squares of the a- to d-files, to which the others are mirrored.
const HALF_BOARD: [[u8; 64]; 2] = {
    let mut half_board = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (square as u8 / 8, square as u8 % 8);
        let folded = if file < 4 { file } else { 7 - file };
        half_board[0][square] = rank * 4 + folded;
        half_board[1][square] = (7 - rank) * 4 + folded;
        square += 1;
    }
    half_board
};

fn mobility(board: &Board, color: Color) -> Tapered {
    board.map(color).mobility
}

fn pawns(board: &Board, color: Color) -> Tapered {
    let weights = board.weights;
    let own = board.own(color, Kind::Pawn);
    let enemy = board.own(!color, Kind::Pawn);
    let files = filled_files(own);
    let isolated = own - files.left() - files.right();
    let doubled = own & squares_before(own, !color);
    let enemy_front = squares_before(enemy, !color);
    let passed = own - enemy_front - enemy_front.left() - enemy_front.right() - doubled;
    let mut sum = weights.pawn_count[own.count() as usize]
        + weights.protected_pawn * (own & pawns_attacks(color, own)).count()
        + weights.isolated_pawn * isolated.count()
        + weights.doubled_pawn * doubled.count()
        + weights.blocked_passed_pawn * (passed.forward(color) & board.position.color(!color)).count();
    for pawn in passed {
        sum += weights.passed_pawn[usize::from(pawn.relative_rank(color))];
    }
    sum
}

/// All squares before some of the pawns, on the pawn's own file.
#[inline]
fn squares_before(pawns: Bitboard, color: Color) -> Bitboard {
    let mut front = pawns.forward(color);
    front |= front.forward(color);
    front |= front.forward(color).forward(color);
    front | front.forward(color).forward(color).forward(color).forward(color)
}

/// The files on which some of the pawns stand.
#[inline]
fn filled_files(pawns: Bitboard) -> Bitboard {
    pawns | squares_before(pawns, Color::White) | squares_before(pawns, Color::Black)
}

fn rooks(board: &Board, color: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for rook in board.own(color, Kind::Rook) {
        let file = Bitboard::file(rook.file());
        if !board.position.kind(Kind::Pawn).intersects(file) {
            sum += board.weights.rook_on_open_file;
        } else if !board.own(color, Kind::Pawn).intersects(file) {
            sum += board.weights.rook_on_half_open_file;
        }
    }
    sum
}

/// The pawns before the King, the squares beside it that look free to enter, and what the enemy's officers make of it.
fn king_safety(board: &Board, color: Color) -> Tapered {
    let king = board.position.king(color).bitboard();
    let before = (king | king.left() | king.right()).forward(color);
    let shield = (before | before.forward(color)) & board.own(color, Kind::Pawn);
    let (own, enemy) = (board.position.color(color), board.map(!color));
    let steps = board.near_king(color) - own - enemy.once - board.near_king(!color);
    board.weights.king_shield[shield.count().min(3) as usize]
        + board.weights.king_steps[steps.count() as usize]
        + king_danger(board, color)
        + safe_checks(board, color)
}

/// The squares from which enemy officers can check the King without being taken by a man.
fn safe_checks(board: &Board, color: Color) -> Tapered {
    let (position, weights) = (board.position, board.weights);
    let (king, occupied) = (position.king(color), position.occupied());
    let safe = !board.map(color).once - position.color(!color);
    let diagonal = bishop_attacks(king, occupied);
    let orthogonal = rook_attacks(king, occupied);
    let reached = &board.map(!color).reached;
    let checks = [Bitboard::EMPTY, knight_attacks(king), diagonal, orthogonal, diagonal | orthogonal];
    let count = |kind: Kind| (reached[kind.index()] & checks[kind.index()] & safe).count();
    Kind::OFFICERS.into_iter().map(|kind| weights.safe_check[kind.index()] * count(kind)).sum()
}

/// Attack units: two for each attack of a queen on a square next to the King, one and a half for a rook's, one for a
/// minor officer's, in halves of the sum; a man's worth in the attack grows with the company it finds.
fn king_danger(board: &Board, color: Color) -> Tapered {
    let ring = &board.map(!color).king_ring;
    let units = 2 * (ring[1] + ring[2]) + 3 * ring[3] + 4 * ring[4];
    board.weights.king_danger[(units / 2).min(15) as usize]
}

/// How firmly the enemy's men attack the Anti-King, and what is left when a single attacker goes.
fn anti_king_attackers(board: &Board, color: Color) -> Tapered {
    let (position, weights) = (board.position, board.weights);
    let anti_king = position.anti_king(color);
    let attackers = if color == position.turn() {
        position.anti_attackers()
    } else {
        position.attackers(anti_king, !color, position.occupied())
    };
    let pawns = attackers & position.kind(Kind::Pawn);
    let officers = attackers - pawns;
    let mut sum = weights.anti_king_attackers[pawns.count().min(2) as usize][officers.count().min(3) as usize];
    if let Some(attacker) = attackers.first()
        && !attackers.more_than_one()
    {
        let kind =
            if pawns.any() { Kind::Pawn } else { position.piece_on(attacker).map_or(Kind::Pawn, |man| man.kind()) };
        let its_own = attacks(kind, !color, attacker, position.occupied());
        let map = board.map(!color);
        let left = (reachable(board, color) & (map.twice | (map.once - its_own))).count() as usize;
        sum += if pawns.any() { weights.anti_king_on_pawn[left] } else { weights.anti_king_on_officer[left] };
    }
    for (kind, &weight) in Kind::ALL.into_iter().zip(&weights.anti_king_attacker) {
        sum += weight * (attackers & position.kind(kind)).count();
    }
    let enemy_pawns = board.own(!color, Kind::Pawn);
    let mut within = anti_king.bitboard();
    for &weight in &weights.anti_king_near_pawn {
        let wider = one_step_around(within);
        sum += weight * (enemy_pawns & (wider - within)).count();
        within = wider;
    }
    sum
}

/// A set of squares and all that are one King step away from it.
#[inline]
fn one_step_around(squares: Bitboard) -> Bitboard {
    let wide = squares | squares.left() | squares.right();
    wide | wide.forward(Color::White) | wide.forward(Color::Black)
}

/// The squares next to the Anti-King that it may enter as far as what stands there goes.
fn reachable(board: &Board, color: Color) -> Bitboard {
    let barred = board.position.color(!color) | board.own(color, Kind::King);
    king_attacks(board.position.anti_king(color)) - barred
}

/// Where the Anti-King could stand attacked after one step, and what the enemy attacks around that.
fn anti_king_steps(board: &Board, color: Color) -> Tapered {
    let (weights, map) = (board.weights, board.map(!color));
    let steps = reachable(board, color) & map.once;
    let near = one_step_around(board.position.anti_king(color).bitboard());
    let wide = one_step_around(near) - near;
    weights.anti_king_steps[steps.count() as usize]
        + weights.anti_king_pawn_step * (steps & map.pawns).count()
        + weights.anti_king_firm_step * (steps & map.twice).count()
        + weights.anti_king_free_step * (steps - board.position.occupied()).count()
        + weights.anti_king_wide_step * (wide & map.once).count()
        + weights.anti_king_wide_pawn_step * (wide & map.pawns).count()
}

fn enemy_army(board: &Board, color: Color) -> Tapered {
    let men = board.position.color(!color).count() - 2;
    board.weights.enemy_army[men.min(15) as usize]
}

fn threats(board: &Board, color: Color) -> Tapered {
    let (weights, position) = (board.weights, board.position);
    let officers: Bitboard =
        Kind::OFFICERS.into_iter().fold(Bitboard::EMPTY, |set, kind| set | position.pieces(!color, kind));
    let own = board.map(color);
    let guarded = board.map(!color).once | board.near_king(!color);
    let loose = own.once - guarded;
    let heavy = position.pieces(!color, Kind::Rook) | position.pieces(!color, Kind::Queen);
    let by_minors = own.reached[Kind::Knight.index()] | own.reached[Kind::Bishop.index()];
    weights.threat_by_pawn * (officers & own.pawns).count()
        + weights.threat_by_minor * (heavy & by_minors).count()
        + weights.loose_officer * (officers & (loose - own.pawns)).count()
        + weights.loose_pawn * (board.own(!color, Kind::Pawn) & loose).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn squares_before_are_those_on_the_file_and_ahead() {
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
        for square in Square::all() {
            let expected: Bitboard = Square::all().filter(|other| other.distance(square) <= 1).collect();
            assert_eq!(one_step_around(square.bitboard()), expected, "{square}");
        }
    }
}
