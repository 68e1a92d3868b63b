//! A game as a file gives it, and what can be wrong with it.

use thiserror::Error;

use super::line::{Line, Word};
use super::tags::Tag;
use super::{GameResult, MAX_GAME_BYTES, MAX_MOVES, MAX_NESTING};
use crate::rules::{FenError, MoveError, Quoted};

/// A game as the file gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnRecord {
    /// Line of the file, from 1, at which the game starts.
    pub line: usize,
    pub tags: Vec<Tag>,
    /// The moves as written.
    pub main: Line<Word>,
    /// What ends the moves: `1-0`, `0-1`, `1/2-1/2` or `*`; `None` when it is missing.
    pub terminator: Option<String>,
    /// Line of the file, from 1, at which the game ends.
    pub last_line: usize,
    /// The first comment or variation that nothing ends before the next game: its line, and the character that opens
    /// it.
    pub unclosed: Option<(usize, char)>,
    /// Why no more of it than its tags was kept.
    pub fault: Option<PgnError>,
    /// What was read otherwise than it stands there.
    pub warnings: Vec<PgnWarning>,
}

/// Why a game cannot be replayed, or no further.
pub type PgnError = PgnRemark<PgnFault>;
/// What a reader should know though the game was read.
pub type PgnWarning = PgnRemark<Oddity>;

/// Something about a place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct PgnRemark<T> {
    /// Of the file, from 1.
    pub line: usize,
    pub what: T,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnFault {
    #[error("variant {0:?} is not Anti-King Chess II")]
    Variant(Quoted),
    #[error("the FEN tag: {0}")]
    Fen(FenError),
    #[error("the game is longer than {} MB or {MAX_MOVES} moves", MAX_GAME_BYTES >> 20)]
    TooLong,
    #[error("variations are nested more than {MAX_NESTING} deep")]
    TooDeep,
    #[error("'{0}' is never closed")]
    Unclosed(char),
    #[error("{}", told(.number, .text, .error))]
    Move {
        /// Of the move, with its dots: `3.` or `3...`.
        number: String,
        text: Quoted,
        /// `None` of a null move.
        error: Option<MoveError>,
    },
}

fn told(number: &str, text: &Quoted, error: &Option<MoveError>) -> String {
    let reason = match error {
        None => "a null move, which has no place in a game",
        Some(MoveError::Illegal(_)) => "not a legal move",
        Some(MoveError::Ambiguous(_)) => "can mean more than one move",
        Some(MoveError::Malformed(_)) => "not a move (pieces are written K, Q, R, B, N and A)",
    };
    format!("{number} {text}: {reason}")
}

impl PgnFault {
    /// True if the moves before it can be used.
    pub const fn leaves_a_part(&self) -> bool {
        matches!(self, PgnFault::Unclosed(_) | PgnFault::Move { .. })
    }
}

/// What is odd about a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Oddity {
    #[error("the tag {name} is not written as {} is; its value is read as {value:?}", "[Name \"value\"]")]
    BrokenTag { name: Quoted, value: Quoted },
    #[error("a tag without a name is kept as a comment: {0:?}")]
    NamelessTag(Quoted),
    #[error("the tag {name} is given again as {value:?}; the first, in line {first}, counts")]
    RepeatedTag { name: Quoted, value: Quoted, first: usize },
    #[error("{0:?} stands outside of comments and is kept as one")]
    StrayBracket(Quoted),
    #[error("'{0}' closes nothing and is passed over")]
    StrayEnd(char),
    #[error("'{{' is never closed; the comment goes up to the next game")]
    UnclosedBetweenGames,
    #[error("a variation before the first move is kept as a comment")]
    EarlyVariation,
    #[error("in a variation: {0}; it is kept as a comment from there on")]
    Variation(PgnFault),
    #[error("the tag Result says {tag}, but the moves end with {end}, which counts")]
    ResultTag { tag: Quoted, end: String },
    #[error("the result is given as {told}, but the moves end in {ending}: {result}")]
    ResultOnBoard { told: Quoted, ending: String, result: &'static str },
    #[error("there is more to warn of in this game")]
    More,
}

impl PgnRecord {
    /// More warnings of a game are not told.
    pub(super) const MAX_WARNINGS: usize = 20;

    /// A tag; of several with one name the first counts.
    pub fn full_tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// The value of a tag; of several with one name the first counts.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.full_tag(name).map(|tag| tag.value.as_str())
    }

    /// The moves of the main line as written, without what judges them.
    pub fn moves(&self) -> Vec<&str> {
        self.main.moves.iter().map(|made| made.mv.text.as_str()).collect()
    }

    /// What is said of the main line, each with the number of moves before it.
    pub fn comments(&self) -> Vec<(usize, &str)> {
        self.main.comments().collect()
    }

    /// The result behind the moves, or that of the tag where nothing ends them; `None` of a game without an end.
    pub fn result(&self) -> Option<GameResult> {
        self.terminator.as_deref().or(self.tag("Result")).and_then(GameResult::parse)
    }

    pub(super) fn warn(&mut self, line: usize, what: Oddity) {
        match self.warnings.len() {
            PgnRecord::MAX_WARNINGS.. => {}
            count if count + 1 == PgnRecord::MAX_WARNINGS => {
                self.warnings.push(PgnWarning { line, what: Oddity::More });
            }
            _ => self.warnings.push(PgnWarning { line, what }),
        }
    }
}
