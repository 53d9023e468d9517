//! Who speaks, who is a guest, and which names a text must spell as the transcript does.
//!
//! Invariant: a name comes from the transcript as it stands there. Absent here: any list of names, and
//! any guess at a name's meaning.

use std::collections::BTreeMap;

use redraft_workflows::episode::Transcript;

use super::lexicon::labels;
use super::said::Said;
use super::words::{fold, is_capitalised, lower, trim_word, words};

/// A speaker of the episode.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Speaker {
    /// The name as the transcript spells it, without a title after a comma.
    pub(crate) name: String,
    /// Words spoken.
    pub(crate) words: usize,
    /// Sentences that end with a question mark, per 1000 words.
    pub(crate) asks: usize,
    /// Whether this speaker answers rather than asks.
    pub(crate) guest: bool,
}

/// The names of an episode.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Names {
    /// Speakers in the order of their first turn.
    pub(crate) speakers: Vec<Speaker>,
    /// Every token of a name that must be spelled right: of speakers, and of people and products
    /// named at least twice.
    known: Vec<String>,
}

impl Names {
    /// Speakers and prominent names of `transcript`; `prominent` are further tokens to guard.
    pub(crate) fn new(transcript: &Transcript, prominent: Vec<String>) -> Self {
        let speakers = with_guests(count_speakers(transcript));
        let mut known: Vec<String> = speakers
            .iter()
            .flat_map(|speaker| words(&speaker.name))
            .map(str::to_owned)
            .chain(prominent)
            .filter(|token| token.chars().count() >= 4)
            .collect();
        known.sort();
        known.dedup();
        Self { speakers, known }
    }

    /// The people an asset names first: the guests, or everybody where nobody is one.
    pub(crate) fn billed(&self) -> Vec<&str> {
        let guests: Vec<&str> =
            self.speakers.iter().filter(|s| s.guest).map(|s| s.name.as_str()).collect();
        if guests.is_empty() { self.all() } else { guests }
    }

    /// All speakers, guests first.
    pub(crate) fn all(&self) -> Vec<&str> {
        let mut order: Vec<&Speaker> = self.speakers.iter().collect();
        order.sort_by_key(|speaker| !speaker.guest);
        order.into_iter().map(|speaker| speaker.name.as_str()).collect()
    }

    /// Whether the speaker called `name` in the transcript is a guest.
    pub(crate) fn is_guest(&self, name: &str) -> bool {
        self.speakers.iter().any(|speaker| speaker.guest && speaker.name == short_name(name))
    }

    /// Whether `text` names a speaker, by full name or by surname.
    pub(crate) fn mentioned_in(&self, text: &str) -> bool {
        self.speakers.iter().any(|speaker| {
            text.contains(&speaker.name)
                || words(&speaker.name)
                    .last()
                    .is_some_and(|last| words(text).any(|word| word == last))
        })
    }

    /// Whether `name` is a speaker as the transcript writes it.
    pub(crate) fn is_speaker(&self, name: &str) -> bool {
        self.speakers.iter().any(|speaker| speaker.name == short_name(name))
    }

    /// Above 1 for an early sentence that says who a speaker is.
    pub(crate) fn introduction(&self, sentence: &str, place: f64) -> f64 {
        let full = self.speakers.iter().any(|s| s.name.contains(' ') && sentence.contains(&s.name));
        let first = self.speakers.iter().any(|s| words(&s.name).next() == words(sentence).next());
        let tells = [
            " is a ",
            " is an ",
            " is the ",
            ", who ",
            ", CEO",
            ", CTO",
            ", founder",
            ", co-founder",
        ];
        let role = tells.iter().any(|mark| sentence.contains(mark));
        match (place < 0.12, full, first && role) {
            (true, true, _) => {
                if role {
                    3.5
                } else {
                    1.5
                }
            }
            (true, _, true) => 1.8,
            _ => 1.0,
        }
    }

