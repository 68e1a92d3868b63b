//! What the engine says: values as lines of text.

use std::fmt::Write;

use crate::engine::options::{self, Options};
use crate::engine::{BenchReport, win_draw_loss};
use crate::rules::{Game, Position, VARIANT};
use crate::search::{Bound, SearchEvent, SearchInfo, SearchResult, nodes_per_second};
use crate::types::Move;

/// The answer to `help`.
pub const HELP: &str = "\
uci                                  name, options, uciok
xboard                               as the very first line: speak the protocol of XBoard instead
isready                              readyok, also while a search runs
ucinewgame                           forget the game before
position startpos|fen FEN [moves M...]   set up a position
go [LIMIT...]                        search until a limit is reached; without one, until stop
   wtime MS btime MS [winc MS] [binc MS] [movestogo N]   the clocks
   movetime MS | depth N | nodes N | mate N | infinite   other limits
   ponder                            think on the opponent's time until ponderhit
   searchmoves M...                  look at these moves only
go perft N                           count the move sequences of N plies
stop                                 end the search and print its move
ponderhit                            the opponent played the move pondered on
setoption name NAME [value VALUE]    set an option
debug on|off                         say more, or less
d                                    print the board
eval                                 print the evaluation, and what each man is worth
bench [DEPTH]                        search a fixed list of positions
quit                                 leave";

/// The answer to `uci`; an option's default is the value in force.
pub fn identity(options: &Options) -> String {
    let mut text = format!("id name Antiking {}\nid author the Antiking authors\n", env!("CARGO_PKG_VERSION"));
    for spec in options::TABLE {
        text.push_str(&options::declaration(spec, options));
        text.push('\n');
    }
    format!("{text}{}\nuciok", variant())
}

/// Tells a GUI that does not know the variant what its board is.
pub fn variant() -> String {
    format!("info string variant {VARIANT} files 8 ranks 8 pocket 0 template fairy startpos {}", Position::START_FEN)
}

/// A text of one line for the user.
pub fn remark(text: &str) -> String {
    format!("info string {text}")
}

/// A text of one line about something wrong.
pub fn error(text: &str) -> String {
    remark(&format!("error: {text}"))
}

/// The news of a fault that has cost a task.
pub fn failure(fault: &str) -> String {
    error(&format!("the search failed: {fault}"))
}

/// An event of the search as an `info` line. `show_wdl` adds the chances of win, draw and loss.
pub fn event(event: &SearchEvent, show_wdl: bool) -> String {
    match event {
        SearchEvent::Info(info) if info.depth == 0 && info.pv.is_empty() => {
            format!("info depth 0 score {}", info.score)
        }
        SearchEvent::Info(info) => info_line(info, show_wdl),
        SearchEvent::CurrentMove { depth, mv, number } => {
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
    }
}

fn info_line(info: &SearchInfo, show_wdl: bool) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth, info.selective_depth, info.line, info.score
    );
    text.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    // Writing to a String cannot fail.
    if show_wdl {
        let (win, draw, loss) = win_draw_loss(info.score);
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let _ = write!(
        text,
        " nodes {} nps {} hashfull {} tbhits 0 time {} pv{}",
        info.nodes,
        nodes_per_second(info.nodes, info.time),
        info.hash_full,
        info.time.as_millis(),
        joined(&info.pv)
    );
    text
}

/// The sum of a bench.
pub fn bench(report: &BenchReport) -> String {
    format!("{} nodes {} nps", report.nodes, nodes_per_second(report.nodes, report.time))
}

/// Each move with a blank before it.
fn joined(moves: &[Move]) -> String {
    moves.iter().fold(String::new(), |text, mv| format!("{text} {mv}"))
}

