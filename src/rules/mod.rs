//! The rules of Anti-King Chess II, and the only place that knows them.
//!
//! Peter Aronson's game of 2002 is FIDE chess with a second royal man on each side, the Anti-King, which must always
//! stand attacked. It starts as `rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1`, where `A` is White's
//! Anti-King and `a` Black's: each under the eyes of two enemy pawns.
//!
//! **The men.** All FIDE men move as in FIDE chess: double steps, en passant, castling, promotion to queen, rook, bishop
//! or knight ([`Position::legal_moves`], [`Position::played`]).
//! - The Anti-King steps one square in any direction, to an empty square or onto a man of its *own* side, which it
//!   captures. It never takes an enemy man, and never its own King.
//! - Nothing captures an Anti-King. It blocks lines like any man.
//! - An Anti-King attacks nothing: it gives no check, guards no square, and does not keep the other Anti-King attacked.
//!   A King attacks no Anti-King. A pinned man still attacks ([`Position::attackers`]).
//!
//! **Check.** A King is in check when an enemy man attacks it, an Anti-King when none does ([`Position::in_check`]; which
//! of the two, [`Position::king_in_check`] and [`Position::anti_king_in_check`]). A legal move leaves the mover's King
//! unattacked and the mover's Anti-King attacked ([`Position::is_legal`]): the last attacker of one's own Anti-King may be
//! neither captured nor shut off, unless the same move lets another man attack it, and a man may leave a line so that an
//! enemy slider attacks the Anti-King behind it. A move that leaves the enemy Anti-King unattacked is a check
//! ([`Position::gives_check`]). One cannot pass while in check on either royal man ([`Position::passed`]).
//!
//! **Castling** is as in FIDE chess, but also barred while the own Anti-King is unattacked. A rook that is captured on its
//! corner, by the own Anti-King too, ends its right ([`CastlingRights`]).
//!
//! **The end** ([`Position::outcome`], [`Game::outcome`]). A side in check on either royal man that has no legal move has
//! lost: by king mate, anti-mate, or both at once, all worth the same. Without a legal move and not in check it is
//! stalemate, a draw. Drawn are also the third repetition (same men, side to move, castling rights, and en passant where a
//! capture is legal: [`Position::key`]) and a hundred half-moves without pawn move or capture (an Anti-King's capture of its
//! own man is one); a mate on the hundredth counts. There is no draw by insufficient material: the last man of a side
//! cannot be captured by the enemy, whose Anti-King would be left unattacked, and a side whose own Anti-King takes its
//! last man has anti-mated.
//!
//! **Legal positions** ([`Setup::validated`]) have one King and one Anti-King a side, no pawn on an end rank, at most 17
//! men and 8 pawns a side, no more promoted pieces than missing pawns, and the side that is not to move in check on neither
//! royal man. So a position has at most 34 men and fewer than 256 moves.
//!
//! [`Position::explained`] tells of a position how its royal men stand and which of these rules each illegal move breaks.
//!
//! **Text** ([`parse_fen`], [`parse_uci`], [`to_san`], [`parse_san`], [`parse_move`]). FEN with the letters `A` and
//! `a`; the en passant square is written only where a capture is legal. SAN has `A` for the Anti-King, `+` for check on
//! either royal man, `#` for any mate. The UCI name of the variant is [`VARIANT`].

mod castling;
mod explain;
mod fen;
mod game;
mod keys;
mod movegen;
mod notation;
mod outcome;
mod perft;
mod play;
mod position;
mod royalty;
mod setup;
#[cfg(test)]
mod tests;
#[cfg(any(test, debug_assertions))]
mod truth;

pub use castling::{CastlingRights, Wing};
pub use explain::{Attacker, Explanation, IllegalMove, Reason, RoyalExplanation, Rule, Shield, Step};
pub use fen::{FenError, ParsedFen, Quoted, epd_operations, parse_fen, parse_setup};
pub use game::Game;
pub use movegen::{All, Noisy, Quiet, Stage};
pub use notation::{MoveError, parse_move, parse_san, parse_uci, san_line, to_lan, to_san};
pub use outcome::{DrawKind, MateKind, Outcome};
pub use perft::{perft, perft_stoppable};
pub use position::Position;
pub use royalty::CheckInfo;
pub use setup::{BrokenRule, InvalidSetup, Repair, Setup};

/// The name of the variant in UCI.
pub const VARIANT: &str = "anti-king-2";
