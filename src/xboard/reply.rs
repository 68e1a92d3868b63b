//! What the engine says: values as lines of text.

use crate::engine::options::{OptionId, OptionSpec, OptionType, Options, TABLE};
use crate::pgn::GameResult;
use crate::rules::{Outcome, Position, VARIANT, san_line};
use crate::search::{Bound, SearchInfo, nodes_per_second};
use crate::types::{Score, Square};

/// The engine's answer to `protover`: what it can do and what can be set. An option's default is the value in force.
pub fn features(options: &Options) -> String {
    let mut text = format!(
        "feature done=0\n\
         feature myname=\"Antiking {}\" variants=\"{VARIANT}\"\n\
         feature ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=1 analyze=1 reuse=1\n\
         feature memory=1 smp=1 name=1 colors=0 ics=0 pause=0 nps=0 debug=1 highlight=1 sigint=0 sigterm=0\n",
        env!("CARGO_PKG_VERSION")
    );
    for declaration in TABLE.iter().filter_map(|spec| declaration(spec, options)) {
        text.push_str(&format!("feature option=\"{declaration}\"\n"));
    }
    text + "feature done=1"
}

/// An option as the protocol declares it. Those that have a command of their own, or mean nothing here, are left out.
fn declaration(spec: &OptionSpec, options: &Options) -> Option<String> {
    let (name, value) = (spec.name, spec.value(options));
    match spec.id {
        // These are `memory`, `cores`, `hard`, `variant` and `analyze`; scores have no chances in this protocol.
        OptionId::Hash
        | OptionId::Threads
        | OptionId::Ponder
        | OptionId::UciVariant
        | OptionId::UciAnalyseMode
        | OptionId::UciShowWdl => None,
        OptionId::EvalFile | OptionId::DebugLogFile => Some(format!("{name} -file {value}")),
        OptionId::MultiPv | OptionId::MoveOverhead | OptionId::ClearHash => match spec.kind {
            OptionType::Spin { min, max } => Some(format!("{name} -spin {value} {min} {max}")),
            _ => Some(format!("{name} -button")),
        },
    }
}

/// The answer to `variant`: the board, and how the Anti-King moves, in Betza's notation.
///
/// The table names the pictures: the Anti-King has that of the Archbishop, a man that this game does not have. It moves
/// like a King but takes only its own side's men. That it must stay attacked cannot be said; see [`highlight`]. The others
/// move as XBoard expects of them; a King must not be described, since XBoard takes castling so described for an attack.
pub fn variant() -> String {
    format!("setup (PNBRQ..AKpnbrq..ak) 8x8+0_fairy {}\npiece A& mdK", Position::START_FEN)
}

/// The squares that the man on `from` may go to, so that the GUI offers these and no others, whatever it makes of the
/// Anti-Kings: yellow, red where it takes something, magenta where a pawn is promoted.
pub fn highlight(position: &Position, from: Square) -> String {
    let mut targets = [None; 64];
    for mv in position.legal_moves().into_iter().filter(|mv| mv.from() == from) {
        let takes = mv.is_en_passant() || position.piece_on(mv.to()).is_some();
        targets[mv.to().index()] = Some(match mv.promotion() {
            Some(_) => 'M',
            None if takes => 'R',
            None => 'Y',
        });
    }
    let rows: Vec<String> = (0..8).rev().map(|rank| row(&targets[8 * rank..8 * rank + 8])).collect();
    format!("highlight {}", rows.join("/"))
}

