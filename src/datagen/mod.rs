//! Training data: games of the engine against itself, a record for each position.
//!
//! A game begins with a few random moves ([`OpeningSettings`]) and goes on with the best move of a search of a fixed
//! number of nodes, until the rules end it. There is no adjudication: with Anti-Kings a great lead in material is not
//! yet a win, so a game that is cut short would get a result by guess, and few games are long enough to be worth the
//! cut. All positions behind the opening are recorded. Which of them are fit to learn from (not in check, no mate in
//! sight, a quiet best move) is for the training to decide; the records have what it takes.
//!
//! The game with number n depends on the seed, the settings and n alone. So a file is the same whatever the number of
//! threads and however often its making was interrupted, and the shards of a run have each game once. A later game in a
//! file has a greater number.
//!
//! # Format, version 1
//! A header, then records, nothing between or behind them. All numbers are little-endian; squares count from a1 = 0 by
//! files to h8 = 63; CRC-32 is that of gzip (polynomial 0xedb88320 reflected), taken over all bytes before it.
//! **Scores and results are White's view**, whoever is to move.
//!
//! Header, 80 bytes:
//!
//! | byte | size | content |
//! |---|---|---|
//! | 0 | 8 | the letters `AKGAMES` and a line feed |
//! | 8 | 2 | version of the format, 1 |
//! | 10 | 2 | length of the header, 80 |
//! | 12 | 2 | length of a record, 48 |
//! | 14 | 2 | random plies of an opening; every other game, as chance has it, has one more |
//! | 16 | 16 | version of the engine, ASCII, filled with zeros |
//! | 32 | 8 | seed |
//! | 40 | 4 | number of the shard, from 1 |
//! | 44 | 4 | number of shards |
//! | 48 | 8 | soft limit of a search, nodes |
//! | 56 | 8 | hard limit of a search, nodes |
//! | 64 | 4 | size of the transposition table, megabytes |
//! | 68 | 2 | greatest distance of an opening's score from zero, centipawns |
//! | 70 | 1 | share of Anti-King moves among the random ones, percent |
//! | 71 | 1 | zero |
//! | 72 | 4 | CRC-32 at the end of the file of the network that the engine evaluates with; 0 for an engine that had none |
//! | 76 | 4 | CRC-32 |
//!
//! Record, 48 bytes:
//!
//! | byte | size | content |
//! |---|---|---|
//! | 0 | 8 | the occupied squares, bit n for square n; at most 34 |
//! | 8 | 17 | a nibble for each of them, in the order of the squares, low nibble first: 0 white pawn, 1 black pawn, 2 and 3 knights, 4 and 5 bishops, 6 and 7 rooks, 8 and 9 queens, 10 and 11 Kings, 12 and 13 Anti-Kings; the rest is zero |
//! | 25 | 1 | side to move: 0 White, 1 Black |
//! | 26 | 1 | castling rights: 1 White's to the King's wing, 2 to the Queen's wing, 4 and 8 Black's |
//! | 27 | 1 | the square where an en passant capture is legal, or 64 |
//! | 28 | 2 | half-moves since the last capture or pawn move |
//! | 30 | 2 | number of the full move |
//! | 32 | 2 | score, signed, centipawns for White; a mate in n plies is 32000 - n for the side that gives it |
//! | 34 | 2 | best move, which was played: from (bits 0-5), to (6-11), kind (12-15: 0 normal, 1 castling as the King's two steps, 2 en passant, 4-7 promotion to N, B, R, Q) |
//! | 36 | 1 | depth of the search, plies |
//! | 37 | 1 | result of the game: 0 Black won, 1 draw, 2 White won |
//! | 38 | 1 | end of the game: 0 king mate, 1 anti-mate, 2 mate of both, 3 stalemate, 4 threefold repetition, 5 fifty moves |
//! | 39 | 1 | 1 in the last record of a game, else 0 |
//! | 40 | 4 | number of the game, from 0 |
//! | 44 | 4 | CRC-32 |
//!
//! Each record's position is that of the record before after its best move, unless that was the last of its game.
//! Checks, captures and the like follow from position and best move. Repetitions count from the first record of a game.

mod bytes;
mod generation;
mod opening;
mod output;
mod reader;
mod record;
mod report;
mod self_play;
mod settings;
mod statistics;

pub use generation::{GenerationError, generate};
pub use opening::{NoOpening, OpeningSettings};
pub use output::{Output, OutputError};
pub use reader::{DataError, Fault, Reader};
pub use record::{RECORD_LENGTH, Record, RecordFault};
pub use report::{contents, json, text, text_line};
pub use self_play::SelfPlay;
#[cfg(test)]
pub use settings::test_settings;
pub use settings::{HEADER_LENGTH, HeaderFault, Settings, Shard};
pub use statistics::Statistics;
