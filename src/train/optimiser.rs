use super::model::{Units, clamp_weights};

/// Decay of the first moment.
const BETA1: f32 = 0.9;
/// Decay of the second moment.
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Adam with decoupled weight decay (Kingma and Ba 2014; Loshchilov and Hutter 2017).
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    pub first: Vec<Units>,
    pub second: Vec<Units>,
    /// Steps taken.
    pub steps: u64,
}

impl Adam {
    /// For so many rows of numbers.
    pub fn new(rows: usize) -> Adam {
        Adam { first: vec![Units::ZERO; rows], second: vec![Units::ZERO; rows], steps: 0 }
    }

    /// Moves the numbers against a gradient. A step also takes rate times `decay` of each number away.
    pub fn step(&mut self, rows: &mut [Units], gradient: &[Units], rate: f32, decay: f32) {
        self.steps += 1;
        // Both powers have long vanished by then.
        let steps = self.steps.min(1 << 20) as i32;
        let moment_rate = rate * (1.0 - BETA2.powi(steps)).sqrt() / (1.0 - BETA1.powi(steps));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((row, gradient), (first, second)) in rows.iter_mut().zip(gradient).zip(moments) {
            step_row(row, gradient, first, second, moment_rate, 1.0 - rate * decay);
        }
        clamp_weights(rows);
    }
}

fn step_row(row: &mut Units, gradient: &Units, first: &mut Units, second: &mut Units, rate: f32, keep: f32) {
    let numbers = row.0.iter_mut().zip(&gradient.0);
    for ((number, gradient), (first, second)) in numbers.zip(first.0.iter_mut().zip(&mut second.0)) {
        *first = BETA1 * *first + (1.0 - BETA1) * gradient;
        *second = BETA2 * *second + (1.0 - BETA2) * gradient * gradient;
        *number = keep * *number - rate * *first / (second.sqrt() + EPSILON);
    }
}
