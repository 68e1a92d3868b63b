//! Training: makes a [`Network`](crate::eval::Network) from the records of [`crate::datagen`].
//!
//! # Method
//! Of the records those are taken that are [quiet](crate::datagen::Record::is_quiet). One game in twenty (its number
//! is a multiple of twenty) is held out: its positions are not learned from, and their loss is told after each epoch.
//! Of a run that was split into shards all files are needed, since the numbers are those of the whole run.
//! The network learns the points that the side to move can expect:
//!
//! > target = (1 - share) * sigmoid(score / 200) + share * result
//!
//! with the score in centipawns and the result, 0, 1/2 or 1, for the side to move. The loss is the squared difference
//! between the target and the sigmoid of the network's output. Its gradient is computed by hand for inputs that are 0
//! or 1, of which few are set: only the rows of those are read and changed. Steps are Adam's with weight decay, over
//! batches in an order that is drawn anew for each epoch; the rate falls along half a cosine. Rows share what they
//! have in common (`factors`), without which the loss on games held out was a twenty-fifth higher (0.0351 instead of
//! 0.0338 with 1.3 million positions, before there were quarters). The sums over a batch are made in eight parts
//! whatever the number of threads: the same data, settings and seed give the same network, byte by byte. Rounding to
//! whole numbers comes at the end; `train` tells how far that moves the outputs.
//!
//! # Why a trainer of our own
//! The same task was given to four trainers: squares of men as inputs, 256 hidden units, 8 outputs, 600,000 positions
//! in batches of 16,384, two threads; processor time is the measure.
//!
//! | trainer | processor seconds for a million positions | memory | remarks |
//! |---|---|---|---|
//! | this module | 3.6 | 0.06 GB | |
//! | JAX 0.10.2, sums over slots by `scan` | 13.1 | 0.7 GB | the plain sum over gathered rows takes 55 |
//! | PyTorch 2.15.0, `EmbeddingBag` | 20.4 | 1.3 GB | 5 GB to install |
//! | the crate noru 2.2.1 | 28.9 | 0.5 GB | knows no output buckets and demands a second hidden layer; the nearest network was trained |
//!
//! JAX and PyTorch came to the same loss after the same epochs, 0.0267 on games held out; this module to 0.0255, with
//! the rate falling all the way and without positions in check. The loss does not set them apart; time does, and that
//! nothing needs to be installed and that inference and training share their inputs.
//!
//! # How the network that is built in was made
//! By generations: each network plays the games that the next one learns from. The first games were played by the
//! hand-made evaluation that there was before. Each command was run by a build of the commit in the last column, or of
//! one with the same play and training.
//!
//! | command (all of `datagen` with `--nodes 400 --hash 1`, all of `train` with `--seed 1`) | commit |
//! |---|---|
//! | `antiking datagen --output .runs/gen0.akg --games 97018 --seed 20261130` | Give threads with many short searches the stack for them |
//! | `antiking train --data .runs/gen0.akg --output .runs/net1.nnue --epochs 5 --weight-decay 4 --result-share 0.4` | Evaluate by a network that sees what happens around the royals |
//! | `antiking datagen --output .runs/gen1.akg --games 76693 --seed 20261201` | the same |
//! | `antiking train --data .runs/gen0.akg .runs/gen1.akg --output .runs/net3.nnue --epochs 6` | Let men count by the quarter in which the own Anti-King stands |
//! | `antiking datagen --output .runs/gen2.akg --games 79142 --seed 3` | Prune by history, reduce captures by theirs, and heed cutoffs of replies |
//! | `antiking train --data .runs/gen1.akg .runs/gen2.akg --output .runs/net4.nnue --epochs 6` | Count cutoffs afresh for each root move, and begin training without quarters |
//! | `antiking datagen --output .runs/gen3.akg --games 45375 --seed 4 --network .runs/net4.nnue` | the same |
//! | `antiking train --data .runs/gen1.akg .runs/gen2.akg .runs/gen3.akg --output .runs/net5.nnue --epochs 6` | the same |
//! | `antiking datagen --output .runs/gen4.akg --games 51691 --seed 5` | Learn from three generations of the network's own games |
//! | `antiking train --data .runs/gen1.akg .runs/gen2.akg .runs/gen3.akg .runs/gen4.akg --output .runs/net6.nnue --epochs 6` | the same |
//! | `antiking datagen --output .runs/gen5.akg --games 40913 --seed 6` | Order by threats, skip late quiet moves, and fit the search to the network |
//! | `antiking train --data .runs/gen2.akg .runs/gen3.akg .runs/gen4.akg .runs/gen5.akg --output .runs/net7.nnue --epochs 6` | Verify null moves by moves, and store an evaluation as no more than that |
//! | `antiking datagen --output .runs/gen6.akg --games 80000 --seed 7` | Tell an even lone move as -1, which no line below can turn into 0 again |
//! | `antiking train --data .runs/gen2.akg .runs/gen3.akg .runs/gen4.akg .runs/gen5.akg .runs/gen6.akg --output .runs/net8.nnue --epochs 6` | the same |
//!
//! | network | records | positions learned from | loss on games held out | quantisation, centipawns: mean, most | at 0.5+0.005 |
//! |---|---|---|---|---|---|
//! | net1 | 8,992,159 | 6,032,543 | 0.032497 | 0.89, 4.57 | |
//! | net3 | 16,060,092 | 10,756,180 | 0.019401 | 0.95, 5.61 | |
//! | net4 | 14,650,718 | 9,759,731 | 0.019051 | 1.09, 7.37 | 232-160-57 against net3, Elo +56 +/- 29, SPRT [0, 15] accepted H1 |
//! | net5 | 19,101,166 | 12,761,153 | 0.018596 | 1.39, 6.44 | 222-167-63 against net4, Elo +42 +/- 27, SPRT [0, 20] accepted H1 |
//! | net6 | 24,162,066 | 16,170,202 | 0.018413 | 1.14, 6.34 | 261-203-94 against net5, Elo +36 +/- 25, SPRT [0, 20] accepted H1 |
//! | net7 | 21,232,271 | 14,247,383 | 0.018171 | 1.23, 7.00 | 362-310-138 against net6, Elo +22 +/- 21, ended after 330 seconds; SPRT [0, 20] undecided at 2.03 of 2.94 |
//! | net8 | 29,296,307 | 19,708,456 | 0.017891 | 1.13, 6.61 | 459-388-196 against net7, Elo +23 +/- 18, ended after 420 seconds; SPRT [0, 20] undecided at 2.89 of 2.94 |
//!
//! The losses are of different targets, and so not to be compared. The games of the hand-made evaluation are left out
//! once there are enough others. The next network begins with `antiking datagen --output .runs/next.akg --games 80000
//! --nodes 400 --hash 1 --seed 8`, which plays with the one that is built in.
//!
//! # What each kind of input is worth
//! Loss on games held out with all of generation zero, share 0.4: squares of men 0.035308, with attacks around the
//! royals and counts 0.032497; the hand-made evaluation had 0.034237. With 2.5 million positions, three epochs and share
//! 0.25: attacks and counts 0.015968, with [prospects](crate::eval::network::prospects) 0.015487, with attacks in 64 of
//! the units only 0.016182 (left out without a match). In matches at 0.5+0.005 (seconds) from
//! `tests/data/openings.epd`, until an SPRT was decided (bounds in normalized Elo); each network learned from the same
//! data as its opponent:
//!
//! | with, against without | bounds | W-L-D | Elo | loss on games held out: with, without | so |
//! |---|---|---|---|---|---|
//! | attacks around the royals and counts | 0, 40 | 62-29-5 | +125 +/- 75 | 0.032497, 0.035308 | kept |
//! | men by the quarter in which the own Anti-King stands | 0, 20 | 394-326-88 | +29 +/- 22 | 0.019401, 0.019324 | kept |
//! | planes of men that are attacked and of men that are protected | 0, 20 | 188-223-41 | -27 +/- 29 | 0.019260, 0.019324 | left out: twice the changes for each move |
//! | men by whether the own King stands on its first rank, besides the quarter | 0, 20 | 118-156-50 | -41 +/- 32 | 0.018578, 0.018413 | left out: rows learn from fewer games, and 4.0 MB |
//!
//! The loss alone does not tell: the network with the quarters has the higher one and wins more games.

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
