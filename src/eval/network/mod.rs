//! An efficiently updatable neural network (NNUE; Yu Nasu 2018, Chess Programming Wiki, "NNUE").
//!
//! # Shape
//! [`inputs::INPUTS`] inputs of 0 or 1 (see [`inputs`]), for each of which a perspective chooses one of [`ROWS`] rows of
//! weights (see [`outlook`]), a hidden layer of [`HIDDEN`] units for each perspective with the same weights, cut to 0
//! to 1 and squared, and one output for each of [`BUCKETS`] classes of the number of men:
//!
//! > output = scale * (bias + sum of w(i) * cut(own unit i)^2 + sum of v(i) * cut(other unit i)^2)
//!
//! where "own" is the perspective of the side to move. All numbers are whole ones: a hidden unit of 1 is [`CLIP`], its
//! square [`ACTIVE_ONE`], a weight of the output of 1 is [`OUTPUT_ONE`], and an output of 1 is [`CENTIPAWNS`]. Sums
//! that do not fit wrap around; a network whose output could do so is refused.
//!
//! # File
//! Little-endian throughout.
//!
//! | byte | size | content |
//! |---|---|---|
//! | 0 | 8 | the letters `AKNNUE`, 0x1a and a line feed |
//! | 8 | 2 | version of the format, 2 |
//! | 10 | 2 | rows of hidden weights |
//! | 12 | 2 | hidden units |
//! | 14 | 2 | output buckets |
//! | 16 | | hidden weights, signed 16 bits, row by row and unit by unit; hidden biases, signed 16 bits; output weights, signed 16 bits, bucket by bucket, own units before the other's; output biases, signed 32 bits |
//! | end - 4 | 4 | CRC-32 (that of gzip) of all before it |

mod accumulator;
mod attack_state;
pub mod counts;
mod file;
pub mod inputs;
mod kernel;
pub mod outlook;
pub mod prospects;

use std::sync::{Arc, LazyLock};

use crate::rules::Position;
use crate::types::MAX_MEN;

pub use accumulator::Accumulators;
pub use file::{NetworkError, NetworkFault};
pub use kernel::Row;
use kernel::Rows;
pub use outlook::ROWS;
use outlook::View;

/// Units of the hidden layer for each perspective.
pub const HIDDEN: usize = 256;
/// Outputs; the number of men selects one.
pub const BUCKETS: usize = 8;
/// A hidden unit of 1, and the greatest value that counts.
pub const CLIP: i16 = 1020;
/// The square of a hidden unit of 1.
pub const ACTIVE_ONE: i32 = CLIP as i32 * CLIP as i32 / 64;
/// An output weight of 1.
pub const OUTPUT_ONE: i32 = 512;
/// An output of 1, in centipawns: the logistic curve of its chances has this slope.
pub const CENTIPAWNS: i32 = 200;

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// By row.
    pub hidden_weights: Box<[Row]>,
    pub hidden_biases: Row,
    /// By bucket: for the side to move, for the other.
    pub output_weights: [[Row; 2]; BUCKETS],
    /// By bucket, in units of [`ACTIVE_ONE`] times [`OUTPUT_ONE`].
    pub output_biases: [i32; BUCKETS],
}

/// The class of a position, 0 to `BUCKETS` - 1, by its number of men, 4 to 34.
#[inline]
pub fn output_bucket(position: &Position) -> usize {
    bucket_of(position.occupied().count() as usize)
}

#[inline]
const fn bucket_of(men: usize) -> usize {
    (men - 2) * BUCKETS / (MAX_MEN - 1)
}

static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let bytes = include_bytes!("../default.nnue");
    Arc::new(Network::decode(bytes).expect("the network that is built in is good"))
});

impl Network {
    /// The network that is built in.
    pub fn embedded() -> Arc<Network> {
        Arc::clone(&EMBEDDED)
    }

    /// The output in centipawns for hidden units of the side to move and of the other.
    #[inline]
    pub fn output(&self, units: [&Row; 2], bucket: usize) -> i32 {
        let weights = &self.output_weights[bucket];
        let sums = [0, 1].map(|side| kernel::squared_sum(units[side], &weights[side]));
        let output = i64::from(sums[0]) + i64::from(sums[1]) + i64::from(self.output_biases[bucket]);
        (output * i64::from(CENTIPAWNS) / i64::from(ACTIVE_ONE * OUTPUT_ONE)) as i32
    }

    /// The hidden layer of a perspective, before it is cut, from the inputs that are set and the perspective's view.
    pub fn hidden(&self, inputs: &[u16], view: &View) -> Row {
        let mut units = self.hidden_biases.clone();
        kernel::update(None, &mut units, &Rows { table: &self.hidden_weights, view, added: inputs, removed: &[] });
        units
    }

    /// The worth of a position for the side to move, in centipawns, from nothing but the position.
    pub fn evaluate(&self, position: &Position) -> i32 {
        Accumulators::new(self).evaluate(self, position, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_men_has_its_bucket() {
        let buckets: Vec<usize> = (2..=MAX_MEN).map(bucket_of).collect();
        assert!(buckets.is_sorted() && buckets.windows(2).all(|pair| pair[1] - pair[0] <= 1), "{buckets:?}");
        assert_eq!((buckets[0], buckets[MAX_MEN - 2]), (0, BUCKETS - 1));
    }
}
