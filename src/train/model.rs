use super::samples::{Sample, Samples};
use crate::eval::network::{ACTIVE_ONE, BUCKETS, CENTIPAWNS, CLIP, HIDDEN, Network, OUTPUT_ONE, ROWS, Row};

/// Keeps the weights small: no sum of outputs can leave its bits then, and none of hidden units is near it. The rows
/// are those of a model, or more.
pub fn clamp_weights(rows: &mut [Units]) {
    for (index, row) in rows.iter_mut().enumerate() {
        match index {
            HIDDEN_BIASES | OUTPUT_BIASES => {}
            OUTPUT_WEIGHTS..OUTPUT_BIASES => row.clamp(OUTPUT_WEIGHT_MAX),
            _ => row.clamp(HIDDEN_WEIGHT_MAX),
        }
    }
}

/// A number for each hidden unit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Units(pub [f32; HIDDEN]);

impl Units {
    pub const ZERO: Units = Units([0.0; HIDDEN]);

    fn clamp(&mut self, bound: f32) {
        self.0.iter_mut().for_each(|number| *number = number.clamp(-bound, bound));
    }

    #[inline]
    pub fn add(&mut self, other: &Units) {
        self.0.iter_mut().zip(&other.0).for_each(|(unit, other)| *unit += other);
    }
}

pub const HIDDEN_BIASES: usize = ROWS;
/// Two rows for each bucket: for the side to move, for the other.
pub const OUTPUT_WEIGHTS: usize = HIDDEN_BIASES + 1;
/// The first [`BUCKETS`] numbers of this row.
pub const OUTPUT_BIASES: usize = OUTPUT_WEIGHTS + 2 * BUCKETS;
/// Rows of a model.
pub const MODEL_ROWS: usize = OUTPUT_BIASES + 1;

/// The greatest absolute value of a number from which hidden weights are summed up. Sixteen of these fill the 16 bits
/// of a unit; real sums stay far below, as [`QuantisationError::largest_unit`] shows.
const HIDDEN_WEIGHT_MAX: f32 = 2.0;
/// The greatest absolute value of an output weight: with all at this value the sum would still fit 32 bits.
const OUTPUT_WEIGHT_MAX: f32 = 0.98;
const _: () =
    assert!(OUTPUT_WEIGHT_MAX as f64 * OUTPUT_ONE as f64 * HIDDEN as f64 * ACTIVE_ONE as f64 <= i32::MAX as f64);

/// The network in floating point, or a gradient or a moment of it: rows of numbers in the order hidden weights, hidden
/// biases, output weights, output biases.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub rows: Vec<Units>,
}

impl Model {
    pub fn zero() -> Model {
        Model { rows: vec![Units::ZERO; MODEL_ROWS] }
    }

    /// The hidden layer of a side before it is cut.
    fn hidden(&self, sample: &Sample, side: usize) -> Units {
        let mut units = self.rows[HIDDEN_BIASES];
        for row in sample.rows(side) {
            units.add(&self.rows[row]);
        }
        units
    }

    /// The output from the hidden layers of both sides.
    fn output(&self, hidden: &[Units; 2], bucket: usize) -> f32 {
        let sums = [0, 1].map(|side| {
            let weights = &self.rows[OUTPUT_WEIGHTS + 2 * bucket + side];
            let terms = hidden[side].0.iter().zip(&weights.0).map(|(unit, weight)| {
                let unit = unit.clamp(0.0, 1.0);
                unit * unit * weight
            });
            // Several partial sums, as one alone would not fit wide registers.
            let mut partial = [0.0; 16];
            terms.enumerate().for_each(|(index, term)| partial[index % 16] += term);
            partial.iter().sum::<f32>()
        });
        sums[0] + sums[1] + self.rows[OUTPUT_BIASES].0[bucket]
    }

    /// The output for a position, in units of [`CENTIPAWNS`].
    pub fn evaluate(&self, sample: &Sample) -> f32 {
        self.output(&[0, 1].map(|side| self.hidden(sample, side)), sample.bucket)
    }

