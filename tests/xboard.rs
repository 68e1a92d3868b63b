//! The front end for XBoard and WinBoard through the real binary.

#[path = "support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use antiking::rules::{Game, Position, parse_fen, parse_san, parse_uci};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use support::{Engine, binary, by_build};

const SHORT: Duration = Duration::from_millis(300);
/// For the end of a process; it should take a twentieth of it.
const PATIENCE: Duration = Duration::from_secs(10);

/// White mates the King in one.
const KING_MATE_IN_ONE: &str = "2b1Qb1k/1p2pBpr/2p1Ap1p/8/P1P2a1P/P3P1P1/5P2/R1B2RK1 w - - 11 33";
/// White leaves the black Anti-King without attackers in one, and it has no escape.
const ANTI_MATE_IN_ONE: &str = "N2A2k1/8/8/1B3Nb1/7p/4B3/a7/R3K1R1 w Q - 0 34";
/// White can take the last move from Black, who is not in check.
const STALEMATE_IN_ONE: (&str, &str) = ("8/8/6PN/8/4B3/2pa4/k1KA4/6Q1 w - - 0 1", "g1c1");
/// Lost for White.
const LOST: &str = "7k/5n2/3a4/8/3R4/1K3A2/5N2/6r1 w - - 0 1";

/// An engine that was greeted as XBoard does.
struct Xboard {
    engine: Engine,
    pings: u32,
}

impl Xboard {
    fn new() -> Xboard {
        let mut engine = Engine::silent(&[]);
        engine.send("xboard");
        engine.send("protover 2");
        engine.wait_for("feature done=1");
        let mut xboard = Xboard { engine, pings: 0 };
        xboard.send("accepted done");
        xboard.send("new");
        xboard.send("variant anti-king-2");
        xboard.send("sd 3");
        xboard.sync();
        xboard
    }

    /// One that only watches, in this position.
    fn at(fen: &str) -> Xboard {
        let mut xboard = Xboard::new();
        xboard.send("force");
        assert_eq!(xboard.ask(&format!("setboard {fen}")), [] as [&str; 0], "{fen}");
        xboard
    }

    fn send(&mut self, line: &str) {
        self.engine.send(line);
    }

    /// Sends a line and returns the answer, without lines of thinking.
    fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.sync().into_iter().filter(|line| !is_thinking(line)).collect()
    }

    /// All that comes before the answer to a ping.
    fn sync(&mut self) -> Vec<String> {
        self.pings += 1;
        let number = self.pings;
        self.send(&format!("ping {number}"));
        let mut lines = self.engine.wait_for(&format!("pong {number}"));
        lines.pop();
        lines
    }

    /// The move that the engine makes next, which must be legal in the game.
    fn reply(&mut self, game: &mut Game) -> String {
        let text = self.engine.wait_for("move ").pop().unwrap();
        let text = text.strip_prefix("move ").unwrap().to_owned();
        game.push(parse_uci(game.position(), &text).unwrap_or_else(|error| panic!("{error}")));
        text
    }

    fn thinking(&mut self) -> String {
        loop {
            let line = self.engine.wait_for("").pop().unwrap();
            if is_thinking(&line) {
                return line;
            }
        }
    }
}

fn is_thinking(line: &str) -> bool {
    line.contains('\t')
}

fn game_at(fen: &str) -> Game {
    Game::new(parse_fen(fen).unwrap().position)
}

/// Plays what the texts say.
fn play(game: &mut Game, moves: &[&str]) {
    for text in moves {
        game.push(parse_uci(game.position(), text).unwrap());
    }
}

/// The first move that mates.
fn mate_in(fen: &str) -> String {
    let position = parse_fen(fen).unwrap().position;
    let mates = |mv| position.played(mv).outcome().is_some_and(|outcome| outcome.winner().is_some());
    position.legal_moves().into_iter().find(|&mv| mates(mv)).unwrap().to_string()
}

