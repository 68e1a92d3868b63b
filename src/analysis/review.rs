//! What the moves of a game were worth.
//!
//! Every position of the game is analysed by itself; a move costs what the position before it was worth to the mover,
//! less what the position after it is.

use std::fmt;
use std::time::Duration;

use super::search::Analysis;
use crate::engine::win_draw_loss;
use crate::rules::{Game, MateKind, Outcome};
use crate::search::SearchInfo;
use crate::text::score;
use crate::types::{Color, Move, Score};

/// Scores count as at most this many centipawns when the cost of a move is taken: beyond it all is won.
const MAX_CENTIPAWNS: i32 = 1_000;

/// How bad a move is, by the part of the expected score (1 for a win, one half for a draw) that it gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// 0.05 or more.
    Inaccuracy,
    /// 0.1 or more.
    Mistake,
    /// 0.2 or more.
    Blunder,
}

impl Judgement {
    pub const ALL: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    fn of(given_away: f64) -> Option<Judgement> {
        Judgement::ALL.into_iter().rev().find(|judgement| given_away >= judgement.threshold())
    }

    /// The judgement with this name.
    pub fn named(name: &str) -> Option<Judgement> {
        Judgement::ALL.into_iter().find(|judgement| judgement.name() == name)
    }

    const fn threshold(self) -> f64 {
        match self {
            Judgement::Inaccuracy => 0.05,
            Judgement::Mistake => 0.1,
            Judgement::Blunder => 0.2,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// The numeric annotation glyph of the PGN standard: `?!`, `?` or `??`.
    pub const fn glyph(self) -> u8 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }
}

/// A mate that can be forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedMate {
    /// Full moves of the side that mates.
    pub moves: u32,
    /// `None` where the line to its end was not found.
    pub kind: Option<MateKind>,
}

/// `anti-mate in 2`.
impl fmt::Display for ForcedMate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", mate_name(self.kind), self.moves)
    }
}

/// `king mate`, `anti-mate`, `mate of both`; plain `mate` where it is not known.
pub const fn mate_name(kind: Option<MateKind>) -> &'static str {
    match kind {
        Some(MateKind::King) => "king mate",
        Some(MateKind::AntiKing) => "anti-mate",
        Some(MateKind::Both) => "mate of both",
        None => "mate",
    }
}

/// What a move was worth. Scores are for the side that moved.
#[derive(Clone, Debug)]
pub struct MoveReview {
    pub side: Color,
    pub number: u32,
    pub played: Move,
    /// What the engine would have played.
    pub best: Move,
    /// Of the best move.
    pub best_score: Score,
    /// Of the move that was played.
    pub score: Score,
    /// Plies to which the played move was looked at.
    pub depth: u32,
    /// For which the played move was looked at.
    pub time: Duration,
    /// Centipawns given away, 0 to 2000.
    pub loss: i32,
    /// The expected score given away, 0 to 1.
    pub given_away: f64,
    pub judgement: Option<Judgement>,
    /// The mover could force this mate, and can no more.
    pub missed: Option<ForcedMate>,
    /// The opponent can force this mate, and could not before.
    pub allowed: Option<ForcedMate>,
}

impl MoveReview {
    /// 0 to 100. The curve that lichess.org publishes for its accuracy, over percents of the expected score given away.
    pub fn accuracy(&self) -> f64 {
        (103.1668 * (-0.04354 * 100.0 * self.given_away).exp() - 3.1669).clamp(0.0, 100.0)
    }

    /// What is to be said of the move: `blunder`, `missed anti-mate in 2`; empty of a good one.
    pub fn remarks(&self) -> Vec<String> {
        let judgement = self.judgement.map(|judgement| judgement.name().to_owned());
        let missed = self.missed.map(|mate| format!("missed {mate}"));
        let allowed = self.allowed.map(|mate| format!("allows {mate}"));
        [judgement, missed, allowed].into_iter().flatten().collect()
    }
}

