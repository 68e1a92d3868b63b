//! The evaluation: what a position is worth to the side to move, by hand-made terms. It judges neither legality nor the
//! end of a game.

mod attack_map;
mod tapered;
mod terms;
mod weights;

use std::fmt::Write;

pub use tapered::{PHASE_MAX, Tapered};
pub use weights::Weights;

use crate::rules::Position;
use crate::types::{Color, Kind, Score};
use attack_map::AttackMap;
use terms::{Board, TERMS};

/// The worth of a position for the side to move, in centipawns, never a mate score.
pub fn evaluate(position: &Position, weights: &Weights) -> Score {
    let score = balance(position, weights).at(phase(position));
    Score(fade(score, position.halfmove_clock())).clamped_to_evaluation()
}

/// The sum of all terms for the side to move: linear in the weights, so that they can be fitted to results of games.
pub fn balance(position: &Position, weights: &Weights) -> Tapered {
    let us = position.turn();
    let board = board(position, weights);
    let mut balance = weights.tempo;
    for (_, term) in TERMS {
        balance += term(&board, us) - term(&board, !us);
    }
    balance
}

/// A score shrinks as the fifty-move rule comes nearer, so that progress is made while it still counts.
fn fade(score: i32, halfmove_clock: u32) -> i32 {
    score * (200 - halfmove_clock.min(100) as i32) / 200
}

/// How much of the middle game is left, 0 to [`PHASE_MAX`]: by the officers of both sides.
pub fn phase(position: &Position) -> i32 {
    let weights = [(Kind::Knight, 1), (Kind::Bishop, 1), (Kind::Rook, 2), (Kind::Queen, 4)];
    let sum: i32 = weights.into_iter().map(|(kind, weight)| position.kind(kind).count() as i32 * weight).sum();
    sum.min(PHASE_MAX)
}

fn board<'a>(position: &'a Position, weights: &'a Weights) -> Board<'a> {
    Board { position, weights, attacks: Color::ALL.map(|color| AttackMap::of(position, color, weights)) }
}

/// The evaluation term by term, as a table for people: White, Black and the difference, middle game and ending, in pawns.
pub fn explain(position: &Position, weights: &Weights) -> String {
    let board = board(position, weights);
    let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
    let column = |value: Tapered| format!("{:>7.2} {:>7.2}", pawns(value.middle_game()), pawns(value.ending()));
    let mut text = String::new();
    let mut line = |name: &str, white: &str, black: &str, total: &str| {
        let _ = writeln!(text, "{name:>20} | {white:>15} | {black:>15} | {total:>15}");
    };
    line("Term", "White MG      EG", "Black MG      EG", "Total MG      EG");
    for (name, term) in TERMS {
        let (white, black) = (term(&board, Color::White), term(&board, Color::Black));
        line(name, &column(white), &column(black), &column(white - black));
    }
    let for_white = |value: Tapered| if position.turn() == Color::White { value } else { -value };
    line("Right to move", "", "", &column(for_white(weights.tempo)));
    line("Sum", "", "", &column(for_white(balance(position, weights))));
    let score = evaluate(position, weights);
    let for_white = score.for_white(position.turn());
    let _ = write!(
        text,
        "\nPhase {} of {PHASE_MAX}, {} half-moves without progress\nEvaluation {:+.2} (for White)",
        phase(position),
        position.halfmove_clock(),
        pawns(for_white.0)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    fn evaluation(fen: &str) -> Score {
        evaluate(&parse_fen(fen).unwrap().position, &Weights::DEFAULT)
    }

    #[test]
    fn mirrored_positions_are_worth_the_same_to_the_side_to_move() {
        let openings = include_str!("../../tests/data/openings.epd").lines();
        let mates = include_str!("../../tests/data/mates.epd").lines().filter(|line| !line.starts_with('#'));
        for line in openings.chain(mates.map(|line| line.split(';').next().unwrap())) {
            let position = parse_fen(line).unwrap().position;
            let mirrored = mirrored(&position);
            assert_eq!(
                evaluate(&position, &Weights::DEFAULT),
                evaluate(&mirrored, &Weights::DEFAULT),
                "{position} and {mirrored}"
            );
        }
        let start = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR";
        assert_eq!(evaluation(&format!("{start} w KQkq - 0 1")), evaluation(&format!("{start} b KQkq - 0 1")));
    }

    fn mirrored(position: &Position) -> Position {
        let fen = position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let swapped: String = fields[0]
            .chars()
            .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
            .collect();
        let rows: Vec<&str> = swapped.split('/').rev().collect();
        let turn = if fields[1] == "w" { "b" } else { "w" };
        parse_fen(&format!("{} {turn} - - {} {}", rows.join("/"), fields[4], fields[5])).unwrap().position
    }

    #[test]
    fn the_explanation_ends_with_the_evaluation() {
        let position = parse_fen("8/8/5K2/8/3k4/6A1/2R1a3/5r1Q w - - 0 1").unwrap().position;
        let text = explain(&position, &Weights::DEFAULT);
        let score = f64::from(evaluate(&position, &Weights::DEFAULT).0) / 100.0;
        assert!(text.ends_with(&format!("Evaluation {score:+.2} (for White)")), "{text}");
        for (name, _) in TERMS {
            assert!(text.contains(name), "{name} is not explained");
        }
    }

    #[test]
    fn few_enemy_men_are_a_danger() {
        let one_rook = evaluation("4k3/8/8/8/4r2A/8/8/a2RK3 w - - 0 1");
        let with_pawns = evaluation("4k3/ppp5/8/8/4r2A/8/8/a2RK3 w - - 0 1");
        let pawns_cost = one_rook.0 - with_pawns.0;
        assert!(pawns_cost < 3 * 110, "three enemy pawns also shelter: {pawns_cost}");
    }
}