#[test]
fn the_first_line_decides_the_protocol() {
    let mut engine = Engine::silent(&[]);
    assert_eq!(engine.listen(SHORT), [] as [&str; 0]);
    engine.send_bytes(b"\r\n  \nxboard\r\n");
    assert_eq!(engine.listen(SHORT), [] as [&str; 0]);
    engine.send("protover 2");
    let features = engine.wait_for("feature done=1").join(" ");
    for feature in [
        "variants=\"anti-king-2\"",
        "ping=1",
        "setboard=1",
        "usermove=1",
        "analyze=1",
        "sigint=0",
        "smp=1",
        "highlight=1",
    ] {
        assert!(features.contains(feature), "{feature}: {features}");
    }
    engine.send("uci");
    assert_eq!(engine.wait_for("Error").pop().unwrap(), "Error (unknown command): uci");
    let mut uci = Engine::new();
    assert_eq!(uci.ask("xboard").len(), 1, "too late");
    let mut subcommand = Engine::silent(&["xboard", "--option", "MultiPV=4"]);
    subcommand.send("protover 2");
    let features = subcommand.wait_for("feature done=1");
    assert!(features.contains(&"feature option=\"MultiPV -spin 4 1 500\"".to_owned()), "{features:#?}");
}

#[test]
fn board_and_anti_king_are_described() {
    let mut xboard = Xboard::new();
    let board = format!("setup (PNBRQ..AKpnbrq..ak) 8x8+0_fairy {}", Position::START_FEN);
    assert_eq!(xboard.ask("variant anti-king-2"), [board.as_str(), "piece A& mdK"]);
    assert_eq!(xboard.ask("variant normal"), ["Error (unsupported variant): normal"]);
}

#[test]
fn a_game_goes_on_move_by_move() {
    let mut random = SmallRng::seed_from_u64(4);
    for computer in [false, true] {
        let mut xboard = Xboard::new();
        if computer {
            xboard.send("computer");
        }
        let mut game = Game::new(Position::start());
        while game.outcome().is_none() && game.moves().len() < 60 {
            let mv = *game.position().legal_moves().choose(&mut random).unwrap();
            game.push(mv);
            xboard.send("time 30000");
            xboard.send("otim 30000");
            xboard.send(&format!("usermove {mv}"));
            if game.outcome().is_none() {
                xboard.reply(&mut game);
            }
        }
        let ours = game.moves().len() % 2 == 1;
        let mated = game.outcome().is_some_and(|outcome| outcome.winner().is_some());
        let claims = xboard.sync().iter().filter(|line| line.contains('{')).count();
        assert_eq!(claims, usize::from(mated && (ours || !computer)), "{:?}", game.outcome());
    }
}

#[test]
fn force_go_and_playother_choose_the_side() {
    let mut xboard = Xboard::new();
    let mut game = Game::new(Position::start());
    xboard.send("force");
    for text in ["e2e4", "e7e5"] {
        assert_eq!(xboard.ask(&format!("usermove {text}")), [] as [&str; 0]);
    }
    play(&mut game, &["e2e4", "e7e5"]);
    xboard.send("go");
    xboard.reply(&mut game);
    xboard.send("force");
    assert_eq!(xboard.ask("usermove a7a6"), [] as [&str; 0]);
    play(&mut game, &["a7a6"]);
    assert_eq!(xboard.ask("playother"), [] as [&str; 0]);
    let mv = game.position().legal_moves()[0];
    game.push(mv);
    xboard.send(&mv.to_string());
    xboard.reply(&mut game);
    xboard.send("new");
    assert_eq!(xboard.sync(), [] as [&str; 0]);
    let mut game = Game::new(Position::start());
    xboard.send("sd 2");
    xboard.send("go");
    xboard.reply(&mut game);
}

#[test]
fn moves_are_taken_back() {
    let mut xboard = Xboard::new();
    let mut game = Game::new(Position::start());
    xboard.send("usermove g1f3");
    play(&mut game, &["g1f3"]);
    xboard.reply(&mut game);
    assert_eq!(xboard.ask("remove"), [] as [&str; 0]);
    let mut game = Game::new(Position::start());
    xboard.send("usermove g1f3");
    play(&mut game, &["g1f3"]);
    xboard.reply(&mut game);
    xboard.send("force");
    xboard.send("undo");
    xboard.send("undo");
    assert_eq!(xboard.sync(), [] as [&str; 0]);
    assert_eq!(xboard.ask("undo"), ["Error (nothing to take back): undo"]);
    assert_eq!(xboard.ask("remove"), ["Error (nothing to take back): remove"]);
    assert_eq!(xboard.ask("usermove g1f3"), [] as [&str; 0], "White is to move again");
}

#[test]
fn a_man_in_hand_has_its_targets_marked() {
    let mut xboard = Xboard::new();
    assert_eq!(xboard.ask("lift g1"), ["highlight 8/8/8/8/8/5Y1Y/8/8"]);
    assert_eq!(xboard.ask("hover d3"), [] as [&str; 0]);
    assert_eq!(xboard.ask("put f3"), [] as [&str; 0]);
    assert_eq!(xboard.ask("lift z9"), ["Error (needs a square): lift z9"]);
}

