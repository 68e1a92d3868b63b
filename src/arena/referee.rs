//! One game between two players, judged by the rules and the clock alone.

use std::time::{Duration, Instant};

use super::adjudication::{Adjudication, Adjudicator};
use super::ending::{EndKind, Ending};
use super::limits::PlayLimits;
use super::player::{Answer, Fault, Player, SearchReport, Turn};
use super::printable::{cut, printable};
use super::time_control::Clock;
use crate::rules::{Game, parse_uci};
use crate::types::{Color, Move};

/// The two players of a game with what each may spend, White first.
pub struct Seats<'a> {
    pub players: [&'a mut dyn Player; 2],
    pub limits: [&'a PlayLimits; 2],
}

/// A game that has ended.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub game: Game,
    /// How many of the moves come from the opening.
    pub opening_plies: usize,
    /// What the players said and spent, for each move after the opening.
    pub moves: Vec<MadeMove>,
    pub ending: Ending,
    /// What went wrong in full, when a player was at fault.
    pub incident: Option<String>,
    pub duration: Duration,
}

/// A move of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeMove {
    pub report: SearchReport,
    pub elapsed: Duration,
}

/// The match ended before the game did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished;

/// Plays the game of a number from the end of the opening. `seed` is all the chance that the players may use.
pub fn play(
    seats: Seats,
    opening: &Game,
    adjudication: Adjudication,
    number: u64,
    seed: u64,
) -> Result<PlayedGame, Unfinished> {
    let started = Instant::now();
    let mut referee = Referee::new(seats, opening, adjudication);
    let (ending, incident) = match referee.run(number, seed) {
        Ok(ending) => (ending, None),
        Err(blame) => {
            let (ending, incident) = referee.judge(blame)?;
            (ending, Some(incident))
        }
    };
    Ok(PlayedGame {
        game: referee.game,
        opening_plies: opening.moves().len(),
        moves: referee.moves,
        ending,
        incident,
        duration: started.elapsed(),
    })
}

/// A player's failure to make a move.
struct Blame {
    side: Color,
    failure: Failure,
}

enum Failure {
    Fault(Fault),
    Illegal(Answer),
    Late { elapsed: Duration, allowed: Duration, line: String },
}

struct Referee<'a> {
    seats: Seats<'a>,
    game: Game,
    clocks: [Option<Clock>; 2],
    adjudicator: Adjudicator,
    moves: Vec<MadeMove>,
}

