//! The wish to end early, told to everybody who waits for an engine.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::search::Control;

type Waker = Box<dyn Fn() + Send>;

/// A flag that also wakes those who wait; clones share it.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<Shared>);

#[derive(Default)]
struct Shared {
    raised: AtomicBool,
    next: AtomicU64,
    wakers: Mutex<Vec<(u64, Waker)>>,
}

impl Interrupt {
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Raises the flag and wakes everybody; raised once, it stays so.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::SeqCst);
        for (_, wake) in self.wakers().iter() {
            wake();
        }
    }

    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst)
    }

    /// Waits for a time, or until the flag is raised.
    pub fn wait_for(&self, time: Duration) {
        if time.is_zero() {
            return;
        }
        let (sender, woken) = channel();
        let _registration = self.on_raise(move || {
            // Who is gone needs no waking.
            let _ = sender.send(());
        });
        let _ = woken.recv_timeout(time);
    }

    /// Calls `wake` when the flag is raised (at once if it is already), until the registration is dropped.
    pub fn on_raise(&self, wake: impl Fn() + Send + 'static) -> Registration {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let mut wakers = self.wakers();
        if self.is_raised() {
            wake();
        }
        wakers.push((number, Box::new(wake)));
        Registration { interrupt: self.clone(), number }
    }

    /// Stops a search when the flag is raised, until the registration is dropped.
    pub fn stops(&self, control: &Arc<Control>) -> Registration {
        let control = Arc::clone(control);
        self.on_raise(move || control.stop())
    }

    fn wakers(&self) -> MutexGuard<'_, Vec<(u64, Waker)>> {
        self.0.wakers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps a waker registered while it lives.
pub struct Registration {
    interrupt: Interrupt,
    number: u64,
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.interrupt.wakers().retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wakes_those_registered_and_those_who_come_late() {
        let interrupt = Interrupt::new();
        let woken = Arc::new(AtomicU64::new(0));
        let waker = || {
            let woken = woken.clone();
            move || {
                woken.fetch_add(1, Ordering::SeqCst);
            }
        };
        let kept = interrupt.on_raise(waker());
        drop(interrupt.on_raise(waker()));
        interrupt.raise();
        assert_eq!(woken.load(Ordering::SeqCst), 1);
        let late = interrupt.on_raise(waker());
        assert_eq!(woken.load(Ordering::SeqCst), 2);
        drop((kept, late));
    }
}
