//! Wherever the program writes a move in SAN, an anti-check has its `+`, like any other check. (`explain`, `d` and `show`
//! name squares only; XBoard writes the SAN of its window and its PGN itself, and knows no anti-check.)

#[path = "support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::fs;

use antiking::pgn::read_games;
use antiking::rules::{Game, Position, parse_fen, parse_uci, to_san};
use support::{Engine, Report, binary};

/// Anti-mate in two: the first move is an anti-check, the second a mate.
const MATES_IN_TWO: [&str; 4] = [
    "r2n1bn1/k3p3/p5P1/8/3pPP2/P1Aa4/2KP4/4RBNR b - e3 0 25",
    "r1bq4/p1pppk1p/2Aa4/1pP5/P7/8/R1P1K2P/1NB2B1R w - b6 0 23",
    "3a4/4P3/4n3/8/2p5/1A2N2p/8/k5K1 w - - 2 153",
    "r1bk3r/p3q3/P2b2pa/5nPP/5A2/1P2p2K/2nR4/RN4N1 w - - 1 48",
];
/// Anti-mate in three and its first move, after which the loser has to expect an anti-check.
const MATES_IN_THREE: [(&str, &str); 3] = [
    ("2b5/3rr3/3k1pp1/3P3p/4P3/2P2PP1/p3aK2/1A3B1R b - - 1 50", "a2a1n"),
    ("8/1p5k/p1p5/5Aap/P3BP2/2K5/5r2/2b5 w - - 0 59", "f5f4"),
    ("2k5/7n/8/6A1/3a4/6R1/8/nK3NN1 b - - 9 113", "d4e3"),
];

fn position(fen: &str) -> Position {
    parse_fen(fen).unwrap().position
}

/// How the moves of some positions are written, by what the rules say of the position after each.
#[derive(Default)]
struct Spelling {
    right: BTreeSet<String>,
    /// Of these the anti-checks that neither mate nor attack the King.
    anti_checks: BTreeSet<String>,
    /// Checks and mates without their mark.
    bare: BTreeSet<String>,
}

impl Spelling {
    /// The moves of these positions and of those one move later.
    fn of(positions: &[Position]) -> Spelling {
        let mut spelling = Spelling::default();
        for position in positions {
            spelling.add(position);
            position.legal_moves().into_iter().for_each(|mv| spelling.add(&position.played(mv)));
        }
        spelling.bare.retain(|text| !spelling.right.contains(text));
        spelling
    }

    fn add(&mut self, position: &Position) {
        for mv in position.legal_moves() {
            let after = position.played(mv);
            let is_mate = after.outcome().is_some_and(|outcome| outcome.winner().is_some());
            let mark = match (is_mate, after.in_check()) {
                (true, _) => "#",
                (false, true) => "+",
                (false, false) => "",
            };
            let bare = to_san(position, mv).trim_end_matches(['+', '#']).to_owned();
            let text = format!("{bare}{mark}");
            if mark == "+" && !after.king_in_check() {
                self.anti_checks.insert(text.clone());
            }
            if !mark.is_empty() {
                self.bare.insert(bare);
            }
            self.right.insert(text);
        }
    }

    /// Fails if a move in the text lacks its mark, or if no anti-check is among them.
    fn assert_marked(&self, text: &str) {
        assert!(self.count(text) > 0, "no anti-check in\n{text}");
    }

    /// The anti-checks in the text, none of whose moves may lack a mark.
    fn count(&self, text: &str) -> usize {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "+#=-".contains(letter);
        let words: Vec<&str> = text.split(|letter| !is_part(letter)).collect();
        for word in &words {
            assert!(!self.bare.contains(*word), "{word} has no mark in\n{text}");
        }
        words.iter().filter(|word| self.anti_checks.contains(**word)).count()
    }
}

fn said(arguments: &[&str]) -> String {
    Report::of(binary(arguments).output().unwrap()).good()
}

#[test]
fn in_analyses_and_proofs() {
    for fen in MATES_IN_TWO {
        let spelling = Spelling::of(&[position(fen)]);
        for words in [
            &["analyze", fen, "--depth", "6", "--multipv", "3", "--board", "none"] as &[&str],
            &["analyze", fen, "--depth", "6", "--json"],
            &["mate", fen, "2"],
            &["mate", fen, "2", "--json"],
        ] {
            spelling.assert_marked(&said(words));
        }
    }
}

#[test]
fn in_the_games_of_a_match_and_their_review() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("book.epd"), MATES_IN_TWO.join("\n")).unwrap();
    let (openings, games) = (format!("file={}", path("book.epd")), path("games.pgn"));
    let rounds = MATES_IN_TWO.len().to_string();
    said(&[
        "match", "--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=20000",
        "--openings", &openings, "--rounds", &rounds, "--pgnout", &games,
    ]);
    let pgn = fs::read_to_string(&games).unwrap();
    let mut positions = Vec::new();
    for record in read_games(&pgn) {
        let played = record.replay(usize::MAX).unwrap().game;
        positions.extend((0..played.moves().len()).map(|moves| played.prefix(moves).position().clone()));
    }
    let spelling = Spelling::of(&positions);
    spelling.assert_marked(&pgn);
    let annotated = path("annotated.pgn");
    spelling.assert_marked(&said(&["analyze", &games, "--depth", "4", "--board", "none", "--annotate", &annotated]));
    spelling.assert_marked(&said(&["analyze", &games, "--depth", "4", "--json"]));
    spelling.assert_marked(&fs::read_to_string(&annotated).unwrap());
}

#[test]
fn in_the_thinking_and_hints_for_xboard() {
    let mut hints = 0;
    for (fen, first) in MATES_IN_THREE {
        let mut game = Game::new(position(fen));
        game.push(parse_uci(game.position(), first).unwrap());
        let spelling = Spelling::of(&[game.position().clone()]);
        let mut engine = Engine::silent(&["xboard"]);
        for line in ["force", &format!("setboard {fen}"), &format!("usermove {first}"), "hard", "post", "sd 8", "go"] {
            engine.send(line);
        }
        spelling.assert_marked(&engine.wait_for("move ").join("\n"));
        let hint = engine.wait_for("Hint: ").pop().unwrap();
        hints += spelling.count(&hint);
        engine.send("analyze");
        engine.send(".");
        engine.send("ping 1");
        spelling.count(&engine.wait_for("pong 1").join("\n"));
    }
    assert!(hints > 0);
}
