//! Summaries of chunks and of the episode: sentences, names, topics and links, all taken from it.
//!
//! Invariant: every sentence is one of the transcript's that passes the show notes' sentence rules.
//! Absent here: timing of chunks, files.

use std::collections::BTreeSet;

use redraft_workflows::episode::Link;

use super::episode::{Episode, Sentence};
use super::rank::overlap;
use super::rubric::rubric;
use super::sentences::{key, split};
use super::write::pick::{Choice, best, in_order, is_clean};

/// What one chunk says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkDigest {
    /// One paragraph.
    pub summary_markdown: String,
    /// Its best sentences, in order.
    pub bullets: Vec<String>,
    /// Names and products in it.
    pub entities: Vec<String>,
    /// Links whose words or address stand in it.
    pub links: Vec<Link>,
}

/// What the episode says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpisodeDigest {
    /// One paragraph.
    pub summary_markdown: String,
    /// Its best sentences, in order.
    pub key_points: Vec<String>,
    /// Its key phrases, best first.
    pub topics: Vec<String>,
    /// Its links.
    pub links: Vec<Link>,
}

/// Digests one chunk of the transcript's text; speaker labels at the start of lines are no part of it.
#[must_use]
pub fn summarize_chunk(text: &str, episode: &Episode) -> ChunkDigest {
    let spoken: Vec<&str> = text.lines().map(|line| without_speaker(line, episode)).collect();
    let spoken = spoken.join("\n");
    let pieces: BTreeSet<String> =
        split(&spoken).map(|sentence| key(&sentence).to_owned()).collect();
    let rules = rubric("shownotes");
    let within = episode.best().filter(|sentence| pieces.contains(key(&sentence.text)));
    let clean =
        within.filter(|sentence| rules.is_none_or(|rubric| is_clean(rubric, &sentence.text)));
    let chosen = distinct(clean, 5);
    let summary = in_order(chosen.iter().take(2).copied().collect());
    ChunkDigest {
        summary_markdown: summary.join(" "),
        bullets: in_order(chosen),
        entities: entities(&spoken, episode),
        links: episode.links.iter().filter(|link| mentions(&spoken, link)).cloned().collect(),
    }
}

/// Digests the whole episode.
#[must_use]
pub fn summarize_episode(episode: &Episode) -> EpisodeDigest {
    let choice = Choice { rules: rubric("shownotes"), ..Choice::free() };
    let chosen = best(episode, 8, &choice);
    let summary = in_order(chosen.iter().take(3).copied().collect());
    EpisodeDigest {
        summary_markdown: summary.join(" "),
        key_points: in_order(chosen),
        topics: episode.phrases.iter().take(12).map(|phrase| phrase.text.clone()).collect(),
        links: episode.links.clone(),
    }
}

fn distinct<'a>(sentences: impl Iterator<Item = &'a Sentence>, count: usize) -> Vec<&'a Sentence> {
    let mut chosen: Vec<&Sentence> = Vec::new();
    for sentence in sentences {
        let same = chosen.iter().any(|other| overlap(&other.content, &sentence.content) > 0.6);
        if chosen.len() < count && !same {
            chosen.push(sentence);
        }
    }
    chosen
}

fn without_speaker<'a>(line: &'a str, episode: &Episode) -> &'a str {
    let bare = line.trim().trim_start_matches('*');
    let Some((name, rest)) = bare.split_once(':') else { return line };
    if episode.names.is_speaker(name.trim()) { rest.trim_start_matches('*').trim() } else { line }
}

fn entities(text: &str, episode: &Episode) -> Vec<String> {
    let people = episode.names.all().into_iter().map(str::to_owned);
    let proper =
        episode.phrases.iter().filter(|phrase| phrase.proper).map(|phrase| phrase.text.clone());
    people.chain(proper).filter(|name| text.contains(name.as_str())).collect()
}

fn mentions(text: &str, link: &Link) -> bool {
    text.contains(&link.url) || text.contains(&link.label)
}
