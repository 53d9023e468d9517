//! The description of a YouTube video, with the lines that YouTube makes chapters of.
//!
//! The rules: <https://support.google.com/youtube/answer/9884579> (first at 0:00, three at least, each of 10 seconds at
//! least) and <https://support.google.com/youtube/answer/12948449> (5000 characters, no angle brackets). Invariant: a
//! text that has lines with times already gets no more of them. Absent: a chapter at 0:00 that nobody named.

use super::{Document, Export, Text};
use crate::episode::clock;

const LEAST_CHAPTERS: usize = 3;
const SHORTEST_MS: u64 = 10_000;
const MOST_CHARACTERS: usize = 5_000;

pub(super) fn write(export: &Export) -> Document {
    let mut text = export.youtube.as_ref().map_or("", Text::as_str).to_owned();
    if times(&text).is_empty() && !export.chapters.is_empty() {
        let line =
            |mark: &super::Mark| format!("\n{} {}", short(mark.start_ms), mark.title.as_str());
        text.push('\n');
        text.extend(export.chapters.iter().map(line));
    }
    let text = text.replace('<', "‹").replace('>', "›") + "\n";
    let remarks = remarks(&text);
    Document { text, remarks }
}

/// `M:SS`, with hours where there are any.
fn short(ms: u64) -> String {
    let seconds = ms / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// The times that lines begin with, in milliseconds.
pub(super) fn times(text: &str) -> Vec<u64> {
    let time = |line: &str| {
        let line = line.trim_start().trim_start_matches(['-', '*', '(', '[']).trim_start();
        let word = line.split_whitespace().next()?;
        clock::parse(word.trim_end_matches([')', ']', ':', '-']))
    };
    text.lines().filter_map(time).collect()
}

fn remarks(text: &str) -> Vec<String> {
    let times = times(text);
    let mut broken = Vec::new();
    if !times.is_empty() {
        if times.first() != Some(&0) {
            broken.push("the first begins at 0:00".to_owned());
        }
        if times.len() < LEAST_CHAPTERS {
            broken.push(format!("there are at least {LEAST_CHAPTERS}"));
        }
        if times.windows(2).any(|pair| pair[1] < pair[0].saturating_add(SHORTEST_MS)) {
            broken.push(format!("each has at least {} seconds", SHORTEST_MS / 1000));
        }
    }
    let mut remarks: Vec<String> = broken
        .into_iter()
        .map(|rule| format!("YouTube shows no chapters unless {rule}; give other chapters"))
        .collect();
    let characters = text.trim_end().chars().count();
    if characters > MOST_CHARACTERS {
        remarks.push(format!(
            "YouTube takes {MOST_CHARACTERS} characters and this has {characters}; shorten the text"
        ));
    }
    remarks
}
