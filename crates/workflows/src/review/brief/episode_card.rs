//! What is known of an episode beside its words: the part `episode` of every prompt.
//!
//! Absent here: where it is known from.

use crate::{
    Part,
    review::{
        episode_yaml::EpisodeYaml,
        model::Chapter,
        names::{Names, Term},
    },
};
use serde::Serialize;

/// What is known of an episode.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EpisodeCard<'a> {
    episode_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    hosts: &'a [String],
    guests: &'a [String],
    speakers_in_transcript: &'a [String],
    glossary: &'a [Term],
    chapters: Vec<Mark<'a>>,
    editorial_notes: &'a [String],
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Mark<'a> {
    /// `1:02:03`, or `2:03` in the first hour, as people and platforms write it.
    start: String,
    title: &'a str,
}

impl<'a> EpisodeCard<'a> {
    /// What a person, the transcript and the chapters say.
    pub fn new(yaml: &'a EpisodeYaml, names: &'a Names, chapters: &'a [Chapter]) -> Self {
        let mark =
            |chapter: &'a Chapter| Mark { start: clock(chapter.start_sec), title: &chapter.title };
        Self {
            episode_id: &yaml.episode_id,
            title: yaml.title.as_deref(),
            hosts: &names.hosts,
            guests: &names.guests,
            speakers_in_transcript: &names.speakers,
            glossary: &names.glossary,
            chapters: chapters.iter().map(mark).collect(),
            editorial_notes: &yaml.editorial_notes,
        }
    }

    /// The part of a prompt, as JSON.
    pub fn part(&self) -> Part {
        // Texts are always JSON.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Part::new("episode", text)
    }
}

fn clock(seconds: f64) -> String {
    // Saturates: no chapter begins later than a clock can show.
    let seconds = seconds as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
