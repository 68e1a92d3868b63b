//! The way out: whole lines, each sent at once, shared by the session and its search thread.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// GUIs read lines into buffers of fixed size; the smallest in use holds this many bytes with the line's end.
const LONGEST_LINE: usize = 2_000;

/// Where replies go, and the file that keeps a copy of the traffic.
pub struct Output {
    streams: Mutex<Streams>,
}

struct Streams {
    replies: Box<dyn Write + Send>,
    log: Option<File>,
    /// Set when nobody reads the replies any more.
    closed: bool,
}

impl Output {
    /// An output that writes to `replies`.
    pub fn new(replies: impl Write + Send + 'static) -> Output {
        Output { streams: Mutex::new(Streams { replies: Box::new(replies), log: None, closed: false }) }
    }

    /// Writes every line of `text`, without blanks at its end, cut to the longest a GUI can read.
    pub fn send(&self, text: &str) {
        let mut streams = self.lock();
        for line in text.lines() {
            streams.send(shortened(line.trim_end()));
        }
    }

    /// Sends `info string` with a text of one line.
    pub fn inform(&self, text: &str) {
        self.send(&format!("info string {text}"));
    }

    /// Sends `info string error: ` with a text of one line.
    pub fn complain(&self, text: &str) {
        self.inform(&format!("error: {text}"));
    }

    /// Puts a line that was read into the log file.
    pub fn record(&self, line: &str) {
        self.lock().log(">>", line.trim_end());
    }

    /// True once a line could not be delivered; there is no use in writing more.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// From now on adds the traffic to the file at `path`; an empty path ends the log.
    ///
    /// # Errors
    /// When the file cannot be opened for appending. There is no log then.
    pub fn log_to(&self, path: &str) -> io::Result<()> {
        let mut streams = self.lock();
        streams.log = None;
        if !path.is_empty() {
            streams.log = Some(OpenOptions::new().create(true).append(true).open(path)?);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streams {
    fn send(&mut self, line: &str) {
        self.log("<<", line);
        if self.closed {
            return;
        }
        let sent = self.replies.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.replies.flush());
        self.closed = sent.is_err();
    }

    /// A log that cannot be written is given up rather than the game.
    fn log(&mut self, mark: &str, line: &str) {
        if let Some(file) = &mut self.log
            && writeln!(file, "{mark} {line}").is_err()
        {
            self.log = None;
        }
    }
}

/// The line cut before the word that would make it too long.
fn shortened(line: &str) -> &str {
    if line.len() < LONGEST_LINE - 1 {
        return line;
    }
    let fits = (0..LONGEST_LINE - 1).rev().find(|&end| line.is_char_boundary(end)).unwrap_or(0);
    let end = line[..fits].rfind(' ').unwrap_or(fits);
    line[..end].trim_end()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// A writer that keeps what it is given, or refuses it.
    #[derive(Clone, Default)]
    struct Sink {
        kept: Arc<Mutex<Vec<u8>>>,
        broken: bool,
    }

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.broken {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.kept.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn sent(text: &str) -> String {
        let sink = Sink::default();
        Output::new(sink.clone()).send(text);
        String::from_utf8(sink.kept.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn lines_end_in_a_bare_newline() {
        assert_eq!(sent("readyok"), "readyok\n");
        assert_eq!(sent("a  \nb \t\r\n\nc"), "a\nb\n\nc\n");
    }

    #[test]
    fn long_lines_are_cut_between_words() {
        let line = format!("info pv{}", " e2e4".repeat(1000));
        let cut = sent(&line);
        assert!(cut.len() < LONGEST_LINE && cut.len() > LONGEST_LINE - 10, "{}", cut.len());
        assert!(cut.ends_with(" e2e4\n"));
        let word = sent(&"é".repeat(3000));
        assert!(word.len() < LONGEST_LINE && word.len() > LONGEST_LINE - 10, "{}", word.len());
        let fitting = "x".repeat(LONGEST_LINE - 2);
        assert_eq!(sent(&fitting), format!("{fitting}\n"));
    }

    #[test]
    fn a_broken_pipe_is_noticed_and_harmless() {
        let output = Output::new(Sink { broken: true, ..Sink::default() });
        assert!(!output.is_closed());
        output.send("readyok");
        assert!(output.is_closed());
        output.send("readyok");
    }

    #[test]
    fn the_log_has_both_directions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b.log");
        let output = Output::new(Sink::default());
        output.log_to(path.to_str().unwrap()).unwrap();
        output.record("isready\r\n");
        output.send("readyok");
        output.log_to("").unwrap();
        output.send("unseen");
        assert_eq!(std::fs::read_to_string(path).unwrap(), ">> isready\n<< readyok\n");
        assert!(output.log_to(folder.path().to_str().unwrap()).is_err());
    }
}
