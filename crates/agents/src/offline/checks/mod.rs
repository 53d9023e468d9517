//! The rubric reviewer: runs each rule of a kind over a text and says what is wrong, where, what to do.
//!
//! Invariant: a rule's breach gives findings of that rule only; an empty text gives one finding. The
//! reviewer sees text and episode, never how the text was made. Absent here: changing a text.

pub(crate) mod form;
pub(crate) mod items;
mod length;
mod parts;
pub(crate) mod prose;
mod source;

use super::Finding;
use super::episode::Episode;
use super::outline::Outline;
use super::rubric::{Check, Rubric, RubricRule, rubric};

/// At most this many findings per rule: the rest is more of the same.
const PER_RULE: usize = 5;

/// A text under review, read once.
pub(crate) struct Subject<'a> {
    pub(crate) episode: &'a Episode,
    /// As it is.
    pub(crate) text: &'a str,
    /// Its lines, names put right and marks taken off, so that a misspelled name or a stray marker is
    /// one finding and not two.
    pub(crate) outline: Outline,
    /// Its comma-separated items, for lists.
    pub(crate) items: Vec<&'a str>,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(episode: &'a Episode, text: &'a str) -> Self {
        let clean = episode.names.corrected(&form::without_markers(text), &episode.said);
        let outline = Outline::parse(&clean, &episode.names.all());
        let items = text.trim().split(',').map(str::trim).collect();
        Self { episode, text, outline, items }
    }
}

/// What the rubric of `kind` finds in `text`; nothing for a kind without a rubric.
#[must_use]
pub fn review(kind: &str, episode: &Episode, text: &str) -> Vec<Finding> {
    let Some(rubric) = rubric(kind) else { return Vec::new() };
    review_with(rubric, episode, text)
}

fn review_with(rubric: &Rubric, episode: &Episode, text: &str) -> Vec<Finding> {
    let subject = Subject::new(episode, text);
    let mut findings = Vec::new();
    for rule in &rubric.rules {
        let found = breaches(&rule.check, &subject);
        let ends =
            !found.is_empty() && matches!(rule.check, Check::Empty | Check::NearEmpty { .. });
        findings.extend(found.iter().take(PER_RULE).map(|found| finding(rule, found)));
        if ends {
            return findings;
        }
    }
    findings
}

fn finding(rule: &RubricRule, found: &str) -> Finding {
    Finding {
        severity: rule.severity,
        code: rule.id.clone(),
        message: rule.message.replace("{found}", found),
    }
}

/// What `check` finds in the subject, one entry per place.
pub(crate) fn breaches(check: &Check, subject: &Subject<'_>) -> Vec<String> {
    match check {
        Check::Empty => one(subject.text.trim().is_empty(), "the text is empty"),
        Check::NearEmpty { words } => length::near_empty(subject, *words),
        Check::MaxChars { .. }
        | Check::MinChars { .. }
        | Check::MaxSentences { .. }
        | Check::MinSentences { .. }
        | Check::Hook { .. }
        | Check::SingleLine => length::check(check, subject),
        Check::Form { form } => form::check(*form, subject.text),
        Check::MaxItems { .. }
        | Check::MinItems { .. }
        | Check::ItemChars { .. }
        | Check::RepeatedItem
        | Check::JunkItem
        | Check::Hashtags { .. } => items::check(check, subject),
        Check::Part { part } => parts::missing(*part, subject),
        Check::ChapterForm { gap, least } => parts::chapter_form(*gap, *least, subject),
        Check::Names => source::names(subject),
        Check::RepeatedSentence => prose::repeated(&subject.outline),
        Check::SaidSentences => source::unsaid_sentences(subject),
        Check::SaidWords => source::unsaid_words(subject),
        Check::PlainText => form::markdown(subject.text),
        Check::Markers => form::markers(subject.text),
        Check::Characters { none_of } => form::characters(none_of, subject.text),
        Check::Phrases { .. }
        | Check::Dangling
        | Check::Fragment
        | Check::Question
        | Check::FirstPerson
        | Check::TrailingOff
        | Check::LowercaseStart
        | Check::SentenceWords { .. } => sentences(check, subject),
    }
}

fn sentences(check: &Check, subject: &Subject<'_>) -> Vec<String> {
    let faulty = subject.outline.sentences().filter_map(|sentence| {
        prose::fault(check, sentence).map(|fault| format!("{fault} in “{}”", excerpt(sentence)))
    });
    faulty.collect()
}

/// `text` cut to a length that can be quoted in a message.
pub(crate) fn excerpt(text: &str) -> String {
    let cut: String = text.chars().take(70).collect();
    if cut.len() < text.len() { format!("{}…", cut.trim_end()) } else { cut }
}

/// One breach described by `what` when `holds`.
pub(crate) fn one(holds: bool, what: &str) -> Vec<String> {
    if holds { vec![what.to_owned()] } else { Vec::new() }
}
