use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::types::Move;

/// What bounds a search. The first bound reached ends it; with none it runs to the greatest depth or until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The root moves to search; all legal ones if empty. Each must be legal.
    pub search_moves: Vec<Move>,
    /// The time left on each clock, by [`Color::index`](crate::types::Color::index).
    pub clocks: [Option<Duration>; 2],
    /// What each side gains by a move.
    pub increments: [Duration; 2],
    /// Moves to the next time control; `None` if the clock has to last for the whole game.
    pub moves_to_go: Option<u32>,
    /// The time to use for this move.
    pub move_time: Option<Duration>,
    /// Plies of nominal depth.
    pub depth: Option<u32>,
    /// Moves made, by all threads together.
    pub nodes: Option<u64>,
    /// No further depth is begun after this many moves made, by all threads together. Unlike `nodes` it breaks nothing off,
    /// so the answer rests on a whole depth.
    pub soft_nodes: Option<u64>,
    /// End when a mate in at most this many full moves is found.
    pub mate: Option<u32>,
    /// The answer is wanted only after a stop.
    pub infinite: bool,
    /// The clock starts only with [`Control::ponder_hit`].
    pub ponder: bool,
}

/// How a front end steers a search that runs elsewhere.
pub struct Control {
    created: Instant,
    stop: AtomicBool,
    /// Microseconds from `created` to the start of the clock; `PONDERING` until it starts.
    clock_start: AtomicU64,
    /// Guards nothing but the wait: the flags above are read under it, so no wake-up is lost.
    waiting: Mutex<()>,
    released: Condvar,
    /// The thread that is to panic once it is at work, to try out what becomes of its search.
    #[cfg(test)]
    pub failing_thread: Option<usize>,
}

const PONDERING: u64 = u64::MAX;

impl Control {
    /// The control of a search that is about to start. Its clock runs from now, unless it ponders.
    pub fn new(limits: &Limits) -> Control {
        Control {
            created: Instant::now(),
            stop: AtomicBool::new(false),
            clock_start: AtomicU64::new(if limits.ponder { PONDERING } else { 0 }),
            waiting: Mutex::new(()),
            released: Condvar::new(),
            #[cfg(test)]
            failing_thread: None,
        }
    }

    /// Ends the search soon; it still gives its answer.
    pub fn stop(&self) {
        self.change(|| self.stop.store(true, Ordering::Relaxed));
    }

    /// The move pondered on was played: from now on the clock runs.
    pub fn ponder_hit(&self) {
        let now = u64::try_from(self.created.elapsed().as_micros()).unwrap_or(PONDERING - 1);
        self.change(|| {
            // A clock that runs already keeps its start.
            let _ = self.clock_start.compare_exchange(PONDERING, now, Ordering::Relaxed, Ordering::Relaxed);
        });
    }

    fn change(&self, change: impl FnOnce()) {
        let _guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.released.notify_all();
    }

    /// True once the search was told to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// True until the move pondered on is played.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.clock_start.load(Ordering::Relaxed) == PONDERING
    }

    /// Time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.created.elapsed()
    }

    /// Time that counts against the clock; `None` while it does not run.
    pub fn clock_elapsed(&self) -> Option<Duration> {
        match self.clock_start.load(Ordering::Relaxed) {
            PONDERING => None,
            start => Some(self.created.elapsed().saturating_sub(Duration::from_micros(start))),
        }
    }

    /// Waits, without using the processor, until the answer may be given: after a stop if the search is infinite, after
    /// a stop or a ponder hit if it ponders, at once otherwise.
    pub fn wait_for_release(&self, limits: &Limits) {
        let held = |_: &mut ()| !self.is_stopped() && (limits.infinite || self.is_pondering());
        let guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.released.wait_while(guard, held).unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn an_infinite_answer_waits_for_stop_and_a_pondered_one_for_either() {
        let release = |limits: Limits, act: fn(&Control)| {
            let control = Arc::new(Control::new(&limits));
            let waiting = {
                let control = Arc::clone(&control);
                std::thread::spawn(move || control.wait_for_release(&limits))
            };
            act(&control);
            waiting.join().unwrap();
        };
        release(Limits::default(), |_| {});
        release(Limits { infinite: true, ..Limits::default() }, Control::stop);
        release(Limits { ponder: true, ..Limits::default() }, Control::stop);
        release(Limits { ponder: true, ..Limits::default() }, Control::ponder_hit);
    }

    #[test]
    fn the_clock_starts_with_the_ponder_hit() {
        let control = Control::new(&Limits { ponder: true, ..Limits::default() });
        assert_eq!(control.clock_elapsed(), None);
        std::thread::sleep(Duration::from_millis(5));
        control.ponder_hit();
        let elapsed = control.clock_elapsed().unwrap();
        assert!(elapsed < control.elapsed());
    }
}
