//! The options of an engine as it declares them over UCI, and those that a match sets.

use thiserror::Error;

use super::printable::{cut, printable};
use crate::rules::VARIANT;

/// Why an option of an engine cannot be set; the words follow its name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("does not play {VARIANT}; it offers: {offered}")]
    NoVariant { offered: String },
    #[error(
        "does not say that it plays {VARIANT}: it has no option UCI_Variant (variant=assume lets it play as it is)"
    )]
    NoChoice,
    #[error("has no option '{name}'")]
    Unknown { name: String },
    #[error("cannot have {name}={value}: it is not {expected}")]
    Value { name: String, value: String, expected: String },
}

/// An option as an engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    name: String,
    kind: String,
    minimum: Option<i64>,
    maximum: Option<i64>,
    choices: Vec<String>,
}

impl DeclaredOption {
    /// Reads `option name <name> type <kind> [default ..] [min ..] [max ..] [var ..]...`.
    pub fn parse(line: &str) -> Option<DeclaredOption> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let kind_at = words.iter().position(|&word| word == "type")?;
        let name = words.get(2..kind_at).filter(|name| !name.is_empty() && words[1] == "name")?.join(" ");
        let after = &words[(kind_at + 2).min(words.len())..];
        let number = |key: &str| {
            let at = after.iter().position(|&word| word == key)?;
            after.get(at + 1)?.parse().ok()
        };
        let is_key = |word: &&&str| matches!(**word, "default" | "min" | "max");
        let choice =
            |words: &[&str]| words.iter().take_while(|word| !is_key(word)).copied().collect::<Vec<_>>().join(" ");
        let choices = after.split(|&word| word == "var").skip(1).map(choice).collect();
        Some(DeclaredOption {
            name,
            kind: words.get(kind_at + 1)?.to_string(),
            minimum: number("min"),
            maximum: number("max"),
            choices,
        })
    }

    /// True for the name of the option, in any case.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// True for a value that is among the choices, in any case.
    fn offers(&self, value: &str) -> bool {
        self.choices.iter().any(|choice| choice.eq_ignore_ascii_case(value))
    }

    /// What a value must be, when this one is not.
    fn objection(&self, value: &str) -> Option<String> {
        match self.kind.as_str() {
            "spin" => {
                let (least, most) = (self.minimum.unwrap_or(i64::MIN), self.maximum.unwrap_or(i64::MAX));
                let fits = value.parse().is_ok_and(|number: i64| (least..=most).contains(&number));
                (!fits).then(|| format!("a whole number from {least} to {most}"))
            }
            "check" => (!matches!(value, "true" | "false")).then(|| "true or false".into()),
            "combo" => (!self.offers(value)).then(|| format!("one of {}", printable(&cut(&self.choices.join(", "))))),
            _ => None,
        }
    }
}

/// The options to set, in order, under the names that the engine declares; first the variant. An engine that offers no
/// choice of variants is taken only where `assume_variant` says that it plays this one.
///
/// # Errors
/// When the engine does not offer the variant, or not what is wanted.
pub fn options_to_set(
    declared: &[DeclaredOption],
    wanted: &[(String, String)],
    assume_variant: bool,
) -> Result<Vec<(String, String)>, OptionError> {
    let find = |name: &str| declared.iter().find(|option| option.is_named(name));
    let mut options = Vec::new();
    match find("UCI_Variant") {
        Some(variant) if variant.offers(VARIANT) => options.push((variant.name.clone(), VARIANT.to_string())),
        Some(variant) => return Err(OptionError::NoVariant { offered: printable(&cut(&variant.choices.join(", "))) }),
        None if assume_variant => {}
        None => return Err(OptionError::NoChoice),
    }
    for (name, value) in wanted {
        let Some(option) = find(name) else {
            return Err(OptionError::Unknown { name: name.clone() });
        };
        if let Some(expected) = option.objection(value) {
            return Err(OptionError::Value { name: name.clone(), value: value.clone(), expected });
        }
        options.push((option.name.clone(), value.clone()));
    }
    Ok(options)
}

/// The command that sets an option; a button has no value.
pub fn set_option(name: &str, value: &str) -> String {
    if value.is_empty() { format!("setoption name {name}\n") } else { format!("setoption name {name} value {value}\n") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn options_are_declared_found_and_checked() {
        let declared: Vec<DeclaredOption> = [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Clear Hash type button",
            "option name UCI_Variant type combo var chess var anti-king-2 default chess",
            "option name Ponder type check default false",
            "option name Debug Log File type string default <empty>",
        ]
        .iter()
        .filter_map(|line| DeclaredOption::parse(line))
        .collect();
        assert_eq!(declared.len(), 5);
        let set = |name: &str, value: &str| options_to_set(&declared, &[(name.into(), value.into())], false);
        assert_eq!(
            set("hASH", "32").unwrap(),
            [("UCI_Variant".into(), "anti-king-2".into()), ("Hash".into(), "32".to_string())]
        );
        assert!(set("Clear hash", "").is_ok() && set("Debug Log File", "a b").is_ok());
        assert_eq!(set("Hahs", "32").unwrap_err().to_string(), "has no option 'Hahs'");
        let message = set("Hash", "0").unwrap_err().to_string();
        assert_eq!(message, "cannot have Hash=0: it is not a whole number from 1 to 1024");
        assert!(set("Ponder", "maybe").is_err() && set("UCI_Variant", "go").is_err());
        let orthodox = DeclaredOption::parse("option name UCI_Variant type combo default chess var chess");
        let other_kind = DeclaredOption::parse("option name UCI_Variant type string default anti-king-2");
        for (declared, message) in [
            (orthodox, "does not play anti-king-2; it offers: chess"),
            (other_kind, "does not play anti-king-2; it offers: "),
        ] {
            let declared = [declared.unwrap()];
            for assume_variant in [false, true] {
                assert_eq!(options_to_set(&declared, &[], assume_variant).unwrap_err().to_string(), message);
            }
        }
        assert_eq!(options_to_set(&declared[..2], &[], false), Err(OptionError::NoChoice));
        assert_eq!(options_to_set(&declared[..2], &[], true), Ok(Vec::new()));
        for broken in ["option", "option name", "option name x", "option name x type", "option type spin"] {
            assert_eq!(DeclaredOption::parse(broken), None, "{broken}");
        }
        assert_eq!(set_option("Clear Hash", ""), "setoption name Clear Hash\n");
    }

    proptest! {
        #![proptest_config(crate::seed::fixed(13, 256))]

        #[test]
        fn no_declaration_makes_it_fail(words in "(option |name |type |spin |combo |var |min |max |default |x |-?[0-9]{1,25} )*") {
            if let Some(option) = DeclaredOption::parse(&words) {
                let _ = option.objection("1");
            }
        }
    }
}