/// True of what [`MoveReview::remarks`] gives.
pub fn is_remark(text: &str) -> bool {
    let is_mate = |text: &str| {
        let kinds = [Some(MateKind::King), Some(MateKind::AntiKing), Some(MateKind::Both), None].map(mate_name);
        text.split_once(" in ").is_some_and(|(name, moves)| kinds.contains(&name) && moves.parse::<u32>().is_ok())
    };
    let mate = text.strip_prefix("missed ").or_else(|| text.strip_prefix("allows "));
    mate.is_some_and(is_mate) || Judgement::named(text).is_some()
}

/// Reviews the moves of a game. `analyses` are those of its positions from the first to the one after the last move;
/// where one is missing, the moves before and after it are not reviewed.
pub fn review(game: &Game, analyses: &[Option<Analysis>]) -> Vec<Option<MoveReview>> {
    let pairs = analyses.windows(2).zip(game.moves());
    pairs.map(|(pair, &played)| review_move(played, pair[0].as_ref()?, pair[1].as_ref()?)).collect()
}

fn review_move(played: Move, before: &Analysis, after: &Analysis) -> Option<MoveReview> {
    let best = before.result.best?;
    let position = before.game.position();
    let best_score = before.result.score;
    let score = one_ply_earlier(score_of(after));
    let (loss, given_away) = if played == best { (0, 0.0) } else { cost(best_score, score) };
    // Of a game that has ended nothing was searched.
    let searched = if after.result.best.is_some() { &after.result } else { &before.result };
    let mates = |score: Score| score.is_mate() && score.0 > 0;
    // Of the engine's own move a deeper look at the next position may think worse, but it would have played it too.
    let is_worse = played != best;
    let missed = (is_worse && mates(best_score) && !mates(score)).then(|| forced(best_score, before.mate()));
    let allowed = (is_worse && mates(-score) && !mates(-best_score)).then(|| forced(-score, after.mate()));
    Some(MoveReview {
        side: position.turn(),
        number: position.fullmove_number(),
        played,
        best,
        best_score,
        score,
        depth: searched.depth,
        time: searched.time,
        loss,
        given_away,
        judgement: Judgement::of(given_away),
        missed,
        allowed,
    })
}

/// For the side to move. A game that was drawn is worth a draw, whatever could still be played.
fn score_of(analysis: &Analysis) -> Score {
    match analysis.game.outcome() {
        Some(Outcome::Draw(_)) => Score::DRAW,
        _ => analysis.result.score,
    }
}

/// The score of a position for the side that moved there: mates are a ply further away.
fn one_ply_earlier(score: Score) -> Score {
    match score.mate_plies() {
        Some(plies) if plies > 0 => Score::mated(plies as usize + 1),
        Some(plies) => Score::mating(plies.unsigned_abs() as usize + 1),
        None => -score,
    }
}

fn forced(score: Score, kind: Option<MateKind>) -> ForcedMate {
    ForcedMate { moves: score.mate_moves().unwrap_or_default().unsigned_abs(), kind }
}

/// Centipawns and expected score given away.
fn cost(best: Score, played: Score) -> (i32, f64) {
    let centipawns = |score: Score| score.0.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS);
    let loss = (centipawns(best) - centipawns(played)).max(0);
    (loss, (expectation(best) - expectation(played)).max(0.0))
}

/// The expected score, 0 to 1.
pub fn expectation(score: Score) -> f64 {
    let (win, draw, _) = win_draw_loss(score);
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// How a side played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The moves reviewed.
    pub moves: usize,
    /// In the order of [`Judgement::ALL`].
    pub judgements: [usize; 3],
    pub missed_king_mates: usize,
    pub missed_anti_mates: usize,
    pub missed_mates_of_both: usize,
    /// Whose kind is not known.
    pub other_missed_mates: usize,
    /// Centipawns of all moves together.
    pub total_loss: i64,
    /// Of all moves together.
    total_accuracy: f64,
}