/// The `bestmove` line. A move to ponder on is named only where the game goes on after it.
pub fn best_move(game: &Game, result: &SearchResult) -> String {
    let Some(best) = result.best else {
        return "bestmove (none)".to_owned();
    };
    match result.ponder.filter(|&reply| game.goes_on_after(&[best, reply])) {
        Some(reply) => format!("bestmove {best} ponder {reply}"),
        None => format!("bestmove {best}"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::rules::{parse_fen, parse_uci};
    use crate::types::Score;

    fn game(fen: &str) -> Game {
        Game::new(parse_fen(fen).unwrap().position)
    }

    fn moves(game: &Game, texts: &[&str]) -> Vec<Move> {
        let mut game = game.clone();
        texts
            .iter()
            .map(|text| {
                let mv = parse_uci(game.position(), text).unwrap();
                game.push(mv);
                mv
            })
            .collect()
    }

    fn info(pv: Vec<Move>) -> SearchInfo {
        SearchInfo {
            depth: 12,
            selective_depth: 18,
            line: 2,
            score: Score(-34),
            bound: Bound::Exact,
            nodes: 5000,
            time: Duration::from_micros(2_999),
            hash_full: 3,
            pv,
        }
    }

    fn result(best: Option<Move>, ponder: Option<Move>) -> SearchResult {
        SearchResult { best, ponder, score: Score::DRAW, depth: 1, nodes: 1, time: Duration::ZERO, lines: Vec::new() }
    }

    #[test]
    fn info_lines_are_uci() {
        let start = Game::new(Position::start());
        let mut info = info(moves(&start, &["e2e4", "e7e5"]));
        assert_eq!(
            event(&SearchEvent::Info(info.clone()), false),
            "info depth 12 seldepth 18 multipv 2 score cp -34 nodes 5000 nps 2500000 hashfull 3 tbhits 0 time 2 pv e2e4 e7e5"
        );
        info.bound = Bound::Lower;
        info.score = Score::mating(3);
        assert!(event(&SearchEvent::Info(info.clone()), false).contains(" score mate 2 lowerbound nodes "));
        info.bound = Bound::Upper;
        let text = event(&SearchEvent::Info(info.clone()), true);
        let words: Vec<&str> = text.split(' ').skip_while(|word| *word != "wdl").collect();
        let sum: u32 = words[1..4].iter().map(|word| word.parse::<u32>().unwrap()).sum();
        assert_eq!((sum, words[4]), (1000, "nodes"), "{text}");
    }

    #[test]
    fn a_finished_root_has_a_score_and_no_move() {
        let mut info = info(Vec::new());
        (info.depth, info.score) = (0, Score::mated(0));
        assert_eq!(event(&SearchEvent::Info(info), false), "info depth 0 score mate 0");
        let game = game("5k2/8/8/8/pP2n2a/6K1/6N1/6A1 w - - 0 1");
        assert_eq!(best_move(&game, &result(None, None)), "bestmove (none)");
    }

    #[test]
    fn the_move_to_ponder_on_is_legal_and_not_the_last() {
        let start = Game::new(Position::start());
        let line = moves(&start, &["e2e4", "e7e5"]);
        assert_eq!(best_move(&start, &result(Some(line[0]), Some(line[1]))), "bestmove e2e4 ponder e7e5");
        assert_eq!(best_move(&start, &result(Some(line[0]), None)), "bestmove e2e4");
        assert_eq!(best_move(&start, &result(Some(line[0]), Some(line[0]))), "bestmove e2e4");
        let lost = game("1k4A1/3P2B1/8/8/Nb1a2K1/4p3/2n5/8 w - - 0 1");
        let best = lost.position().legal_moves()[0];
        let mates = lost.position().played(best);
        let reply = mates.legal_moves().into_iter().find(|&mv| mates.played(mv).outcome().is_some()).unwrap();
        assert_eq!(best_move(&lost, &result(Some(best), Some(reply))), format!("bestmove {best}"));
    }

    #[test]
    fn the_identity_ends_in_uciok() {
        let text = identity(&Options::default());
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("id name ") && lines[1].starts_with("id author "));
        assert_eq!(lines[lines.len() - 2], variant());
        assert_eq!(lines[lines.len() - 1], "uciok");
        assert_eq!(lines.len(), options::TABLE.len() + 4);
    }
}
