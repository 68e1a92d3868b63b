use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use thiserror::Error;

use super::opening::NoOpening;
use super::output::{Output, OutputError};
use super::self_play::SelfPlay;
use crate::engine::{Interrupt, spawn_search_thread};
use crate::eval::Network;
use crate::search::TableError;

/// Why the making of games ended early.
#[derive(Debug, Error)]
pub enum GenerationError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Opening(#[from] NoOpening),
    #[error("no thread to play in: {0}")]
    Thread(#[source] io::Error),
}

/// Plays games on a number of threads until the output holds `games`, and writes each as soon as all before it are
/// written. The engines evaluate with `network`. `on_game` is called with the output after each game.
///
/// After an interrupt no further game is begun; those that are being played are finished and written, so nothing is
/// lost.
///
/// # Errors
/// When an engine or a thread cannot be had, an opening is not found or a game cannot be written. What is written
/// stays.
pub fn generate(
    output: &mut Output,
    games: u64,
    threads: usize,
    network: &Arc<Network>,
    interrupt: &Interrupt,
    on_game: &mut dyn FnMut(&Output),
) -> Result<(), GenerationError> {
    let settings = output.settings().clone();
    let next = AtomicU64::new(output.games());
    let missing = usize::try_from(games.saturating_sub(output.games())).unwrap_or(usize::MAX);
    let players = (0..threads.min(missing))
        .map(|_| SelfPlay::new(&settings, Arc::clone(network)))
        .collect::<Result<Vec<_>, _>>()?;
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for (seat, mut player) in players.into_iter().enumerate() {
            let (next, sender, shard) = (&next, sender.clone(), settings.shard);
            let work = move || {
                while !interrupt.is_raised() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let number = shard.game(index).filter(|_| index < games);
                    let Some(number) = number else { return };
                    // Nobody receives any more after an error.
                    if sender.send((index, player.play(number))).is_err() {
                        return;
                    }
                }
            };
            spawn_search_thread(scope, format!("player {seat}"), work).map_err(GenerationError::Thread)?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for (index, records) in results {
            waiting.insert(index, records);
            while let Some(records) = waiting.remove(&output.games()) {
                output.add(&records?)?;
                on_game(output);
            }
        }
        Ok(())
    })
}
