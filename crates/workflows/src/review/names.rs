//! The names of an episode: who takes part, and how things are spelled.
//!
//! Invariant: a name comes from `episode.yaml` or the transcript, as it stands there.
//! Absent here: what a text may do with them; see `checks`.

use super::episode_yaml::EpisodeYaml;
use serde::Serialize;

/// A name or word whose spelling is settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Term {
    /// As it is spelled.
    pub term: String,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// As it is not spelled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<String>,
}

/// The names of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Names {
    /// Who hosts it, by `episode.yaml`.
    pub hosts: Vec<String>,
    /// Who is a guest, by `episode.yaml`.
    pub guests: Vec<String>,
    /// Who speaks, by the transcript.
    pub speakers: Vec<String>,
    /// The glossary.
    pub glossary: Vec<Term>,
}

/// Names that transcripts give to voices they do not know.
const NOBODY: [&str; 12] = [
    "host",
    "cohost",
    "guest",
    "speaker",
    "unknown",
    "interviewer",
    "interviewee",
    "moderator",
    "narrator",
    "voice",
    "man",
    "woman",
];

impl Names {
    /// The names of an episode with these speakers in its transcript.
    pub fn new(yaml: &EpisodeYaml, speakers: &[&str]) -> Self {
        Self {
            hosts: yaml.hosts.clone(),
            guests: yaml.guests.clone(),
            speakers: speakers.iter().map(|name| (*name).to_owned()).collect(),
            glossary: yaml.glossary.clone(),
        }
    }

    /// Whether a person has given any of them.
    pub fn are_given(&self) -> bool {
        !self.hosts.is_empty() || !self.guests.is_empty() || !self.glossary.is_empty()
    }

    /// Everybody who takes part, as far as known, without the title behind a comma.
    pub(super) fn people(&self) -> impl Iterator<Item = &str> {
        let all = self.hosts.iter().chain(&self.guests).chain(&self.speakers);
        all.map(|name| without_title(name)).filter(|name| is_somebody(name))
    }

    /// The hosts and guests that a person has given, without the title behind a comma.
    pub(super) fn given_people(&self) -> impl Iterator<Item = &str> {
        self.hosts.iter().chain(&self.guests).map(|name| without_title(name))
    }

    /// Whether it is known who takes part, so that anybody else is made up.
    pub(super) fn people_are_known(&self) -> bool {
        let speakers = &self.speakers;
        let all_named = speakers.iter().all(|name| is_somebody(without_title(name)));
        !self.guests.is_empty() || (!speakers.is_empty() && all_named)
    }
}

/// `Mireille Reece` for `Mireille Reece, Psy.D`.
fn without_title(name: &str) -> &str {
    name.split(',').next().unwrap_or(name).trim()
}

/// Whether a name is a person's, and no `Speaker 2`.
fn is_somebody(name: &str) -> bool {
    let letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let words = name.split_whitespace().map(|word| letters(word).to_lowercase());
    let mut words = words.filter(|word| word.chars().count() > 1);
    words.any(|word| !NOBODY.contains(&word.as_str()))
}
