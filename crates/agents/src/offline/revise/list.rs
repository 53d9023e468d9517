//! Edits of comma-separated lists: drop, cut, add.
//!
//! Invariant: the order of what stays is kept; what is added comes from the episode's key phrases.
//! Absent here: hashtags (see `prose`).

use std::collections::BTreeSet;

use super::Revision;
use crate::offline::checks::items::{is_junk, item_key};
use crate::offline::rubric::Check;
use crate::offline::words::words;

pub(super) fn answer(revision: &mut Revision<'_>, check: &Check) {
    let mut items: Vec<String> =
        revision.text.split([',', '\n']).map(|item| item.trim().to_owned()).collect();
    items.retain(|item| !item.is_empty());
    match check {
        Check::MaxItems { items: most } => items.truncate(*most),
        Check::MinItems { .. } | Check::MinChars { .. } => return add(revision, check, items),
        Check::ItemChars { chars } => items.retain(|item| item.chars().count() <= *chars),
        Check::RepeatedItem => {
            let mut seen = BTreeSet::new();
            items.retain(|item| seen.insert(item_key(item)));
        }
        Check::JunkItem => items.retain(|item| !is_junk(item)),
        Check::SaidWords => {
            items.retain(|item| words(item).all(|word| revision.episode.said.has_word(word)));
        }
        Check::PlainText => {
            items.retain(|item| !item.contains(['*', '`', '_', '#', '[', ']']));
        }
        Check::MaxChars { chars } => {
            while items.join(", ").chars().count() > *chars && items.pop().is_some() {}
        }
        Check::Empty
        | Check::NearEmpty { .. }
        | Check::MaxSentences { .. }
        | Check::MinSentences { .. }
        | Check::SingleLine
        | Check::Form { .. }
        | Check::Hashtags { .. }
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
        | Check::Markers
        | Check::Characters { .. } => {}
    }
    revision.text = items.join(", ");
}

fn add(revision: &mut Revision<'_>, check: &Check, mut items: Vec<String>) {
    for phrase in &revision.episode.phrases {
        if !revision.text_fails(check, &items.join(", ")) {
            break;
        }
        if !items.iter().any(|item| item_key(item) == item_key(&phrase.text)) {
            items.push(phrase.text.clone());
        }
    }
    revision.text = items.join(", ");
}
