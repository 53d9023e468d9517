//! How well a sentence stands on its own: the soft side of what a reader can use out of context.
//!
//! A sentence reads well alone when it names its topic early, points to few things said before and does
//! not run on. Invariant: a factor above 0; no sentence is refused here (the rubric's rules do that).
//! Absent here: word lists of filler and openings, platforms, lengths of assets.

use std::collections::BTreeSet;

use super::checks::prose::finite_verbs;
use super::words::{fold, is_capitalised, lower, trim_word, words};

/// Pronouns that point at something which may stand outside the sentence.
const POINTERS: [&str; 25] = [
    "it", "it's", "its", "they", "they're", "them", "their", "he", "she", "him", "his", "her",
    "this", "these", "those", "that's", "there's", "one", "such", "similar", "same", "other",
    "others", "instead", "earlier",
];
const SELF: [&str; 8] = ["i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine"];
const WE: [&str; 7] = ["we", "we're", "we've", "we'll", "us", "our", "ours"];
const YOU: [&str; 4] = ["you", "you're", "your", "you've"];
const VAGUE: [&str; 12] = [
    "thing",
    "things",
    "something",
    "somebody",
    "someone",
    "whatever",
    "lot",
    "lots",
    "guys",
    "everything",
    "bunch",
    "really",
];
const DEFINING: [&str; 10] = [
    " is a ",
    " is an ",
    " is the ",
    " are the ",
    " means ",
    " allows ",
    " lets ",
    " helps ",
    " is about ",
    " who is ",
];
const WEAK_ENDS: [&str; 8] = ["it", "them", "now", "well", "and", "things", "way", "me"];
const HEDGES: [&str; 9] =
    ["like", "maybe", "probably", "actually", "just", "somehow", "somewhat", "quite", "pretty"];

/// The factor for `sentence`; `topics` are the folded words of the episode's key phrases.
pub(crate) fn shape(sentence: &str, topics: &BTreeSet<String>) -> f64 {
    let tokens: Vec<String> = words(sentence).map(lower).collect();
    length(tokens.len())
        * pointing(&tokens)
        * telling(sentence, topics)
        * tidy(sentence, &tokens)
        * complete(&tokens)
}

/// Whether there are verbs enough for the main clause and each clause hung on it.
fn complete(tokens: &[String]) -> f64 {
    const HANGING: [&str; 12] = [
        "that", "which", "who", "where", "when", "if", "because", "what", "how", "while", "since",
        "than",
    ];
    let clauses = 1 + tokens.iter().filter(|token| HANGING.contains(&token.as_str())).count();
    match finite_verbs(tokens) {
        0 => 0.3,
        verbs if verbs < clauses => 0.3,
        _ => 1.0,
    }
}

fn length(count: usize) -> f64 {
    match count {
        0..=6 => 0.2,
        7..=8 => 0.4,
        9..=10 => 0.65,
        11..=12 => 0.9,
        13..=27 => 1.0,
        28..=32 => 0.75,
        33..=38 => 0.5,
        _ => 0.3,
    }
}

fn pointing(tokens: &[String]) -> f64 {
    let among =
        |list: &[&str]| tokens.iter().filter(|token| list.contains(&token.as_str())).count() as i32;
    0.77_f64.powi(among(&POINTERS))
        * 0.8_f64.powi(among(&SELF))
        * 0.88_f64.powi(among(&WE))
        * 0.7_f64.powi(among(&VAGUE))
        * 0.8_f64.powi(among(&HEDGES))
        * 0.9_f64.powi(among(&YOU))
}

fn telling(sentence: &str, topics: &BTreeSet<String>) -> f64 {
    let early: Vec<&str> = words(sentence).take(6).collect();
    let named = early
        .iter()
        .skip(1)
        .any(|word| is_capitalised(word) && word.chars().count() > 1 && !word.starts_with("I'"));
    let topical = early.iter().any(|word| topics.contains(&fold(word)));
    let defines = DEFINING.iter().any(|mark| sentence.contains(mark));
    let numbers = sentence.chars().any(|c| c.is_ascii_digit());
    let mut factor = 1.0;
    for (holds, gain) in [(topical, 1.45), (named, 1.15), (defines, 1.2), (numbers, 1.08)] {
        factor *= if holds { gain } else { 1.0 };
    }
    factor
}

fn tidy(sentence: &str, tokens: &[String]) -> f64 {
    let weak_end = tokens.last().is_some_and(|last| WEAK_ENDS.contains(&last.as_str()));
    let commas = sentence.matches(',').count() as i32;
    let quoted = sentence.contains(['"', '“']);
    let broken = sentence.contains("--")
        || sentence.contains("...")
        || sentence.contains('…')
        || sentence.contains(" - ")
        || sentence.contains(", so ");
    let stutter = sentence
        .split_whitespace()
        .map(trim_word)
        .zip(sentence.split_whitespace().skip(1))
        .any(|(a, b)| a == trim_word(b));
    let mut factor = 0.93_f64.powi(commas);
    let past =
        tokens.iter().any(|word| matches!(word.as_str(), "was" | "were" | "had" | "did" | "went"))
            && !tokens.iter().any(|word| matches!(word.as_str(), "is" | "are"));
    for (holds, loss) in [
        (past, 0.7),
        (weak_end, 0.6),
        (quoted, 0.7),
        (broken, 0.5),
        (stutter, 0.4),
        (sentence.ends_with('?'), 0.3),
    ] {
        factor *= if holds { loss } else { 1.0 };
    }
    factor
}
