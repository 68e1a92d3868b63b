//! A tag of a game: `[Name "value"]`.

/// A tag as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    pub value: String,
    /// Of the file, from 1.
    pub line: usize,
}

/// The first tag of a text.
pub(super) struct ParsedTag {
    /// Empty where there is none.
    pub name: String,
    pub value: String,
    /// Bytes of the text that it takes.
    pub length: usize,
    /// True of a tag that breaks the standard.
    pub is_broken: bool,
}

/// True of a text that begins as a tag does; `is_strict` asks for a name and a quote.
pub(super) fn begins_tag(text: &str, is_strict: bool) -> bool {
    let Some(body) = text.strip_prefix('[').map(str::trim_start) else { return false };
    let behind_name = body.trim_start_matches(is_name_letter);
    if is_strict {
        behind_name.len() < body.len() && behind_name.trim_start().starts_with('"')
    } else {
        body.starts_with(|letter: char| is_name_letter(letter) || matches!(letter, '"' | ']'))
    }
}

fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Reads the tag at the start of a text, which ends in the same line. A quote that stands before the bracket ends the
/// value, and others are part of it; a backslash escapes quotes and backslashes. Where the end is not there, the value
/// goes up to the last bracket or to the end of the line.
pub(super) fn parse_tag(text: &str) -> ParsedTag {
    let line = text.split('\n').next().unwrap_or_default();
    let body = line[1..].trim_start();
    let value_and_rest = body.trim_start_matches(|letter: char| !letter.is_whitespace() && !"\"[]".contains(letter));
    let name = body[..body.len() - value_and_rest.len()].to_owned();
    let given = value_and_rest.trim_start();
    let consumed = |rest: &str| line.len() - rest.len();
    if let Some((value, rest, has_inner_quotes)) = given.strip_prefix('"').and_then(quoted) {
        let is_broken = has_inner_quotes || name.is_empty();
        return ParsedTag { name, value, length: consumed(rest), is_broken };
    }
    let end = if given.starts_with('"') { given.rfind(']') } else { given.find(']') };
    let (value, rest) = end.map_or((given, ""), |at| (&given[..at], &given[at + 1..]));
    let value = value.trim();
    let value = value.strip_prefix('"').unwrap_or(value);
    let value = value.strip_suffix('"').unwrap_or(value);
    ParsedTag { name, value: unescaped(value), length: consumed(rest), is_broken: true }
}

/// The value that begins a text, what comes behind its bracket, and whether quotes stand in it without a backslash.
fn quoted(text: &str) -> Option<(String, &str, bool)> {
    let mut is_escaped = false;
    let mut has_inner_quotes = false;
    for (at, letter) in text.char_indices() {
        if letter == '"' && !is_escaped {
            if let Some(rest) = text[at + 1..].trim_start().strip_prefix(']') {
                return Some((unescaped(&text[..at]), rest, has_inner_quotes));
            }
            has_inner_quotes = true;
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    None
}

/// A backslash before anything but a quote or a backslash is one.
fn unescaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letters.next_if(|next| letter == '\\' && matches!(next, '"' | '\\'));
        value.push(escaped.unwrap_or(letter));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_never_cut() {
        for (text, name, value, rest, is_broken) in [
            (r#"[Event "a \"b\" \\ ]"] x"#, "Event", r#"a "b" \ ]"#, " x", false),
            (r#"[ Event   "a" ][White "b"]"#, "Event", "a", r#"[White "b"]"#, false),
            (r#"[Site "C:\games"]"#, "Site", r"C:\games", "", false),
            (r#"[Event "5th "M" Int"]"#, "Event", r#"5th "M" Int"#, "", true),
            (r#"[Site "C:\games\"]"#, "Site", r"C:\games\", "", true),
            (r#"[White "Anna""#, "White", "Anna", "", true),
            (r#"[White "Anna"#, "White", "Anna", "", true),
            (r#"[White "Anna]"#, "White", "Anna", "", true),
            (r#"[White "Anna" x] y"#, "White", r#"Anna" x"#, " y", true),
            ("[White Anna B.] y", "White", "Anna B.", " y", true),
            ("[White", "White", "", "", true),
            ("[White] y", "White", "", " y", true),
            (r#"["Anna"]"#, "", "Anna", "", true),
            ("[]", "", "", "", true),
            ("[", "", "", "", true),
            ("[White \"Anna\nx\"]", "White", "Anna", "", true),
        ] {
            let tag = parse_tag(text);
            let line = text.split('\n').next().unwrap();
            let told = (tag.name.as_str(), tag.value.as_str(), &line[tag.length..], tag.is_broken);
            assert_eq!(told, (name, value, rest, is_broken), "{text}");
        }
    }

    #[test]
    fn tags_are_told_from_other_brackets() {
        for text in [r#"[Event "x"#, r#"[ Event"x""#] {
            assert!(begins_tag(text, true) && begins_tag(text, false), "{text}");
        }
        for text in ["[Event x", "[\"x\"]", "[]", "[Event"] {
            assert!(!begins_tag(text, true) && begins_tag(text, false), "{text}");
        }
        assert!(!begins_tag("[%clk 0:00:01]", false) && !begins_tag("e4", false));
    }
}