    /// Below 1 for a sentence that speaks to another speaker by name: `Adam, you just …`.
    pub(crate) fn address(&self, sentence: &str) -> f64 {
        let firsts = self.speakers.iter().filter_map(|s| words(&s.name).next());
        let mut spoken_to = firsts.map(|first| {
            sentence.starts_with(&format!("{first},"))
                || sentence.contains(&format!(", {first},"))
                || sentence.contains(&format!(", {first}."))
                || sentence.contains(&format!(", {first}?"))
        });
        if spoken_to.any(|to| to) { 0.02 } else { 1.0 }
    }

    /// Whether `word` (lower case) belongs to a speaker's name.
    pub(crate) fn is_speaker_token(&self, word: &str) -> bool {
        self.speakers.iter().flat_map(|s| words(&s.name)).any(|token| fold(token) == fold(word))
    }

    /// The right spelling of `word` when it looks like a known name and was never said.
    pub(crate) fn correction(&self, word: &str, said: &Said) -> Option<&str> {
        let fits = is_capitalised(word)
            && word.chars().count() >= 4
            && word.chars().all(char::is_alphabetic);
        let label = labels().any(|label| words(label).any(|part| part == word));
        if !fits || label || said.has_word(word) {
            return None;
        }
        let reach = if word.chars().count() >= 7 { 2 } else { 1 };
        let near = self.known.iter().map(|name| (distance(&lower(name), &lower(word)), name));
        near.filter(|(steps, _)| *steps <= reach).min().map(|(_, name)| name.as_str())
    }

    /// The misspelled names of `text` with their right spelling; hashtags are no names.
    pub(crate) fn misspelled<'a>(&'a self, text: &'a str, said: &Said) -> Vec<(&'a str, &'a str)> {
        let tokens = text.split_whitespace().filter(|token| !token.starts_with('#'));
        let words = tokens.flat_map(|token| token.split(|c: char| !c.is_alphanumeric()));
        words.filter_map(|word| Some((word, self.correction(word, said)?))).collect()
    }

    /// `text` with every misspelled name put right.
    pub(crate) fn corrected(&self, text: &str, said: &Said) -> String {
        let mut fixed = String::with_capacity(text.len());
        for piece in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let word = trim_word(piece);
            let tag = fixed.ends_with('#');
            match self.correction(word, said) {
                Some(right) if !tag => fixed.push_str(&piece.replacen(word, right, 1)),
                _ => fixed.push_str(piece),
            }
        }
        fixed
    }
}

fn count_speakers(transcript: &Transcript) -> Vec<Speaker> {
    let mut speakers: Vec<Speaker> = Vec::new();
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    for turn in &transcript.turns {
        let Some(name) = turn.speaker.as_deref().map(short_name).filter(|name| !name.is_empty())
        else {
            continue;
        };
        let at = *index.entry(name).or_insert(speakers.len());
        if at == speakers.len() {
            speakers.push(Speaker { name: name.to_owned(), words: 0, asks: 0, guest: false });
        }
        speakers[at].words += turn.text.split_whitespace().count();
        speakers[at].asks += turn.text.matches('?').count();
    }
    speakers
}

/// `Mireille B. Reece` for `Mireille B. Reece, Psy.D`.
fn short_name(name: &str) -> &str {
    name.split(',').next().unwrap_or(name).trim()
}

/// Marks as guests those who ask clearly less than the speaker who opens the episode.
fn with_guests(mut speakers: Vec<Speaker>) -> Vec<Speaker> {
    for speaker in &mut speakers {
        speaker.asks = speaker.asks * 1000 / speaker.words.max(1);
    }
    let total: usize = speakers.iter().map(|speaker| speaker.words).sum();
    let host_asks = speakers.first().map_or(0, |speaker| speaker.asks);
    for speaker in speakers.iter_mut().skip(1) {
        speaker.guest = speaker.words * 20 > total && speaker.asks * 2 < host_asks;
    }
    speakers
}

/// Edits (insert, remove, replace, swap of neighbours) between two words; stops counting above 3.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 || a.len() > 40 {
        return 4;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = step(&rows, &a, &b, i, j);
        }
    }
    rows[a.len()][b.len()]
}

fn step(rows: &[Vec<usize>], a: &[char], b: &[char], i: usize, j: usize) -> usize {
    if i == 0 || j == 0 {
        return i + j;
    }
    let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
    let best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
    if swapped { best.min(rows[i - 2][j - 2] + 1) } else { best }
}
