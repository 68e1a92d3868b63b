//! What a GUI says to the engine: one line of text as one value.
//!
//! Nothing here looks at a board: moves stay words until a position is there to read them.

use std::time::Duration;

use thiserror::Error;

use crate::engine::options::parse_integer;
use crate::rules::Quoted;
use crate::types::Square;

/// A line that asks for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Nothing that this engine acts on: courtesies, and answers to its features.
    Ignored,
    /// The features.
    ProtocolVersion,
    /// A game from the start position; the engine has the side that is not to move.
    New,
    /// The rules to play by.
    Variant(String),
    /// Leave.
    Quit,
    /// Watch both sides' moves and play none.
    Force,
    /// Play the side to move.
    Go,
    /// Play the other side.
    PlayOther,
    /// A time control.
    Level(Level),
    /// The time for each move.
    MoveTime(Duration),
    /// The greatest depth, in plies.
    Depth(u32),
    /// What the engine's clock shows.
    Time(Duration),
    /// What the opponent's clock shows.
    OpponentTime(Duration),
    /// A move of the opponent, or of either side where the engine only watches.
    UserMove(String),
    /// Move now.
    MoveNow,
    /// Answer once all before is done; the number comes back.
    Ping(i64),
    /// The opponent offers a draw.
    Draw,
    /// The game is over.
    Result,
    /// Set up a position.
    SetBoard(String),
    /// Name the move that the engine expects.
    Hint,
    /// Take back one half-move.
    Undo,
    /// Take back a move of each side.
    Remove,
    /// Think on the opponent's time, or do not.
    Ponder(bool),
    /// Show the thinking, or do not.
    Post(bool),
    /// Think about every position without playing.
    Analyze,
    /// End that.
    Exit,
    /// Tell how far the analysis is.
    Status,
    /// The opponent is a program too.
    Computer,
    /// The user has taken the man on a square in hand.
    Lift(Square),
    /// Set an option of the engine by its name; the value is `None` of a button.
    SetOption { name: String, value: Option<String> },
}

/// A time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Moves to be made in the time; 0 if it is for the whole game.
    pub moves: u32,
    pub base: Duration,
    pub increment: Duration,
}

/// Why a line is no command, in the words of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    #[error("Error (unknown command): {0}")]
    Unknown(Quoted),
    #[error("Error ({needs}): {line}")]
    Incomplete { needs: &'static str, line: Quoted },
}

/// Reads one line. Blank lines are `None`. A move may stand without the word `usermove`.
///
/// # Errors
/// When the line is no command, or lacks what its command needs.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let line = line.trim_ascii();
    let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
    let rest = rest.trim_ascii();
    let needs = |needs| CommandError::Incomplete { needs, line: Quoted::new(line) };
    let command = match word {
        "" => return Ok(None),
        "xboard" | "accepted" | "rejected" | "random" | "name" | "rating" | "ics" | "bk" | "put" | "hover" => {
            Command::Ignored
        }
        "protover" => Command::ProtocolVersion,
        "new" => Command::New,
        "variant" => Command::Variant(rest.to_owned()),
        "quit" => Command::Quit,
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "level" => Command::Level(level(rest).ok_or_else(|| needs("needs MOVES MINUTES[:SECONDS] INCREMENT"))?),
        "st" => Command::MoveTime(seconds(rest).ok_or_else(|| needs("needs seconds"))?),
        "sd" => Command::Depth(depth(rest).ok_or_else(|| needs("needs plies"))?),
        "time" => Command::Time(centiseconds(rest).ok_or_else(|| needs("needs centiseconds"))?),
        "otim" => Command::OpponentTime(centiseconds(rest).ok_or_else(|| needs("needs centiseconds"))?),
        "usermove" => Command::UserMove(rest.to_owned()),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(parse_integer(rest).ok_or_else(|| needs("needs a number"))?),
        "draw" => Command::Draw,
        "result" => Command::Result,
        "setboard" => Command::SetBoard(rest.to_owned()),
        "hint" => Command::Hint,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "hard" => Command::Ponder(true),
        "easy" => Command::Ponder(false),
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "analyze" => Command::Analyze,
        "exit" => Command::Exit,
        "." => Command::Status,
        "computer" => Command::Computer,
        "lift" => Command::Lift(Square::parse(rest).ok_or_else(|| needs("needs a square"))?),
        "memory" => Command::SetOption { name: "Hash".to_owned(), value: Some(rest.to_owned()) },
        "cores" => Command::SetOption { name: "Threads".to_owned(), value: Some(rest.to_owned()) },
        "option" => option(rest).ok_or_else(|| needs("needs NAME or NAME=VALUE"))?,
        _ if is_coordinates(line) => Command::UserMove(line.to_owned()),
        _ => return Err(CommandError::Unknown(Quoted::new(line))),
    };
    Ok(Some(command))
}

/// `40 5 0`, `0 2:30 12`. What follows the time in its word may say more in a later version of the protocol.
fn level(text: &str) -> Option<Level> {
    let mut words = text.split_ascii_whitespace();
    let moves = words.next()?.parse().ok()?;
    let base = words.next()?;
    let (minutes, rest) = leading_number(base)?;
    let base_seconds = match rest.strip_prefix(':') {
        Some(rest) => leading_number(rest)?.0,
        None => 0,
    };
    let base = Duration::from_secs(minutes.saturating_mul(60).saturating_add(base_seconds).min(LONGEST.as_secs()));
    Some(Level { moves, base, increment: seconds(words.next()?)? })
}

/// The whole number that a text begins with, and the rest.
fn leading_number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// No time is longer than a lifetime.
const LONGEST: Duration = Duration::from_secs(1 << 31);

