//! Threads whose stack holds a search.

use std::cell::Cell;
use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::search::STACK;

thread_local! {
    /// True while this thread has the stack for a search; only a thread that was started for it ever has.
    static HAS_FREE_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Starts a thread in which an engine does its main search on the spot, while in any other it starts one for each
/// search: about a tenth of a millisecond. For those who ask for many short searches.
///
/// # Errors
/// When the system gives no thread.
pub fn spawn_search_thread<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().name(name).stack_size(STACK).spawn_scoped(scope, move || {
        HAS_FREE_STACK.set(true);
        work()
    })
}

/// The right to search on the stack of this thread. There is one at a time: a search begun from within another,
/// where that tells of its progress, needs a stack of its own.
pub(super) struct FreeStack(());

impl FreeStack {
    /// Takes it until it is dropped; `None` if the stack is too small or taken.
    pub(super) fn claim() -> Option<FreeStack> {
        HAS_FREE_STACK.replace(false).then(|| FreeStack(()))
    }
}

impl Drop for FreeStack {
    fn drop(&mut self) {
        HAS_FREE_STACK.set(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_free_in_a_search_thread_for_one_search_at_a_time() {
        assert!(FreeStack::claim().is_none());
        assert!(FreeStack::claim().is_none(), "asking changes nothing");
        let work = || {
            let stack = FreeStack::claim();
            assert!(stack.is_some() && FreeStack::claim().is_none());
            drop(stack);
            assert!(FreeStack::claim().is_some());
        };
        std::thread::scope(|scope| spawn_search_thread(scope, "test".to_owned(), work).unwrap().join().unwrap());
    }
}
