//! An engine as a child process: lines in, lines out, and certainty that it does not outlive its owner.
//!
//! A thread for each child reads its output. It stamps the arrival of every line, keeps the last `info` of a search to
//! itself and hands on only the lines that somebody waits for, so that the owner sleeps until the move is there.

use crate::engine::{Interrupt, Registration};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Longest line that is read, in bytes; the rest of a longer one is thrown away.
const LONGEST_LINE: u64 = 1 << 16;
/// Events that may wait for the owner; a child that talks on meanwhile is held up by its full pipe.
const WAITING_EVENTS: usize = 256;
/// Lines kept for the report of a fault.
const LINES_KEPT: usize = 3;
/// How long a child may take to leave after `quit`.
const PATIENCE_AT_QUIT: Duration = Duration::from_millis(500);

/// How to start a child.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Working directory; `None`: that of this process.
    pub directory: Option<PathBuf>,
    /// File that takes the standard error; `None`: it goes where that of this process goes.
    pub stderr: Option<PathBuf>,
}

/// What a child has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line that answers something (`id`, `option`, `uciok`, `readyok`, `bestmove`), trimmed.
    Line {
        text: String,
        /// When it arrived.
        at: Instant,
        /// The last `info` line with a score of the main line since the last `bestmove`; may be empty.
        info: String,
    },
    /// Its output has ended.
    Closed,
    /// The interrupt was raised.
    Interrupted,
}

/// A running child.
pub struct Process {
    child: Child,
    stdin: ChildStdin,
    events: Receiver<Event>,
    heard: Arc<Heard>,
    _registration: Registration,
}

/// What the reading thread leaves for the owner to look at.
struct Heard {
    started: Instant,
    /// Microseconds from the start to the last line.
    last: AtomicU64,
    lines: Mutex<VecDeque<String>>,
}

impl Process {
    /// Starts a child in a process group of its own, so that a Ctrl-C of the terminal reaches only this process.
    pub fn start(launch: &Launch, interrupt: &Interrupt) -> io::Result<Process> {
        let mut command = Command::new(resolve(launch));
        command.args(&launch.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        if let Some(path) = &launch.stderr {
            command.stderr(File::options().create(true).append(true).open(path)?);
        }
        platform::tie_to_parent(&mut command);
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the child has no pipes"));
        };
        platform::never_block(&stdin)?;
        let (sender, events) = sync_channel(WAITING_EVENTS);
        let heard = Arc::new(Heard { started: Instant::now(), last: AtomicU64::new(0), lines: Mutex::default() });
        let waker = sender.clone();
        // A full queue needs no waking: its owner is not asleep.
        let registration = interrupt.on_raise(move || drop(waker.try_send(Event::Interrupted)));
        let for_reader = heard.clone();
        thread::Builder::new().name("engine output".into()).spawn(move || read(stdout, &sender, &for_reader))?;
        Ok(Process { child, stdin, events, heard, _registration: registration })
    }

    /// Writes lines (each ended by a newline) to the child; fails when it does not take them within `patience`.
    pub fn send(&mut self, lines: &str, patience: Duration) -> io::Result<()> {
        log::trace!("to {}: {}", self.child.id(), lines.trim_end());
        let deadline = Instant::now() + patience;
        let mut rest = lines.as_bytes();
        while !rest.is_empty() {
            match self.stdin.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    platform::wait_until_writable(&self.stdin, deadline)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next event, `None` when there is none before the deadline.
    pub fn next_event(&self, deadline: Instant) -> Option<Event> {
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Closed),
        }
    }

    /// Throws away what has arrived unasked; false when the end of the output is among it.
    pub fn forget_waiting_lines(&self) -> bool {
        !self.events.try_iter().any(|event| event == Event::Closed)
    }

    /// When the child last wrote a line (its start, if it never did).
    pub fn last_heard(&self) -> Instant {
        self.heard.started + Duration::from_micros(self.heard.last.load(Ordering::Acquire))
    }

