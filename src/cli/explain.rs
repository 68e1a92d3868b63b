use std::io::Write;

use serde_json::{Value, json};

use super::position::ReportArguments;
use super::{Failure, print_json};
use crate::analysis::position_text::GameInWords;
use crate::rules::{Explanation, Game, IllegalMove, Position, Reason, RoyalExplanation, Rule, Shield, Step};
use crate::text::{grid, joined, wrapped};
use crate::types::{Color, Kind, Square};

/// The column at which sentences are broken.
const WIDTH: usize = 100;

/// Tells why each royal man is in check or not, and why moves that look possible are none.
pub fn run(arguments: &ReportArguments, out: &mut dyn Write) -> Result<(), Failure> {
    let GameInWords { game, stepped_over, .. } = arguments.position.in_words()?;
    let explanation = game.position().explained(stepped_over);
    if arguments.json {
        return print_json(out, &as_json(&game, &explanation));
    }
    Ok(write!(out, "{}", as_text(&game, &explanation))?)
}

fn as_text(game: &Game, explanation: &Explanation) -> String {
    let position = game.position();
    let side = position.turn().name();
    let mut text = format!("{}\n", grid(position, Color::White));
    text.push_str(&match game.outcome() {
        None => format!("{side} to move, with {} legal moves.\n", position.legal_moves().len()),
        Some(outcome) => format!("{side} to move. The game is over: {outcome}.\n"),
    });
    for royal in &explanation.royals {
        text.push_str(&format!("\n{}\n", heading(royal)));
        for sentence in sentences(royal, position) {
            text.push_str(&item(&sentence));
        }
    }
    if explanation.illegal_moves.is_empty() {
        return text + &format!("\nNo move that {side}'s men can make is against the rules.\n");
    }
    text.push_str(&format!("\nMoves against the rules for {side}\n"));
    for rule in [Rule::KingSafe, Rule::AntiKingAttacked, Rule::Castling] {
        let broken: Vec<&IllegalMove> =
            explanation.illegal_moves.iter().filter(|illegal| illegal.reason.rule() == rule).collect();
        if !broken.is_empty() {
            text.push_str(&format!(" {}\n", wrapped(rule_text(rule), WIDTH, 1, 1)));
            for sentence in together(&broken) {
                text.push_str(&item(&sentence));
            }
        }
    }
    text
}

/// `White Anti-King on d6: safe`.
fn heading(royal: &RoyalExplanation) -> String {
    let state = if royal.in_check { "in check" } else { "safe" };
    format!("{} {} on {}: {state}", royal.color.name(), royal.kind.name(), royal.square)
}

/// What is to be said of a royal man.
fn sentences(royal: &RoyalExplanation, position: &Position) -> Vec<String> {
    let mut sentences = vec![state(royal)];
    let pinned: Vec<(Square, Kind)> = royal
        .attackers
        .iter()
        .filter(|attacker| attacker.pinned)
        .map(|attacker| (attacker.square, attacker.kind))
        .collect();
    if !pinned.is_empty() {
        sentences.push(format!("Pinned to its own King, but attacking all the same: {}.", men(&pinned)));
    }
    if let (Kind::AntiKing, [last]) = (royal.kind, &royal.attackers[..]) {
        let man = man((last.square, last.kind));
        sentences.push(format!(
            "{} is its last attacker: {}'s men may neither capture it nor shut it off, unless the same move lets another man attack.",
            capitalized(&man),
            royal.color.name()
        ));
    }
    sentences.extend(royal.shields.iter().map(|shield| shielded(royal, shield)));
    sentences.extend(steps(royal, position));
    sentences
}

fn state(royal: &RoyalExplanation) -> String {
    let attackers: Vec<(Square, Kind)> =
        royal.attackers.iter().map(|attacker| (attacker.square, attacker.kind)).collect();
    match (royal.kind, attackers.is_empty()) {
        (Kind::AntiKing, true) => "No enemy man attacks it, and an unattacked Anti-King is in check.".to_owned(),
        (Kind::AntiKing, false) => format!("Attacked, as an Anti-King must be, by {}.", men(&attackers)),
        (_, true) => "No enemy man attacks it.".to_owned(),
        (_, false) => format!("In check by {}.", men(&attackers)),
    }
}