/// A row as in a FEN, with the letters of colours.
fn row(targets: &[Option<char>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for target in targets {
        match target {
            None => empty += 1,
            Some(letter) => {
                if empty > 0 {
                    text.push_str(&std::mem::take(&mut empty).to_string());
                }
                text.push(*letter);
            }
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

/// A line of thinking: depth, score, centiseconds, nodes, selective depth, speed, table hits, a tab and the moves.
pub fn thinking(root: &Position, info: &SearchInfo) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => "!",
        Bound::Upper => "?",
    };
    format!(
        "{} {} {} {} {} {} 0\t{}{bound}",
        info.depth,
        score(info.score),
        info.time.as_millis() / 10,
        info.nodes,
        info.selective_depth,
        nodes_per_second(info.nodes, info.time),
        san_line(root, &info.pv).join(" ")
    )
}

/// Centipawns; mates lie beyond 100000 by their distance in moves.
fn score(score: Score) -> i32 {
    const MATE: i32 = 100_000;
    match score.mate_moves() {
        Some(moves) if moves > 0 => MATE + moves,
        Some(moves) => moves - MATE,
        None => score.0,
    }
}

/// The claim of a result.
pub fn claim(outcome: Outcome) -> String {
    format!("{} {{{outcome}}}", GameResult::won_by(outcome.winner()).text())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::rules::{DrawKind, MateKind, parse_fen, parse_uci};
    use crate::types::Color;

    #[test]
    fn features_begin_and_end_the_handshake() {
        let text = features(&Options { multi_pv: 3, ..Options::default() });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines[lines.len() - 1]), ("feature done=0", "feature done=1"));
        assert!(lines.contains(&"feature option=\"MultiPV -spin 3 1 500\""), "{text}");
        assert!(lines.contains(&"feature option=\"Clear Hash -button\""), "{text}");
        assert!(text.contains("variants=\"anti-king-2\""));
        assert!(!text.contains("UCI_") && !text.contains("Hash -spin"));
    }

    #[test]
    fn thinking_is_what_the_protocol_asks_for() {
        let root = Position::start();
        let e4 = parse_uci(&root, "e2e4").unwrap();
        let e5 = parse_uci(&root.played(e4), "e7e5").unwrap();
        let mut info = SearchInfo {
            depth: 12,
            selective_depth: 18,
            line: 1,
            score: Score(-34),
            bound: Bound::Exact,
            nodes: 5000,
            time: Duration::from_millis(1_239),
            hash_full: 3,
            pv: vec![e4, e5],
        };
        assert_eq!(thinking(&root, &info), "12 -34 123 5000 18 4035 0\te4 e5");
        (info.bound, info.score) = (Bound::Lower, Score::mating(3));
        assert_eq!(thinking(&root, &info), "12 100002 123 5000 18 4035 0\te4 e5!");
        (info.bound, info.score) = (Bound::Upper, Score::mated(4));
        assert_eq!(thinking(&root, &info), "12 -100002 123 5000 18 4035 0\te4 e5?");
    }

    #[test]
    fn highlights_are_the_legal_moves_of_one_man() {
        let shown = |fen: &str, from: &str| {
            let position = parse_fen(fen).unwrap().position;
            highlight(&position, Square::parse(from).unwrap())["highlight ".len()..].to_owned()
        };
        assert_eq!(shown(Position::START_FEN, "e2"), "8/8/8/8/4Y3/4Y3/8/8");
        assert_eq!(shown(Position::START_FEN, "d6"), "8/8/2Y1Y3/8/8/8/8/8");
        assert_eq!(shown(Position::START_FEN, "d2"), "8/8/8/8/8/8/8/8", "the Anti-King stands in the way");
        let own_capture = "rnbqkbnr/ppp1pppp/8/8/4p3/3A1a2/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(shown(own_capture, "d3"), "8/8/8/8/3Y4/8/3R4/8");
        assert_eq!(shown("6k1/P2p4/2A5/8/8/3a4/2P5/6K1 w - - 0 1", "a7"), "M7/8/8/8/8/8/8/8");
    }

    #[test]
    fn claims_name_result_and_reason() {
        let mate = |kind| claim(Outcome::Mate { loser: Color::White, kind });
        assert_eq!(mate(MateKind::King), "0-1 {Black mates}");
        assert_eq!(mate(MateKind::AntiKing), "0-1 {Black anti-checkmates}");
        assert_eq!(claim(Outcome::Mate { loser: Color::Black, kind: MateKind::Both }), "1-0 {White mates both royals}");
        assert_eq!(claim(Outcome::Draw(DrawKind::Threefold)), "1/2-1/2 {draw by 3-fold repetition}");
    }
}
