//! Words of an engine in the form in which they may stand in a message: on one line, of bounded length, harmless.

/// Longest text of an engine in a message, in characters.
const LONGEST: usize = 200;

/// A text with everything escaped that would not be seen as it is: control characters, and marks that turn or join what
/// stands beside them. Quotes and backslashes stay.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '\'' | '\\' => shown.push(character),
            _ => shown.extend(character.escape_debug()),
        }
    }
    shown
}

/// The beginning of a text, with an ellipsis when it goes on.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}

/// Some lines as one: `first | second`.
pub fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| printable(&cut(line))).collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_escaped_and_long_lines_are_cut() {
        let lines = ["\u{1b}[2J\tok 'x' \\ \u{202e}é".to_string(), "ü".repeat(LONGEST), "x".repeat(LONGEST + 1)];
        let expected =
            format!("\\u{{1b}}[2J\\tok 'x' \\ \\u{{202e}}é | {} | {}...", "ü".repeat(LONGEST), "x".repeat(LONGEST));
        assert_eq!(joined(&lines), expected);
    }
}
