//! A production of Auphonic: metadata and chapters, as one request of its JSON API takes them.
//!
//! The format: <https://auphonic.com/help/api/details.html>. Invariant: fields that the episode has nothing for are left
//! out, so that what a preset says there stands. Absent: audio files, algorithms, services and keys, which are the preset's.

use super::{Export, Line, Mark, Text, pretty};
use serde::Serialize;

#[derive(Serialize)]
struct Production<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chapters: Vec<Chapter<'a>>,
    metadata: Metadata<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_basename: Option<&'a str>,
}

#[derive(Serialize)]
struct Chapter<'a> {
    start: String,
    title: &'a str,
}

#[derive(Serialize)]
struct Metadata<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    subtitle: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
}

impl<'a> Chapter<'a> {
    fn of(mark: &'a Mark) -> Self {
        Self { start: mark.clock_ms(), title: mark.title.as_str() }
    }
}

pub(super) fn write(export: &Export) -> Result<String, serde_json::Error> {
    pretty(&Production {
        chapters: export.chapters.iter().map(Chapter::of).collect(),
        metadata: Metadata {
            subtitle: export.subtitle.as_ref().map(Line::as_str),
            summary: export.summary.as_ref().map(Text::as_str),
            tags: export.tags.iter().map(Line::as_str).collect(),
            title: export.title.as_ref().map(Line::as_str),
        },
        output_basename: export.slug.as_ref().map(Line::as_str),
    })
}
