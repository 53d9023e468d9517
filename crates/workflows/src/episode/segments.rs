//! Podcasting 2.0 JSON transcripts: a list of segments with times, speakers and text.
//!
//! The format: <https://github.com/Podcastindex-org/podcast-namespace/blob/main/transcripts/transcripts.md>.
//! Invariant: each refusal names its JSON path. Fields that are not used here are left alone. Absent:
//! lines and columns, which JSON values do not keep.

use serde_json::Value;

use super::markers;
use super::passage::Passage;
use super::plain;
use super::transcript::TranscriptError;
use super::turns::Part;

/// Whether a text begins as a JSON object does.
pub(super) fn looks_like_json(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix('{');
    rest.is_some_and(|rest| rest.trim_start().starts_with('"'))
}

/// The parts of a JSON transcript.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, TranscriptError> {
    let document: Value = serde_json::from_str(text)?;
    let segments = document.get("segments").and_then(Value::as_array);
    let segments = segments.ok_or_else(|| refusal("segments", "expected a list"))?;
    let mut parts = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        segment_parts(segment, &format!("segments[{at}]"), &mut parts)?;
    }
    Ok(parts)
}

fn segment_parts(
    segment: &Value,
    path: &str,
    parts: &mut Vec<Part>,
) -> Result<(), TranscriptError> {
    let start = segment.get("startTime").and_then(Value::as_f64).filter(|start| *start >= 0.0);
    let start = start
        .ok_or_else(|| refusal(&format!("{path}.startTime"), "expected seconds, at least 0"))?;
    let body = segment.get("body").and_then(Value::as_str);
    let body = body.ok_or_else(|| refusal(&format!("{path}.body"), "expected text"))?;
    // Saturates: a float that no clock shows is as good as the last millisecond.
    parts.push(Part::Cue((start * 1000.0).round() as u64));
    match segment.get("speaker") {
        None | Some(Value::Null) => parts.push(Part::Nobody),
        Some(Value::String(name)) if name.trim().is_empty() => parts.push(Part::Nobody),
        Some(Value::String(name)) => parts.push(Part::Speaker(Passage::new(name, 0))),
        Some(_) => return Err(refusal(&format!("{path}.speaker"), "expected text")),
    }
    let line = Passage::new(&plain::unescaped_brackets(body), 0);
    if let Err(bad) = markers::pieces(&line) {
        return Err(refusal(&format!("{path}.body"), &format!("`{}` is no time", bad.found)));
    }
    parts.push(Part::Line(line));
    Ok(())
}

fn refusal(path: &str, problem: &str) -> TranscriptError {
    TranscriptError::Segment { path: path.to_owned(), problem: problem.to_owned() }
}
