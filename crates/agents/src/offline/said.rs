//! What was said: the test whether a sentence or a word of a text is in the transcript.
//!
//! Invariant: built from the whole transcript, whatever its length; nothing is sampled.
//! Absent here: ranking, and any tolerance (a sentence is said word for word or it is not).

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use redraft_workflows::episode::{Chapter, Transcript};

use super::sentences::{key, split, without_connective};
use super::words::{parts, words};

/// Sentences and words of an episode, for lookup.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Said {
    sentences: BTreeSet<u64>,
    words: BTreeSet<String>,
}

impl Said {
    /// Reads the whole episode; chapter titles and speakers count as words of it.
    pub(crate) fn new(transcript: &Transcript, chapters: &[Chapter]) -> Self {
        let mut said = Self::default();
        for turn in &transcript.turns {
            for sentence in split(&turn.text) {
                said.sentences.insert(hash(key(&sentence)));
                said.sentences.extend(without_connective(&sentence).map(|rest| hash(key(rest))));
            }
            said.add_words(&turn.text);
            said.add_words(turn.speaker.as_deref().unwrap_or_default());
        }
        for title in chapters.iter().map(|chapter| &chapter.title) {
            said.add_words(title);
        }
        for link in &transcript.links {
            said.add_words(&link.label);
        }
        said
    }

    fn add_words(&mut self, text: &str) {
        let owners = words(text)
            .filter_map(|word| word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")));
        for part in parts(text).into_iter().chain(owners.flat_map(parts)) {
            if !self.words.contains(&part) {
                self.words.insert(part);
            }
        }
    }

    /// Whether `sentence` was said word for word (white space and the final full stops aside).
    pub(crate) fn has_sentence(&self, sentence: &str) -> bool {
        self.sentences.contains(&hash(key(sentence)))
    }

    /// Whether every alphanumeric part of `word` was said, in any case.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        parts(word).iter().all(|part| self.words.contains(part))
    }
}

// `DefaultHasher::new` has fixed keys: the same text gives the same hash in every run.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
