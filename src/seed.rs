//! Seeds that nobody has given, and those of tests.

use rand::Rng;

/// A seed drawn anew, of 53 bits, which every reader of JSON takes.
pub fn drawn() -> u64 {
    rand::rng().next_u64() >> 11
}

/// The configuration of a property test: so many cases, the same on every run.
#[cfg(test)]
pub fn fixed(seed: u64, cases: u32) -> proptest::test_runner::Config {
    use proptest::test_runner::{Config, RngSeed};
    Config { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() }
}
