use std::f64::consts::PI;
use std::fmt;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use super::factors::{FACTORED_ROWS, initial, merged, spread};
use super::model::{Model, Units};
use super::optimiser::Adam;
use super::samples::Samples;
use crate::engine::Interrupt;

/// A batch is split into so many parts, whatever the number of threads: so the sums, and the network, are the same.
const PARTS: usize = 8;

/// How to train.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub seed: u64,
    /// Passes over all samples.
    pub epochs: u32,
    /// Samples for each step.
    pub batch: usize,
    /// Of the first step; it falls along half a cosine to [`LAST_RATE`] of that.
    pub rate: f32,
    /// What a step takes away of each weight, as a multiple of the rate.
    pub weight_decay: f32,
    /// How much of the target the result of the game makes, 0 to 1; the rest is the score's.
    pub result_share: f32,
}

/// The last step's rate, as a part of the first's.
const LAST_RATE: f64 = 0.01;

/// Training as far as it has come.
pub struct Session {
    pub settings: Settings,
    /// What is learned, see [`super::factors`].
    pub(super) factored: Vec<Units>,
    /// The same as a model.
    model: Model,
    pub(super) adam: Adam,
    /// Epochs done.
    pub epochs: u32,
}

/// What an epoch came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochReport {
    /// From 1.
    pub epoch: u32,
    /// Mean squared error of the expected points, over the epoch.
    pub training_loss: f64,
    /// The same after it, on games held out; not a number without any.
    pub validation_loss: f64,
}

/// Each setting under the name of its flag.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { seed, epochs, batch, rate, weight_decay, result_share } = self;
        write!(
            f,
            "seed {seed}, epochs {epochs}, batch {batch}, rate {rate}, weight-decay {weight_decay}, \
             result-share {result_share}"
        )
    }
}

impl Session {
    pub fn new(settings: Settings) -> Session {
        let factored = initial(&mut ChaCha8Rng::seed_from_u64(settings.seed));
        let mut model = Model::zero();
        merged(&factored, &mut model);
        Session { settings, factored, model, adam: Adam::new(FACTORED_ROWS), epochs: 0 }
    }

    /// Puts the session into the state that it had after some epoch.
    pub(super) fn restored(&mut self, factored: Vec<Units>, adam: Adam, epochs: u32) {
        merged(&factored, &mut self.model);
        (self.factored, self.adam, self.epochs) = (factored, adam, epochs);
    }

    /// The model as far as it has learned.
    pub fn model(&self) -> &Model {
        &self.model
    }

    pub fn is_done(&self) -> bool {
        self.epochs >= self.settings.epochs
    }

    /// One more pass over all samples, in an order that depends on the seed and the epoch alone. `on_step` is called
    /// with the samples seen. `None` after an interrupt: then the session has the state of the middle of an epoch and
    /// is of no use.
    pub fn epoch(
        &mut self,
        training: &Samples,
        validation: &Samples,
        threads: usize,
        interrupt: &Interrupt,
        on_step: &mut dyn FnMut(usize),
    ) -> Option<EpochReport> {
        let mut order: Vec<u32> = (0..training.len() as u32).collect();
        let stream = self.settings.seed.wrapping_add(u64::from(self.epochs) + 1);
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(stream));
        let steps_each = training.len().div_ceil(self.settings.batch);
        let all_steps = steps_each as f64 * f64::from(self.settings.epochs);
        let mut gradients: Vec<Model> = (0..PARTS).map(|_| Model::zero()).collect();
        let mut factored_gradient = vec![Units::ZERO; FACTORED_ROWS];
        let (mut loss, mut seen) = (0.0, 0);
        for batch in order.chunks(self.settings.batch) {
            if interrupt.is_raised() {
                return None;
            }
            loss += self.gradient(training, batch, threads, &mut gradients);
            let (total, others) = gradients.split_first_mut()?;
            others.iter().for_each(|other| total.add(other));
            let scale = 1.0 / batch.len() as f32;
            total.rows.iter_mut().flat_map(|row| &mut row.0).for_each(|number| *number *= scale);
            let progress = self.adam.steps as f64 / all_steps;
            let fall = LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (PI * progress).cos()) / 2.0;
            let rate = self.settings.rate * fall as f32;
            spread(total, &mut factored_gradient);
            self.adam.step(&mut self.factored, &factored_gradient, rate, self.settings.weight_decay);
            merged(&self.factored, &mut self.model);
            seen += batch.len();
            on_step(seen);
        }
        self.epochs += 1;
        Some(EpochReport {
            epoch: self.epochs,
            training_loss: loss / training.len() as f64,
            validation_loss: mean_loss(&self.model, validation, threads),
        })
    }

    /// Fills the gradients with the sums over parts of the batch; returns the sum of the losses.
    fn gradient(&self, samples: &Samples, batch: &[u32], threads: usize, gradients: &mut [Model]) -> f64 {
        let model = &self.model;
        let parts: Vec<&[u32]> = batch.chunks(batch.len().div_ceil(PARTS)).collect();
        let mut work: Vec<(&mut Model, &[u32])> =
            gradients.iter_mut().zip(parts.into_iter().chain(std::iter::repeat(&[][..]))).collect();
        let share = PARTS.div_ceil(threads.clamp(1, PARTS));
        let losses: Vec<f64> = thread::scope(|scope| {
            let handles: Vec<_> = work
                .chunks_mut(share)
                .map(|work| {
                    scope.spawn(move || {
                        work.iter_mut().map(|(gradient, part)| sum(model, samples, part, gradient)).collect::<Vec<_>>()
                    })
                })
                .collect();
            handles.into_iter().flat_map(joined).collect()
        });
        losses.into_iter().sum()
    }
}

/// What a thread brings back; its panic is this thread's too, as a part of a sum is worth nothing.
fn joined<T>(handle: ScopedJoinHandle<T>) -> T {
    handle.join().unwrap_or_else(|panic| resume_unwind(panic))
}

fn sum(model: &Model, samples: &Samples, part: &[u32], gradient: &mut Model) -> f64 {
    gradient.rows.fill(Units::ZERO);
    part.iter().map(|&index| f64::from(model.learn(&samples.get(index as usize), gradient))).sum()
}

/// The mean loss over samples.
pub fn mean_loss(model: &Model, samples: &Samples, threads: usize) -> f64 {
    let share = samples.len().div_ceil(threads.max(1)).max(1);
    let losses: f64 = thread::scope(|scope| {
        let handles: Vec<_> = (0..samples.len())
            .step_by(share)
            .map(|start| {
                let end = (start + share).min(samples.len());
                scope.spawn(move || (start..end).map(|index| f64::from(model.loss(&samples.get(index)))).sum::<f64>())
            })
            .collect();
        handles.into_iter().map(joined).sum()
    });
    losses / samples.len() as f64
}
