//! A reviewed game as PGN.

use std::ops::RangeInclusive;

use super::game_review::ReviewedGame;
use super::input::FileGame;
use super::review::{Judgement, MoveReview, is_remark};
use crate::pgn::{Evaluation, Line, LineMove, MoveNotation, PgnGame, Remark, is_search_comment, search_comment};
use crate::rules::{Position, to_san};
use crate::text::score;
use crate::types::{Color, Score};

/// How a comment of ours begins.
const EVAL: &str = "[%eval ";
/// The tag that names who made the comments.
const ANNOTATOR: &str = "Annotator";
/// How it begins when that was this program.
const OWN_NAME: &str = "Antiking ";
/// What a comment of ours says of the move that it would have preferred ends so.
const WAS_BEST: &str = " was best";
/// The glyphs for `!`, `?` and their pairs.
const MOVE_ASSESSMENTS: RangeInclusive<u8> = 1..=6;

/// The game with what the review says of each move: a glyph on bad ones, and in a comment the score for White as
/// `[%eval ...]`, the score for the mover with depth and time as match runners write it, and remarks. A move that mates
/// needs none of this.
///
/// Of the record all tags, comments, glyphs and variations are kept, but for what an earlier review has left on the
/// moves that were reviewed: its comments with their glyphs, and `[%eval ...]` in other comments. Of a tag that is
/// given twice the first is written. A move that somebody has given one of the glyphs `!`, `?` and their pairs gets no other. The tag
/// `Annotator` names this program unless it names somebody else.
pub fn annotated(reviewed: &ReviewedGame) -> String {
    let FileGame { record, game, main, .. } = &*reviewed.source;
    let mut position = game.start().clone();
    let mut moves = Vec::new();
    for (made, review) in main.moves.iter().zip(&reviewed.reviews) {
        moves.push(match review {
            Some(review) => with_review(without_review(made), &position, review),
            None => made.clone(),
        });
        position = position.played(made.mv);
    }
    PgnGame {
        tags: tags(reviewed),
        start: game.start(),
        main: Line { preface: main.preface.clone(), moves },
        notation: MoveNotation::San,
        result: record.result(),
    }
    .text()
}

fn tags(reviewed: &ReviewedGame) -> Vec<(&str, String)> {
    let record = &reviewed.source.record;
    let is_ours = reviewed.reviews.iter().any(Option::is_some)
        && record.tag(ANNOTATOR).is_none_or(|annotator| annotator.starts_with(OWN_NAME));
    let annotator = is_ours.then(|| (ANNOTATOR, format!("{OWN_NAME}{}", env!("CARGO_PKG_VERSION"))));
    let others = record.tags.iter().filter(|tag| !(is_ours && tag.name == ANNOTATOR));
    others.map(|tag| (tag.name.as_str(), tag.value.clone())).chain(annotator).collect()
}

/// A move without what an earlier review has said of it.
fn without_review(made: &LineMove) -> LineMove {
    let is_of_review = |remark: &Remark| matches!(remark, Remark::Comment(text) if is_ours(text));
    let of_review = made.remarks.iter().filter(|remark| is_of_review(remark)).filter_map(|remark| match remark {
        Remark::Comment(text) => Some(text.split(", ")),
        Remark::Variation(_) => None,
    });
    let own_glyphs: Vec<u8> = of_review.flatten().filter_map(Judgement::named).map(Judgement::glyph).collect();
    let others = made.remarks.iter().filter(|remark| !is_of_review(remark)).map(|remark| match remark {
        Remark::Comment(text) => Remark::Comment(without_eval(text)),
        Remark::Variation(_) => remark.clone(),
    });
    LineMove {
        mv: made.mv,
        glyphs: made.glyphs.iter().copied().filter(|glyph| !own_glyphs.contains(glyph)).collect(),
        remarks: others.collect(),
    }
}

