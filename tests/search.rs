//! The search through the engine: mates, exact counts, lines that can be replayed.

use antiking::engine::options::Options;
use antiking::engine::{BENCH_DEPTH, Engine, bench};
use antiking::rules::{Game, Position, parse_fen, parse_uci};
use antiking::search::{Bound, Control, Limits, SearchEvent, SearchInfo, SearchResult};
use antiking::types::Score;

/// Debug builds check each move the slow way; there a part of the positions has to do.
const PART: usize = if cfg!(debug_assertions) { 3 } else { 1 };

fn position(fen: &str) -> Position {
    parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")).position
}

fn engine(threads: u32, hash: u32, multi_pv: u32) -> Engine {
    Engine::new(Options { threads, hash, multi_pv, ..Options::default() }).unwrap()
}

fn think(engine: &mut Engine, game: &Game, limits: &Limits) -> (SearchResult, Vec<SearchInfo>) {
    let (mut infos, mut last_bound) = (Vec::new(), None);
    let result = engine.think(game, limits, &Control::new(limits), &mut |event| {
        // Bounds are told only on a machine so slow that a search takes seconds.
        if let SearchEvent::Info(info) = event {
            last_bound = Some(info.bound);
            if info.bound == Bound::Exact {
                infos.push(info.clone());
            }
        }
    });
    assert_eq!(last_bound, Some(Bound::Exact));
    (result, infos)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

#[test]
fn a_soft_limit_ends_the_search_with_the_depth_that_passes_it() {
    let game = Game::new(Position::start());
    let (_, whole) = think(&mut engine(1, 16, 1), &game, &depth(8));
    for limit in [1, whole[2].nodes, whole[2].nodes + 1, whole[5].nodes] {
        let passing = whole.iter().find(|info| info.nodes >= limit).unwrap();
        let limits = Limits { soft_nodes: Some(limit), ..depth(8) };
        let (result, infos) = think(&mut engine(1, 16, 1), &game, &limits);
        assert_eq!((result.depth, result.nodes), (passing.depth, passing.nodes), "{limit} nodes");
        assert_eq!(infos.len(), passing.depth as usize);
    }
    // A hard limit below the end of that depth still breaks it off.
    let [before, after] = [&whole[4], &whole[5]];
    let limits = Limits { soft_nodes: Some(before.nodes + 1), ..nodes(before.nodes + 1) };
    let (result, _) = think(&mut engine(1, 16, 1), &game, &limits);
    assert_eq!(result.depth, before.depth);
    assert!(result.nodes < after.nodes);
}

/// Plays a line out; every move must be legal and none may follow the end of the game.
fn assert_playable(game: &Game, info: &SearchInfo) {
    let mut line = game.clone();
    for (index, &mv) in info.pv.iter().enumerate() {
        let root = index == 0;
        assert!(root || line.outcome().is_none(), "{:?} goes on after the end in {}", info.pv, game.position());
        assert!(line.position().is_legal(mv), "{mv} of {:?} in {}", info.pv, game.position());
        line.push(mv);
    }
}

struct Mate {
    game: Game,
    moves: i32,
    best: Vec<String>,
}

fn mates() -> Vec<Mate> {
    let lines = include_str!("data/mates.epd").lines().filter(|line| !line.starts_with('#'));
    let field = |line: &str, name: &str| -> String {
        let fields = line.split(';').map(str::trim);
        fields.filter_map(|field| field.strip_prefix(name)).next().unwrap().trim().to_string()
    };
    lines
        .map(|line| Mate {
            game: Game::new(position(line.split(';').next().unwrap())),
            moves: field(line, "dm ").parse().unwrap(),
            best: field(line, "bm ").split(' ').map(str::to_string).collect(),
        })
        .collect()
}

/// How many of the mates in `moves` are found exactly within a number of nodes, of how many.
fn mates_found(moves: i32, limit: u64) -> (usize, usize) {
    let mut engine = engine(1, 16, 1);
    let mates: Vec<Mate> = mates().into_iter().filter(|mate| mate.moves == moves).step_by(PART).collect();
    let found = mates.iter().filter(|mate| {
        engine.new_game();
        let (result, _) = think(&mut engine, &mate.game, &nodes(limit));
        let exact = result.score.mate_moves() == Some(moves);
        exact && result.best.is_some_and(|mv| mate.best.contains(&mv.to_string()))
    });
    (found.count(), mates.len())
}

#[test]
fn mates_in_one_and_two() {
    for moves in [1, 2] {
        let (found, all) = mates_found(moves, 200_000);
        assert_eq!(found, all, "mates in {moves}");
    }
}

#[test]
fn mates_in_three() {
    let (found, all) = mates_found(3, 2_000_000 / PART as u64);
    assert!(found * 100 >= all * 97, "{found} of {all} mates in 3");
}

#[test]
fn mate_distances_do_not_depend_on_what_the_hash_table_holds() {
    let cases = [
        ("8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1", 1, 1),
        ("7n/1R6/1a4A1/8/K1k5/8/N7/8 w - - 0 1", 2, 3),
        ("1k4A1/3P2B1/8/8/Nb1a2K1/4p3/2n5/8 w - - 0 1", -1, 2),
    ];
    for (fen, moves, plies) in cases {
        let game = Game::new(position(fen));
        let mut engine = engine(1, 16, 1);
        let (fresh, _) = think(&mut engine, &game, &depth(8));
        assert_eq!((fresh.score.mate_moves(), fresh.lines[0].pv.len()), (Some(moves), plies), "{fen}");
        let mut successor = game.clone();
        successor.push(fresh.best.unwrap());
        think(&mut engine, &successor, &depth(8));
        let (again, _) = think(&mut engine, &game, &depth(8));
        assert_eq!((again.score.mate_moves(), again.lines[0].pv.len()), (Some(moves), plies), "{fen}");
    }
}

#[test]
fn quiet_anti_mates_are_seen_at_depth_two() {
    let mut engine = engine(1, 16, 1);
    let cases = [
        ("8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1", "e7g8"),
        ("K4R1n/8/2N5/8/4A3/2r5/3k1a2/8 w - - 0 1", "e4f3"),
        ("2a4k/1P1K4/2p5/3Ap3/8/P7/8/8 w - - 0 1", "b7b8n"),
    ];
    for (fen, best) in cases {
        let (result, _) = think(&mut engine, &Game::new(position(fen)), &depth(2));
        assert_eq!(result.score, Score::mating(1), "{fen}");
        assert_eq!(result.best.unwrap().to_string(), best);
    }
}

#[test]
fn lines_are_playable_and_infos_hold_together() {
    let mut openings = include_str!("data/openings.epd").lines().step_by(25 * PART).map(position).collect::<Vec<_>>();
    openings.push(Position::start());
    openings.push(position("8/8/5K2/8/3k4/6A1/2R1a3/5r1Q w - - 0 1"));
    for (threads, multi_pv) in [(1, 1), (1, 4), (4, 1)] {
        let mut engine = engine(threads, 1, multi_pv);
        for opening in &openings {
            let game = Game::new(opening.clone());
            let (result, infos) = think(&mut engine, &game, &depth(7));
            let mut last_nodes = 0;
            for info in &infos {
                assert_playable(&game, info);
                assert!(info.nodes >= last_nodes && info.hash_full <= 1000);
                last_nodes = info.nodes;
            }
            let lines = (multi_pv as usize).min(opening.legal_moves().len());
            let deepest: Vec<&SearchInfo> = infos.iter().filter(|info| info.depth == 7).collect();
            assert_eq!(deepest.iter().map(|info| info.line).collect::<Vec<_>>(), (1..=lines).collect::<Vec<_>>());
            assert!(deepest.windows(2).all(|pair| pair[0].score >= pair[1].score));
            assert_eq!(deepest[0].pv.first().copied(), result.best);
            if result.ponder.is_some() {
                assert_eq!(deepest[0].pv.get(1).copied(), result.ponder);
            }
        }
    }
}

#[test]
fn node_limits_are_kept_and_the_last_info_carries_the_count() {
    let mut engine = engine(1, 16, 1);
    let game = Game::new(Position::start());
    for limit in [1_000, 5_000, 50_000] {
        let (result, infos) = think(&mut engine, &game, &nodes(limit));
        assert!((limit..limit + 2).contains(&result.nodes), "{} of {limit}", result.nodes);
        let last = infos.last().unwrap();
        assert_eq!(last.nodes, result.nodes);
        assert_eq!(last.pv.first().copied(), result.best);
        assert_eq!(last.depth, result.depth);
    }
    let (result, _) = think(&mut engine, &game, &nodes(0));
    assert!(result.nodes <= 1_024 && result.best.is_some());
    let (result, _) = think(&mut engine, &game, &Limits { nodes: Some(50_000), ..depth(2) });
    assert_eq!(result.depth, 2);
}

#[test]
fn a_new_game_forgets_everything() {
    let mut engine = engine(1, 16, 1);
    let mut game = Game::new(Position::start());
    let round = |engine: &mut Engine, game: &mut Game| {
        engine.new_game();
        let first = think(engine, game, &depth(8)).1;
        game.push(parse_uci(game.position(), "e2e4").unwrap());
        let second = think(engine, game, &depth(8)).1;
        *game = Game::new(Position::start());
        let facts = |info: &SearchInfo| (info.depth, info.nodes, info.score, info.pv.clone());
        first.iter().chain(&second).map(facts).collect::<Vec<_>>()
    };
    let one = round(&mut engine, &mut game);
    assert_eq!(round(&mut engine, &mut game), one);
    engine.set_option("Clear Hash", None).unwrap();
    assert_eq!(round(&mut engine, &mut game), one);
}

#[test]
fn repetitions_and_stalemates_are_draws_that_a_winner_avoids() {
    let mut engine = engine(1, 16, 1);
    let mut game = Game::new(position("4K2k/8/8/6Q1/2P5/ap6/AP6/8 w - - 0 1"));
    let only =
        |game: &Game, text: &str| Limits { search_moves: vec![parse_uci(game.position(), text).unwrap()], ..depth(8) };
    assert_eq!(think(&mut engine, &game, &only(&game, "g5g6")).0.score, Score::DRAW);
    let (free, _) = think(&mut engine, &game, &depth(10));
    assert!(free.score > Score(300), "{}", free.score);
    for text in ["g5g4", "h8h7", "g4g5", "h7h8", "g5g4", "h8h7"] {
        game.push(parse_uci(game.position(), text).unwrap());
    }
    engine.new_game();
    assert_eq!(think(&mut engine, &game, &only(&game, "g4g5")).0.score, Score::DRAW);
    let (free, _) = think(&mut engine, &game, &depth(10));
    assert!(free.score > Score(300) && free.best.unwrap().to_string() != "g4g5", "{}", free.score);
}

#[test]
fn one_repetition_of_the_root_is_no_draw_yet() {
    let mut engine = engine(1, 16, 5);
    let mut game = Game::new(Position::start());
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        game.push(parse_uci(game.position(), text).unwrap());
    }
    let (result, _) = think(&mut engine, &game, &depth(8));
    assert_eq!(result.lines.len(), 5);
    assert!(result.lines.iter().any(|line| line.score != Score::DRAW));
}

