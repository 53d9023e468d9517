//! Lengths: characters, sentences, lines, and the first sentence.
//!
//! Invariant: lengths count Unicode scalar values, so a limit means the same in every language.
//! Absent here: lists (see `items`).

use super::{Subject, one};
use crate::offline::rubric::Check;
use crate::offline::words::words;

/// Looks at one length; other checks are not of lengths and find nothing.
pub(super) fn check(check: &Check, subject: &Subject<'_>) -> Vec<String> {
    let length = subject.text.trim().chars().count();
    let count = subject.outline.sentences().count();
    match check {
        Check::MaxChars { chars } => one(length > *chars, &format!("{length} characters")),
        Check::MinChars { chars } => one(length < *chars, &format!("{length} characters")),
        Check::MaxSentences { sentences } => one(count > *sentences, &format!("{count} sentences")),
        Check::MinSentences { sentences } => one(count < *sentences, &format!("{count} sentences")),
        Check::Hook { chars } => hook(*chars, subject),
        Check::SingleLine => one(subject.text.trim().lines().count() > 1, "more than one line"),
        Check::Empty
        | Check::NearEmpty { .. }
        | Check::Form { .. }
        | Check::MaxItems { .. }
        | Check::MinItems { .. }
        | Check::ItemChars { .. }
        | Check::RepeatedItem
        | Check::JunkItem
        | Check::Hashtags { .. }
        | Check::Part { .. }
        | Check::ChapterForm { .. }
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

/// Whether fewer than `words` words are left, labels and white space aside.
pub(super) fn near_empty(subject: &Subject<'_>, least: usize) -> Vec<String> {
    let count: usize = match subject.outline.sentences().count() {
        0 => words(&subject.text.replace('-', " ")).count(),
        _ => subject.outline.sentences().map(|sentence| words(sentence).count()).sum(),
    };
    one(count < least, &format!("{count} words of content"))
}

fn hook(chars: usize, subject: &Subject<'_>) -> Vec<String> {
    let first = subject.outline.sentences().next().map_or(0, |sentence| sentence.chars().count());
    one(first > chars, &format!("{first} characters in the first sentence"))
}
