//! The rules against files of proven facts; each file's head tells its format and origin.

use antiking::rules::{DrawKind, MateKind, Outcome, Position, parse_fen, perft};

fn records(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn position(fen: &str) -> Position {
    parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")).position
}

/// Deeper counts than this wait for a build without debug assertions, which check each move the slow way.
const MAX_COUNT: u64 = if cfg!(debug_assertions) { 400_000 } else { u64::MAX };

#[test]
fn perft_counts() {
    let mut checked = 0;
    for line in records(include_str!("data/perft.epd")) {
        let mut parts = line.split(';');
        let position = position(parts.next().unwrap());
        for part in parts {
            let Some((depth, count)) = part.trim().strip_prefix('D').and_then(|rest| rest.split_once(' ')) else {
                continue;
            };
            let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.trim().parse().unwrap());
            if count <= MAX_COUNT {
                assert_eq!(perft(&position, depth), count, "depth {depth} of {line}");
                checked += 1;
            }
        }
    }
    assert!(checked > 400, "only {checked} counts were checked");
}

#[test]
fn finished_positions() {
    for line in records(include_str!("data/terminal.epd")) {
        let (fen, result) = line.split_once(';').unwrap();
        let position = position(fen);
        let mate = |kind| Outcome::Mate { loser: position.turn(), kind };
        let expected = match result.trim().strip_prefix("result ").unwrap() {
            "kingmate" => mate(MateKind::King),
            "antimate" => mate(MateKind::AntiKing),
            "bothmate" => mate(MateKind::Both),
            "stalemate" => Outcome::Draw(DrawKind::Stalemate),
            other => panic!("{other}"),
        };
        assert_eq!(position.outcome(), Some(expected), "{fen}");
    }
}

#[test]
fn malformed_fens() {
    let first_fields = |fen: &str, count| fen.split_whitespace().take(count).collect::<Vec<_>>().join(" ");
    let (mut refused, mut accepted) = (0, 0);
    for line in records(include_str!("data/illegal-fen.txt")) {
        let fields: Vec<&str> = line.split(" # ").collect();
        match fields[..] {
            [fen, "refuse", reason] => {
                assert!(parse_fen(fen).is_err(), "taken though {reason}: {fen}");
                refused += 1;
            }
            [fen, "accept", reason, repaired] => {
                let parsed = parse_fen(fen).unwrap_or_else(|error| panic!("{reason}: {fen}: {error}"));
                assert_eq!(first_fields(&parsed.position.fen(), 4), first_fields(repaired, 4), "{reason}");
                accepted += 1;
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!((refused, accepted), (43, 17));
}

#[test]
fn only_impossible_rights_and_squares_are_worth_a_word() {
    let repairs = |fen: &str| parse_fen(fen).unwrap().repairs.len();
    assert_eq!(repairs("r3k2r/pppp1ppp/3A4/8/8/3a4/PPPP1PPP/R3K3 w KQkq - 0 1"), 1);
    assert_eq!(repairs("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq e6 0 1"), 1);
    assert_eq!(repairs("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KKQkq - -3 0"), 0);
    assert_eq!(repairs("rnbqkbnr/pppp1ppp/3A4/4p3/8/3a4/PPPPPPPP/RNBQKBNR w KQkq e6 0 2"), 0);
}
