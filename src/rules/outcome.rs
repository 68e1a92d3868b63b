use std::fmt;

use super::position::Position;
use crate::types::Color;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `loser` was in check and had no legal move.
    Mate {
        loser: Color,
        kind: MateKind,
    },
    Draw(DrawKind),
}

/// Which royal man a mate caught. All three lose alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MateKind {
    /// The King is attacked.
    King,
    /// The Anti-King is unattacked.
    AntiKing,
    /// Both at once.
    Both,
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawKind {
    /// No legal move, and neither royal man in check.
    Stalemate,
    /// The same position for the third time.
    Threefold,
    /// A hundred half-moves without a capture or a pawn move.
    FiftyMoves,
}

impl Outcome {
    /// The side that won, if one did.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Mate { loser, .. } => Some(!loser),
            Outcome::Draw(_) => None,
        }
    }
}

impl MateKind {
    /// A word for it: `king`, `anti` or `both`.
    pub const fn name(self) -> &'static str {
        match self {
            MateKind::King => "king",
            MateKind::AntiKing => "anti",
            MateKind::Both => "both",
        }
    }
}

/// As match runners call it, behind `draw by`.
impl fmt::Display for DrawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawKind::Stalemate => "stalemate",
            DrawKind::Threefold => "3-fold repetition",
            DrawKind::FiftyMoves => "fifty moves rule",
        })
    }
}

/// In the words of match runners: `Black anti-checkmates`, `draw by 3-fold repetition`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Mate { loser, kind } => {
                let verb = match kind {
                    MateKind::King => "mates",
                    MateKind::AntiKing => "anti-checkmates",
                    MateKind::Both => "mates both royals",
                };
                write!(f, "{} {verb}", loser.opponent().name())
            }
            Outcome::Draw(kind) => write!(f, "draw by {kind}"),
        }
    }
}

impl Position {
    /// The end of the game that this position is by itself: mate or stalemate. Draws that need the game's history or
    /// its clock are for [`Game::outcome`](super::Game::outcome).
    pub fn outcome(&self) -> Option<Outcome> {
        if self.has_legal_move() {
            return None;
        }
        let mate = self.mate_kind().map(|kind| Outcome::Mate { loser: self.turn(), kind });
        Some(mate.unwrap_or(Outcome::Draw(DrawKind::Stalemate)))
    }

    /// The kind of mate that the checks on the side to move are if it has no legal move; `None` when it is not in check.
    pub fn mate_kind(&self) -> Option<MateKind> {
        match (self.king_in_check(), self.anti_king_in_check()) {
            (true, true) => Some(MateKind::Both),
            (true, false) => Some(MateKind::King),
            (false, true) => Some(MateKind::AntiKing),
            (false, false) => None,
        }
    }
}