    /// The last lines of the child, oldest first, for the report of a fault.
    pub fn last_lines(&self) -> Vec<String> {
        self.heard.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// How the child ended, if it has.
    pub fn exit_status(&mut self) -> Option<String> {
        let deadline = Instant::now() + Duration::from_millis(100);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }

    /// Asks the child to leave, waits a little, and makes sure.
    pub fn quit(mut self) {
        if self.send("quit\n", PATIENCE_AT_QUIT).is_ok() {
            let deadline = Instant::now() + PATIENCE_AT_QUIT;
            while !matches!(self.next_event(deadline), None | Some(Event::Closed)) {}
        }
    }
}

/// Ends the child and everything it has started in its group.
impl Drop for Process {
    fn drop(&mut self) {
        platform::kill_group(&mut self.child);
        if let Err(error) = self.child.wait() {
            log::warn!("cannot wait for process {}: {error}", self.child.id());
        }
    }
}

/// A relative path is looked for in the working directory of the child first, then in ours; a bare name in PATH.
fn resolve(launch: &Launch) -> PathBuf {
    let program = &launch.program;
    if program.is_absolute() || program.components().count() < 2 {
        return program.clone();
    }
    let in_directory = launch.directory.as_deref().unwrap_or(Path::new(".")).join(program);
    let found = if in_directory.exists() { &in_directory } else { program };
    std::path::absolute(found).unwrap_or_else(|_| found.clone())
}

fn read(stdout: ChildStdout, events: &SyncSender<Event>, heard: &Heard) {
    let mut reader = BufReader::with_capacity(1 << 15, stdout);
    let mut line = Vec::new();
    let mut info = String::new();
    while read_line(&mut reader, &mut line) {
        let at = Instant::now();
        heard.last.store(at.duration_since(heard.started).as_micros() as u64, Ordering::Release);
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        log::trace!("line: {text}");
        match text.split_ascii_whitespace().next() {
            Some("info") => keep_info(text, &mut info),
            Some(word @ ("id" | "option" | "uciok" | "readyok" | "bestmove")) => {
                keep_line(heard, text);
                let info = if word == "bestmove" { std::mem::take(&mut info) } else { String::new() };
                if events.send(Event::Line { text: text.into(), at, info }).is_err() {
                    return;
                }
            }
            Some(_) => keep_line(heard, text),
            None => {}
        }
    }
    // The owner may be gone already.
    let _ = events.send(Event::Closed);
}

/// Reads a line into `line`, cut at the greatest length; false at the end of the output.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> bool {
    line.clear();
    match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', line) {
        Ok(0) | Err(_) => false,
        Ok(_) if line.ends_with(b"\n") || (line.len() as u64) < LONGEST_LINE => true,
        Ok(_) => skip_rest_of_line(reader),
    }
}

fn skip_rest_of_line(reader: &mut impl BufRead) -> bool {
    loop {
        let Ok(buffer) = reader.fill_buf() else { return false };
        if buffer.is_empty() {
            return false;
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            return true;
        }
    }
}

/// Keeps an `info` that carries an exact score of the main line. Only such a line tells what the engine thinks of its
/// move; bounds and further lines of a multiple search do not.
fn keep_info(text: &str, kept: &mut String) {
    let has = |needle: &str| text.contains(needle);
    let is_chatter = text["info".len()..].trim_start().starts_with("string");
    let is_side_line = has(" multipv ") && !has(" multipv 1 ");
    if has(" score ") && !has("bound ") && !text.ends_with("bound") && !is_side_line && !is_chatter {
        kept.clear();
        kept.push_str(text);
    }
}

fn keep_line(heard: &Heard, text: &str) {
    let mut lines = heard.lines.lock().unwrap_or_else(PoisonError::into_inner);
    if lines.len() == LINES_KEPT {
        lines.pop_front();
    }
    lines.push_back(text.into());
}

