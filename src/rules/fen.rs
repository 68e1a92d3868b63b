//! FEN and EPD: text to a [`Setup`] and on to a [`Position`], and back.

use std::fmt;

use thiserror::Error;

use super::castling::CastlingRights;
use super::position::Position;
use super::setup::{InvalidSetup, Repair, Setup};
use crate::types::{Color, Piece, Square};

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    #[error("the FEN is empty")]
    Empty,
    #[error("the board has {0} rows instead of 8")]
    Rows(usize),
    #[error("row {rank} of the board has {width} squares instead of 8")]
    RowWidth { rank: u8, width: usize },
    #[error("row {rank} of the board has {found:?}, which is neither a man nor a digit from 1 to 8")]
    BoardLetter { rank: u8, found: char },
    #[error("the side to move is {0:?} instead of w or b")]
    Turn(Quoted),
    #[error("the castling rights {0:?} are neither - nor letters of KQkq")]
    Castling(Quoted),
    #[error("the en passant square {0:?} is neither - nor a square")]
    EnPassant(Quoted),
    #[error("the move number {0:?} is no number")]
    MoveNumber(Quoted),
    #[error("{0:?} stands after the sixth field")]
    Trailing(Quoted),
    #[error("the position breaks the rules: {0}")]
    Invalid(#[from] InvalidSetup),
}

/// A word of the input, cut to a length fit for a message.
#[derive(Clone, PartialEq, Eq)]
pub struct Quoted(String);

impl Quoted {
    const MAX_CHARS: usize = 40;

    pub(crate) fn new(text: &str) -> Quoted {
        let mut quoted: String = text.chars().take(Quoted::MAX_CHARS).collect();
        if quoted.len() < text.len() {
            quoted.push_str("...");
        }
        Quoted(quoted)
    }
}

impl fmt::Debug for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// The words without quotes around them.
impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.escape_debug().fmt(f)
    }
}

/// What a FEN gave: the position and what had to be mended in it.
#[derive(Clone, Debug)]
pub struct ParsedFen {
    pub position: Position,
    /// Each is worth a word to the user; counters are mended silently.
    pub repairs: Vec<Repair>,
}

/// Reads a FEN or an EPD.
///
/// Only the board is needed: missing fields default to `w - - 0 1`. Counters that are no sensible numbers become 0 and
/// 1. Where EPD operations stand after the fourth field, `hmvc` and `fmvn` are the counters and the rest is ignored.
///
/// # Errors
/// What is wrong with the text or, in [`FenError::Invalid`], with the board.
pub fn parse_fen(text: &str) -> Result<ParsedFen, FenError> {
    let (position, repairs) = parse_setup(text)?.validated()?;
    Ok(ParsedFen { position, repairs })
}

/// Reads a FEN or an EPD without asking whether the board is legal.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_setup(text: &str) -> Result<Setup, FenError> {
    let (fields, rest) = split_fields(text);
    let [board, turn, castling, en_passant] = fields;
    if board.is_empty() {
        return Err(FenError::Empty);
    }
    let board = parse_board(board)?;
    let turn = parse_turn(turn)?;
    let castling = parse_castling(castling)?;
    let en_passant = parse_en_passant(en_passant)?;
    let (halfmove_clock, fullmove_number) = parse_counters(rest)?;
    Ok(Setup { board, turn, castling, en_passant, halfmove_clock, fullmove_number })
}

/// The first four fields, empty where missing, and what follows them.
fn split_fields(text: &str) -> ([&str; 4], &str) {
    let mut fields = [""; 4];
    let mut rest = text.trim();
    for field in &mut fields {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        *field = &rest[..end];
        rest = rest[end..].trim_start();
    }
    (fields, rest)
}

fn parse_board(field: &str) -> Result<[Option<Piece>; 64], FenError> {
    let rows = field.split('/').count();
    if rows != 8 {
        return Err(FenError::Rows(rows));
    }
    let mut board = [None; 64];
    for (rank, row) in (0..8u8).rev().zip(field.split('/')) {
        let mut file = 0;
        for letter in row.chars() {
            match (letter, Piece::from_letter(letter)) {
                ('1'..='8', _) => file += letter as usize - '0' as usize,
                (_, Some(piece)) => {
                    if file < 8 {
                        board[Square::at(file as u8, rank).index()] = Some(piece);
                    }
                    file += 1;
                }
                (found, None) => return Err(FenError::BoardLetter { rank: rank + 1, found }),
            }
        }
        if file != 8 {
            return Err(FenError::RowWidth { rank: rank + 1, width: file });
        }
    }
    Ok(board)
}

fn parse_turn(field: &str) -> Result<Color, FenError> {
    match field {
        "" | "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        other => Err(FenError::Turn(Quoted::new(other))),
    }
}

fn parse_castling(field: &str) -> Result<CastlingRights, FenError> {
    let letters = if field == "-" { "" } else { field };
    letters.chars().try_fold(CastlingRights::NONE, |rights, letter| {
        let (color, wing) =
            CastlingRights::from_letter(letter).ok_or_else(|| FenError::Castling(Quoted::new(field)))?;
        Ok(rights.with(color, wing))
    })
}

fn parse_en_passant(field: &str) -> Result<Option<Square>, FenError> {
    match field {
        "" | "-" => Ok(None),
        square => Square::parse(square).map(Some).ok_or_else(|| FenError::EnPassant(Quoted::new(square))),
    }
}

/// The counters of a FEN, or those among the operations of an EPD.
fn parse_counters(rest: &str) -> Result<(u16, u16), FenError> {
    let mut words = rest.split_whitespace();
    let Some(clock) = words.next().filter(|word| is_number(word)) else {
        return Ok(epd_counters(rest));
    };
    let number = words.next().unwrap_or("1");
    if !is_number(number) {
        return Err(FenError::MoveNumber(Quoted::new(number)));
    }
    match words.next() {
        Some(extra) => Err(FenError::Trailing(Quoted::new(extra))),
        None => Ok((clock.parse().unwrap_or(0), number.parse().unwrap_or(1))),
    }
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn epd_counters(operations: &str) -> (u16, u16) {
    let operations = epd_operations(operations);
    let operand = |wanted: &str| {
        operations.iter().filter(|(opcode, _)| *opcode == wanted).find_map(|(_, operands)| {
            let first = operands.split_whitespace().next()?;
            first.parse().ok()
        })
    };
    (operand("hmvc").unwrap_or(0), operand("fmvn").unwrap_or(1))
}

/// The operations of an EPD, each as opcode and operands; a semicolon within quotes ends none.
pub fn epd_operations(text: &str) -> Vec<(&str, &str)> {
    let mut operations = Vec::new();
    let mut start = 0;
    let mut is_quoted = false;
    for (at, letter) in text.char_indices().chain([(text.len(), ';')]) {
        match letter {
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted || at == text.len() => {
                let operation = text[start..at].trim();
                let (opcode, operands) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
                operations.push((opcode, operands.trim()));
                start = at + 1;
            }
            _ => {}
        }
    }
    operations.retain(|(opcode, _)| !opcode.is_empty());
    operations
}

impl Position {
    /// The position as a FEN of six fields.
    pub fn fen(&self) -> String {
        self.to_string()
    }
}

/// A FEN of six fields.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.piece_on(Square::at(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                            empty = 0;
                        }
                        write!(f, "{}", piece.letter())?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        write!(f, " {} {} ", self.turn().letter(), self.castling())?;
        match self.en_passant() {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {} {}", self.halfmove_clock(), self.fullmove_number())
    }
}
