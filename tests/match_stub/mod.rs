//! A stub engine with faults on demand, for the tests of matches.
//!
//! The stub is the test program itself, started again to run nothing but the test `stub_engine`, which is a UCI engine
//! when it finds a word `as:...` among its arguments. So nothing has to be installed or built beside the tests.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process;
use std::thread;
use std::time::Duration;

use antiking::rules::{Game, Position, parse_fen, parse_uci};
use antiking::types::Move;

/// The words of `--engine` that start the stub. `behaviour` is made of words that [`Stub::new`] knows.
pub fn engine(name: &str, behaviour: &str) -> Vec<String> {
    let program = std::env::current_exe().unwrap();
    let words: Vec<String> = behaviour.split(' ').map(|word| format!("as:{word}")).collect();
    let arguments = format!("stub_engine --exact --ignored --nocapture {}", words.join(" "));
    vec![format!("cmd={}", program.display()), format!("name={name}"), format!("args={arguments}")]
}

/// What the stub does beside playing legal moves.
#[derive(Default)]
struct Stub {
    /// Answers this in place of every move.
    answer: Option<String>,
    /// The move, from 1, at which the process ends.
    crash_at: Option<usize>,
    /// Says nothing to `uci`.
    mute_at_start: bool,
    /// Ends at once.
    dead: bool,
    /// Says nothing to `go`.
    mute: bool,
    /// Goes on when its input ends.
    undying: bool,
    /// Claims this score, centipawns.
    score: i32,
    /// Takes this long for each move.
    delay: Duration,
    /// Takes three seconds more for one move, when this file does not exist yet, and creates it.
    oversleep: Option<String>,
    /// Names the reply that it expects: the one that another stub gives, or else some other.
    guess: Option<Guess>,
    /// Writes all that it is told to this file.
    log: Option<String>,
    /// Offers no variant but this; `none`: no choice at all.
    variant: Option<String>,
    /// Writes this on its standard error at the start and before each move.
    complaint: Option<String>,
    /// Writes so many bytes on its standard error before each move.
    noise: usize,
    /// Removes this file before it crashes.
    vanish: Option<String>,
    moves_made: usize,
}

/// What a stub that wants to ponder expects.
#[derive(Clone, Copy, PartialEq)]
enum Guess {
    Right,
    Wrong,
}

/// Runs the stub if the arguments ask for it.
pub fn run() {
    let arguments = std::env::args();
    let words: Vec<String> = arguments.filter_map(|word| word.strip_prefix("as:").map(String::from)).collect();
    if words.is_empty() {
        return;
    }
    // The test harness has left a line open.
    println!();
    Stub::new(&words).serve();
    process::exit(0);
}

