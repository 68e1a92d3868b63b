//! Training: makes a [`Network`](crate::eval::Network) from the records of [`crate::datagen`].
//!
//! # Method
//! Of the records those are taken that are [quiet](crate::datagen::Record::is_quiet). One game in twenty (its number is a multiple
//! of twenty) is held out: its positions are not learned from, and their loss is told after each epoch. The network learns the
//! points that the side to move can expect:
//!
//! > target = (1 - share) * sigmoid(score / 200) + share * result
//!
//! with the score in centipawns and the result, 0, 1/2 or 1, for the side to move. The loss is the squared difference between the
//! target and the sigmoid of the network's output. Its gradient is computed by hand for inputs that are 0 or 1, of which few are
//! set: only the rows of those are read and changed. Steps are Adam's with weight decay, over batches in an order that is drawn
//! anew for each epoch; the rate falls along half a cosine. Rows share what they have in common (`factors`), without which the
//! loss on games held out is a twenty-fifth higher (0.0351 instead of 0.0338 with 1.3 million positions). The sums over a batch are
//! made in eight parts whatever the number of threads: the same data, settings and seed give the same network, byte by byte.
//! Rounding to whole numbers comes at the end; `train` tells how far that moves the outputs.
//!
//! # Why a trainer of our own
//! The same task was given to four trainers: squares of men as inputs, 256 hidden units, 8 outputs, 600,000 positions in batches of
//! 16,384, two threads on a machine with other work, so that processor time is the measure.
//!
//! | trainer | processor seconds for a million positions | memory | remarks |
//! |---|---|---|---|
//! | this module | 3.6 | 0.06 GB | |
//! | JAX 0.10.2, sums over slots by `scan` | 13.1 | 0.7 GB | the plain sum over gathered rows takes 55 |
//! | PyTorch 2.15.0, `EmbeddingBag` | 20.4 | 1.3 GB | 5 GB to install |
//! | the crate noru 2.2.1 | 28.9 | 0.5 GB | knows no output buckets and demands a second hidden layer; the nearest network was trained |
//!
//! JAX and PyTorch came to the same loss after the same epochs, 0.0267 on games held out; this module to 0.0255, with the rate
//! falling all the way and without positions in check. The loss does not set them apart; time does, and that nothing needs to be
//! installed and that inference and training share their inputs.

mod checkpoint;
mod factors;
mod model;
mod optimiser;
mod samples;
mod session;
#[cfg(test)]
mod tests;

pub use checkpoint::{CheckpointError, CheckpointFault};
pub use model::{Model, QuantisationError, quantisation_error};
pub use samples::{Data, Sample, Samples};
pub use session::{EpochReport, Session, Settings, mean_loss};
