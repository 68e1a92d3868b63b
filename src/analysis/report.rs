//! Analyses for people.

use std::collections::BTreeMap;

use super::game_review::ReviewedGame;
use super::input::FileGame;
use super::plot::{Curve, Mark, Point};
use super::review::{Judgement, MoveReview, Summary, best_line, for_white, mate_name, told_for_white};
use super::search::Analysis;
use super::suite::{Tally, Verdict};
use crate::engine::win_draw_loss;
use crate::pgn::GameResult;
use crate::rules::{Game, MateKind, Position, to_san};
use crate::search::{Bound, SearchInfo};
use crate::text::{self, Paint, Symbols, numbered, score};
use crate::types::{Color, Move, Score};

/// How a report is set.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub paint: Paint,
    /// Columns of the terminal; without, lines are as long as what they say.
    pub width: Option<usize>,
    /// How boards and curves are drawn; `None` leaves them out.
    pub symbols: Option<Symbols>,
}

/// A table of lines of a search. `mates` tells how those end that end in mate, as far as it is known.
pub fn lines_table(root: &Position, infos: &[SearchInfo], mates: &[Option<MateKind>], layout: Layout) -> String {
    let has_ranks = infos.iter().any(|info| info.line > 1);
    let rank = |text: String| if has_ranks { format!("{text:>3} ") } else { String::new() };
    let head = format!(
        "{}{:>7} {:>9} {:>16} {:>14} {:>9}  variation",
        rank("#".into()),
        "depth",
        "score",
        "win/draw/loss %",
        "nodes",
        "seconds"
    );
    let mut text = format!("{}\n", layout.paint.heading(&head));
    let indent = head.len() - "variation".len();
    for (index, info) in infos.iter().enumerate() {
        let cells = format!(
            "{}{:>7} {} {:>16} {:>14} {:>9.2}  ",
            rank(info.line.to_string()),
            format!("{}/{}", info.depth, info.selective_depth),
            painted_score(info.score, info.bound, layout.paint),
            chances(info.score),
            grouped(info.nodes),
            info.time.as_secs_f64()
        );
        let end = mates.get(index).copied().flatten().map(|kind| format!(" ({})", mate_name(Some(kind))));
        let line = format!("{}{}", numbered(root, &info.pv), end.unwrap_or_default());
        let line = layout.width.map_or(line.clone(), |width| wrapped(&line, width, indent));
        text.push_str(format!("{cells}{line}").trim_end());
        text.push('\n');
    }
    text
}

/// Nine columns, more where the score is but a bound.
fn painted_score(value: Score, bound: Bound, paint: Paint) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    let text = format!("{:>9}", format!("{sign}{}", score(value)));
    if !value.is_mate() {
        text
    } else if value.0 > 0 {
        paint.good(&text)
    } else {
        paint.bad(&text)
    }
}

/// `55.2/4.9/39.9`.
fn chances(score: Score) -> String {
    let (win, draw, loss) = win_draw_loss(score);
    let percent = |permille: u32| format!("{:.1}", f64::from(permille) / 10.0);
    format!("{}/{}/{}", percent(win), percent(draw), percent(loss))
}

/// `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Columns by which the lines after the first of a variation are set in.
const HANGING_INDENT: usize = 8;

/// A variation that starts at a column, within the columns of a terminal but its last.
fn wrapped(text: &str, width: usize, column: usize) -> String {
    text::wrapped(text, width.saturating_sub(1), column, HANGING_INDENT)
}

/// The lines of a running search: the last that was told of each rank.
#[derive(Default)]
pub struct LatestLines(BTreeMap<usize, SearchInfo>);

impl LatestLines {
    pub fn put(&mut self, info: &SearchInfo) {
        self.0.insert(info.line, info.clone());
    }

    pub fn table(&self, root: &Position, layout: Layout) -> String {
        let infos: Vec<SearchInfo> = self.0.values().cloned().collect();
        lines_table(root, &infos, &[], layout)
    }
}

/// What is left to say of a single position behind its lines.
pub fn best_move(analysis: &Analysis) -> String {
    let best = analysis.result.best.map(|mv| to_san(analysis.game.position(), mv));
    match (best, analysis.game.outcome()) {
        (Some(best), _) => format!("best move: {best}"),
        (None, Some(outcome)) => format!("best move: none, {outcome}"),
        (None, None) => "best move: none".to_owned(),
    }
}

/// A position of a file: where it stood, its lines, and whether it was solved.
pub fn file_position(analysis: &Analysis, place: &str, id: Option<&str>, layout: Layout) -> String {
    let name = id.map(|id| format!(" {id}")).unwrap_or_default();
    let head = format!("{place}{name}  {}", analysis.game.position().fen());
    let mut text = format!("{}\n", layout.paint.heading(&head));
    for (info, &kind) in analysis.result.lines.iter().zip(&analysis.mates) {
        let line = numbered(analysis.game.position(), &info.pv);
        let end = match (kind, analysis.game.outcome()) {
            _ if info.pv.is_empty() => analysis.game.outcome().map(|outcome| outcome.to_string()).unwrap_or_default(),
            (Some(kind), _) => format!(" ({})", mate_name(Some(kind))),
            (None, _) => String::new(),
        };
        text.push_str(&format!(
            "  {} depth {} {}, {} nodes, {:.2} s: {line}{end}\n",
            painted_score(info.score, info.bound, layout.paint),
            info.depth,
            chances(info.score),
            grouped(info.nodes),
            info.time.as_secs_f64()
        ));
    }
    if let Some(verdict) = analysis.verdict {
        text.push_str(&format!("  {}\n", told(verdict, layout.paint)));
    }
    text
}

