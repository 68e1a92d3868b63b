//! The answer to `d`: the board and what is to be said of it.

use crate::rules::Game;
use crate::text::{grid, royals};
use crate::types::Color;

/// The board from White's side, FEN, key, the state of both royal men, and the end of the game if it has ended.
pub fn display(game: &Game) -> String {
    let position = game.position();
    let mut text = grid(position, Color::White);
    text.push('\n');
    let outcome = game.outcome().map_or("none".to_owned(), |outcome| outcome.to_string());
    text.push_str(&format!("Fen: {}\n", position.fen()));
    text.push_str(&format!("Key: {:016X}\n", position.key()));
    text.push_str(&royals(position));
    text.push_str(&format!("Legal moves: {}\n", position.legal_moves().len()));
    text.push_str(&format!("Result: {outcome}"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Position, parse_fen, parse_uci};

    fn shown(fen: &str) -> String {
        display(&Game::new(parse_fen(fen).unwrap().position))
    }

    #[test]
    fn the_start_position() {
        let text = display(&Game::new(Position::start()));
        assert!(text.starts_with(&grid(&Position::start(), Color::White)));
        assert!(text.contains(&format!("\nFen: {}\n", Position::START_FEN)));
        assert!(text.contains("\nWhite King: safe, attacked by none\nWhite Anti-King: safe, attacked by c7 e7\n"));
        assert!(text.ends_with("\nLegal moves: 20\nResult: none"));
        let key = text.lines().find_map(|line| line.strip_prefix("Key: ")).unwrap();
        assert_eq!(u64::from_str_radix(key, 16), Ok(Position::start().key()));
    }

    #[test]
    fn mates_and_draws_are_named() {
        let both = shown("5k2/8/8/8/pP2n2a/6K1/6N1/6A1 w - - 0 1");
        assert!(both.contains("White King: in check by e4\nWhite Anti-King: in check, attacked by none\n"));
        assert!(both.ends_with("Result: Black mates both royals"));
        let mut game = Game::new(Position::start());
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            let mv = parse_uci(game.position(), text).unwrap();
            game.push(mv);
        }
        assert!(display(&game).ends_with("Result: draw by 3-fold repetition"));
    }
}
