//! How a game of a match ended, by the rules or otherwise.

use serde::{Deserialize, Serialize};

use crate::pgn::GameResult;
use crate::rules::{DrawKind, MateKind, Outcome};
use crate::types::Color;

/// The kind of end, in the order in which reports list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    KingMate,
    AntiKingMate,
    BothMate,
    Stalemate,
    Threefold,
    FiftyMoves,
    AdjudicatedDraw,
    AdjudicatedWin,
    MoveLimit,
    Time,
    Illegal,
    Crash,
    Stall,
}

impl EndKind {
    /// A short name for counts.
    pub const fn name(self) -> &'static str {
        match self {
            EndKind::KingMate => "king mate",
            EndKind::AntiKingMate => "anti-mate",
            EndKind::BothMate => "mate of both",
            EndKind::Stalemate => "stalemate",
            EndKind::Threefold => "3-fold repetition",
            EndKind::FiftyMoves => "fifty moves",
            EndKind::AdjudicatedDraw => "draw by adjudication",
            EndKind::AdjudicatedWin => "win by adjudication",
            EndKind::MoveLimit => "move limit",
            EndKind::Time => "time",
            EndKind::Illegal => "illegal move",
            EndKind::Crash => "crash",
            EndKind::Stall => "stall",
        }
    }

    /// True when a player was at fault.
    pub const fn is_fault(self) -> bool {
        matches!(self, EndKind::Time | EndKind::Illegal | EndKind::Crash | EndKind::Stall)
    }

    /// The value of the PGN tag `Termination`.
    pub const fn termination(self) -> &'static str {
        match self {
            EndKind::AdjudicatedDraw | EndKind::AdjudicatedWin | EndKind::MoveLimit => "adjudication",
            EndKind::Time => "time forfeit",
            EndKind::Illegal => "illegal move",
            EndKind::Crash => "abandoned",
            EndKind::Stall => "stalled connection",
            _ => "normal",
        }
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    pub result: GameResult,
    pub kind: EndKind,
    /// The end in words, as match runners print it in braces.
    pub reason: String,
}

impl Ending {
    pub fn by_rules(outcome: Outcome) -> Ending {
        let kind = match outcome {
            Outcome::Mate { kind: MateKind::King, .. } => EndKind::KingMate,
            Outcome::Mate { kind: MateKind::AntiKing, .. } => EndKind::AntiKingMate,
            Outcome::Mate { kind: MateKind::Both, .. } => EndKind::BothMate,
            Outcome::Draw(DrawKind::Stalemate) => EndKind::Stalemate,
            Outcome::Draw(DrawKind::Threefold) => EndKind::Threefold,
            Outcome::Draw(DrawKind::FiftyMoves) => EndKind::FiftyMoves,
        };
        let reason = match outcome {
            Outcome::Mate { .. } => outcome.to_string(),
            Outcome::Draw(kind) => format!("Draw by {kind}"),
        };
        Ending { result: GameResult::won_by(outcome.winner()), kind, reason }
    }

    /// A decision of the referee on what the players' scores say.
    pub fn by_adjudication(winner: Option<Color>) -> Ending {
        let (kind, reason) = match winner {
            Some(winner) => (EndKind::AdjudicatedWin, format!("{} wins by adjudication", winner.name())),
            None => (EndKind::AdjudicatedDraw, "Draw by adjudication".into()),
        };
        Ending { result: GameResult::won_by(winner), kind, reason }
    }

    /// The game went on for too many moves.
    pub fn by_move_limit() -> Ending {
        let reason = "Draw by adjudication: maximum game length".into();
        Ending { result: GameResult::Draw, kind: EndKind::MoveLimit, reason }
    }

    /// `loser` made a fault; `words` follow its name: `loses on time`.
    pub fn by_fault(loser: Color, kind: EndKind, words: &str) -> Ending {
        let separator = if words.starts_with('\'') { "" } else { " " };
        Ending { result: GameResult::won_by(Some(!loser)), kind, reason: format!("{}{separator}{words}", loser.name()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_result_and_termination_agree() {
        let mate = Ending::by_rules(Outcome::Mate { loser: Color::White, kind: MateKind::AntiKing });
        assert_eq!((mate.result.text(), mate.reason.as_str()), ("0-1", "Black anti-checkmates"));
        assert_eq!(mate.kind.termination(), "normal");
        let draw = Ending::by_rules(Outcome::Draw(DrawKind::Threefold));
        assert_eq!((draw.result.text(), draw.reason.as_str()), ("1/2-1/2", "Draw by 3-fold repetition"));
        let late = Ending::by_fault(Color::White, EndKind::Time, "loses on time");
        assert_eq!((late.result.text(), late.reason.as_str()), ("0-1", "White loses on time"));
        let stalled = Ending::by_fault(Color::Black, EndKind::Stall, "'s connection stalls");
        assert_eq!((stalled.result.text(), stalled.reason.as_str()), ("1-0", "Black's connection stalls"));
        assert_eq!(Ending::by_adjudication(Some(Color::Black)).reason, "Black wins by adjudication");
        assert!(late.kind.is_fault() && !mate.kind.is_fault());
    }
}
