//! The word lists of the writer and the reviewer, read from `rubrics/*.txt`.
//!
//! Invariant: lists are data, lower case, and the same for writer and reviewer.
//! Absent here: any rule about what a listed word means for a text.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use super::words::padded;

/// A list of phrases a rubric can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhraseList {
    /// Spoken filler such as `you know`.
    Filler,
    /// Talk between the speakers: greetings, thanks, stage directions.
    Chatter,
    /// Sponsor messages and calls to action.
    Promo,
    /// Openings that lean on what was said before.
    DanglingStarts,
}

const FUNCTION_WORDS: &str = include_str!("../../rubrics/function_words.txt");
const WEAK_WORDS: &str = include_str!("../../rubrics/weak_words.txt");
const FILLER: &str = include_str!("../../rubrics/filler.txt");
const CHATTER: &str = include_str!("../../rubrics/chatter.txt");
const PROMO: &str = include_str!("../../rubrics/promo.txt");
const DANGLING: &str = include_str!("../../rubrics/dangling_starts.txt");
const LABELS: &str = include_str!("../../rubrics/labels.txt");
const GENERIC_HEADS: &str = include_str!("../../rubrics/generic_heads.txt");
const VERBS: &str = include_str!("../../rubrics/verbs.txt");
const FIRST_NAMES: &str = include_str!("../../rubrics/first_names.txt");
const ABBREVIATIONS: &str = include_str!("../../rubrics/abbreviations.txt");

/// The word lists as stored, by file name, for whoever records what a review was made with.
pub const LISTS: [(&str, &str); 11] = [
    ("function_words.txt", FUNCTION_WORDS),
    ("weak_words.txt", WEAK_WORDS),
    ("filler.txt", FILLER),
    ("chatter.txt", CHATTER),
    ("promo.txt", PROMO),
    ("dangling_starts.txt", DANGLING),
    ("generic_heads.txt", GENERIC_HEADS),
    ("labels.txt", LABELS),
    ("verbs.txt", VERBS),
    ("first_names.txt", FIRST_NAMES),
    ("abbreviations.txt", ABBREVIATIONS),
];

static FUNCTION_SET: LazyLock<BTreeSet<&str>> = LazyLock::new(|| word_set(FUNCTION_WORDS));
static WEAK_SET: LazyLock<BTreeSet<&str>> = LazyLock::new(|| word_set(WEAK_WORDS));
static GENERIC_SET: LazyLock<BTreeSet<&str>> = LazyLock::new(|| word_set(GENERIC_HEADS));
static VERB_SET: LazyLock<BTreeSet<&str>> = LazyLock::new(|| word_set(VERBS));
static FIRST_NAME_SET: LazyLock<BTreeSet<&str>> = LazyLock::new(|| word_set(FIRST_NAMES));
static ABBREVIATION_SET: LazyLock<BTreeSet<&str>> = LazyLock::new(|| word_set(ABBREVIATIONS));
static FILLER_PHRASES: LazyLock<Vec<String>> = LazyLock::new(|| phrases(FILLER));
static CHATTER_PHRASES: LazyLock<Vec<String>> = LazyLock::new(|| phrases(CHATTER));
static PROMO_PHRASES: LazyLock<Vec<String>> = LazyLock::new(|| phrases(PROMO));
static DANGLING_PHRASES: LazyLock<Vec<String>> = LazyLock::new(|| phrases(DANGLING));

/// Whether `word` (lower case) never belongs to a key phrase's edge.
pub(crate) fn is_function_word(word: &str) -> bool {
    FUNCTION_SET.contains(word)
}

/// Whether `word` (lower case) says too little to stand alone.
pub(crate) fn is_weak_word(word: &str) -> bool {
    WEAK_SET.contains(word)
}

/// Whether `word` (lower case) names a subject only together with another word.
pub(crate) fn is_generic_head(word: &str) -> bool {
    GENERIC_SET.contains(word)
}

/// Whether `word` (lower case) is a finite verb, or looks like a past tense.
pub(crate) fn is_verb(word: &str) -> bool {
    VERB_SET.contains(word) || (word.len() > 4 && word.ends_with("ed"))
}

/// Whether `word` (lower case) is a common given name.
pub(crate) fn is_first_name(word: &str) -> bool {
    FIRST_NAME_SET.contains(word)
}

/// Whether a full stop after `word` (lower case, without it) does not end a sentence.
pub(crate) fn is_abbreviation(word: &str) -> bool {
    ABBREVIATION_SET.contains(word)
}

/// The section labels an asset may have, in the order of the file.
pub(crate) fn labels() -> impl Iterator<Item = &'static str> {
    entries(LABELS)
}

/// The first phrase of `list` that stands in `line`, which is [`padded`].
pub(crate) fn find_phrase(list: PhraseList, line: &str) -> Option<&'static str> {
    let phrases: &'static [String] = match list {
        PhraseList::Filler => &FILLER_PHRASES,
        PhraseList::Chatter => &CHATTER_PHRASES,
        PhraseList::Promo => &PROMO_PHRASES,
        PhraseList::DanglingStarts => return start_phrase(line),
    };
    phrases.iter().find(|phrase| line.contains(phrase.as_str())).map(|phrase| phrase.trim())
}

fn start_phrase(line: &str) -> Option<&'static str> {
    let phrases: &'static [String] = &DANGLING_PHRASES;
    phrases.iter().find(|phrase| line.starts_with(phrase.as_str())).map(|phrase| phrase.trim())
}

fn entries(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn word_set(list: &'static str) -> BTreeSet<&'static str> {
    entries(list).flat_map(str::split_whitespace).collect()
}

fn phrases(list: &'static str) -> Vec<String> {
    entries(list).map(padded).collect()
}
