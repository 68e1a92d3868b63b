use std::fmt;

use super::castling::CastlingRights;
use super::keys;
use super::royalty::Royalty;
use crate::types::{Bitboard, Color, Kind, Piece, Square};

/// A legal position: the men, the side to move, castling rights, the en passant square and both counters.
///
/// A small value that is copied to make a move. It holds no history; [`Game`](super::Game) does. Two positions are equal
/// when all of it is equal, the counters too; repetition goes by [`key`](Position::key) instead.
#[derive(Clone)]
pub struct Position {
    pub(super) kinds: [Bitboard; 7],
    pub(super) colors: [Bitboard; 2],
    pub(super) board: [Option<Piece>; 64],
    pub(super) key: u64,
    pub(super) pawn_key: u64,
    /// What bears on the two royal men of the side to move; follows from the rest.
    pub(super) royalty: Royalty,
    pub(super) turn: Color,
    pub(super) castling: CastlingRights,
    /// Set only when an en passant capture is legal.
    pub(super) en_passant: Option<Square>,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
}

impl Position {
    /// The start position as a FEN.
    pub const START_FEN: &'static str = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The start position.
    pub fn start() -> Position {
        super::fen::parse_fen(Position::START_FEN).expect("the start position is legal").position
    }

    /// No men at all: the ground on which validation builds.
    pub(super) fn empty(turn: Color) -> Position {
        Position {
            kinds: [Bitboard::EMPTY; 7],
            colors: [Bitboard::EMPTY; 2],
            board: [None; 64],
            key: if turn == Color::Black { keys::black_to_move() } else { 0 },
            pawn_key: 0,
            royalty: Royalty::default(),
            turn,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Sets a man on an empty square. With [`lift`](Position::lift) the only door through which men and keys change.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.board[square.index()].is_none());
        self.board[square.index()] = Some(piece);
        self.toggle(piece, square);
    }

    /// Takes a man from its square.
    #[inline]
    pub(super) fn lift(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.board[square.index()], Some(piece));
        self.board[square.index()] = None;
        self.toggle(piece, square);
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = square.bitboard();
        self.kinds[piece.kind().index()] ^= bit;
        self.colors[piece.color().index()] ^= bit;
        let key = keys::man(piece, square);
        self.key ^= key;
        if piece.kind() == Kind::Pawn {
            self.pawn_key ^= key;
        }
    }

    #[inline]
    pub(super) fn set_castling(&mut self, rights: CastlingRights) {
        self.key ^= keys::castling(self.castling) ^ keys::castling(rights);
        self.castling = rights;
    }

    #[inline]
    pub(super) fn set_en_passant(&mut self, square: Option<Square>) {
        for set in [self.en_passant, square].into_iter().flatten() {
            self.key ^= keys::en_passant(set);
        }
        self.en_passant = square;
    }

    #[inline]
    pub(super) fn pass_turn(&mut self) {
        self.turn = !self.turn;
        self.key ^= keys::black_to_move();
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The man on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The men of a kind, of both colours.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The men of a colour, royals included.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The men of a colour and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: Kind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// The men of a colour that move along ranks and files: rooks and queens.
    #[inline]
    pub fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(Kind::Rook) | self.kind(Kind::Queen))
    }

    /// The men of a colour that move along diagonals: bishops and queens.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(Kind::Bishop) | self.kind(Kind::Queen))
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Where a side's King stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.royal(color, Kind::King)
    }

    /// Where a side's Anti-King stands.
    #[inline]
    pub fn anti_king(&self, color: Color) -> Square {
        self.royal(color, Kind::AntiKing)
    }

    #[inline]
    fn royal(&self, color: Color, kind: Kind) -> Square {
        let royal = self.pieces(color, kind);
        debug_assert_eq!(royal.count(), 1);
        Square::new(royal.0.trailing_zeros() as u8)
    }

    /// The castling rights of both sides.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square behind a pawn that has just stepped twice, if it can legally be captured en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture (self-captures count) or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        u32::from(self.halfmove_clock)
    }

    /// The number of the full move, 1 at the start of a game.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        u32::from(self.fullmove_number)
    }

    /// Equal for positions that repetition counts as the same: men, side to move, castling rights, and en passant where
    /// a capture is legal.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Equal for positions with the same pawns.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// This position with the fifty-move counter at zero.
    #[must_use]
    pub fn with_fresh_clock(&self) -> Position {
        Position { halfmove_clock: 0, ..self.clone() }
    }

    /// Checks that everything derived agrees with what it derives from.
    ///
    /// # Panics
    /// If it does not; the message says what differs.
    #[cfg(any(test, debug_assertions))]
    pub(super) fn assert_consistent(&self) {
        let mut fresh = Position::empty(self.turn);
        for square in Square::all() {
            if let Some(piece) = self.board[square.index()] {
                fresh.put(piece, square);
            }
        }
        fresh.set_castling(self.castling);
        fresh.set_en_passant(self.en_passant);
        assert_eq!(self.kinds, fresh.kinds, "men by kind");
        assert_eq!(self.colors, fresh.colors, "men by colour");
        assert_eq!(self.key, fresh.key, "key");
        assert_eq!(self.pawn_key, fresh.pawn_key, "pawn key");
        assert_eq!(self.royalty, Royalty::of(self), "royalty");
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board
            && self.turn == other.turn
            && self.castling == other.castling
            && self.en_passant == other.en_passant
            && self.halfmove_clock == other.halfmove_clock
            && self.fullmove_number == other.fullmove_number
    }
}

impl Eq for Position {}

/// The FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
