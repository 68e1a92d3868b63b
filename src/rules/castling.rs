use std::fmt;

use crate::types::{Bitboard, Color, Kind, Piece, Square};

/// To which wing a King castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wing {
    King,
    Queen,
}

impl Wing {
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The rook's corner.
    #[inline]
    pub const fn rook_from(self, color: Color) -> Square {
        match self {
            Wing::King => Square::H1.relative(color),
            Wing::Queen => Square::A1.relative(color),
        }
    }

    /// The square on which the rook lands.
    #[inline]
    pub const fn rook_to(self, color: Color) -> Square {
        match self {
            Wing::King => Square::F1.relative(color),
            Wing::Queen => Square::D1.relative(color),
        }
    }

    /// The square on which the King lands.
    #[inline]
    pub const fn king_to(self, color: Color) -> Square {
        match self {
            Wing::King => Square::G1.relative(color),
            Wing::Queen => Square::C1.relative(color),
        }
    }

    /// The squares between King and rook, which must be empty.
    #[inline]
    pub const fn gap(self, color: Color) -> Bitboard {
        let white = match self {
            Wing::King => Bitboard(0x60),
            Wing::Queen => Bitboard(0x0e),
        };
        white.relative(color)
    }

    /// The squares that the King crosses or lands on, which must not be attacked.
    #[inline]
    pub const fn path(self, color: Color) -> Bitboard {
        let white = match self {
            Wing::King => Bitboard(0x60),
            Wing::Queen => Bitboard(0x0c),
        };
        white.relative(color)
    }

    const fn bit(self, color: Color) -> u8 {
        1 << (color as u8 * 2 + self as u8)
    }
}

/// Which castlings no move has yet ruled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    pub const NONE: CastlingRights = CastlingRights(0);

    /// 0 to 15, one for each set of rights.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & wing.bit(color) != 0
    }

    #[must_use]
    pub const fn with(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 | wing.bit(color))
    }

    #[must_use]
    pub const fn without(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 & !wing.bit(color))
    }

    /// The rights left after a move between these squares: whatever leaves or reaches the square of an unmoved King or
    /// rook ends its rights, whoever moves.
    #[inline]
    #[must_use]
    pub const fn after_move(self, from: Square, to: Square) -> CastlingRights {
        CastlingRights(self.0 & KEPT[from.index()] & KEPT[to.index()])
    }

    /// The right that a FEN letter names.
    pub const fn from_letter(letter: char) -> Option<(Color, Wing)> {
        Some(match letter {
            'K' => (Color::White, Wing::King),
            'Q' => (Color::White, Wing::Queen),
            'k' => (Color::Black, Wing::King),
            'q' => (Color::Black, Wing::Queen),
            _ => return None,
        })
    }

    /// The rights with their colours and letters, in the order of a FEN.
    pub fn iter(self) -> impl Iterator<Item = (Color, Wing, char)> {
        ['K', 'Q', 'k', 'q'].into_iter().filter_map(move |letter| {
            let (color, wing) = CastlingRights::from_letter(letter)?;
            self.has(color, wing).then_some((color, wing, letter))
        })
    }

    /// True when King and rook of this right stand at home on the board.
    pub fn fits(color: Color, wing: Wing, man_on: impl Fn(Square) -> Option<Piece>) -> bool {
        man_on(Square::E1.relative(color)) == Some(Piece::new(color, Kind::King))
            && man_on(wing.rook_from(color)) == Some(Piece::new(color, Kind::Rook))
    }
}

const KEPT: [u8; 64] = {
    let mut kept = [15; 64];
    let mut color = 0;
    while color < 2 {
        let side = Color::ALL[color];
        let mut wing = 0;
        while wing < 2 {
            let bit = Wing::ALL[wing].bit(side);
            kept[Square::E1.relative(side).index()] &= !bit;
            kept[Wing::ALL[wing].rook_from(side).index()] &= !bit;
            wing += 1;
        }
        color += 1;
    }
    kept
};

/// As in a FEN: `KQkq` or a part of it, `-` for none.
impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == CastlingRights::NONE {
            return f.write_str("-");
        }
        self.iter().try_for_each(|(_, _, letter)| write!(f, "{letter}"))
    }
}
