//! Properties along random games with fixed seeds: the fast rules against the slow truth, text there and back.

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::types::{Color, Kind, Move, MoveList, Piece, Square};

/// Calls `look` at each position of random games, from the start and from middle games.
pub(super) fn along_random_games(seed: u64, games: usize, mut look: impl FnMut(&Position)) {
    let mut random = SmallRng::seed_from_u64(seed);
    let starts = [
        Position::START_FEN,
        "r3k2r/p1ppqpb1/bnA1pnp1/3PN3/1p2P3/2Na1Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "4k2r/1b6/8/8/a7/8/6A1/R3K2R w KQk - 0 1",
        "2a4k/1P1K4/2p5/3Ap3/8/P7/8/8 w - - 0 1",
    ];
    for game in 0..games {
        let mut position = parse_fen(starts[game % starts.len()]).unwrap().position;
        for _ in 0..120 {
            look(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.played(moves[random.random_range(0..moves.len())]);
        }
    }
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut codes: Vec<u16> = moves.into_iter().map(Move::code).collect();
    codes.sort_unstable();
    codes
}

#[test]
fn generator_agrees_with_the_slow_truth() {
    along_random_games(1, 40, |position| {
        let truth = sorted(truth::legal_moves(position));
        assert_eq!(sorted(position.legal_moves()), truth, "{position}");
        assert_eq!(position.count_legal_moves(), truth.len() as u64, "{position}");
        assert_eq!(position.in_check(), truth::in_check(position), "{position}");
    });
}

/// Legal positions that no game need have led to: men thrown on the board, many of them giving check at once.
fn random_setups(seed: u64, wanted: usize) -> Vec<Position> {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut positions = Vec::new();
    while positions.len() < wanted {
        let mut board = [None; 64];
        let mut throw = |piece: Piece, random: &mut SmallRng| board[random.random_range(0..64)] = Some(piece);
        for _ in 0..random.random_range(2..14) {
            throw(Piece::ALL[random.random_range(0..10)], &mut random);
        }
        for royal in &Piece::ALL[10..] {
            throw(*royal, &mut random);
        }
        let setup = Setup {
            board,
            turn: Color::ALL[random.random_range(0..2)],
            castling: CastlingRights::NONE,
            en_passant: Some(Square::new(random.random_range(0..64))),
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        positions.extend(setup.validated().ok().map(|(position, _)| position));
    }
    positions
}

#[test]
fn any_legal_setup_is_judged_as_the_slow_truth_does() {
    let adjacent_checkers = "1A5k/3n4/8/8/3rK2r/1N6/8/a7 w - - 0 1";
    let mut positions = random_setups(8, 3_000);
    positions.push(parse_fen(adjacent_checkers).unwrap().position);
    let mut double_checks = 0;
    for position in &positions {
        let truth = sorted(truth::legal_moves(position));
        assert_eq!(sorted(position.legal_moves()), truth, "{position}");
        for &code in &truth {
            let mv = Move::from_code(code).unwrap();
            assert!(position.is_legal(mv), "{mv} in {position}");
            assert_eq!(position.gives_check(mv), truth::gives_check(position, mv), "{mv} in {position}");
        }
        double_checks += usize::from(position.checkers().more_than_one());
    }
    assert!(double_checks > 200, "only {double_checks} positions with several checkers");
}

#[test]
fn stages_are_disjoint_and_together_all() {
    along_random_games(2, 40, |position| {
        let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
        position.generate::<Noisy>(&mut noisy);
        position.generate::<Quiet>(&mut quiet);
        for &mv in &noisy {
            assert!(is_noisy(position, mv), "{mv} is not noisy in {position}");
        }
        for &mv in &quiet {
            assert!(!is_noisy(position, mv), "{mv} is not quiet in {position}");
        }
        noisy.extend(quiet);
        assert_eq!(sorted(noisy), sorted(position.legal_moves()), "{position}");
    });
}

fn is_noisy(position: &Position, mv: Move) -> bool {
    let takes_enemy = position.piece_on(mv.to()).is_some_and(|piece| piece.color() != position.turn());
    takes_enemy || mv.is_en_passant() || mv.promotion() == Some(Kind::Queen)
}

#[test]
fn is_legal_is_membership_for_every_code() {
    let mut seen = 0;
    along_random_games(3, 8, |position| {
        seen += 1;
        if seen % 5 != 0 {
            return;
        }
        let legal = sorted(position.legal_moves());
        let accepted = (1..=u16::MAX).filter_map(Move::from_code).filter(|&mv| position.is_legal(mv));
        assert_eq!(sorted(accepted), legal, "{position}");
    });
    assert!(seen > 400, "the games were too short: {seen} positions");
}

#[test]
fn gives_check_is_what_one_sees_after_the_move() {
    let mut positions = 0;
    let mut checks = 0;
    along_random_games(4, 160, |position| {
        positions += 1;
        let info = position.check_info();
        for mv in position.legal_moves() {
            let expected = truth::gives_check(position, mv);
            assert_eq!(info.gives_check(position, mv), expected, "{mv} in {position}");
            assert_eq!(position.played(mv).in_check(), expected, "{mv} in {position}");
            checks += usize::from(expected);
        }
    });
    assert!(positions > 10_000 && checks > 10_000, "{positions} positions, {checks} checks");
}

#[test]
fn what_a_move_derives_is_what_a_fresh_look_gives() {
    along_random_games(5, 40, |position| {
        position.assert_consistent();
        for mv in position.legal_moves() {
            position.played(mv).assert_consistent();
        }
        if !position.in_check() {
            position.passed().assert_consistent();
        }
    });
}

#[test]
fn fen_and_san_and_uci_round_trip() {
    along_random_games(6, 24, |position| {
        let parsed = parse_fen(&position.fen()).unwrap();
        assert_eq!(&parsed.position, position);
        assert_eq!(parsed.position.key(), position.key());
        assert!(parsed.repairs.is_empty());
        for mv in position.legal_moves() {
            assert_eq!(parse_san(position, &to_san(position, mv)), Ok(mv), "{}", to_san(position, mv));
            for text in [mv.to_string(), to_san(position, mv), to_lan(position, mv)] {
                assert_eq!(parse_move(position, &text), Ok(mv), "{text}");
            }
            assert_eq!(parse_uci(position, &mv.to_string()), Ok(mv));
        }
    });
}

/// The position with colours changed and the board mirrored top to bottom.
fn flipped(position: &Position) -> Position {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap_case = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect()
    };
    let rows: Vec<String> = fields[0].split('/').rev().map(swap_case).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let flipped =
        format!("{} {turn} {} {en_passant} {} {}", rows.join("/"), swap_case(fields[2]), fields[4], fields[5]);
    parse_fen(&flipped).unwrap().position
}

#[test]
fn colours_are_symmetric() {
    let mirrored = |mv: Move| Move::new(mv.from().mirrored(), mv.to().mirrored(), mv.flag().unwrap());
    along_random_games(7, 40, |position| {
        let other = flipped(position);
        let expected = sorted(position.legal_moves().into_iter().map(mirrored));
        assert_eq!(sorted(other.legal_moves()), expected, "{position}");
        assert_eq!(other.in_check(), position.in_check());
        assert_eq!(other.king_in_check(), position.king_in_check());
    });
}

#[test]
fn san_names_the_origin_only_as_far_as_needed() {
    let san = |fen: &str, uci: &str| {
        let position = parse_fen(fen).unwrap().position;
        to_san(&position, parse_uci(&position, uci).unwrap())
    };
    assert_eq!(san(Position::START_FEN, "g1f3"), "Nf3");
    assert_eq!(san(Position::START_FEN, "d6e6"), "Ae6");
    assert_eq!(san("8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1", "e7g8"), "Ng8#");
    assert_eq!(san("8/7k/8/3n4/4PAa1/5K2/5N1p/4r3 w - - 0 1", "f4e4"), "Axe4");
    assert_eq!(san("2a4k/1P1K4/2p5/3Ap3/8/P7/8/8 w - - 0 1", "b7b8n"), "b8=N#");
    assert_eq!(san("4k3/8/8/2p5/1p6/A3a3/3P3P/R3K2R w KQ - 0 1", "e1c1"), "O-O-O");
    let knights = "4k3/8/2r5/2A5/5a2/N1N2R2/8/N3K3 w - - 0 1";
    assert_eq!(san(knights, "c3b5"), "Ncb5");
    assert_eq!(san(knights, "a1c2"), "N1c2");
    assert_eq!(san("4k3/8/2r5/2A5/5a2/Q4R2/8/Q3K2Q w - - 0 1", "a1d4"), "Qd4");
    let position = parse_fen(knights).unwrap().position;
    assert!(matches!(parse_san(&position, "Nb5"), Err(MoveError::Ambiguous(_))));
    assert!(matches!(parse_san(&position, "Nc3"), Err(MoveError::Illegal(_))));
    for bad in ["", "N", "Zb5", "Nb9", "b", "Nabcb5", "O-O-O-O"] {
        assert!(matches!(parse_san(&position, bad), Err(MoveError::Malformed(_))), "{bad}");
    }
}

#[test]
fn a_mate_on_the_hundredth_half_move_wins_and_a_third_repetition_draws() {
    let mating = parse_fen("8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 99 80").unwrap().position;
    let mut game = Game::new(mating.clone());
    game.push(parse_uci(&mating, "e7g8").unwrap());
    assert_eq!(game.position().halfmove_clock(), 100);
    assert!(matches!(game.outcome(), Some(Outcome::Mate { kind: MateKind::AntiKing, .. })));

    let mut game = Game::new(Position::start());
    for (ply, text) in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(8).enumerate() {
        assert_eq!(game.outcome(), None, "ply {ply}");
        game.push(parse_uci(game.position(), text).unwrap());
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawKind::Threefold)));

    let quiet = parse_fen("rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 99 80").unwrap().position;
    let mut game = Game::new(quiet);
    assert_eq!(game.outcome(), None);
    game.push(parse_uci(game.position(), "g1f3").unwrap());
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawKind::FiftyMoves)));
}

