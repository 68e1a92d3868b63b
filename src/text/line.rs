use crate::rules::{Position, san_line};
use crate::types::{Color, Move, Score};

/// A line in SAN with move numbers: `2... Nc6 3. Bb5`.
pub fn numbered(start: &Position, line: &[Move]) -> String {
    let mut words = Vec::new();
    let mut side = start.turn();
    let mut number = start.fullmove_number();
    for (index, text) in san_line(start, line).into_iter().enumerate() {
        match side {
            Color::White => words.push(format!("{number}.")),
            Color::Black if index == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(text);
        number += u32::from(side == Color::Black);
        side = !side;
    }
    words.join(" ")
}

/// A score in pawns (`+0.34`), or the full moves to a mate (`mate 2`, negative when it is suffered).
pub fn score(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("{:+.2}", f64::from(score.0) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, parse_san};

    #[test]
    fn lines_are_numbered_from_either_side() {
        let mut game = Game::new(Position::start());
        for text in ["e4", "e5", "Nf3"] {
            let mv = parse_san(game.position(), text).unwrap();
            game.push(mv);
        }
        assert_eq!(numbered(game.start(), game.moves()), "1. e4 e5 2. Nf3");
        let after_one = game.start().played(game.moves()[0]);
        assert_eq!(numbered(&after_one, &game.moves()[1..]), "1... e5 2. Nf3");
        assert_eq!(numbered(&after_one, &[]), "");
    }

    #[test]
    fn scores_are_pawns_or_mates() {
        let told = [Score(34), Score(-5), Score(0), Score::mating(3), Score::mated(2)].map(score);
        assert_eq!(told, ["+0.34", "-0.05", "+0.00", "mate 2", "mate -1"]);
    }
}
