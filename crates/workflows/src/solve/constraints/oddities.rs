//! Constraints that contradict each other, and such as can be taken in several ways.
//!
//! Invariant: both sides of a contradiction are told word for word with their numbers, and no pair twice.
//! Absent here: solving it. Whoever asked decides.

use super::{
    check::{Check, Form, Length, Unit},
    cursor::Cursor,
    lengths::{self, Limit},
    measure::fold,
    reading, schema,
    tokens::tokens,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is odd about the constraints of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::solve) struct Oddities {
    /// How ambiguous ones are taken.
    pub(in crate::solve) assumptions: Vec<String>,
    /// Which contradict each other.
    pub(in crate::solve) contradictions: Vec<String>,
}

/// What is odd about these constraints and this form of the answer.
pub(in crate::solve) fn oddities(constraints: &[String], output_spec: &str) -> Oddities {
    let mut first_of = BTreeMap::new();
    let mut assumptions = Vec::new();
    let mut asked = Vec::new();
    for (at, words) in constraints.iter().enumerate() {
        let name = format!("constraint {}", at + 1);
        let first = *first_of.entry(words.trim()).or_insert(at);
        if first == at {
            let asking = Asking { checks: reading::checks(words), name, words };
            assumptions.extend(assumption(&asking));
            asked.push(asking);
        } else if !words.trim().is_empty() {
            assumptions.push(format!(
                "{name} (\"{words}\") repeats constraint {}: it is taken once",
                first + 1
            ));
        }
    }
    let checks = schema::checks(output_spec);
    asked.push(Asking { checks, name: "the output format".to_owned(), words: output_spec });
    Oddities { assumptions, contradictions: contradictions(&asked) }
}

/// One thing that is asked for.
struct Asking<'a> {
    name: String,
    words: &'a str,
    checks: Vec<Check>,
}

/// Words that ask for a length without naming one.
const SHORT: [&str; 8] =
    ["short", "brief", "concise", "terse", "succinct", "kurz", "knapp", "prägnant"];
const LONGER: [&str; 8] = [
    "detailed",
    "thorough",
    "comprehensive",
    "exhaustive",
    "extensive",
    "ausführlich",
    "detailliert",
    "umfassend",
];

fn assumption(asking: &Asking<'_>) -> Option<String> {
    let Asking { name, words, checks } = asking;
    if words.trim().is_empty() {
        return Some(format!("{name} is blank: it is taken to ask for nothing"));
    }
    let told = if reading::is_only(words, &SHORT) {
        "names no length: it is taken as no longer than a complete answer needs, and not measured"
            .to_owned()
    } else if reading::is_only(words, &LONGER) {
        "names no length: it is taken as no part of the question left out, and not measured"
            .to_owned()
    } else if checks.is_empty() {
        number_alone(words)?
    } else {
        return None;
    };
    Some(format!("{name} (\"{words}\") {told}"))
}

/// `50`, `at most 50`, `50 words`: a number that says too little.
fn number_alone(words: &str) -> Option<String> {
    let tokens = tokens(words);
    let mut cursor = Cursor::new(&tokens);
    reading::skip_filling(&mut cursor);
    let limit = lengths::limit(&mut cursor)?;
    let unit = lengths::unit(&mut cursor);
    reading::skip_filling(&mut cursor);
    cursor.eat(&["."]);
    if cursor.peek().is_some() {
        return None;
    }
    let told = match limit {
        Limit::Most(number) => format!("at most {number}"),
        Limit::Least(number) => format!("at least {number}"),
        Limit::Exactly(number) => format!("exactly {number}"),
        Limit::Between(least, most) => format!("{least} to {most}"),
        Limit::Bare(number) => format!("about {number}"),
    };
    Some(match unit {
        None => {
            format!("does not say what is counted: it is taken as {told} words, and not measured")
        }
        Some(unit) => format!("is taken as {told} {}, and not measured", unit.name(2)),
    })
}

