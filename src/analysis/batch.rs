//! Many positions on all cores.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use crate::engine::{Engine, Interrupt, spawn_search_thread};
use crate::search::{Control, Limits};

/// No task is begun that comes so many after the first one that is not done, so that few results wait for others.
const MAX_AHEAD: usize = 1_000;
/// How often those who wait look for an interrupt.
const PATIENCE: Duration = Duration::from_millis(50);

/// Tasks that are taken one by one.
struct Queue<I> {
    tasks: I,
    /// The number of the next task.
    next: usize,
    /// Tasks whose results were handed out.
    due: usize,
}

/// Does tasks, each engine one at a time and without what it knew of others, so that a search within limits of nodes or
/// depth is the same whoever does it. A task is taken when an engine is free for it. Hands out what comes of
/// them in the order of the tasks, whatever is done first. `on_done` is called when any task is done, `on_result` with
/// each task and its result; both on the calling thread.
///
/// An interrupt ends this early: no further task is begun, those at work are broken off and give no result, and the
/// results that waited for them are handed out.
///
/// # Errors
/// When the system gives no thread for an engine; then the interrupt is raised.
pub fn run<T: Send, R: Send>(
    tasks: impl Iterator<Item = T> + Send,
    engines: Vec<Engine>,
    interrupt: &Interrupt,
    work: impl Fn(&mut Engine, &T, &Control) -> R + Sync,
    on_done: &mut dyn FnMut(),
    on_result: &mut dyn FnMut(T, R),
) -> io::Result<()> {
    let queue = Mutex::new(Queue { tasks, next: 0, due: 0 });
    let has_room = Condvar::new();
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for (number, mut engine) in engines.into_iter().enumerate() {
            let (queue, has_room, work, sender) = (&queue, &has_room, &work, sender.clone());
            let work_off = move || {
                while let Some((index, task)) = next_task(queue, has_room, interrupt) {
                    engine.new_game();
                    let control = Arc::new(Control::new(&Limits::default()));
                    let _registration = interrupt.stops(&control);
                    let result = work(&mut engine, &task, &control);
                    // The receiver lives as long as this scope.
                    if !control.is_stopped() && sender.send((index, task, result)).is_err() {
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
        for (index, task, result) in results {
            on_done();
            waiting.insert(index, (task, result));
            while let Some((task, result)) = waiting.remove(&due) {
                on_result(task, result);
                due += 1;
            }
            queue.lock().unwrap_or_else(PoisonError::into_inner).due = due;
            has_room.notify_all();
        }
        for (task, result) in waiting.into_values() {
            on_result(task, result);
        }
        Ok(())
    })
}

/// The next task with its number; `None` when there is none or an interrupt is raised.
fn next_task<T, I: Iterator<Item = T>>(
    queue: &Mutex<Queue<I>>,
    has_room: &Condvar,
    interrupt: &Interrupt,
) -> Option<(usize, T)> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    while queue.next >= queue.due + MAX_AHEAD && !interrupt.is_raised() {
        queue = has_room.wait_timeout(queue, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
    }
    if interrupt.is_raised() {
        return None;
    }
    let index = queue.next;
    queue.next += 1;
    Some((index, queue.tasks.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::Options;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn engines(count: usize) -> Vec<Engine> {
        (0..count).map(|_| Engine::new(Options { hash: 1, ..Options::default() }).unwrap()).collect()
    }

    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        let tasks: Vec<usize> = (0..20).collect();
        let together = Barrier::new(2);
        let mut results = Vec::new();
        let mut done = 0;
        let work = |_: &mut Engine, &&task: &&usize, _: &Control| {
            // Two at a time, and the first of each pair is done last.
            together.wait();
            if task % 2 == 0 {
                thread::sleep(std::time::Duration::from_millis(2));
            }
            task * 10
        };
        let on_result = &mut |&task, result| results.push((task, result));
        run(tasks.iter(), engines(2), &Interrupt::new(), work, &mut || done += 1, on_result).unwrap();
        assert_eq!(results, tasks.iter().map(|&task| (task, task * 10)).collect::<Vec<_>>());
        assert_eq!(done, 20);
    }

    #[test]
    fn an_interrupt_keeps_what_is_done() {
        let tasks: Vec<usize> = (0..6).collect();
        let interrupt = Interrupt::new();
        let mut results = Vec::new();
        let work = |_: &mut Engine, &&task: &&usize, _: &Control| {
            if task == 3 {
                interrupt.raise();
            }
            task
        };
        run(tasks.iter(), engines(1), &interrupt, work, &mut || {}, &mut |&task, _| results.push(task)).unwrap();
        assert_eq!(results, [0, 1, 2]);
    }

    #[test]
    fn few_results_wait_for_others() {
        let taken = AtomicUsize::new(0);
        let tasks = (0..2 * MAX_AHEAD).inspect(|_| {
            taken.fetch_add(1, Ordering::SeqCst);
        });
        let gate = Barrier::new(2);
        let work = |_: &mut Engine, &task: &usize, _: &Control| {
            // The first task is done when as many others are as may be.
            if task == 0 || task == MAX_AHEAD - 1 {
                gate.wait();
            }
            (task == 0).then(|| taken.load(Ordering::SeqCst))
        };
        let mut results = Vec::new();
        run(tasks, engines(2), &Interrupt::new(), work, &mut || {}, &mut |task, taken| results.push((task, taken)))
            .unwrap();
        assert!(results[0].1.is_some_and(|taken| taken <= MAX_AHEAD), "{:?}", results[0]);
        assert!(results.iter().map(|(task, _)| *task).eq(0..2 * MAX_AHEAD));
    }
}