/// What a review says comes first.
fn with_review(mut made: LineMove, position: &Position, review: &MoveReview) -> LineMove {
    let is_judged = made.glyphs.iter().any(|glyph| MOVE_ASSESSMENTS.contains(glyph));
    made.glyphs.splice(..0, review.judgement.filter(|_| !is_judged).map(Judgement::glyph));
    made.remarks.splice(..0, comment(position, review).map(Remark::Comment));
    made
}

/// True of what [`comment`] writes, and of nothing that a person has added to.
fn is_ours(text: &str) -> bool {
    let Some((_, told)) = text.strip_prefix(EVAL).and_then(|rest| rest.split_once("] ")) else { return false };
    let mut parts = told.split(", ");
    parts.next().is_some_and(is_search_comment) && parts.all(|part| is_remark(part) || is_best_remark(part))
}

/// True of `Rd7+ mate 2 was best`.
fn is_best_remark(text: &str) -> bool {
    let is_score = |text: &str| match text.strip_prefix("mate ") {
        Some(moves) => moves.parse::<i32>().is_ok(),
        None => text.starts_with(['+', '-']) && text.parse::<f64>().is_ok(),
    };
    let best = text.strip_suffix(WAS_BEST).and_then(|best| best.split_once(' '));
    best.is_some_and(|(_, score)| is_score(score))
}

