//! The lines of a file as text, whatever their length and encoding.

use std::io::{self, BufRead, ErrorKind};

/// A longer line comes in pieces, cut at blanks.
const PIECE: usize = 64 << 10;
/// Where there is no blank for so long, pieces are cut anywhere.
const LONGEST_WORD: usize = 1 << 20;

/// A line, or a piece of a very long one.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// Without the end of the line.
    pub text: String,
    /// Of the file, from 1.
    pub line: usize,
    pub starts_line: bool,
    pub ends_line: bool,
    /// Bytes of the file up to its end.
    pub end: u64,
}

/// Lines end with LF, CR LF or CR. Bytes that are not UTF-8 are read as Windows-1252, which most older programs wrote;
/// both may stand in one file. A byte order mark at the start of a line is passed over.
pub(super) struct Source<R> {
    reader: R,
    line: usize,
    consumed: u64,
    /// What was read of the next piece.
    bytes: Vec<u8>,
    starts_line: bool,
    /// The last line ended with CR, so that an LF still belongs to its end.
    is_behind_return: bool,
}

impl<R: BufRead> Source<R> {
    pub fn new(reader: R) -> Source<R> {
        Source { reader, line: 1, consumed: 0, bytes: Vec::new(), starts_line: true, is_behind_return: false }
    }

    /// The next piece; `None` at the end of the file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                let is_over = self.bytes.is_empty();
                return Ok((!is_over).then(|| self.piece(self.bytes.len(), true)));
            }
            let is_rest_of_end = std::mem::take(&mut self.is_behind_return) && available[0] == b'\n';
            let available = &available[usize::from(is_rest_of_end)..];
            let window = &available[..available.len().min(PIECE)];
            let end = window.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.is_behind_return = end.is_some_and(|at| window[at] == b'\r');
            self.bytes.extend_from_slice(&window[..end.unwrap_or(window.len())]);
            let used = usize::from(is_rest_of_end) + end.map_or(window.len(), |at| at + 1);
            self.reader.consume(used);
            self.consumed += used as u64;
            if end.is_some() {
                return Ok(Some(self.piece(self.bytes.len(), true)));
            }
            if let Some(cut) = self.cut() {
                return Ok(Some(self.piece(cut, false)));
            }
        }
    }

    /// Where to cut a line that has grown too long.
    fn cut(&self) -> Option<usize> {
        if self.bytes.len() < PIECE {
            return None;
        }
        let blank = self.bytes.iter().rposition(|byte| matches!(byte, b' ' | b'\t')).map(|at| at + 1);
        // No character of UTF-8 is cut in two.
        let anywhere = || self.bytes.iter().rposition(|byte| byte & 0xc0 != 0x80).filter(|&at| at > 0);
        blank.or_else(|| (self.bytes.len() >= LONGEST_WORD).then(|| anywhere().unwrap_or(self.bytes.len())))
    }

    fn piece(&mut self, length: usize, ends_line: bool) -> Piece {
        let rest = self.bytes.split_off(length);
        let bytes = std::mem::replace(&mut self.bytes, rest);
        let starts_line = std::mem::replace(&mut self.starts_line, ends_line);
        let mut text = decoded(bytes);
        if starts_line && text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let piece = Piece { text, line: self.line, starts_line, ends_line, end: self.consumed };
        self.line += usize::from(ends_line);
        piece
    }
}

fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let chunks = error.as_bytes().utf8_chunks();
        chunks.fold(String::new(), |text, chunk| {
            text + chunk.valid() + &chunk.invalid().iter().map(|&byte| windows_1252(byte)).collect::<String>()
        })
    })
}

/// What Windows-1252 has in place of the control characters from 0x80 on; the five bytes that it leaves free stay
/// those.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(bytes: &[u8]) -> Vec<Piece> {
        let mut source = Source::new(bytes);
        std::iter::from_fn(|| source.next_piece().unwrap()).collect()
    }

    #[test]
    fn lines_end_as_on_any_system() {
        let read = pieces(b"\xef\xbb\xbfone\r\ntwo\n\nfour\rfive\r\r\nseven");
        let told: Vec<(usize, &str)> = read.iter().map(|piece| (piece.line, piece.text.as_str())).collect();
        assert_eq!(told, [(1, "one"), (2, "two"), (3, ""), (4, "four"), (5, "five"), (6, ""), (7, "seven")]);
        assert!(read.iter().all(|piece| piece.starts_line && piece.ends_line));
        assert_eq!(read.last().unwrap().end, 30);
        assert!(pieces(b"").is_empty());
    }

    #[test]
    fn what_is_not_utf_8_is_windows_1252() {
        let read = pieces(b"M\xfcller \x96 \x80 \x9f\nM\xc3\xbcller M\xfcller \xc4\xd6\n\xe9\xff\x81");
        let told: Vec<&str> = read.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(told, ["Müller – € Ÿ", "Müller Müller ÄÖ", "éÿ\u{81}"]);
    }

    #[test]
    fn long_lines_come_in_pieces_and_lose_nothing() {
        let words = "1. e4 e5 ".repeat(50_000);
        let letters = "é".repeat(3 << 20);
        let read = pieces(format!("{words}\n{letters}\nend").as_bytes());
        let line = |number| read.iter().filter(move |piece| piece.line == number);
        let whole = |number| line(number).map(|piece| piece.text.as_str()).collect::<String>();
        assert!(whole(1) == words && whole(2) == letters && whole(3) == "end");
        assert!(line(1).count() > 5 && line(1).all(|piece| piece.text.ends_with(' ') && piece.text.len() <= 2 * PIECE));
        assert!(line(2).count() > 2 && line(2).all(|piece| piece.text.len() <= LONGEST_WORD + PIECE));
        assert_eq!(line(1).filter(|piece| piece.starts_line).count(), 1);
        assert_eq!(line(1).filter(|piece| piece.ends_line).count(), 1);
    }
}
