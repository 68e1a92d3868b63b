//! Where the games of a match go and in which words: `--pgnout`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::key_values::{KeyError, KeyValues, Switch};
use crate::pgn::MoveNotation;

/// How a game is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PgnStyle {
    #[serde(rename = "pgnout.notation")]
    pub notation: MoveNotation,
    /// Without comments, and of the tags only those that the standard or the position asks for.
    #[serde(rename = "pgnout.min")]
    pub minimal: bool,
}

/// A file for the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnSettings {
    pub file: PathBuf,
    /// Whether what the file holds already stays.
    pub append: bool,
    pub style: PgnStyle,
}

impl PgnSettings {
    /// Reads `FILE [min] [fi]` or `file=FILE [append=] [min=] [notation=san|lan|uci]`. A match keeps finished games only, so that `fi`,
    /// which asks for that, changes nothing.
    ///
    /// # Errors
    /// When a key is unknown, given twice or has a wrong value, or no file is named.
    pub fn parse(words: &[String]) -> Result<PgnSettings, KeyError> {
        const KEYS: [&str; 5] = ["file", "append", "min", "fi", "notation"];
        let is_key = |word: &str| word.split_once('=').is_some_and(|(key, _)| KEYS.contains(&key));
        let as_pair = |(index, word): (usize, &String)| match word.as_str() {
            word if index > 0 || is_key(word) => word.into(),
            file => format!("file={file}"),
        };
        let pairs: Vec<String> = words.iter().enumerate().map(as_pair).collect();
        let mut keys = KeyValues::parse_with_switches("--pgnout", &pairs, &["min", "fi"])?;
        let mut switch = |key: &str| Ok(keys.take::<Switch>(key, "on or off")?.map(|switch| switch.0));
        let (append, minimal) = (switch("append")?.unwrap_or(true), switch("min")?.unwrap_or(false));
        switch("fi")?;
        let settings = PgnSettings {
            file: keys.require_where("file", "a file", |file: &PathBuf| !file.as_os_str().is_empty())?,
            append,
            style: PgnStyle { notation: keys.take("notation", "san, lan or uci")?.unwrap_or_default(), minimal },
        };
        keys.finish(&KEYS.join(", ")).map(|()| settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PgnSettings, String> {
        let words: Vec<String> = text.split(' ').map(String::from).collect();
        PgnSettings::parse(&words).map_err(|error| error.to_string())
    }

    #[test]
    fn both_habits_are_understood() {
        let plain = PgnSettings { file: "games.pgn".into(), append: true, style: PgnStyle::default() };
        assert_eq!(parse("games.pgn"), Ok(plain.clone()));
        assert_eq!(parse("file=games.pgn append=true notation=san"), Ok(plain.clone()));
        assert_eq!(parse("games.pgn fi"), Ok(plain.clone()));
        let minimal = PgnStyle { minimal: true, notation: MoveNotation::Uci };
        let fresh = PgnSettings { append: false, style: minimal, ..plain.clone() };
        assert_eq!(parse("games.pgn min notation=uci append=false"), Ok(fresh.clone()));
        assert_eq!(parse("file=games.pgn min=true notation=uci append=off"), Ok(fresh));
        assert_eq!(parse("a=b").unwrap().file, PathBuf::from("a=b"));
        assert_eq!(parse("min").unwrap().file, PathBuf::from("min"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(parse("games.pgn notation=xyz").unwrap_err().contains("notation=xyz is not san, lan or uci"));
        assert!(parse("games.pgn mni").unwrap_err().contains("'mni'"));
        assert!(parse("games.pgn pgn=x").unwrap_err().contains("unknown key 'pgn'"));
        assert!(parse("notation=uci").unwrap_err().contains("key 'file' is missing"));
        assert!(parse("games.pgn file=b").unwrap_err().contains("'file' is given twice"));
        assert!(parse("file=").unwrap_err().contains("file= is not a file"));
    }
}