/// A comment without the scores that programs read in it.
fn without_eval(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(EVAL) {
        let Some((_, behind)) = after.split_once(']') else { break };
        kept.push_str(before);
        rest = behind;
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `None` of a mate on the board.
fn comment(position: &Position, review: &MoveReview) -> Option<String> {
    let after = position.played(review.played);
    if after.outcome().is_some_and(|outcome| outcome.winner().is_some()) {
        return None;
    }
    let mut parts = vec![search_comment(evaluation(review.score), review.depth, review.time)];
    parts.extend(review.remarks());
    if review.judgement.is_some() || review.missed.is_some() {
        parts.push(format!("{} {}{WAS_BEST}", to_san(position, review.best), score(review.best_score)));
    }
    Some(format!("{} {}", eval_tag(review), parts.join(", ")))
}

/// `[%eval 0.35,14]` or `[%eval #-2]`: pawns and depth, or moves to the mate, for White.
fn eval_tag(review: &MoveReview) -> String {
    let sign = if review.side == Color::White { 1 } else { -1 };
    match evaluation(review.score) {
        Evaluation::Centipawns(value) => format!("{EVAL}{:.2},{}]", f64::from(sign * value) / 100.0, review.depth),
        Evaluation::Mate(_) => format!("{EVAL}#{}]", sign * moves_left(review.score)),
    }
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
    use super::super::game_review::tests::analysed_text;
    use super::super::review::tests::MATE_IN_TWO;
    use super::*;
    use crate::pgn::{PgnRecord, read_games};

    /// The game annotated, and what is read back from that.
    fn annotate(tags: &str, moves: &str) -> (String, PgnRecord) {
        let (entry, analyses) = analysed_text(tags, moves);
        let written = annotated(&ReviewedGame::new(entry, analyses));
        let record = read_games(&written).remove(0);
        (written, record)
    }

    fn comments(record: &PgnRecord) -> Vec<&str> {
        record.main.comments().map(|(_, text)| text).collect()
    }

    #[test]
    fn an_annotated_game_reads_back_whole() {
        let moves = "{before} 1. Ka5 {[%eval 1.00] +1.00/3 0.010s, blunder} {why?} Kd4 *";
        let (entry, analyses) = analysed_text("[White \"x\"]", moves);
        let written = annotated(&ReviewedGame::new(entry.clone(), analyses.clone()));
        let again = read_games(&written).remove(0);
        assert_eq!(again.replay(9).unwrap().game.moves(), entry.content.game.moves());
        assert_eq!((again.terminator.as_deref(), again.tag("White")), (Some("*"), Some("x")));
        assert!(again.tag("Annotator").unwrap().starts_with(OWN_NAME));
        let told = comments(&again);
        assert_eq!((told[0], told[2], told.len()), ("before", "why?", 4), "{written}");
        assert!(told[1].starts_with("[%eval ") && told[1].contains(", missed "), "{written}");
        assert!(told[1].ends_with("Rd7+ mate 2 was best"), "{written}");
    }

    #[test]
    fn annotating_again_changes_nothing() {
        for moves in ["{before} 1. Ka5 $146 {why?} Kd4 {+0.10/3 0.020s} *", "1. Rd7+ Ab7 2. Rd1# {well done} 1-0"] {
            let (entry, analyses) = analysed_text("", moves);
            let written = annotated(&ReviewedGame::new(entry.clone(), analyses.clone()));
            let again = super::super::input::tests::games_of(&written).0.remove(0);
            assert_eq!(annotated(&ReviewedGame::new(again.into(), analyses)), written);
        }
    }

    #[test]
    fn what_people_wrote_is_kept() {
        let moves = "1. Ka5 {[%eval 0.3] [%clk 0:01:00] my own words} {[%eval 0.3]} \
            Kd4 {[%eval 0.30,5] +0.30/5 0.010s, missed my train} {so [%eval #2] it goes} *";
        let (written, record) = annotate("[Annotator \"Jane\"]", moves);
        assert_eq!(record.tag("Annotator"), Some("Jane"));
        let told = comments(&record);
        assert_eq!(told.len(), 5, "{written}");
        assert_eq!((told[1], told[3]), ("[%clk 0:01:00] my own words", "+0.30/5 0.010s, missed my train"));
        assert_eq!(told[4], "so it goes");
        let (_, record) = annotate("[Annotator \"Antiking 0.0.1\"]", moves);
        assert_eq!(record.tag("Annotator"), Some(concat!("Antiking ", env!("CARGO_PKG_VERSION"))));
    }

    #[test]
    fn glyphs_of_people_are_kept_and_those_of_an_earlier_review_replaced() {
        let first_move = |glyphs: &str| -> Vec<u8> {
            let (_, record) = annotate("", &format!("1. Ka5{glyphs} *"));
            record.main.glyphs().map(|(_, glyph)| glyph).collect()
        };
        let ours = first_move("");
        assert_eq!(ours.len(), 1);
        assert_eq!(first_move("! $14"), [1, 14]);
        assert_eq!(first_move(" $146"), [ours[0], 146]);
        assert_eq!(first_move("?! {[%eval 0.10,3] +0.10/3 0.010s, inaccuracy, Rd7+ mate 2 was best}"), ours);
    }

    #[test]
    fn a_game_that_was_not_begun_stays_as_it_is() {
        let (entry, analyses) = analysed_text("", "1. Ka5?! {[%eval 1.00,3] +1.00/3 0.010s, inaccuracy} *");
        let written = annotated(&ReviewedGame::new(entry, vec![None; analyses.len()]));
        let record = read_games(&written).remove(0);
        assert_eq!(
            (record.tag("Annotator"), comments(&record)),
            (None, vec!["[%eval 1.00,3] +1.00/3 0.010s, inaccuracy"])
        );
        assert_eq!(record.main.glyphs().collect::<Vec<_>>(), [(1, 6)]);
    }

    #[test]
    fn the_result_of_the_tag_stands_in_for_the_terminator() {
        let (written, record) = annotate("[Result \"1-0\"]", "1. Rd7+ Ab7 2. Rd1#");
        assert_eq!(record.terminator.as_deref(), Some("1-0"), "{written}");
    }

    #[test]
    fn mates_are_counted_from_the_position_after_the_move() {
        let (written, record) = annotate("", "1. Rd7+ Ab7 2. Rd1# 1-0");
        let heads: Vec<&str> = record.main.comments().map(|(_, text)| text.split('/').next().unwrap()).collect();
        assert_eq!(heads, ["[%eval #1] +M3", "[%eval #1] -M2"], "{written}");
        assert_eq!(record.tag("FEN"), Some(MATE_IN_TWO));
    }
}
