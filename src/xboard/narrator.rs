//! What a search tells while it runs: lines of thinking for those who want them, and how far it is for those who ask.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::reply;
use crate::frontend::Narrator;
use crate::rules::{Game, Position, to_san};
use crate::search::{SearchEvent, SearchResult};

/// What the session and its searches share.
#[derive(Default)]
pub struct Blackboard {
    /// True if the thinking is shown.
    posts: AtomicBool,
    /// Of the search that runs or ran last.
    progress: Mutex<Option<Progress>>,
}

/// How far a search is.
struct Progress {
    started: Instant,
    nodes: u64,
    /// Plies.
    depth: u32,
    moves: usize,
    /// The number of the move that is searched, from 1, and its name in SAN; told only by long searches.
    current: Option<(usize, String)>,
}

impl Blackboard {
    /// Shows the thinking from now on, or does not.
    pub fn set_posting(&self, posts: bool) {
        self.posts.store(posts, Ordering::Relaxed);
    }

    /// True if the thinking is shown.
    pub fn is_posting(&self) -> bool {
        self.posts.load(Ordering::Relaxed)
    }

    /// The answer to `.`: centiseconds, nodes, depth, moves left, moves in all, and the move searched now, if it is known.
    pub fn status(&self) -> String {
        match &*self.progress() {
            Some(progress) => progress.line(),
            None => String::new(),
        }
    }

    fn progress(&self) -> MutexGuard<'_, Option<Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress {
    fn line(&self) -> String {
        let centiseconds = self.started.elapsed().as_millis() / 10;
        let (number, name) = match &self.current {
            Some((number, name)) => (*number, format!(" {name}")),
            None => (1, String::new()),
        };
        let left = self.moves.saturating_sub(number);
        format!("stat01: {centiseconds} {} {} {left} {}{name}", self.nodes, self.depth, self.moves)
    }
}

/// Tells of one search.
pub struct XboardNarrator {
    root: Position,
    board: Arc<Blackboard>,
}

impl XboardNarrator {
    /// A narrator for a search of `root` that starts now.
    pub fn new(root: &Position, board: &Arc<Blackboard>) -> XboardNarrator {
        let moves = root.legal_moves().len();
        let progress = Progress { started: Instant::now(), nodes: 0, depth: 0, moves, current: None };
        *board.progress() = Some(progress);
        XboardNarrator { root: root.clone(), board: Arc::clone(board) }
    }
}

impl Narrator for XboardNarrator {
    type Answer = SearchResult;

    fn event(&self, event: &SearchEvent) -> String {
        let mut progress = self.board.progress();
        let Some(progress) = progress.as_mut() else { return String::new() };
        match event {
            SearchEvent::Info(info) => {
                (progress.nodes, progress.depth) = (info.nodes, info.depth);
                // A root without legal moves has no line.
                let shown = self.board.is_posting() && !info.pv.is_empty();
                if shown { reply::thinking(&self.root, info) } else { String::new() }
            }
            SearchEvent::CurrentMove { depth, mv, number } => {
                (progress.depth, progress.current) = (*depth, Some((*number, to_san(&self.root, *mv))));
                String::new()
            }
        }
    }

    fn failure(&self, fault: &str) -> String {
        format!("# the search failed: {fault}")
    }

    fn answer(&self, _: &Game, result: SearchResult) -> SearchResult {
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_uci;

    #[test]
    fn the_status_follows_the_search() {
        let board = Arc::new(Blackboard::default());
        assert_eq!(board.status(), "");
        let root = Position::start();
        let narrator = XboardNarrator::new(&root, &board);
        let words = |line: String| line.split(' ').skip(2).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(board.status()), ["0", "0", "19", "20"]);
        let mv = parse_uci(&root, "d6c6").unwrap();
        assert_eq!(narrator.event(&SearchEvent::CurrentMove { depth: 9, mv, number: 20 }), "");
        assert_eq!(words(board.status()), ["0", "9", "0", "20", "Ac6"]);
    }
}
