//! Games and matches between players, judged by the rules alone and never by an engine's word.

pub mod adjudication;
pub mod ending;
pub mod engine_settings;
pub mod game_record;
pub mod in_process;
pub mod key_values;
pub mod limits;
pub mod match_settings;
pub mod merge;
pub mod openings;
pub mod pgn_file;
pub mod pgn_settings;
pub mod player;
mod printable;
pub mod process;
pub mod referee;
pub mod report;
pub mod roster;
pub mod schedule;
pub mod sprt;
pub mod standings;
pub mod state;
pub mod statistics;
pub mod time_control;
pub mod tournament;
pub mod traffic;
pub mod uci_option;
pub mod uci_player;

/// Settings of a match between some engines at 1000 nodes a move.
#[cfg(test)]
fn test_settings(engines: usize) -> match_settings::MatchSettings {
    let words = |index: usize| vec!["cmd=greedy".to_string(), format!("name=player{index}")];
    let engines: Vec<Vec<String>> = (0..engines).map(words).collect();
    match_settings::MatchSettings {
        engines: engine_settings::EngineSettings::parse_all(&engines, &["nodes=1000".into()]).unwrap(),
        format: match_settings::TournamentFormat::RoundRobin,
        rounds: 1,
        games: 1,
        repeat: false,
        swap: true,
        openings: None,
        seed: 1,
        adjudication: adjudication::Adjudication::default(),
        stall: std::time::Duration::from_secs(30),
        sprt: None,
        style: pgn_settings::PgnStyle::default(),
        event: "?".into(),
        site: "?".into(),
    }
}
