/// The names of this game as [`is_this_game`] compares them.
const NAMES: [&str; 6] =
    ["antiking2", "antikingii", "antikingchess2", "antikingchessii", "antikingchesstwo", "antikingtwo"];

/// True of a tag `Variant` that means Anti-King Chess II: `anti-king-2`, `Anti-King II`, `Anti-King Chess 2` or
/// `Anti-King Chess II`, the number also as the word `two`. Case, blanks and punctuation do not matter. A name that is
/// empty, `?` or `-` says nothing, which is true as well.
pub fn is_this_game(name: &str) -> bool {
    let letters: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let letters = letters.to_lowercase();
    letters.is_empty() || NAMES.contains(&letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VARIANT;

    #[test]
    fn names_of_this_game_are_known() {
        for name in [VARIANT, "Anti-King Chess II", "antiking2", "ANTI KING II", "Anti_King Chess 2", "", "?", "-"] {
            assert!(is_this_game(name), "{name}");
        }
        for name in ["Atomic", "Standard", "chess", "Anti-King Chess", "Anti-King Chess I", "antiking", "Antichess"] {
            assert!(!is_this_game(name), "{name}");
        }
    }
}
