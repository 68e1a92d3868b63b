use super::Paint;
use crate::rules::Position;
use crate::types::{Bitboard, Color, Kind, Piece, Square};

const RULE: &str = " +---+---+---+---+---+---+---+---+";

/// How men are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbols {
    /// FEN letters, the Anti-Kings in parentheses.
    Ascii,
    /// Chess figures, the Anti-Kings as letters in circles.
    Unicode,
}

/// The board in a grid of lines with `bottom` playing up it, men as FEN letters.
pub fn grid(position: &Position, bottom: Color) -> String {
    let as_seen = |index: u8| if bottom == Color::White { index } else { 7 - index };
    let mut text = format!("{RULE}\n");
    for rank in (0..8).rev().map(as_seen) {
        for file in (0..8).map(as_seen) {
            let man = position.piece_on(Square::at(file, rank)).map_or(' ', Piece::letter);
            text.push_str(&format!(" | {man}"));
        }
        text.push_str(&format!(" | {}\n{RULE}\n", rank + 1));
    }
    let files: Vec<String> = (0..8).map(as_seen).map(|file| char::from(b'a' + file).to_string()).collect();
    text + &format!("   {}\n", files.join("   "))
}

/// The board from White's side, without lines; a royal man in check stands in brackets.
pub fn board(position: &Position, symbols: Symbols, paint: Paint) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        text.push_str(&paint.faint(&format!("{} ", rank + 1)));
        let row: String = (0..8).map(|file| cell(position, Square::at(file, rank), symbols, paint)).collect();
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text.push_str(&paint.faint("   a  b  c  d  e  f  g  h"));
    text.push('\n');
    text
}

/// A square, three columns wide.
fn cell(position: &Position, square: Square, symbols: Symbols, paint: Paint) -> String {
    let Some(piece) = position.piece_on(square) else {
        let empty = if symbols == Symbols::Ascii { " . " } else { " · " };
        return paint.faint(empty);
    };
    let man = symbol(piece, symbols);
    if position.royals_in_check().contains(square) {
        return paint.bad(&format!("[{man}]"));
    }
    match (piece.kind(), symbols) {
        (Kind::AntiKing, Symbols::Ascii) => paint.special(&format!("({man})")),
        (Kind::AntiKing, Symbols::Unicode) => paint.special(&format!(" {man} ")),
        _ => format!(" {man} "),
    }
}

fn symbol(piece: Piece, symbols: Symbols) -> char {
    const WHITE: [char; 7] = ['♙', '♘', '♗', '♖', '♕', '♔', 'Ⓐ'];
    const BLACK: [char; 7] = ['♟', '♞', '♝', '♜', '♛', '♚', 'ⓐ'];
    match (symbols, piece.color()) {
        (Symbols::Ascii, _) => piece.letter(),
        (Symbols::Unicode, Color::White) => WHITE[piece.kind().index()],
        (Symbols::Unicode, Color::Black) => BLACK[piece.kind().index()],
    }
}

/// How both royal men of the side to move stand, a line each; those of the other side are safe in every legal position.
pub fn royals(position: &Position) -> String {
    let side = position.turn().name();
    let king = if position.king_in_check() { "in check by" } else { "safe, attacked by" };
    let anti_king = if position.anti_king_in_check() { "in check, attacked by" } else { "safe, attacked by" };
    format!(
        "{side} King: {king} {}\n{side} Anti-King: {anti_king} {}\n",
        listed(position.checkers()),
        listed(position.anti_attackers())
    )
}

fn listed(squares: Bitboard) -> String {
    if squares.is_empty() {
        return "none".to_owned();
    }
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    const BOTH: &str = "5k2/8/8/8/pP2n2a/6K1/6N1/6A1 w - - 0 1";

    #[test]
    fn black_sees_the_grid_turned() {
        let text = grid(&Position::start(), Color::Black);
        assert!(text.starts_with(&format!("{RULE}\n | R | N | B | K | Q | B | N | R | 1\n")), "{text}");
        assert!(text.ends_with("\n   h   g   f   e   d   c   b   a\n"), "{text}");
    }

    #[test]
    fn both_anti_kings_and_both_checks_are_marked() {
        let position = parse_fen(BOTH).unwrap().position;
        let text = board(&position, Symbols::Ascii, Paint::PLAIN);
        assert!(text.contains("\n4  p  P  .  .  n  .  . (a)\n3  .  .  .  .  .  . [K] .\n"), "{text}");
        assert!(text.contains("\n1  .  .  .  .  .  . [A] .\n   a  b  c  d  e  f  g  h\n"), "{text}");
        let figures = board(&position, Symbols::Unicode, Paint::PLAIN);
        assert!(figures.contains("\n4  ♟  ♙  ·  ·  ♞  ·  ·  ⓐ\n3  ·  ·  ·  ·  ·  · [♔] ·\n"), "{figures}");
        assert!(!text.contains('\u{1b}') && text.is_ascii());
    }

    #[test]
    fn colours_only_add_escapes() {
        let position = Position::start();
        let plain = board(&position, Symbols::Ascii, Paint::PLAIN);
        let coloured = board(&position, Symbols::Ascii, Paint { enabled: true });
        assert!(coloured.contains('\u{1b}'));
        let stripped = console::strip_ansi_codes(&coloured).into_owned();
        let without_blanks = |text: &str| text.replace([' ', '\n'], "");
        assert_eq!(without_blanks(&stripped), without_blanks(&plain));
        assert!(plain.contains("\n6  .  .  . (A) .  .  .  .\n"), "{plain}");
    }

    #[test]
    fn the_grid_is_that_of_other_engines() {
        let text = grid(&Position::start(), Color::White);
        assert!(text.starts_with(&format!("{RULE}\n | r | n | b | q | k | b | n | r | 8\n")));
        assert!(text.contains(" |   |   |   | A |   |   |   |   | 6\n"));
    }
}
