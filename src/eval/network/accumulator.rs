//! The hidden layer of a position, made from that of a position nearby.

use arrayvec::ArrayVec;

use super::inputs::{INPUTS, Inputs, MEN_INPUTS, for_each_input};
use super::kernel::{Row, Rows, update};
use super::outlook::{Outlook, view};
use super::{Network, output_bucket};
use crate::rules::Position;
use crate::types::{Color, MAX_MEN};

/// No position sets more inputs: all men, and all of the other words.
const MAX_CHANGES: usize = MAX_MEN + (INPUTS - MEN_INPUTS);

/// The hidden layer of one perspective before it is cut, and the outlook it was summed up with.
#[derive(Clone)]
struct Half {
    outlook: Outlook,
    units: Row,
}

/// Both perspectives of a position, by colour, and the inputs they were summed up from. It needs no other validity:
/// whatever position it is of, that of any other is as far away as their inputs differ.
#[derive(Clone)]
struct Accumulator {
    inputs: Inputs,
    halves: [Half; 2],
}

impl Accumulator {
    /// Of no position.
    fn unset(network: &Network) -> Accumulator {
        let half = Half { outlook: Outlook::FIRST, units: network.hidden_biases.clone() };
        Accumulator { inputs: Inputs::NONE, halves: [half.clone(), half] }
    }
}

/// The hidden layer by ply, so that a node starts from its parent's. A perspective whose outlook has changed starts from
/// the last one that changed to the same outlook ("Finny tables" in other engines).
pub struct Accumulators {
    by_ply: Vec<Accumulator>,
    /// By colour of the perspective and by outlook.
    by_outlook: [[(Inputs, Row); Outlook::COUNT]; 2],
}

/// Inputs that were switched on and off, as White sees them.
#[derive(Default)]
struct Changes {
    added: ArrayVec<u16, MAX_CHANGES>,
    removed: ArrayVec<u16, MAX_CHANGES>,
}

impl Changes {
    #[inline]
    fn find(&mut self, before: &Inputs, after: &Inputs) {
        self.added.clear();
        self.removed.clear();
        for index in after.different_words(before) {
            let (word_before, word_after) = (before.0[index], after.0[index]);
            for_each_input(index, word_after & !word_before, |input| self.added.push(input));
            for_each_input(index, word_before & !word_after, |input| self.removed.push(input));
        }
    }

    #[inline]
    fn apply(&self, network: &Network, color: Color, outlook: Outlook, source: Option<&Row>, units: &mut Row) {
        let view = view(color, outlook);
        update(
            source,
            units,
            &Rows { table: &network.hidden_weights, view, added: &self.added, removed: &self.removed },
        );
    }
}

impl Accumulators {
    /// For evaluations with this network; with another one they give nonsense.
    pub fn new(network: &Network) -> Accumulators {
        let unset = || (Inputs::NONE, network.hidden_biases.clone());
        Accumulators { by_ply: Vec::new(), by_outlook: std::array::from_fn(|_| std::array::from_fn(|_| unset())) }
    }

    /// The network's output for the side to move, in centipawns.
    pub fn evaluate(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        self.refresh(network, position, ply);
        let us = position.turn().index();
        let halves = &self.by_ply[ply].halves;
        network.output([&halves[us].units, &halves[1 - us].units], output_bucket(position))
    }

    /// Makes the accumulator of a ply that of the position.
    fn refresh(&mut self, network: &Network, position: &Position, ply: usize) {
        if self.by_ply.len() <= ply {
            self.by_ply.resize(ply + 1, Accumulator::unset(network));
        }
        let inputs = Inputs::of(position);
        let near = [ply.saturating_sub(1), ply.saturating_sub(2), ply];
        let nearest = near.into_iter().min_by_key(|&near| self.by_ply[near].inputs.distance(&inputs)).unwrap_or(ply);
        let mut changes = Changes::default();
        changes.find(&self.by_ply[nearest].inputs, &inputs);
        let (source, target) = match self.by_ply.get_disjoint_mut([nearest, ply]) {
            Ok([source, target]) => (Some(&*source), target),
            // They are the same.
            Err(_) => (None, &mut self.by_ply[ply]),
        };
        for color in Color::ALL {
            let half = &mut target.halves[color.index()];
            let from = source.map(|source| &source.halves[color.index()]);
            let outlook = Outlook::of(position, color);
            if from.map_or(half.outlook, |from| from.outlook) == outlook {
                changes.apply(network, color, outlook, from.map(|from| &from.units), &mut half.units);
            } else {
                let (before, units) = &mut self.by_outlook[color.index()][outlook.index()];
                let mut changes = Changes::default();
                changes.find(before, &inputs);
                changes.apply(network, color, outlook, None, units);
                before.clone_from(&inputs);
                half.units.clone_from(units);
            }
            half.outlook = outlook;
        }
        target.inputs = inputs;
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::rules::parse_fen;

    /// A search in small: plies up and down along random lines, null moves among them, evaluated here and there.
    fn wander(fen: &str, seed: u64, steps: usize) {
        let network = Network::embedded();
        let mut random = SmallRng::seed_from_u64(seed);
        let mut accumulators = Accumulators::new(&network);
        let mut line = vec![parse_fen(fen).unwrap().position];
        for _ in 0..steps {
            let position = line.last().unwrap();
            let moves = position.legal_moves();
            if moves.is_empty() || line.len() > 40 || random.random_bool(0.45) && line.len() > 1 {
                line.truncate(random.random_range(1..line.len().max(2)));
            } else if !position.in_check() && random.random_bool(0.1) {
                line.push(position.passed());
            } else {
                line.push(position.played(moves[random.random_range(0..moves.len())]));
            }
            if random.random_bool(0.7) {
                let (ply, position) = (line.len() - 1, line.last().unwrap());
                let fresh = network.evaluate(position);
                assert_eq!(accumulators.evaluate(&network, position, ply), fresh, "ply {ply}: {position}");
            }
        }
    }

    #[test]
    fn accumulators_agree_with_a_fresh_evaluation() {
        let steps = if cfg!(debug_assertions) { 400 } else { 4_000 };
        let openings = include_str!("../../../tests/data/openings.epd").lines().step_by(60);
        let boards = include_str!("../../../tests/data/perft.epd").lines().filter(|line| !line.starts_with('#'));
        for (seed, line) in openings.chain(boards.step_by(3)).enumerate() {
            wander(line.split(';').next().unwrap(), seed as u64, steps);
        }
    }
}