#[test]
fn clocks_and_depth_bound_the_search() {
    let mut xboard = Xboard::new();
    let mut game = Game::new(Position::start());
    xboard.send("post");
    xboard.send("sd 5");
    xboard.send("usermove e2e4");
    play(&mut game, &["e2e4"]);
    let lines = xboard.engine.wait_for("move ");
    let depths = lines.iter().filter(|line| is_thinking(line)).map(|line| line.split(' ').next().unwrap());
    assert_eq!(depths.map(|depth| depth.parse::<u32>().unwrap()).max(), Some(5));
    // Without their last line each of these would think for an hour or more.
    for limits in [
        &["level 0 100000 0", "time 100"] as &[&str],
        &["level 0 100000 0", "otim 600000000", "time 0"],
        &["level 0 100000 0", "time 600000000", "time -3"],
        &["level 0 100000 0", "st 0.1"],
        &["level 0 100000 0", "level 0 0:01 0"],
        &["level 0 100000 0", "level 100 0:10 0.01", "time 5"],
    ] {
        let mut xboard = Xboard::new();
        let mut game = Game::new(Position::start());
        xboard.send("new");
        for line in limits {
            xboard.send(line);
        }
        play(&mut game, &["e2e4"]);
        let start = Instant::now();
        xboard.send("usermove e2e4");
        xboard.reply(&mut game);
        // The longest time among them is a second.
        assert!(start.elapsed() < PATIENCE, "{limits:?}: {:?}", start.elapsed());
    }
}

/// An engine at work on a move that it would think about for an hour.
fn thinking_long() -> (Xboard, Game) {
    let mut xboard = Xboard::new();
    for line in ["new", "level 0 100000 0", "post", "go"] {
        xboard.send(line);
    }
    let line = xboard.thinking();
    let words: Vec<&str> = line.split([' ', '\t']).collect();
    assert!(words[..7].iter().all(|word| word.parse::<i64>().is_ok()), "{line}");
    assert!(parse_san(&Position::start(), words[7].trim_end_matches(['!', '?'])).is_ok(), "{line}");
    (xboard, Game::new(Position::start()))
}

#[test]
fn a_question_mark_asks_for_the_move_and_ping_waits_for_it() {
    let (mut xboard, mut game) = thinking_long();
    xboard.send("ping 77");
    let before = xboard.engine.listen(SHORT);
    assert!(!before.iter().any(|line| line.starts_with("pong")), "{before:#?}");
    xboard.send("?");
    xboard.reply(&mut game);
    assert_eq!(xboard.engine.wait_for("pong 77").len(), 1);
    assert_eq!(xboard.ask("?"), [] as [&str; 0], "nothing to hurry");
}

#[test]
fn what_changes_the_game_ends_the_search_without_a_move() {
    for line in
        ["new", "force", "setboard 2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1", "result 1-0 {White resigns}", "analyze"]
    {
        let (mut xboard, _) = thinking_long();
        let answer = xboard.ask(line);
        assert!(!answer.iter().any(|line| line.starts_with("move")), "{line}: {answer:?}");
    }
    let (mut xboard, mut game) = thinking_long();
    for line in
        ["nopost", "hard", "easy", "time 500", "otim 500", "computer", "name Nobody", "draw", "option MultiPV=2"]
    {
        xboard.send(line);
    }
    let said = xboard.engine.listen(SHORT);
    assert!(said.iter().all(|line| is_thinking(line)), "{said:#?}");
    xboard.send("?");
    xboard.reply(&mut game);
    let (mut xboard, mut game) = thinking_long();
    xboard.send("usermove e7e5");
    xboard.send("?");
    xboard.reply(&mut game);
    assert!(xboard.engine.listen(SHORT).iter().all(|line| is_thinking(line)), "it thinks about the next move");
}

