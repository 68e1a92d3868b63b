/// The keys of the positions that led to the present one: those of the game that can still be repeated, then those of the
/// search. Tells repetitions.
pub struct Path {
    keys: Vec<u64>,
    /// Where the root stands among the keys.
    root: usize,
    /// Positions before a null move cannot be repeated after it: the lengths of the path at each null move on it.
    nulls: Vec<usize>,
}

impl Path {
    /// A path that begins with the game's positions before the root, oldest first.
    pub fn new(game: &[u64]) -> Path {
        Path { keys: game.to_vec(), root: game.len(), nulls: Vec::new() }
    }

    /// Leaves a position by a move.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Leaves a position by passing.
    pub fn push_null(&mut self, key: u64) {
        self.keys.push(key);
        self.nulls.push(self.keys.len());
    }

    /// Goes back to the position left last.
    #[inline]
    pub fn pop(&mut self) {
        if self.nulls.last() == Some(&self.keys.len()) {
            self.nulls.pop();
        }
        self.keys.pop();
    }

    /// True when the position with this key, reached `halfmove_clock` half-moves after the last capture or pawn move,
    /// counts as drawn by repetition: it stood once before within the search, or twice before in the game and up to
    /// the root. What happened once in the game may be repeated once more without a draw.
    #[inline]
    pub fn is_repetition(&self, key: u64, halfmove_clock: u32) -> bool {
        let now = self.keys.len();
        let floor = self.nulls.last().copied().unwrap_or(0);
        let reach = (halfmove_clock as usize).min(now - floor);
        let mut before_search = 0;
        for back in (4..=reach).step_by(2) {
            if self.keys[now - back] == key {
                if now - back > self.root {
                    return true;
                }
                before_search += 1;
                if before_search == 2 {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_the_search_one_repetition_is_enough() {
        let mut path = Path::new(&[]);
        for key in [1, 10, 20, 30, 40] {
            path.push(key);
        }
        assert!(path.is_repetition(10, 100));
        assert!(!path.is_repetition(10, 3), "a capture or pawn move came between");
        assert!(!path.is_repetition(20, 100), "a position with the other side to move");
        assert!(!path.is_repetition(1, 100), "five plies back");
    }

    #[test]
    fn the_root_and_what_came_before_count_twice() {
        // The root is the second position with key 7.
        let mut path = Path::new(&[7, 1, 2, 3]);
        for key in [7, 4, 5, 6] {
            path.push(key);
        }
        assert!(path.is_repetition(7, 100));
        let mut path = Path::new(&[8, 1, 2, 3]);
        for key in [7, 4, 5, 6] {
            path.push(key);
        }
        assert!(!path.is_repetition(7, 100));
    }

    #[test]
    fn a_null_move_bars_the_way_back() {
        let mut path = Path::new(&[]);
        path.push(1);
        path.push(10);
        path.push_null(11);
        for key in [12, 13, 14] {
            path.push(key);
        }
        assert!(!path.is_repetition(10, 100));
        for _ in 0..4 {
            path.pop();
        }
        for key in [20, 30, 40] {
            path.push(key);
        }
        assert!(path.is_repetition(10, 100));
    }
}
