//! The way out: whole lines, each sent at once, shared by the session and its search thread.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// GUIs read lines into buffers of fixed size; the smallest in use holds this many bytes with the line's end.
const LONGEST_LINE: usize = 2_000;

/// Where replies go, and the file that keeps a copy of the traffic.
pub struct Output {
    replies: Mutex<Box<dyn Write + Send>>,
    /// Set when nobody reads the replies any more. Apart from them, so that who asks need not wait for a slow reader.
    closed: AtomicBool,
    /// Apart from the replies, so that lines are read and recorded while the GUI takes its time to read.
    log: Mutex<Option<File>>,
}

impl Output {
    /// An output that writes to `replies`.
    pub fn new(replies: impl Write + Send + 'static) -> Output {
        Output { replies: Mutex::new(Box::new(replies)), closed: AtomicBool::new(false), log: Mutex::new(None) }
    }

    /// Writes every line of `text`, without blanks at its end, cut to the longest a GUI can read.
    pub fn send(&self, text: &str) {
        let mut replies = lock(&self.replies);
        for line in text.lines() {
            let line = shortened(line.trim_end());
            self.log("<<", line);
            if !self.is_closed() {
                let sent = replies.write_all(format!("{line}\n").as_bytes()).and_then(|()| replies.flush());
                self.closed.store(sent.is_err(), Ordering::Relaxed);
            }
        }
    }

    /// Puts a line that was read into the log file.
    pub fn record(&self, line: &str) {
        self.log(">>", line.trim_end());
    }

    /// True once a line could not be delivered; there is no use in writing more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// From now on adds the traffic to the file at `path`; an empty path ends the log.
    ///
    /// # Errors
    /// When the file cannot be opened for appending. There is no log then.
    pub fn log_to(&self, path: &str) -> io::Result<()> {
        let mut log = lock(&self.log);
        *log = None;
        if !path.is_empty() {
            *log = Some(OpenOptions::new().create(true).append(true).open(path)?);
        }
        Ok(())
    }

    /// A log that cannot be written is given up rather than the game.
    fn log(&self, mark: &str, line: &str) {
        let mut log = lock(&self.log);
        if let Some(file) = log.as_mut()
            && writeln!(file, "{mark} {line}").is_err()
        {
            *log = None;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

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

    /// A writer that says when it is written to and then waits for leave.
    struct Gate {
        entered: mpsc::Sender<()>,
        leave: mpsc::Receiver<()>,
    }

    impl Write for Gate {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.entered.send(()).unwrap();
            self.leave.recv().unwrap();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_recorded_and_questions_answered_while_a_reply_is_stuck() {
        let (entered, has_entered) = mpsc::channel();
        let (let_go, leave) = mpsc::channel();
        let output = Output::new(Gate { entered, leave });
        std::thread::scope(|scope| {
            scope.spawn(|| output.send("readyok"));
            has_entered.recv().unwrap();
            let (recorded, is_recorded) = mpsc::channel();
            let output = &output;
            scope.spawn(move || {
                output.record("isready");
                recorded.send(output.is_closed()).unwrap();
            });
            let outcome = is_recorded.recv_timeout(Duration::from_secs(30));
            let_go.send(()).unwrap();
            assert_eq!(outcome, Ok(false));
        });
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