    /// The squared error of the points expected for a sample.
    pub fn loss(&self, sample: &Sample) -> f32 {
        let error = expected_points(self.evaluate(sample)) - sample.target;
        error * error
    }

    /// Adds the gradient of a sample's loss to `gradient`; returns the loss.
    pub fn learn(&self, sample: &Sample, gradient: &mut Model) -> f32 {
        let bucket = sample.bucket;
        let hidden = [0, 1].map(|side| self.hidden(sample, side));
        let points = expected_points(self.output(&hidden, bucket));
        let error = points - sample.target;
        let slope = 2.0 * error * points * (1.0 - points);
        gradient.rows[OUTPUT_BIASES].0[bucket] += slope;
        for (side, hidden) in hidden.iter().enumerate() {
            let output = OUTPUT_WEIGHTS + 2 * bucket + side;
            let weights = &self.rows[output];
            let output_gradient = &mut gradient.rows[output];
            let mut back = Units::ZERO;
            for unit in 0..HIDDEN {
                let cut = hidden.0[unit].clamp(0.0, 1.0);
                output_gradient.0[unit] += slope * cut * cut;
                // Outside of 0 to 1 a small step changes nothing.
                let passes = if cut == hidden.0[unit] { 2.0 } else { 0.0 };
                back.0[unit] = slope * weights.0[unit] * passes * cut;
            }
            gradient.rows[HIDDEN_BIASES].add(&back);
            for row in sample.rows(side) {
                gradient.rows[row].add(&back);
            }
        }
        error * error
    }

    pub fn add(&mut self, other: &Model) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(row, other)| row.add(other));
    }

    /// The network of whole numbers.
    pub fn quantised(&self) -> Network {
        let row = |index: usize, one: f32| {
            Row(self.rows[index].0.map(|number| (number * one).round().clamp(i16::MIN.into(), i16::MAX.into()) as i16))
        };
        let (clip, output_one, active_one) = (f32::from(CLIP), OUTPUT_ONE as f32, ACTIVE_ONE as f32);
        Network {
            hidden_weights: (0..ROWS).map(|index| row(index, clip)).collect(),
            hidden_biases: row(HIDDEN_BIASES, clip),
            output_weights: std::array::from_fn(|bucket| {
                [0, 1].map(|side| row(OUTPUT_WEIGHTS + 2 * bucket + side, output_one))
            }),
            output_biases: std::array::from_fn(|bucket| {
                (self.rows[OUTPUT_BIASES].0[bucket] * active_one * output_one).round() as i32
            }),
        }
    }
}

/// The part of a point that an output promises, 0 to 1.
pub fn expected_points(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// How far the quantised network is from the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QuantisationError {
    /// Centipawns.
    pub mean: f64,
    /// Centipawns.
    pub max: f64,
    /// The largest absolute value of a hidden unit, from the model; beyond 32767 the network's would wrap around.
    pub largest_unit: i32,
}

/// Compares outputs on samples, at least one.
pub fn quantisation_error(model: &Model, network: &Network, samples: &Samples) -> QuantisationError {
    let mut found = QuantisationError::default();
    for index in 0..samples.len() {
        let sample = samples.get(index);
        let hidden = [0, 1].map(|side| model.hidden(&sample, side));
        let units = [0, 1].map(|side| network.hidden(sample.inputs, sample.views[side]));
        let quantised = network.output([&units[0], &units[1]], sample.bucket);
        let error =
            (f64::from(model.output(&hidden, sample.bucket)) * f64::from(CENTIPAWNS) - f64::from(quantised)).abs();
        found.mean += error / samples.len() as f64;
        found.max = found.max.max(error);
        let largest = hidden.iter().flat_map(|units| units.0).fold(0.0, |most: f32, unit| most.max(unit.abs()));
        found.largest_unit = found.largest_unit.max((largest * f32::from(CLIP)).round() as i32);
    }
    found
}