#[test]
fn a_game_knows_the_square_that_a_pawn_has_crossed() {
    let mut game = Game::new(Position::start());
    let mut crossed = Vec::new();
    for text in ["e2e4", "e7e6", "b1c3", "h7h5"] {
        let mv = parse_uci(game.position(), text).unwrap();
        game.push(mv);
        crossed.push(game.stepped_over().map(|square| square.to_string()));
    }
    assert_eq!(crossed, [Some("e3".to_owned()), None, None, Some("h6".to_owned())]);
}

#[test]
fn long_notation_names_both_squares() {
    let lan = |fen: &str, uci: &str| {
        let position = parse_fen(fen).unwrap().position;
        to_lan(&position, parse_uci(&position, uci).unwrap())
    };
    assert_eq!(lan(Position::START_FEN, "g1f3"), "Ng1-f3");
    assert_eq!(lan(Position::START_FEN, "e2e4"), "e2-e4");
    assert_eq!(lan("8/4N3/8/1p1a4/5K2/8/3AP3/kn6 w - - 0 1", "e7g8"), "Ne7-g8#");
    assert_eq!(lan("8/7k/8/3n4/4PAa1/5K2/5N1p/4r3 w - - 0 1", "f4e4"), "Af4xe4");
    assert_eq!(lan("2a4k/1P1K4/2p5/3Ap3/8/P7/8/8 w - - 0 1", "b7b8n"), "b7-b8=N#");
    assert_eq!(lan("4k3/8/8/2p5/1p6/A3a3/3P3P/R3K2R w KQ - 0 1", "e1c1"), "O-O-O");
}