fn shielded(royal: &RoyalExplanation, shield: &Shield) -> String {
    let (blocker, slider) = (man((shield.square, shield.kind)), man(shield.slider));
    match royal.kind {
        Kind::AntiKing => format!(
            "{} alone stands between it and {slider}: leaving that line lets {slider} attack it.",
            capitalized(&blocker)
        ),
        _ => format!("{} is pinned to it by {slider}, and may move along that line only.", capitalized(&blocker)),
    }
}

/// Where a royal man may step and where not.
fn steps(royal: &RoyalExplanation, position: &Position) -> Vec<String> {
    let mut flights = Vec::new();
    let mut enemies = Vec::new();
    for (square, step) in &royal.steps {
        match (step, position.piece_on(*square)) {
            (Step::Flight, Some(taken)) => flights.push(format!("{square} (taking the {})", taken.kind().name())),
            (Step::Flight, None) => flights.push(square.to_string()),
            (Step::EnemyMan(_), _) => enemies.push(square.to_string()),
            (Step::OwnMan(_) | Step::Illegal(_), _) => {}
        }
    }
    let (turn, can, has) = if royal.color == position.turn() {
        (String::new(), "It can", "It has")
    } else {
        (format!("If it were {}'s turn, ", royal.color.name()), "it could", "it would have")
    };
    let mut sentences = vec![if flights.is_empty() {
        format!("{turn}{has} no square to step to.")
    } else {
        format!("{turn}{can} step to {}.", joined(&flights, "or"))
    }];
    let illegal = royal.steps.iter().filter_map(|(square, step)| match step {
        Step::Illegal(reason) => Some((reason_text(reason), square.to_string())),
        _ => None,
    });
    for (reason, squares) in grouped(illegal) {
        sentences.push(format!("It cannot step to {}: {reason}.", joined(&squares, "or")));
    }
    if !enemies.is_empty() {
        let why = match royal.kind {
            Kind::AntiKing => "an Anti-King takes men of its own side only",
            _ => "nothing takes a royal man",
        };
        sentences.push(format!("It cannot take on {}: {why}.", joined(&enemies, "or")));
    }
    sentences
}

/// The moves against a rule, those of one man for one reason together.
fn together(moves: &[&IllegalMove]) -> Vec<String> {
    let named = moves.iter().map(|illegal| {
        let mover = capitalized(&format!("{} {}", illegal.kind.name(), illegal.mv.from()));
        let promotion = illegal.mv.promotion().map_or(String::new(), |kind| format!("={}", kind.letter()));
        ((mover, reason_text(&illegal.reason)), format!("{}{promotion}", illegal.mv.to()))
    });
    let sentence = |((mover, reason), targets): ((String, String), Vec<String>)| {
        format!("{mover} to {}: {reason}.", joined(&targets, "or"))
    };
    grouped(named).into_iter().map(sentence).collect()
}

/// The items of equal keys together, in the order in which the keys came.
fn grouped<K: PartialEq>(pairs: impl Iterator<Item = (K, String)>) -> Vec<(K, Vec<String>)> {
    let mut groups: Vec<(K, Vec<String>)> = Vec::new();
    for (key, item) in pairs {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, items)) => items.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

const fn rule_text(rule: Rule) -> &'static str {
    match rule {
        Rule::KingSafe => "A move must leave the own King unattacked.",
        Rule::AntiKingAttacked => {
            "A move must leave the own Anti-King attacked; Kings, Anti-Kings and the own men do not count as attackers."
        }
        Rule::Castling => {
            "Castling: not while either royal man is in check, and not across or onto a square that an enemy man attacks."
        }
    }
}

