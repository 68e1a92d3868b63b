//! Seeds that nobody has given.

use rand::Rng;

/// A seed drawn anew, of 53 bits, which every reader of JSON takes.
pub fn drawn() -> u64 {
    rand::rng().next_u64() >> 11
}
