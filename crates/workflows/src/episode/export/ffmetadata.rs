//! The metadata file of ffmpeg, for `ffmpeg -i AUDIO -i FILE -map_metadata 1 -map_chapters 1`.
//!
//! The format: <https://ffmpeg.org/ffmpeg-formats.html#Metadata-2>. Invariant: every chapter has an END, since ffmpeg takes
//! the line behind START for it and would lose the title. Absent: all metadata but title and description.

use super::{Export, Mark};

/// What ffmpeg itself writes for a time that nobody knows.
const UNKNOWN: &str = "-9223372036854775808";

pub(super) fn write(export: &Export) -> String {
    let mut text = String::from(";FFMETADATA1\n");
    if let Some(title) = &export.title {
        text += &format!("title={}\n", escaped(title.as_str()));
    }
    if let Some(summary) = &export.summary {
        text += &format!("description={}\n", escaped(summary.as_str()));
    }
    let next = export.chapters.iter().skip(1).map(|next| Some(next.start_ms)).chain([None]);
    for (Mark { start_ms, end_ms, title }, next) in export.chapters.iter().zip(next) {
        let end = end_ms.or(next).map_or_else(|| UNKNOWN.to_owned(), |end| end.to_string());
        let title = escaped(title.as_str());
        text +=
            &format!("[CHAPTER]\nTIMEBASE=1/1000\nSTART={start_ms}\nEND={end}\ntitle={title}\n");
    }
    text
}

fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        if matches!(c, '=' | ';' | '#' | '\\' | '\n') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    // ffmpeg 5 takes any line end behind a backslash for an escaped one, and would swallow the next line.
    if escaped.ends_with('\\') {
        escaped.push(' ');
    }
    escaped
}
