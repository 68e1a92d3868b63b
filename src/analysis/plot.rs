//! The curve of a game: White's expected score after every move.

use std::fmt::Write;

use super::review::{Judgement, MoveReview, expectation};
use crate::text::Symbols;
use crate::types::{Color, Score};

/// The curve at a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// For White.
    pub score: Score,
    /// What is said of it: the move before it with its remarks, and the score.
    pub label: String,
    pub mark: Option<Mark>,
}

/// What stands out on the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Bad(Judgement),
    MissedMate,
}

impl Mark {
    /// A missed mate says more than what it cost.
    pub fn of(review: &MoveReview) -> Option<Mark> {
        review.missed.map(|_| Mark::MissedMate).or(review.judgement.map(Mark::Bad))
    }

    const ALL: [Mark; 4] = [
        Mark::Bad(Judgement::Inaccuracy),
        Mark::Bad(Judgement::Mistake),
        Mark::Bad(Judgement::Blunder),
        Mark::MissedMate,
    ];

    const fn name(self) -> &'static str {
        match self {
            Mark::Bad(judgement) => judgement.name(),
            Mark::MissedMate => "missed mate",
        }
    }

    const fn color(self) -> &'static str {
        match self {
            Mark::Bad(Judgement::Inaccuracy) => "#d9a400",
            Mark::Bad(Judgement::Mistake) => "#e0701a",
            Mark::Bad(Judgement::Blunder) => "#cc2222",
            Mark::MissedMate => "#8a2be2",
        }
    }
}

/// A curve to be drawn.
#[derive(Clone, Debug)]
pub struct Curve {
    pub title: String,
    /// The side to move and the number of the move at the first position.
    pub first: (Color, u32),
    /// The positions from the first on; `None` where one was not analysed.
    pub points: Vec<Option<Point>>,
}

impl Curve {
    /// The number of White's move that leads from a position, `None` where Black is to move.
    fn move_number(&self, index: usize) -> Option<u32> {
        let (side, number) = self.first;
        let half_moves = index + usize::from(side == Color::Black);
        half_moves.is_multiple_of(2).then_some(number + (half_moves / 2) as u32)
    }

    fn expectation(&self, index: usize) -> Option<f64> {
        self.points[index].as_ref().map(|point| expectation(point.score))
    }
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 62.0;

/// The curve as an SVG picture.
pub fn svg(curve: &Curve) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_svg(&mut out, curve);
    out
}

fn write_svg(out: &mut String, curve: &Curve) -> std::fmt::Result {
    let count = curve.points.len();
    let x = |index: usize| LEFT + (WIDTH - LEFT - RIGHT) * index as f64 / (count.max(2) - 1) as f64;
    let y = |expectation: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - expectation);
    let (right, bottom, middle) = (WIDTH - RIGHT, y(0.0), y(0.5));
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">"
    )?;
    writeln!(out, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>")?;
    writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{}</text>",
        escaped(&curve.title)
    )?;
    writeln!(
        out,
        "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#4a4a4a\"/>",
        right - LEFT,
        bottom - TOP
    )?;
    for run in runs(curve) {
        let mut path = format!("M{:.1},{bottom:.1}", x(run.start));
        for index in run.clone() {
            if let Some(expectation) = curve.expectation(index) {
                write!(path, " L{:.1},{:.1}", x(index), y(expectation))?;
            }
        }
        writeln!(out, "<path d=\"{path} L{:.1},{bottom:.1} Z\" fill=\"#f4f1e8\"/>", x(run.end - 1))?;
    }
    for (part, label) in [(1.0, "100 %"), (0.75, "75 %"), (0.5, "50 %"), (0.25, "25 %"), (0.0, "0 %")] {
        let at = y(part);
        let color = if part == 0.5 { "#cc7722" } else { "#999999" };
        writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"{color}\" stroke-width=\"0.7\"/>"
        )?;
        writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", LEFT - 6.0, at + 4.0)?;
    }
    writeln!(
        out,
        "<text x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle:.1})\">\
         White's expected score</text>"
    )?;
    for (index, number) in ticks(curve) {
        let at = x(index);
        writeln!(
            out,
            "<line x1=\"{at:.1}\" y1=\"{bottom:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"#666666\"/>",
            bottom + 4.0
        )?;
        writeln!(out, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{number}</text>", bottom + 17.0)?;
    }
    for (index, point) in curve.points.iter().enumerate() {
        let Some(point) = point else { continue };
        let (radius, fill) = point.mark.map_or((2.0, "#1f77b4"), |mark| (4.5, mark.color()));
        writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#ffffff\" stroke-width=\"0.8\">\
             <title>{}</title></circle>",
            x(index),
            y(expectation(point.score)),
            escaped(&point.label)
        )?;
    }
    for (place, mark) in Mark::ALL.into_iter().enumerate() {
        let (at, line) = (LEFT + 8.0 + 120.0 * place as f64, HEIGHT - 14.0);
        writeln!(out, "<circle cx=\"{at}\" cy=\"{:.1}\" r=\"4.5\" fill=\"{}\"/>", line - 4.0, mark.color())?;
        writeln!(out, "<text x=\"{}\" y=\"{line}\">{}</text>", at + 9.0, mark.name())?;
    }
    writeln!(out, "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">move</text>", HEIGHT - 14.0)?;
    writeln!(out, "</svg>")
}

/// The stretches without a gap.
fn runs(curve: &Curve) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for index in (0..curve.points.len()).filter(|&index| curve.points[index].is_some()) {
        match runs.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}

