//! Static exchange evaluation: what is won or lost on one square when both sides take there as long as it pays (Chess
//! Programming Wiki, "Static Exchange Evaluation").

use crate::attacks::{bishop_attacks, king_attacks, rook_attacks};
use crate::rules::Position;
use crate::types::{Bitboard, Color, Kind, Move, Square};

/// What a man is worth in an exchange, in centipawns; royals cannot be taken.
pub const fn exchange_value(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 75,
        Kind::Knight => 170,
        Kind::Bishop => 150,
        Kind::Rook => 250,
        Kind::Queen => 450,
        Kind::King | Kind::AntiKing => 0,
    }
}

/// True when the exchange that a legal move starts gains at least `threshold` centipawns for the mover.
///
/// An Anti-King takes a man of its own and cannot be taken back: it costs that man and no more. Apart from that the
/// safety of the royal men is left out.
pub fn static_exchange_reaches(position: &Position, mv: Move, threshold: i32) -> bool {
    let us = position.turn();
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = position.piece_on(from).map(|piece| piece.kind()) else { return false };
    let target = position.piece_on(to).map_or(0, |piece| exchange_value(piece.kind()));
    if mover == Kind::AntiKing {
        return -target >= threshold;
    }
    if mv.is_castling() {
        return 0 >= threshold;
    }
    let mut gain = if mv.is_en_passant() { exchange_value(Kind::Pawn) } else { target };
    let landed = mv.promotion().unwrap_or(mover);
    gain += exchange_value(landed) - exchange_value(mover);

    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    // The worst case is that the man is lost for nothing. A King moves only where nothing takes it back.
    balance -= exchange_value(landed);
    if balance >= 0 {
        return true;
    }
    let mut occupied = position.occupied() ^ from.bitboard() | to.bitboard();
    if mv.is_en_passant() {
        occupied ^= Square::at(to.file(), from.rank()).bitboard();
    }
    exchange_goes_to(position, to, occupied, balance, us)
}

/// Plays the exchange out, the opponent of `us` to take; true when `us` comes out at least even with `balance`.
fn exchange_goes_to(position: &Position, to: Square, mut occupied: Bitboard, mut balance: i32, us: Color) -> bool {
    let diagonal = position.kind(Kind::Bishop) | position.kind(Kind::Queen);
    let orthogonal = position.kind(Kind::Rook) | position.kind(Kind::Queen);
    let mut attackers = Color::ALL.into_iter().fold(Bitboard::EMPTY, |set, color| {
        set | position.attackers(to, color, occupied) | king_attacks(to) & position.pieces(color, Kind::King)
    });
    let mut side = !us;
    loop {
        attackers &= occupied;
        let ours = attackers & position.color(side);
        let Some((kind, square)) = least_valuable(position, ours) else { break };
        // A King may take only what nothing protects.
        if kind == Kind::King && attackers.intersects(position.color(!side)) {
            break;
        }
        occupied ^= square.bitboard();
        if matches!(kind, Kind::Pawn | Kind::Bishop | Kind::Queen) {
            attackers |= bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(kind, Kind::Rook | Kind::Queen) {
            attackers |= rook_attacks(to, occupied) & orthogonal;
        }
        side = !side;
        balance = -balance - 1 - exchange_value(kind);
        if balance >= 0 {
            break;
        }
    }
    // The side that has nothing left to take with, or would lose by taking, has lost the exchange.
    side != us
}

fn least_valuable(position: &Position, men: Bitboard) -> Option<(Kind, Square)> {
    Kind::ALL.into_iter().find_map(|kind| Some((kind, (men & position.kind(kind)).first()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{parse_fen, parse_uci};

    /// The greatest threshold that the move reaches.
    fn exchange(fen: &str, uci: &str) -> i32 {
        let position = parse_fen(fen).unwrap().position;
        let mv = parse_uci(&position, uci).unwrap();
        (-2_000..=2_000).rev().find(|&threshold| static_exchange_reaches(&position, mv, threshold)).unwrap()
    }

    const PAWN: i32 = exchange_value(Kind::Pawn);
    const ROOK: i32 = exchange_value(Kind::Rook);

    #[test]
    fn exchanges_are_counted_to_their_end() {
        // A pawn takes a protected pawn.
        assert_eq!(exchange("4k3/2p5/3p4/4P3/8/2p3a1/1A4RP/4K3 w - - 0 1", "e5d6"), 0);
        // A rook takes a protected pawn and is lost for it.
        assert_eq!(exchange("4k3/2p5/3p4/8/3R4/2p3a1/1A4RP/4K3 w - - 0 1", "d4d6"), PAWN - ROOK);
        // A second rook behind the first takes the pawn that took it.
        assert_eq!(exchange("4k3/2p5/3p4/8/3R4/2p3a1/1A4RP/3RK3 w - - 0 1", "d4d6"), PAWN - ROOK + PAWN);
        // A loose pawn is won.
        assert_eq!(exchange("4k3/8/3p4/8/3R4/2p3a1/1A4RP/4K3 w - - 0 1", "d4d6"), PAWN);
    }

    #[test]
    fn a_self_capture_costs_the_man_and_no_more() {
        assert_eq!(exchange("4k3/8/2n5/4P3/3A4/2N1B3/3P4/a2RK3 w - - 0 1", "d4e5"), -PAWN);
    }

    #[test]
    fn a_quiet_move_can_lose_its_man() {
        assert_eq!(exchange("4k3/2p5/8/8/3R4/2p3a1/1A4RP/4K3 w - - 0 1", "d4d6"), -ROOK);
        assert_eq!(exchange("4k3/2p5/8/8/3R4/2p3a1/1A4RP/4K3 w - - 0 1", "d4d5"), 0);
    }
}
