//! The evaluation: what a position is worth to the side to move, by a neural [`network`]. It judges neither legality
//! nor the end of a game.

mod explain;
pub mod network;
mod phase;

pub use explain::explain;
pub use network::{Accumulators, Network, NetworkError};
pub use phase::{PHASE_MAX, phase};

use crate::rules::Position;
use crate::types::Score;

/// The worth of a position for the side to move, in centipawns, never a mate score.
pub fn evaluate(position: &Position, network: &Network) -> Score {
    faded(network.evaluate(position), position)
}

/// A network's output for a position, in centipawns, as its worth: it shrinks as the fifty-move rule comes nearer, so
/// that progress is made while it still counts.
pub fn faded(output: i32, position: &Position) -> Score {
    let moves_left = 200 - position.halfmove_clock().min(100) as i32;
    Score(output.clamp(-Score::MAX_EVALUATION.0, Score::MAX_EVALUATION.0) * moves_left / 200)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    fn evaluation(fen: &str) -> Score {
        evaluate(&parse_fen(fen).unwrap().position, &Network::embedded())
    }

    #[test]
    fn mirrored_positions_are_worth_the_same_to_the_side_to_move() {
        let openings = include_str!("../../tests/data/openings.epd").lines();
        let mates = include_str!("../../tests/data/mates.epd").lines().filter(|line| !line.starts_with('#'));
        for line in openings.chain(mates.map(|line| line.split(';').next().unwrap())) {
            let position = parse_fen(line).unwrap().position;
            let mirrored = mirrored(&position);
            let [here, there] = [&position, &mirrored].map(|position| evaluate(position, &Network::embedded()));
            assert_eq!(here, there, "{position} and {mirrored}");
        }
        let start = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR";
        assert_eq!(evaluation(&format!("{start} w KQkq - 0 1")), evaluation(&format!("{start} b KQkq - 0 1")));
    }

    fn swapped_case(letter: char) -> char {
        if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    }

    fn mirrored(position: &Position) -> Position {
        let fen = position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let swapped: String = fields[0].chars().map(swapped_case).collect();
        let rows: Vec<&str> = swapped.split('/').rev().collect();
        let turn = if fields[1] == "w" { "b" } else { "w" };
        let castling: String = "KQkq".chars().filter(|&right| fields[2].contains(swapped_case(right))).collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        parse_fen(&format!("{} {turn} {castling} - {} {}", rows.join("/"), fields[4], fields[5])).unwrap().position
    }

    #[test]
    fn few_enemy_men_are_a_danger() {
        let one_rook = evaluation("4k3/8/8/8/4r2A/8/8/a2RK3 w - - 0 1");
        let with_pawns = evaluation("4k3/ppp5/8/8/4r2A/8/8/a2RK3 w - - 0 1");
        let pawns_cost = one_rook.0 - with_pawns.0;
        assert!(pawns_cost < 3 * 110, "three enemy pawns also shelter: {pawns_cost}");
    }

    #[test]
    fn the_worth_fades_with_the_fifty_move_counter() {
        let at = |clock: u32| evaluation(&format!("4k3/ppp5/8/8/4r2A/8/8/a2RK3 w - - {clock} 80")).0;
        assert!(at(0) != 0 && at(0) / 2 == at(100), "{} and {}", at(0), at(100));
    }
}
