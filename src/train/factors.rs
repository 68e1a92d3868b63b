//! Sharing between rows of hidden weights that mean much the same: a man on a square in all quarters of the Anti-King, all
//! squares of a man, all squares around a royal for one fact that is told of each. Each such group has a row of its own that is
//! added to the rows of its members. So what holds for the group is learned from all of them at once; in the network
//! that comes out they are summed up (Chess Programming Wiki, "Stockfish NNUE", feature factorization).

use rand::{Rng, RngExt};

use super::model::{HIDDEN_BIASES, MODEL_ROWS, Model, OUTPUT_BIASES, OUTPUT_WEIGHTS, Units};
use crate::eval::network::ROWS;
use crate::eval::network::inputs::MEN_INPUTS;
use crate::eval::network::outlook::{GROUPS, groups};

/// Rows that are learned: those of a model, then those of the groups.
pub const FACTORED_ROWS: usize = MODEL_ROWS + GROUPS;

/// What learning begins with: small random weights for each man on each square, so that about half of the units begin
/// between 0 and 1. What tells the quarters of the Anti-King apart and what happens around the royals begins without a
/// say, so that what is rarely seen adds no noise.
pub fn initial(random: &mut impl Rng) -> Vec<Units> {
    let bound = |row: usize| {
        if row == HIDDEN_BIASES {
            0.3
        } else if (OUTPUT_WEIGHTS..OUTPUT_BIASES).contains(&row) {
            0.08
        } else if (MODEL_ROWS..MODEL_ROWS + MEN_INPUTS).contains(&row) {
            0.1
        } else {
            0.0
        }
    };
    let row = |row| Units(std::array::from_fn(|_| random.random_range(-1.0..=1.0) * bound(row)));
    (0..FACTORED_ROWS).map(row).collect()
}

/// Rows of learned numbers as a model: the rows of groups are added to those of their members.
pub fn merged(factored: &[Units], model: &mut Model) {
    model.rows.copy_from_slice(&factored[..MODEL_ROWS]);
    for (index, row) in model.rows[..ROWS].iter_mut().enumerate() {
        groups(index).into_iter().flatten().for_each(|group| row.add(&factored[MODEL_ROWS + group]));
    }
}

/// The gradient of the learned numbers from that of the model: a group's is the sum of its members'.
pub fn spread(gradient: &Model, factored: &mut [Units]) {
    factored[..MODEL_ROWS].copy_from_slice(&gradient.rows);
    factored[MODEL_ROWS..].fill(Units::ZERO);
    for (index, row) in gradient.rows[..ROWS].iter().enumerate() {
        groups(index).into_iter().flatten().for_each(|group| factored[MODEL_ROWS + group].add(row));
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;

    fn product(left: &[Units], right: &[Units]) -> f64 {
        let numbers = |rows: &[Units]| rows.iter().flat_map(|row| row.0).map(f64::from).collect::<Vec<_>>();
        numbers(left).into_iter().zip(numbers(right)).map(|(left, right)| left * right).sum()
    }

    #[test]
    fn a_gradient_is_spread_as_rows_are_merged() {
        let mut random = SmallRng::seed_from_u64(1);
        let mut rows = |count: usize| -> Vec<Units> {
            (0..count).map(|_| Units(std::array::from_fn(|_| random.random_range(-1.0..=1.0)))).collect()
        };
        let (factored, gradient) = (rows(FACTORED_ROWS), Model { rows: rows(MODEL_ROWS) });
        let (mut model, mut factored_gradient) = (Model::zero(), vec![Units::ZERO; FACTORED_ROWS]);
        merged(&factored, &mut model);
        spread(&gradient, &mut factored_gradient);
        // Each is the transpose of the other: a step along the one changes the loss as the other says.
        let (there, back) = (product(&model.rows, &gradient.rows), product(&factored, &factored_gradient));
        assert!((there - back).abs() < 1e-6 * product(&gradient.rows, &gradient.rows), "{there} {back}");
    }
}
