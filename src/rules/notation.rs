//! Move text: UCI (`e2e4`, `e7e8q`), SAN (`Nf3`, `Axe2`, `exd8=Q#`) and long algebraic notation (`Ng1-f3`, `Ad3xe2`).

use thiserror::Error;

use super::castling::Wing;
use super::fen::Quoted;
use super::position::Position;
use crate::types::{Kind, Move, MoveFlag, Square};

/// Why a text is no move here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    #[error("{0:?} is not a move")]
    Malformed(Quoted),
    #[error("{0:?} is not a legal move")]
    Illegal(Quoted),
    #[error("{0:?} can mean more than one move")]
    Ambiguous(Quoted),
}

/// Reads a legal move in UCI notation. The promotion letter may be of either case; castling is the King's two steps.
///
/// # Errors
/// When the text is no move, or none that is legal in the position.
pub fn parse_uci(position: &Position, text: &str) -> Result<Move, MoveError> {
    let malformed = || MoveError::Malformed(Quoted::new(text));
    if !text.is_ascii() || !(4..=5).contains(&text.len()) {
        return Err(malformed());
    }
    let from = Square::parse(&text[0..2]).ok_or_else(malformed)?;
    let to = Square::parse(&text[2..4]).ok_or_else(malformed)?;
    if from == to {
        return Err(malformed());
    }
    let promotion = match text[4..].chars().next() {
        None => None,
        Some(letter) => Some(promotion_kind(letter.to_ascii_uppercase()).ok_or_else(malformed)?),
    };
    let mv = Move::new(from, to, flag(position, from, to, promotion));
    if position.is_legal(mv) { Ok(mv) } else { Err(MoveError::Illegal(Quoted::new(text))) }
}

fn promotion_kind(letter: char) -> Option<Kind> {
    Kind::from_letter(letter).filter(|kind| Kind::PROMOTIONS.contains(kind))
}

/// The flag that the text leaves unsaid.
fn flag(position: &Position, from: Square, to: Square, promotion: Option<Kind>) -> MoveFlag {
    if let Some(kind) = promotion {
        return MoveFlag::Promotion(kind);
    }
    match position.piece_on(from).map(|piece| piece.kind()) {
        Some(Kind::King) if from.distance(to) == 2 => MoveFlag::Castling,
        Some(Kind::Pawn) if from.file() != to.file() && position.piece_on(to).is_none() => MoveFlag::EnPassant,
        _ => MoveFlag::Normal,
    }
}

/// A legal move in SAN: `A` for the Anti-King, `+` for check on either royal man, `#` for any mate.
pub fn to_san(position: &Position, mv: Move) -> String {
    san_without_suffix(position, mv) + suffix(position, mv)
}

/// A legal move in long algebraic notation, with both squares: `Ng1-f3`, `e4xd5`; the rest as in SAN.
pub fn to_lan(position: &Position, mv: Move) -> String {
    if mv.is_castling() {
        return to_san(position, mv);
    }
    let letter = match position.piece_on(mv.from()).map(|piece| piece.kind()) {
        None | Some(Kind::Pawn) => String::new(),
        Some(kind) => kind.letter().to_string(),
    };
    let sign = if captures(position, mv) { 'x' } else { '-' };
    let promotion = mv.promotion().map_or(String::new(), |kind| format!("={}", kind.letter()));
    format!("{letter}{}{sign}{}{promotion}{}", mv.from(), mv.to(), suffix(position, mv))
}

fn suffix(position: &Position, mv: Move) -> &'static str {
    let after = position.played(mv);
    match after.in_check() {
        false => "",
        true if after.has_legal_move() => "+",
        true => "#",
    }
}

fn captures(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to()).is_some() || mv.is_en_passant()
}

/// Moves that are legal one after the other, in SAN.
pub fn san_line(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    line.iter()
        .map(|&mv| {
            let text = to_san(&position, mv);
            position = position.played(mv);
            text
        })
        .collect()
}