/// Every pair that cannot be kept together; each side beside the strictest that stands against it.
fn contradictions(asked: &[Asking<'_>]) -> Vec<String> {
    let mut pairs = BTreeSet::new();
    lengths_apart(asked, &mut pairs);
    phrases_apart(asked, &mut pairs);
    kinds_apart(asked, &mut pairs);
    pairs.into_iter().filter_map(|(one, other)| told(asked.get(one)?, asked.get(other)?)).collect()
}

fn told(one: &Asking<'_>, other: &Asking<'_>) -> Option<String> {
    let shown = |asking: &Asking<'_>| format!("{} (\"{}\")", asking.name, asking.words);
    Some(if one.name == other.name {
        format!("{} contradicts itself", shown(one))
    } else {
        format!("{} contradicts {}", shown(one), shown(other))
    })
}

type Pairs = BTreeSet<(usize, usize)>;

fn pair(pairs: &mut Pairs, one: usize, other: usize) {
    pairs.insert((one.min(other), one.max(other)));
}

fn each<'a>(asked: &'a [Asking<'_>]) -> impl Iterator<Item = (usize, &'a Check)> {
    asked
        .iter()
        .enumerate()
        .flat_map(|(at, asking)| asking.checks.iter().map(move |check| (at, check)))
}

fn lengths_apart(asked: &[Asking<'_>], pairs: &mut Pairs) {
    let lengths: Vec<(usize, Length)> = each(asked)
        .filter_map(
            |(at, check)| {
                if let Check::Length(length) = check { Some((at, *length)) } else { None }
            },
        )
        .collect();
    for unit in Unit::ALL {
        let most = |length: &Length| length.most.filter(|_| length.unit == unit);
        let least = |length: &Length| length.least.filter(|_| holds(length.unit, unit));
        let least_most = lengths.iter().filter_map(|(at, length)| Some((most(length)?, *at))).min();
        let most_least =
            lengths.iter().filter_map(|(at, length)| Some((least(length)?, *at))).max();
        let (Some((least_most, below)), Some((most_least, above))) = (least_most, most_least)
        else {
            continue;
        };
        for (at, length) in &lengths {
            if most(length).is_some_and(|most| most < most_least) {
                pair(pairs, *at, above);
            }
            if least(length).is_some_and(|least| least > least_most) {
                pair(pairs, *at, below);
            }
        }
    }
}

/// Does each of the first hold at least one of the second? A sentence has a word, and a word a character.
fn holds(larger: Unit, smaller: Unit) -> bool {
    larger == smaller
        || match smaller {
            Unit::Characters => matches!(larger, Unit::Words | Unit::Sentences | Unit::Paragraphs),
            Unit::Words => matches!(larger, Unit::Sentences),
            Unit::Sentences | Unit::Paragraphs | Unit::Lines | Unit::Bullets | Unit::Items => false,
        }
}

/// Words of a phrase within which forbidden ones are looked for.
const LONGEST: usize = 12;

fn phrases_apart(asked: &[Asking<'_>], pairs: &mut Pairs) {
    let mut forbidden: BTreeMap<String, usize> = BTreeMap::new();
    for (at, check) in each(asked) {
        if let Check::Lacks(phrase) = check {
            forbidden.entry(fold(phrase)).or_insert(at);
        }
    }
    for (at, phrase) in each(asked).filter_map(|(at, check)| Some((at, wanted(check)?))) {
        let folded = fold(phrase);
        let words: Vec<&str> = folded.split(' ').take(LONGEST).collect();
        let parts = (0..words.len())
            .flat_map(|from| (from + 1..=words.len()).map(move |to| (from, to)))
            .filter_map(|(from, to)| words.get(from..to).map(|part| part.join(" ")));
        for other in parts.chain([folded.clone()]).filter_map(|part| forbidden.get(&part).copied())
        {
            pair(pairs, at, other);
        }
    }
}

fn wanted(check: &Check) -> Option<&str> {
    match check {
        Check::Contains(phrase) | Check::Starts(phrase) | Check::Ends(phrase) => Some(phrase),
        Check::Section(title) => Some(title),
        Check::Length(_)
        | Check::Lacks(_)
        | Check::Json(_)
        | Check::Form(_)
        | Check::Language(_) => None,
    }
}

/// Things of which an answer can have only one, beside the first that is asked for.
fn kinds_apart(asked: &[Asking<'_>], pairs: &mut Pairs) {
    let mut first: Vec<(usize, &Check)> = Vec::new();
    for (at, check) in each(asked) {
        for (before, other) in &first {
            if excludes(check, other) || excludes(other, check) {
                pair(pairs, *before, at);
            }
        }
        // One of each kind is enough, and keeps the work in proportion to the list.
        if !first.iter().any(|(_, other)| same_kind(check, other)) {
            first.push((at, check));
        }
    }
}

fn same_kind(one: &Check, other: &Check) -> bool {
    match (one, other) {
        (Check::Form(one), Check::Form(other)) => one == other,
        (Check::Json(_) | Check::Language(_) | Check::Starts(_) | Check::Ends(_), _) => {
            std::mem::discriminant(one) == std::mem::discriminant(other)
        }
        // Taken care of elsewhere: as if they were there already.
        (Check::Length(_) | Check::Contains(_) | Check::Lacks(_), _) => true,
        (Check::Section(_), other) => matches!(other, Check::Section(_)),
        (Check::Form(_), _) => false,
    }
}

fn excludes(one: &Check, other: &Check) -> bool {
    let marks = |form: Form| match form {
        Form::Bullets | Form::Numbered | Form::MarkdownTable | Form::CodeBlock | Form::Machine => {
            true
        }
        Form::List | Form::Table | Form::Plain | Form::NoHeadings => false,
        Form::NoBullets | Form::NoTables | Form::NoCode => false,
    };
    match (one, other) {
        (Check::Language(one), Check::Language(other)) => one != other,
        (Check::Starts(one), Check::Starts(other)) => {
            let (one, other) = (fold(one), fold(other));
            !one.starts_with(&other) && !other.starts_with(&one)
        }
        (Check::Ends(one), Check::Ends(other)) => {
            let (one, other) = (fold(one), fold(other));
            !one.ends_with(&other) && !other.ends_with(&one)
        }
        (Check::Json(_), Check::Form(form)) => marks(*form),
        (Check::Json(_), Check::Starts(phrase)) => {
            !phrase.trim_start().starts_with(['{', '[', '"'])
        }
        (Check::Form(one), Check::Form(other)) => forms_exclude(*one, *other),
        _ => false,
    }
}

fn forms_exclude(one: Form, other: Form) -> bool {
    match one {
        Form::Plain => matches!(other, Form::MarkdownTable | Form::CodeBlock),
        Form::NoBullets => matches!(other, Form::Bullets),
        Form::NoTables => matches!(other, Form::MarkdownTable | Form::Table),
        Form::NoCode => matches!(other, Form::CodeBlock),
        Form::Machine => matches!(other, Form::Bullets | Form::Numbered | Form::MarkdownTable),
        Form::Bullets | Form::Numbered | Form::List | Form::MarkdownTable | Form::Table => false,
        Form::CodeBlock | Form::NoHeadings => false,
    }
}
