//! A finished game as PGN.

use jiff::Timestamp;

use super::match_settings::MatchSettings;
use super::pgn_settings::PgnStyle;
use super::player::SearchReport;
use super::referee::{MadeMove, PlayedGame};
use super::schedule::ScheduledGame;
use crate::pgn::{Line, LineMove, PgnGame, Remark, search_comment, time_comment};
use crate::rules::VARIANT;
use crate::types::Move;

/// The PGN text of a game that was finished at a time.
pub fn pgn(settings: &MatchSettings, scheduled: &ScheduledGame, played: &PlayedGame, finished: Timestamp) -> String {
    let opening = std::iter::repeat_n("book".to_string(), played.opening_plies);
    let made = played.moves.iter().map(comment);
    let mut comments: Vec<String> = opening.chain(made).collect();
    let mut preface = Vec::new();
    let PgnStyle { notation, minimal } = settings.style;
    match comments.last_mut() {
        _ if minimal => comments.iter_mut().for_each(String::clear),
        Some(last) => *last = format!("{last}, {}", played.ending.reason),
        None => preface.push(played.ending.reason.clone()),
    }
    let game = PgnGame {
        tags: tags(settings, scheduled, played, finished)
            .into_iter()
            .filter(|(tag, _)| !minimal || is_needed(tag))
            .collect(),
        start: played.game.start(),
        main: Line { preface, moves: played.game.moves().iter().zip(comments).map(commented).collect() },
        notation,
        result: Some(played.ending.result),
    };
    game.text()
}

/// True for the tags without which the game cannot be named or read.
fn is_needed(tag: &str) -> bool {
    matches!(tag, "Event" | "Site" | "Date" | "Round" | "White" | "Black" | "Result" | "FEN" | "SetUp" | "Variant")
}

fn commented((&mv, comment): (&Move, String)) -> LineMove {
    LineMove { mv, glyphs: Vec::new(), remarks: vec![Remark::Comment(comment)] }
}

/// `+0.35/14 0.210s`: score, depth, time; only the time when there is no score.
fn comment(made: &MadeMove) -> String {
    match made.report {
        SearchReport { evaluation: Some(evaluation), depth, .. } => search_comment(evaluation, depth, made.elapsed),
        SearchReport { evaluation: None, .. } => time_comment(made.elapsed),
    }
}

fn tags(
    settings: &MatchSettings,
    scheduled: &ScheduledGame,
    played: &PlayedGame,
    finished: Timestamp,
) -> Vec<(&'static str, String)> {
    let (white, black) = (&settings.engines[scheduled.white], &settings.engines[scheduled.black]);
    let started = finished - jiff::SignedDuration::try_from(played.duration).unwrap_or_default();
    let mut tags = vec![
        ("Event", settings.event.clone()),
        ("Site", settings.site.clone()),
        ("Date", started.strftime("%Y.%m.%d").to_string()),
        ("Round", format!("{}.{}", scheduled.round, scheduled.game_of_round)),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        ("FEN", played.game.start().fen()),
        ("GameDuration", duration(played.duration)),
        ("GameEndTime", finished.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
        ("GameStartTime", started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
        ("PlyCount", played.game.moves().len().to_string()),
        ("SetUp", "1".into()),
        ("Termination", played.ending.kind.termination().into()),
        ("Variant", VARIANT.into()),
    ];
    let (of_white, of_black) = (white.limits.pgn_time_control(), black.limits.pgn_time_control());
    if of_white == of_black {
        tags.push(("TimeControl", of_white));
    } else {
        tags.push(("TimeControl", "?".into()));
        tags.push(("WhiteTimeControl", of_white));
        tags.push(("BlackTimeControl", of_black));
    }
    tags
}

/// `hh:mm:ss`.
fn duration(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::arena::ending::{EndKind, Ending};
    use crate::arena::schedule::Schedule;
    use crate::arena::test_settings;
    use crate::pgn::{Evaluation, read_games};
    use crate::rules::{Game, Position, parse_uci};
    use crate::types::Color;

    fn played(moves: &str, opening_plies: usize, ending: Ending) -> PlayedGame {
        let mut game = Game::new(Position::start());
        for text in moves.split_ascii_whitespace() {
            game.push(parse_uci(game.position(), text).unwrap());
        }
        let report = SearchReport { evaluation: Some(Evaluation::Centipawns(35)), depth: 14, nodes: 9 };
        let made = MadeMove { report, elapsed: Duration::from_millis(210) };
        let moves = vec![made; game.moves().len() - opening_plies];
        PlayedGame { game, opening_plies, moves, ending, incident: None, duration: Duration::from_secs(3725) }
    }

    fn text(played: &PlayedGame) -> String {
        let settings = test_settings(2);
        let scheduled = Schedule::new(&settings).game(1);
        pgn(&settings, &scheduled, played, "2026-11-29T12:00:00Z".parse().unwrap())
    }

    #[test]
    fn every_tag_and_comment_is_there_and_the_moves_read_back() {
        let ending = Ending::by_fault(Color::White, EndKind::Time, "loses on time");
        let played = played("e2e4 e7e5 d1h5 b8c6", 1, ending);
        let text = text(&played);
        let game = read_games(&text).remove(0);
        for (tag, value) in [
            ("Round", "1.1"),
            ("Date", "2026.11.29"),
            ("White", "player0"),
            ("Result", "0-1"),
            ("FEN", Position::START_FEN),
            ("SetUp", "1"),
            ("Variant", "anti-king-2"),
            ("PlyCount", "4"),
            ("GameDuration", "01:02:05"),
            ("GameStartTime", "2026-11-29T10:57:55Z"),
            ("Termination", "time forfeit"),
            ("TimeControl", "-"),
        ] {
            assert_eq!(game.tag(tag), Some(value), "{tag}");
        }
        assert_eq!(game.replay(usize::MAX).unwrap().game.moves(), played.game.moves());
        let moves = "1. e4 {book} 1... e5 {+0.35/14 0.210s} 2. Qh5 {+0.35/14 0.210s} 2... Nc6\n\
            {+0.35/14 0.210s, White loses on time} 0-1\n\n";
        assert!(text.ends_with(moves), "{text}");
    }

    #[test]
    fn a_minimal_game_has_no_comments_and_few_tags() {
        let played = played("e2e4 e7e5", 1, Ending::by_fault(Color::White, EndKind::Time, "loses on time"));
        let mut settings = test_settings(2);
        settings.style.minimal = true;
        let scheduled = Schedule::new(&settings).game(1);
        let text = pgn(&settings, &scheduled, &played, "2026-11-29T12:00:00Z".parse().unwrap());
        let game = read_games(&text).remove(0);
        let tags: Vec<&str> = game.tags.iter().map(|tag| tag.name.as_str()).collect();
        assert_eq!(tags, ["Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp", "Variant"]);
        assert!(text.ends_with("\n\n1. e4 e5 0-1\n\n"), "{text}");
    }

    #[test]
    fn a_game_without_moves_tells_its_end_too() {
        let text = text(&played("", 0, Ending::by_fault(Color::White, EndKind::Crash, "disconnects")));
        assert!(text.ends_with("\n\n{White disconnects} 0-1\n\n"), "{text}");
    }
}
