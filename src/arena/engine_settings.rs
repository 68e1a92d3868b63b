//! The engines of a match, from `--engine` and `--each`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::key_values::{KeyError, KeyValues, Switch};
use super::limits::PlayLimits;
use super::process::Launch;

/// Starts this executable as a child process.
const OWN_COMMAND: &str = "self";
/// The weak reference opponent inside this process.
const GREEDY_COMMAND: &str = "greedy";
const KNOWN: &str = "cmd, name, dir, args, arg, proto, tc, st, nodes, depth, plies, timemargin, ponder, restart, stderr, variant, \
     option.NAME";

/// One engine of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSettings {
    /// Differs from those of the other engines.
    pub name: String,
    /// The program as given; `self` and `greedy` are no files.
    #[serde(rename = "cmd")]
    pub command: String,
    #[serde(rename = "args")]
    pub arguments: Vec<String>,
    #[serde(rename = "dir", skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PathBuf>,
    pub options: Vec<(String, String)>,
    #[serde(flatten)]
    pub limits: PlayLimits,
    /// Whether a new process is started for each game.
    pub restart: bool,
    /// Whether it thinks on its opponent's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Whether it is taken to play the variant when it offers no choice of variants.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assume_variant: bool,
}

/// What is wrong with the engines of a match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("--engine: two engines are needed at least, {0} given")]
    TooFew(usize),
    #[error("--engine: two engines have the name '{0}'")]
    SameName(String),
    #[error("--engine: '{0}' has no limit (tc, st, nodes or depth)")]
    Unlimited(String),
    #[error("--engine: args={0} has an open quote")]
    OpenQuote(String),
}

/// Where the moves of an engine come from.
pub enum Origin<'a> {
    /// This executable, in a process of its own.
    Own,
    Greedy,
    Program(&'a Path),
}

impl EngineSettings {
    /// Reads the engines, each completed by the keys of `each` that it does not give itself.
    pub fn parse_all(engines: &[Vec<String>], each: &[String]) -> Result<Vec<EngineSettings>, EngineError> {
        if engines.len() < 2 {
            return Err(EngineError::TooFew(engines.len()));
        }
        let completed = engines.iter().map(|words| EngineSettings::parse(&with_shared_keys(words, each)));
        let mut settings = completed.collect::<Result<Vec<_>, _>>()?;
        name_all(&mut settings)?;
        match settings.iter().find(|engine| engine.needs_limit() && engine.limits.is_unlimited()) {
            Some(engine) => Err(EngineError::Unlimited(engine.name.clone())),
            None => Ok(settings),
        }
    }

    /// Reads one engine; the name stays empty when it is not given.
    fn parse(words: &[String]) -> Result<EngineSettings, EngineError> {
        let mut keys = KeyValues::parse_with_switches("--engine", words, &["ponder"])?;
        let command: String = keys.require_where("cmd", "a program", |command: &String| !command.is_empty())?;
        let file = |path: &PathBuf| !path.as_os_str().is_empty();
        keys.take_where("proto", "uci", |protocol: &String| protocol == "uci")?;
        let settings = EngineSettings {
            name: keys.take_text("name")?.unwrap_or_default(),
            command,
            arguments: take_arguments(&mut keys)?,
            directory: keys.take_where("dir", "a directory", file)?,
            stderr: keys.take_where("stderr", "a file", file)?,
            options: keys.take_all(|key| key.strip_prefix("option.").map(String::from)),
            limits: PlayLimits::take(&mut keys)?,
            restart: take_restart(&mut keys)?,
            ponder: keys.take::<Switch>("ponder", "on or off")?.is_some_and(|switch| switch.0),
            assume_variant: keys.take_where("variant", "assume", |word: &String| word == "assume")?.is_some(),
        };
        keys.finish(KNOWN)?;
        Ok(settings)
    }

    pub fn origin(&self) -> Origin<'_> {
        match self.command.as_str() {
            OWN_COMMAND => Origin::Own,
            GREEDY_COMMAND => Origin::Greedy,
            program => Origin::Program(Path::new(program)),
        }
    }

    /// How to start the program of an engine that is one; `own` is this executable.
    pub fn launch(&self, program: &Path) -> Launch {
        Launch {
            program: program.into(),
            arguments: self.arguments.clone(),
            directory: self.directory.clone(),
            stderr: self.stderr.clone(),
        }
    }

    fn needs_limit(&self) -> bool {
        !matches!(self.origin(), Origin::Greedy)
    }

    fn default_name(&self) -> String {
        match self.origin() {
            Origin::Own => env!("CARGO_PKG_NAME").into(),
            Origin::Greedy => GREEDY_COMMAND.into(),
            Origin::Program(path) => path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into(),
        }
    }
}

/// The words of an engine and those shared ones whose key it does not give; option names are the same in any case.
fn with_shared_keys(words: &[String], each: &[String]) -> Vec<String> {
    let key = |word: &str| match word.split_once('=') {
        Some((key, _)) if key.starts_with("option.") => key.to_ascii_lowercase(),
        Some(("plies", _)) => "depth".into(),
        Some((key, _)) => key.into(),
        None => word.into(),
    };
    let own: HashSet<String> = words.iter().map(|word| key(word)).collect();
    words.iter().chain(each.iter().filter(|word| !own.contains(&key(word)))).cloned().collect()
}

