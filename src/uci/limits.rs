//! What a `go` line asks, as limits for the search.
//!
//! - `go` without a limit, and `go mate` without a number, search until `stop`.
//! - Times below zero are zero. `movetime 0` and a clock of 0 ask for a move at once.
//! - A side whose clock is missing is taken to have the other side's clock and increment.
//! - Where a limit is named whose number is missing or cannot be read, and no other bounds the time, the answer comes
//!   after [`SAFE_TIME`].
//! - Depth, nodes and mate distance of zero or less are one. `movestogo` of zero or less is not there.
//! - Illegal entries of `searchmoves` are dropped; if none is left, all moves are searched.

use std::time::Duration;

use super::command::{GoCommand, milliseconds};
use crate::rules::{Position, parse_uci};
use crate::search::Limits;
use crate::types::{Color, Move};

/// How long to think where a limit was meant that could not be read: short enough for any clock in use.
const SAFE_TIME: Duration = Duration::from_millis(100);

/// The limits for a search of `position`, and a line for each part of the command that could not be used.
pub fn limits(go: &GoCommand, position: &Position) -> (Limits, Vec<String>) {
    let mut complaints: Vec<String> = go.complaints.iter().map(|complaint| format!("go: {complaint}")).collect();
    let timed = go.clocks.iter().any(Option::is_some) || go.move_time.is_some();
    let counted = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
    let clock_unread = go.lacks_number(clock_keyword(position.turn()));
    let mut clocks = both_sides(go.clocks).map(|time| time.map(milliseconds));
    if clock_unread {
        // The opponent's clock tells nothing about one that cannot be read.
        clocks[position.turn().index()] = None;
    }
    let unread = clock_unread
        || go.lacks_number("movetime") && go.clocks.iter().all(Option::is_none)
        || ["depth", "nodes", "mate"].into_iter().any(|word| go.lacks_number(word)) && !(timed || counted);
    let fallback = (unread && !go.infinite).then_some(SAFE_TIME);
    if fallback.is_some() && go.move_time.is_none() {
        complaints.push(format!("go: thinking for {} ms instead", SAFE_TIME.as_millis()));
    }
    let limits = Limits {
        search_moves: search_moves(&go.search_moves, position, &mut complaints),
        clocks,
        increments: both_sides(go.increments).map(|time| time.map_or(Duration::ZERO, milliseconds)),
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0).map(saturated),
        move_time: go.move_time.map(milliseconds).or(fallback),
        depth: go.depth.map(at_least_one),
        nodes: go.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
        soft_nodes: None,
        mate: go.mate.map(at_least_one),
        infinite: go.infinite || !(timed || counted || unread),
        ponder: go.ponder,
    };
    (limits, complaints)
}

fn clock_keyword(color: Color) -> &'static str {
    match color {
        Color::White => "wtime",
        Color::Black => "btime",
    }
}

/// A missing value is taken from the other side.
fn both_sides([white, black]: [Option<i64>; 2]) -> [Option<i64>; 2] {
    [white.or(black), black.or(white)]
}

