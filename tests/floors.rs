//! The order of the modules: each imports only from those that stand before it.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules by floor, lowest first. Modules of one floor do not import each other.
const FLOORS: &[&[&str]] = &[
    &["types", "files", "seed"],
    &["attacks"],
    &["rules"],
    &["eval", "text", "pgn"],
    &["search", "mate"],
    &["engine"],
    &["frontend"],
    &["uci", "xboard"],
    &["arena", "datagen", "analysis"],
    &["train"],
    &["config"],
    &["cli"],
];

fn floor(module: &str) -> usize {
    FLOORS.iter().position(|floor| floor.contains(&module)).unwrap_or_else(|| panic!("{module} stands on no floor"))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    files.into_iter().chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// The modules that a source names behind `crate::`, outside comments and tests.
fn imports(text: &str) -> Vec<&str> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names = lines.flat_map(|line| line.split("crate::").skip(1));
    names.filter_map(|rest| rest.split(|c: char| !c.is_ascii_lowercase() && c != '_').next()).collect()
}

#[test]
fn no_module_imports_from_above_its_floor() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for path in sources(&root).iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        let inside = path.strip_prefix(&root).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if ["lib", "main"].contains(&module) {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let above = imports(&text).into_iter().filter(|&name| !name.is_empty() && name != module);
        wrong.extend(above.filter(|name| floor(name) >= floor(module)).map(|name| format!("{inside:?}: {name}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
