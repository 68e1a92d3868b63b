use std::fmt::Write;

use super::network::output_bucket;
use super::{Network, evaluate};
use crate::rules::{Position, Setup};
use crate::types::{Score, Square};

const RULE: &str = "+-------+-------+-------+-------+-------+-------+-------+-------+";

/// The evaluation as a text for people, in pawns from White's view: the board with what each man is worth where it
/// stands, which is how much the evaluation changes without it, and the sum. No worth stands under royal men, and none
/// where the position without the man would break the rules.
pub fn explain(position: &Position, network: &Network) -> String {
    let score = for_white(position, network);
    let mut text = format!("What each man is worth where it stands, in pawns for White\n{RULE}\n");
    for rank in (0..8).rev() {
        let squares = (0..8).map(|file| Square::at(file, rank));
        let men: String = squares.clone().map(|square| format!("|{:^7}", man(position, square))).collect();
        let worths: String = squares
            .map(|square| {
                let without = without(position, square);
                let worth = without.map(|without| pawns(Score(score.0 - for_white(&without, network).0)));
                format!("|{:^7}", worth.unwrap_or_default())
            })
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{men}|\n{worths}|\n{RULE}");
    }
    let _ = write!(
        text,
        "\nOutput {} of the network for {} men, {} half-moves without progress\nEvaluation {} (for White)",
        output_bucket(position) + 1,
        position.occupied().count(),
        position.halfmove_clock(),
        pawns(score)
    );
    text
}

fn for_white(position: &Position, network: &Network) -> Score {
    evaluate(position, network).for_white(position.turn())
}

fn pawns(score: Score) -> String {
    format!("{:+.2}", f64::from(score.0) / 100.0)
}

fn man(position: &Position, square: Square) -> char {
    position.piece_on(square).map_or(' ', |piece| piece.letter())
}

/// The position without the man on a square, if there is one and the position is legal.
fn without(position: &Position, square: Square) -> Option<Position> {
    position.piece_on(square)?;
    let mut board = std::array::from_fn(|index| position.piece_on(Square::new(index as u8)));
    board[square.index()] = None;
    let setup = Setup {
        board,
        turn: position.turn(),
        castling: position.castling(),
        en_passant: None,
        halfmove_clock: position.halfmove_clock() as u16,
        fullmove_number: position.fullmove_number() as u16,
    };
    setup.validated().ok().map(|(position, _)| position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    #[test]
    fn the_explanation_ends_with_the_evaluation() {
        let position = parse_fen("8/8/5K2/8/3k4/6A1/2R1a3/5r1Q w - - 0 1").unwrap().position;
        let network = Network::embedded();
        let text = explain(&position, &network);
        let score = evaluate(&position, &network);
        assert!(text.ends_with(&format!("Evaluation {} (for White)", pawns(score))), "{text}");
        assert!(text.contains("for 7 men"), "{text}");
    }

    #[test]
    fn men_have_a_worth_and_royals_none() {
        let network = Network::embedded();
        let text = explain(&Position::start(), &network);
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        let cells =
            |row: usize| -> Vec<&str> { rows[row].split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect() };
        assert_eq!(cells(0), ["r", "n", "b", "q", "k", "b", "n", "r"]);
        assert_eq!(cells(1).len(), 7);
        assert!(cells(1).iter().all(|worth| worth.starts_with('-')), "{:?}", cells(1));
        let without_queen = without(&Position::start(), Square::parse("d1").unwrap()).unwrap();
        let worth = for_white(&Position::start(), &network).0 - for_white(&without_queen, &network).0;
        assert_eq!(cells(15)[3], pawns(Score(worth)));
        assert_eq!(without(&Position::start(), Square::parse("e1").unwrap()), None);
        assert_eq!(without(&Position::start(), Square::parse("e4").unwrap()), None);
    }
}