fn saturated(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

fn at_least_one(number: i64) -> u32 {
    saturated(number).max(1)
}

fn search_moves(texts: &[String], position: &Position, complaints: &mut Vec<String>) -> Vec<Move> {
    let mut moves = Vec::new();
    for text in texts {
        match parse_uci(position, text) {
            Ok(mv) if moves.contains(&mv) => {}
            Ok(mv) => moves.push(mv),
            Err(error) => complaints.push(format!("go: searchmoves: {error}")),
        }
    }
    if moves.is_empty() && !texts.is_empty() {
        complaints.push("go: searchmoves: no legal move is left, searching all".to_owned());
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::super::command::{self, Command};
    use super::*;

    fn of(line: &str) -> (Limits, Vec<String>) {
        match command::parse(line) {
            Ok(Some(Command::Go(go))) => limits(&go, &Position::start()),
            other => panic!("{other:?}"),
        }
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn clocks_are_repaired() {
        let (limits, _) = of("go wtime 205 btime -2 winc 80 binc 70");
        assert_eq!(limits.clocks, [Some(ms(205)), Some(ms(0))]);
        assert_eq!(limits.increments, [ms(80), ms(70)]);
        assert!(!limits.infinite);
        assert_eq!(of("go btime 5000").0.clocks, [Some(ms(5000)); 2]);
        assert_eq!(of("go movetime -1").0.move_time, Some(ms(0)));
        assert_eq!(of("go movestogo 0 wtime 1000").0.moves_to_go, None);
        assert_eq!(of("go movestogo 40 wtime 1000").0.moves_to_go, Some(40));
        assert!(of("go wtime 99999999999999999999 btime 1").0.clocks[0] > Some(ms(1 << 40)));
    }

    #[test]
    fn counts_are_at_least_one() {
        assert_eq!(of("go depth 0").0.depth, Some(1));
        assert_eq!(of("go depth -3").0.depth, Some(1));
        assert_eq!(of("go depth 99999999999").0.depth, Some(u32::MAX));
        assert_eq!(of("go nodes 0").0.nodes, Some(1));
        assert_eq!(of("go mate -1").0.mate, Some(1));
    }

    #[test]
    fn without_a_limit_the_search_is_infinite() {
        for line in ["go", "go infinite", "go mate", "go winc 3", "go searchmoves e2e4", "go depth 4 infinite"] {
            assert!(of(line).0.infinite, "{line}");
        }
        for line in ["go depth 3", "go nodes 3", "go mate 3", "go movetime 3", "go wtime 3", "go ponder btime 3"] {
            assert!(!of(line).0.infinite, "{line}");
        }
        assert_eq!(of("go depth 4 infinite").0.depth, Some(4));
    }

    #[test]
    fn a_limit_that_cannot_be_read_ends_the_search_soon() {
        for line in ["go wtime x", "go wtime", "go wtime x btime 60000", "go movetime x", "go depth", "go nodes y"] {
            let (limits, complaints) = of(line);
            assert_eq!((limits.move_time, limits.infinite), (Some(SAFE_TIME), false), "{line}");
            assert_eq!(limits.clocks[0], None, "{line}");
            assert!(complaints.last().unwrap().contains("100 ms"), "{line}: {complaints:?}");
        }
        assert_eq!(of("go mate x").0.move_time, Some(SAFE_TIME));
        assert_eq!(of("go ponder wtime x").0.move_time, Some(SAFE_TIME));
        assert_eq!(of("go depth 5 wtime x").0.move_time, Some(SAFE_TIME));
        // Another limit bounds the time.
        for line in ["go wtime 500 btime x", "go depth x wtime 500", "go movetime x wtime 500", "go nodes x depth 5"] {
            let (limits, complaints) = of(line);
            assert_eq!((limits.move_time, limits.infinite), (None, false), "{line}");
            assert!(!complaints.is_empty(), "{line}");
        }
        assert_eq!(of("go wtime x movetime 20").0.move_time, Some(ms(20)));
        let (limits, _) = of("go infinite wtime x");
        assert_eq!((limits.move_time, limits.infinite), (None, true));
    }

    #[test]
    fn illegal_search_moves_are_dropped_and_named() {
        let (limits, complaints) = of("go infinite searchmoves zz99 e2e4 e2e4 d6d5");
        assert_eq!(limits.search_moves, [parse_uci(&Position::start(), "e2e4").unwrap()]);
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        let (limits, complaints) = of("go depth 6 searchmoves e2e5");
        assert_eq!((limits.search_moves.len(), complaints.len()), (0, 2));
        let (limits, complaints) = of("go depth 6 searchmoves");
        assert_eq!((limits.search_moves.len(), complaints.len()), (0, 0));
    }
}
