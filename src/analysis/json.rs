//! Analyses for machines. The README describes the objects.

use serde_json::{Map, Value, json};

use super::game_review::ReviewedGame;
use super::input::FileGame;
use super::review::{ForcedMate, MoveReview, Summary};
use super::search::Analysis;
use super::suite::{Goals, Tally, Verdict};
use crate::engine::win_draw_loss;
use crate::pgn::GameResult;
use crate::rules::{MateKind, san_line, to_san};
use crate::types::{Color, Move, Score};

/// Where in a file something stood, to be told with it.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// From 1; `None` of a position that is from no file.
    pub line: Option<usize>,
    /// The operation `id` of an EPD.
    pub id: Option<String>,
}

/// A position.
pub fn position(analysis: &Analysis, origin: &Origin, goals: &Goals) -> Value {
    let (result, root) = (&analysis.result, analysis.game.position());
    let mut object = json!({
        "fen": root.fen(),
        "king_in_check": root.king_in_check(),
        "anti_king_in_check": root.anti_king_in_check(),
        "outcome": analysis.game.outcome().map(|outcome| outcome.to_string()),
        "best": result.best.map(|mv| mv.to_string()),
        "san": result.best.map(|mv| to_san(root, mv)),
        "ponder": result.ponder.map(|mv| mv.to_string()),
        "score": score(result.score),
        "wdl": wdl(result.score),
        "mate_kind": mate_kind(analysis.mate()),
        "depth": result.depth,
        "nodes": result.nodes,
        "milliseconds": result.time.as_millis() as u64,
        "lines": lines(analysis),
    });
    let extra = [
        ("line", origin.line.map(Value::from)),
        ("id", origin.id.clone().map(Value::from)),
        ("goals", analysis.verdict.map(|verdict| judged(goals, verdict))),
    ];
    if let Value::Object(object) = &mut object {
        insert_present(object, extra);
    }
    object
}

fn insert_present<const N: usize>(object: &mut Map<String, Value>, fields: [(&str, Option<Value>); N]) {
    for (name, value) in fields {
        if let Some(value) = value {
            object.insert(name.to_owned(), value);
        }
    }
}

fn lines(analysis: &Analysis) -> Vec<Value> {
    let root = analysis.game.position();
    let pairs = analysis.result.lines.iter().zip(&analysis.mates);
    pairs
        .map(|(info, &kind)| {
            json!({
                "score": score(info.score),
                "wdl": wdl(info.score),
                "mate_kind": mate_kind(kind),
                "depth": info.depth,
                "selective_depth": info.selective_depth,
                "moves": uci(&info.pv),
                "san": san_line(root, &info.pv),
            })
        })
        .collect()
}

fn uci(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn score(score: Score) -> Value {
    match score.mate_moves() {
        Some(moves) => json!({ "mate": moves }),
        None => json!({ "centipawns": score.0 }),
    }
}

fn wdl(score: Score) -> Value {
    let (win, draw, loss) = win_draw_loss(score);
    json!([win, draw, loss])
}

fn mate_kind(kind: Option<MateKind>) -> Value {
    kind.map(MateKind::name).into()
}

fn judged(goals: &Goals, verdict: Verdict) -> Value {
    let solution = verdict.solution.map(|solution| {
        let milliseconds = solution.time.as_millis() as u64;
        json!({ "milliseconds": milliseconds, "nodes": solution.nodes, "depth": solution.depth })
    });
    json!({
        "bm": uci(&goals.best),
        "am": uci(&goals.avoid),
        "dm": goals.mate_in,
        "solved": verdict.is_solved(),
        "solution": solution,
    })
}

/// The sum over a suite, which follows its positions.
pub fn suite(tally: &Tally) -> Value {
    let milliseconds = tally.time.as_millis() as u64;
    json!({
        "suite": { "solved": tally.solved, "total": tally.total, "milliseconds": milliseconds, "nodes": tally.nodes }
    })
}

/// A game.
pub fn game(reviewed: &ReviewedGame) -> Value {
    let ReviewedGame { line, source, analyses, reviews } = reviewed;
    let FileGame { number, record, game, .. } = &**source;
    let tags: Map<String, Value> = record.tags.iter().map(|tag| (tag.name.clone(), tag.value.clone().into())).collect();
    let mut position = game.start().clone();
    let mut moves = Vec::new();
    for (index, &mv) in game.moves().iter().enumerate() {
        let analysis = analyses.get(index).and_then(Option::as_ref);
        let mut object = json!({ "fen": position.fen(), "move": mv.to_string(), "san": to_san(&position, mv) });
        if let (Value::Object(object), Some(review)) = (&mut object, reviews.get(index).and_then(Option::as_ref)) {
            object.extend(move_review(review, to_san(&position, review.best)));
            object.insert("lines".to_owned(), analysis.map(lines).unwrap_or_default().into());
        }
        moves.push(object);
        position = position.played(mv);
    }
    json!({
        "game": number,
        "line": line,
        "tags": tags,
        "result": record.result().map_or("*", GameResult::text),
        "outcome": game.outcome().map(|outcome| outcome.to_string()),
        "moves": moves,
        "white": summary(&Summary::of(Color::White, reviews)),
        "black": summary(&Summary::of(Color::Black, reviews)),
    })
}

fn move_review(review: &MoveReview, best_san: String) -> Map<String, Value> {
    let fields = [
        ("score", score(review.score)),
        ("best", review.best.to_string().into()),
        ("best_san", best_san.into()),
        ("best_score", score(review.best_score)),
        ("depth", review.depth.into()),
        ("loss", review.loss.into()),
        ("accuracy", rounded(review.accuracy())),
        ("judgement", review.judgement.map(|judgement| judgement.name()).into()),
        ("missed_mate", review.missed.map(forced_mate).into()),
        ("allowed_mate", review.allowed.map(forced_mate).into()),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn forced_mate(mate: ForcedMate) -> Value {
    json!({ "moves": mate.moves, "kind": mate_kind(mate.kind) })
}

fn summary(summary: &Summary) -> Value {
    let [inaccuracies, mistakes, blunders] = summary.judgements;
    json!({
        "moves": summary.moves,
        "average_loss": summary.average_loss().map(rounded),
        "accuracy": summary.accuracy().map(rounded),
        "inaccuracies": inaccuracies,
        "mistakes": mistakes,
        "blunders": blunders,
        "missed_mates": {
            "king": summary.missed_king_mates,
            "anti": summary.missed_anti_mates,
            "both": summary.missed_mates_of_both,
            "unknown": summary.other_missed_mates,
        },
    })
}

/// With one decimal.
fn rounded(value: f64) -> Value {
    ((value * 10.0).round() / 10.0).into()
}
