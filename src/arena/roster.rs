//! Starts the players that the settings name.

use std::path::PathBuf;
use std::sync::Arc;

use super::engine_settings::Origin;
use super::in_process::GreedyPlayer;
use super::match_settings::MatchSettings;
use super::player::Player;
use super::traffic::TrafficLog;
use super::uci_player::{StartError, UciLaunch, UciPlayer};
use crate::engine::Interrupt;

/// Where the players of a match come from.
pub trait PlayerSource: Sync {
    /// Starts a player for an engine of the settings. Every call gives a new player.
    fn start(&self, engine: usize, interrupt: &Interrupt) -> Result<Box<dyn Player>, StartError>;
}

/// Whatever makes players is a source of them.
impl<F> PlayerSource for F
where
    F: Fn(usize, &Interrupt) -> Result<Box<dyn Player>, StartError> + Sync,
{
    fn start(&self, engine: usize, interrupt: &Interrupt) -> Result<Box<dyn Player>, StartError> {
        self(engine, interrupt)
    }
}

/// The engines of the settings.
pub struct Roster<'a> {
    pub settings: &'a MatchSettings,
    /// This executable.
    pub own_program: PathBuf,
    /// Takes all that is said.
    pub log: Option<Arc<TrafficLog>>,
}

impl PlayerSource for Roster<'_> {
    fn start(&self, engine: usize, interrupt: &Interrupt) -> Result<Box<dyn Player>, StartError> {
        let engine = &self.settings.engines[engine];
        let program = match engine.origin() {
            Origin::Greedy => return Ok(Box::new(GreedyPlayer::new())),
            Origin::Own => &self.own_program,
            Origin::Program(path) => path,
        };
        let launch = UciLaunch {
            launch: engine.launch(program),
            options: engine.options.clone(),
            ponder: engine.ponder,
            stall: self.settings.stall,
            assume_variant: engine.assume_variant,
            log: self.log.clone().map(|log| (log, engine.name.clone())),
        };
        Ok(Box::new(UciPlayer::start(&launch, interrupt)?))
    }
}
