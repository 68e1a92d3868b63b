//! How much more two threads search than one, measured on request on a machine with nothing else to do, in under four minutes:
//!
//! ```text
//! cargo test --release --test thread_scaling -- --ignored --nocapture
//! ```

mod support;

use support::Engine;

/// Searches with each number of threads, by turns.
const SEARCHES: usize = 10;

fn nodes(threads: &str) -> u64 {
    let mut engine = Engine::with_options(&[("Threads", threads), ("Hash", "256")]);
    engine.position("startpos");
    engine.go("go movetime 10000").last().nodes
}

fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    (values[values.len() / 2 - 1] + values[values.len() / 2]) / 2
}

#[test]
#[ignore = "minutes, and for a quiet machine"]
fn two_threads_search_nearly_twice_the_nodes() {
    let (one, two): (Vec<u64>, Vec<u64>) = (0..SEARCHES).map(|_| (nodes("1"), nodes("2"))).unzip();
    let (one, two) = (median(one), median(two));
    println!("medians of {SEARCHES} searches of 10 s: {one} and {two} nodes, {:.2} times", two as f64 / one as f64);
    assert!(two * 10 >= one * 18, "{two} are less than 1.8 times {one}");
}