/// The positions that are numbered on the axis, a dozen at most.
fn ticks(curve: &Curve) -> Vec<(usize, u32)> {
    const MOST: usize = 12;
    let numbered: Vec<(usize, u32)> =
        (0..curve.points.len()).filter_map(|index| Some((index, curve.move_number(index)?))).collect();
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|step| numbered.len() / step <= MOST);
    let step = step.unwrap_or(1_000) as u32;
    let is_first = |number: u32| number == curve.first.1;
    numbered.into_iter().filter(|&(_, number)| number % step == 0 || is_first(number) && step <= 2).collect()
}

fn escaped(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Rows above the middle line of the curve in text, and below.
const HALF_ROWS: usize = 4;

/// The curve as lines of text at most `width` columns wide: bars above the middle line are White's.
pub fn text(curve: &Curve, width: usize, symbols: Symbols) -> String {
    const MARGIN: usize = 7;
    let count = curve.points.len();
    let per_column = count.div_ceil(width.saturating_sub(MARGIN).max(10)).max(1);
    let columns: Vec<Option<f64>> = (0..count)
        .step_by(per_column)
        .map(|start| mean((start..(start + per_column).min(count)).filter_map(|index| curve.expectation(index))))
        .collect();
    let mut out = String::new();
    for row in (0..2 * HALF_ROWS).rev() {
        let name = match row {
            _ if row == 2 * HALF_ROWS - 1 => "White ",
            0 => "Black ",
            _ => "      ",
        };
        let bars: String = columns.iter().map(|column| column.map_or(' ', |value| bar(value, row, symbols))).collect();
        out.push_str(format!("{name}|{bars}").trim_end());
        out.push('\n');
        if row == HALF_ROWS {
            out.push_str(&format!("      +{}\n", "-".repeat(columns.len())));
        }
    }
    let mut numbers = String::new();
    for (index, number) in ticks(curve) {
        let column = index / per_column;
        if column >= numbers.len() && (numbers.is_empty() || column > numbers.len()) || index == 0 {
            numbers.push_str(&" ".repeat(column - numbers.len()));
            numbers.push_str(&number.to_string());
        }
    }
    out.push_str(&format!("{}{numbers}\n", " ".repeat(MARGIN)));
    out
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The part of a row that a bar from the middle line fills, in halves.
fn bar(expectation: f64, row: usize, symbols: Symbols) -> char {
    let height = (expectation - 0.5) * 2.0 * HALF_ROWS as f64;
    let (is_above, from_middle) = if row >= HALF_ROWS { (true, row - HALF_ROWS) } else { (false, HALF_ROWS - 1 - row) };
    let reach = if is_above { height } else { -height } - from_middle as f64;
    let (full, lower_half, upper_half) = match symbols {
        Symbols::Unicode => ('█', '▄', '▀'),
        Symbols::Ascii => ('#', '.', '\''),
    };
    match (reach, is_above) {
        (reach, _) if reach >= 0.75 => full,
        (reach, true) if reach >= 0.25 => lower_half,
        (reach, false) if reach >= 0.25 => upper_half,
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(scores: &[Option<i32>]) -> Curve {
        let point = |score: &Option<i32>| {
            let mark = Some(Mark::MissedMate);
            score.map(|score| Point { score: Score(score), label: "1. e4 <\"x\"> & y".into(), mark })
        };
        Curve { title: "A & <B>".into(), first: (Color::White, 1), points: scores.iter().map(point).collect() }
    }

    #[test]
    fn the_picture_has_a_point_for_each_position_and_no_raw_text() {
        let picture = svg(&curve(&[Some(0), Some(300), None, Some(-300)]));
        assert_eq!(picture.matches("<title>").count(), 3);
        assert_eq!(picture.matches("<path ").count(), 2);
        assert!(picture.contains("A &amp; &lt;B&gt;") && picture.contains("1. e4 &lt;&quot;x&quot;&gt; &amp; y"));
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        for empty in [&[][..], &[Some(0)], &[None]] {
            assert!(!svg(&curve(empty)).contains("NaN"));
        }
    }

    #[test]
    fn bars_stand_on_the_side_of_who_is_better() {
        let drawn = text(&curve(&[Some(5_000), Some(0), Some(-5_000), None]), 40, Symbols::Unicode);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], "White |█");
        assert_eq!(lines[HALF_ROWS], "      +----");
        assert_eq!(lines[2 * HALF_ROWS], "Black |  █");
        assert_eq!(lines[2 * HALF_ROWS + 1], "       1 2");
    }

    #[test]
    fn a_curve_can_be_drawn_in_ascii() {
        let scores = curve(&[Some(5_000), Some(150), Some(-150), Some(-5_000)]);
        let (figures, ascii) = (text(&scores, 40, Symbols::Unicode), text(&scores, 40, Symbols::Ascii));
        assert!(ascii.is_ascii() && figures.contains('▄') && figures.contains('▀'), "{figures}");
        assert_eq!(figures.replace('█', "#").replace('▄', ".").replace('▀', "'"), ascii);
    }

    #[test]
    fn long_games_fit_the_width() {
        let long = curve(&vec![Some(150); 401]);
        let drawn = text(&long, 60, Symbols::Unicode);
        assert!(drawn.lines().all(|line| line.chars().count() <= 60), "{drawn}");
        assert!(ticks(&long).len() <= 13);
    }

    #[test]
    fn numbers_follow_the_side_to_move() {
        let mut black = curve(&[Some(0); 5]);
        black.first = (Color::Black, 7);
        assert_eq!(ticks(&black), [(1, 8), (3, 9)]);
    }
}
