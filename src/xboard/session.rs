//! What each command does, and when.
//!
//! While the engine thinks about its move, commands that change the game end the search without a move, and those that do
//! not wait for the move where the protocol asks for it. Analysis and pondering make way for whatever comes, and analysis
//! then starts anew.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Instant;

use super::clock::Clock;
use super::command::{self, Command};
use super::narrator::{Blackboard, XboardNarrator};
use super::reply;
use crate::engine::Engine;
use crate::frontend::{self, Desk, Output, Protocol, Reading, first_move};
use crate::rules::{DrawKind, Game, MoveError, Outcome, Position, Quoted, VARIANT, parse_fen, parse_uci, to_san};
use crate::search::{Limits, SearchResult};
use crate::types::{Move, Score};

/// A draw is agreed to by a side that sees itself at this or below.
const DRAW_IS_WELCOME: Score = Score(-50);

/// Serves one GUI until `quit`, the end of `input` or a reader of the replies that is gone.
///
/// # Errors
/// When the log file that the options name cannot be opened, or the system gives no thread.
pub fn run(engine: Engine, input: impl BufRead + Send + 'static, output: Output) -> io::Result<()> {
    frontend::serve(Session::new(), engine, input, output)
}

type XboardDesk = Desk<SearchResult>;

/// What the engine does with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It only keeps the moves.
    Force,
    /// It answers every move with one of its own.
    Play,
    /// It thinks about every position.
    Analyze,
}

/// What the search that runs is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// The engine's own move.
    Move,
    /// The answer to this move of the opponent, who has not played it yet.
    Ponder(Move),
    Analysis,
    /// Nothing any more: it was told to stop.
    Nothing,
}

struct Session {
    game: Game,
    mode: Mode,
    clock: Clock,
    /// True if the engine may think on the opponent's time.
    ponders: bool,
    /// True if the opponent is a program, whose GUI checks claims.
    opponent_is_engine: bool,
    /// What the engine expects the opponent to play.
    expected: Option<Move>,
    /// What the engine thought of its game when it last moved.
    score: Option<Score>,
    purpose: Purpose,
    /// True while the GUI shows a board that is no legal position: the game here is not the one there.
    is_board_refused: bool,
    /// When the engine's clock began to run.
    thinking_since: Instant,
    board: Arc<Blackboard>,
}

impl Protocol for Session {
    type Answer = SearchResult;

    fn read(&mut self, desk: &mut XboardDesk, line: &str) -> Reading {
        let command = match command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Reading::Done,
            Err(error) => {
                desk.send(&error.to_string());
                return Reading::Done;
            }
        };
        if self.has_to_wait(desk, &command) {
            return Reading::Later;
        }
        self.act(desk, command);
        if self.mode == Mode::Analyze {
            self.analyze(desk);
        }
        Reading::Done
    }

    fn finish(&mut self, desk: &mut XboardDesk, result: SearchResult) {
        if std::mem::replace(&mut self.purpose, Purpose::Nothing) == Purpose::Move {
            self.play(desk, &result);
        }
    }
}

impl Session {
    fn new() -> Session {
        Session {
            game: Game::new(Position::start()),
            mode: Mode::Play,
            clock: Clock::new(),
            ponders: false,
            opponent_is_engine: false,
            expected: None,
            score: None,
            purpose: Purpose::Nothing,
            is_board_refused: false,
            thinking_since: Instant::now(),
            board: Arc::default(),
        }
    }

    /// True of a command that acts only after the search that runs; ends that search where the command makes it useless.
    fn has_to_wait(&mut self, desk: &mut XboardDesk, command: &Command) -> bool {
        let Some(task) = desk.task() else {
            return false;
        };
        let is_ending = task.is_ending();
        let thinks = self.purpose == Purpose::Move;
        match command {
            Command::Quit => false,
            _ if is_ending => true,
            Command::Ping(_) => thinks,
            Command::UserMove(text) if self.is_expected(text) => false,
            Command::UserMove(_) | Command::SetOption { .. } if thinks => true,
            Command::Exit if self.mode != Mode::Analyze => false,
            Command::New
            | Command::Force
            | Command::Go
            | Command::PlayOther
            | Command::UserMove(_)
            | Command::Result
            | Command::SetBoard(_)
            | Command::Undo
            | Command::Remove
            | Command::Analyze
            | Command::Exit
            | Command::SetOption { .. } => {
                self.purpose = Purpose::Nothing;
                desk.stop();
                true
            }
            _ => false,
        }
    }

    /// True if this is the move that the engine ponders on.
    fn is_expected(&self, text: &str) -> bool {
        matches!(self.purpose, Purpose::Ponder(expected) if parse_uci(self.game.position(), text) == Ok(expected))
    }

