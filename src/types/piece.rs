use super::Color;

/// More men than this no side has in a legal position (see [`crate::rules`], legal positions).
pub const MAX_MEN_OF_A_SIDE: usize = 17;
/// More men than this no legal position has.
pub const MAX_MEN: usize = 2 * MAX_MEN_OF_A_SIDE;

/// What a man is, without its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    AntiKing,
}

impl Kind {
    /// All kinds, in the order of their indices.
    pub const ALL: [Kind; 7] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King, Kind::AntiKing];

    /// The men that are neither pawns nor royal.
    pub const OFFICERS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

    /// The kinds a pawn can become, strongest first.
    pub const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

    /// 0 (Pawn) to 6 (Anti-King).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// True for the King and the Anti-King.
    #[inline]
    pub const fn is_royal(self) -> bool {
        matches!(self, Kind::King | Kind::AntiKing)
    }

    /// The letter of the kind in SAN and, in its upper case, in a FEN: `PNBRQKA`.
    pub const fn letter(self) -> char {
        match self {
            Kind::Pawn => 'P',
            Kind::Knight => 'N',
            Kind::Bishop => 'B',
            Kind::Rook => 'R',
            Kind::Queen => 'Q',
            Kind::King => 'K',
            Kind::AntiKing => 'A',
        }
    }

    /// The kind that an upper-case letter names.
    pub const fn from_letter(letter: char) -> Option<Kind> {
        match letter {
            'P' => Some(Kind::Pawn),
            'N' => Some(Kind::Knight),
            'B' => Some(Kind::Bishop),
            'R' => Some(Kind::Rook),
            'Q' => Some(Kind::Queen),
            'K' => Some(Kind::King),
            'A' => Some(Kind::AntiKing),
            _ => None,
        }
    }

    /// The English name in lower case, as error messages use it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Knight => "knight",
            Kind::Bishop => "bishop",
            Kind::Rook => "rook",
            Kind::Queen => "queen",
            Kind::King => "King",
            Kind::AntiKing => "Anti-King",
        }
    }
}

/// A man: its kind and its colour. One byte, and so is `Option<Piece>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Piece {
    WhitePawn,
    BlackPawn,
    WhiteKnight,
    BlackKnight,
    WhiteBishop,
    BlackBishop,
    WhiteRook,
    BlackRook,
    WhiteQueen,
    BlackQueen,
    WhiteKing,
    BlackKing,
    WhiteAntiKing,
    BlackAntiKing,
}

impl Piece {
    /// All men, in the order of their indices.
    pub const ALL: [Piece; 14] = [
        Piece::WhitePawn,
        Piece::BlackPawn,
        Piece::WhiteKnight,
        Piece::BlackKnight,
        Piece::WhiteBishop,
        Piece::BlackBishop,
        Piece::WhiteRook,
        Piece::BlackRook,
        Piece::WhiteQueen,
        Piece::BlackQueen,
        Piece::WhiteKing,
        Piece::BlackKing,
        Piece::WhiteAntiKing,
        Piece::BlackAntiKing,
    ];

    /// The man of this colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: Kind) -> Piece {
        Piece::ALL[kind as usize * 2 + color as usize]
    }

    /// 0 to 13: twice the index of the kind, plus that of the colour.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The man's colour.
    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// The man's kind.
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind::ALL[(self as u8 >> 1) as usize]
    }

    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        match self.color() {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The man that a FEN letter names.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Kind::from_letter(letter.to_ascii_uppercase()) {
            Some(kind) => Some(Piece::new(color, kind)),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_indices_round_trip() {
        for (index, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), index);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Piece::new(piece.color(), piece.kind()), piece);
        }
        assert_eq!(Piece::from_letter('Á'), None);
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(std::mem::size_of::<Option<Piece>>(), 1);
    }
}
