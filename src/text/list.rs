/// A list in a sentence, with a word before its last item: `a, b and c`.
pub fn joined(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_any_length_read_well() {
        let list = |items: &[&str]| joined(&items.iter().map(ToString::to_string).collect::<Vec<_>>(), "or");
        assert_eq!(
            [list(&[]), list(&["a"]), list(&["a", "b"]), list(&["a", "b", "c"])],
            ["", "a", "a or b", "a, b or c"]
        );
    }
}
