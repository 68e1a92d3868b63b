//! Games whose positions are analysed one by one, in any order, and which are reviewed when they are whole.

use super::input::{Entry, FileGame};
use super::review::{MoveReview, review};
use super::search::Analysis;
use crate::rules::Game;

/// A game of a file with what was found about it.
#[derive(Debug)]
pub struct ReviewedGame<'a> {
    /// Of the file, from 1.
    pub line: usize,
    pub source: &'a FileGame,
    /// By the number of moves before the position; `None` where an interrupt left one out.
    pub analyses: Vec<Option<Analysis>>,
    /// By move.
    pub reviews: Vec<Option<MoveReview>>,
}

impl<'a> ReviewedGame<'a> {
    /// Reviews a game. There is an analysis, or none yet, for each of its positions.
    pub fn new(entry: &'a Entry<FileGame>, analyses: Vec<Option<Analysis>>) -> ReviewedGame<'a> {
        let reviews = review(&entry.content.game, &analyses);
        ReviewedGame { line: entry.line, source: &entry.content, analyses, reviews }
    }

    /// True if any of its positions was analysed.
    pub fn is_begun(&self) -> bool {
        self.analyses.iter().any(Option::is_some)
    }
}

/// A position to be analysed.
#[derive(Clone, Copy, Debug)]
pub struct GamePosition<'a> {
    game: &'a Game,
    /// Of the game, from 0.
    index: usize,
    /// Moves before it.
    moves: usize,
}

impl GamePosition<'_> {
    /// The game up to the position.
    pub fn game(&self) -> Game {
        self.game.prefix(self.moves)
    }
}

/// Collects the analyses of games. Of a long file not every analysis is kept: only those of games that are not whole.
#[derive(Debug)]
pub struct GamesInReview<'a> {
    games: &'a [Entry<FileGame>],
    /// By game, then by the number of moves before the position.
    analyses: Vec<Vec<Option<Analysis>>>,
    /// The games that were handed out.
    finished: usize,
}

impl<'a> GamesInReview<'a> {
    pub fn new(games: &'a [Entry<FileGame>]) -> GamesInReview<'a> {
        let analyses = games.iter().map(|entry| vec![None; entry.content.game.moves().len() + 1]).collect();
        GamesInReview { games, analyses, finished: 0 }
    }

    /// All positions of the games, in their order.
    pub fn positions(&self) -> Vec<GamePosition<'a>> {
        let games = self.games.iter().map(|entry| &entry.content.game).enumerate();
        games
            .flat_map(|(index, game)| (0..=game.moves().len()).map(move |moves| GamePosition { game, index, moves }))
            .collect()
    }

    /// Takes an analysis; hands out the next game if that was its last.
    pub fn take(&mut self, position: GamePosition<'_>, analysis: Analysis) -> Option<ReviewedGame<'a>> {
        let GamePosition { index, moves, .. } = position;
        self.analyses[index][moves] = Some(analysis);
        let is_whole = index == self.finished && self.analyses[index].iter().all(Option::is_some);
        is_whole.then(|| self.finish_next())
    }

    /// The games that an interrupt left unfinished, and those that were not begun.
    pub fn rest(mut self) -> impl Iterator<Item = ReviewedGame<'a>> {
        (self.finished..self.games.len()).map(move |_| self.finish_next())
    }

    fn finish_next(&mut self) -> ReviewedGame<'a> {
        let index = self.finished;
        self.finished += 1;
        ReviewedGame::new(&self.games[index], std::mem::take(&mut self.analyses[index]))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::input::read_games;
    use super::super::review::tests::{MATE_IN_TWO, analysed_game};
    use super::*;

    /// The only game of a text that starts from [`MATE_IN_TWO`], with its tags and comments, and the analyses of its
    /// positions.
    pub fn analysed_text(tags: &str, moves: &str) -> (Entry<FileGame>, Vec<Option<Analysis>>) {
        let (mut games, bad) = read_games(&format!("[FEN \"{MATE_IN_TWO}\"]\n{tags}\n{moves}"));
        assert_eq!((games.len(), bad), (1, Vec::new()));
        let entry = games.remove(0);
        let texts: Vec<&str> = entry.content.record.moves.iter().map(String::as_str).collect();
        let analyses = analysed_game(MATE_IN_TWO, &texts).1;
        (entry, analyses)
    }

    #[test]
    fn games_come_whole_and_in_their_order() {
        let text = format!("[FEN \"{MATE_IN_TWO}\"]\n\n1. Ka5 *\n\n1. e4 *\n\n*");
        let (games, _) = read_games(&text);
        let analysis = analysed_game(MATE_IN_TWO, &[]).1.remove(0).unwrap();
        let mut in_review = GamesInReview::new(&games);
        let positions = in_review.positions();
        assert_eq!(
            positions.iter().map(|at| (at.index, at.moves)).collect::<Vec<_>>(),
            [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
        );
        assert_eq!(positions[3].game().moves(), games[1].content.game.moves());
        assert!(in_review.take(positions[1], analysis.clone()).is_none());
        let first = in_review.take(positions[0], analysis.clone()).unwrap();
        assert_eq!((first.source.number, first.reviews.len(), first.is_begun()), (1, 1, true));
        assert!(in_review.take(positions[2], analysis).is_none());
        let rest: Vec<(usize, bool)> = in_review.rest().map(|game| (game.source.number, game.is_begun())).collect();
        assert_eq!(rest, [(2, true), (3, false)]);
    }
}
