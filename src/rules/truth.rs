//! The rules told the slow way: a move is made on a bare board, and the board is looked at.
//!
//! It shares neither tables nor reasoning with the fast generator, against which tests and debug builds hold it.

use super::castling::Wing;
use super::position::Position;
use crate::types::{Color, Kind, Move, MoveFlag, Piece, Square};

type Board = [Option<Piece>; 64];

const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// True when a move is legal.
pub fn is_legal(position: &Position, mv: Move) -> bool {
    let us = position.turn();
    if !is_pseudo_legal(position, mv) {
        return false;
    }
    let after = made(&position.board, us, mv);
    is_safe(&after, us)
}

/// True when the side to move is in check on either royal man.
pub fn in_check(position: &Position) -> bool {
    !is_safe(&position.board, position.turn())
}

/// True when after a legal move the opponent is in check on either royal man.
#[cfg(test)]
pub fn gives_check(position: &Position, mv: Move) -> bool {
    let us = position.turn();
    !is_safe(&made(&position.board, us, mv), !us)
}

/// Every move that is legal, found among all 16-bit codes.
#[cfg(test)]
pub fn legal_moves(position: &Position) -> Vec<Move> {
    (1..=u16::MAX).filter_map(Move::from_code).filter(|&mv| is_legal(position, mv)).collect()
}

fn step(square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    let (file, rank) = (square.file() as i8 + files, square.rank() as i8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| Square::at(file as u8, rank as u8))
}

/// True when a man standing on `from` strikes at `to`, by the way its kind moves.
fn strikes(board: &Board, piece: Piece, from: Square, to: Square) -> bool {
    let slides = |steps: &[(i8, i8)]| {
        steps.iter().any(|&direction| {
            let mut next = step(from, direction);
            while let Some(square) = next {
                if square == to {
                    return true;
                }
                if board[square.index()].is_some() {
                    return false;
                }
                next = step(square, direction);
            }
            false
        })
    };
    match piece.kind() {
        Kind::Pawn => {
            let up = if piece.color() == Color::White { 1 } else { -1 };
            [(-1, up), (1, up)].into_iter().any(|direction| step(from, direction) == Some(to))
        }
        Kind::Knight => KNIGHT_STEPS.into_iter().any(|direction| step(from, direction) == Some(to)),
        Kind::Bishop => slides(&BISHOP_STEPS),
        Kind::Rook => slides(&ROOK_STEPS),
        Kind::Queen => slides(&BISHOP_STEPS) || slides(&ROOK_STEPS),
        Kind::King | Kind::AntiKing => from != to && from.distance(to) == 1,
    }
}

/// True when a man of `by` attacks the square; Anti-Kings never do, and Kings only when the square holds no Anti-King.
fn is_attacked(board: &Board, square: Square, by: Color) -> bool {
    let holds_anti_king = board[square.index()].is_some_and(|piece| piece.kind() == Kind::AntiKing);
    Square::all().any(|from| {
        board[from.index()].is_some_and(|piece| {
            piece.color() == by
                && piece.kind() != Kind::AntiKing
                && !(holds_anti_king && piece.kind() == Kind::King)
                && strikes(board, piece, from, square)
        })
    })
}

/// True when a side's King is not attacked and its Anti-King is.
fn is_safe(board: &Board, color: Color) -> bool {
    safe_royals(board, color) == (true, true)
}

/// Whether the mover's King and its Anti-King are safe after a pseudo-legal move.
#[cfg(test)]
pub fn safe_after(position: &Position, mv: Move) -> (bool, bool) {
    let us = position.turn();
    safe_royals(&made(&position.board, us, mv), us)
}

/// Whether a side's King is not attacked, and whether its Anti-King is.
fn safe_royals(board: &Board, color: Color) -> (bool, bool) {
    let find = |kind| Square::all().find(|square| board[square.index()] == Some(Piece::new(color, kind)));
    let king_safe = find(Kind::King).is_some_and(|king| !is_attacked(board, king, !color));
    let anti_king_safe = find(Kind::AntiKing).is_some_and(|anti_king| is_attacked(board, anti_king, !color));
    (king_safe, anti_king_safe)
}

/// True when a move goes as its man goes; of castling all conditions but those on the position after it are asked for.
pub fn is_pseudo_legal(position: &Position, mv: Move) -> bool {
    let us = position.turn();
    let board = &position.board;
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = board[from.index()].filter(|piece| piece.color() == us) else { return false };
    let target = board[to.index()];
    let takes_enemy = target.is_some_and(|man| man.color() != us && !man.kind().is_royal());
    match (piece.kind(), mv.flag()) {
        (_, None) => false,
        (Kind::Pawn, Some(MoveFlag::EnPassant)) => position.en_passant() == Some(to) && strikes(board, piece, from, to),
        (Kind::Pawn, Some(MoveFlag::Normal | MoveFlag::Promotion(_))) => {
            let up = if us == Color::White { 1 } else { -1 };
            let is_empty = |square: Square| board[square.index()].is_none();
            let single = step(from, (0, up)).filter(|&square| is_empty(square));
            let double = single
                .filter(|_| from.relative_rank(us) == 1)
                .and_then(|square| step(square, (0, up)))
                .filter(|&square| is_empty(square));
            let reaches = single == Some(to) || double == Some(to) || takes_enemy && strikes(board, piece, from, to);
            reaches && (to.relative_rank(us) == 7) == mv.promotion().is_some()
        }
        (Kind::King, Some(MoveFlag::Castling)) => castles(position, from, to),
        (Kind::AntiKing, Some(MoveFlag::Normal)) => {
            let takes_own = target.is_some_and(|man| man.color() == us && !man.kind().is_royal());
            (target.is_none() || takes_own) && strikes(board, piece, from, to)
        }
        (_, Some(MoveFlag::Normal)) => (target.is_none() || takes_enemy) && strikes(board, piece, from, to),
        _ => false,
    }
}

fn castles(position: &Position, from: Square, to: Square) -> bool {
    let us = position.turn();
    let board = &position.board;
    let Some(wing) = Wing::ALL.into_iter().find(|wing| wing.king_to(us) == to) else { return false };
    from == Square::E1.relative(us)
        && position.castling().has(us, wing)
        && !in_check(position)
        && wing.gap(us).into_iter().all(|square| board[square.index()].is_none())
        && wing.path(us).into_iter().all(|square| !is_attacked(board, square, !us))
}

/// The board after a pseudo-legal move.
fn made(board: &Board, us: Color, mv: Move) -> Board {
    let mut after = *board;
    let (from, to) = (mv.from().index(), mv.to().index());
    after[to] = match mv.promotion() {
        Some(kind) => Some(Piece::new(us, kind)),
        None => after[from],
    };
    after[from] = None;
    if mv.is_en_passant() {
        let captured = Square::at(mv.to().file(), mv.from().rank());
        after[captured.index()] = None;
    }
    if mv.is_castling() {
        for wing in Wing::ALL {
            if wing.king_to(us) == mv.to() {
                after[wing.rook_to(us).index()] = after[wing.rook_from(us).index()].take();
            }
        }
    }
    after
}
