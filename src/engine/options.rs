//! The options of the engine: a typed value for each, and one table that declares them.
//!
//! A row of the table is all that an option needs: the UCI `option` line, `setoption`, `engine.toml` and the defaults
//! are read from it.

use std::fmt;

use thiserror::Error;

use crate::rules::VARIANT;

/// What kind of value an option takes, in the words of the UCI protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// A whole number from `min` to `max`, both included.
    Spin { min: i64, max: i64 },
    /// True or false.
    Check,
    /// One of these words.
    Combo { values: &'static [&'static str] },
    /// Any text; empty means none.
    Text,
    /// No value: setting the option is the act.
    Button,
}

/// A value of an option, as the table, `engine.toml` and the `option` line see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    Number(i64),
    Switch(bool),
    Text(String),
    /// The value of a button.
    None,
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Number(number) => number.fmt(f),
            OptionValue::Switch(switch) => switch.fmt(f),
            OptionValue::Text(text) => text.fmt(f),
            OptionValue::None => Ok(()),
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct OptionSpec {
    pub id: OptionId,
    /// The name in `setoption`, matched without case.
    pub name: &'static str,
    pub kind: OptionType,
    /// Lines of documentation, each ended by a newline.
    pub doc: &'static str,
    get: fn(&Options) -> OptionValue,
    put: fn(&mut Options, OptionValue),
}

impl OptionSpec {
    /// The value of this option in `options`.
    pub fn value(&self, options: &Options) -> OptionValue {
        (self.get)(options)
    }
}

/// A button has nothing to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Button;

/// The variants that the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    AntiKing2,
}

impl Variant {
    /// The names in the order of the enum.
    const NAMES: &[&str] = &[VARIANT];

    /// The UCI name.
    pub const fn name(self) -> &'static str {
        Variant::NAMES[self as usize]
    }
}

/// A field of [`Options`]. The table hands `put` only values that the option's type allows.
trait Field {
    fn get(&self) -> OptionValue;
    fn put(&mut self, value: OptionValue);
}

impl Field for u32 {
    fn get(&self) -> OptionValue {
        OptionValue::Number(i64::from(*self))
    }

    fn put(&mut self, value: OptionValue) {
        if let OptionValue::Number(number) = value {
            *self = u32::try_from(number).unwrap_or(*self);
        }
    }
}

impl Field for bool {
    fn get(&self) -> OptionValue {
        OptionValue::Switch(*self)
    }

    fn put(&mut self, value: OptionValue) {
        if let OptionValue::Switch(switch) = value {
            *self = switch;
        }
    }
}

impl Field for String {
    fn get(&self) -> OptionValue {
        OptionValue::Text(self.clone())
    }

    fn put(&mut self, value: OptionValue) {
        if let OptionValue::Text(text) = value {
            *self = text;
        }
    }
}

impl Field for Variant {
    fn get(&self) -> OptionValue {
        OptionValue::Text(self.name().to_owned())
    }

    fn put(&mut self, value: OptionValue) {
        if value == Variant::AntiKing2.get() {
            *self = Variant::AntiKing2;
        }
    }
}

impl Field for Button {
    fn get(&self) -> OptionValue {
        OptionValue::None
    }

    fn put(&mut self, _: OptionValue) {}
}

