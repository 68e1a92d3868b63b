//! The analysis of one position.

use super::suite::{Goals, Verdict, Watch};
use crate::engine::Engine;
use crate::rules::{Game, MateKind, Outcome};
use crate::search::{Bound, Control, Limits, SearchEvent, SearchInfo, SearchResult};
use crate::types::Move;

/// The searches for the rests of the mating lines of a position end after this many nodes, all together.
pub const COMPLETION_NODES: u64 = 500_000;

/// What was found out about a position.
#[derive(Clone, Debug)]
pub struct Analysis {
    pub game: Game,
    /// Lines that end in mate are complete where their ends could be found.
    pub result: SearchResult,
    /// How the mate comes about that ends each line, in the order of the lines; `None` where no mate is known.
    pub mates: Vec<Option<MateKind>>,
    /// Of a position with goals.
    pub verdict: Option<Verdict>,
}

impl Analysis {
    /// The end of the best line, where that is a mate.
    pub fn mate(&self) -> Option<MateKind> {
        self.mates.first().copied().flatten()
    }
}

/// Searches a position. `on_info` gets each line as it is found.
///
/// The limits are those of the search; [`COMPLETION_NODES`] more may go into the ends of the lines.
pub fn analyse(
    engine: &mut Engine,
    game: &Game,
    goals: &Goals,
    limits: &Limits,
    control: &Control,
    on_info: &mut dyn FnMut(&SearchInfo),
) -> Analysis {
    let mut watch = Watch::new(goals);
    let mut result = engine.think(game, limits, control, &mut |event| {
        if let SearchEvent::Info(info) = event {
            if info.line == 1 && info.bound == Bound::Exact {
                watch.see(info);
            }
            on_info(info);
        }
    });
    let verdict = watch.verdict();
    let mut budget = COMPLETION_NODES;
    let mates = result.lines.iter_mut().map(|line| complete_mate(engine, game, line, control, &mut budget)).collect();
    Analysis { game: game.clone(), result, mates, verdict }
}

/// Plays out a line with the score of a mate, finding the moves that the search has cut off its end, and tells which
/// royal man is mated. What this takes in nodes is taken off the budget.
fn complete_mate(
    engine: &mut Engine,
    game: &Game,
    line: &mut SearchInfo,
    control: &Control,
    budget: &mut u64,
) -> Option<MateKind> {
    let plies = line.score.mate_plies()?.unsigned_abs() as usize;
    let mut end = game.clone();
    line.pv.iter().for_each(|&mv| end.push(mv));
    let mut moves = line.pv.clone();
    loop {
        match end.position().outcome() {
            Some(Outcome::Mate { kind, .. }) if moves.len() == plies => {
                line.pv = moves;
                return Some(kind);
            }
            Some(_) => return None,
            None => {}
        }
        let missing = plies.checked_sub(moves.len()).filter(|&missing| missing > 0)?;
        let rest = mating_line(engine, &end, missing, control, budget)?;
        for mv in rest {
            end.push(mv);
            moves.push(mv);
        }
    }
}

/// The best line of a position whose mate is this many plies away, as far as a search gives it; never empty.
fn mating_line(
    engine: &mut Engine,
    game: &Game,
    plies: usize,
    control: &Control,
    budget: &mut u64,
) -> Option<Vec<Move>> {
    if *budget == 0 {
        return None;
    }
    let limits = Limits { depth: Some(plies as u32 + 2), nodes: Some(*budget), ..Limits::default() };
    let result = engine.think_lines(1, game, &limits, control, &mut |_| {});
    *budget = budget.saturating_sub(result.nodes);
    let found = result.score.mate_plies()?.unsigned_abs() as usize;
    let line = result.lines.into_iter().next()?.pv;
    (found == plies && !line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::Options;
    use crate::rules::parse_fen;

    fn analysed(fen: &str, depth: u32, multi_pv: u32) -> Analysis {
        let mut engine = Engine::new(Options { hash: 1, multi_pv, ..Options::default() }).unwrap();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let game = Game::new(parse_fen(fen).unwrap().position);
        analyse(&mut engine, &game, &Goals::default(), &limits, &Control::new(&limits), &mut |_| {})
    }

    #[test]
    fn the_kind_of_each_mate_is_told() {
        let mates = include_str!("../../tests/data/mates.epd").lines().filter(|line| line.contains(";dm 2"));
        for (wanted, name) in [(MateKind::King, "king"), (MateKind::AntiKing, "anti"), (MateKind::Both, "both")] {
            let line = mates.clone().find(|line| line.contains(&format!(";kind {name} "))).unwrap();
            let found = analysed(line.split(';').next().unwrap(), 6, 1);
            assert_eq!(found.result.score.mate_moves(), Some(2), "{line}");
            assert_eq!(found.mate(), Some(wanted), "{line}");
            assert_eq!(found.result.lines[0].pv.len(), 3);
        }
    }

    #[test]
    fn mates_that_are_none_have_no_kind() {
        let start = analysed(crate::rules::Position::START_FEN, 2, 3);
        assert_eq!((start.mates, start.verdict), (vec![None; 3], None));
    }

    #[test]
    fn a_line_cut_short_is_completed() {
        let fen = "7n/1R6/1a4A1/8/K1k5/8/N7/8 w - - 0 1";
        let found = analysed(fen, 6, 1);
        let mut engine = Engine::new(Options { hash: 1, ..Options::default() }).unwrap();
        let mut cut = found.result.lines[0].clone();
        cut.pv.truncate(1);
        let control = Control::new(&Limits::default());
        let mut budget = COMPLETION_NODES;
        let kind = complete_mate(&mut engine, &found.game, &mut cut, &control, &mut budget);
        assert_eq!((kind, cut.pv.len()), (found.mate(), 3));
        assert!((1..COMPLETION_NODES).contains(&budget), "{budget}");
        cut.pv.truncate(1);
        let nothing_left = complete_mate(&mut engine, &found.game, &mut cut, &control, &mut 0);
        assert_eq!((nothing_left, cut.pv.len()), (None, 1));
        control.stop();
        let stopped = complete_mate(&mut engine, &found.game, &mut cut, &control, &mut budget);
        assert_eq!((stopped, cut.pv.len()), (None, 1));
    }

    #[test]
    fn the_end_of_a_line_is_looked_for_with_one_line() {
        let game = Game::new(parse_fen("7n/1R6/1a4A1/8/K1k5/8/N7/8 w - - 0 1").unwrap().position);
        let spent = |multi_pv: u32| {
            let mut engine = Engine::new(Options { hash: 1, multi_pv, ..Options::default() }).unwrap();
            let mut budget = COMPLETION_NODES;
            let line = mating_line(&mut engine, &game, 3, &Control::new(&Limits::default()), &mut budget);
            assert_eq!(line.map(|line| line.len()), Some(3));
            COMPLETION_NODES - budget
        };
        assert_eq!(spent(20), spent(1));
    }

    #[test]
    fn a_mate_on_the_board_is_one() {
        let both = analysed("5k2/8/8/8/pP2n2a/6K1/6N1/6A1 w - - 0 1", 3, 1);
        assert_eq!((both.result.best, both.mate()), (None, Some(MateKind::Both)));
    }
}
