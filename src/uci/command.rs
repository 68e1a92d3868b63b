//! What a GUI says to the engine: one line of text as one value.
//!
//! Nothing here looks at a board: moves stay words until a position is there to read them.

use std::time::Duration;

use thiserror::Error;

use crate::engine::options::parse_integer;
use crate::rules::Quoted;

/// A line that asks for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Name, options and `uciok`.
    Uci,
    /// `readyok`.
    IsReady,
    /// The next position is from another game.
    NewGame,
    /// Set up a position.
    Position(PositionCommand),
    /// Search, or count leaves for `go perft`.
    Go(GoCommand),
    /// End the search.
    Stop,
    /// The opponent played the move pondered on.
    PonderHit,
    /// Leave.
    Quit,
    /// More or fewer `info string` lines.
    Debug(bool),
    /// Set an option; the value is `None` where the word `value` is missing.
    SetOption { name: String, value: Option<String> },
    /// Print the board.
    Display,
    /// Print the evaluation, and what each man is worth.
    Eval,
    /// Search the bench positions, to this depth in plies or the usual one.
    Bench(Option<u32>),
    /// List the commands.
    Help,
}

/// The board of a `position` command, before its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    Start,
    Fen(String),
}

/// `position startpos|fen FEN [moves MOVE...]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    pub setting: Setting,
    pub moves: Vec<String>,
}

/// The parameters of `go`. Numbers are as sent: a clock may be negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    pub search_moves: Vec<String>,
    /// Milliseconds left, White's first.
    pub clocks: [Option<i64>; 2],
    /// Milliseconds added by each move, White's first.
    pub increments: [Option<i64>; 2],
    pub moves_to_go: Option<i64>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
    /// Plies.
    pub depth: Option<i64>,
    pub nodes: Option<i64>,
    /// Full moves; only looks for a mate at most this far.
    pub mate: Option<i64>,
    pub infinite: bool,
    pub ponder: bool,
    /// Plies; counts leaves in place of a search.
    pub perft: Option<u32>,
    /// Words that were passed over, each with the reason.
    pub complaints: Vec<GoComplaint>,
}

/// A part of a `go` line that says nothing. The rest of the line holds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GoComplaint {
    #[error("{0} needs a number")]
    NumberMissing(String),
    #[error("unknown word {0:?}")]
    UnknownWord(Quoted),
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    #[error("unknown command {0:?}; 'help' lists the commands")]
    Unknown(Quoted),
    #[error("setoption needs 'name NAME [value VALUE]'")]
    OptionNameMissing,
    #[error("position needs 'startpos' or 'fen FEN'")]
    PositionMissing,
    #[error("position: unknown word {0:?} in place of 'moves'")]
    MovesMissing(Quoted),
    #[error("debug needs 'on' or 'off'")]
    DebugSwitch,
    #[error("bench: {0:?} is no depth")]
    BenchDepth(Quoted),
    #[error("go perft needs a depth")]
    PerftDepth,
}

/// Reads one line. Blank lines are `None`. Blanks, tabs and carriage returns separate words, however many stand
/// together.
///
/// # Errors
/// When the line is no command, or lacks what its command needs.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let (word, rest) = split_word(line);
    let command = match word {
        "" => return Ok(None),
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => Command::Position(parse_position(rest)?),
        "go" => Command::Go(parse_go(rest)?),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "debug" => Command::Debug(parse_debug(rest)?),
        "setoption" => parse_setoption(rest)?,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "bench" => Command::Bench(parse_bench(rest)?),
        "help" => Command::Help,
        _ => return Err(CommandError::Unknown(Quoted::new(word))),
    };
    Ok(Some(command))
}

/// The first word, and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}

fn parse_debug(text: &str) -> Result<bool, CommandError> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(CommandError::DebugSwitch),
    }
}

fn parse_bench(text: &str) -> Result<Option<u32>, CommandError> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse() {
        Ok(depth) if depth > 0 => Ok(Some(depth)),
        _ => Err(CommandError::BenchDepth(Quoted::new(text))),
    }
}