    fn act(&mut self, desk: &mut XboardDesk, command: Command) {
        match command {
            Command::Ignored => {}
            Command::ProtocolVersion => desk.send(&reply::features(desk.options())),
            Command::New => self.new_game(desk),
            Command::Variant(name) if name == VARIANT => desk.send(&reply::variant()),
            Command::Variant(name) => desk.send(&format!("Error (unsupported variant): {}", Quoted::new(&name))),
            Command::Quit => desk.quit(),
            Command::Exit if self.mode != Mode::Analyze => {}
            Command::Force | Command::Exit => self.mode = Mode::Force,
            Command::Go if self.is_board_refused => desk.send(&refused("go")),
            Command::Go => self.go(desk),
            Command::PlayOther => self.mode = Mode::Play,
            Command::Level(level) => self.clock.set_level(level, &self.game),
            Command::MoveTime(time) => self.clock.set_move_time(time),
            Command::Depth(depth) => self.clock.depth = Some(depth),
            Command::Time(time) => self.clock.own = time,
            Command::OpponentTime(time) => self.clock.opponent = time,
            Command::UserMove(text) => self.user_move(desk, &text),
            Command::MoveNow if self.purpose == Purpose::Move => desk.stop(),
            Command::MoveNow => {}
            Command::Ping(number) => desk.send(&format!("pong {number}")),
            Command::Draw => self.answer_draw(desk),
            Command::Result if self.mode == Mode::Play => self.mode = Mode::Force,
            Command::Result => {}
            Command::SetBoard(fen) => self.set_board(desk, &fen),
            Command::Hint => self.hint(desk),
            Command::Undo => self.take_back(desk, 1, "undo"),
            Command::Remove => self.take_back(desk, 2, "remove"),
            Command::Ponder(ponders) => self.set_pondering(desk, ponders),
            Command::Post(posts) => self.board.set_posting(posts),
            Command::Analyze => self.mode = Mode::Analyze,
            Command::Status => self.show_status(desk),
            Command::Lift(_) if self.is_board_refused => {}
            Command::Lift(square) => desk.send(&reply::highlight(self.game.position(), square)),
            Command::Computer => self.opponent_is_engine = true,
            Command::SetOption { name, value } => set_option(desk, &name, value.as_deref()),
        }
    }

    fn new_game(&mut self, desk: &mut XboardDesk) {
        desk.new_game();
        self.set_game(Game::new(Position::start()));
        self.clock.restart();
        self.opponent_is_engine = false;
        if self.mode == Mode::Force {
            self.mode = Mode::Play;
        }
    }

    /// Goes on from another game or place in the game.
    fn set_game(&mut self, game: Game) {
        (self.game, self.expected, self.score, self.is_board_refused) = (game, None, None, false);
    }

    /// After a board that is no legal position nothing is played, until there is another: the GUI shows that one.
    fn set_board(&mut self, desk: &XboardDesk, fen: &str) {
        match parse_fen(fen) {
            Ok(parsed) => {
                for repair in &parsed.repairs {
                    desk.send(&format!("# {repair}"));
                }
                self.set_game(Game::new(parsed.position));
            }
            Err(error) => {
                desk.send(&format!("tellusererror Illegal position: {error}"));
                (self.expected, self.score, self.is_board_refused) = (None, None, true);
            }
        }
    }

    fn take_back(&mut self, desk: &XboardDesk, plies: usize, word: &str) {
        if self.is_board_refused {
            return desk.send(&refused(word));
        }
        match self.game.moves().len().checked_sub(plies) {
            Some(moves) => self.set_game(self.game.prefix(moves)),
            None => desk.send(&format!("Error (nothing to take back): {word}")),
        }
    }

    fn user_move(&mut self, desk: &mut XboardDesk, text: &str) {
        if self.is_board_refused {
            return desk.send(&format!("Illegal move (illegal position): {}", Quoted::new(text)));
        }
        let mv = match parse_uci(self.game.position(), text) {
            Ok(mv) => mv,
            Err(MoveError::Malformed(text) | MoveError::Illegal(text) | MoveError::Ambiguous(text)) => {
                return desk.send(&format!("Illegal move: {text}"));
            }
        };
        self.game.push(mv);
        self.expected = None;
        if desk.task().is_some() {
            self.purpose = Purpose::Move;
            self.thinking_since = Instant::now();
            desk.ponder_hit();
        } else if self.mode == Mode::Play {
            self.think(desk);
        }
    }

    fn go(&mut self, desk: &mut XboardDesk) {
        self.mode = Mode::Play;
        self.think(desk);
    }

