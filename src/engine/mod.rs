//! The player as a service: options, threads, hash table and histories. Every front end thinks through this.

mod bench;
mod interrupt;
pub mod options;
mod search_thread;
mod think;

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

pub use bench::{BENCH_DEPTH, BenchReport, bench};
pub use interrupt::{Interrupt, Registration};
pub use search_thread::spawn_search_thread;
pub use think::win_draw_loss;

use crate::eval::{Network, NetworkError};
use crate::search::{Histories, Parameters, TableError, TranspositionTable};
use options::{Applied, OptionError, OptionId, OptionValue, Options};

/// Why an engine could not be made.
#[derive(Debug, Error)]
pub enum EngineError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("EvalFile: {0}")]
    Network(#[from] NetworkError),
}

/// One player: its options and what it remembers from move to move.
pub struct Engine {
    options: Options,
    parameters: Parameters,
    network: Arc<Network>,
    table: TranspositionTable,
    /// By thread.
    histories: Vec<Histories>,
}

impl Engine {
    /// A player with these options and the default search parameters.
    ///
    /// # Errors
    /// When the hash table cannot be allocated or the network cannot be read.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        Engine::with_parameters(options, Parameters::default())
    }

    /// A player with search parameters of its own.
    ///
    /// # Errors
    /// When the hash table cannot be allocated or the network cannot be read.
    pub fn with_parameters(options: Options, parameters: Parameters) -> Result<Engine, EngineError> {
        let network = network(&options.eval_file)?;
        Ok(Engine::with_network(options, parameters, network)?)
    }

    /// A player that evaluates with a network at hand, whatever file the options name.
    ///
    /// # Errors
    /// When the hash table cannot be allocated.
    pub fn with_network(options: Options, parameters: Parameters, network: Arc<Network>) -> Result<Engine, TableError> {
        let table = TranspositionTable::new(options.hash as usize)?;
        let histories = histories(options.threads);
        Ok(Engine { options, parameters, network, table, histories })
    }

    /// The options as they are now.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The network that the engine evaluates with.
    pub fn network(&self) -> Arc<Network> {
        Arc::clone(&self.network)
    }

    /// The parameters that the engine searches with.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Sets an option and does what it asks for.
    ///
    /// # Errors
    /// When there is no such option, its value does not fit, or its effect fails; then nothing has changed.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Applied, OptionError> {
        let mut options = self.options.clone();
        let applied = options.set(name, value)?;
        match applied.id {
            OptionId::Hash if options.hash < self.options.hash => self.table.shrink(options.hash as usize),
            OptionId::Hash if options.hash > self.options.hash => {
                self.table = TranspositionTable::new(options.hash as usize).map_err(|error| OptionError::Failed {
                    name: applied.name,
                    reason: error.to_string(),
                    kept: OptionValue::Number(i64::from(self.options.hash)),
                })?;
            }
            OptionId::Threads if options.threads != self.options.threads => {
                self.histories = histories(options.threads);
            }
            OptionId::ClearHash => self.new_game(),
            OptionId::EvalFile => {
                self.network = network_instead(&options, &self.options)?;
                // What the table holds was found with the other network.
                self.new_game();
            }
            _ => {}
        }
        self.options = options;
        Ok(applied)
    }

    /// Forgets everything about earlier games: hash table and histories.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.histories = histories(self.options.threads);
    }
}

/// The network in a file; for an empty path the one that is built in.
///
/// # Errors
/// When the file cannot be read or is no network for this program.
pub fn network(path: &str) -> Result<Arc<Network>, NetworkError> {
    if path.is_empty() { Ok(Network::embedded()) } else { Network::load(Path::new(path)).map(Arc::new) }
}

/// The network that `options` ask for in the place of that of `kept`.
///
/// # Errors
/// When it cannot be had; the error tells which one stays.
pub fn network_instead(options: &Options, kept: &Options) -> Result<Arc<Network>, OptionError> {
    network(&options.eval_file).map_err(|error| {
        let spec = options::spec(OptionId::EvalFile);
        let kept = if kept.eval_file.is_empty() { "<empty>" } else { &kept.eval_file };
        OptionError::Failed { name: spec.name, reason: error.to_string(), kept: OptionValue::Text(kept.to_owned()) }
    })
}

fn histories(threads: u32) -> Vec<Histories> {
    (0..threads).map(|_| Histories::new()).collect()
}
