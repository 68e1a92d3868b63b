//! The transposition table (Chess Programming Wiki, "Transposition Table"), shared by threads without locks.
//!
//! A slot is two words: the data, and the key XORed with the data (Hyatt and Mann, "A lock-less transposition table
//! implementation", 2002). A slot torn between two writers fails its key check and reads as a miss.

use std::mem::MaybeUninit;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

#[cfg(target_os = "linux")]
use rustix::mm::{Advice, madvise};
use thiserror::Error;

use super::info::Bound;
use super::memory::available_memory;
use crate::types::{Move, Score};

/// Why a table could not be made; the caller keeps the one it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a hash table of {megabytes} MB cannot be allocated")]
pub struct TableError {
    pub megabytes: usize,
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// One cache line: the places where a position can be kept.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// What the search knows about positions that it has seen.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// The part of the key that is compared: all of it, save in tests that want collisions.
    key_mask: u64,
    /// The search that stores now, modulo `AGES`.
    age: AtomicU8,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move; it may not be legal here, since two positions can share a key.
    pub mv: Option<Move>,
    /// As seen from the node that asks.
    pub score: Score,
    /// The static evaluation; `None` if the side to move was in check.
    pub evaluation: Option<Score>,
    /// Plies that were searched below.
    pub depth: i32,
    pub bound: Bound,
    /// True if it was ever a node of the principal variation.
    pub was_pv: bool,
}

const AGES: u8 = 32;
const MUCH_DEEPER: i32 = 3;
const NO_EVALUATION: i16 = i16::MIN;

