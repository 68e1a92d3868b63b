//! Many positions on all cores.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use crate::engine::{Engine, Interrupt, spawn_search_thread};
use crate::search::{Control, Limits};

/// Does tasks, each engine one at a time and without what it knew of others, so that a search within limits of nodes or
/// depth is the same whoever does it. Hands out what comes of them in the order of the tasks, whatever is done
/// first. `on_done` is called when any task is done, `on_result` with each result and the number of its task from 0; both
/// on the calling thread.
///
/// An interrupt ends this early: no further task is begun, those at work are broken off and give no result, and the
/// results that waited for them are handed out.
///
/// # Errors
/// When the system gives no thread for an engine; then the interrupt is raised.
pub fn run<T: Sync, R: Send>(
    tasks: &[T],
    engines: Vec<Engine>,
    interrupt: &Interrupt,
    work: impl Fn(&mut Engine, &T, &Control) -> R + Sync,
    on_done: &mut dyn FnMut(),
    on_result: &mut dyn FnMut(usize, R),
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for (number, mut engine) in engines.into_iter().enumerate() {
            let (next, work, sender) = (&next, &work, sender.clone());
            let work_off = move || {
                while !interrupt.is_raised() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(index) else { return };
                    engine.new_game();
                    let control = Arc::new(Control::new(&Limits::default()));
                    let _registration = interrupt.stops(&control);
                    let result = work(&mut engine, task, &control);
                    // The receiver lives as long as this scope.
                    if !control.is_stopped() && sender.send((index, result)).is_err() {
                        return;
                    }
                }
            };
            if let Err(error) = spawn_search_thread(scope, format!("engine {number}"), work_off) {
                interrupt.raise();
                return Err(error);
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, result) in results {
            on_done();
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&due) {
                on_result(due, result);
                due += 1;
            }
        }
        for (index, result) in waiting {
            on_result(index, result);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::Options;
    use std::sync::Barrier;

    fn engines(count: usize) -> Vec<Engine> {
        (0..count).map(|_| Engine::new(Options { hash: 1, ..Options::default() }).unwrap()).collect()
    }

    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        let tasks: Vec<usize> = (0..20).collect();
        let together = Barrier::new(2);
        let mut results = Vec::new();
        let mut done = 0;
        let work = |_: &mut Engine, &task: &usize, _: &Control| {
            // Two at a time, and the first of each pair is done last.
            together.wait();
            if task % 2 == 0 {
                thread::sleep(std::time::Duration::from_millis(2));
            }
            task * 10
        };
        let on_result = &mut |index, result| results.push((index, result));
        run(&tasks, engines(2), &Interrupt::new(), work, &mut || done += 1, on_result).unwrap();
        assert_eq!(results, tasks.iter().map(|&task| (task, task * 10)).collect::<Vec<_>>());
        assert_eq!(done, 20);
    }

    #[test]
    fn an_interrupt_keeps_what_is_done() {
        let tasks: Vec<usize> = (0..6).collect();
        let interrupt = Interrupt::new();
        let mut results = Vec::new();
        let work = |_: &mut Engine, &task: &usize, _: &Control| {
            if task == 3 {
                interrupt.raise();
            }
            task
        };
        run(&tasks, engines(1), &interrupt, work, &mut || {}, &mut |index, _| results.push(index)).unwrap();
        assert_eq!(results, [0, 1, 2]);
    }
}