fn reason_text(reason: &Reason) -> String {
    match reason {
        Reason::KingStaysInCheck(by) => format!("the King stays in check by {}", men(by)),
        Reason::KingExposed(by) => format!("it would open the King to {}", men(by)),
        Reason::KingStepsIntoAttack(by) => format!("the King would stand attacked by {}", men(by)),
        Reason::AntiKingStaysUnattacked => "the Anti-King stays unattacked".to_owned(),
        Reason::TakesLastAttacker(last) => format!("it takes {}, the Anti-King's last attacker", man(*last)),
        Reason::ShutsOffLastAttacker(last) => format!("it shuts off {}, the Anti-King's last attacker", man(*last)),
        Reason::AntiKingStepsOutOfAttack => "no enemy man would attack the Anti-King there".to_owned(),
        Reason::CastlesInCheck(by) => format!("the King is in check by {}", men(by)),
        Reason::CastlesWhileAntiKingUnattacked => "the Anti-King is in check".to_owned(),
        Reason::CastlesThroughAttack(square, by) => {
            format!("the King would cross or reach {square}, attacked by {}", men(by))
        }
    }
}

/// A word for the reason in JSON.
const fn reason_name(reason: &Reason) -> &'static str {
    match reason {
        Reason::KingStaysInCheck(_) => "king stays in check",
        Reason::KingExposed(_) => "king exposed",
        Reason::KingStepsIntoAttack(_) => "king steps into attack",
        Reason::AntiKingStaysUnattacked => "anti-king stays unattacked",
        Reason::TakesLastAttacker(_) => "takes last attacker",
        Reason::ShutsOffLastAttacker(_) => "shuts off last attacker",
        Reason::AntiKingStepsOutOfAttack => "anti-king steps out of attack",
        Reason::CastlesInCheck(_) => "castles in check",
        Reason::CastlesWhileAntiKingUnattacked => "castles while anti-king unattacked",
        Reason::CastlesThroughAttack(..) => "castles through attack",
    }
}

fn man((square, kind): (Square, Kind)) -> String {
    format!("the {} on {square}", kind.name())
}

fn men(men: &[(Square, Kind)]) -> String {
    let named: Vec<String> = men.iter().map(|&named| man(named)).collect();
    joined(&named, "and")
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn item(sentence: &str) -> String {
    format!("  - {}\n", wrapped(sentence, WIDTH, 4, 4))
}

fn as_json(game: &Game, explanation: &Explanation) -> Value {
    let position = game.position();
    json!({
        "fen": position.fen(),
        "turn": position.turn().name(),
        "outcome": game.outcome().map(|outcome| outcome.to_string()),
        "legal_moves": position.legal_moves().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "royals": explanation.royals.iter().map(royal_json).collect::<Vec<_>>(),
        "illegal_moves": explanation.illegal_moves.iter().map(illegal_json).collect::<Vec<_>>(),
    })
}

fn royal_json(royal: &RoyalExplanation) -> Value {
    let attackers = royal.attackers.iter().map(|attacker| {
        json!({ "square": attacker.square.to_string(), "man": attacker.kind.name(), "pinned": attacker.pinned })
    });
    let shields = royal.shields.iter().map(|shield| {
        json!({
            "square": shield.square.to_string(),
            "man": shield.kind.name(),
            "slider": man_json(shield.slider),
        })
    });
    let steps = royal.steps.iter().map(|(square, step)| {
        let (may, why) = match step {
            Step::Flight => (true, None),
            Step::OwnMan(kind) => (false, Some(format!("the own {} stands there", kind.name()))),
            Step::EnemyMan(kind) => (false, Some(format!("an enemy {} stands there", kind.name()))),
            Step::Illegal(reason) => (false, Some(reason_text(reason))),
        };
        json!({ "square": square.to_string(), "flight": may, "why": why })
    });
    json!({
        "color": royal.color.name(),
        "man": royal.kind.name(),
        "square": royal.square.to_string(),
        "in_check": royal.in_check,
        "attackers": attackers.collect::<Vec<_>>(),
        "shields": shields.collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn man_json((square, kind): (Square, Kind)) -> Value {
    json!({ "square": square.to_string(), "man": kind.name() })
}

fn illegal_json(illegal: &IllegalMove) -> Value {
    json!({
        "move": illegal.mv.to_string(),
        "man": illegal.kind.name(),
        "reason": reason_name(&illegal.reason),
        "text": reason_text(&illegal.reason),
        "rule": rule_text(illegal.reason.rule()),
    })
}