impl TranspositionTable {
    /// A table of this many megabytes (2^20 bytes).
    ///
    /// # Errors
    /// When the memory is not there.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, TableError> {
        let error = TableError { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(error)?;
        // Where memory is promised freely, asking for too much succeeds and using it kills the process.
        if available_memory().is_some_and(|available| bytes as u64 > available) {
            return Err(error);
        }
        let count = bytes / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| error)?;
        ask_for_huge_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        Ok(TranspositionTable { buckets, key_mask: u64::MAX, age: AtomicU8::new(0) })
    }

    /// The same table comparing only a part of the key, so that positions are mistaken for each other.
    #[cfg(test)]
    pub fn with_key_mask(self, key_mask: u64) -> TranspositionTable {
        TranspositionTable { key_mask, ..self }
    }

    /// Makes the table smaller, without the need for further memory, and forgets everything.
    pub fn shrink(&mut self, megabytes: usize) {
        self.buckets.truncate((megabytes << 20) / size_of::<Bucket>());
        self.buckets.shrink_to_fit();
        self.clear();
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let share = self.buckets.len().div_ceil(clearing_threads(self.buckets.len())).max(1);
        std::thread::scope(|scope| {
            for part in self.buckets.chunks_mut(share) {
                scope.spawn(|| part.fill_with(Bucket::default));
            }
        });
        *self.age.get_mut() = 0;
    }

    /// Tells that a new search begins: what earlier ones left is replaced first.
    pub fn start_search(&self) {
        let next = (self.age.load(Ordering::Relaxed) + 1) % AGES;
        self.age.store(next, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of key times size is an even spread for any size (Lemire, "Fast random integer generation in an
        // interval", 2019).
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Asks the processor to fetch the place of a position that will be probed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: prefetching is a hint that reads nothing, whatever the address; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.bucket(key)).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key, seen from a node `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let packed = Packed(slot.data.load(Ordering::Relaxed));
            let matches = slot.check.load(Ordering::Relaxed) ^ packed.0 == key & self.key_mask;
            if matches { packed.entry(ply) } else { None }
        })
    }

    /// Keeps what a node `ply` plies from the root found out. A result of the same search that is more than `MUCH_DEEPER`
    /// plies deeper is not overwritten unless by an exact one.
    pub fn store(&self, key: u64, ply: usize, entry: Entry) {
        let bucket = self.bucket(key);
        let key = key & self.key_mask;
        let age = self.age.load(Ordering::Relaxed);
        let mut chosen: Option<(&Slot, i32)> = None;
        let mut known_move = None;
        for slot in &bucket.0 {
            let packed = Packed(slot.data.load(Ordering::Relaxed));
            if slot.check.load(Ordering::Relaxed) ^ packed.0 == key && !packed.is_empty() {
                let kept_is_better =
                    packed.age() == age && entry.bound != Bound::Exact && entry.depth + MUCH_DEEPER < packed.depth();
                if kept_is_better {
                    return;
                }
                known_move = packed.mv();
                chosen = Some((slot, i32::MIN));
                break;
            }
            let worth = packed.worth(age);
            if chosen.is_none_or(|(_, least)| worth < least) {
                chosen = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = chosen {
            let packed = Packed::new(Entry { mv: entry.mv.or(known_move), ..entry }, ply, age);
            slot.data.store(packed.0, Ordering::Relaxed);
            slot.check.store(packed.0 ^ key, Ordering::Relaxed);
        }
    }

    /// How full the table is with results of this search, in permille, judged by its first thousand slots.
    pub fn permille_full(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let slots = self.buckets.iter().take(250).flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| {
            let packed = Packed(slot.data.load(Ordering::Relaxed));
            !packed.is_empty() && packed.age() == age
        });
        used.count() as u32
    }
}

/// How many threads clear a table of so many buckets: one for each 32 MB, as far as there are processors.
fn clearing_threads(buckets: usize) -> usize {
    let useful = (buckets * size_of::<Bucket>()) >> 25;
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    useful.clamp(1, processors)
}

/// Asks the system to map memory in huge pages, where it has them: a probe goes to a random place, and with pages of 4 KB
/// nearly each had to walk the page tables first.
fn ask_for_huge_pages(memory: &mut [MaybeUninit<Bucket>]) {
    #[cfg(target_os = "linux")]
    {
        let pages = memory.as_mut_ptr_range();
        let page = rustix::param::page_size();
        let start = pages.start.addr().next_multiple_of(page);
        let length = pages.end.addr().saturating_sub(start) / page * page;
        if length > 0 {
            // SAFETY: the range lies within the slice, on whole pages; the advice changes no contents. A refusal leaves
            // everything as it was.
            let _ = unsafe { madvise(pages.start.with_addr(start).cast(), length, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// An entry in 64 bits: move (0-15), score (16-31), evaluation (32-47), depth (48-55), bound (56-57, 0 for an empty
/// slot), principal variation (58), age (59-63).
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: Entry, ply: usize, age: u8) -> Packed {
        let mv = entry.mv.map_or(0, Move::code);
        let score = score_from_node(entry.score, ply) as u16;
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, |score| score.0 as i16) as u16;
        let depth = entry.depth.clamp(0, 255) as u8;
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let flags = bound | u8::from(entry.was_pv) << 2 | age << 3;
        Packed(
            u64::from(mv)
                | u64::from(score) << 16
                | u64::from(evaluation) << 32
                | u64::from(depth) << 48
                | u64::from(flags) << 56,
        )
    }

    fn entry(self, ply: usize) -> Option<Entry> {
        let bound = match self.0 >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let evaluation = (self.0 >> 32) as i16;
        Some(Entry {
            mv: self.mv(),
            score: score_at_node((self.0 >> 16) as i16, ply),
            evaluation: (evaluation != NO_EVALUATION).then_some(Score(i32::from(evaluation))),
            depth: self.depth(),
            bound,
            was_pv: self.0 >> 58 & 1 != 0,
        })
    }

    fn is_empty(self) -> bool {
        self.0 >> 56 & 3 == 0
    }

    fn mv(self) -> Option<Move> {
        Move::from_code(self.0 as u16)
    }

    fn depth(self) -> i32 {
        (self.0 >> 48 & 255) as i32
    }

    fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// How much a slot is worth keeping: its depth, less what it has aged; an empty one is worth least.
    fn worth(self, age: u8) -> i32 {
        if self.is_empty() {
            return i32::MIN;
        }
        let aged = (age + AGES - self.age()) % AGES;
        self.depth() - 4 * i32::from(aged)
    }
}

/// In the table a mate is counted from its node, since the node can be reached at another distance from the root.
fn score_from_node(score: Score, ply: usize) -> i16 {
    let shift = if !score.is_mate() {
        0
    } else if score.0 > 0 {
        ply as i32
    } else {
        -(ply as i32)
    };
    (score.0 + shift) as i16
}

fn score_at_node(stored: i16, ply: usize) -> Score {
    let score = Score(i32::from(stored));
    if !score.is_mate() {
        score
    } else if score.0 > 0 {
        score - ply as i32
    } else {
        score + ply as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    fn entry(score: Score, depth: i32, bound: Bound) -> Entry {
        let mv = Move::normal(Square::E1, Square::F1);
        Entry { mv: Some(mv), score, evaluation: Some(Score(-7)), depth, bound, was_pv: true }
    }

    #[test]
    fn what_is_stored_is_found_and_only_under_its_key() {
        let table = TranspositionTable::new(1).unwrap();
        let stored = entry(Score(-123), 9, Bound::Lower);
        table.store(42 << 40, 3, stored);
        assert_eq!(table.probe(42 << 40, 3), Some(stored));
        assert_eq!(table.probe(42 << 40 | 1, 3), None);
        let bare = Entry { mv: None, evaluation: None, was_pv: false, ..stored };
        table.store(43 << 40, 3, bare);
        assert_eq!(table.probe(43 << 40, 3), Some(bare));
    }

    #[test]
    fn mates_are_counted_from_the_node_that_asks() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(1, 4, entry(Score::mating(7), 5, Bound::Exact));
        assert_eq!(table.probe(1, 10).unwrap().score, Score::mating(13));
        table.store(1, 4, entry(Score::mated(8), 5, Bound::Exact));
        assert_eq!(table.probe(1, 0).unwrap().score, Score::mated(4));
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_deep_result_of_the_same_search() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(1, 0, entry(Score(5), 12, Bound::Exact));
        table.store(1, 0, entry(Score(6), 2, Bound::Lower));
        assert_eq!(table.probe(1, 0).unwrap().score, Score(5));
        table.start_search();
        table.store(1, 0, entry(Score(6), 2, Bound::Lower));
        assert_eq!(table.probe(1, 0).unwrap().score, Score(6));
    }

    #[test]
    fn old_and_shallow_results_make_room_first() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 0..4 {
            table.store(key, 0, entry(Score(0), 10 + key as i32, Bound::Exact));
        }
        table.store(4, 0, entry(Score(0), 1, Bound::Exact));
        assert_eq!(table.probe(0, 0), None);
        assert!(table.probe(1, 0).is_some() && table.probe(4, 0).is_some());
    }

    #[test]
    fn a_table_too_large_is_refused() {
        assert!(TranspositionTable::new(1 << 40).is_err());
        assert!(TranspositionTable::new(usize::MAX).is_err());
    }

    #[test]
    fn a_smaller_table_is_empty_and_works() {
        let mut table = TranspositionTable::new(3).unwrap();
        table.store(7 << 50, 0, entry(Score(5), 3, Bound::Exact));
        table.shrink(1);
        assert_eq!(table.buckets.len() * size_of::<Bucket>(), 1 << 20);
        assert_eq!(table.probe(7 << 50, 0), None);
        table.store(u64::MAX, 0, entry(Score(5), 3, Bound::Exact));
        assert!(table.probe(u64::MAX, 0).is_some());
    }

    #[test]
    fn fullness_counts_this_search_only() {
        let mut table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.permille_full(), 0);
        table.store(0, 0, entry(Score(0), 1, Bound::Exact));
        assert_eq!(table.permille_full(), 1);
        table.start_search();
        assert_eq!(table.permille_full(), 0);
        table.clear();
        assert_eq!(table.probe(0, 0), None);
    }
}
