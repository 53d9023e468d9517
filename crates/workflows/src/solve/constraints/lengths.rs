//! Lengths, as constraints name them.
//!
//! Invariant: a number is read as a limit only together with what it counts.
//! Absent here: counting.

use super::{
    check::{Length, Unit},
    cursor::Cursor,
};

const AT_MOST: &[&str] = &[
    "at most",
    "no more than",
    "not more than",
    "not be more than",
    "up to",
    "maximum of",
    "maximum",
    "max",
    "max .",
    "max :",
    "maximal",
    "höchstens",
    "nicht mehr als",
    "bis zu",
    "≤",
    "< =",
    "not exceed",
    "do not exceed",
    "don't exceed",
    "never exceed",
    "cannot exceed",
    "not be longer than",
    "not longer than",
    "no longer than",
    "nicht länger als",
    "within",
    "limited to",
    "not to exceed",
    "not go over",
    "not use more than",
    "don't use more than",
    "do not use more than",
    "don't write more than",
    "do not write more than",
    "not have more than",
    "not contain more than",
    "nicht länger sein als",
    "maximal :",
    "maximum :",
];
const FEWER: &[&str] =
    &["under", "fewer than", "less than", "below", "shorter than", "weniger als", "unter", "<"];
const AT_LEAST: &[&str] = &[
    "at least",
    "no less than",
    "no fewer than",
    "not less than",
    "not fewer than",
    "not be less than",
    "not be fewer than",
    "not be shorter than",
    "no shorter than",
    "minimum of",
    "minimum",
    "min",
    "min .",
    "min :",
    "mindestens",
    "wenigstens",
    "nicht weniger als",
    "≥",
    "> =",
    "minimum :",
];
const MORE: &[&str] = &["more than", "longer than", "mehr als", ">"];
const EXACTLY: &[&str] = &["exactly", "precisely", "genau", "exakt"];
const BETWEEN: &[&str] = &["between", "from", "zwischen"];
const TO: &[&str] = &["and", "to", "und", "bis", "-", "–"];

const OR_LESS: &[&str] =
    &["or less", "or fewer", "or shorter", "max", "max .", "maximum", "at most", "oder weniger"];
const OR_MORE: &[&str] = &["or more", "or longer", "minimum", "at least", "oder mehr"];

const UNITS: [(Unit, &[&str]); 7] = [
    (Unit::Words, &["words", "word", "wörter", "wörtern", "worte", "worten", "wort"]),
    (Unit::Characters, &["characters", "character", "chars", "zeichen"]),
    (Unit::Sentences, &["sentences", "sentence", "sätze", "sätzen", "satz"]),
    (Unit::Paragraphs, &["paragraphs", "paragraph", "absätze", "absätzen", "absatz"]),
    (Unit::Lines, &["lines", "line", "zeilen", "zeile"]),
    (
        Unit::Bullets,
        &[
            "bullet points",
            "bullet point",
            "bullets",
            "bullet",
            "bullet items",
            "list items",
            "stichpunkte",
            "stichpunkten",
            "aufzählungspunkte",
            "aufzählungspunkten",
        ],
    ),
    (Unit::Items, &["items", "item", "points", "punkte", "punkten"]),
];

/// Behind these a bare number is one of several things that are asked for.
const HAVING: [&str; 10] = [
    "include",
    "includes",
    "including",
    "contain",
    "contains",
    "containing",
    "have",
    "has",
    "with",
    "enthalten",
];

/// A number that stands in a limit.
#[derive(Debug, Clone, Copy)]
pub(super) enum Limit {
    /// `at most`, `no more than`.
    Most(usize),
    /// `at least`.
    Least(usize),
    /// `exactly`.
    Exactly(usize),
    /// `between … and …`.
    Between(usize, usize),
    /// Nothing but the number.
    Bare(usize),
}

/// Reads a limit with its number, whatever it counts.
pub(super) fn limit(cursor: &mut Cursor<'_>) -> Option<Limit> {
    let mut ahead = *cursor;
    let limit = if ahead.eat(AT_MOST) {
        Limit::Most(ahead.number()?)
    } else if ahead.eat(FEWER) {
        Limit::Most(ahead.number()?.checked_sub(1)?)
    } else if ahead.eat(AT_LEAST) {
        Limit::Least(ahead.number()?)
    } else if ahead.eat(MORE) {
        Limit::Least(ahead.number()?.checked_add(1)?)
    } else if ahead.eat(EXACTLY) {
        Limit::Exactly(ahead.number()?)
    } else {
        range(&mut ahead)?
    };
    *cursor = ahead;
    Some(limit)
}

fn range(cursor: &mut Cursor<'_>) -> Option<Limit> {
    let announced = cursor.eat(BETWEEN);
    let first = cursor.number()?;
    let mut ahead = *cursor;
    match ahead.eat(TO).then(|| ahead.number()).flatten() {
        Some(second) => {
            *cursor = ahead;
            Some(Limit::Between(first.min(second), first.max(second)))
        }
        None if announced => None,
        None => Some(Limit::Bare(first)),
    }
}

/// Reads what is counted.
pub(super) fn unit(cursor: &mut Cursor<'_>) -> Option<Unit> {
    UNITS.into_iter().find(|(_, names)| cursor.eat(names)).map(|(unit, _)| unit)
}

/// Reads a length that can be checked.
pub(super) fn length(cursor: &mut Cursor<'_>) -> Option<Length> {
    let mut ahead = *cursor;
    let having = HAVING.contains(&ahead.before());
    let limit = limit(&mut ahead)?;
    let unit = unit(&mut ahead)?;
    let (least, most) = match limit {
        Limit::Most(most) => (None, Some(most)),
        Limit::Least(least) => (Some(least), None),
        Limit::Exactly(number) => (Some(number), Some(number)),
        Limit::Between(least, most) => (Some(least), Some(most)),
        Limit::Bare(number) if ahead.eat(OR_LESS) => (None, Some(number)),
        Limit::Bare(number) if ahead.eat(OR_MORE) => (Some(number), None),
        // `50 words` is seldom meant to the word; `3 paragraphs` is.
        Limit::Bare(number) if !having && countable_at_sight(unit) => (Some(number), Some(number)),
        Limit::Bare(_) => return None,
    };
    *cursor = ahead;
    Some(Length { unit, least, most })
}

fn countable_at_sight(unit: Unit) -> bool {
    match unit {
        Unit::Sentences | Unit::Paragraphs | Unit::Lines | Unit::Bullets => true,
        Unit::Words | Unit::Characters | Unit::Items => false,
    }
}