macro_rules! options {
    ($($(#[doc = $doc:literal])+ $id:ident $name:literal, $field:ident: $type:ty = $default:expr, $kind:expr;)+) => {
        /// The options of one engine. Documentation, names and ranges stand in [`TABLE`].
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl Default for Options {
            fn default() -> Options {
                Options { $($field: $default,)+ }
            }
        }

        /// Names an option in code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum OptionId {
            $($(#[doc = $doc])+ $id,)+
        }

        /// Every option, in the order in which it is printed.
        pub static TABLE: &[OptionSpec] = &[
            $(OptionSpec {
                id: OptionId::$id,
                name: $name,
                kind: $kind,
                doc: concat!($($doc, "\n"),+),
                get: |options| options.$field.get(),
                put: |options, value| options.$field.put(value),
            },)+
        ];
    };
}

options! {
    /// Size of the transposition table in megabytes (1048576 bytes).
    Hash "Hash", hash: u32 = 16, OptionType::Spin { min: 1, max: 65_536 };

    /// Number of search threads.
    Threads "Threads", threads: u32 = 1, OptionType::Spin { min: 1, max: 512 };

    /// Number of best lines to search and print.
    MultiPv "MultiPV", multi_pv: u32 = 1, OptionType::Spin { min: 1, max: 500 };

    /// Tells the engine that the game is played with thinking on the opponent's time.
    Ponder "Ponder", ponder: bool = false, OptionType::Check;

    /// Milliseconds kept back on every move for the way between engine and clock.
    MoveOverhead "Move Overhead", move_overhead: u32 = 10, OptionType::Spin { min: 0, max: 5_000 };

    /// Empties the transposition table and the move-ordering histories.
    ClearHash "Clear Hash", clear_hash: Button = Button, OptionType::Button;

    /// The rules of the game. There is one set.
    UciVariant "UCI_Variant", variant: Variant = Variant::AntiKing2, OptionType::Combo { values: Variant::NAMES };

    /// Accepted because analysis programs send it; has no effect.
    UciAnalyseMode "UCI_AnalyseMode", analyse_mode: bool = false, OptionType::Check;

    /// Adds the chances of win, draw and loss, in permille, to every score.
    UciShowWdl "UCI_ShowWDL", show_wdl: bool = false, OptionType::Check;

    /// A file with the network to evaluate with; empty for the one that is built in.
    EvalFile "EvalFile", eval_file: String = String::new(), OptionType::Text;

    /// A file to which every line read (>>) and written (<<) is added; empty for none.
    DebugLogFile "Debug Log File", debug_log_file: String = String::new(), OptionType::Text;
}

/// Why an option was not set. The old value is kept.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("an option name is missing")]
    MissingName,
    #[error("unknown option '{0}'")]
    Unknown(String),
    #[error("option {name} needs a value; it stays {kept}")]
    MissingValue { name: &'static str, kept: OptionValue },
    #[error("option {name}: '{value}' is not {expected}; it stays {kept}")]
    Unfit { name: &'static str, value: String, expected: String, kept: OptionValue },
    /// The option was understood, but its effect failed, such as memory that is not to be had.
    #[error("option {name}: {reason}; it stays {kept}")]
    Failed { name: &'static str, reason: String, kept: OptionValue },
}

/// What setting an option did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    pub id: OptionId,
    /// The name as the table writes it.
    pub name: &'static str,
    /// The value that now holds.
    pub value: OptionValue,
    /// The text asked for, when it lay outside the range and was clamped.
    pub clamped_from: Option<String>,
}

impl fmt::Display for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.clamped_from, &self.value) {
            (Some(asked), value) => write!(f, "option {}: {asked} is out of range, using {value}", self.name),
            (None, OptionValue::None) => write!(f, "option {} done", self.name),
            (None, value) => write!(f, "option {} is {value}", self.name),
        }
    }
}

/// The row of an option.
pub fn spec(id: OptionId) -> &'static OptionSpec {
    // The table is written in the order of the enum.
    &TABLE[id as usize]
}

/// The row of the option with this name; case does not matter.
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    TABLE.iter().find(|spec| spec.name.eq_ignore_ascii_case(name))
}