impl<'a> Referee<'a> {
    fn new(seats: Seats<'a>, opening: &Game, adjudication: Adjudication) -> Referee<'a> {
        let clocks = seats.limits.map(|limits| limits.time_control.map(Clock::new));
        Referee { seats, game: opening.clone(), clocks, adjudicator: Adjudicator::new(adjudication), moves: Vec::new() }
    }

    fn run(&mut self, number: u64, seed: u64) -> Result<Ending, Blame> {
        for side in Color::ALL {
            let ready = self.seats.players[side.index()].new_game(number, seed);
            ready.map_err(|fault| Blame { side, failure: Failure::Fault(fault) })?;
        }
        loop {
            if let Some(outcome) = self.game.outcome() {
                return Ok(Ending::by_rules(outcome));
            }
            let made = self.make_move()?;
            // The rules end a game before an adjudication does.
            let verdict = self.adjudicator.after_move(self.game.position(), made.report.evaluation);
            if let (Some(ending), None) = (verdict, self.game.outcome()) {
                return Ok(ending);
            }
        }
    }

    fn make_move(&mut self) -> Result<MadeMove, Blame> {
        let side = self.game.position().turn();
        let blame = |failure| Blame { side, failure };
        let (answer, allowed) = self.ask(side).map_err(|fault| blame(Failure::Fault(fault)))?;
        if let Some(allowed) = allowed.filter(|&allowed| answer.elapsed > allowed) {
            return Err(blame(Failure::Late { elapsed: answer.elapsed, allowed, line: answer.line }));
        }
        let Ok(mv) = parse_uci(self.game.position(), &answer.text) else {
            return Err(blame(Failure::Illegal(answer)));
        };
        self.game.push(mv);
        if let Some(clock) = &mut self.clocks[side.index()] {
            clock.move_made(answer.elapsed);
        }
        let made = MadeMove { report: answer.report, elapsed: answer.elapsed };
        self.moves.push(made);
        Ok(made)
    }

    fn ask(&mut self, side: Color) -> Result<(Answer, Option<Duration>), Fault> {
        let turn = Turn {
            game: &self.game,
            clocks: [self.clocks[0].as_ref(), self.clocks[1].as_ref()],
            limits: self.seats.limits[side.index()],
        };
        let allowed = turn.allowed_time();
        Ok((self.seats.players[side.index()].choose(&turn)?, allowed))
    }

    /// The end that a failure means, and all that is known about it. The player at fault is ended.
    fn judge(&mut self, blame: Blame) -> Result<(Ending, String), Unfinished> {
        let loser = blame.side;
        let (ending, what) = match blame.failure {
            Failure::Fault(Fault::Interrupted) => return Err(Unfinished),
            Failure::Fault(fault @ Fault::Time { .. }) => (time_loss(loser), fault.to_string()),
            Failure::Late { elapsed, allowed, line } => {
                (time_loss(loser), format!("{} after {elapsed:?}, allowed {allowed:?}", quoted(&line)))
            }
            Failure::Fault(fault @ Fault::Stalled { .. }) => {
                (Ending::by_fault(loser, EndKind::Stall, "'s connection stalls"), fault.to_string())
            }
            Failure::Fault(fault @ Fault::Disconnected { .. }) => {
                (Ending::by_fault(loser, EndKind::Crash, "disconnects"), fault.to_string())
            }
            Failure::Illegal(answer) => (illegal(loser, &answer), format!("answered {}", quoted(&answer.line))),
        };
        let last_words = self.seats.players[loser.index()].post_mortem();
        let last_words = last_words.map_or_else(String::new, |words| format!("{words}; "));
        let incident = format!("{}: {what}; {last_words}{}", ending.reason, self.position_command());
        Ok((ending, incident))
    }

    fn position_command(&self) -> String {
        let moves: Vec<String> = self.game.moves().iter().map(Move::to_string).collect();
        format!("position fen {} moves {}", self.game.start().fen(), moves.join(" ")).trim_end().into()
    }
}

/// A line of an engine in quotes.
fn quoted(line: &str) -> String {
    format!("\"{}\"", printable(&cut(line)))
}

fn time_loss(loser: Color) -> Ending {
    Ending::by_fault(loser, EndKind::Time, "loses on time")
}

fn illegal(loser: Color, answer: &Answer) -> Ending {
    const LONGEST: usize = 20;
    let named = printable(&answer.text.chars().take(LONGEST).collect::<String>());
    let words = if named.is_empty() { "names no move".into() } else { format!("makes an illegal move: {named}") };
    Ending::by_fault(loser, EndKind::Illegal, &words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::adjudication::DrawRule;
    use crate::arena::in_process::GreedyPlayer;
    use crate::pgn::Evaluation;
    use crate::rules::{Position, parse_fen};

    /// Answers from a list.
    struct Script {
        answers: Vec<Result<Answer, Fault>>,
    }

    impl Script {
        fn moves(text: &str) -> Script {
            let answer = |word: &str| {
                let report = SearchReport { evaluation: Some(Evaluation::Centipawns(0)), depth: 1, nodes: 1 };
                Ok(Answer { text: word.into(), line: format!("bestmove {word}"), report, ..Answer::default() })
            };
            Script { answers: text.split(' ').rev().map(answer).collect() }
        }
    }

    impl Player for Script {
        fn new_game(&mut self, _number: u64, _seed: u64) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, _turn: &Turn) -> Result<Answer, Fault> {
            self.answers.pop().unwrap_or(Err(Fault::Interrupted))
        }
    }

    fn game(white: Script, black: Script, limits: &PlayLimits, rules: Adjudication) -> Result<PlayedGame, Unfinished> {
        let (mut white, mut black) = (white, black);
        let seats = Seats { players: [&mut white, &mut black], limits: [limits; 2] };
        play(seats, &Game::new(Position::start()), rules, 1, 1)
    }

    fn without_limits(white: &str, black: &str) -> Result<PlayedGame, Unfinished> {
        game(Script::moves(white), Script::moves(black), &PlayLimits::default(), Adjudication::default())
    }

    #[test]
    fn repetition_ends_a_game() {
        let played = without_limits("g1f3 f3g1 g1f3 f3g1", "g8f6 f6g8 g8f6 f6g8").unwrap();
        assert_eq!((played.ending.kind, played.moves.len()), (EndKind::Threefold, 8));
        assert_eq!(played.incident, None);
    }

    #[test]
    fn illegal_answers_lose_and_are_not_in_the_game() {
        for (answer, reason) in [
            ("a1a1", "Black makes an illegal move: a1a1"),
            ("d3d4", "Black makes an illegal move: d3d4"),
            ("(none)", "Black makes an illegal move: (none)"),
            ("0000", "Black makes an illegal move: 0000"),
            ("", "Black names no move"),
        ] {
            let played = without_limits("e2e4", answer).unwrap();
            assert_eq!((played.ending.reason.as_str(), played.ending.result.text()), (reason, "1-0"));
            assert_eq!((played.game.moves().len(), played.moves.len()), (1, 1));
            let incident = played.incident.unwrap();
            let command = "position fen rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4";
            assert!(incident.contains(&format!("\"bestmove {answer}\"")) && incident.ends_with(command), "{incident}");
        }
    }

    #[test]
    fn a_late_move_loses_even_a_legal_one() {
        let seconds = Duration::from_secs_f64;
        let limits = PlayLimits { time_control: Some("1+0.5".parse().unwrap()), ..PlayLimits::default() };
        let play = |times: [f64; 2]| {
            let mut white = Script::moves("e2e4 g1f3");
            for (answer, time) in white.answers.iter_mut().rev().zip(times) {
                answer.as_mut().unwrap().elapsed = seconds(time);
            }
            game(white, Script::moves("e7e5 a7a6"), &limits, Adjudication::default())
        };
        // One second and then what is left of it with the increment: 1 - 1 + 0.5.
        assert_eq!(play([1.0, 0.5]).unwrap_err(), Unfinished);
        let late = play([1.0, 0.6]).unwrap();
        assert_eq!((late.ending.reason.as_str(), late.moves.len()), ("White loses on time", 2));
        assert!(late.incident.unwrap().contains("600ms, allowed 500ms"));
        assert_eq!(play([1.1, 0.0]).unwrap().ending.kind, EndKind::Time);
    }

    #[test]
    fn faults_lose_by_their_kind() {
        let time = Fault::Time { elapsed: Duration::from_secs(1) };
        let stall = Fault::Stalled { silent: Duration::from_secs(30), last: "x".into() };
        let crash = Fault::Disconnected { status: "exit status: 3".into(), last: "x".into() };
        for (fault, reason) in
            [(time, "White loses on time"), (stall, "White's connection stalls"), (crash, "White disconnects")]
        {
            let white = Script { answers: vec![Err(fault.clone())] };
            let played = game(white, Script::moves("e7e5"), &PlayLimits::default(), Adjudication::default()).unwrap();
            assert_eq!((played.ending.reason.as_str(), played.ending.result.text()), (reason, "0-1"));
            assert!(played.incident.unwrap().contains(&fault.to_string()));
        }
    }

    #[test]
    fn rules_come_before_adjudication() {
        let draw = Some(DrawRule { move_number: 4, move_count: 1, score: 0 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        let limits = PlayLimits::default();
        let (white, black) = (Script::moves("g1f3 f3g1 g1f3 f3g1"), Script::moves("g8f6 f6g8 g8f6 f6g8"));
        assert_eq!(game(white, black, &limits, rules).unwrap().ending.kind, EndKind::Threefold);
        let rules = Adjudication { draw: draw.map(|rule| DrawRule { move_number: 3, ..rule }), ..rules };
        let (white, black) = (Script::moves("g1f3 f3g1 g1f3 f3g1"), Script::moves("g8f6 f6g8 g8f6 f6g8"));
        let played = game(white, black, &limits, rules).unwrap();
        assert_eq!((played.ending.kind, played.moves.len()), (EndKind::AdjudicatedDraw, 6));
    }

    #[test]
    fn same_seed_same_game_and_all_end_by_the_rules() {
        let opening = parse_fen("rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR w KQkq - 0 2").unwrap().position;
        let limits = PlayLimits::default();
        let play_seed = |seed| {
            let (mut white, mut black) = (GreedyPlayer::new(), GreedyPlayer::new());
            let seats = Seats { players: [&mut white, &mut black], limits: [&limits; 2] };
            play(seats, &Game::new(opening.clone()), Adjudication::default(), 1, seed).unwrap()
        };
        for seed in 0..20 {
            let played = play_seed(seed);
            assert!(!played.ending.kind.is_fault());
            assert_eq!(played.game.moves(), play_seed(seed).game.moves());
        }
    }
}
