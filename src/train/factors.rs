//! Sharing between rows of hidden weights that mean much the same: a man on a square in all quarters of the Anti-King, all
//! squares of a man, all squares around a royal for one kind of attack. Each such group has a row of its own that is
//! added to the rows of its members. So what holds for the group is learned from all of them at once; in the network
//! that comes out they are summed up (Chess Programming Wiki, "Stockfish NNUE", feature factorization).

use super::model::{MODEL_ROWS, Model, Units};
use crate::eval::network::ROWS;
use crate::eval::network::outlook::{GROUPS, groups};

/// Rows that are learned: those of a model, then those of the groups.
pub const FACTORED_ROWS: usize = MODEL_ROWS + GROUPS;

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