/// `args=` holds words as a shell reads them; `arg=` is one word, as often as wanted.
fn take_arguments(keys: &mut KeyValues) -> Result<Vec<String>, EngineError> {
    let mut arguments = Vec::new();
    for (is_list, value) in keys.take_all(|key| matches!(key, "args" | "arg").then_some(key == "args")) {
        if is_list {
            arguments.extend(shlex::split(&value).ok_or(EngineError::OpenQuote(value))?);
        } else {
            arguments.push(value);
        }
    }
    Ok(arguments)
}

fn take_restart(keys: &mut KeyValues) -> Result<bool, KeyError> {
    let automatic = keys.clone().take_text("restart")?.as_deref() == Some("auto");
    if automatic {
        keys.take_text("restart")?;
        return Ok(false);
    }
    Ok(keys.take::<Switch>("restart", "on, off or auto")?.is_some_and(|switch| switch.0))
}

/// Gives names to the engines without one, with a number where a name is taken.
fn name_all(engines: &mut [EngineSettings]) -> Result<(), EngineError> {
    let mut taken = HashSet::new();
    for engine in engines.iter().filter(|engine| !engine.name.is_empty()) {
        if !taken.insert(engine.name.clone()) {
            return Err(EngineError::SameName(engine.name.clone()));
        }
    }
    for engine in engines.iter_mut().filter(|engine| engine.name.is_empty()) {
        let base = engine.default_name();
        let numbered = (2..).map(|number| format!("{base}-{number}"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains(name));
        engine.name = free.unwrap_or(base);
        taken.insert(engine.name.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(engines: &[&str], each: &str) -> Result<Vec<EngineSettings>, EngineError> {
        let words = |text: &str| text.split(';').filter(|word| !word.is_empty()).map(String::from).collect::<Vec<_>>();
        let engines: Vec<Vec<String>> = engines.iter().map(|text| words(text)).collect();
        EngineSettings::parse_all(&engines, &words(each))
    }

    #[test]
    fn own_keys_win_over_shared_ones() {
        let engines = parse(
            &[
                "cmd=self;name=new;option.Hash=8;args=--config 'a b.toml';arg=x y",
                "cmd=/bin/old.exe;tc=2+0.02;option.hash=4",
                "cmd=self",
                "cmd=self;dir=/tmp",
            ],
            "tc=1+0.01;option.Hash=16;option.Threads=1",
        )
        .unwrap();
        assert_eq!(engines[0].arguments, ["--config", "a b.toml", "x y"]);
        assert_eq!(engines[0].options, [("Hash".into(), "8".into()), ("Threads".into(), "1".to_string())]);
        assert_eq!(engines[1].options, [("hash".into(), "4".into()), ("Threads".into(), "1".to_string())]);
        assert_eq!(engines[1].limits.describe(), "2+0.02");
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["new", "old", "antiking", "antiking-2"]);
    }

    #[test]
    fn wrong_settings_are_named() {
        let message = |engines: &[&str], each: &str| parse(engines, each).unwrap_err().to_string();
        assert_eq!(message(&["cmd=a"], ""), "--engine: two engines are needed at least, 1 given");
        assert_eq!(message(&["cmd=a", "name=b"], "nodes=1"), "--engine: key 'cmd' is missing");
        assert_eq!(message(&["cmd=a;name=x", "cmd=b;name=x"], "nodes=1"), "--engine: two engines have the name 'x'");
        assert_eq!(message(&["cmd=a", "cmd=b;nodes=1"], ""), "--engine: 'a' has no limit (tc, st, nodes or depth)");
        assert!(parse(&["cmd=greedy", "cmd=b;nodes=1"], "").is_ok());
        assert!(message(&["cmd=a;prot=x", "cmd=b"], "nodes=1").contains("unknown key 'prot'"));
        assert!(message(&["cmd=a;proto=xboard", "cmd=b"], "nodes=1").contains("proto=xboard is not uci"));
        assert!(message(&["cmd=a;args='x", "cmd=b"], "nodes=1").contains("open quote"));
        assert!(message(&["cmd=a;restart=x", "cmd=b"], "nodes=1").contains("restart=x"));
        assert!(parse(&["cmd=a;restart=on", "cmd=b;restart=auto"], "nodes=1").unwrap()[0].restart);
        let pondering = parse(&["cmd=a", "cmd=b;ponder=off"], "nodes=1;ponder").unwrap();
        assert_eq!([pondering[0].ponder, pondering[1].ponder], [true, false]);
        assert!(message(&["cmd=a;ponder=x", "cmd=b"], "nodes=1").contains("ponder=x is not on or off"));
        assert!(message(&["cmd=a;variant=chess", "cmd=b"], "nodes=1").contains("variant=chess is not assume"));
        let assuming = parse(&["cmd=a;variant=assume", "cmd=b"], "nodes=1").unwrap();
        assert_eq!([assuming[0].assume_variant, assuming[1].assume_variant], [true, false]);
    }
}
