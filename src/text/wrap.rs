/// Breaks a text at its blanks into lines that end before column `width`, if a word does not need more. The first begins
/// at `column`, the others at `indent`; none has room for less than twenty columns.
pub fn wrapped(text: &str, width: usize, column: usize, indent: usize) -> String {
    const NARROWEST: usize = 20;
    let room = |column: usize| width.saturating_sub(column).max(NARROWEST);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let room = room(if last == 0 { column } else { indent });
        let line = &mut lines[last];
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= room {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join(&format!("\n{}", " ".repeat(indent)))
}
