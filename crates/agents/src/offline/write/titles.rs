//! Titles, subtitle and slug: key phrases and names, joined by punctuation, `and` and `with`.
//!
//! Invariant: every word but the joints was said. Options come richest first, so that a shorter one is
//! always further down the list. Absent here: limits of length.

use super::sections::capital;
use crate::offline::episode::Episode;
use crate::offline::lexicon::is_function_word;
use crate::offline::phrases::Phrase;
use crate::offline::words::{enumerate, lower, parts};

/// Titles from the richest to the barest.
pub(crate) fn options(episode: &Episode) -> Vec<String> {
    let people = episode.names.billed();
    let everybody = enumerate(&people);
    let mut titles = Vec::new();
    for count in [3, 2, 1] {
        titles.extend(topics(episode, count).map(|topic| joined(&topic, &everybody)));
    }
    titles.extend(bare(episode));
    if !everybody.is_empty() {
        titles.push(everybody);
    }
    titles
}

/// Titles that lead with the subject a reader would search for.
pub(crate) fn seo_options(episode: &Episode) -> Vec<String> {
    let people = enumerate(&episode.names.billed());
    let mut titles = Vec::new();
    for count in [2, 1] {
        titles.extend(topics(episode, count).map(|topic| joined(&topic, &people)));
    }
    titles.extend(bare(episode));
    if !people.is_empty() {
        titles.push(people);
    }
    titles
}

/// Subtitles: key phrases with and without names.
pub(crate) fn subtitles(episode: &Episode) -> Vec<String> {
    let people = enumerate(&episode.names.billed());
    let mut lines = Vec::new();
    for count in [6, 5, 4, 3, 2, 1] {
        let listed = subjects(episode, count).map(|topics| enumerate(&topics));
        lines.extend(
            listed.filter(|_| !people.is_empty()).map(|topics| format!("{people} on {topics}")),
        );
    }
    lines.extend(bare(episode));
    lines
}

/// `title` as a slug.
pub(crate) fn slug(title: &str) -> String {
    let words = parts(title);
    let ascii = words.into_iter().filter(|word| word.chars().all(|c| c.is_ascii_alphanumeric()));
    ascii.collect::<Vec<_>>().join("-")
}

/// Slugs from the richest to the barest, without joints.
pub(crate) fn slugs(episode: &Episode) -> Vec<String> {
    let mut slugs: Vec<String> = options(episode)
        .into_iter()
        .map(|title| {
            title
                .split_whitespace()
                .filter(|word| !is_function_word(&lower(word)))
                .collect::<Vec<_>>()
                .join(" ")
        })
        .map(|title| slug(&title))
        .filter(|slug| !slug.is_empty())
        .collect();
    slugs.dedup();
    slugs
}

fn bare(episode: &Episode) -> Vec<String> {
    [3, 2, 1].iter().filter_map(|count| topics(episode, *count)).collect()
}

fn joined(topics: &str, people: &str) -> String {
    if people.is_empty() { topics.to_owned() } else { format!("{topics} with {people}") }
}

fn topics(episode: &Episode, count: usize) -> Option<String> {
    let names: Vec<String> =
        subjects(episode, count)?.iter().map(|phrase| title_case(phrase)).collect();
    Some(enumerate(&names))
}

/// The `count` phrases that name the episode's subjects, a common noun only where it rules the talk.
fn subjects(episode: &Episode, count: usize) -> Option<Vec<String>> {
    let mut chosen: Vec<&Phrase> = Vec::new();
    let strong = episode.phrases.iter().filter(|phrase| is_subject(episode, phrase));
    for phrase in strong.chain(&episode.phrases) {
        let phrase = fuller(episode, phrase);
        if chosen.len() < count && !chosen.iter().any(|other| shares_word(other, phrase)) {
            chosen.push(phrase);
        }
    }
    let texts: Vec<String> = chosen.iter().map(|phrase| phrase.text.clone()).collect();
    (texts.len() == count).then_some(texts)
}

fn is_subject(episode: &Episode, phrase: &Phrase) -> bool {
    let frequent = phrase.count as usize * 25 >= episode.sentences.len().max(1);
    phrase.proper || phrase.terms.len() > 1 || frequent
}

/// The longer phrase around a common noun, when there is one: `event-driven architecture` for `events`.
fn fuller<'a>(episode: &'a Episode, phrase: &'a Phrase) -> &'a Phrase {
    if phrase.proper || phrase.terms.len() > 1 {
        return phrase;
    }
    let around = episode
        .phrases
        .iter()
        .find(|other| other.count >= 3 && other.terms.len() > 1 && shares_word(other, phrase));
    around.unwrap_or(phrase)
}

fn shares_word(a: &Phrase, b: &Phrase) -> bool {
    let (a, b) = (parts(&a.terms.join(" ")), parts(&b.terms.join(" ")));
    a.iter().any(|word| b.contains(word))
}

/// `Locus of Control` for `locus of control`.
pub(crate) fn title_case(phrase: &str) -> String {
    let words = phrase.split_whitespace().map(|word| match is_function_word(word) {
        true => word.to_owned(),
        false => word.split('-').map(capital).collect::<Vec<_>>().join("-"),
    });
    words.collect::<Vec<_>>().join(" ")
}
