//! `engine.toml`: the values of the options and of the search parameters, read once at the start.
//!
//! The file is the one named by `--config`, else by the environment variable `ANTIKING_CONFIG`, else `engine.toml` beside
//! the executable, else none. A value in it takes the place of the default; `setoption` and command-line flags come later
//! and win. Unlike `setoption`, the file must be right in every word: nothing is clamped.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::engine::options::{self, OptionType, OptionValue, Options};
use crate::search::{ParameterSpec, Parameters};

/// The environment variable that names a configuration file.
pub const ENVIRONMENT_VARIABLE: &str = "ANTIKING_CONFIG";
/// The name of the file beside the executable.
pub const FILE_NAME: &str = "engine.toml";

const OPTIONS_SECTION: &str = "options";
const SEARCH_SECTION: &str = "search";

/// What a configuration file sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub options: Options,
    pub parameters: Parameters,
}

/// What is wrong with a configuration file.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("{file}: {source}")]
    Unreadable { file: String, source: io::Error },
    #[error("{file}:{line}: {reason}")]
    Syntax { file: String, line: usize, reason: String },
    #[error("{file}:{line}: unknown key '{key}'")]
    UnknownKey { file: String, line: usize, key: String },
    #[error("{file}:{line}: '{key}' is {found}, but must be {expected}")]
    Unfit { file: String, line: usize, key: String, found: String, expected: String },
}

/// The settings of the file that applies, or the defaults where there is none.
///
/// # Errors
/// When the file cannot be read or is wrong in any place.
pub fn load(named: Option<&Path>) -> Result<Settings, ConfigError> {
    match locate(named) {
        None => Ok(Settings::default()),
        Some(path) => {
            let file = path.display().to_string();
            let text =
                fs::read_to_string(&path).map_err(|source| ConfigError::Unreadable { file: file.clone(), source })?;
            parse(&text, &file)
        }
    }
}

/// The file that applies: a file that is named must be there, the one beside the executable need not.
fn locate(named: Option<&Path>) -> Option<PathBuf> {
    if let Some(path) = named {
        return Some(path.to_owned());
    }
    if let Some(path) = env::var_os(ENVIRONMENT_VARIABLE).filter(|path| !path.is_empty()) {
        return Some(PathBuf::from(path));
    }
    let beside = env::current_exe().ok()?.with_file_name(FILE_NAME);
    beside.exists().then_some(beside)
}

/// Reads the text of a configuration file; `file` names it in errors.
///
/// # Errors
/// At the first key or value that does not fit.
pub fn parse(text: &str, file: &str) -> Result<Settings, ConfigError> {
    let source = Source { text, file };
    let document = DeTable::parse(text).map_err(|error| source.syntax(&error))?;
    let mut settings = Settings::default();
    for (section, values) in document.into_inner() {
        let set = match section.get_ref().as_ref() {
            OPTIONS_SECTION => set_option,
            SEARCH_SECTION => set_parameter,
            _ => return Err(source.unknown_key(&section)),
        };
        let Some(keys) = values.get_ref().as_table() else {
            return Err(source.unfit(&section, &values, "a table".to_owned()));
        };
        for (key, value) in keys {
            match set(&mut settings, key.get_ref(), value.get_ref()) {
                Ok(()) => {}
                Err(Fault::Unknown) => return Err(source.unknown_key(key)),
                Err(Fault::Unfit(expected)) => return Err(source.unfit(key, value, expected)),
            }
        }
    }
    Ok(settings)
}

/// What can be wrong with a key and its value.
enum Fault {
    Unknown,
    /// What was expected.
    Unfit(String),
}

fn set_option(settings: &mut Settings, key: &str, value: &DeValue<'_>) -> Result<(), Fault> {
    let spec = options::find(key).filter(|spec| spec.kind != OptionType::Button).ok_or(Fault::Unknown)?;
    let value = match value {
        DeValue::Boolean(switch) => Some(OptionValue::Switch(*switch)),
        DeValue::String(text) => Some(OptionValue::Text(text.to_string())),
        other => integer(other).map(OptionValue::Number),
    };
    let value = value.ok_or_else(|| Fault::Unfit(options::expected(spec.kind)))?;
    settings.options.set_exact(spec, value).map_err(Fault::Unfit)
}

fn set_parameter(settings: &mut Settings, key: &str, value: &DeValue<'_>) -> Result<(), Fault> {
    let spec = Parameters::SPECS.iter().find(|spec| spec.name == key).ok_or(Fault::Unknown)?;
    let parameter = settings.parameters.by_name_mut(key).ok_or(Fault::Unknown)?;
    let number = integer(value).and_then(|number| i32::try_from(number).ok());
    *parameter = number
        .filter(|number| (spec.min..=spec.max).contains(number))
        .ok_or_else(|| Fault::Unfit(options::expected(parameter_type(spec))))?;
    Ok(())
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn parameter_type(spec: &ParameterSpec) -> OptionType {
    OptionType::Spin { min: i64::from(spec.min), max: i64::from(spec.max) }
}

/// The text of a file with its name, for errors that point into it.
#[derive(Clone, Copy)]
struct Source<'a> {
    text: &'a str,
    file: &'a str,
}

