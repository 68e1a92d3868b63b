//! What stands between blanks in the moves of a game: a move with its number and what judges it, or one of these alone.

use super::GameResult;

/// A word of the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A move, or what stands in the place of one, with the glyphs that are written against it.
    Move(String, Vec<u8>),
    Glyphs(Vec<u8>),
    /// What ends a game, as PGN writes it.
    End(&'static str),
    /// A number of a move.
    Number,
    /// What says of the move before it only what the board tells.
    Redundant,
    /// A glyph that has no such number.
    BadGlyph,
}

/// Signs and the numeric annotation glyphs that stand for them, those first that others begin or end with.
const SIGNS: [(&str, u8); 35] = [
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+--", 20),
    ("--+", 21),
    ("=/∞", 44),
    ("=∞", 44),
    ("∞=", 44),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+/−", 16),
    ("−/+", 17),
    ("+−", 18),
    ("−+", 19),
    ("!", 1),
    ("?", 2),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("△", 140),
];

/// Signs that are letters, which only stand alone.
const LETTERS: [(&str, u8); 2] = [("N", 146), ("D", 220)];

/// What a move may end with, and what may stand behind it, that tells nothing new.
const REDUNDANT: [&str; 18] = [
    "e.p.", "e.p", "ep.", "ep", "dbl.ch.", "dblch", "dis.ch.", "disch", "ch.", "ch", "check", "mate", "dbl.", "dbl",
    "dis.", "dis", "++", "#",
];

/// Reads a word that has no blanks.
pub(super) fn token(word: &str) -> Token {
    let word = without_move_number(word);
    if word.is_empty() {
        return Token::Number;
    }
    if let Some(number) = word.strip_prefix('$') {
        return number.parse().map_or(Token::BadGlyph, |glyph| Token::Glyphs(vec![glyph]));
    }
    if let Some(end) = end(word) {
        return Token::End(end);
    }
    if is_null_move(word) {
        return Token::Move(word.to_owned(), Vec::new());
    }
    if let Some(&(_, glyph)) = SIGNS.iter().chain(&LETTERS).find(|(sign, _)| *sign == word) {
        return Token::Glyphs(vec![glyph]);
    }
    if word == "+" || REDUNDANT.contains(&word) {
        return Token::Redundant;
    }
    let mut text = word;
    let mut glyphs = Vec::new();
    loop {
        let sign = SIGNS.iter().find_map(|(sign, glyph)| Some((text.strip_suffix(sign)?, Some(*glyph))));
        let words = || REDUNDANT[..12].iter().find_map(|end| Some((text.strip_suffix(end)?, None)));
        match sign.or_else(words).filter(|(rest, _)| !rest.is_empty()) {
            Some((rest, glyph)) => {
                text = rest;
                glyphs.extend(glyph);
            }
            None => break,
        }
    }
    // Of three exclamation marks and the like one is left.
    let sign = SIGNS.iter().find(|(sign, _)| *sign == text);
    glyphs.extend(sign.map(|(_, glyph)| *glyph));
    glyphs.reverse();
    if sign.is_some() { Token::Glyphs(glyphs) } else { Token::Move(text.to_owned(), glyphs) }
}

/// Cuts `12.` or `12...` off the front of a word; nothing is left of a bare number.
fn without_move_number(word: &str) -> &str {
    let is_dot = |letter: char| matches!(letter, '.' | '…' | '‥');
    let after_digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if after_digits.is_empty() || after_digits.starts_with(is_dot) {
        after_digits.trim_start_matches(is_dot)
    } else {
        word
    }
}

fn end(word: &str) -> Option<&'static str> {
    match word {
        "*" => Some("*"),
        "1/2" | "½" | "½-½" | "½–½" | "1/2–1/2" => Some(GameResult::Draw.text()),
        "1–0" => Some(GameResult::WhiteWins.text()),
        "0–1" => Some(GameResult::BlackWins.text()),
        _ => GameResult::parse(word).map(GameResult::text),
    }
}

/// True of the ways to write that a side passes.
pub(super) fn is_null_move(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "z0" | "0000" | "@@@@" | "null" | "pass")
}

