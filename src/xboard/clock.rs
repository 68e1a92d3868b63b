//! The clocks and the other limits that the GUI sets, as limits for one search.

use std::time::Duration;

use super::command::Level;
use crate::rules::Game;
use crate::search::Limits;
use crate::types::Color;

/// What bounds the engine's thinking in a game. Until the GUI says otherwise, forty moves in five minutes.
pub struct Clock {
    level: Level,
    /// The half-moves of the game when the level was set: its moves are counted from there.
    level_ply: usize,
    /// The time for each move, in place of the level.
    move_time: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// What the engine has left.
    pub own: Duration,
    /// What the opponent has left.
    pub opponent: Duration,
}

impl Clock {
    pub fn new() -> Clock {
        let level = Level { moves: 40, base: Duration::from_secs(300), increment: Duration::ZERO };
        Clock { level, level_ply: 0, move_time: None, depth: None, own: level.base, opponent: level.base }
    }

    /// Winds both clocks up for a new game, and drops the bound on depth. The kind of time control stays.
    pub fn restart(&mut self) {
        (self.level_ply, self.depth) = (0, None);
        (self.own, self.opponent) = (self.level.base, self.level.base);
    }

    /// A time control from here on, with full clocks.
    pub fn set_level(&mut self, level: Level, game: &Game) {
        (self.level, self.level_ply, self.move_time) = (level, game.moves().len(), None);
        (self.own, self.opponent) = (level.base, level.base);
    }

    /// So much time for each move.
    pub fn set_move_time(&mut self, time: Duration) {
        self.move_time = Some(time);
    }

    /// What the engine has after its move in `game` that took so long. The GUI's own word, where it comes, goes before.
    pub fn spend(&mut self, time: Duration, game: &Game) {
        self.own = self.own.saturating_sub(time) + self.level.increment;
        if self.moves_to_go(game) == Some(1) {
            self.own += self.level.base;
        }
    }

    /// The limits of a search for `color`'s move in `game`.
    pub fn limits(&self, color: Color, game: &Game) -> Limits {
        let mut clocks = [None; 2];
        if self.move_time.is_none() {
            clocks = [Some(self.opponent); 2];
            clocks[color.index()] = Some(self.own);
        }
        Limits {
            clocks,
            increments: [self.level.increment; 2],
            moves_to_go: self.moves_to_go(game),
            move_time: self.move_time,
            depth: self.depth,
            ..Limits::default()
        }
    }

    /// The engine's moves to the next time control, if one comes.
    fn moves_to_go(&self, game: &Game) -> Option<u32> {
        let played = game.moves().len().saturating_sub(self.level_ply) as u32 / 2;
        (self.level.moves > 0).then(|| self.level.moves - played % self.level.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Position, parse_uci};

    const SECOND: Duration = Duration::from_secs(1);

    fn level(moves: u32, base: u32, increment: u32) -> Level {
        Level { moves, base: SECOND * base, increment: SECOND * increment }
    }

    fn game_of(plies: usize) -> Game {
        let mut game = Game::new(Position::start());
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(plies) {
            game.push(parse_uci(game.position(), text).unwrap());
        }
        game
    }

    #[test]
    fn moves_are_counted_from_where_the_level_was_set() {
        let mut clock = Clock::new();
        assert_eq!(clock.limits(Color::White, &game_of(0)).moves_to_go, Some(40));
        clock.set_level(level(3, 60, 0), &game_of(0));
        for (plies, to_go) in [(0, 3), (1, 3), (2, 2), (4, 1), (6, 3), (7, 3), (8, 2)] {
            assert_eq!(clock.limits(Color::White, &game_of(plies)).moves_to_go, Some(to_go), "{plies}");
        }
        clock.set_level(level(20, 60, 0), &game_of(7));
        assert_eq!(clock.limits(Color::Black, &game_of(7)).moves_to_go, Some(20));
        assert_eq!(clock.limits(Color::Black, &game_of(3)).moves_to_go, Some(20), "after moves taken back");
        clock.set_level(level(0, 60, 1), &game_of(0));
        assert_eq!(clock.limits(Color::Black, &game_of(7)).moves_to_go, None);
    }

    #[test]
    fn clocks_belong_to_engine_and_opponent() {
        let mut clock = Clock::new();
        (clock.own, clock.opponent) = (SECOND * 7, SECOND * 9);
        assert_eq!(clock.limits(Color::White, &game_of(0)).clocks, [Some(SECOND * 7), Some(SECOND * 9)]);
        assert_eq!(clock.limits(Color::Black, &game_of(1)).clocks, [Some(SECOND * 9), Some(SECOND * 7)]);
        clock.set_move_time(SECOND * 3);
        clock.depth = Some(4);
        let limits = clock.limits(Color::White, &game_of(0));
        assert_eq!((limits.move_time, limits.depth), (Some(SECOND * 3), Some(4)));
        clock.restart();
        assert_eq!((clock.own, clock.depth, clock.move_time), (SECOND * 300, None, Some(SECOND * 3)));
    }

    #[test]
    fn what_is_spent_is_missing_and_what_is_earned_is_there() {
        let mut clock = Clock::new();
        clock.set_level(level(2, 60, 5), &game_of(0));
        clock.spend(SECOND * 10, &game_of(1));
        assert_eq!(clock.own, SECOND * 55);
        clock.spend(SECOND * 10, &game_of(3));
        assert_eq!(clock.own, SECOND * 110, "the second move earns a new period");
        clock.spend(SECOND * 1000, &game_of(5));
        assert_eq!(clock.own, SECOND * 5);
    }
}
