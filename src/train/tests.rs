use std::path::PathBuf;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::model::Units;
use super::*;
use crate::datagen::{Record, SelfPlay, test_settings};
use crate::engine::Interrupt;
use crate::eval::Network;
use crate::eval::network::CENTIPAWNS;
use crate::rules::{DrawKind, MateKind, Outcome, parse_fen, parse_uci};
use crate::types::{Color, Score};

/// Some games of the engine.
fn records(games: u32) -> Vec<Record> {
    let mut player = SelfPlay::new(&test_settings(), Network::embedded()).unwrap();
    (0..games).flat_map(|number| player.play(number).unwrap()).collect()
}

fn samples(records: &[Record]) -> Samples {
    let mut samples = Samples::default();
    records.iter().filter(|record| record.is_quiet()).for_each(|record| samples.add(record, 0.4));
    samples
}

fn record(fen: &str, best: &str, score: i32, outcome: Outcome) -> Record {
    let position = parse_fen(fen).unwrap().position;
    let best = parse_uci(&position, best).unwrap();
    Record { position, score: Score(score), best, depth: 5, game: 1, outcome, is_last: false }
}

fn settings() -> Settings {
    Settings { seed: 3, epochs: 3, batch: 64, rate: 0.001, weight_decay: 4.0, result_share: 0.4 }
}

fn trained(epochs: u32, threads: usize, data: &Samples) -> (Session, Vec<EpochReport>) {
    let mut session = Session::new(Settings { epochs, ..settings() });
    let interrupt = Interrupt::new();
    let mut reports = Vec::new();
    while !session.is_done() {
        reports.push(session.epoch(data, data, threads, &interrupt, &mut |_| {}).unwrap());
    }
    (session, reports)
}

#[test]
fn targets_are_for_the_side_to_move() {
    let start = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR";
    let won = |loser| Outcome::Mate { loser, kind: MateKind::AntiKing };
    let draw = Outcome::Draw(DrawKind::Threefold);
    let target = |turn: &str, best: &str, score: i32, outcome, share: f32| {
        let mut samples = Samples::default();
        samples.add(&record(&format!("{start} {turn} KQkq - 0 1"), best, score, outcome), share);
        samples.get(0).target
    };
    // The score alone: White's advantage is Black's trouble.
    let good = 1.0 / (1.0 + (-1.0f32).exp());
    assert!((target("w", "b1c3", CENTIPAWNS, draw, 0.0) - good).abs() < 1e-6);
    assert!((target("b", "b8c6", CENTIPAWNS, draw, 0.0) - (1.0 - good)).abs() < 1e-6);
    // The result alone.
    assert_eq!(target("w", "b1c3", -500, won(Color::Black), 1.0), 1.0);
    assert_eq!(target("b", "b8c6", -500, won(Color::Black), 1.0), 0.0);
    assert_eq!(target("b", "b8c6", -500, won(Color::White), 1.0), 1.0);
    assert_eq!(target("b", "b8c6", -500, draw, 1.0), 0.5);
    // Both.
    assert!((target("w", "b1c3", 0, won(Color::Black), 0.4) - 0.7).abs() < 1e-6);
}

#[test]
fn samples_see_what_the_network_sees() {
    let data = records(4);
    let quiet: Vec<&Record> = data.iter().filter(|record| record.is_quiet()).collect();
    let samples = samples(&data);
    assert_eq!(samples.len(), quiet.len());
    assert!(quiet.len() > 50 && quiet.len() < data.len());
    let network = crate::eval::Network::embedded();
    for (index, record) in quiet.iter().enumerate() {
        let sample = samples.get(index);
        let units = [0, 1].map(|side| network.hidden(sample.inputs, sample.views[side]));
        let output = network.output([&units[0], &units[1]], sample.bucket);
        assert_eq!(output, network.evaluate(&record.position), "{}", record.position);
    }
}

#[test]
fn checks_captures_and_mates_are_left_out() {
    let draw = Outcome::Draw(DrawKind::Threefold);
    let start = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(record(start, "b1c3", 30, draw).is_quiet());
    assert!(!record(start, "b1c3", 31_990, draw).is_quiet());
    assert!(!record("4k3/8/8/8/4r2A/8/8/a2RK3 w - - 0 1", "e1f1", 0, draw).is_quiet());
    let capture = "rnbqkbnr/ppp1pppp/A7/3pP3/8/3a4/PPPP1PPP/RNBQKBNR w Kq d6 0 9";
    assert!(!record(capture, "e5d6", 0, draw).is_quiet());
    assert!(record(capture, "e5e6", 0, draw).is_quiet());
}

