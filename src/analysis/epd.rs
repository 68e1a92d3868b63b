//! A line of a file of positions: EPD or FEN with its operations.

use thiserror::Error;

use super::position_text::{self, GameInWords, WordsError};
use super::suite::Goals;
use crate::rules::{FenError, Game, MoveError, ParsedFen, Position, Repair, epd_operations, parse_fen, parse_move};
use crate::types::Move;

/// A position of a file.
#[derive(Clone, Debug)]
pub struct Epd {
    pub game: Game,
    /// What had to be mended in the position.
    pub repairs: Vec<Repair>,
    /// The operation `id`.
    pub id: Option<String>,
    /// The operations `bm`, `am` and `dm`.
    pub goals: Goals,
}

/// Why a line is no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpdError {
    #[error(transparent)]
    Words(#[from] WordsError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("{opcode}: {error}")]
    Move { opcode: &'static str, error: MoveError },
    #[error("{0} names no move")]
    NoMove(&'static str),
    #[error("{0} is given more than once")]
    Repeated(&'static str),
    #[error("dm {0:?} is not a number of moves from 1")]
    MateDistance(String),
}

/// Reads a line: an EPD, a FEN with or without operations behind it, or `startpos`; behind the position the word `moves`
/// with moves may stand in place of the operations. The moves are read as [`parse_move`] does; those of several `bm` count
/// together, as do those of several `am`.
///
/// # Errors
/// When the position or an operation that counts is not good.
pub fn parse(line: &str) -> Result<Epd, EpdError> {
    let before_operations = line.split([';', '"']).next().unwrap_or_default();
    let words: Vec<&str> = before_operations.split_whitespace().collect();
    let is_in_words = matches!(words.first(), Some(&("startpos" | "fen")));
    if is_in_words || words.iter().position(|word| *word == "moves").is_some_and(|at| is_position(&words[..at])) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let GameInWords { game, repairs, .. } = position_text::parse(&words)?;
        return Ok(Epd { game, repairs, id: None, goals: Goals::default() });
    }
    let (fields, operations) = split_position(line);
    let operations = epd_operations(operations);
    let counters = (operand_text(&operations, "hmvc")?, operand_text(&operations, "fmvn")?);
    let ParsedFen { position, repairs } = parse_fen(&with_counters(fields, counters))?;
    let goals = read_goals(&position, &operations)?;
    let id = operand_text(&operations, "id")?.map(unquoted);
    Ok(Epd { game: Game::new(position), repairs, id, goals })
}

/// True of four fields or fewer, or with the counters of a FEN behind four.
fn is_position(fields: &[&str]) -> bool {
    fields.len() <= 6 && fields.iter().skip(4).all(|field| is_number(field))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The fields of a position with the counters that operations give in place of its own; what is no number gives none.
fn with_counters(fields: &str, (clock, number): (Option<&str>, Option<&str>)) -> String {
    let mut fields: Vec<&str> = fields.split_whitespace().collect();
    if fields.len() >= 4 && (clock, number) != (None, None) {
        fields.extend(["0", "1"].into_iter().skip(fields.len() - 4));
        fields[4] = clock.filter(|text| is_number(text)).unwrap_or(fields[4]);
        fields[5] = number.filter(|text| is_number(text)).unwrap_or(fields[5]);
    }
    fields.join(" ")
}

/// Cuts a line behind the four fields of an EPD, or behind the six of a FEN.
fn split_position(line: &str) -> (&str, &str) {
    let mut ends = Vec::new();
    let mut is_in_word = false;
    for (at, letter) in line.char_indices() {
        let blank = letter.is_whitespace();
        if is_in_word && (blank || letter == ';') {
            ends.push(at);
        }
        is_in_word = !blank && letter != ';';
        if ends.len() == 6 || letter == ';' {
            break;
        }
    }
    if is_in_word && ends.len() < 6 {
        ends.push(line.len());
    }
    let word = |index: usize| &line[ends[index - 1]..ends[index]];
    let fields = match ends.len() {
        6 if is_number(word(4).trim()) && is_number(word(5).trim()) => 6,
        count => count.min(4),
    };
    line.split_at(fields.checked_sub(1).map_or(0, |last| ends[last]))
}

/// The operands of an operation that may be given once.
fn operand_text<'a>(operations: &[(&str, &'a str)], wanted: &'static str) -> Result<Option<&'a str>, EpdError> {
    let mut given = operations.iter().filter(|(opcode, _)| *opcode == wanted).map(|(_, operands)| *operands);
    match (given.next(), given.next()) {
        (operands, None) => Ok(operands),
        (_, Some(_)) => Err(EpdError::Repeated(wanted)),
    }
}

fn unquoted(text: &str) -> String {
    text.trim_matches('"').to_owned()
}

fn read_goals(position: &Position, operations: &[(&str, &str)]) -> Result<Goals, EpdError> {
    let mate_in = operand_text(operations, "dm")?.map(|text| match text.parse() {
        Ok(moves) if moves > 0 => Ok(moves),
        _ => Err(EpdError::MateDistance(text.to_owned())),
    });
    Ok(Goals {
        best: read_moves(position, operations, "bm")?,
        avoid: read_moves(position, operations, "am")?,
        mate_in: mate_in.transpose()?,
    })
}

fn read_moves(position: &Position, operations: &[(&str, &str)], opcode: &'static str) -> Result<Vec<Move>, EpdError> {
    let mut moves = Vec::new();
    for (_, operands) in operations.iter().filter(|(given, _)| *given == opcode) {
        let texts: Vec<&str> = operands.split([' ', '\t', ',']).filter(|text| !text.is_empty()).collect();
        if texts.is_empty() {
            return Err(EpdError::NoMove(opcode));
        }
        for text in texts {
            moves.push(parse_move(position, text).map_err(|error| EpdError::Move { opcode, error })?);
        }
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOARD: &str = "7n/1R6/1a4A1/8/K1k5/8/N7/8 w - -";

    fn goals(line: &str) -> (Vec<String>, Vec<String>, Option<u32>) {
        let text = |moves: &[Move]| moves.iter().map(ToString::to_string).collect();
        let goals = parse(line).unwrap().goals;
        (text(&goals.best), text(&goals.avoid), goals.mate_in)
    }

    #[test]
    fn operations_are_read_behind_four_fields_and_behind_six() {
        for counters in ["", " 0 1"] {
            let line = format!("{BOARD}{counters} ;dm 2 ;kind anti ;bm b7d7 Rc7+; am Ka5; id \"a; b\";");
            assert_eq!(goals(&line), (vec!["b7d7".into(), "b7c7".into()], vec!["a4a5".into()], Some(2)));
            assert_eq!(parse(&line).unwrap().id.as_deref(), Some("a; b"));
        }
        let counted = parse(&format!("{BOARD} hmvc 7; fmvn 30; id \"x\";")).unwrap();
        assert_eq!(counted.game.position().fen(), format!("{BOARD} 7 30"));
        let fen = parse(&format!("{BOARD} 3 9")).unwrap();
        assert_eq!((fen.game.position().fen(), fen.goals.is_empty()), (format!("{BOARD} 3 9"), true));
        assert_eq!(parse(BOARD).unwrap().game.position().fen(), format!("{BOARD} 0 1"));
        let played = parse("startpos moves e4 e7e5").unwrap();
        assert_eq!(played.game.moves().len(), 2);
    }

    #[test]
    fn the_word_moves_counts_only_behind_the_position() {
        for line in [format!("{BOARD} pv moves;"), format!("{BOARD} 0 1 pv moves;"), format!("{BOARD} c0 \"moves\";")] {
            assert_eq!(parse(&line).unwrap().game.moves().len(), 0, "{line}");
        }
        for fields in
            [BOARD.to_owned(), format!("{BOARD} 0 1"), format!("{BOARD} 3"), "7n/1R6/1a4A1/8/K1k5/8/N7/8".into()]
        {
            assert_eq!(parse(&format!("{fields} moves Rd7+ Ab7")).unwrap().game.moves().len(), 2, "{fields}");
        }
    }

    #[test]
    fn operations_may_mend_the_counters_of_a_fen() {
        for (given, fen) in
            [(" 3 9 hmvc 7;", " 7 9"), (" 3 9 ;fmvn 30;", " 3 30"), (" 3 9 hmvc x;", " 3 9"), (" fmvn 4;", " 0 4")]
        {
            let line = format!("{BOARD}{given} id \"x\";");
            assert_eq!(parse(&line).unwrap().game.position().fen(), format!("{BOARD}{fen}"), "{line}");
        }
    }

    #[test]
    fn operations_that_are_repeated_are_joined_or_refused() {
        let line = format!("{BOARD} bm b7d7; am Ka5; bm Rh7+;");
        assert_eq!(goals(&line), (vec!["b7d7".into(), "b7h7".into()], vec!["a4a5".into()], None));
        for line in [format!("{BOARD} dm 2; dm 3;"), format!("{BOARD} id \"a\"; id \"b\";")] {
            assert!(parse(&line).unwrap_err().to_string().ends_with(" is given more than once"), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, reason) in [
            ("8/8 w - -", "the board has 2 rows"),
            (&format!("{BOARD} bm Qh5;"), "bm: \"Qh5\" is not a legal move"),
            (&format!("{BOARD} am ;"), "am names no move"),
            (&format!("{BOARD} bm Rd7; bm;"), "bm names no move"),
            (&format!("{BOARD} dm 0;"), "dm \"0\" is not a number"),
            ("startpos moves e5", "move 1: "),
            ("", "empty"),
        ] {
            let message = parse(line).unwrap_err().to_string();
            assert!(message.contains(reason), "{line}: {message}");
        }
    }

    proptest! {
        #![proptest_config(crate::seed::fixed(16, 256))]

        #[test]
        fn no_line_makes_it_fail(line in r#"(startpos|moves| |;|"|bm|dm|é|[0-9]|/|[a-hKQ]|- )*"#) {
            let _ = parse(&line);
            let _ = parse(&format!("{BOARD} {line}"));
        }
    }
}
