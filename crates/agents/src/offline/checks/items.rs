//! Lists: tags, keywords and hashtags.
//!
//! Invariant: items are compared in their folded form, so `game` and `Games` are one.
//! Absent here: whether an item was said (see `source`).

use std::collections::BTreeSet;

use super::{Subject, one};
use crate::offline::lexicon::{is_first_name, is_function_word, is_weak_word};
use crate::offline::rubric::Check;
use crate::offline::words::{fold, lower, words};

pub(super) fn check(check: &Check, subject: &Subject<'_>) -> Vec<String> {
    let items = &subject.items;
    match check {
        Check::MaxItems { items: most } => {
            one(items.len() > *most, &format!("{} items", items.len()))
        }
        Check::MinItems { items: least } => {
            one(items.len() < *least, &format!("{} items", items.len()))
        }
        Check::ItemChars { chars } => {
            quoted(items.iter().filter(|item| item.chars().count() > *chars))
        }
        Check::RepeatedItem => repeated(items),
        Check::JunkItem => quoted(items.iter().filter(|item| !item.is_empty() && is_junk(item))),
        Check::Hashtags { min, max } => hashtags(*min, *max, subject),
        Check::Empty
        | Check::NearEmpty { .. }
        | Check::MaxChars { .. }
        | Check::MinChars { .. }
        | Check::MaxSentences { .. }
        | Check::MinSentences { .. }
        | Check::SingleLine
        | Check::Form { .. }
        | Check::Part { .. }
        | Check::ChapterForm { .. }
        | Check::Hook { .. }
        | Check::Names
        | Check::Phrases { .. }
        | Check::Dangling
        | Check::Fragment
        | Check::Question
        | Check::FirstPerson
        | Check::TrailingOff
        | Check::LowercaseStart
        | Check::SentenceWords { .. }
        | Check::RepeatedSentence
        | Check::SaidSentences
        | Check::SaidWords
        | Check::PlainText
        | Check::Markers
        | Check::Characters { .. } => Vec::new(),
    }
}

/// Whether `item` says nothing: everyday words only, or a given name alone.
pub(crate) fn is_junk(item: &str) -> bool {
    let words: Vec<String> = words(item).map(lower).collect();
    let everyday = words.iter().all(|word| is_function_word(word) || is_weak_word(word));
    let lone_name = matches!(words.as_slice(), [one] if is_first_name(one));
    (everyday && item == item.to_lowercase()) || lone_name
}

/// The form under which two items are one.
pub(crate) fn item_key(item: &str) -> String {
    words(item).map(fold).collect::<Vec<_>>().join(" ")
}

fn quoted<'a>(items: impl Iterator<Item = &'a &'a str>) -> Vec<String> {
    items.map(|item| format!("“{item}”")).collect()
}

fn repeated(items: &[&str]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    quoted(items.iter().filter(|item| !item.is_empty() && !seen.insert(item_key(item))))
}

fn hashtags(min: usize, max: usize, subject: &Subject<'_>) -> Vec<String> {
    let count = subject.outline.hashtags().count();
    one(count < min || count > max, &format!("{count} hashtags"))
}