impl Summary {
    pub fn of(side: Color, reviews: &[Option<MoveReview>]) -> Summary {
        let mut summary = Summary::default();
        for review in reviews.iter().flatten().filter(|review| review.side == side) {
            summary.moves += 1;
            summary.total_loss += i64::from(review.loss);
            summary.total_accuracy += review.accuracy();
            if let Some(judgement) = review.judgement {
                summary.judgements[judgement as usize] += 1;
            }
            match review.missed.map(|mate| mate.kind) {
                Some(Some(MateKind::King)) => summary.missed_king_mates += 1,
                Some(Some(MateKind::AntiKing)) => summary.missed_anti_mates += 1,
                Some(Some(MateKind::Both)) => summary.missed_mates_of_both += 1,
                Some(None) => summary.other_missed_mates += 1,
                None => {}
            }
        }
        summary
    }

    pub fn missed_mates(&self) -> usize {
        self.missed_king_mates + self.missed_anti_mates + self.missed_mates_of_both + self.other_missed_mates
    }

    /// Centipawns a move; `None` without moves.
    pub fn average_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total_loss as f64 / self.moves as f64)
    }

    /// The mean over the moves, 0 to 100; `None` without moves.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total_accuracy / self.moves as f64)
    }
}

/// The score of a position for White.
pub fn for_white(analysis: &Analysis) -> Score {
    score_of(analysis).for_white(analysis.game.position().turn())
}

/// The score of a position for White in words; of a mate on the board only its sign.
pub fn told_for_white(analysis: &Analysis) -> String {
    let moves = score_of(analysis).mate_moves();
    match (moves, analysis.game.position().turn()) {
        (Some(_), _) if analysis.result.best.is_none() => "#".to_owned(),
        // Moves are counted by the side to move, and stay that many for the other.
        (Some(moves), Color::Black) => format!("mate {}", -moves),
        _ => score(for_white(analysis)),
    }
}