proptest! {
    #![proptest_config(crate::seed::fixed(9, 6))]

    /// The gradient is how the loss changes: each number is moved a little in turn.
    #[test]
    fn the_gradient_is_the_slope_of_the_loss(seed: u64) {
        let mut random = SmallRng::seed_from_u64(seed);
        let samples = samples(&records(1));
        let mut model = Session::new(Settings { seed, ..settings() }).model().clone();
        for row in &mut model.rows {
            row.0.iter_mut().for_each(|number| *number += random.random_range(-0.05..0.05));
        }
        let sample = samples.get(random.random_range(0..samples.len()));
        let mut gradient = Model::zero();
        let loss = model.learn(&sample, &mut gradient);
        prop_assert!((loss - model.loss(&sample)).abs() < 1e-6);
        let touched: Vec<usize> = (0..model.rows.len()).filter(|&row| gradient.rows[row] != Units::ZERO).collect();
        prop_assert!(touched.len() > 30);
        for _ in 0..60 {
            let row = touched[random.random_range(0..touched.len())];
            let unit = random.random_range(0..16);
            let mut loss_at = |step: f32| {
                let before = model.rows[row].0[unit];
                model.rows[row].0[unit] = before + step;
                let loss = f64::from(model.loss(&sample));
                model.rows[row].0[unit] = before;
                loss
            };
            // Where a unit passes 0 or 1 within the step both sides differ, and the gradient is that of one of them.
            let step = 0.002;
            let here = loss_at(0.0);
            let slopes = [loss_at(step) - here, here - loss_at(-step)].map(|rise| rise / f64::from(step));
            let found = f64::from(gradient.rows[row].0[unit]);
            let (least, most) = (slopes[0].min(slopes[1]), slopes[0].max(slopes[1]));
            let tolerance = 1e-4 + 0.05 * most.abs().max(least.abs());
            let fits = (least - tolerance..=most + tolerance).contains(&found);
            prop_assert!(fits, "row {row} unit {unit}: {slopes:?} and {found}");
        }
    }
}

#[test]
fn training_lowers_the_loss_and_is_the_same_each_time() {
    let data = samples(&records(12));
    let before = mean_loss(Session::new(settings()).model(), &data, 1);
    let (session, reports) = trained(6, 2, &data);
    let last = reports.last().unwrap();
    assert!(last.validation_loss < 0.6 * before, "{before} and {reports:?}");
    assert!((last.validation_loss - mean_loss(session.model(), &data, 1)).abs() < 1e-9);
    for threads in [1, 3] {
        assert_eq!(trained(6, threads, &data).0.model(), session.model(), "{threads} threads");
    }
}

#[test]
fn training_goes_on_from_a_checkpoint_as_if_nothing_had_been() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.checkpoint");
    let data = samples(&records(6));
    let (straight, _) = trained(3, 2, &data);
    let mut session = Session::new(settings());
    assert!(!session.resume(&path, "this").unwrap());
    session.epoch(&data, &data, 1, &Interrupt::new(), &mut |_| {}).unwrap();
    session.save(&path, "this").unwrap();
    let mut session = Session::new(settings());
    assert!(session.resume(&path, "this").unwrap());
    assert_eq!(session.epochs, 1);
    while !session.is_done() {
        session.epoch(&data, &data, 1, &Interrupt::new(), &mut |_| {}).unwrap();
    }
    assert_eq!(session.model(), straight.model());

    let mut other = Session::new(settings());
    let told = other.resume(&path, "that").unwrap_err().to_string();
    assert!(told.ends_with("it is of a training with this, this one has that; remove it to begin anew"), "{told}");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[5_000] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let told = other.resume(&path, "this").unwrap_err().to_string();
    assert!(told.ends_with("it is no checkpoint of a training, or damaged"), "{told}");
    assert_eq!(other.epochs, 0);
}

#[test]
fn an_interrupt_ends_an_epoch() {
    let data = samples(&records(2));
    let interrupt = Interrupt::new();
    interrupt.raise();
    assert_eq!(Session::new(settings()).epoch(&data, &data, 1, &interrupt, &mut |_| {}), None);
}

#[test]
fn whole_numbers_say_nearly_the_same() {
    let data = samples(&records(6));
    let (session, _) = trained(4, 2, &data);
    let error = quantisation_error(session.model(), &session.model().quantised(), &data);
    assert!(error.mean < 2.0 && error.max < 10.0 && error.largest_unit < 16_384, "{error:?}");
}

#[test]
fn twentieth_games_are_held_out() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("games.akg");
    let settings = crate::datagen::Settings { shard: crate::datagen::Shard { number: 1, count: 1 }, ..test_settings() };
    let mut output = crate::datagen::Output::open(&path, Some(settings.seed), |_| settings.clone()).unwrap();
    crate::datagen::generate(&mut output, 21, 2, &Network::embedded(), &Interrupt::new(), &mut |_| {}).unwrap();
    let data = Data::load(&[path], 0.4, &mut |_| {}).unwrap();
    let mut player = SelfPlay::new(&settings, Network::embedded()).unwrap();
    let quiet = |number| player.play(number).unwrap().iter().filter(|record| record.is_quiet()).count();
    assert_eq!(data.validation.len(), [0, 20].map(quiet).into_iter().sum::<usize>());
    assert!(data.training.len() > data.validation.len());
    assert_eq!(data.records, output.positions());
}