#[test]
fn analysis_follows_the_game() {
    let mut xboard = Xboard::new();
    xboard.send("post");
    xboard.send("analyze");
    xboard.thinking();
    let status = xboard.ask(".");
    let words: Vec<&str> = status[0].split(' ').collect();
    assert_eq!((status.len(), words[0], words[5]), (1, "stat01:", "20"), "{status:?}");
    xboard.send("usermove e2e4");
    xboard.send("usermove e7e5");
    xboard.sync();
    let mut game = Game::new(Position::start());
    play(&mut game, &["e2e4", "e7e5"]);
    let line = xboard.thinking();
    let first = line.split('\t').nth(1).unwrap().split(' ').next().unwrap().trim_end_matches(['!', '?']);
    assert!(parse_san(game.position(), first).is_ok(), "{line}");
    assert_eq!(xboard.ask("usermove e7e5"), ["Illegal move: e7e5"]);
    xboard.send("undo");
    xboard.sync();
    assert!(xboard.thinking().contains('\t'));
    xboard.send("new");
    xboard.sync();
    xboard.thinking();
    xboard.send("option MultiPV=2");
    xboard.sync();
    xboard.thinking();
    xboard.send("exit");
    xboard.sync();
    assert_eq!(xboard.engine.listen(SHORT), [] as [&str; 0]);
    assert_eq!(xboard.ask("."), [] as [&str; 0]);
    assert_eq!(xboard.ask("usermove e2e4"), [] as [&str; 0], "only kept");
    xboard.send("analyze");
    xboard.send(&format!("setboard {}", KING_MATE_IN_ONE));
    xboard.send(&format!("usermove {}", mate_in(KING_MATE_IN_ONE)));
    assert!(xboard.sync().iter().all(|line| is_thinking(line)), "a finished game has no analysis and no claim");
}

#[test]
fn pondering_goes_on_by_itself_until_a_move_comes() {
    for expected in [true, false] {
        let mut xboard = Xboard::new();
        let mut game = Game::new(Position::start());
        for line in ["new", "st 1", "hard", "post", "usermove e2e4"] {
            xboard.send(line);
        }
        play(&mut game, &["e2e4"]);
        xboard.reply(&mut game);
        let hint = xboard.engine.wait_for("Hint: ").pop().unwrap();
        let hint = parse_san(game.position(), &hint["Hint: ".len()..]).unwrap();
        xboard.thinking();
        assert!(xboard.sync().iter().all(|line| is_thinking(line)));
        assert_eq!(xboard.ask("hint").len(), 1);
        let other = game.position().legal_moves().into_iter().find(|&mv| mv != hint).unwrap();
        let mv = if expected { hint } else { other };
        game.push(mv);
        xboard.send(&format!("usermove {mv}"));
        xboard.reply(&mut game);
        xboard.send("easy");
        xboard.sync();
        assert_eq!(xboard.engine.listen(SHORT), [] as [&str; 0], "no more pondering");
    }
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let mut xboard = Xboard::new();
    for text in ["e2e5", "d6d5", "e7e5", "a1a1", "e2e4q", "zz", "", "e2e4 e7e5"] {
        assert_eq!(xboard.ask(&format!("usermove {text}")), [format!("Illegal move: {text}").trim_end()], "{text}");
    }
    for (line, answer) in [
        ("joho 3", "Error (unknown command): joho 3"),
        ("edit", "Error (unknown command): edit"),
        ("level 40", "Error (needs MOVES MINUTES[:SECONDS] INCREMENT): level 40"),
        ("ping x", "Error (needs a number): ping x"),
        ("option Hsah=3", "Error (unknown option 'Hsah'): option Hsah"),
    ] {
        assert_eq!(xboard.ask(line), [answer]);
    }
    let mut game = Game::new(Position::start());
    xboard.send("usermove e2e4");
    play(&mut game, &["e2e4"]);
    xboard.reply(&mut game);
}

#[test]
fn nothing_is_played_on_a_board_that_was_refused() {
    const NO_ANTI_KINGS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for fen in ["", "8/8/8/8/8/8/8/8 w - - 0 1", NO_ANTI_KINGS] {
        for mode in ["force", "post", "analyze"] {
            let mut xboard = Xboard::new();
            xboard.send(mode);
            xboard.sync();
            let answer = xboard.ask(&format!("setboard {fen}"));
            assert!(answer.len() == 1 && answer[0].starts_with("tellusererror Illegal position: "), "{answer:?}");
            assert_eq!(xboard.ask("usermove e2e4"), ["Illegal move (illegal position): e2e4"]);
            assert_eq!(xboard.ask("e2e4"), ["Illegal move (illegal position): e2e4"]);
            for word in ["undo", "remove", "go"] {
                assert_eq!(xboard.ask(word), [format!("Error (illegal position): {word}")]);
            }
            for word in ["hint", "draw", "lift e2", ".", "?", "playother", "analyze"] {
                assert_eq!(xboard.ask(word), [] as [&str; 0], "{word}");
            }
            xboard.send("post");
            assert_eq!(xboard.engine.listen(SHORT), [] as [&str; 0], "it thinks about another board");
            assert_eq!(xboard.ask("usermove e2e4"), ["Illegal move (illegal position): e2e4"]);
        }
    }
    for new in ["new", &format!("setboard {KING_MATE_IN_ONE}")] {
        let mut xboard = Xboard::new();
        xboard.send("force");
        assert_eq!(xboard.ask(&format!("setboard {NO_ANTI_KINGS}")).len(), 1);
        assert_eq!(xboard.ask(new), [] as [&str; 0]);
        let mut game = match new.strip_prefix("setboard ") {
            Some(fen) => game_at(fen),
            None => Game::new(Position::start()),
        };
        xboard.send("go");
        xboard.reply(&mut game);
    }
}