/// The best line of an analysis, if there is a move.
pub fn best_line(analysis: &Analysis) -> Option<&SearchInfo> {
    analysis.result.lines.first().filter(|line| !line.pv.is_empty())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::analysis::search::analyse;
    use crate::analysis::suite::Goals;
    use crate::engine::Engine;
    use crate::engine::options::Options;
    use crate::rules::{parse_fen, parse_san};
    use crate::search::{Control, Limits};

    /// A game from a FEN, and the analyses of its positions to a small depth.
    pub fn analysed_game(fen: &str, moves: &[&str]) -> (Game, Vec<Option<Analysis>>) {
        let mut game = Game::new(parse_fen(fen).unwrap().position);
        let mut engine = Engine::new(Options { hash: 1, ..Options::default() }).unwrap();
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let mut analyses = Vec::new();
        for text in moves.iter().map(Some).chain([None]) {
            let control = Control::new(&limits);
            analyses.push(Some(analyse(&mut engine, &game, &Goals::default(), &limits, &control, &mut |_| {})));
            if let Some(text) = text {
                let mv = parse_san(game.position(), text).unwrap();
                game.push(mv);
            }
        }
        (game, analyses)
    }

    pub const MATE_IN_TWO: &str = "7n/1R2P3/1a4A1/8/K1k5/8/N7/8 w - - 0 1";

    #[test]
    fn a_missed_mate_is_named_by_its_kind() {
        let (game, analyses) = analysed_game(MATE_IN_TWO, &["Ka5"]);
        let kind = analyses[0].as_ref().unwrap().mate();
        let reviews = review(&game, &analyses);
        let missed = reviews[0].as_ref().unwrap();
        assert_eq!(missed.missed, Some(ForcedMate { moves: 2, kind }));
        assert!(kind.is_some() && missed.loss > 0);
        let name = mate_name(kind);
        assert!(missed.remarks().contains(&format!("missed {name} in 2")), "{:?}", missed.remarks());
        let summary = Summary::of(Color::White, &reviews);
        assert_eq!((summary.moves, summary.missed_mates()), (1, 1));
        assert_eq!(Summary::of(Color::Black, &reviews), Summary::default());
    }

    #[test]
    fn the_best_move_is_not_blamed_for_what_comes_to_light_later() {
        let (game, mut analyses) = analysed_game(MATE_IN_TWO, &["Rd7+", "Ab7"]);
        let second = &mut analyses[1].as_mut().unwrap().result;
        (second.score, second.best) = (Score(0), Some(game.moves()[1]));
        let reviews = review(&game, &analyses);
        let best = reviews[0].as_ref().unwrap();
        assert_eq!((best.played, best.loss), (best.best, 0));
        assert_eq!((best.missed, best.allowed), (None, None));
        // Nor when a mate is seen only behind it.
        let reply = reviews[1].as_ref().unwrap();
        assert_eq!((reply.played, reply.allowed), (reply.best, None));
        assert!(reply.score.is_mate());
    }

    #[test]
    fn remarks_are_known_again() {
        let (game, analyses) = analysed_game(MATE_IN_TWO, &["Ka5"]);
        let mut reviewed = review(&game, &analyses).remove(0).unwrap();
        for kind in [None, Some(MateKind::King), Some(MateKind::AntiKing), Some(MateKind::Both)] {
            let mate = Some(ForcedMate { moves: 12, kind });
            (reviewed.missed, reviewed.allowed) = (mate, mate);
            assert_eq!(reviewed.remarks().iter().filter(|remark| is_remark(remark)).count(), reviewed.remarks().len());
        }
        for other in ["", "missed my train", "allows mate in a few", "a blunder", "missed mate in 2 and more"] {
            assert!(!is_remark(other), "{other}");
        }
    }

    #[test]
    fn a_mate_played_out_costs_nothing() {
        let (game, analyses) = analysed_game(MATE_IN_TWO, &["Rd7+", "Ab7", "Rd1#"]);
        let reviews: Vec<MoveReview> = review(&game, &analyses).into_iter().flatten().collect();
        assert_eq!(reviews.len(), 3);
        assert_eq!(reviews.iter().map(|review| review.loss).collect::<Vec<_>>(), [0, 0, 0]);
        assert_eq!(reviews.iter().map(|review| review.missed).collect::<Vec<_>>(), [None; 3]);
        let scores: Vec<_> = reviews.iter().map(|review| review.score.mate_moves()).collect();
        assert_eq!(scores, [Some(2), Some(-1), Some(1)]);
        assert!(reviews.iter().all(|review| review.depth > 0 && review.remarks().is_empty()));
    }

    #[test]
    fn a_gap_leaves_out_the_moves_beside_it() {
        let (game, mut analyses) = analysed_game(MATE_IN_TWO, &["Rd7+", "Ab7", "Rd1#"]);
        analyses[1] = None;
        let reviewed: Vec<bool> = review(&game, &analyses).iter().map(Option::is_some).collect();
        assert_eq!(reviewed, [false, false, true]);
    }

    #[test]
    fn costs_are_judged_by_the_expected_score() {
        assert_eq!(cost(Score(30), Score(50)), (0, 0.0));
        assert_eq!(cost(Score::mating(3), Score(400)).0, 600);
        assert_eq!(cost(Score(5_000), Score(3_000)).0, 0);
        let judged = |best, played| Judgement::of(cost(Score(best), Score(played)).1);
        assert_eq!(judged(20, 0), None);
        assert_eq!(judged(60, 0), Some(Judgement::Inaccuracy));
        assert_eq!(judged(100, 0), Some(Judgement::Mistake));
        assert_eq!(judged(100, -100), Some(Judgement::Blunder));
        assert_eq!(judged(2_000, 1_500), None);
    }

    #[test]
    fn scores_are_told_for_white() {
        let (_, analyses) = analysed_game(MATE_IN_TWO, &["Rd7+", "Ab7", "Rd1#"]);
        let told: Vec<String> = analyses.iter().flatten().map(told_for_white).collect();
        assert_eq!(told, ["mate 2", "mate 1", "mate 1", "#"]);
    }

    #[test]
    fn mates_move_away_by_a_ply() {
        assert_eq!(one_ply_earlier(Score::mated(0)), Score::mating(1));
        assert_eq!(one_ply_earlier(Score::mated(2)), Score::mating(3));
        assert_eq!(one_ply_earlier(Score::mating(1)), Score::mated(2));
        assert_eq!(one_ply_earlier(Score(35)), Score(-35));
    }
}
