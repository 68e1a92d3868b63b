//! An engine as a child process: lines in, lines out, and certainty that it does not outlive its owner.
//!
//! A thread for each child reads its output. It stamps the arrival of every line, keeps the last `info` of a search to
//! itself and hands on only the lines that somebody waits for, so that the owner sleeps until the move is there. Another
//! reads the standard error, so that the child never waits for a reader, and keeps its last lines.

use super::traffic::{Direction, ProcessTraffic, TrafficLog};
use crate::engine::{Interrupt, Registration};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Longest line that is read, in bytes; the rest of a longer one is thrown away.
const LONGEST_LINE: u64 = 1 << 16;
/// Events that may wait for the owner; a child that talks on meanwhile is held up by its full pipe.
const WAITING_EVENTS: usize = 256;
/// Lines kept for the report of a fault.
const LINES_KEPT: usize = 3;
/// Lines of the standard error kept for that report, and the bytes kept of each.
const ERROR_LINES_KEPT: usize = 8;
const ERROR_BYTES_KEPT: usize = 1 << 10;
/// How long a child may take to leave after `quit`.
const PATIENCE_AT_QUIT: Duration = Duration::from_millis(500);

/// How to start a child.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Working directory; `None`: that of this process.
    pub directory: Option<PathBuf>,
    /// File that takes the whole standard error; `None`: only its last lines are kept.
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
    errors: Arc<Mutex<Tail>>,
    /// Disconnected when the standard error has been read to its end.
    errors_end: Receiver<()>,
    traffic: Option<ProcessTraffic>,
    _registration: Registration,
}

/// What the reading thread leaves for the owner to look at.
struct Heard {
    started: Instant,
    /// Microseconds from the start to the last line.
    last: AtomicU64,
    lines: Mutex<VecDeque<String>>,
}

impl Heard {
    fn new() -> Heard {
        Heard { started: Instant::now(), last: AtomicU64::new(0), lines: Mutex::default() }
    }
}

impl Process {
    /// Starts a child in a process group of its own, so that a Ctrl-C of the terminal reaches only this process. All that is
    /// said is recorded in the log under the name of the engine.
    pub fn start(launch: &Launch, log: Option<(&Arc<TrafficLog>, &str)>, interrupt: &Interrupt) -> io::Result<Process> {
        let mut command = Command::new(resolve(launch));
        command.args(&launch.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        let errors_file = match &launch.stderr {
            Some(path) => Some(File::options().create(true).append(true).open(path)?),
            None => None,
        };
        platform::tie_to_parent(&mut command);
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("the child has no pipes"));
        };
        platform::never_block(&stdin)?;
        let traffic = log.map(|(log, engine)| TrafficLog::of_process(log, engine, child.id()));
        let (sender, events) = sync_channel(WAITING_EVENTS);
        let (errors_guard, errors_end) = channel();
        let (heard, errors) = (Arc::new(Heard::new()), Arc::<Mutex<Tail>>::default());
        let waker = sender.clone();
        // A full queue needs no waking: its owner is not asleep.
        let registration = interrupt.on_raise(move || drop(waker.try_send(Event::Interrupted)));
        let (heard_there, errors_there) = (heard.clone(), errors.clone());
        let (traffic_there, traffic_of_errors) = (traffic.clone(), traffic.clone());
        // From here on the child dies with this value.
        let process = Process { child, stdin, events, heard, errors, errors_end, traffic, _registration: registration };
        let read_output = move || read(stdout, &sender, &heard_there, traffic_there.as_ref());
        thread::Builder::new().name("engine output".into()).spawn(read_output)?;
        let read_errors = move || {
            drain(stderr, errors_file, &errors_there, traffic_of_errors.as_ref());
            drop::<std::sync::mpsc::Sender<()>>(errors_guard);
        };
        thread::Builder::new().name("engine errors".into()).spawn(read_errors)?;
        Ok(process)
    }

    /// Tells the log which game the child plays from now on.
    pub fn set_game(&self, number: u64) {
        if let Some(traffic) = &self.traffic {
            traffic.set_game(number);
        }
    }

    /// Writes lines (each ended by a newline) to the child; gives the moment right before they went out.
    ///
    /// # Errors
    /// When the child does not take them within `patience`, or is gone.
    pub fn send(&mut self, lines: &str, patience: Duration) -> io::Result<Instant> {
        log::trace!("to {}: {}", self.child.id(), lines.trim_end());
        if let Some(traffic) = &self.traffic {
            let now = Instant::now();
            lines.lines().for_each(|line| traffic.record(Direction::ToEngine, now, line));
        }
        let mut rest = lines.as_bytes();
        let sent = Instant::now();
        while !rest.is_empty() {
            match self.stdin.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    platform::wait_until_writable(&self.stdin, sent + patience)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(sent)
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
        lock(&self.heard.lines).iter().cloned().collect()
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
        self.ask_to_leave();
    }

    /// Ends the child like [`Process::quit`] and gives the last lines of its standard error, oldest first: with the child
    /// gone, none is still under way.
    pub fn post_mortem(mut self) -> Vec<String> {
        self.ask_to_leave();
        platform::kill_group(&mut self.child);
        // A process that has left the group may hold the stream open.
        let _ = self.errors_end.recv_timeout(PATIENCE_AT_QUIT);
        lock(&self.errors).lines()
    }

    fn ask_to_leave(&mut self) {
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

/// A stream that notes when its bytes came in: what is done with one line does not make the next one seem late.
struct Stamped<R> {
    inner: R,
    last_read: Instant,
}

impl<R: Read> Read for Stamped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer);
        self.last_read = Instant::now();
        length
    }
}