#[test]
fn finished_and_drawn_roots() {
    let mut engine = engine(1, 16, 3);
    let (mated, infos) = think(&mut engine, &Game::new(position("2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1")), &depth(5));
    assert_eq!((mated.best, mated.score, infos.len()), (None, Score::mated(0), 1));
    let stalemate = Game::new(position("4K2k/8/6Q1/8/2P5/ap6/AP6/8 b - - 0 1"));
    let (stalemated, _) = think(&mut engine, &stalemate, &depth(3));
    assert_eq!((stalemated.best, stalemated.score), (None, Score::DRAW));
    let over = position("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 100 80");
    let (past_fifty, _) = think(&mut engine, &Game::new(over.clone()), &depth(6));
    assert!(over.is_legal(past_fifty.best.unwrap()));
    assert!(past_fifty.lines.iter().any(|line| line.score != Score::DRAW));
}

#[test]
fn the_greatest_depth_ends_with_a_legal_move() {
    let mut engine = engine(1, 16, 1);
    for fen in ["7k/5n2/3a4/8/3R4/1K3A2/5N2/6r1 w - - 0 1", "4K2k/8/8/6Q1/2P5/ap6/AP6/8 w - - 0 1"] {
        let limits = Limits { nodes: Some(300_000 / PART as u64), ..depth(1_000) };
        let (result, infos) = think(&mut engine, &Game::new(position(fen)), &limits);
        assert!(result.best.is_some());
        assert!(infos.iter().all(|info| info.depth <= 240 && info.selective_depth <= 246));
    }
}

#[test]

fn the_bench_counts_what_the_file_says() {
    let expected: u64 = include_str!("data/bench.txt").trim().parse().unwrap();
    let report =
        bench(Options::default(), BENCH_DEPTH, &Control::new(&Limits::default()), &mut |_, _, _, _| {}).unwrap();
    assert_eq!(report.nodes, expected, "a change of search or evaluation: write the new count to tests/data/bench.txt");
}
