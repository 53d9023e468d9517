//! Key phrases of an episode: what it is about, in its own words.
//!
//! Candidates are runs of content words between stop words and punctuation, as in RAKE (Rose et al.
//! 2010); they are weighed by frequency, spread over the episode, first mention and capitals, as in YAKE
//! (Campos et al. 2020), and a phrase that lives inside a longer one is dropped, as in C-value (Frantzi
//! et al. 2000). Invariant: every phrase is a word-for-word part of the transcript.
//! Absent here: any vocabulary of topics, and any model.

use std::collections::BTreeMap;

use super::lexicon::{is_first_name, is_function_word, is_generic_head, is_weak_word};
use super::names::Names;
use super::words::{fold, has_inner_capital, is_capitalised, lower, trim_word};

/// A phrase of up to three words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Phrase {
    /// As most often said.
    pub(crate) text: String,
    /// Folded words.
    pub(crate) terms: Vec<String>,
    /// How often it was said.
    pub(crate) count: u32,
    /// Whether it is a proper noun.
    pub(crate) proper: bool,
    /// Weight; only the order matters.
    pub(crate) score: f64,
}

/// Spread is measured over this many equal stretches of the episode.
const STRETCHES: usize = 20;
/// As many phrases as any asset could ask for.
const KEPT: usize = 150;

#[derive(Debug, Default)]
struct Tally {
    count: u32,
    own: u32,
    forms: BTreeMap<String, u32>,
    stretches: u32,
    first: usize,
    inside: u32,
    capital: u32,
}

/// The key phrases of `sentences`, best first.
pub(crate) fn phrases(sentences: &[String], names: &Names) -> Vec<Phrase> {
    let tallies = discounted(tally(sentences));
    let total = sentences.len();
    let least = if total < 150 { 1 } else { 2 };
    let mut found: Vec<Phrase> = tallies
        .iter()
        .filter(|(terms, tally)| wanted(terms, tally, least, names))
        .map(|(terms, tally)| weigh(terms, tally, total))
        .map(|phrase| extended(phrase, &tallies, least))
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.terms.cmp(&b.terms)));
    let mut kept: Vec<Phrase> = Vec::new();
    for phrase in found {
        if kept.len() < KEPT && !kept.iter().any(|other| nested(&phrase, other)) {
            kept.push(phrase);
        }
    }
    kept
}

/// Takes from each count what longer phrases with the same words account for, as C-value does.
fn discounted(mut tallies: BTreeMap<Vec<String>, Tally>) -> BTreeMap<Vec<String>, Tally> {
    let mut inner: BTreeMap<Vec<String>, u32> = BTreeMap::new();
    for (terms, tally) in tallies.iter().filter(|(terms, tally)| terms.len() > 1 && tally.count > 1)
    {
        for part in [&terms[..terms.len() - 1], &terms[1..]] {
            *inner.entry(part.to_vec()).or_default() += tally.count;
        }
    }
    for (terms, longer) in inner {
        if let Some(tally) = tallies.get_mut(&terms) {
            tally.own = tally.count.saturating_sub(longer);
        }
    }
    tallies
}

/// A proper noun of one word, lengthened to the name it is mostly part of: `Foundation` to
/// `Linux Foundation`.
fn extended(mut phrase: Phrase, tallies: &BTreeMap<Vec<String>, Tally>, least: u32) -> Phrase {
    if phrase.terms.len() > 1 || !phrase.proper {
        return phrase;
    }
    let longer = tallies.iter().filter(|(terms, tally)| {
        let often =
            tally.count * 5 >= phrase.count * 2 && tally.count > least.min(phrase.count - 1);
        terms.len() > 1 && terms.contains(&phrase.terms[0]) && tally.proper() && often
    });
    if let Some((terms, tally)) = longer.max_by_key(|(terms, tally)| (tally.count, terms.len())) {
        phrase.text = tally.form();
        phrase.terms.clone_from(terms);
    }
    phrase
}

fn nested(phrase: &Phrase, other: &Phrase) -> bool {
    let within = |a: &[String], b: &[String]| a.iter().all(|term| b.contains(term));
    let initials = |a: &Phrase, b: &Phrase| {
        let first = b.text.split_whitespace().filter_map(|word| word.chars().next());
        b.terms.len() > 1 && a.text == first.collect::<String>()
    };
    within(&phrase.terms, &other.terms)
        || within(&other.terms, &phrase.terms)
        || initials(phrase, other)
        || initials(other, phrase)
}

fn tally(sentences: &[String]) -> BTreeMap<Vec<String>, Tally> {
    let mut tallies: BTreeMap<Vec<String>, Tally> = BTreeMap::new();
    for (index, sentence) in sentences.iter().enumerate() {
        let stretch = index * STRETCHES / sentences.len().max(1);
        for run in runs(sentence) {
            for size in 1..=3 {
                for (at, gram) in run.words.windows(size).enumerate() {
                    if !has_good_edges(gram) {
                        continue;
                    }
                    let terms: Vec<String> = gram.iter().map(|word| fold(word)).collect();
                    let fresh = Tally { first: index, ..Tally::default() };
                    let tally = tallies.entry(terms).or_insert(fresh);
                    tally.add(gram, stretch, run.opens && at == 0);
                }
            }
        }
    }
    tallies
}