fn told(verdict: Verdict, paint: Paint) -> String {
    match verdict.solution {
        Some(solution) => paint.good(&format!(
            "solved at depth {} after {:.2} s, {} nodes",
            solution.depth,
            solution.time.as_secs_f64(),
            grouped(solution.nodes)
        )),
        None => paint.bad("not solved"),
    }
}

/// The sum over a suite.
pub fn suite(tally: &Tally) -> String {
    format!(
        "solved {} of {}, {:.2} s and {} nodes to the solutions",
        tally.solved,
        tally.total,
        tally.time.as_secs_f64(),
        grouped(tally.nodes)
    )
}

/// `Game 3: A - B 1-0`.
pub fn game_title(file_game: &FileGame) -> String {
    let FileGame { number, record, .. } = file_game;
    let name = |tag: &str| record.tag(tag).unwrap_or("?").to_owned();
    let result = record.result().map_or("*", GameResult::text);
    format!("Game {number}: {} - {} {result}", name("White"), name("Black"))
}

/// A reviewed game: its moves, how both sides did, and the curve.
pub fn game(reviewed: &ReviewedGame, layout: Layout) -> String {
    const WIDTH: usize = 80;
    let ReviewedGame { source, analyses, reviews, .. } = reviewed;
    let paint = layout.paint;
    let mut text = format!("{}\n", paint.heading(&game_title(source)));
    text.push_str(&moves_table(&source.game, analyses, reviews, paint));
    if let Some(outcome) = source.game.outcome() {
        text.push_str(&format!("{outcome}\n"));
    }
    text.push('\n');
    text.push_str(&summaries(reviews));
    if let Some(symbols) = layout.symbols {
        let width = layout.width.unwrap_or(WIDTH).min(WIDTH);
        text.push_str(&format!("\n{}", super::plot::text(&curve(reviewed), width, symbols)));
    }
    text
}

/// Scores are for White and come after the move.
fn moves_table(game: &Game, analyses: &[Option<Analysis>], reviews: &[Option<MoveReview>], paint: Paint) -> String {
    let head = format!("{:<14}{:>9}  {:<9}{:>6}  remarks", "move", "for White", "best", "loss");
    let mut text = format!("{}\n", paint.faint(&head));
    let mut position = game.start().clone();
    for (index, &mv) in game.moves().iter().enumerate() {
        let played = move_text(&position, mv);
        if let (Some(review), Some(after)) = (&reviews[index], analyses[index + 1].as_ref()) {
            let best = if review.best == mv { String::new() } else { to_san(&position, review.best) };
            let loss = if review.loss == 0 { String::new() } else { format!("{:.2}", f64::from(review.loss) / 100.0) };
            let line = format!(
                "{played:<14}{:>9}  {best:<9}{loss:>6}  {}",
                told_for_white(after),
                painted_remarks(review, &position, analyses[index].as_ref(), paint)
            );
            text.push_str(line.trim_end());
        } else {
            text.push_str(&format!("{played:<14}{:>9}", "?"));
        }
        text.push('\n');
        position = position.played(mv);
    }
    text
}

/// `12. Nf3` or `12... Nf6`.
fn move_text(position: &Position, mv: Move) -> String {
    numbered(position, &[mv])
}

fn painted_remarks(review: &MoveReview, position: &Position, before: Option<&Analysis>, paint: Paint) -> String {
    let mut remarks = review.remarks().join(", ");
    // The mate that was there is worth showing.
    if let (Some(_), Some(line)) = (review.missed, before.and_then(best_line)) {
        remarks.push_str(&format!(": {}", numbered(position, &line.pv)));
    }
    match (review.judgement, review.missed) {
        (Some(Judgement::Blunder), _) => paint.bad(&remarks),
        (Some(_), _) | (None, Some(_)) => paint.doubtful(&remarks),
        (None, None) => remarks,
    }
}

fn summaries(reviews: &[Option<MoveReview>]) -> String {
    let mut text = format!(
        "{:<7}{:>6}{:>9}{:>10}{:>14}{:>10}{:>10}  missed mates\n",
        "", "moves", "accuracy", "loss/move", "inaccuracies", "mistakes", "blunders"
    );
    for side in Color::ALL {
        let summary = Summary::of(side, reviews);
        let [inaccuracies, mistakes, blunders] = summary.judgements;
        let accuracy = summary.accuracy().map_or("-".to_owned(), |accuracy| format!("{accuracy:.1} %"));
        let loss = summary.average_loss().map_or("-".to_owned(), |loss| format!("{:.2}", loss / 100.0));
        text.push_str(&format!(
            "{:<7}{:>6}{accuracy:>9}{loss:>10}{inaccuracies:>14}{mistakes:>10}{blunders:>10}  {}\n",
            side.name(),
            summary.moves,
            missed_mates(&summary)
        ));
    }
    text
}