fn san_without_suffix(position: &Position, mv: Move) -> String {
    let (from, to) = (mv.from(), mv.to());
    if mv.is_castling() {
        let wing = if to == Wing::King.king_to(position.turn()) { "O-O" } else { "O-O-O" };
        return wing.to_string();
    }
    let kind = position.piece_on(from).map_or(Kind::Pawn, |piece| piece.kind());
    let captures = captures(position, mv);
    let mut text = String::new();
    if kind == Kind::Pawn {
        if captures {
            text.push(file_letter(from));
        }
    } else {
        text.push(kind.letter());
        text.push_str(&origin_hint(position, mv, kind));
    }
    if captures {
        text.push('x');
    }
    text.push_str(&to.to_string());
    if let Some(kind) = mv.promotion() {
        text.push('=');
        text.push(kind.letter());
    }
    text
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file())
}

/// As much of the origin as tells the move from those of other men of its kind: nothing, the file, the rank or both.
fn origin_hint(position: &Position, mv: Move, kind: Kind) -> String {
    let from = mv.from();
    let rivals: Vec<Square> = position
        .legal_moves()
        .into_iter()
        .filter(|other| other.to() == mv.to() && other.from() != from)
        .map(|other| other.from())
        .filter(|&other| position.piece_on(other).map(|piece| piece.kind()) == Some(kind))
        .collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        file_letter(from).to_string()
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        (from.rank() + 1).to_string()
    } else {
        from.to_string()
    }
}

/// Reads a legal move as any of the three notations.
///
/// # Errors
/// When it is none of them, or no legal move.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    parse_uci(position, text).or_else(|_| parse_san(position, text))
}

/// Reads a legal move in SAN. Check marks, `!`, `?` and the `=` of promotions may be missing; castling may be written
/// with zeros; more of the origin than needed may be given, so long algebraic notation is read too.
///
/// # Errors
/// When the text is no move, none that is legal in the position, or fits several.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, MoveError> {
    let wanted = SanPattern::parse(text).ok_or_else(|| MoveError::Malformed(Quoted::new(text)))?;
    let mut fitting = position.legal_moves().into_iter().filter(|&mv| wanted.fits(position, mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(MoveError::Illegal(Quoted::new(text))),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous(Quoted::new(text))),
    }
}

/// What a SAN text says of its move.
enum SanPattern {
    Castling(Wing),
    Man { kind: Kind, file: Option<u8>, rank: Option<u8>, to: Square, promotion: Option<Kind> },
}

impl SanPattern {
    fn parse(text: &str) -> Option<SanPattern> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            "O-O" | "0-0" => return Some(SanPattern::Castling(Wing::King)),
            "O-O-O" | "0-0-0" => return Some(SanPattern::Castling(Wing::Queen)),
            _ => {}
        }
        let mut letters: Vec<char> = text.chars().filter(|letter| !['x', '-', '='].contains(letter)).collect();
        let promotion = letters.last().copied().and_then(promotion_kind);
        if promotion.is_some() {
            letters.pop();
        }
        let kind = match letters.first() {
            Some(&letter) if letter.is_ascii_uppercase() => {
                letters.remove(0);
                Kind::from_letter(letter)?
            }
            _ => Kind::Pawn,
        };
        let rank = letters.pop()?;
        let file = letters.pop()?;
        let to = Square::parse(&[file, rank].iter().collect::<String>())?;
        let mut pattern = (None, None);
        for letter in letters {
            match letter {
                'a'..='h' if pattern.0.is_none() && pattern.1.is_none() => pattern.0 = Some(letter as u8 - b'a'),
                '1'..='8' if pattern.1.is_none() => pattern.1 = Some(letter as u8 - b'1'),
                _ => return None,
            }
        }
        Some(SanPattern::Man { kind, file: pattern.0, rank: pattern.1, to, promotion })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        match *self {
            SanPattern::Castling(wing) => mv.is_castling() && mv.to() == wing.king_to(position.turn()),
            SanPattern::Man { kind, file, rank, to, promotion } => {
                !mv.is_castling()
                    && mv.to() == to
                    && mv.promotion() == promotion
                    && position.piece_on(mv.from()).is_some_and(|piece| piece.kind() == kind)
                    && file.is_none_or(|file| mv.from().file() == file)
                    && rank.is_none_or(|rank| mv.from().rank() == rank)
            }
        }
    }
}