/// Names are joined by single blanks; a value is kept as it stands, since a file name may have two in a row.
fn parse_setoption(text: &str) -> Result<Command, CommandError> {
    let (keyword, mut rest) = split_word(text);
    if keyword != "name" {
        return Err(CommandError::OptionNameMissing);
    }
    let mut name: Vec<&str> = Vec::new();
    let mut value = None;
    while !rest.is_empty() {
        let (word, tail) = split_word(rest);
        rest = tail;
        if word == "value" {
            value = Some(rest.to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(CommandError::OptionNameMissing);
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn parse_position(text: &str) -> Result<PositionCommand, CommandError> {
    let mut words = text.split_ascii_whitespace();
    let setting = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Setting::Start,
            Some(word) => return Err(CommandError::MovesMissing(Quoted::new(word))),
        },
        Some("fen") => {
            let fields: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
            Setting::Fen(fields.join(" "))
        }
        _ => return Err(CommandError::PositionMissing),
    };
    Ok(PositionCommand { setting, moves: words.map(str::to_owned).collect() })
}

fn parse_go(text: &str) -> Result<GoCommand, CommandError> {
    let mut go = GoCommand::default();
    let mut words = text.split_ascii_whitespace().peekable();
    let mut in_search_moves = false;
    while let Some(word) = words.next() {
        if let Some(slot) = go.number_slot(word) {
            in_search_moves = false;
            match words.peek().and_then(|next| parse_integer(next)) {
                Some(number) => {
                    *slot = Some(number);
                    words.next();
                }
                // `go mate` alone asks for any mate.
                None if word == "mate" && words.peek().is_none_or(|next| is_go_keyword(next)) => {}
                None => go.complaints.push(GoComplaint::NumberMissing(word.to_owned())),
            }
            continue;
        }
        match word {
            "perft" => {
                let depth = words.next().and_then(|next| next.parse().ok());
                go.perft = Some(depth.ok_or(CommandError::PerftDepth)?);
            }
            "searchmoves" => in_search_moves = true,
            "ponder" => (go.ponder, in_search_moves) = (true, false),
            "infinite" => (go.infinite, in_search_moves) = (true, false),
            _ if in_search_moves => go.search_moves.push(word.to_owned()),
            _ => go.complaints.push(GoComplaint::UnknownWord(Quoted::new(word))),
        }
    }
    Ok(go)
}

fn is_go_keyword(word: &str) -> bool {
    matches!(word, "perft" | "searchmoves" | "ponder" | "infinite") || GoCommand::default().number_slot(word).is_some()
}

impl GoCommand {
    /// True when `keyword` came without a number that can be read.
    pub fn lacks_number(&self, keyword: &str) -> bool {
        self.complaints.iter().any(|complaint| matches!(complaint, GoComplaint::NumberMissing(word) if word == keyword))
    }

    /// Where the number after `keyword` belongs; `None` of any other word.
    fn number_slot(&mut self, keyword: &str) -> Option<&mut Option<i64>> {
        Some(match keyword {
            "wtime" => &mut self.clocks[0],
            "btime" => &mut self.clocks[1],
            "winc" => &mut self.increments[0],
            "binc" => &mut self.increments[1],
            "movestogo" => &mut self.moves_to_go,
            "movetime" => &mut self.move_time,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            _ => return None,
        })
    }
}

/// Milliseconds as sent: a negative time is none left, and no time is longer than a lifetime.
pub fn milliseconds(sent: i64) -> Duration {
    const LONGEST: u64 = 1 << 41;
    Duration::from_millis(u64::try_from(sent).unwrap_or(0).min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn command(line: &str) -> Command {
        parse(line).unwrap().unwrap()
    }

    fn go(line: &str) -> GoCommand {
        match command(line) {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    fn position(line: &str) -> PositionCommand {
        match command(line) {
            Command::Position(position) => position,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn blanks_of_any_kind_separate_words() {
        assert_eq!(parse(""), Ok(None));
        assert_eq!(parse(" \t\r\n"), Ok(None));
        assert_eq!(command("\t isready \r\n"), Command::IsReady);
        assert_eq!(go("go \t depth \t\t 3 \r\n").depth, Some(3));
        let expected = PositionCommand { setting: Setting::Start, moves: vec!["e2e4".into(), "e7e5".into()] };
        assert_eq!(position("position\tstartpos  moves\t e2e4   e7e5\r\n"), expected);
    }

    #[test]
    fn option_names_and_values_may_hold_blanks() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(command("setoption name  Move   Overhead  value 50 \r"), set("Move Overhead", Some("50")));
        assert_eq!(command("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(command("setoption name Hash value"), set("Hash", Some("")));
        assert_eq!(
            command("setoption name Debug Log File value /tmp/a  value b.log"),
            set("Debug Log File", Some("/tmp/a  value b.log"))
        );
        for bad in ["setoption", "setoption name", "setoption Hash 32", "setoption name value 3"] {
            assert_eq!(parse(bad), Err(CommandError::OptionNameMissing), "{bad}");
        }
    }

    #[test]
    fn positions_end_at_moves() {
        let fen = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let parsed = position(&format!("position fen {fen} moves e2e4 fen"));
        assert_eq!(parsed.setting, Setting::Fen(fen.to_owned()));
        assert_eq!(parsed.moves, ["e2e4", "fen"]);
        assert_eq!(position("position startpos moves").moves, [] as [&str; 0]);
        assert_eq!(position("position fen").setting, Setting::Fen(String::new()));
        assert_eq!(parse("position"), Err(CommandError::PositionMissing));
        assert_eq!(parse("position startpos e2e4"), Err(CommandError::MovesMissing(Quoted::new("e2e4"))));
    }

    #[test]
    fn a_missing_number_does_not_swallow_the_next_keyword() {
        let parsed = go("go wtime btime 5000");
        assert_eq!(parsed.clocks, [None, Some(5000)]);
        assert_eq!(parsed.complaints, [GoComplaint::NumberMissing("wtime".into())]);
        let parsed = go("go depth");
        assert_eq!((parsed.depth, parsed.complaints.len()), (None, 1));
        let parsed = go("go depth x nodes 7");
        assert_eq!((parsed.depth, parsed.nodes, parsed.complaints.len()), (None, Some(7), 2));
    }

    #[test]
    fn keywords_after_searchmoves_count() {
        let parsed = go("go searchmoves a2a3 h2h3 depth 6 searchmoves b2b3 infinite");
        assert_eq!(parsed.search_moves, ["a2a3", "h2h3", "b2b3"]);
        assert_eq!((parsed.depth, parsed.infinite), (Some(6), true));
        assert_eq!(parsed.complaints, []);
        assert_eq!(go("go depth 6 searchmoves").search_moves, [] as [&str; 0]);
    }

    #[test]
    fn odd_numbers_are_kept() {
        assert_eq!(go("go wtime -2 btime 205").clocks, [Some(-2), Some(205)]);
        assert_eq!(go("go wtime 99999999999999999999 btime 1").clocks, [Some(i64::MAX), Some(1)]);
        assert_eq!(go("go mate").mate, None);
        assert_eq!(go("go mate").complaints, []);
        assert_eq!(go("go mate 3 ponder").mate, Some(3));
        assert_eq!(go("go perft 4").perft, Some(4));
        for bad in ["go perft", "go perft x", "go perft -1"] {
            assert_eq!(parse(bad), Err(CommandError::PerftDepth), "{bad}");
        }
        assert_eq!(go("go"), GoCommand::default());
    }

    #[test]
    fn times_have_bounds() {
        assert_eq!(milliseconds(-5), Duration::ZERO);
        assert_eq!(milliseconds(250), Duration::from_millis(250));
        assert!(milliseconds(i64::MAX) > Duration::from_secs(1_000_000_000));
    }

    #[test]
    fn unknown_words_are_named_without_harm() {
        assert_eq!(parse("joho isready"), Err(CommandError::Unknown(Quoted::new("joho"))));
        let message = parse("a\u{1b}b").unwrap_err().to_string();
        assert_eq!(message, "unknown command \"a\\u{1b}b\"; 'help' lists the commands");
        assert!(parse(&"x".repeat(5000)).unwrap_err().to_string().len() < 120);
    }

    proptest! {
        #![proptest_config(crate::seed::fixed(14, 256))]

        #[test]
        fn no_line_panics(line in "((uci|go|position|setoption|name|value|fen|moves|startpos|depth|wtime|searchmoves|\
                                    ponder|bench|debug|[a-h][1-8][a-h][1-8]|-?[0-9]{1,30}|\\PC{0,6})[ \t\r]*){0,12}") {
            match parse(&line) {
                Ok(_) => {}
                Err(error) => prop_assert!(!error.to_string().contains('\n')),
            }
        }

        #[test]
        fn numbers_of_go_come_through_in_any_order(depth: i64, nodes: i64, time: i64, swap: bool) {
            let (first, second) = (format!("depth {depth} wtime {time}"), format!("nodes {nodes}"));
            let line = if swap { format!("go {second} {first}") } else { format!("go {first} {second}") };
            let parsed = go(&line);
            prop_assert_eq!((parsed.depth, parsed.nodes, parsed.clocks[0]), (Some(depth), Some(nodes), Some(time)));
        }
    }
}
