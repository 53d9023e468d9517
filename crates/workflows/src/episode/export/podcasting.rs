//! Podcasting 2.0 JSON chapters.
//!
//! The format: <https://github.com/Podcastindex-org/podcast-namespace/blob/main/chapters/jsonChapters.md>. Invariant: times
//! are seconds, as whole numbers where they are whole. Absent: pictures and links, which an episode's chapters do not have.

use super::{Export, Line, Mark, pretty};
use serde::Serialize;
use serde_json::Number;

/// The version of the format that is written.
const VERSION: &str = "1.2.0";

#[derive(Serialize)]
struct Chapters<'a> {
    chapters: Vec<Chapter<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Chapter<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    end_time: Option<Number>,
    start_time: Number,
    title: &'a str,
}

pub(super) fn write(export: &Export) -> Result<String, serde_json::Error> {
    pretty(&Chapters {
        chapters: export.chapters.iter().map(Chapter::of).collect(),
        title: export.title.as_ref().map(Line::as_str),
        version: VERSION,
    })
}

impl<'a> Chapter<'a> {
    fn of(mark: &'a Mark) -> Self {
        let Mark { start_ms, end_ms, title } = mark;
        Self {
            end_time: end_ms.map(seconds),
            start_time: seconds(*start_ms),
            title: title.as_str(),
        }
    }
}

fn seconds(ms: u64) -> Number {
    let fraction = (!ms.is_multiple_of(1000)).then(|| Number::from_f64(ms as f64 / 1000.0));
    fraction.flatten().unwrap_or_else(|| Number::from(ms / 1000))
}
