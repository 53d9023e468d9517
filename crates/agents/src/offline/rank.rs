//! Which sentences say most of what the episode says.
//!
//! Salience is centroid-based (Radev, Jing, Styś and Tam, "Centroid-based summarization of multiple
//! documents", 2004): the episode's words weighed by frequency and rarity make a centre, and a sentence
//! is as salient as its distinct words are near to it, damped by its length. It costs one pass over
//! the words. Absent here: the form of a sentence (see `shape`).

use std::collections::{BTreeMap, BTreeSet};

use super::lexicon::{is_function_word, is_weak_word};
use super::words::{fold, lower, words};

/// The centre holds this many words.
const CENTRE: usize = 150;

/// The salience of each sentence, scaled so that the highest is 1.
pub(crate) fn salience(sentences: &[String]) -> Vec<f64> {
    let bags: Vec<BTreeSet<String>> = sentences.iter().map(|sentence| content(sentence)).collect();
    let centre = centre(&bags);
    let raw: Vec<f64> = bags
        .iter()
        .map(|bag| {
            bag.iter().filter_map(|term| centre.get(term.as_str())).sum::<f64>()
                / (bag.len() as f64 + 4.0).powf(0.4)
        })
        .collect();
    let top = raw.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    raw.into_iter().map(|value| value / top).collect()
}

/// The folded words of `sentence` that carry meaning.
pub(crate) fn content(sentence: &str) -> BTreeSet<String> {
    words(sentence)
        .map(|word| (lower(word), word))
        .filter(|(low, _)| !is_function_word(low) && !is_weak_word(low) && low.chars().count() > 2)
        .map(|(_, word)| fold(word))
        .collect()
}

fn centre(bags: &[BTreeSet<String>]) -> BTreeMap<&str, f64> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for term in bags.iter().flatten() {
        *counts.entry(term).or_default() += 1;
    }
    let total = bags.len().max(1) as f64;
    let mut weights: Vec<(&str, f64)> = counts
        .into_iter()
        .map(|(term, count)| {
            (term, f64::from(count).ln_1p() * (1.0 + total / f64::from(count)).ln().sqrt())
        })
        .collect();
    weights.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    weights.truncate(CENTRE);
    weights.into_iter().collect()
}

/// How much two sentences share: common words over the words of the shorter one.
pub(crate) fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let shorter = a.len().min(b.len());
    if shorter == 0 { 0.0 } else { a.intersection(b).count() as f64 / shorter as f64 }
}
