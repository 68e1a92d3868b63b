use std::path::PathBuf;

use super::model::expected_points;
use crate::datagen::{DataError, Reader, Record};
use crate::eval::network::inputs::Inputs;
use crate::eval::network::outlook::{Outlook, View, view};
use crate::eval::network::{CENTIPAWNS, output_bucket};
use crate::types::Color;

/// Of so many games, one is held out for validation.
const HELD_OUT_OF: u32 = 20;

/// Positions to learn from, in a form that takes little memory.
#[derive(Default)]
pub struct Samples {
    /// Of all samples, one after the other, as White sees them.
    inputs: Vec<u16>,
    samples: Vec<Packed>,
}

#[derive(Clone, Copy)]
struct Packed {
    /// Where its inputs begin; they end where those of the next sample begin.
    start: u64,
    target: f32,
    bucket: u8,
    black_to_move: bool,
    /// By colour.
    outlooks: [Outlook; 2],
}

/// A position to learn from.
pub struct Sample<'a> {
    /// That are set, as White sees them.
    pub inputs: &'a [u16],
    /// Of the side to move and of the other.
    pub views: [&'static View; 2],
    /// What the network should say: the part of a point that the side to move will get, 0 to 1.
    pub target: f32,
    pub bucket: usize,
}

impl Sample<'_> {
    /// The rows of the inputs that are set, for the side to move (0) or the other (1).
    #[inline]
    pub fn rows(&self, side: usize) -> impl Iterator<Item = usize> + '_ {
        let view = self.views[side];
        self.inputs.iter().map(move |&input| usize::from(view[usize::from(input)]))
    }
}

/// What was read, and what of it is fit to learn from.
pub struct Data {
    pub training: Samples,
    /// From every twentieth game: the others say nothing about them.
    pub validation: Samples,
    /// Records read.
    pub records: u64,
}

impl Data {
    /// Reads files of games, in this order. `on_record` is called with the number of records so far.
    ///
    /// # Errors
    /// The first fault in a file.
    pub fn load(files: &[PathBuf], result_share: f32, on_record: &mut dyn FnMut(u64)) -> Result<Data, DataError> {
        let mut data = Data { training: Samples::default(), validation: Samples::default(), records: 0 };
        for file in files {
            for record in Reader::open(file)? {
                let record = record?;
                data.records += 1;
                on_record(data.records);
                if record.is_quiet() {
                    let held_out = record.game.is_multiple_of(HELD_OUT_OF);
                    let samples = if held_out { &mut data.validation } else { &mut data.training };
                    samples.add(&record, result_share);
                }
            }
        }
        Ok(data)
    }
}

impl Samples {
    /// Adds a position.
    pub(super) fn add(&mut self, record: &Record, result_share: f32) {
        let position = &record.position;
        let start = self.inputs.len() as u64;
        self.inputs.extend(Inputs::of(position).numbers());
        self.samples.push(Packed {
            start,
            target: target(record, result_share),
            bucket: output_bucket(position) as u8,
            black_to_move: position.turn() == Color::Black,
            outlooks: Color::ALL.map(|color| Outlook::of(position, color)),
        });
    }

    pub fn len(&self) -> usize {
        self.samples.len()
    }

    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The sample with an index below [`len`](Samples::len).
    #[inline]
    pub fn get(&self, index: usize) -> Sample<'_> {
        let packed = self.samples[index];
        let end = self.samples.get(index + 1).map_or(self.inputs.len(), |next| next.start as usize);
        let us = if packed.black_to_move { Color::Black } else { Color::White };
        Sample {
            inputs: &self.inputs[packed.start as usize..end],
            views: [us, !us].map(|color| view(color, packed.outlooks[color.index()])),
            target: packed.target,
            bucket: packed.bucket.into(),
        }
    }
}

/// The expected points of the side to move: those that the score stands for, mixed with those of the game.
fn target(record: &Record, result_share: f32) -> f32 {
    let us = record.position.turn();
    let score = record.score.for_white(us).0 as f32;
    let expected = expected_points(score / CENTIPAWNS as f32);
    let result = record.result().half_points(us) as f32 / 2.0;
    (1.0 - result_share) * expected + result_share * result
}
