use serde::{Deserialize, Serialize};

use crate::types::Color;

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    #[serde(rename = "1-0")]
    WhiteWins,
    #[serde(rename = "0-1")]
    BlackWins,
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    pub const fn won_by(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }

    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// Reads what PGN writes; `None` of `*` and of anything else.
    pub fn parse(text: &str) -> Option<GameResult> {
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw]
            .into_iter()
            .find(|result| result.text() == text)
    }

    /// Points of a side in halves: 0, 1 or 2.
    pub const fn half_points(self, side: Color) -> usize {
        match (self, side) {
            (GameResult::Draw, _) => 1,
            (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 2,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_sum_to_two_halves() {
        for result in [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw] {
            assert_eq!(result.half_points(Color::White) + result.half_points(Color::Black), 2);
        }
    }
}