impl Options {
    /// Sets the option called `name` as `setoption` does: numbers outside the range are clamped.
    ///
    /// `value` is `None` where the command had no value at all.
    ///
    /// # Errors
    /// When there is no such option or the value does not fit its type; nothing is changed then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Applied, OptionError> {
        if name.is_empty() {
            return Err(OptionError::MissingName);
        }
        let spec = find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let (value, clamped_from) = self.read(spec, value)?;
        (spec.put)(self, value.clone());
        Ok(Applied { id: spec.id, name: spec.name, value, clamped_from })
    }

    /// Sets an option to a value that must have its type and lie in its range, as `engine.toml` asks.
    ///
    /// # Errors
    /// The text of what the option expects.
    pub fn set_exact(&mut self, spec: &OptionSpec, value: OptionValue) -> Result<(), String> {
        let fits = match (&value, spec.kind) {
            (OptionValue::Number(number), OptionType::Spin { min, max }) => (min..=max).contains(number),
            (OptionValue::Text(text), OptionType::Combo { values }) => values.contains(&text.as_str()),
            (OptionValue::Switch(_), OptionType::Check) | (OptionValue::Text(_), OptionType::Text) => true,
            _ => false,
        };
        if !fits {
            return Err(expected(spec.kind));
        }
        (spec.put)(self, value);
        Ok(())
    }

    /// The text of a value as a value of the option's type; beside it the text again, if the value was clamped.
    fn read(&self, spec: &OptionSpec, text: Option<&str>) -> Result<(OptionValue, Option<String>), OptionError> {
        let kept = || spec.value(self);
        let text = match (spec.kind, text) {
            (OptionType::Button, _) => return Ok((OptionValue::None, None)),
            (OptionType::Text, Some(text)) => {
                let text = if text.eq_ignore_ascii_case("<empty>") { "" } else { text };
                return Ok((OptionValue::Text(text.to_owned()), None));
            }
            (_, Some(text)) if !text.is_empty() => text,
            _ => return Err(OptionError::MissingValue { name: spec.name, kept: kept() }),
        };
        let value = match spec.kind {
            OptionType::Spin { min, max } => parse_integer(text).map(|number| {
                let clamped = number.clamp(min, max);
                (OptionValue::Number(clamped), (clamped != number).then(|| text.to_owned()))
            }),
            OptionType::Check => parse_switch(text).map(|switch| (OptionValue::Switch(switch), None)),
            OptionType::Combo { values } => values
                .iter()
                .find(|value| value.eq_ignore_ascii_case(text))
                .map(|value| (OptionValue::Text((*value).to_owned()), None)),
            OptionType::Text | OptionType::Button => None,
        };
        value.ok_or_else(|| OptionError::Unfit {
            name: spec.name,
            value: text.to_owned(),
            expected: expected(spec.kind),
            kept: kept(),
        })
    }
}

/// What a value of this type looks like, for messages.
pub fn expected(kind: OptionType) -> String {
    match kind {
        OptionType::Spin { min, max } => format!("a whole number from {min} to {max}"),
        OptionType::Check => "true or false".to_owned(),
        OptionType::Combo { values } => format!("one of: {}", values.join(", ")),
        OptionType::Text => "a text".to_owned(),
        OptionType::Button => "set by a value".to_owned(),
    }
}

/// Reads a decimal whole number; one too large for 64 bits becomes the nearest that fits.
pub fn parse_integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}

