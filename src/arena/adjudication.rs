//! Ends games early by what both players say about them; off unless asked for.
//!
//! Move numbers are those of the board, so an opening that starts at move 30 is at move 30. A number is reached when
//! both sides have made that move.

use serde::{Deserialize, Serialize};

use super::ending::Ending;
use super::key_values::{KeyError, KeyValues, Switch};
use crate::pgn::Evaluation;
use crate::rules::Position;
use crate::types::Color;

/// The rules of adjudication that are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// A game that is not over when this move is made is a draw.
    #[serde(rename = "maxmoves", skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
}

/// A draw when both players have seen nothing but small scores for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// First move at which the rule applies.
    #[serde(rename = "movenumber")]
    pub move_number: u32,
    /// Moves in a row, of each player.
    #[serde(rename = "movecount")]
    pub move_count: u32,
    /// Greatest distance from zero, centipawns.
    pub score: i32,
}

/// A loss for the player that has seen itself lost for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Moves in a row.
    #[serde(rename = "movecount")]
    pub move_count: u32,
    /// How far behind a player must be, centipawns.
    pub score: i32,
    /// Whether the opponent must have seen itself won for as long.
    #[serde(rename = "twosided")]
    pub two_sided: bool,
}

const COUNT: &str = "a whole number above 0";
const SCORE: &str = "a number of centipawns, 0 or more";

impl DrawRule {
    /// Reads `movenumber= movecount= score=`.
    pub fn parse(words: &[String]) -> Result<DrawRule, KeyError> {
        let mut keys = KeyValues::parse("--draw", words)?;
        let rule = DrawRule {
            move_number: keys.take("movenumber", "a whole number")?.unwrap_or(0),
            move_count: keys.require_where("movecount", COUNT, |&count: &u32| count > 0)?,
            score: keys.require_where("score", SCORE, |&score: &i32| score >= 0)?,
        };
        keys.finish("movenumber, movecount, score").map(|()| rule)
    }
}

impl ResignRule {
    /// Reads `movecount= score= [twosided=]`.
    pub fn parse(words: &[String]) -> Result<ResignRule, KeyError> {
        let mut keys = KeyValues::parse("--resign", words)?;
        let rule = ResignRule {
            move_count: keys.require_where("movecount", COUNT, |&count: &u32| count > 0)?,
            score: keys.require_where("score", SCORE, |&score: &i32| score >= 0)?,
            two_sided: keys.take("twosided", "true or false")?.unwrap_or(Switch(false)).0,
        };
        keys.finish("movecount, score, twosided").map(|()| rule)
    }
}

/// Watches one game.
pub struct Adjudicator {
    rules: Adjudication,
    /// Moves in a row, of either side, with a small score.
    level: u32,
    /// Moves in a row of each side in which it saw itself lost, and won.
    lost: [u32; 2],
    won: [u32; 2],
}

