//! Proofs against plain recursion over the legal moves of games.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::rules::{CastlingRights, Outcome, Position, Setup, parse_fen, parse_uci};
use crate::types::{Color, Piece};

const ANTI_MATE_IN_TWO: &str = "7n/1R6/1a4A1/8/K1k5/8/N7/8 w - - 0 1";

fn prove(game: &Game, most: u32) -> Option<Mate> {
    Prover::new(1).unwrap().prove(game, most, &mut |_| ControlFlow::Continue(())).unwrap().mate
}

fn game(fen: &str) -> Game {
    Game::new(parse_fen(fen).unwrap().position)
}

fn after(game: &Game, mv: Move) -> Game {
    let mut next = game.clone();
    next.push(mv);
    next
}

/// True when the side to move mates within so many moves, by the rules of the game alone.
fn is_won(game: &Game, moves: u32) -> bool {
    let legal = game.position().legal_moves();
    moves > 0 && game.outcome().is_none() && legal.iter().any(|&mv| is_lost(&after(game, mv), moves - 1))
}

fn is_lost(game: &Game, moves: u32) -> bool {
    match game.outcome() {
        Some(Outcome::Mate { .. }) => true,
        Some(Outcome::Draw(_)) => false,
        None => moves > 0 && game.position().legal_moves().iter().all(|&reply| is_won(&after(game, reply), moves)),
    }
}

fn distance(game: &Game, most: u32) -> Option<u32> {
    (1..=most).find(|&moves| is_won(game, moves))
}

/// The ends of all shortest lines from a position whose side to move mates in exactly so many.
fn ends(game: &Game, moves: u32) -> Kinds {
    let mut kinds = Kinds::NONE;
    for mv in game.position().legal_moves() {
        let next = after(game, mv);
        if is_lost(&next, moves - 1) {
            kinds = kinds.union(ends_after(&next, moves - 1));
        }
    }
    kinds
}

fn ends_after(game: &Game, moves: u32) -> Kinds {
    if let Some(Outcome::Mate { kind, .. }) = game.outcome() {
        return Kinds::of(kind);
    }
    let replies = game.position().legal_moves();
    let defences = replies.into_iter().map(|reply| after(game, reply)).filter(|next| !is_won(next, moves - 1));
    defences.fold(Kinds::NONE, |kinds, next| kinds.union(ends(&next, moves)))
}

/// Holds a proof against the truth; the distance, if there is a mate.
fn assert_true(game: &Game, most: u32) -> Option<u32> {
    let mate = prove(game, most);
    let truth = distance(game, most);
    let at = game.position();
    assert_eq!(mate.as_ref().map(|mate| mate.moves), truth, "{at}");
    let mate = mate?;
    let legal = at.legal_moves();
    let expected: Vec<Move> = legal.into_iter().filter(|&mv| is_lost(&after(game, mv), mate.moves - 1)).collect();
    assert_eq!(mate.first_moves.iter().map(|first| first.mv).collect::<Vec<_>>(), expected, "{at}");
    assert_eq!(mate.kind(), ends(game, mate.moves).only(), "{at}");
    let mut end = game.clone();
    mate.line.iter().for_each(|&mv| end.push(mv));
    assert_eq!(mate.line.len() as u32, 2 * mate.moves - 1, "{at}");
    let Some(Outcome::Mate { kind, .. }) = end.outcome() else { panic!("{:?} is no mate in {at}", mate.line) };
    assert!(mate.first_moves[0].forced.is_none_or(|forced| forced == kind), "{at}");
    truth
}

/// Positions with few men, White's the stronger ones, and White to move.
fn small_positions(seed: u64, clocks: std::ops::Range<u16>) -> impl Iterator<Item = Position> {
    let mut random = SmallRng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let mut board = [None; 64];
        let attackers = [Piece::WhiteQueen, Piece::WhiteRook, Piece::WhitePawn, Piece::WhiteKnight];
        let defenders = [Piece::BlackPawn, Piece::BlackKnight, Piece::BlackBishop];
        let mut men = vec![Piece::WhiteKing, Piece::BlackKing, Piece::WhiteAntiKing, Piece::BlackAntiKing];
        men.extend((0..2).map(|_| attackers[random.random_range(0..attackers.len())]));
        men.extend((0..random.random_range(1..3)).map(|_| defenders[random.random_range(0..defenders.len())]));
        for man in men {
            board[random.random_range(0..64)] = Some(man);
        }
        let setup = Setup {
            board,
            turn: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: random.random_range(clocks.clone()),
            fullmove_number: 1,
        };
        setup.validated().ok().map(|(position, _)| position)
    })
    .flatten()
}

#[test]
fn proofs_agree_with_plain_recursion() {
    let mut found = [0; 3];
    for position in small_positions(1, 0..1).take(120) {
        if let Some(moves) = assert_true(&Game::new(position), 2) {
            found[moves as usize] += 1;
        }
    }
    assert!(found[1] >= 3 && found[2] >= 3, "{found:?}");
}

