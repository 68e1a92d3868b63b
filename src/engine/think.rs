use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{self, Scope};
use std::time::Duration;

use super::Engine;
use super::search_thread::{FreeStack, spawn_search_thread};
use crate::rules::{Game, Position};
use crate::search::{
    Bound, Control, Findings, Histories, Limits, NodeCounter, SearchEvent, SearchInfo, SearchResult, Shared,
    TimeBudget, Worker,
};
use crate::types::{Move, Score};

impl Engine {
    /// Searches the position of a game until a limit is reached or the search is stopped, and picks a move.
    ///
    /// `on_event` is called on the calling thread. The last [`SearchEvent::Info`] of line 1 is exact, belongs to the
    /// last depth that was searched to its end, begins with the move picked, and carries the final count of nodes.
    ///
    /// In a thread of [`spawn_search_thread`] the main search runs on the spot; in any other it gets a thread of its
    /// own, since the stack might be too small for it.
    pub fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_event: &mut dyn FnMut(&SearchEvent),
    ) -> SearchResult {
        self.think_lines(self.options.multi_pv as usize, game, limits, control, on_event)
    }

    /// The same, for so many lines (from 1) whatever the options say.
    pub fn think_lines(
        &mut self,
        lines: usize,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_event: &mut dyn FnMut(&SearchEvent),
    ) -> SearchResult {
        let root = game.position();
        let moves = root_moves(root, limits);
        if moves.is_empty() {
            return no_move(root, control, on_event);
        }
        self.table.start_search();
        let overhead = Duration::from_millis(u64::from(self.options.move_overhead));
        let shared = Shared {
            table: &self.table,
            control,
            limits,
            budget: TimeBudget::new(limits, root.turn(), overhead),
            parameters: &self.parameters,
            network: &self.network,
            lines,
            nodes: self.histories.iter().map(|_| NodeCounter::default()).collect(),
            finished: AtomicBool::new(false),
        };
        let mut last_info = None;
        let mut hear = |event| {
            on_event(&event);
            if let SearchEvent::Info(info) = event
                && info.line == 1
                && info.bound == Bound::Exact
            {
                last_info = Some(info);
            }
        };
        let findings = thread::scope(|scope| {
            let (shared, moves) = (&shared, &moves[..]);
            let (main, helpers) = self.histories.split_first_mut()?;
            if let Some(_stack) = FreeStack::claim() {
                start_helpers(scope, shared, helpers, game, moves);
                return run(shared, main, 0, game, moves, &mut hear);
            }
            let (sender, events) = mpsc::channel();
            let main = spawn_search_thread(scope, "search 0".to_owned(), move || {
                run(shared, main, 0, game, moves, &mut |event| {
                    // The receiver lives as long as this scope.
                    let _ = sender.send(event);
                })
            });
            let main = main.inspect_err(|error| log::error!("search thread 0 could not start: {error}")).ok()?;
            start_helpers(scope, shared, helpers, game, moves);
            events.into_iter().for_each(hear);
            main.join().ok().flatten()
        });
        match findings {
            Some(findings) => answer(findings),
            None => {
                // What the search has left behind may be the cause.
                self.new_game();
                rescued(&moves, last_info, control)
            }
        }
    }
}

/// Starts the workers beside the main one. The search does without those for which there is no thread.
fn start_helpers<'scope>(
    scope: &'scope Scope<'scope, '_>,
    shared: &'scope Shared,
    helpers: &'scope mut [Histories],
    game: &'scope Game,
    moves: &'scope [Move],
) {
    for (id, histories) in (1..).zip(helpers) {
        let work = move || run(shared, histories, id, game, moves, &mut |_| {});
        if let Err(error) = spawn_search_thread(scope, format!("search {id}"), work) {
            log::error!("search thread {id} could not start: {error}");
            break;
        }
    }
}

/// Runs a worker to the end of its search; `None` if it panicked. A panic of `on_event` is the caller's own and is
/// passed on.
fn run(
    shared: &Shared,
    histories: &mut Histories,
    id: usize,
    game: &Game,
    moves: &[Move],
    on_event: &mut dyn FnMut(SearchEvent),
) -> Option<Findings> {
    let _finish = (id == 0).then(|| FinishOnDrop(&shared.finished));
    let mut is_telling = false;
    let mut tell = |event| {
        is_telling = true;
        on_event(event);
        is_telling = false;
    };
    let search = || Worker::new(shared, histories, id, game).deepen(moves, &mut tell);
    match catch_unwind(AssertUnwindSafe(search)) {
        Ok(findings) => Some(findings),
        Err(panic) if is_telling => resume_unwind(panic),
        Err(_) => {
            log::error!("search thread {id} panicked");
            None
        }
    }
}

/// Ends the helpers' search with the main thread's, even if that should panic.
struct FinishOnDrop<'a>(&'a AtomicBool);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn root_moves(root: &Position, limits: &Limits) -> Vec<Move> {
    let legal = root.legal_moves();
    let wanted: Vec<Move> = legal.iter().copied().filter(|mv| limits.search_moves.contains(mv)).collect();
    if wanted.is_empty() { legal.to_vec() } else { wanted }
}