/// `3 (king 1, anti 2)`.
fn missed_mates(summary: &Summary) -> String {
    let kinds = [
        ("king", summary.missed_king_mates),
        ("anti", summary.missed_anti_mates),
        ("both", summary.missed_mates_of_both),
        ("unknown", summary.other_missed_mates),
    ];
    let told: Vec<String> =
        kinds.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name} {count}")).collect();
    if told.is_empty() { "0".to_owned() } else { format!("{} ({})", summary.missed_mates(), told.join(", ")) }
}

/// The curve of a reviewed game.
pub fn curve(reviewed: &ReviewedGame) -> Curve {
    let ReviewedGame { source, analyses, reviews, .. } = reviewed;
    let game = &source.game;
    let mut position = game.start().clone();
    let mut labels = vec!["start".to_owned()];
    for (&mv, review) in game.moves().iter().zip(reviews) {
        let remarks = review.as_ref().map(|review| review.remarks().join(", ")).filter(|remarks| !remarks.is_empty());
        let remarks = remarks.map(|remarks| format!(" ({remarks})")).unwrap_or_default();
        labels.push(format!("{}{remarks}", move_text(&position, mv)));
        position = position.played(mv);
    }
    let marks = std::iter::once(None).chain(reviews.iter().map(|review| review.as_ref().and_then(Mark::of)));
    let points = analyses.iter().zip(labels).zip(marks).map(|((analysis, label), mark)| {
        let analysis = analysis.as_ref()?;
        let label = format!("{label} {}", told_for_white(analysis));
        Some(Point { score: for_white(analysis), label, mark })
    });
    Curve {
        title: game_title(source),
        first: (game.start().turn(), game.start().fullmove_number()),
        points: points.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::game_review::tests::analysed_text;
    use super::super::review::tests::{MATE_IN_TWO, analysed_game};
    use super::*;
    use crate::rules::san_line;

    const PLAIN: Layout = Layout { paint: Paint::PLAIN, width: None, symbols: Some(Symbols::Ascii) };

    #[test]
    fn numbers_are_grouped() {
        let told = [0, 999, 1_000, 12_345_678].map(grouped);
        assert_eq!(told, ["0", "999", "1,000", "12,345,678"]);
    }

    #[test]
    fn long_variations_are_wrapped() {
        let words = ["aaaa"; 12].join(" ");
        let lines = wrapped(&words, 40, 10);
        let widths: Vec<usize> = lines.lines().map(str::len).collect();
        assert_eq!(widths, [29, HANGING_INDENT + 29], "{lines}");
        assert_eq!(lines.split_whitespace().count(), 12);
        assert_eq!(wrapped("one two", 5, 50), "one two");
    }

    /// The mate in two with the numbers of its moves: its first move is the only one, the others are not.
    fn numbered_mate(analysis: &Analysis) -> String {
        let line = san_line(analysis.game.position(), &analysis.result.lines[0].pv);
        assert_eq!((line.len(), line[0].as_str()), (3, "Rd7+"));
        format!("1. {} {} 2. {}", line[0], line[1], line[2])
    }

    #[test]
    fn the_table_names_the_kind_of_the_mate() {
        let (game, analyses) = analysed_game(MATE_IN_TWO, &[]);
        let analysis = analyses[0].as_ref().unwrap();
        let text = lines_table(game.position(), &analysis.result.lines, &analysis.mates, PLAIN);
        let end = format!("  {} ({})\n", numbered_mate(analysis), mate_name(analysis.mate()));
        assert!(text.contains(" mate 2 ") && text.contains("100.0/0.0/0.0") && text.ends_with(&end), "{text}");
        assert_eq!(best_move(analysis), "best move: Rd7+");
    }

    #[test]
    fn a_game_is_told_with_summary_and_curve() {
        let (entry, mut analyses) = analysed_text("[Result \"1/2-1/2\"]", "1. Ka5 Kd4");
        let text = super::game(&ReviewedGame::new(entry.clone(), analyses.clone()), PLAIN);
        assert!(text.starts_with("Game 1: ? - ? 1/2-1/2\n"), "{text}");
        let missed = text.lines().find(|line| line.starts_with("1. Ka5 ")).unwrap();
        let line = numbered_mate(analyses[0].as_ref().unwrap());
        assert!(missed.contains(" Rd7+ ") && missed.contains("missed ") && missed.ends_with(&line), "{missed}");
        assert!(text.contains("\nWhite       1") && text.contains("\nWhite |") && text.is_ascii(), "{text}");
        analyses[2] = None;
        let bare = Layout { symbols: None, ..PLAIN };
        let text = super::game(&ReviewedGame::new(entry, analyses), bare);
        assert!(!text.contains('|') && text.ends_with('\n') && !text.ends_with("\n\n"), "{text}");
        assert!(text.contains("\n1... Kd4              ?\n"), "{text}");
    }
}