/// Seconds, whole or not; less than none is none.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok().filter(|seconds: &f64| !seconds.is_nan())?;
    Some(Duration::from_secs_f64(seconds.clamp(0.0, LONGEST.as_secs_f64())))
}

/// Hundredths of a second, as clocks show them; less than none is none.
fn centiseconds(text: &str) -> Option<Duration> {
    let shown = u64::try_from(parse_integer(text)?).unwrap_or(0);
    Some(Duration::from_millis(shown.saturating_mul(10)).min(LONGEST))
}

/// At least one ply.
fn depth(text: &str) -> Option<u32> {
    Some(u32::try_from(parse_integer(text)?.max(1)).unwrap_or(u32::MAX))
}

fn option(text: &str) -> Option<Command> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim_ascii(), Some(value.trim_ascii().to_owned())),
        None => (text, None),
    };
    (!name.is_empty()).then(|| Command::SetOption { name: name.to_owned(), value })
}

/// Two squares and perhaps a letter.
fn is_coordinates(text: &str) -> bool {
    text.is_ascii()
        && (4..=5).contains(&text.len())
        && Square::parse(&text[..2]).is_some()
        && Square::parse(&text[2..4]).is_some()
        && text[4..].bytes().all(|letter| letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn command(line: &str) -> Command {
        parse(line).unwrap().unwrap()
    }

    fn level_of(line: &str) -> (u32, f64, f64) {
        match command(line) {
            Command::Level(level) => (level.moves, level.base.as_secs_f64(), level.increment.as_secs_f64()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn levels_have_minutes_and_seconds() {
        assert_eq!(level_of("level 40 5 0"), (40, 300.0, 0.0));
        assert_eq!(level_of("level 0 2:05 12"), (0, 125.0, 12.0));
        assert_eq!(level_of("level 0 0:10 0.05"), (0, 10.0, 0.05));
        assert_eq!(level_of("level 40 25+5 0"), (40, 1500.0, 0.0));
        assert_eq!(level_of("level 0 9999999999999999999:1 0").1, LONGEST.as_secs_f64());
        for bad in ["level", "level 40", "level 40 5", "level x 5 0", "level 40 :5 0", "level 40 5: 0", "level -1 5 0"]
        {
            assert!(matches!(parse(bad), Err(CommandError::Incomplete { .. })), "{bad}");
        }
    }

    #[test]
    fn numbers_have_bounds() {
        assert_eq!(command("st 30"), Command::MoveTime(Duration::from_secs(30)));
        assert_eq!(command("st 0.1"), Command::MoveTime(Duration::from_millis(100)));
        assert_eq!(command("st -3"), Command::MoveTime(Duration::ZERO));
        assert_eq!(command("st 1e300"), Command::MoveTime(LONGEST));
        assert_eq!(command("time 1234"), Command::Time(Duration::from_millis(12_340)));
        assert_eq!(command("otim -5"), Command::OpponentTime(Duration::ZERO));
        assert_eq!(command("time 99999999999999999999"), Command::Time(LONGEST));
        assert_eq!(command("sd 0"), Command::Depth(1));
        assert_eq!(command("sd 99999999999"), Command::Depth(u32::MAX));
        for bad in [
            "st", "st x", "st nan", "time", "otim 1.5", "sd", "sd x", "ping", "ping x", "option", "option =3",
            "lift x9",
        ] {
            assert!(matches!(parse(bad), Err(CommandError::Incomplete { .. })), "{bad}");
        }
    }

    #[test]
    fn options_have_names_and_perhaps_values() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(command("option Move Overhead=50"), set("Move Overhead", Some("50")));
        assert_eq!(command("option Debug Log File=/tmp/a=b.log"), set("Debug Log File", Some("/tmp/a=b.log")));
        assert_eq!(command("option Clear Hash"), set("Clear Hash", None));
        assert_eq!(command("memory 64"), set("Hash", Some("64")));
        assert_eq!(command("cores 2"), set("Threads", Some("2")));
    }

    #[test]
    fn moves_may_stand_alone() {
        assert_eq!(command(" e2e4 \r\n"), Command::UserMove("e2e4".to_owned()));
        assert_eq!(command("e7e8q"), Command::UserMove("e7e8q".to_owned()));
        assert_eq!(command("usermove e2e4"), Command::UserMove("e2e4".to_owned()));
        assert_eq!(command("usermove"), Command::UserMove(String::new()));
        for bad in ["e2e9", "e2e4qq", "e2e4 e7e5", "e2e41", "éé"] {
            assert!(matches!(parse(bad), Err(CommandError::Unknown(_))), "{bad}");
        }
    }

    #[test]
    fn unknown_words_come_back_in_the_words_of_the_protocol() {
        assert_eq!(parse("edit the board").unwrap_err().to_string(), "Error (unknown command): edit the board");
        assert_eq!(parse("a\u{1b}b").unwrap_err().to_string(), "Error (unknown command): a\\u{1b}b");
        assert_eq!(parse("ping").unwrap_err().to_string(), "Error (needs a number): ping");
        assert!(parse(&"x".repeat(5000)).unwrap_err().to_string().len() < 120);
        assert_eq!(parse(" \t\r\n"), Ok(None));
    }

    proptest! {
        #![proptest_config(crate::seed::fixed(17, 256))]

        #[test]
        fn no_line_panics(line in "((level|st|sd|time|otim|option|ping|usermove|setboard|memory|[a-h][1-8][a-h][1-8]|\
                                    -?[0-9]{1,30}|[0-9]{0,3}:[0-9]{0,3}|=|\\PC{0,6})[ \t\r]*){0,8}") {
            match parse(&line) {
                Ok(_) => {}
                Err(error) => prop_assert!(!error.to_string().contains('\n')),
            }
        }
    }
}