#[test]
fn mates_in_three_agree_with_plain_recursion() {
    let few_moves = |position: &Position| position.legal_moves().len() <= 9;
    for position in small_positions(2, 0..1).filter(few_moves).take(10) {
        assert_true(&Game::new(position), 3);
    }
    let mates_in_three = small_positions(3, 0..1).filter(|position| {
        few_moves(position) && prove(&Game::new(position.clone()), 3).is_some_and(|mate| mate.moves == 3)
    });
    for position in mates_in_three.take(3) {
        assert_eq!(assert_true(&Game::new(position), 3), Some(3));
    }
}

#[test]
fn proofs_keep_to_the_fifty_move_rule() {
    let mut changed = 0;
    let fresh = |position: &Position| prove(&Game::new(position.with_fresh_clock()), 2).map(|mate| mate.moves);
    for position in small_positions(3, 97..100).filter(|position| fresh(position) == Some(2)).take(15) {
        changed += u32::from(assert_true(&Game::new(position), 2) != Some(2));
    }
    assert!((3..=12).contains(&changed), "{changed} of 15");
}

#[test]
fn a_mate_on_the_hundredth_half_move_counts_and_a_later_one_does_not() {
    let with_clock = |clock: u32| prove(&game(&ANTI_MATE_IN_TWO.replace(" 0 1", &format!(" {clock} 90"))), 2);
    assert_eq!(with_clock(97).map(|mate| mate.moves), Some(2));
    assert_eq!(with_clock(98), None);
    assert_eq!(with_clock(100), None);
}

/// The game in which both sides move to and fro twice until the first move of the only mate would bring a position to the
/// board for the third time; `None` where they cannot.
fn repeated(start: &Position, first: Move) -> Option<Game> {
    let back = |mv: Move| Move::normal(mv.to(), mv.from());
    let threatened = start.played(first);
    threatened.legal_moves().into_iter().find_map(|reply| {
        let mut game = Game::new(threatened.clone());
        for mv in [reply, back(first), back(reply), first, reply, back(first), back(reply)] {
            if !game.position().is_legal(mv) || game.outcome().is_some() {
                return None;
            }
            game.push(mv);
        }
        (game.position().key() == start.key() && game.outcome().is_none()).then_some(game)
    })
}

#[test]
fn a_position_that_stood_twice_is_no_way_to_mate() {
    let mut seen = 0;
    for position in small_positions(4, 0..1).take(600) {
        let Some(mate) = prove(&Game::new(position.clone()), 2).filter(|mate| mate.moves == 2) else { continue };
        let Some(game) = repeated(&position, mate.first_moves[0].mv) else { continue };
        seen += 1;
        assert_true(&game, 2);
        let first = mate.first_moves[0].mv;
        let again = prove(&game, 2).is_some_and(|now| now.first_moves.iter().any(|now| now.mv == first));
        assert!(!again, "{first} in {position}");
    }
    assert!(seen >= 3, "{seen}");
}

#[test]
fn who_can_choose_the_kind_is_told() {
    let mate = prove(&game("3k2ar/p6P/4p3/P2B1A2/1P2rp1b/2P2K2/8/3R4 b - - 2 53"), 4).unwrap();
    assert_eq!((mate.moves, mate.kind()), (4, None));
    let of = |uci: &str| *mate.first_moves.iter().find(|first| first.mv.to_string() == uci).unwrap();
    assert_eq!((of("e4e3").kinds.only(), of("e4e3").forced), (Some(MateKind::Both), Some(MateKind::Both)));
    let choice = of("e6d5");
    assert_eq!(choice.kinds.iter().collect::<Vec<_>>(), [MateKind::AntiKing, MateKind::Both]);
    assert_eq!(choice.forced, Some(MateKind::Both));
    let mate = prove(&game("3k1b1r/2q3pp/Q2ABp2/8/P7/3a1PP1/4P2P/R4R1K w - - 1 36"), 4).unwrap();
    assert_eq!((mate.kind(), mate.first_moves[0].forced), (None, None));
}

#[test]
fn a_finished_game_holds_no_mate() {
    assert_eq!(prove(&game("2k3A1/8/2n5/8/3N3K/8/2a5/8 w - - 0 1"), 3), None);
    let start = game(Position::START_FEN);
    let mut drawn = start.clone();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
        let mv = parse_uci(drawn.position(), text).unwrap();
        drawn.push(mv);
    }
    assert_eq!(prove(&drawn, 2), None);
}

#[test]
fn a_proof_ends_when_the_watcher_wishes() {
    let start = game(Position::START_FEN);
    let mut calls = 0;
    let stopped = Prover::new(1).unwrap().prove(&start, MAX_MOVES, &mut |progress| {
        calls += 1;
        if progress.nodes < 10_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(stopped, Err(Stopped));
    assert!(calls > 3, "{calls}");
}