#[cfg(unix)]
mod platform {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, ChildStdin, Command};
    use std::time::Instant;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Pid, Signal, kill_process_group};

    /// A group of its own; on Linux the kernel also kills the child when the thread that started it ends, so that it does
    /// not outlive even a killed runner. Elsewhere the end of its input tells the child.
    pub fn tie_to_parent(command: &mut Command) {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        {
            let parent = rustix::process::getpid();
            let die_with_parent = move || {
                rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
                // The parent may have gone before the signal was asked for.
                if rustix::process::getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
            };
            // SAFETY: between fork and exec only two plain system calls are made, and nothing is allocated or locked.
            unsafe {
                command.pre_exec(die_with_parent);
            }
        }
    }

    pub fn never_block(stdin: &ChildStdin) -> io::Result<()> {
        Ok(rustix::io::ioctl_fionbio(stdin, true)?)
    }

    pub fn wait_until_writable(stdin: &ChildStdin, deadline: Instant) -> io::Result<()> {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(stdin, PollFlags::OUT)], Some(&timeout)) {
            Ok(0) => Err(io::ErrorKind::TimedOut.into()),
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub fn kill_group(child: &mut Child) {
        // Fails only when nobody is left in the group.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
}

#[cfg(not(unix))]
mod platform {
    use std::io;
    use std::process::{Child, ChildStdin, Command};
    use std::time::Instant;

    pub fn tie_to_parent(_command: &mut Command) {}

    pub fn never_block(_stdin: &ChildStdin) -> io::Result<()> {
        Ok(())
    }

    pub fn wait_until_writable(_stdin: &ChildStdin, _deadline: Instant) -> io::Result<()> {
        Ok(())
    }

    pub fn kill_group(child: &mut Child) {
        // Fails only when the child is gone.
        let _ = child.kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let launch = Launch { program: "sh".into(), arguments: vec!["-c".into(), script.into()], ..Launch::default() };
        Process::start(&launch, &Interrupt::new()).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn line(process: &Process) -> (String, String) {
        match process.next_event(soon()) {
            Some(Event::Line { text, info, .. }) => (text, info),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn hands_on_answers_with_the_last_exact_info() {
        let process = shell(
            r"printf 'chatter\ninfo depth 3 score cp 5 pv a2a3\ninfo depth 4 score cp 9 lowerbound\n'
              printf 'info depth 4 multipv 2 score cp 1 pv h2h3\r\ninfo string score cp 7\n\nbestmove a2a3 \r\nreadyok'",
        );
        assert_eq!(line(&process), ("bestmove a2a3".into(), "info depth 3 score cp 5 pv a2a3".into()));
        assert_eq!(line(&process), ("readyok".into(), String::new()));
        assert_eq!(process.next_event(soon()), Some(Event::Closed));
        assert_eq!(process.last_lines(), ["chatter", "bestmove a2a3", "readyok"]);
    }

    #[test]
    fn endless_and_invalid_lines_do_no_harm() {
        let process = shell(r"head -c 300000 /dev/zero | tr '\0' 'x'; printf '\n\322\nuciok\n'");
        assert_eq!(line(&process).0, "uciok");
        assert!(process.last_lines()[0].len() as u64 <= LONGEST_LINE);
    }

    #[test]
    fn a_child_that_never_reads_is_noticed() {
        let mut process = shell("sleep 60");
        let filler = format!("{}\n", "x".repeat(1 << 20));
        let error = process.send(&filler, Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn interrupt_wakes_the_owner() {
        let interrupt = Interrupt::new();
        let launch = Launch { program: "cat".into(), ..Launch::default() };
        let process = Process::start(&launch, &interrupt).unwrap();
        assert_eq!(process.next_event(Instant::now()), None);
        interrupt.raise();
        assert_eq!(process.next_event(soon()), Some(Event::Interrupted));
    }

    #[test]
    fn the_whole_group_dies_with_its_owner() {
        let process = shell("sleep 1000 & echo id $!; trap '' TERM; wait");
        let grandchild: u32 = line(&process).0.split(' ').nth(1).unwrap().parse().unwrap();
        let alive = || {
            let state = std::fs::read_to_string(format!("/proc/{grandchild}/stat")).unwrap_or_default();
            !state.is_empty() && !state.contains(") Z ")
        };
        assert!(alive() || !cfg!(target_os = "linux"));
        drop(process);
        let deadline = soon();
        while alive() {
            assert!(Instant::now() < deadline, "process {grandchild} outlives its owner");
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn programs_are_looked_for_where_they_run() {
        let launch = |program: &str, directory: &str| Launch {
            program: program.into(),
            directory: Some(directory.into()),
            ..Launch::default()
        };
        assert_eq!(resolve(&launch("./sh", "/bin")), Path::new("/bin/sh"));
        assert_eq!(resolve(&launch("/bin/sh", "/")), Path::new("/bin/sh"));
        assert_eq!(resolve(&launch("sh", "/tmp")), Path::new("sh"));
        assert!(resolve(&launch("./no/such", "/bin")).is_absolute());
    }
}