impl Tally {
    fn add(&mut self, gram: &[&str], stretch: usize, opens: bool) {
        self.count += 1;
        self.own += 1;
        self.stretches |= 1 << stretch;
        let text = gram.iter().map(|word| bare(word)).collect::<Vec<_>>().join(" ");
        if opens && !has_inner_capital(gram[0]) {
            return;
        }
        *self.forms.entry(text).or_default() += 1;
        self.inside += 1;
        self.capital += u32::from(gram.iter().all(|word| is_capitalised(word) || *word == "of"));
    }

    /// As most often written.
    fn form(&self) -> String {
        let most = self.forms.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
        most.map(|(form, _)| form.clone()).unwrap_or_default()
    }

    fn spread(&self) -> f64 {
        f64::from(self.stretches.count_ones()) / STRETCHES as f64
    }

    fn proper(&self) -> bool {
        self.inside > 0 && self.capital * 4 >= self.inside * 3
    }
}

fn bare(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

struct Run<'a> {
    words: Vec<&'a str>,
    opens: bool,
}

/// Runs of content words; `of` may stand between two of them.
fn runs(sentence: &str) -> Vec<Run<'_>> {
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    let mut runs = vec![Run { words: Vec::new(), opens: true }];
    for (index, token) in tokens.iter().enumerate() {
        let word = trim_word(token);
        let fresh = Run { words: Vec::new(), opens: false };
        let of = word == "of" && runs.last().is_some_and(|run| !run.words.is_empty());
        let content = word.chars().any(char::is_alphabetic) && !is_function_word(&lower(word));
        if token.starts_with(['"', '(', '“', '\'']) || !(content || of) {
            runs.push(fresh);
        }
        if content || of {
            let opens = index == 0;
            if let Some(run) = runs.last_mut() {
                run.opens = if run.words.is_empty() { opens } else { run.opens };
                run.words.push(word);
            }
        }
        if !token.ends_with(|c: char| c.is_alphanumeric()) {
            runs.push(Run { words: Vec::new(), opens: false });
        }
    }
    runs.retain(|run| !run.words.is_empty());
    runs
}

fn has_good_edges(gram: &[&str]) -> bool {
    if gram.len() > 1
        && gram
            .iter()
            .all(|word| is_capitalised(word) && *word != "I" && !is_function_word(&lower(word)))
    {
        return true;
    }
    let strong = |word: &&str| {
        let low = lower(word);
        let letter = gram.len() > 1 && low != "i" && low != "a" && is_capitalised(word);
        let weak = is_weak_word(&low)
            || low.contains("n't")
            || (low.chars().count() < 2 && !letter)
            || is_function_word(&low);
        let name = has_inner_capital(word) && !word.contains('\'') && !is_function_word(&low);
        let plain = !word.contains(['*', '`', '_', '#', '[', ']', '<', '>', '|', '\\', ','])
            && !word.contains("://");
        plain && (!weak || name) && !low.chars().next().is_some_and(|c| c.is_ascii_digit())
    };
    let generic = gram.iter().all(|word| is_generic_head(&lower(word)) && !has_inner_capital(word));
    if generic && gram.len() == 1 {
        return false;
    }
    gram.first().is_some_and(strong) && gram.last().is_some_and(strong)
}

fn wanted(terms: &[String], tally: &Tally, least: u32, names: &Names) -> bool {
    let proper = tally.proper();
    let needed = match (terms.len(), proper) {
        (1, true) => least,
        (1, false) => least + 2,
        (_, true) => least,
        (_, false) => 2,
    };
    let speaker = terms.iter().any(|term| names.is_speaker_token(term));
    let lone_name = matches!(terms, [one] if is_first_name(one));
    let short = matches!(terms, [one] if one.chars().count() < 3 && !proper);
    tally.own >= needed && !tally.forms.is_empty() && !speaker && !lone_name && !short
}

fn weigh(terms: &[String], tally: &Tally, total: usize) -> Phrase {
    let proper = tally.proper();
    let dense = f64::from(tally.own) / total.max(150) as f64;
    let shape = match (terms.len(), proper) {
        (1, true) => 1.4,
        (1, false) => 0.3 + (dense * 6.0).min(0.8),
        (2, true) => 1.9,
        (2, false) => 1.5,
        (_, true) => 2.0,
        (_, false) => 1.6,
    };
    let early = if tally.first * 10 < total { 1.25 } else { 1.0 };
    let score = shape * early * f64::from(tally.own).ln_1p() * (0.15 + tally.spread());
    Phrase { text: tally.form(), terms: terms.to_vec(), count: tally.count, proper, score }
}