fn parse_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// As the UCI protocol declares an option: `option name Hash type spin default 16 min 1 max 65536`, the default being
/// the value that `options` holds.
pub fn declaration(spec: &OptionSpec, options: &Options) -> String {
    let value = spec.value(options);
    let tail = match spec.kind {
        OptionType::Spin { min, max } => format!("spin default {value} min {min} max {max}"),
        OptionType::Check => format!("check default {value}"),
        OptionType::Combo { values } => format!("combo default {value} var {}", values.join(" var ")),
        OptionType::Text if value == OptionValue::Text(String::new()) => "string default <empty>".to_owned(),
        OptionType::Text => format!("string default {value}"),
        OptionType::Button => "button".to_owned(),
    };
    format!("option name {} type {tail}", spec.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(options: &mut Options, name: &str, value: &str) -> String {
        match options.set(name, Some(value)) {
            Ok(applied) => applied.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn names_are_matched_without_case() {
        let mut options = Options::default();
        options.set("hAsH", Some("32")).unwrap();
        options.set("move overhead", Some("50")).unwrap();
        assert_eq!((options.hash, options.move_overhead), (32, 50));
        assert_eq!(options.set("clear hash", None).unwrap().id, OptionId::ClearHash);
        assert_eq!(options.set("Clear Hash", Some("true")).unwrap().id, OptionId::ClearHash);
    }

    #[test]
    fn numbers_are_clamped_and_the_note_says_so() {
        let mut options = Options::default();
        assert_eq!(set(&mut options, "Threads", "0"), "option Threads: 0 is out of range, using 1");
        assert_eq!(set(&mut options, "Hash", "-5"), "option Hash: -5 is out of range, using 1");
        set(&mut options, "Hash", "99999999999999999999999");
        assert_eq!(options.hash, 65_536);
        assert_eq!(set(&mut options, "MultiPV", "3"), "option MultiPV is 3");
    }

    #[test]
    fn unfit_values_keep_the_old_one() {
        let mut options = Options::default();
        options.set("Hash", Some("64")).unwrap();
        let before = options.clone();
        for (name, value) in [
            ("Hash", Some("abc")),
            ("Hash", Some("")),
            ("Hash", Some("1.5")),
            ("Hash", None),
            ("Ponder", Some("yes")),
            ("Ponder", None),
            ("UCI_Variant", Some("chess")),
            ("UCI_Variant", Some("")),
            ("Debug Log File", None),
            ("OwnBook", Some("false")),
            ("", Some("32")),
        ] {
            let error = options.set(name, value).unwrap_err().to_string();
            assert!(!error.contains('\n'), "{error}");
            assert_eq!(options, before, "{name} {value:?}");
        }
        assert_eq!(
            set(&mut options, "Hash", "abc"),
            "option Hash: 'abc' is not a whole number from 1 to 65536; it stays 64"
        );
        assert_eq!(set(&mut options, "Ownbook", "1"), "unknown option 'Ownbook'");
    }

    #[test]
    fn the_variant_is_matched_without_case() {
        let mut options = Options::default();
        let applied = options.set("uci_variant", Some("Anti-King-2")).unwrap();
        assert_eq!(applied.id, OptionId::UciVariant);
        assert_eq!(applied.value.to_string(), "anti-king-2");
    }

    #[test]
    fn texts_keep_their_blanks_and_can_be_emptied() {
        let mut options = Options::default();
        options.set("Debug Log File", Some("/tmp/a  b.log")).unwrap();
        assert_eq!(options.debug_log_file, "/tmp/a  b.log");
        options.set("Debug Log File", Some("<empty>")).unwrap();
        assert_eq!(options.debug_log_file, "");
    }

    #[test]
    fn declarations_are_uci() {
        let mut options = Options::default();
        let line = |name: &str, options: &Options| declaration(find(name).unwrap(), options);
        assert_eq!(line("Hash", &options), "option name Hash type spin default 16 min 1 max 65536");
        assert_eq!(line("Ponder", &options), "option name Ponder type check default false");
        assert_eq!(line("Clear Hash", &options), "option name Clear Hash type button");
        assert_eq!(
            line("UCI_Variant", &options),
            "option name UCI_Variant type combo default anti-king-2 var anti-king-2"
        );
        assert_eq!(line("Debug Log File", &options), "option name Debug Log File type string default <empty>");
        options.hash = 64;
        assert_eq!(line("Hash", &options), "option name Hash type spin default 64 min 1 max 65536");
    }

    #[test]
    fn defaults_lie_in_their_ranges() {
        let defaults = Options::default();
        for spec in TABLE.iter().filter(|spec| spec.kind != OptionType::Button) {
            assert_eq!(defaults.clone().set_exact(spec, spec.value(&defaults)), Ok(()), "{}", spec.name);
        }
    }

    #[test]
    fn exact_values_are_not_clamped() {
        let mut options = Options::default();
        let hash = find("Hash").unwrap();
        assert!(options.set_exact(hash, OptionValue::Number(0)).is_err());
        assert!(options.set_exact(hash, OptionValue::Text("16".to_owned())).is_err());
        assert!(options.set_exact(hash, OptionValue::Number(8)).is_ok());
        assert_eq!(options.hash, 8);
    }

    proptest! {
        #![proptest_config(crate::seed::fixed(11, 256))]

        #[test]
        fn any_text_leaves_every_value_in_range(row in 0..TABLE.len(), value in ".{0,24}") {
            let mut options = Options::default();
            let _ = options.set(TABLE[row].name, Some(&value));
            for spec in TABLE.iter().filter(|spec| spec.kind != OptionType::Button) {
                prop_assert_eq!(options.clone().set_exact(spec, spec.value(&options)), Ok(()));
            }
        }

        #[test]
        fn integers_read_as_their_nearest(number in any::<i128>()) {
            let nearest = number.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
            prop_assert_eq!(parse_integer(&number.to_string()), Some(nearest));
        }
    }
}
