//! Diagrams as SVG: the board with the men as shapes of our own, the last move, and the royal men that are in check.

use crate::rules::Game;
use crate::types::{Color, Kind, Piece, Square};

/// The side of a square, in units of the view box; the shapes are drawn on such a square.
const CELL: u32 = 100;
/// The rim that holds the coordinates.
const MARGIN: u32 = 40;
/// The side of the whole picture.
const SIDE: u32 = 8 * CELL + 2 * MARGIN;

const LIGHT: &str = "#f0e6d2";
const DARK: &str = "#b58f68";
const LAST_MOVE: &str = "#e6c93a";
const CHECK: &str = "#d8232a";
const RIM: &str = "#4a3728";
const RIM_TEXT: &str = "#f0e6d2";

/// The present position of a game as a self-contained SVG document, with `bottom` playing up the board.
pub fn svg(game: &Game, bottom: Color) -> String {
    let position = game.position();
    let place = |square: Square| Place::new(square, bottom);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" role=\"img\">\n\
         <title>Anti-King Chess II: {}</title>\n\
         <desc>{}</desc>\n\
         <rect width=\"{SIDE}\" height=\"{SIDE}\" rx=\"8\" fill=\"{RIM}\"/>\n",
        title(game),
        position.fen()
    );
    for square in Square::all() {
        let color = if (square.file() + square.rank()) % 2 == 0 { DARK } else { LIGHT };
        text.push_str(&place(square).filled(&format!("fill=\"{color}\"")));
    }
    for square in game.moves().last().map(|mv| [mv.from(), mv.to()]).into_iter().flatten() {
        text.push_str(&place(square).filled(&format!("fill=\"{LAST_MOVE}\" fill-opacity=\"0.55\"")));
    }
    for square in position.royals_in_check() {
        text.push_str(&place(square).warning());
    }
    text.push_str(&coordinates(bottom));
    text.push_str(&side_to_move(position.turn(), bottom));
    for square in Square::all() {
        if let Some(piece) = position.piece_on(square) {
            text.push_str(&man(piece, place(square)));
        }
    }
    text.push_str("</svg>\n");
    text
}

fn title(game: &Game) -> String {
    let side = game.position().turn().name();
    game.outcome().map_or(format!("{side} to move"), |outcome| outcome.to_string())
}

/// The upper left corner of a square.
#[derive(Clone, Copy)]
struct Place {
    x: u32,
    y: u32,
}

impl Place {
    fn new(square: Square, bottom: Color) -> Place {
        let (column, row) = match bottom {
            Color::White => (square.file(), 7 - square.rank()),
            Color::Black => (7 - square.file(), square.rank()),
        };
        Place { x: MARGIN + u32::from(column) * CELL, y: MARGIN + u32::from(row) * CELL }
    }

    fn filled(self, fill: &str) -> String {
        let Place { x, y } = self;
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" {fill}/>\n")
    }

    /// The mark of a royal man in check.
    fn warning(self) -> String {
        let Place { x, y } = self;
        let (inner, side) = (4, CELL - 8);
        self.filled(&format!("fill=\"{CHECK}\" fill-opacity=\"0.45\""))
            + &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"{CHECK}\" stroke-width=\"8\"/>\n",
                x + inner,
                y + inner
            )
    }
}

fn coordinates(bottom: Color) -> String {
    let mut text =
        format!("<g fill=\"{RIM_TEXT}\" font-family=\"sans-serif\" font-size=\"24\" text-anchor=\"middle\">\n");
    for index in 0..8 {
        let (file, rank) = (Place::new(Square::at(index, 0), bottom), Place::new(Square::at(0, index), bottom));
        let (x, y) = (file.x + CELL / 2, SIDE - MARGIN / 2 + 8);
        text.push_str(&format!("<text x=\"{x}\" y=\"{y}\">{}</text>\n", char::from(b'a' + index)));
        let (x, y) = (MARGIN / 2, rank.y + CELL / 2 + 8);
        text.push_str(&format!("<text x=\"{x}\" y=\"{y}\">{}</text>\n", index + 1));
    }
    text + "</g>\n"
}

/// A disc in the colour of the side to move, beside its back rank.
fn side_to_move(turn: Color, bottom: Color) -> String {
    let x = SIDE - MARGIN / 2;
    let y = if turn == bottom { SIDE - MARGIN - CELL / 2 } else { MARGIN + CELL / 2 };
    let fill = Colors::of(turn).fill;
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"11\" fill=\"{fill}\" stroke=\"{RIM_TEXT}\" stroke-width=\"2\"/>\n")
}