impl Adjudicator {
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, level: 0, lost: [0; 2], won: [0; 2] }
    }

    /// Takes in the score that the last mover gave for itself, and decides. A move without a score breaks every row.
    pub fn after_move(&mut self, position: &Position, evaluation: Option<Evaluation>) -> Option<Ending> {
        let mover = !position.turn();
        self.count(mover, evaluation.map(Evaluation::centipawns));
        if let Some(winner) = self.resignation(mover) {
            return Some(Ending::by_adjudication(Some(winner)));
        }
        let moves_made = position.fullmove_number() - 1;
        if self.rules.draw.is_some_and(|rule| moves_made >= rule.move_number && self.level >= 2 * rule.move_count) {
            return Some(Ending::by_adjudication(None));
        }
        self.rules.max_moves.is_some_and(|limit| moves_made >= limit).then(Ending::by_move_limit)
    }

    fn count(&mut self, mover: Color, score: Option<i32>) {
        let extend = |row: &mut u32, holds: bool| *row = if holds { *row + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            extend(&mut self.level, score.is_some_and(|score| score.abs() <= rule.score));
        }
        if let Some(rule) = self.rules.resign {
            extend(&mut self.lost[mover.index()], score.is_some_and(|score| score <= -rule.score));
            extend(&mut self.won[mover.index()], score.is_some_and(|score| score >= rule.score));
        }
    }

    /// The winner, when the mover or its opponent has reached the count.
    fn resignation(&self, mover: Color) -> Option<Color> {
        let rule = self.rules.resign?;
        let resigns = |side: Color| {
            self.lost[side.index()] >= rule.move_count
                && (!rule.two_sided || self.won[(!side).index()] >= rule.move_count)
        };
        [mover, !mover].into_iter().find(|&side| resigns(side)).map(|side| !side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    fn after(move_number: u32, mover: Color) -> Position {
        let (turn, number) = match mover {
            Color::White => ('b', move_number),
            Color::Black => ('w', move_number + 1),
        };
        let fen = format!("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR {turn} KQkq - 0 {number}");
        parse_fen(&fen).unwrap().position
    }

    /// Plays moves of both sides with these scores from a move number on; gives number, mover and end of the last.
    fn run(rules: Adjudication, first: u32, score: impl Fn(u32, Color) -> Option<i32>) -> Option<(u32, Color, Ending)> {
        let mut adjudicator = Adjudicator::new(rules);
        for number in first..first + 60 {
            for mover in Color::ALL {
                let evaluation = score(number, mover).map(Evaluation::Centipawns);
                if let Some(ending) = adjudicator.after_move(&after(number, mover), evaluation) {
                    return Some((number, mover, ending));
                }
            }
        }
        None
    }

    fn draw_rule() -> Adjudication {
        let draw = Some(DrawRule { move_number: 34, move_count: 8, score: 20 });
        Adjudication { draw, ..Adjudication::default() }
    }

    #[test]
    fn draw_rule_counts_the_numbers_of_the_board() {
        let level = |_, _| Some(-20);
        let (number, mover, ending) = run(draw_rule(), 1, level).unwrap();
        assert_eq!((number, mover, ending.reason.as_str()), (34, Color::Black, "Draw by adjudication"));
        let (number, mover, _) = run(draw_rule(), 30, level).unwrap();
        assert_eq!((number, mover), (37, Color::Black));
        let (number, mover, _) = run(draw_rule(), 50, level).unwrap();
        assert_eq!((number, mover), (57, Color::Black));
    }

    #[test]
    fn a_greater_or_missing_score_breaks_the_row() {
        for broken in [Some(21), Some(-21), None] {
            let score = |number, mover| if (number, mover) == (40, Color::White) { broken } else { Some(0) };
            let (number, mover, _) = run(draw_rule(), 36, score).unwrap();
            // From Black's move 40 sixteen moves in a row: the last is White's move 48.
            assert_eq!((number, mover), (48, Color::White));
        }
        assert_eq!(run(draw_rule(), 1, |_, _| None), None);
    }

    #[test]
    fn resignation_takes_one_or_two_sides() {
        let rule = |two_sided| Adjudication {
            resign: Some(ResignRule { move_count: 3, score: 500, two_sided }),
            ..Adjudication::default()
        };
        let black_lost = |_, mover| Some(if mover == Color::White { 600 } else { -500 });
        let (number, mover, ending) = run(rule(false), 1, black_lost).unwrap();
        assert_eq!((number, mover, ending.reason.as_str()), (3, Color::Black, "White wins by adjudication"));
        let white_doubts = |_, mover| Some(if mover == Color::White { 499 } else { -500 });
        assert_eq!(run(rule(true), 1, white_doubts), None);
        assert!(run(rule(false), 1, white_doubts).is_some());
        assert_eq!(run(rule(true), 1, black_lost).unwrap().0, 3);
        let mates = Evaluation::Mate(-3);
        let mut adjudicator = Adjudicator::new(rule(false));
        let verdicts: Vec<_> = (1..=3).map(|n| adjudicator.after_move(&after(n, Color::White), Some(mates))).collect();
        assert_eq!(verdicts[2].as_ref().unwrap().reason, "Black wins by adjudication");
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = Adjudication { max_moves: Some(50), ..Adjudication::default() };
        let (number, mover, ending) = run(rules, 10, |_, _| None).unwrap();
        assert_eq!((number, mover), (50, Color::Black));
        assert_eq!(
            (ending.kind, ending.kind.termination()),
            (super::super::ending::EndKind::MoveLimit, "adjudication")
        );
    }

    #[test]
    fn keys_are_read() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let draw = DrawRule::parse(&words("movenumber=34 movecount=8 score=20"));
        assert_eq!(draw, Ok(DrawRule { move_number: 34, move_count: 8, score: 20 }));
        let resign = ResignRule::parse(&words("movecount=3 score=600 twosided=true"));
        assert_eq!(resign, Ok(ResignRule { move_count: 3, score: 600, two_sided: true }));
        assert!(DrawRule::parse(&words("movecount=0 score=1")).unwrap_err().to_string().contains("movecount=0"));
        assert!(ResignRule::parse(&words("movecount=1")).unwrap_err().to_string().contains("score"));
        assert!(ResignRule::parse(&words("movecount=1 score=-5")).unwrap_err().to_string().contains("score=-5"));
    }
}