#[test]
fn the_loser_claims_a_mate_and_the_winner_does_where_nobody_else_can() {
    for fen in [KING_MATE_IN_ONE, ANTI_MATE_IN_ONE] {
        for computer in [false, true] {
            let setup = |xboard: &mut Xboard| {
                if computer {
                    xboard.send("computer");
                }
            };
            let mut loser = Xboard::at(fen);
            setup(&mut loser);
            loser.send("playother");
            let claim = loser.ask(&format!("usermove {}", mate_in(fen)));
            assert!(claim.len() == 1 && claim[0].starts_with("1-0 {White "), "{claim:?}");
            let mut winner = Xboard::at(fen);
            setup(&mut winner);
            winner.send("go");
            let mut game = game_at(fen);
            winner.reply(&mut game);
            assert!(game.outcome().is_some_and(|outcome| outcome.winner().is_some()));
            assert_eq!(winner.sync(), if computer { vec![] } else { claim.clone() });
        }
    }
    let mut watcher = Xboard::at(KING_MATE_IN_ONE);
    assert_eq!(watcher.ask(&format!("usermove {}", mate_in(KING_MATE_IN_ONE))), [] as [&str; 0]);
    let claim = watcher.ask("go");
    assert!(claim.len() == 1 && claim[0].starts_with("1-0 {White mates"), "{claim:?}");
}

#[test]
fn draws_are_claimed_or_agreed_on() {
    let (fen, text) = STALEMATE_IN_ONE;
    let mut xboard = Xboard::at(fen);
    xboard.send("playother");
    assert_eq!(xboard.ask(&format!("usermove {text}")), ["1/2-1/2 {draw by stalemate}"]);
    let mut xboard = Xboard::at(fen);
    xboard.send("computer");
    xboard.send("playother");
    assert_eq!(xboard.ask(&format!("usermove {text}")), ["offer draw"]);
    assert_eq!(xboard.ask("draw"), ["offer draw"], "the game is drawn");
    for computer in [false, true] {
        let fen = "8/8/4K3/2Bap3/4PA2/5k2/8/8 b - - 99 108";
        let position = game_at(fen).position().clone();
        let is_quiet = |mv| position.played(mv).halfmove_clock() == 100 && position.played(mv).outcome().is_none();
        let quiet = position.legal_moves().into_iter().find(|&mv| is_quiet(mv)).unwrap();
        let mut xboard = Xboard::at(fen);
        if computer {
            xboard.send("computer");
        }
        xboard.send("playother");
        assert_eq!(xboard.ask(&format!("usermove {quiet}")), ["1/2-1/2 {draw by fifty moves rule}"]);
        let mut xboard = Xboard::new();
        xboard.send("force");
        if computer {
            xboard.send("computer");
        }
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
            xboard.send(&format!("usermove {text}"));
        }
        assert_eq!(xboard.sync(), [] as [&str; 0]);
        xboard.send("playother");
        assert_eq!(xboard.ask("usermove f6g8"), ["1/2-1/2 {draw by 3-fold repetition}"]);
    }
    // The engine's own move, the only one that it has: it draws by the clock.
    let one_move = "a7/2N1k1P1/7n/p7/A7/8/8/K7 w - - 99 80";
    let moves = game_at(one_move).position().legal_moves();
    assert_eq!(moves.len(), 1);
    let mut xboard = Xboard::at(one_move);
    xboard.send("computer");
    let claim = "1/2-1/2 {draw by fifty moves rule}".to_owned();
    assert_eq!(xboard.ask("go"), ["offer draw".to_owned(), format!("move {}", moves[0]), claim]);
}