impl Source<'_> {
    /// The line, counted from 1, on which the byte at `offset` stands.
    fn line(self, offset: usize) -> usize {
        self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
    }

    fn syntax(self, error: &toml::de::Error) -> ConfigError {
        let line = error.span().map_or(1, |span| self.line(span.start));
        let reason = error.message().lines().collect::<Vec<_>>().join(", ");
        ConfigError::Syntax { file: self.file.to_owned(), line, reason }
    }

    fn unknown_key<K: AsRef<str>>(self, key: &Spanned<K>) -> ConfigError {
        let line = self.line(key.span().start);
        ConfigError::UnknownKey { file: self.file.to_owned(), line, key: key.get_ref().as_ref().to_owned() }
    }

    fn unfit<K: AsRef<str>>(self, key: &Spanned<K>, value: &Spanned<DeValue<'_>>, expected: String) -> ConfigError {
        ConfigError::Unfit {
            file: self.file.to_owned(),
            line: self.line(key.span().start),
            key: key.get_ref().as_ref().to_owned(),
            found: self.text[value.span()].to_owned(),
            expected,
        }
    }
}

/// The text of a configuration file that holds every setting at its default, each with its documentation.
pub fn template() -> String {
    let mut text = format!(
        "# Settings of the engine. Read from the file that --config names, else from the one that {ENVIRONMENT_VARIABLE}\n\
         # names, else from {FILE_NAME} beside the executable. Every line may be left out; the values here are the defaults.\n\
         \n[{OPTIONS_SECTION}]\n"
    );
    let defaults = Options::default();
    for spec in options::TABLE.iter().filter(|spec| spec.kind != OptionType::Button) {
        let value = match spec.value(&defaults) {
            OptionValue::Text(text) => format!("{text:?}"),
            other => other.to_string(),
        };
        text.push_str(&entry(spec.name, spec.doc, &options::expected(spec.kind), &value));
    }
    text.push_str(&format!("\n# Numbers of the search, for tuning.\n[{SEARCH_SECTION}]\n"));
    for spec in Parameters::SPECS {
        let expected = format!("{}; a step is {}", options::expected(parameter_type(spec)), spec.step);
        text.push_str(&entry(spec.name, spec.doc, &expected, &spec.default.to_string()));
    }
    text
}

/// A key with its value, and comments before it.
fn entry(name: &str, doc: &str, expected: &str, value: &str) -> String {
    let doc: String = doc.lines().map(|line| format!("# {}\n", line.trim())).collect();
    let key = if name.contains(' ') { format!("{name:?}") } else { name.to_owned() };
    format!("\n{doc}# Must be {expected}.\n{key} = {value}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text, "engine.toml").unwrap_err().to_string()
    }

    #[test]
    fn values_take_the_place_of_defaults() {
        let text =
            "# mine\n[options]\nHash = 64\n\"Move Overhead\" = 1_000\nPonder = true\n\"Debug Log File\" = 'a b.log'\n";
        let options = parse(text, "engine.toml").unwrap().options;
        assert_eq!((options.hash, options.move_overhead, options.ponder), (64, 1000, true));
        assert_eq!(options.debug_log_file, "a b.log");
        assert_eq!(options.threads, Options::default().threads);
        assert_eq!(parse("", "engine.toml").unwrap(), Settings::default());
        let tuned = parse("[search]\nrazoring_depth = 2\n", "engine.toml").unwrap();
        let parameters = Parameters { razoring_depth: 2, ..Parameters::default() };
        assert_eq!(tuned, Settings { parameters, ..Settings::default() });
    }

    #[test]
    fn errors_name_file_line_and_key() {
        assert_eq!(error("[options]\n\nHsah = 1"), "engine.toml:3: unknown key 'Hsah'");
        assert_eq!(error("[option]\nHash = 1"), "engine.toml:1: unknown key 'option'");
        assert_eq!(error("Hash = 1"), "engine.toml:1: unknown key 'Hash'");
        assert_eq!(error("options = 1"), "engine.toml:1: 'options' is 1, but must be a table");
        assert_eq!(error("[search]\nno_such = 1"), "engine.toml:2: unknown key 'no_such'");
        assert_eq!(
            error("[search]\nrazoring_depth = 9999999999"),
            "engine.toml:2: 'razoring_depth' is 9999999999, but must be a whole number from 0 to 6"
        );
        assert_eq!(error("[options]\n\"Clear Hash\" = true"), "engine.toml:2: unknown key 'Clear Hash'");
        assert_eq!(
            error("[options]\nThreads = 2\nHash = 0"),
            "engine.toml:3: 'Hash' is 0, but must be a whole number from 1 to 65536"
        );
        assert_eq!(error("[options]\nPonder = 'yes'"), "engine.toml:2: 'Ponder' is 'yes', but must be true or false");
        assert_eq!(
            error("[options]\nUCI_Variant = \"chess\""),
            "engine.toml:2: 'UCI_Variant' is \"chess\", but must be one of: anti-king-2"
        );
        for wrong in ["16.0", "\"16\"", "[16]", "{}", "99999999999999999999", "1979-05-27"] {
            let message = error(&format!("[options]\nHash = {wrong}"));
            assert_eq!(
                message,
                format!("engine.toml:2: 'Hash' is {wrong}, but must be a whole number from 1 to 65536")
            );
        }
    }

    #[test]
    fn syntax_errors_name_the_line() {
        for text in ["[options]\nHash = ", "[options]\nHash 3\n", "[options]\nHash = 1\nHash = 2\n"] {
            let message = error(text);
            assert!(message.starts_with("engine.toml:2: ") || message.starts_with("engine.toml:3: "), "{message}");
            assert!(!message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn the_template_holds_the_defaults() {
        assert_eq!(parse(&template(), "engine.toml").unwrap(), Settings::default());
    }

    #[test]
    fn the_file_at_the_top_level_is_the_template() {
        let file = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/engine.toml")).unwrap();
        assert_eq!(file, template(), "write it anew with `antiking options > engine.toml`");
    }
}
