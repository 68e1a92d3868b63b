//! Lists of `key=value` words, the way match runners take the settings of engines, openings and tests.

use std::str::FromStr;

use thiserror::Error;

/// What is wrong with a list of keys; the message names the flag and the key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    #[error("{flag}: '{word}' is not of the form key=value")]
    NotAPair { flag: String, word: String },
    #[error("{flag}: unknown key '{key}' (known: {known})")]
    Unknown { flag: String, key: String, known: String },
    #[error("{flag}: key '{key}' is given twice")]
    Twice { flag: String, key: String },
    #[error("{flag}: key '{key}' is missing")]
    Missing { flag: String, key: String },
    #[error("{flag}: {key}={value} is not {expected}")]
    Value { flag: String, key: String, value: String, expected: String },
}

impl KeyError {
    /// A value that is not what the key expects.
    pub fn value(flag: &str, key: &str, value: &str, expected: &str) -> KeyError {
        KeyError::Value { flag: flag.into(), key: key.into(), value: value.into(), expected: expected.into() }
    }
}

/// The keys of one flag that are not read yet.
#[derive(Clone, Debug)]
pub struct KeyValues {
    flag: String,
    pairs: Vec<(String, String)>,
}

impl KeyValues {
    /// Splits the words of `flag` at their first `=`.
    pub fn parse(flag: &str, words: &[String]) -> Result<KeyValues, KeyError> {
        KeyValues::parse_with_switches(flag, words, &[])
    }

    /// The same with words that may also stand alone, which switches them on.
    pub fn parse_with_switches(flag: &str, words: &[String], switches: &[&str]) -> Result<KeyValues, KeyError> {
        let pair = |word: &String| match word.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok((key.to_string(), value.to_string())),
            None if switches.contains(&word.as_str()) => Ok((word.clone(), "on".to_string())),
            _ => Err(KeyError::NotAPair { flag: flag.into(), word: word.clone() }),
        };
        Ok(KeyValues { flag: flag.into(), pairs: words.iter().map(pair).collect::<Result<_, _>>()? })
    }

    /// The text of a key, `None` when it is not given.
    pub fn take_text(&mut self, key: &str) -> Result<Option<String>, KeyError> {
        let mut values = self.take_all(|name| (name == key).then(String::new));
        match values.len() {
            0 | 1 => Ok(values.pop().map(|(_, value)| value)),
            _ => Err(KeyError::Twice { flag: self.flag.clone(), key: key.into() }),
        }
    }

    /// The value of a key; `expected` says in an error what it should have been.
    pub fn take<T: FromStr>(&mut self, key: &str, expected: &str) -> Result<Option<T>, KeyError> {
        self.take_where(key, expected, |_| true)
    }

    /// The value of a key that must also be acceptable.
    pub fn take_where<T: FromStr>(
        &mut self,
        key: &str,
        expected: &str,
        acceptable: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, KeyError> {
        let Some(text) = self.take_text(key)? else { return Ok(None) };
        match text.parse() {
            Ok(value) if acceptable(&value) => Ok(Some(value)),
            _ => Err(KeyError::value(&self.flag, key, &text, expected)),
        }
    }

    /// The value of a key that must be given and acceptable.
    pub fn require_where<T: FromStr>(
        &mut self,
        key: &str,
        expected: &str,
        acceptable: impl Fn(&T) -> bool,
    ) -> Result<T, KeyError> {
        let missing = KeyError::Missing { flag: self.flag.clone(), key: key.into() };
        self.take_where(key, expected, acceptable)?.ok_or(missing)
    }

    /// All pairs whose key `name` maps to something, with what it maps to, in the order given.
    pub fn take_all<T>(&mut self, name: impl Fn(&str) -> Option<T>) -> Vec<(T, String)> {
        let mut taken = Vec::new();
        self.pairs.retain(|(key, value)| match name(key) {
            Some(mapped) => {
                taken.push((mapped, value.clone()));
                false
            }
            None => true,
        });
        taken
    }

    /// Fails when a key is left that nobody has read.
    pub fn finish(self, known: &str) -> Result<(), KeyError> {
        match self.pairs.into_iter().next() {
            Some((key, _)) => Err(KeyError::Unknown { flag: self.flag, key, known: known.into() }),
            None => Ok(()),
        }
    }
}

/// `true`, `on`, `yes`, `1` or their opposites, as runners differ in what they write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(pub bool);

impl FromStr for Switch {
    type Err = ();

    fn from_str(text: &str) -> Result<Switch, ()> {
        match text {
            "true" | "on" | "yes" | "1" => Ok(Switch(true)),
            "false" | "off" | "no" | "0" => Ok(Switch(false)),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(words: &[&str]) -> Result<KeyValues, KeyError> {
        KeyValues::parse("--engine", &words.iter().map(|word| word.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn values_keep_blanks_and_further_equal_signs() {
        let mut keys = keys(&["option.Move Overhead=50", "args=--set a=b", "name="]).unwrap();
        let options = keys.take_all(|key| key.strip_prefix("option.").map(String::from));
        assert_eq!(options, [("Move Overhead".to_string(), "50".to_string())]);
        assert_eq!(keys.take_text("args"), Ok(Some("--set a=b".into())));
        assert_eq!(keys.take_text("name"), Ok(Some(String::new())));
        assert_eq!(keys.finish(""), Ok(()));
    }

    #[test]
    fn errors_name_flag_and_key() {
        assert_eq!(keys(&["nodes"]).unwrap_err().to_string(), "--engine: 'nodes' is not of the form key=value");
        assert_eq!(keys(&["=3"]).unwrap_err().to_string(), "--engine: '=3' is not of the form key=value");
        let mut twice = keys(&["nodes=1", "nodes=2"]).unwrap();
        assert_eq!(twice.take::<u64>("nodes", "").unwrap_err().to_string(), "--engine: key 'nodes' is given twice");
        let mut bad = keys(&["nodes=-1"]).unwrap();
        let message = bad.take::<u64>("nodes", "a positive whole number").unwrap_err().to_string();
        assert_eq!(message, "--engine: nodes=-1 is not a positive whole number");
        let message = keys(&["nods=1"]).unwrap().finish("nodes, tc").unwrap_err().to_string();
        assert_eq!(message, "--engine: unknown key 'nods' (known: nodes, tc)");
        let message = keys(&[]).unwrap().require_where::<f64>("elo0", "", |_| true).unwrap_err().to_string();
        assert_eq!(message, "--engine: key 'elo0' is missing");
    }
}
