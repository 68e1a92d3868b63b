//! The Chess Engine Communication Protocol, version 2, that XBoard and WinBoard speak.
//!
//! The engine announces Anti-King Chess II as its only variant and describes its start position and its men, so that the
//! GUI can check moves, mark target squares and write them down without knowing the game.
//!
//! **Notation.** The engine names its move by its squares, and XBoard writes the SAN of its window and its PGN itself, where
//! an anti-check has no `+`. The engine's own SAN, in its lines of thinking and its hints, marks checks of both royals.
//!
//! **Claims.** XBoard takes a claim for what its own view of the board says, and that knows nothing of Anti-Kings: in a
//! game between engines it turns the claim of an anti-mate by the winner, or of a stalemate that it does not see, into a
//! loss of the claimer. So between engines a mate is claimed only by the side that lost, and a stalemate is agreed on: the side
//! that gives it offers a draw with its move, the other accepts. Repetition and fifty moves XBoard counts as this engine
//! does; they are claimed. Against a human, who cannot claim, the engine claims whatever has happened.

mod clock;
pub mod command;
mod narrator;
pub mod reply;
mod session;

pub use session::run;
