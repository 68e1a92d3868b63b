//! Matches of the engine without processes around it.

use std::time::Duration;

use antiking::arena::adjudication::Adjudication;
use antiking::arena::engine_settings::EngineSettings;
use antiking::arena::in_process::{EnginePlayer, GreedyPlayer};
use antiking::arena::match_settings::{MatchSettings, TournamentFormat};
use antiking::arena::openings::OpeningSettings;
use antiking::arena::pgn_settings::PgnStyle;
use antiking::arena::player::Player;
use antiking::arena::statistics::Tally;
use antiking::arena::tournament::{Conduct, Match, MatchEnd, MatchFiles};
use antiking::arena::uci_player::StartError;
use antiking::engine::Engine;
use antiking::engine::Interrupt;
use antiking::engine::options::Options;

/// Every opening twice, with colours changed.
fn settings(rounds: u32, nodes: u64) -> MatchSettings {
    let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
    let engines = [words("cmd=self name=first"), words("cmd=self name=second")];
    let file = concat!("file=", env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
    MatchSettings {
        engines: EngineSettings::parse_all(&engines, &[format!("nodes={nodes}")]).unwrap(),
        format: TournamentFormat::RoundRobin,
        rounds,
        games: 2,
        repeat: true,
        swap: true,
        openings: Some(OpeningSettings::parse(&[file.into()]).unwrap()),
        seed: 1,
        adjudication: Adjudication::default(),
        stall: Duration::from_secs(60),
        sprt: None,
        style: PgnStyle::default(),
        event: "?".into(),
        site: "?".into(),
    }
}

fn conduct() -> Conduct {
    Conduct { concurrency: 2, wait: Duration::ZERO, recovery: None, interrupt: Interrupt::new() }
}

fn engine(interrupt: &Interrupt) -> Box<dyn Player> {
    Box::new(EnginePlayer::new(Engine::new(Options::default()).unwrap(), interrupt))
}

#[test]
fn fifty_games_against_itself_all_end_by_the_rules() {
    let mut match_ = Match::prepare(settings(25, 2_000), None, &MatchFiles::default()).unwrap();
    let players = |_: usize, interrupt: &Interrupt| -> Result<Box<dyn Player>, StartError> { Ok(engine(interrupt)) };
    assert_eq!(match_.run(&players, &conduct(), &mut ()).unwrap(), MatchEnd::Complete);
    let standings = match_.standings();
    assert_eq!(standings.games(), 50);
    assert!(standings.ends.keys().all(|end| end.termination() == "normal"), "{:?}", standings.ends);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too long with assertions")]
fn a_hundred_games_won_against_the_greedy_player() {
    let mut match_ = Match::prepare(settings(50, 10_000), None, &MatchFiles::default()).unwrap();
    let players = |number: usize, interrupt: &Interrupt| -> Result<Box<dyn Player>, StartError> {
        Ok(if number == 0 { engine(interrupt) } else { Box::new(GreedyPlayer::new()) })
    };
    match_.run(&players, &conduct(), &mut ()).unwrap();
    assert_eq!(match_.standings().pairings[0].games, Tally { wins: 100, losses: 0, draws: 0 });
}

#[test]
fn an_interrupt_ends_a_match_in_mid_search() {
    let mut match_ = Match::prepare(settings(1, u64::MAX), None, &MatchFiles::default()).unwrap();
    let players = |_: usize, interrupt: &Interrupt| -> Result<Box<dyn Player>, StartError> { Ok(engine(interrupt)) };
    let conduct = conduct();
    let interrupt = conduct.interrupt.clone();
    let user = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        interrupt.raise();
    });
    assert_eq!(match_.run(&players, &conduct, &mut ()).unwrap(), MatchEnd::Interrupted);
    assert_eq!(match_.standings().games(), 0);
    user.join().unwrap();
}
