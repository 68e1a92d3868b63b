use super::TableError;
use crate::types::Move;

/// What is proved of a position with the attacker to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    key: u64,
    /// There is a mate within so many moves; 0 if none is known.
    pub proved: u8,
    /// There is no mate within so many moves; 0 if nothing is known.
    pub refuted: u8,
    /// The move that mates, or that came first.
    pub best: Option<Move>,
    /// The nodes that the entry cost: the more, the longer it is kept.
    nodes: u32,
}

impl Entry {
    /// The answer to "is there a mate within so many moves?", if it is known.
    #[inline]
    pub fn answer(&self, moves: u32) -> Option<bool> {
        if self.proved > 0 && u32::from(self.proved) <= moves {
            Some(true)
        } else if moves <= u32::from(self.refuted) {
            Some(false)
        } else {
            None
        }
    }
}

/// One cache line: the places where a position can be kept.
type Bucket = [Entry; 4];

/// Proved facts by key. A full bucket gives up what was cheapest to prove.
pub struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    pub fn new(megabytes: usize) -> Result<Table, TableError> {
        let error = TableError { megabytes };
        let count = (megabytes.max(1).checked_mul(1 << 20).ok_or(error)?) / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| error)?;
        buckets.resize(count, Bucket::default());
        Ok(Table { buckets })
    }

    /// Equally many keys for each bucket, by the high half of their product with the number of buckets.
    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known of a position; an empty entry if nothing is.
    #[inline]
    pub fn get(&self, key: u64) -> Entry {
        let bucket = &self.buckets[self.index(key)];
        bucket.iter().find(|entry| entry.key == key).copied().unwrap_or_default()
    }

    /// Adds that there is (`mate`) or is not a mate within so many moves.
    pub fn add(&mut self, key: u64, moves: u32, mate: bool, best: Option<Move>, nodes: u64) {
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let place = bucket.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
            let cheapest = (0..bucket.len()).min_by_key(|&place| bucket[place].nodes).unwrap_or(0);
            bucket[cheapest] = Entry { key, ..Entry::default() };
            cheapest
        });
        let entry = &mut bucket[place];
        let moves = u8::try_from(moves).unwrap_or(u8::MAX);
        if !mate {
            entry.refuted = entry.refuted.max(moves);
        } else if entry.proved == 0 || moves < entry.proved {
            entry.proved = moves;
        }
        entry.best = best.or(entry.best);
        entry.nodes = entry.nodes.saturating_add(u32::try_from(nodes).unwrap_or(u32::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_add_up() {
        let mut table = Table::new(1).unwrap();
        assert_eq!(table.get(7).answer(1), None);
        table.add(7, 2, false, None, 1);
        table.add(7, 5, true, None, 1);
        table.add(7, 1, false, None, 1);
        table.add(7, 6, true, None, 1);
        let known: Vec<Option<bool>> = (1..=6).map(|moves| table.get(7).answer(moves)).collect();
        assert_eq!(known, [Some(false), Some(false), None, None, Some(true), Some(true)]);
    }

    #[test]
    fn a_full_bucket_gives_up_what_was_cheapest() {
        let mut table = Table::new(1).unwrap();
        for key in 1..=5 {
            table.add(key, 1, true, None, 10 * (6 - key));
        }
        assert_eq!(
            (1..=5).map(|key| table.get(key).answer(1).is_some()).collect::<Vec<_>>(),
            [true, true, true, false, true]
        );
    }

    #[test]
    fn an_entry_is_a_quarter_of_a_cache_line() {
        assert_eq!(size_of::<Bucket>(), 64);
    }
}