#[test]
fn draw_offers_are_taken_by_who_stands_worse() {
    let mut xboard = Xboard::new();
    assert_eq!(xboard.ask("draw"), [] as [&str; 0]);
    let mut xboard = Xboard::at(LOST);
    xboard.send("go");
    xboard.reply(&mut game_at(LOST));
    assert_eq!(xboard.ask("draw"), ["offer draw"]);
    xboard.send("new");
    assert_eq!(xboard.ask("draw"), [] as [&str; 0]);
}

#[test]
fn options_reach_the_engine() {
    let mut xboard = Xboard::new();
    assert_eq!(xboard.ask("memory 8"), [] as [&str; 0]);
    assert_eq!(xboard.ask("cores 2"), [] as [&str; 0]);
    assert_eq!(xboard.ask("option Clear Hash"), [] as [&str; 0]);
    assert_eq!(xboard.ask("option MultiPV=3"), [] as [&str; 0]);
    assert_eq!(xboard.ask("memory 0").len(), 1, "clamped, with a word about it");
    assert_eq!(xboard.ask("memory x").len(), 1);
    xboard.send("post");
    xboard.send("sd 1");
    xboard.send("usermove e2e4");
    let lines = xboard.engine.wait_for("move ");
    assert_eq!(lines.iter().filter(|line| line.starts_with("1 ")).count(), 3, "{lines:#?}");
}

#[test]
fn the_end_of_input_is_no_fault() {
    for (script, wanted) in [
        ("xboard\nnew\nlevel 0 100000 0\ngo\n", "move "),
        ("xboard\nnew\nlevel 0 100000 0\ngo\nping 3\n", "pong 3"),
        ("xboard\nhard\nst 0.01\nusermove e2e4\nping 4\n", "pong 4"),
        ("xboard\npost\nanalyze\nping 5", "pong 5"),
        ("xboard", ""),
    ] {
        let mut engine = Engine::silent(&[]);
        engine.send_bytes(script.as_bytes());
        engine.close_input();
        let (lines, status) = engine.exit(PATIENCE);
        assert!(wanted.is_empty() || lines.iter().any(|line| line.starts_with(wanted)), "{script:?}: {lines:#?}");
        assert_eq!(status.code(), Some(0));
    }
    for before in ["analyze", "go", "force"] {
        let mut xboard = Xboard::new();
        xboard.send("new");
        xboard.send("level 0 100000 0");
        xboard.send(before);
        xboard.send("quit");
        assert_eq!(xboard.engine.exit(PATIENCE).1.code(), Some(0), "{before}");
    }
    let empty = binary(&["xboard"]).stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!((empty.status.code(), empty.stdout.len(), empty.stderr.len()), (Some(0), 0, 0));
}

#[test]
fn no_line_stops_the_engine() {
    const WORDS: [&str; 44] = [
        "new",
        "variant",
        "anti-king-2",
        "force",
        "go",
        "playother",
        "level",
        "40",
        "0:01",
        "0",
        "st",
        "0.01",
        "sd",
        "2",
        "time",
        "-7",
        "otim",
        "99999999999999999999",
        "usermove",
        "e2e4",
        "e7e5",
        "g8f6",
        "d6e6",
        "?",
        "ping",
        "draw",
        "result",
        "setboard",
        "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "2k3A1/8/2n5/8/3N3K/8/2a5/8 b - - 99 1",
        "hint",
        "undo",
        "remove",
        "hard",
        "easy",
        "post",
        "nopost",
        "analyze",
        "exit",
        ".",
        "computer",
        "option",
        "MultiPV=2",
        "\u{fffd}{}=\t",
    ];
    let mut random = SmallRng::seed_from_u64(2);
    let mut xboard = Xboard::new();
    for round in 0..by_build(40, 20) {
        xboard.send("sd 2");
        for _ in 0..40 {
            let words: Vec<&str> =
                (0..random.random_range(1..4)).map(|_| *WORDS.choose(&mut random).unwrap()).collect();
            xboard.send(&words.join(" "));
        }
        xboard.send("force");
        xboard.send("new");
        xboard.send("sd 2");
        xboard.send("force");
        assert!(xboard.sync().iter().all(|line| !line.contains("search failed")), "round {round}");
        assert_eq!(xboard.ask("usermove e2e4"), [] as [&str; 0], "round {round}");
    }
}