/// A move as the rules read it: figures as letters, castling with capitals, dashes and crosses of ASCII.
pub(super) fn spelled(text: &str) -> String {
    let is_castling = text.chars().all(|letter| "oO0-–—‑−+#".contains(letter)) && text.starts_with(['o', 'O', '0']);
    let letters = text.trim_end_matches(['.', ',']).chars().filter_map(|letter| match letter {
        'o' | '0' if is_castling => Some('O'),
        '–' | '—' | '‑' | '−' => Some('-'),
        '×' | ':' => Some('x'),
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        'Ⓐ' | 'ⓐ' => Some('A'),
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => None,
        _ => Some(letter),
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str, glyphs: &[u8]) -> Token {
        Token::Move(text.to_owned(), glyphs.to_vec())
    }

    #[test]
    fn numbers_and_signs_come_off_moves() {
        for (word, expected) in [
            ("1.e4", mv("e4", &[])),
            ("1...e5", mv("e5", &[])),
            ("1…e5", mv("e5", &[])),
            ("...e5", mv("e5", &[])),
            ("12", Token::Number),
            ("12...", Token::Number),
            ("Nf3!?", mv("Nf3", &[5])),
            ("Nf3!?+/=", mv("Nf3", &[5, 14])),
            ("Nf3!!!", mv("Nf3", &[1, 3])),
            ("!!!", Token::Glyphs(vec![1, 3])),
            ("Nf3±", mv("Nf3", &[16])),
            ("Qh5++-", mv("Qh5+", &[18])),
            ("Qh5+", mv("Qh5+", &[])),
            ("Qxf7#", mv("Qxf7#", &[])),
            ("e8=Q=", mv("e8=Q", &[10])),
            ("exd8=N", mv("exd8=N", &[])),
            ("exd6e.p.", mv("exd6", &[])),
            ("exd6ep!", mv("exd6", &[1])),
            ("Qh5ch", mv("Qh5", &[])),
            ("Qxf7mate", mv("Qxf7", &[])),
            ("0-0", mv("0-0", &[])),
            ("--", mv("--", &[])),
            ("e2-e4", mv("e2-e4", &[])),
        ] {
            assert_eq!(token(word), expected, "{word}");
        }
    }

    #[test]
    fn what_stands_alone_is_known() {
        for (word, glyph) in [
            ("+/=", 14),
            ("=/+", 15),
            ("+-", 18),
            ("-+", 19),
            ("±", 16),
            ("∓", 17),
            ("⩲", 14),
            ("⩱", 15),
            ("∞", 13),
            ("=", 10),
            ("□", 7),
            ("!?", 5),
            ("?!", 6),
            ("N", 146),
            ("D", 220),
            ("$7", 7),
        ] {
            assert_eq!(token(word), Token::Glyphs(vec![glyph]), "{word}");
        }
        for word in ["e.p.", "ep", "ch", "dbl", "mate", "++", "+"] {
            assert_eq!(token(word), Token::Redundant, "{word}");
        }
        for (word, end) in [("1-0", "1-0"), ("40.1-0", "1-0"), ("½-½", "1/2-1/2"), ("1/2", "1/2-1/2"), ("*", "*")] {
            assert_eq!(token(word), Token::End(end), "{word}");
        }
        assert_eq!(token("$256"), Token::BadGlyph);
    }

    #[test]
    fn figures_and_castling_are_spelled_out() {
        for (text, spelling) in [
            ("♘f3", "Nf3"),
            ("♞\u{fe0e}f6", "Nf6"),
            ("♙e4", "e4"),
            ("Ⓐd5", "Ad5"),
            ("e8=♕", "e8=Q"),
            ("o-o-o", "O-O-O"),
            ("0–0+", "O-O+"),
            ("N×d5", "Nxd5"),
            ("e2–e4", "e2-e4"),
            ("e4,", "e4"),
        ] {
            assert_eq!(spelled(text), spelling);
        }
        assert!(is_null_move("Z0") && !is_null_move("e4"));
    }
}
