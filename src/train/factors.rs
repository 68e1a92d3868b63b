//! Sharing between inputs that mean much the same: all squares of a man, all squares around a royal for one kind of
//! attack. Each such group has a row of its own that is added to the rows of its inputs. So what holds for the group
//! is learned from all of its inputs at once; in the network that comes out both are summed up (Chess Programming
//! Wiki, "Stockfish NNUE", feature factorization).

use super::model::{Model, ROWS, Units};
use crate::eval::network::inputs::{INPUTS, group};

/// Groups of inputs, and so rows that a model has not.
const GROUPS: usize = {
    let (mut most, mut input) = (0, 0);
    while input < INPUTS {
        if let Some(group) = group(input) {
            most = if group > most { group } else { most };
        }
        input += 1;
    }
    most + 1
};

/// Rows that are learned: those of a model, then those of the groups.
pub const FACTORED_ROWS: usize = ROWS + GROUPS;

/// Rows of learned numbers as a model: the rows of groups are added to those of their inputs.
pub fn merged(factored: &[Units], model: &mut Model) {
    model.rows.copy_from_slice(&factored[..ROWS]);
    for (input, row) in model.rows[..INPUTS].iter_mut().enumerate() {
        if let Some(group) = group(input) {
            row.add(&factored[ROWS + group]);
        }
    }
}

/// The gradient of the learned numbers from that of the model: a group's is the sum of its inputs'.
pub fn spread(gradient: &Model, factored: &mut [Units]) {
    factored[..ROWS].copy_from_slice(&gradient.rows);
    factored[ROWS..].fill(Units::ZERO);
    for (input, row) in gradient.rows[..INPUTS].iter().enumerate() {
        if let Some(group) = group(input) {
            factored[ROWS + group].add(row);
        }
    }
}