    /// Starts to think about the engine's move, if the game goes on.
    fn think(&mut self, desk: &mut XboardDesk) {
        if let Some(outcome) = self.game.outcome() {
            return self.claim(desk, outcome);
        }
        self.expected = None;
        self.thinking_since = Instant::now();
        let limits = self.clock.limits(self.game.position().turn(), &self.game);
        let unsearched = first_move(self.game.position(), &limits);
        if !self.search(desk, Purpose::Move, &self.game.clone(), limits) {
            self.play(desk, &unsearched);
        }
    }

    /// Plays the engine's move.
    fn play(&mut self, desk: &mut XboardDesk, result: &SearchResult) {
        let Some(best) = result.best else { return };
        self.clock.spend(self.thinking_since.elapsed(), &self.game);
        self.score = Some(result.score);
        self.expected = result.ponder.filter(|&answer| self.game.goes_on_after(&[best, answer]));
        self.game.push(best);
        let outcome = self.game.outcome();
        if let Some(Outcome::Draw(_)) = outcome
            && self.opponent_is_engine
        {
            desk.send("offer draw");
        }
        desk.send(&format!("move {best}"));
        match outcome {
            Some(Outcome::Mate { .. } | Outcome::Draw(DrawKind::Stalemate)) if self.opponent_is_engine => {}
            Some(outcome) => desk.send(&reply::claim(outcome)),
            None => self.ponder(desk),
        }
    }

    /// Says how the game has ended, the engine being the side to move.
    fn claim(&self, desk: &XboardDesk, outcome: Outcome) {
        match outcome {
            Outcome::Draw(DrawKind::Stalemate) if self.opponent_is_engine => desk.send("offer draw"),
            _ => desk.send(&reply::claim(outcome)),
        }
    }

    fn answer_draw(&self, desk: &XboardDesk) {
        let is_drawn = !self.is_board_refused && matches!(self.game.outcome(), Some(Outcome::Draw(_)));
        if is_drawn || self.score.is_some_and(|score| score <= DRAW_IS_WELCOME) {
            desk.send("offer draw");
        }
    }

    fn hint(&self, desk: &XboardDesk) {
        if let Some(expected) = self.expected {
            desk.send(&format!("Hint: {}", to_san(self.game.position(), expected)));
        }
    }

    fn set_pondering(&mut self, desk: &mut XboardDesk, ponders: bool) {
        self.ponders = ponders;
        if !ponders && matches!(self.purpose, Purpose::Ponder(_)) {
            self.purpose = Purpose::Nothing;
            desk.stop();
        }
    }

    /// Thinks about the answer to the move that is expected, if that is wanted.
    fn ponder(&mut self, desk: &mut XboardDesk) {
        let Some(expected) = self.expected.filter(|_| self.ponders && !desk.is_leaving()) else { return };
        let mut game = self.game.clone();
        game.push(expected);
        // The lines of thinking begin behind the move that is expected.
        if self.board.is_posting() {
            self.hint(desk);
        }
        let limits = Limits { ponder: true, ..self.clock.limits(game.position().turn(), &game) };
        self.search(desk, Purpose::Ponder(expected), &game, limits);
    }

    /// Goes on with the analysis, if it has stopped.
    fn analyze(&mut self, desk: &mut XboardDesk) {
        if desk.task().is_none() && !desk.is_leaving() && !self.is_board_refused {
            let limits = Limits { infinite: true, ..Limits::default() };
            self.search(desk, Purpose::Analysis, &self.game.clone(), limits);
        }
    }

    /// False if no search could be started.
    fn search(&mut self, desk: &mut XboardDesk, purpose: Purpose, game: &Game, limits: Limits) -> bool {
        let narrator = XboardNarrator::new(game.position(), &self.board);
        match desk.search(game, limits, narrator) {
            Ok(()) => {
                self.purpose = purpose;
                true
            }
            Err(error) => {
                desk.send(&format!("telluser no engine: {error}"));
                false
            }
        }
    }

    fn show_status(&self, desk: &XboardDesk) {
        if self.purpose == Purpose::Analysis {
            desk.send(&self.board.status());
        }
    }
}

/// The answer to a command that needs the board which was refused.
fn refused(word: &str) -> String {
    format!("Error (illegal position): {word}")
}

fn set_option(desk: &mut XboardDesk, name: &str, value: Option<&str>) {
    match desk.set_option(name, value) {
        Ok(applied) if applied.clamped_from.is_some() => desk.send(&format!("# {applied}")),
        Ok(_) => {}
        Err(error) => desk.send(&format!("Error ({error}): option {}", Quoted::new(name))),
    }
}