#[test]
fn the_likely_key_is_right_for_ordinary_moves() {
    along_random_games(7, 24, |position| {
        for mv in position.legal_moves() {
            let after = position.played(mv);
            let is_ordinary = mv.is_normal()
                && after.castling() == position.castling()
                && [position.en_passant(), after.en_passant()] == [None, None];
            assert_eq!(position.likely_key_after(mv) == after.key(), is_ordinary, "{mv} in {position}");
        }
    });
}

#[test]
fn en_passant_counts_in_the_key_only_where_a_capture_is_legal() {
    let after = |fen: &str, uci: &str| {
        let position = parse_fen(fen).unwrap().position;
        position.played(parse_uci(&position, uci).unwrap())
    };
    let unwanted = after(Position::START_FEN, "e2e4");
    assert_eq!(unwanted.en_passant(), None);
    let legal = after("rnbqkbnr/1ppppppp/p2A4/4P3/8/3a4/PPPP1PPP/RNBQKBNR b KQkq - 0 2", "f7f5");
    assert_eq!(legal.en_passant(), Square::parse("f6"));
    let without = parse_fen("rnbqkbnr/1pppp1pp/p2A4/4Pp2/8/3a4/PPPP1PPP/RNBQKBNR w KQkq - 0 3").unwrap();
    assert_ne!(legal.key(), without.position.key());
    // The capture would take the Anti-King's only attacker.
    let barred = parse_fen("4k3/8/8/3pP3/4A3/4a3/3P4/4K3 w - d6 0 1").unwrap();
    assert_eq!(barred.position.en_passant(), None);
    assert!(barred.repairs.is_empty());
}