fn read(stdout: ChildStdout, events: &SyncSender<Event>, heard: &Heard, traffic: Option<&ProcessTraffic>) {
    let stamped = Stamped { inner: stdout, last_read: heard.started };
    let mut reader = BufReader::with_capacity(1 << 15, stamped);
    let mut line = Vec::new();
    let mut info = String::new();
    while read_line(&mut reader, &mut line) {
        // The last read brought the end of this line: an earlier one would have ended it earlier.
        let at = reader.get_ref().last_read;
        heard.last.store(at.duration_since(heard.started).as_micros() as u64, Ordering::Release);
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        log::trace!("line: {text}");
        if let Some(traffic) = traffic.filter(|_| !text.is_empty()) {
            traffic.record(Direction::FromEngine, at, text);
        }
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

/// Reads the standard error to its end, keeps its last lines and copies all of it to the file.
fn drain(stderr: ChildStderr, mut file: Option<File>, errors: &Mutex<Tail>, traffic: Option<&ProcessTraffic>) {
    let mut reader = BufReader::new(stderr);
    loop {
        let bytes = match reader.fill_buf() {
            Ok([]) => return,
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        if let Some(Err(error)) = file.as_mut().map(|file| file.write_all(bytes)) {
            log::warn!("cannot keep the standard error of an engine: {error}");
            file = None;
        }
        let now = Instant::now();
        let record = |line: &str| {
            if let Some(traffic) = traffic {
                traffic.record(Direction::StandardError, now, line);
            }
        };
        lock(errors).push(bytes, record);
        let length = bytes.len();
        reader.consume(length);
    }
}

/// The last lines of a stream of any length.
#[derive(Default)]
struct Tail {
    lines: VecDeque<String>,
    /// The beginning of the line that has not ended.
    open: Vec<u8>,
}

impl Tail {
    /// Takes more of the stream; each line that ends is also handed to `ended`.
    fn push(&mut self, bytes: &[u8], ended: impl Fn(&str)) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = ERROR_BYTES_KEPT - self.open.len();
            self.open.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n")
                && let Some(line) = self.take_open()
            {
                ended(&line);
                if self.lines.len() == ERROR_LINES_KEPT {
                    self.lines.pop_front();
                }
                self.lines.push_back(line);
            }
        }
    }

    /// The lines, the one that has not ended among them.
    fn lines(&mut self) -> Vec<String> {
        let open = self.take_open();
        self.lines.iter().cloned().chain(open).collect()
    }

    /// `None` for a blank line.
    fn take_open(&mut self) -> Option<String> {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.open)).trim_end().to_string();
        (!line.is_empty()).then_some(line)
    }
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

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep_line(heard: &Heard, text: &str) {
    let mut lines = lock(&heard.lines);
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
        Process::start(&launch, None, &Interrupt::new()).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    /// The last errors of a child that ends by itself.
    fn errors_of(process: Process) -> Vec<String> {
        assert_eq!(process.next_event(soon()), Some(Event::Closed));
        process.post_mortem()
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
    fn lines_that_come_together_have_one_time() {
        let process = shell(r"printf 'id a\nuciok\n'; sleep 0.2; printf 'readyok\n'; sleep 60");
        let at = |process: &Process| match process.next_event(soon()) {
            Some(Event::Line { at, .. }) => at,
            other => panic!("{other:?}"),
        };
        let times = [at(&process), at(&process), at(&process)];
        assert!(times[0] == times[1] && times[2] >= times[1] + Duration::from_millis(200), "{times:?}");
        assert!(process.last_heard() <= times[2]);
    }

    #[test]
    fn the_end_of_the_standard_error_is_kept_whatever_its_length() {
        let lines = |script: &str| errors_of(shell(script));
        assert_eq!(lines("echo a >&2; echo >&2; printf b >&2"), ["a", "b"]);
        // Far more than a pipe holds, so that the script ends only when it is read.
        let process = shell(r"head -c 3000000 /dev/zero | tr '\0' 'x' >&2; seq 100 >&2; echo uciok; read -r word");
        assert_eq!(line(&process).0, "uciok");
        let last: Vec<String> = (93..=100).map(|number| number.to_string()).collect();
        assert_eq!(process.post_mortem(), last);
        let mut long = lines(r"head -c 3000000 /dev/zero | tr '\0' 'x' >&2");
        assert_eq!((long.len(), long.remove(0)), (1, "x".repeat(ERROR_BYTES_KEPT)));
    }

    #[test]
    fn a_file_takes_the_whole_standard_error() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("errors");
        let launch = Launch {
            program: "sh".into(),
            arguments: vec!["-c".into(), "seq 1000 >&2".into()],
            stderr: Some(file.clone()),
            ..Launch::default()
        };
        for times in 1..=2 {
            let process = Process::start(&launch, None, &Interrupt::new()).unwrap();
            assert_eq!(errors_of(process).len(), ERROR_LINES_KEPT);
            assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 1000 * times);
        }
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
        let process = Process::start(&launch, None, &interrupt).unwrap();
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
