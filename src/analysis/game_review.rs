//! Games whose positions are analysed one by one, in any order, and which are reviewed when they are whole.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::input::{Entry, FileGame};
use super::review::{MoveReview, review};
use super::search::Analysis;
use crate::rules::Game;

/// A game of a file with what was found about it.
#[derive(Debug)]
pub struct ReviewedGame {
    /// Of the file, from 1.
    pub line: usize,
    pub source: Arc<FileGame>,
    /// By the number of moves before the position; `None` where an interrupt left one out.
    pub analyses: Vec<Option<Analysis>>,
    /// By move.
    pub reviews: Vec<Option<MoveReview>>,
}

impl ReviewedGame {
    /// Reviews a game. There is an analysis, or none yet, for each of its positions.
    pub fn new(entry: Entry<Arc<FileGame>>, analyses: Vec<Option<Analysis>>) -> ReviewedGame {
        let reviews = review(&entry.content.game, &analyses);
        ReviewedGame { line: entry.line, source: entry.content, analyses, reviews }
    }

    /// A game of which nothing was analysed.
    pub fn unbegun(entry: Entry<FileGame>) -> ReviewedGame {
        let positions = entry.content.game.moves().len() + 1;
        ReviewedGame::new(entry.into(), vec![None; positions])
    }

    /// True if any of its positions was analysed.
    pub fn is_begun(&self) -> bool {
        self.analyses.iter().any(Option::is_some)
    }
}

/// A position to be analysed.
#[derive(Clone, Debug)]
pub struct GamePosition {
    source: Arc<FileGame>,
    /// Moves before it.
    moves: usize,
}

impl GamePosition {
    /// The game up to the position.
    pub fn game(&self) -> Game {
        self.source.game.prefix(self.moves)
    }
}

/// Collects the analyses of games. Of a long file only the games are kept that are at work.
#[derive(Debug, Default)]
pub struct GamesInReview {
    at_work: Mutex<VecDeque<GameAtWork>>,
}

#[derive(Debug)]
struct GameAtWork {
    entry: Entry<Arc<FileGame>>,
    /// By the number of moves before the position.
    analyses: Vec<Option<Analysis>>,
}

impl GameAtWork {
    fn finish(self) -> ReviewedGame {
        ReviewedGame::new(self.entry, self.analyses)
    }
}

impl GamesInReview {
    fn at_work(&self) -> MutexGuard<'_, VecDeque<GameAtWork>> {
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All positions of games, in their order. A game is at work from its first position on.
    pub fn positions<'a>(
        &'a self,
        games: impl Iterator<Item = Entry<FileGame>> + 'a,
    ) -> impl Iterator<Item = GamePosition> + 'a {
        games.flat_map(|entry| {
            let entry = Entry::from(entry);
            let source = Arc::clone(&entry.content);
            let positions = source.game.moves().len() + 1;
            self.at_work().push_back(GameAtWork { entry, analyses: vec![None; positions] });
            (0..positions).map(move |moves| GamePosition { source: Arc::clone(&source), moves })
        })
    }

    /// Takes an analysis; hands out the oldest game if that was its last.
    pub fn take(&self, position: &GamePosition, mut analysis: Analysis) -> Option<ReviewedGame> {
        // The games up to each position of a long one would take much memory.
        analysis.game = analysis.game.without_moves();
        let mut at_work = self.at_work();
        let game = at_work.iter_mut().find(|game| Arc::ptr_eq(&game.entry.content, &position.source))?;
        game.analyses[position.moves] = Some(analysis);
        let is_whole = |game: &GameAtWork| {
            Arc::ptr_eq(&game.entry.content, &position.source) && game.analyses.iter().all(Option::is_some)
        };
        let whole = at_work.front().is_some_and(is_whole).then(|| at_work.pop_front())?;
        drop(at_work);
        whole.map(GameAtWork::finish)
    }

    /// The games that an interrupt left unfinished.
    pub fn rest(self) -> impl Iterator<Item = ReviewedGame> {
        self.at_work.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().map(GameAtWork::finish)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::input::tests::games_of;
    use super::super::review::tests::{MATE_IN_TWO, analysed_game};
    use super::*;
    use crate::rules::san_line;

    /// The only game of a text that starts from [`MATE_IN_TWO`], with its tags and comments, and the analyses of its
    /// positions.
    pub fn analysed_text(tags: &str, moves: &str) -> (Entry<Arc<FileGame>>, Vec<Option<Analysis>>) {
        let (mut games, bad) = games_of(&format!("[FEN \"{MATE_IN_TWO}\"]\n{tags}\n{moves}"));
        assert_eq!((games.len(), bad), (1, Vec::new()));
        let entry = games.remove(0);
        let texts = san_line(entry.content.game.start(), entry.content.game.moves());
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let analyses = analysed_game(MATE_IN_TWO, &texts).1;
        (entry.into(), analyses)
    }

    #[test]
    fn games_come_whole_and_in_their_order() {
        let text = format!("[FEN \"{MATE_IN_TWO}\"]\n\n1. Ka5 *\n\n1. e4 *\n\n*");
        let (games, _) = games_of(&text);
        let third = games[2].content.game.clone();
        let analysis = analysed_game(MATE_IN_TWO, &[]).1.remove(0).unwrap();
        let in_review = GamesInReview::default();
        let positions: Vec<GamePosition> = in_review.positions(games.into_iter()).collect();
        assert_eq!(
            positions.iter().map(|at| (at.source.number, at.moves)).collect::<Vec<_>>(),
            [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0)]
        );
        assert_eq!(positions[4].game().moves(), third.moves());
        assert!(in_review.take(&positions[1], analysis.clone()).is_none());
        let first = in_review.take(&positions[0], analysis.clone()).unwrap();
        assert_eq!((first.source.number, first.reviews.len(), first.is_begun()), (1, 1, true));
        assert!(in_review.take(&positions[2], analysis).is_none());
        let rest: Vec<(usize, bool)> = in_review.rest().map(|game| (game.source.number, game.is_begun())).collect();
        assert_eq!(rest, [(2, true), (3, false)]);
    }
}