#[test]
fn epd_counters_are_read_and_other_operations_ignored() {
    let board = "rnbqkbnr/pppp1ppp/3A4/4p3/4P3/3a4/PPPP1PPP/RNBQKBNR w KQkq -";
    let position = parse_fen(&format!("{board} bm e2e4; hmvc 7; id \"one; hmvc 77; two\"; fmvn 12;")).unwrap().position;
    assert_eq!((position.halfmove_clock(), position.fullmove_number()), (7, 12));
    let position = parse_fen(&format!("{board} bm e2e4;")).unwrap().position;
    assert_eq!((position.halfmove_clock(), position.fullmove_number()), (0, 1));
    assert!(matches!(parse_fen(&format!("{board} 0 1 more")), Err(FenError::Trailing(_))));
    assert!(matches!(parse_fen(&format!("{board} 0 x")), Err(FenError::MoveNumber(_))));
    let bare = board.split(' ').next().unwrap();
    let position = parse_fen(bare).unwrap().position;
    assert_eq!(position.fen(), format!("{bare} w - - 0 1"));
}

#[test]
fn a_refused_board_names_every_broken_rule() {
    let reasons = |fen: &str| match parse_fen(fen) {
        Err(FenError::Invalid(InvalidSetup(broken))) => broken,
        other => panic!("{other:?}"),
    };
    let crowded = reasons("knNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/KAnNnNaN w - - 0 1");
    assert!(crowded.iter().any(|rule| matches!(rule, BrokenRule::TooManyMen(..))));
    assert!(crowded.iter().any(|rule| matches!(rule, BrokenRule::TooManyPromoted(..))));
    let empty = reasons("8/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(empty.len(), 4);
    let message = parse_fen("8/8/8/8/8/8/8/8 w - - 0 1").unwrap_err().to_string();
    assert!(message.contains("White has no King") && message.contains("Black has no Anti-King"), "{message}");
}

proptest! {
    #![proptest_config(crate::seed::fixed(7, 4_000))]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        let start = Position::start();
        let _ = parse_fen(&text);
        let _ = parse_uci(&start, &text);
        let _ = parse_san(&start, &text);
    }

    #[test]
    fn a_damaged_fen_is_read_or_refused(at in 0usize..60, with in "[ -~]{0,3}", cut in 0usize..4) {
        let mut fen = Position::START_FEN.to_string();
        fen.replace_range(at..(at + cut).min(fen.len()), &with);
        if let Ok(parsed) = parse_fen(&fen) {
            let again = parse_fen(&parsed.position.fen()).unwrap();
            prop_assert_eq!(again.position, parsed.position);
        }
    }
}
