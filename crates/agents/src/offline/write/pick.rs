//! Chooses sentences: the best ranked, without saying a thing twice, in the order they were said.
//!
//! Invariant: a choice depends on ranking and on what is taken already. Absent here: lengths of assets.

use crate::offline::checks::prose::fault;
use crate::offline::episode::{Episode, Sentence};
use crate::offline::rank::overlap;
use crate::offline::rubric::Rubric;

/// Two sentences that share more than this of their words say the same.
const SAME: f64 = 0.6;

/// So far down the ranking a choice looks; the rest is not worth quoting.
const CONSIDERED: usize = 1500;

/// What a choice must respect.
pub(crate) struct Choice<'a> {
    /// Sentences in the text already.
    pub(crate) taken: Vec<&'a str>,
    /// Sentence rules to obey; none in a first draft.
    pub(crate) rules: Option<&'a Rubric>,
    /// From where to where in the episode, as shares of it.
    pub(crate) within: (f64, f64),
    /// Lowest score that is worth quoting.
    pub(crate) floor: f64,
    /// Whether sentences that introduce a speaker are wanted.
    pub(crate) introductions: bool,
    /// Longest sentence, in characters.
    pub(crate) longest: usize,
}

impl<'a> Choice<'a> {
    /// Anything from anywhere.
    pub(crate) fn free() -> Self {
        Self {
            taken: Vec::new(),
            rules: None,
            within: (0.0, 1.0),
            longest: usize::MAX,
            introductions: true,
            floor: -1.0,
        }
    }

    fn allows(&self, sentence: &Sentence) -> bool {
        let (from, to) = self.within;
        sentence.score >= self.floor
            && sentence.place >= from
            && sentence.place < to
            && sentence.text.chars().count() <= self.longest
            && (self.introductions || !sentence.introduces)
            && !self.taken.contains(&sentence.text.as_str())
            && self.rules.is_none_or(|rubric| is_clean(rubric, &sentence.text))
    }
}

/// Whether no sentence rule of `rubric` has anything against `sentence`.
pub(crate) fn is_clean(rubric: &Rubric, sentence: &str) -> bool {
    rubric.rules.iter().all(|rule| fault(&rule.check, sentence).is_none())
}

/// Up to `count` sentences, best first.
pub(crate) fn best<'a>(
    episode: &'a Episode,
    count: usize,
    choice: &Choice<'_>,
) -> Vec<&'a Sentence> {
    let taken: Vec<&Sentence> =
        choice.taken.iter().filter_map(|text| episode.sentence(text)).collect();
    let mut chosen: Vec<&Sentence> = Vec::new();
    for sentence in episode.best().take(CONSIDERED) {
        if chosen.len() == count {
            break;
        }
        let said = taken
            .iter()
            .chain(&chosen)
            .any(|other| overlap(&other.content, &sentence.content) > SAME);
        if !said && choice.allows(sentence) {
            chosen.push(sentence);
        }
    }
    chosen
}

/// Texts of `sentences` in the order they were said.
pub(crate) fn in_order(mut sentences: Vec<&Sentence>) -> Vec<String> {
    sentences.sort_by(|a, b| a.place.total_cmp(&b.place));
    sentences.into_iter().map(|sentence| sentence.text.clone()).collect()
}

/// The best sentence of each of `count` equal stretches, besides those in `taken`.
pub(crate) fn spread(episode: &Episode, count: usize, taken: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = taken.to_vec();
    let mut found = Vec::new();
    for stretch in 0..count {
        let within = (stretch as f64 / count as f64, (stretch + 1) as f64 / count as f64);
        let choice =
            Choice { taken: texts.iter().map(String::as_str).collect(), within, ..Choice::free() };
        let picked: Vec<String> =
            best(episode, 1, &choice).into_iter().map(|s| s.text.clone()).collect();
        texts.extend(picked.clone());
        found.extend(picked);
    }
    found
}
