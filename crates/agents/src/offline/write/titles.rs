//! Titles, subtitle and slug: key phrases and names, joined by punctuation, `and` and `with`.
//!
//! Invariant: every word but the joints was said. Options come richest first, so that a shorter one is
//! always further down the list. Absent here: limits of length.

use super::sections::capital;
use crate::offline::episode::Episode;
use crate::offline::lexicon::is_function_word;
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
    let people = enumerate(&episode.names.all());
    let mut lines = Vec::new();
    for count in [6, 5, 4, 3, 2] {
        lines.extend(topics(episode, count).map(|topics| format!("{people}: {topics}")));
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
        .map(|title| title.split_whitespace().filter(|word| !is_function_word(&lower(word))).collect::<Vec<_>>().join(" "))
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
    let names: Vec<String> = episode.phrases.iter().take(count).map(|phrase| title_case(&phrase.text)).collect();
    (names.len() == count).then(|| enumerate(&names))
}

/// `Locus of Control` for `locus of control`.
fn title_case(phrase: &str) -> String {
    let words = phrase.split_whitespace().map(|word| match is_function_word(word) {
        true => word.to_owned(),
        false => word.split('-').map(capital).collect::<Vec<_>>().join("-"),
    });
    words.collect::<Vec<_>>().join(" ")
}
