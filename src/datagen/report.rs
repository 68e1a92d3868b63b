//! Statistics as people and programs read them.

use std::fmt::Write;

use serde_json::{Value, json};

use super::record::Record;
use super::statistics::{SCORE_EDGES, Statistics};
use crate::text::score;
use crate::types::{Color, Score};

/// The longest bar of a histogram, in characters.
const BAR_LENGTH: u64 = 40;

/// A record as a line of text, without its end: FEN, centipawns for White, and White's points.
pub fn text_line(record: &Record) -> String {
    let points = ["0.0", "0.5", "1.0"][record.result().half_points(Color::White)];
    format!("{} | {} | {points}", record.position.fen(), record.score.0)
}

/// How much there is, in words.
pub fn contents(games: u64, positions: u64) -> String {
    format!("{}, {}", counted(games, "game"), counted(positions, "position"))
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Tables and histograms.
pub fn text(statistics: &Statistics, files: usize) -> String {
    let Statistics { positions, games, results: [white, draws, black], ends, .. } = statistics;
    let mut text = format!("{}, {}", counted(files as u64, "file"), contents(*games, *positions));
    let per_game = *positions as f64 / (*games).max(1) as f64;
    let depth = statistics.depths as f64 / (*positions).max(1) as f64;
    let _ = writeln!(text, ", {per_game:.1} a game, mean depth {depth:.1}");
    let _ = writeln!(text, "\nresults of games");
    table(&mut text, *games, &[("White won", *white), ("draw", *draws), ("Black won", *black)]);
    let _ = writeln!(text, "\nends of games");
    let rows = [
        ("king mate", ends.king_mate),
        ("anti-mate", ends.anti_mate),
        ("mate of both", ends.both_mate),
        ("stalemate", ends.stalemate),
        ("3-fold repetition", ends.threefold),
        ("50 moves", ends.fifty_moves),
    ];
    table(&mut text, *games, &rows);
    let _ = writeln!(text, "\npositions");
    let [king, anti_king, both] = statistics.checks;
    let [opening, middle_game, ending] = statistics.phases;
    let rows = [
        ("White to move", statistics.white_to_move),
        ("opening", opening),
        ("middle game", middle_game),
        ("ending", ending),
        ("in check", king + anti_king + both),
        ("  King only", king),
        ("  Anti-King only", anti_king),
        ("  both", both),
        ("mate in sight", statistics.mates.iter().sum()),
        ("best: capture", statistics.captures),
        ("best: promotion", statistics.promotions),
        ("best: Anti-King", statistics.anti_king_moves),
        ("  taking its own", statistics.self_captures),
        ("quiet", statistics.quiet),
        ("duplicates", statistics.duplicates),
    ];
    table(&mut text, *positions, &rows);
    let _ = writeln!(text, "\nscores for White");
    let classes = score_classes(statistics);
    let rows: Vec<(&str, u64)> = classes.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    histogram(&mut text, &rows);
    let _ = writeln!(text, "\nmen");
    let men: Vec<(String, u64)> = statistics.men.iter().map(|(men, count)| (men.to_string(), *count)).collect();
    let rows: Vec<(&str, u64)> = men.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    histogram(&mut text, &rows);
    text
}

fn table(text: &mut String, total: u64, rows: &[(&str, u64)]) {
    for (name, count) in rows {
        let percent = *count as f64 * 100.0 / total.max(1) as f64;
        let _ = writeln!(text, "  {name:18} {count:>10}  {percent:>5.1} %");
    }
}

fn histogram(text: &mut String, rows: &[(&str, u64)]) {
    let greatest = rows.iter().map(|(_, count)| *count).max().unwrap_or_default().max(1);
    for (name, count) in rows {
        let bar = "#".repeat((count * BAR_LENGTH).div_ceil(greatest) as usize);
        let _ = writeln!(text, "{}", format!("  {name:18} {count:>10}  {bar}").trim_end());
    }
}

/// The classes of scores with their names, from Black's mates to White's.
fn score_classes(statistics: &Statistics) -> Vec<(String, u64)> {
    let edge = |index: usize| score(Score(SCORE_EDGES[index]));
    let [white_mates, black_mates] = statistics.mates;
    let last = SCORE_EDGES.len();
    let classes = statistics.scores.iter().enumerate().map(|(index, &count)| {
        let name = match index {
            0 => format!("below {}", edge(0)),
            _ if index == last => format!("from {}", edge(last - 1)),
            _ => format!("{} to {}", edge(index - 1), edge(index)),
        };
        (name, count)
    });
    let mates = |name: &str, count| [(name.to_owned(), count)];
    mates("Black mates", black_mates).into_iter().chain(classes).chain(mates("White mates", white_mates)).collect()
}

/// The same as an object.
pub fn json(statistics: &Statistics, files: usize) -> Value {
    let [white, draws, black] = statistics.results;
    let [king, anti_king, both] = statistics.checks;
    let [opening, middle_game, ending] = statistics.phases;
    let [white_mates, black_mates] = statistics.mates;
    let ends = &statistics.ends;
    let edge = |index: Option<usize>| index.and_then(|index| SCORE_EDGES.get(index));
    let scores = statistics.scores.iter().enumerate();
    let scores: Vec<Value> = scores
        .map(|(index, count)| json!({ "from": edge(index.checked_sub(1)), "below": edge(Some(index)), "count": count }))
        .collect();
    let men: Vec<Value> = statistics.men.iter().map(|(men, count)| json!({ "men": men, "count": count })).collect();
    json!({
        "files": files,
        "games": statistics.games,
        "positions": statistics.positions,
        "results": { "white": white, "draw": draws, "black": black },
        "ends": {
            "king": ends.king_mate,
            "anti": ends.anti_mate,
            "both": ends.both_mate,
            "stalemate": ends.stalemate,
            "threefold": ends.threefold,
            "fifty_moves": ends.fifty_moves,
        },
        "white_to_move": statistics.white_to_move,
        "phases": { "opening": opening, "middle_game": middle_game, "ending": ending },
        "in_check": { "king": king, "anti": anti_king, "both": both },
        "mates": { "white": white_mates, "black": black_mates },
        "best_moves": {
            "captures": statistics.captures,
            "promotions": statistics.promotions,
            "anti_king": statistics.anti_king_moves,
            "self_captures": statistics.self_captures,
        },
        "quiet": statistics.quiet,
        "duplicates": statistics.duplicates,
        "depths": statistics.depths,
        "scores": scores,
        "men": men,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{DrawKind, MateKind, Outcome, Position};

    fn record(outcome: Outcome, score: i32) -> Record {
        let position = Position::start();
        let best = position.legal_moves()[0];
        Record { position, score: Score(score), best, depth: 4, game: 0, outcome, is_last: true }
    }

    #[test]
    fn lines_are_for_white() {
        let start = Position::START_FEN;
        let lost = Outcome::Mate { loser: Color::White, kind: MateKind::King };
        assert_eq!(text_line(&record(lost, -35)), format!("{start} | -35 | 0.0"));
        let won = Outcome::Mate { loser: Color::Black, kind: MateKind::King };
        assert_eq!(text_line(&record(won, 31_999)), format!("{start} | 31999 | 1.0"));
        assert_eq!(text_line(&record(Outcome::Draw(DrawKind::Threefold), 0)), format!("{start} | 0 | 0.5"));
    }

    #[test]
    fn classes_are_named_by_their_edges() {
        let mut statistics = Statistics::default();
        [-2_000, -60, 0, 1_000, -31_999]
            .map(|score| record(Outcome::Draw(DrawKind::Threefold), score))
            .iter()
            .for_each(|record| statistics.add(record));
        let classes = score_classes(&statistics);
        let counted: Vec<&str> =
            classes.iter().filter(|(_, count)| *count == 1).map(|(name, _)| name.as_str()).collect();
        assert_eq!(counted, ["Black mates", "below -10.00", "-1.00 to -0.50", "-0.50 to +0.50", "from +10.00"]);
        let object = json(&statistics, 2);
        assert_eq!(object["scores"][0], json!({ "from": null, "below": -1_000, "count": 1 }));
        assert_eq!(object["scores"][10], json!({ "from": 1_000, "below": null, "count": 1 }));
        assert_eq!((&object["files"], &object["duplicates"]), (&json!(2), &json!(4)));
        assert!(text(&statistics, 2).starts_with("2 files, 5 games, 5 positions, 1.0 a game, mean depth 4.0\n"));
    }

    #[test]
    fn no_records_make_tables_of_zeros() {
        let text = text(&Statistics::default(), 1);
        assert!(text.contains("  draw                        0    0.0 %\n"), "{text}");
    }
}