impl Stub {
    fn new(words: &[String]) -> Stub {
        let mut stub = Stub::default();
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match key {
                "legal" => {}
                "answer" => stub.answer = Some(value.replace('_', " ").trim_end().into()),
                "crash-at" => stub.crash_at = Some(value.parse().unwrap()),
                "mute-at-start" => stub.mute_at_start = true,
                "dead" => stub.dead = true,
                "mute" => stub.mute = true,
                "undying" => stub.undying = true,
                "score" => stub.score = value.parse().unwrap(),
                "delay" => stub.delay = Duration::from_millis(value.parse().unwrap()),
                "oversleep" => stub.oversleep = Some(value.into()),
                "guess" => stub.guess = Some(if value == "right" { Guess::Right } else { Guess::Wrong }),
                "log" => stub.log = Some(value.into()),
                "variant" => stub.variant = Some(value.into()),
                "complaint" => stub.complaint = Some(value.into()),
                "noise" => stub.noise = value.parse().unwrap(),
                "vanish" => stub.vanish = Some(value.into()),
                _ => panic!("unknown behaviour {word}"),
            }
        }
        stub
    }

    fn serve(&mut self) {
        let mut game = Game::new(Position::start());
        let mut is_pondering = false;
        self.complain();
        if self.dead {
            return;
        }
        for line in io::stdin().lock().lines() {
            let line = line.unwrap();
            self.keep(&line);
            if is_pondering && ["ponderhit", "stop"].contains(&line.as_str()) {
                self.answer(&game);
            }
            is_pondering = line.starts_with("go ponder");
            match line.split_ascii_whitespace().next() {
                Some("uci") if !self.mute_at_start => self.greet(),
                Some("isready") => say("readyok"),
                Some("position") => game = read_position(&line),
                Some("go") if !self.mute && !is_pondering => self.answer(&game),
                Some("quit") if !self.undying => return,
                _ => {}
            }
        }
        if self.undying {
            thread::sleep(Duration::from_secs(1000));
        }
    }

    fn complain(&self) {
        let mut err = io::stderr();
        err.write_all(&vec![b'x'; self.noise]).unwrap();
        if let Some(complaint) = &self.complaint {
            writeln!(err, "{}\u{1b}{}", complaint, self.moves_made).unwrap();
        }
    }

    fn keep(&self, line: &str) {
        if let Some(log) = &self.log {
            let mut file = File::options().create(true).append(true).open(log).unwrap();
            file.write_all(format!("{line}\n").as_bytes()).unwrap();
        }
    }

    fn greet(&self) {
        let variant = self.variant.as_deref().unwrap_or("anti-king-2");
        say("id name Stub");
        if variant != "none" {
            say(&format!("option name UCI_Variant type combo default {variant} var {variant}"));
        }
        say("option name Hash type spin default 16 min 1 max 64");
        say("uciok");
    }

    fn answer(&mut self, game: &Game) {
        self.moves_made += 1;
        self.complain();
        if self.crash_at == Some(self.moves_made) {
            if let Some(file) = &self.vanish {
                std::fs::remove_file(file).unwrap();
            }
            process::exit(3);
        }
        thread::sleep(self.delay);
        if let Some(marker) = &self.oversleep
            && !Path::new(marker).exists()
        {
            std::fs::write(marker, "").unwrap();
            thread::sleep(Duration::from_secs(3));
        }
        let mv = peaceful_move(game);
        say(&format!("info depth 5 score cp {} nodes 100 time 1 pv {mv}", self.score));
        match &self.answer {
            Some(answer) => say(&format!("bestmove {answer}")),
            None => say(&format!("bestmove {mv}{}", self.guess(game, mv).unwrap_or_default())),
        }
    }
}

impl Stub {
    fn guess(&self, game: &Game, mv: Move) -> Option<String> {
        let mut after = game.clone();
        after.push(mv);
        let moves = after.position().legal_moves();
        let right = (!moves.is_empty()).then(|| peaceful_move(&after))?;
        let guess = match self.guess? {
            Guess::Right => right,
            Guess::Wrong => moves.into_iter().find(|&other| other != right)?,
        };
        Some(format!(" ponder {guess}"))
    }
}

fn say(line: &str) {
    let mut out = io::stdout();
    // The reader may be gone; the end of the input will tell.
    let _ = writeln!(out, "{}", line.trim_end()).and_then(|()| out.flush());
}

fn read_position(line: &str) -> Game {
    let (position, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let fen = position.strip_prefix("position fen ").unwrap();
    let mut game = Game::new(parse_fen(fen).unwrap().position);
    for text in moves.split_ascii_whitespace() {
        let mv = parse_uci(game.position(), text).unwrap();
        game.push(mv);
    }
    game
}

/// A legal move that the position decides; one that does not end the game, when there is one.
fn peaceful_move(game: &Game) -> Move {
    let moves = game.position().legal_moves();
    let goes_on = |mv: &Move| {
        let mut after = game.clone();
        after.push(*mv);
        after.outcome().is_none()
    };
    let peaceful: Vec<Move> = moves.iter().copied().filter(goes_on).collect();
    let choices = if peaceful.is_empty() { &moves[..] } else { &peaceful[..] };
    choices[(game.position().key() % choices.len() as u64) as usize]
}