/// The answer for a root where the game has ended.
fn no_move(root: &Position, control: &Control, on_event: &mut dyn FnMut(&SearchEvent)) -> SearchResult {
    let score = if root.in_check() { Score::mated(0) } else { Score::DRAW };
    let info = SearchInfo {
        depth: 0,
        selective_depth: 0,
        line: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time: control.elapsed(),
        hash_full: 0,
        pv: Vec::new(),
    };
    on_event(&SearchEvent::Info(info.clone()));
    SearchResult { best: None, ponder: None, score, depth: 0, nodes: 0, time: info.time, lines: vec![info] }
}

fn answer(findings: Findings) -> SearchResult {
    let best = &findings.lines[0];
    let mut moves = best.pv.iter().copied();
    let mv = moves.next();
    SearchResult {
        best: mv,
        ponder: moves.next(),
        score: best.score,
        depth: findings.depth,
        nodes: best.nodes,
        time: best.time,
        lines: findings.lines,
    }
}

/// The answer of a search that failed: what it told last, or any legal move. A move is better than none.
fn rescued(moves: &[Move], last_info: Option<SearchInfo>, control: &Control) -> SearchResult {
    let told = last_info.as_ref().and_then(|info| info.pv.first().copied());
    SearchResult {
        best: told.or(moves.first().copied()),
        ponder: None,
        score: last_info.as_ref().map_or(Score::DRAW, |info| info.score),
        depth: last_info.as_ref().map_or(0, |info| info.depth),
        nodes: last_info.as_ref().map_or(0, |info| info.nodes),
        time: control.elapsed(),
        lines: last_info.into_iter().collect(),
    }
}

/// The chances of win, draw and loss for the side whose score it is, in permille; they add up to 1000.
///
/// A logistic curve on either side of a band that is drawn. Its slope is that of the network's training, its
/// width gives the twentieth part of drawn games that play of the engine against itself shows.
pub fn win_draw_loss(score: Score) -> (u32, u32, u32) {
    const HALF_WIDTH: f64 = 20.0;
    const SLOPE: f64 = 200.0;
    if score.is_mate() {
        return if score.0 > 0 { (1000, 0, 0) } else { (0, 0, 1000) };
    }
    let chance = |centipawns: f64| (1000.0 / (1.0 + ((HALF_WIDTH - centipawns) / SLOPE).exp())).round() as u32;
    let (win, loss) = (chance(f64::from(score.0)), chance(-f64::from(score.0)));
    (win, 1000 - win - loss, loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::Options;

    /// Does the work where the main search needs a thread of its own, and where it does not.
    fn on_either_stack(work: fn()) {
        work();
        thread::scope(|scope| spawn_search_thread(scope, "test".to_owned(), work).unwrap().join().unwrap());
    }

    #[test]
    fn a_search_survives_the_panic_of_any_thread() {
        on_either_stack(|| {
            let game = Game::new(Position::start());
            let mut engine = Engine::new(Options { threads: 3, ..Options::default() }).unwrap();
            let mut think = |failing_thread, depth| {
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let mut control = Control::new(&limits);
                control.failing_thread = failing_thread;
                // With what an earlier search knew a thread could be done before it fails.
                engine.new_game();
                let result = engine.think(&game, &limits, &control, &mut |_| {});
                assert!(result.best.is_some_and(|best| game.position().is_legal(best)), "{failing_thread:?}");
                result.depth
            };
            assert_eq!(think(Some(1), 9), 9);
            assert_eq!(think(Some(2), 9), 9);
            // Without the main thread the last answer it gave counts.
            assert!((1..30).contains(&think(Some(0), 30)));
            assert_eq!(think(None, 9), 9);
        });
    }

    #[test]
    fn a_panic_of_the_listener_reaches_the_caller() {
        on_either_stack(|| {
            let game = Game::new(Position::start());
            let mut engine = Engine::new(Options { threads: 2, ..Options::default() }).unwrap();
            let limits = Limits { depth: Some(6), ..Limits::default() };
            let control = Control::new(&limits);
            let caught = catch_unwind(AssertUnwindSafe(|| {
                engine.think(&game, &limits, &control, &mut |_| panic!("a fault on purpose"))
            }));
            assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"a fault on purpose"));
            assert_eq!(engine.think(&game, &limits, &control, &mut |_| {}).depth, 6);
        });
    }

    #[test]
    fn events_come_on_the_calling_thread() {
        on_either_stack(|| {
            let mut engine = Engine::new(Options::default()).unwrap();
            let limits = Limits { depth: Some(6), ..Limits::default() };
            let (caller, mut depths) = (thread::current().id(), Vec::new());
            engine.think(&Game::new(Position::start()), &limits, &Control::new(&limits), &mut |event| {
                assert_eq!(thread::current().id(), caller);
                if let SearchEvent::Info(info) = event
                    && info.bound == Bound::Exact
                {
                    depths.push(info.depth);
                }
            });
            assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
        });
    }

    #[test]
    fn chances_add_up_and_follow_the_score() {
        let mut last_win = 0;
        for centipawns in -3_000..3_000 {
            let (win, draw, loss) = win_draw_loss(Score(centipawns));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(win_draw_loss(Score(-centipawns)), (loss, draw, win));
            assert!(win >= last_win);
            last_win = win;
        }
        assert_eq!(win_draw_loss(Score::mating(5)), (1000, 0, 0));
        assert_eq!(win_draw_loss(Score::mated(4)), (0, 0, 1000));
    }
}