struct Colors {
    fill: &'static str,
    /// Of the outline.
    edge: &'static str,
    /// Of the lines within the shape.
    inner: &'static str,
}

impl Colors {
    const fn of(color: Color) -> Colors {
        match color {
            Color::White => Colors { fill: "#fffdf7", edge: "#1c1714", inner: "#1c1714" },
            Color::Black => Colors { fill: "#2e2723", edge: "#0d0b0a", inner: "#e9dfd0" },
        }
    }
}

/// A man on its square. An Anti-King is a King turned upside down.
fn man(piece: Piece, place: Place) -> String {
    let Colors { fill, edge, inner } = Colors::of(piece.color());
    let Place { x, y } = place;
    let turned = if piece.kind() == Kind::AntiKing { " rotate(180 50 50)" } else { "" };
    let Shape { outline, details } = shape(piece.kind());
    format!(
        "<g transform=\"translate({x} {y}){turned}\" stroke-width=\"4\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n\
         <g fill=\"{fill}\" stroke=\"{edge}\">{outline}</g>\n\
         <g fill=\"none\" stroke=\"{inner}\" stroke-width=\"3\">{details}</g>\n\
         </g>\n"
    )
}

/// A man as SVG elements on a square of 100 by 100.
struct Shape {
    /// Filled and outlined.
    outline: &'static str,
    /// Lines within.
    details: &'static str,
}

const fn shape(kind: Kind) -> Shape {
    match kind {
        Kind::Pawn => Shape {
            outline: r#"<path d="M27 86V80C27 72 41 68 43 50H57C59 68 73 72 73 80V86Z"/><path d="M36 51C36 45 64 45 64 51Z"/><circle cx="50" cy="33" r="14"/>"#,
            details: r#"<path d="M33 78H67"/>"#,
        },
        Kind::Knight => Shape {
            outline: r#"<path d="M32 86C31 70 47 65 49 53C42 57 37 57 33 61C29 66 24 67 21 63C16 59 17 54 20 50C26 42 27 34 35 27L36 13L47 22C68 23 80 44 77 86Z"/>"#,
            details: r#"<path d="M54 30C66 38 70 54 69 78M23 57L26 55"/><circle cx="40" cy="36" r="1.5"/>"#,
        },
        Kind::Bishop => Shape {
            outline: r#"<path d="M24 86C24 77 37 78 38 71H62C63 78 76 77 76 86Z"/><path d="M36 71L33 62H67L64 71Z"/><path d="M37 62C26 50 32 36 50 23C68 36 74 50 63 62Z"/><circle cx="50" cy="17" r="6"/>"#,
            details: r#"<path d="M50 36V54M42 44H58"/>"#,
        },
        Kind::Rook => Shape {
            outline: r#"<path d="M24 86V76H76V86Z"/><path d="M32 76L35 44H65L68 76Z"/><path d="M26 20H37V28H44V20H56V28H63V20H74V37L66 44H34L26 37Z"/>"#,
            details: r#"<path d="M36 44H64M33 68H67"/>"#,
        },
        Kind::Queen => Shape {
            outline: r#"<path d="M26 86V76H74V86Z"/><path d="M29 76L14 38L33 55L32 27L45 52L50 22L55 52L68 27L67 55L86 38L71 76Z"/><circle cx="14" cy="34" r="5"/><circle cx="32" cy="23" r="5"/><circle cx="50" cy="17" r="5"/><circle cx="68" cy="23" r="5"/><circle cx="86" cy="34" r="5"/>"#,
            details: r#"<path d="M31 68C42 63 58 63 69 68"/>"#,
        },
        Kind::King | Kind::AntiKing => Shape {
            outline: r#"<path d="M47 30V22H40V16H47V8H53V16H60V22H53V30Z"/><path d="M50 27C62 34 59 46 50 54C41 46 38 34 50 27Z"/><path d="M28 74C12 62 12 44 27 40C38 38 46 44 50 54C54 44 62 38 73 40C88 44 88 62 72 74Z"/><path d="M28 86V74H72V86Z"/>"#,
            details: r#"<path d="M50 54V70M27 64C22 58 22 49 31 48M73 64C78 58 78 49 69 48"/>"#,
        },
    }
}
