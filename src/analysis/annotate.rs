//! A reviewed game as PGN.

use super::review::MoveReview;
use crate::pgn::{Evaluation, GameResult, MoveNotation, PgnGame, PgnMove, PgnRecord, search_comment};
use crate::rules::{Game, Position, to_san};
use crate::text::score;
use crate::types::{Color, Score};

/// How a comment of ours begins.
const EVAL: &str = "[%eval ";
/// The tag that names who made the comments.
const ANNOTATOR: &str = "Annotator";

/// The game with what the review says of each move: a glyph on bad ones, and in a comment the score for White as
/// `[%eval ...]`, the score for the mover with depth and time as match runners write it, and remarks. Tags and comments
/// of the record are kept, but for comments of an earlier review.
///
/// `game` is the game of the record, `reviews` those of its moves.
pub fn annotated(record: &PgnRecord, game: &Game, reviews: &[Option<MoveReview>]) -> String {
    let mut position = game.start().clone();
    let mut moves = Vec::new();
    for (index, &mv) in game.moves().iter().enumerate() {
        let review = reviews.get(index).and_then(Option::as_ref);
        let mut comments: Vec<String> = review.map(|review| comment(&position, review)).into_iter().collect();
        comments.extend(kept_comments(record, index + 1));
        let glyph = review.and_then(|review| review.judgement).map(|judgement| judgement.glyph());
        moves.push(PgnMove { mv, glyph, comments });
        position = position.played(mv);
    }
    let text = record.result.as_deref().or(record.tag("Result"));
    let annotator = (ANNOTATOR, format!("Antiking {}", env!("CARGO_PKG_VERSION")));
    let own_tags = record.tags.iter().filter(|(name, _)| name != ANNOTATOR);
    let tags = own_tags.map(|(name, value)| (name.as_str(), value.clone())).chain([annotator]).collect();
    PgnGame {
        tags,
        start: game.start(),
        moves,
        notation: MoveNotation::San,
        preface: kept_comments(record, 0).collect::<Vec<_>>().join(" "),
        result: text.and_then(GameResult::parse),
    }
    .text()
}

fn kept_comments(record: &PgnRecord, moves_before: usize) -> impl Iterator<Item = String> {
    let here = record.comments.iter().filter(move |(number, _)| *number == moves_before);
    here.filter(|(_, text)| !text.starts_with(EVAL)).map(|(_, text)| text.clone())
}

fn comment(position: &Position, review: &MoveReview) -> String {
    let mut parts = vec![search_comment(evaluation(review.score), review.depth, review.time)];
    parts.extend(review.remarks());
    if review.judgement.is_some() || review.missed.is_some() {
        parts.push(format!("{} {} was best", to_san(position, review.best), score(review.best_score)));
    }
    let after = position.played(review.played);
    let eval = eval_tag(&after, review).map(|tag| format!("{tag} ")).unwrap_or_default();
    format!("{eval}{}", parts.join(", "))
}

/// `[%eval 0.35,14]` or `[%eval #-2]`: pawns and depth, or moves to the mate, for White. `None` of a mate on the board.
fn eval_tag(after: &Position, review: &MoveReview) -> Option<String> {
    if after.outcome().is_some_and(|outcome| outcome.winner().is_some()) {
        return None;
    }
    let sign = if review.side == Color::White { 1 } else { -1 };
    Some(match evaluation(review.score) {
        Evaluation::Centipawns(value) => format!("{EVAL}{:.2},{}]", f64::from(sign * value) / 100.0, review.depth),
        Evaluation::Mate(_) => format!("{EVAL}#{}]", sign * moves_left(review.score)),
    })
}

/// Moves to the mate as they are counted after the move: the mover has made one of his.
fn moves_left(score: Score) -> i32 {
    score.mate_moves().map_or(0, |moves| if moves > 0 { moves - 1 } else { moves })
}

fn evaluation(score: Score) -> Evaluation {
    score.mate_moves().map_or(Evaluation::Centipawns(score.0), Evaluation::Mate)
}

#[cfg(test)]
mod tests {
    use super::super::review::review;
    use super::super::review::tests::{MATE_IN_TWO, analysed_game};
    use super::*;
    use crate::pgn::read_games;

    #[test]
    fn an_annotated_game_reads_back_whole() {
        let text =
            format!("[White \"x\"]\n[FEN \"{MATE_IN_TWO}\"]\n\n{{before}} 1. Ka5 {{[%eval 1.00] old}} {{why?}} Kd4 *");
        let record = read_games(&text).remove(0);
        let (game, analyses) = analysed_game(MATE_IN_TWO, &["Ka5", "Kd4"]);
        let written = annotated(&record, &game, &review(&game, &analyses));
        let again = read_games(&written).remove(0);
        assert_eq!(again.replay(9).unwrap().moves(), game.moves());
        assert_eq!(
            (again.result.as_deref(), again.tag("Result"), again.tag("White")),
            (Some("*"), Some("*"), Some("x"))
        );
        assert!(again.tag("Annotator").unwrap().starts_with("Antiking "));
        let comments: Vec<&str> = again.comments.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!((comments[0], comments[2], comments.len()), ("before", "why?", 4), "{written}");
        assert!(comments[1].starts_with("[%eval ") && comments[1].contains(", missed "), "{written}");
        assert!(comments[1].ends_with("Rd7+ mate 2 was best"), "{written}");
        let twice = annotated(&again, &game, &review(&game, &analyses));
        assert_eq!(twice, written);
    }

    #[test]
    fn mates_are_counted_from_the_position_after_the_move() {
        let (game, analyses) = analysed_game(MATE_IN_TWO, &["Rd7+", "Ab7", "Rd1#"]);
        let written = annotated(&PgnRecord::default(), &game, &review(&game, &analyses));
        let record = read_games(&written).remove(0);
        let heads: Vec<&str> = record.comments.iter().map(|(_, text)| text.split('/').next().unwrap()).collect();
        assert_eq!(heads, ["[%eval #1] +M3", "[%eval #1] -M2", "+M1"]);
    }
}
