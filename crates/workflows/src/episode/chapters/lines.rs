//! Chapters as lines: a time, then a title, as people write them under a video or for mp4chaps.
//!
//! Invariant: every line that is not blank is a chapter or an error. Absent: ends.

use super::super::{clock, plain};
use super::{ChapterError, Found, line_place, refusal};

/// The chapters of a text of lines.
pub(super) fn read(text: &str) -> Result<Vec<Found>, ChapterError> {
    let lines = text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| chapter(at + 1, line)).collect()
}

fn chapter(number: usize, line: &str) -> Result<Found, ChapterError> {
    let line = plain::unescaped_brackets(line);
    let line = line.trim();
    let (time, title) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let bare = time.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    let Some(ms) = clock::parse(bare) else {
        let problem =
            format!("`{}` is no time; write `HH:MM:SS Title` or `MM:SS Title`", start_of(time));
        return Err(refusal(&line_place(number), &problem));
    };
    Ok(Found::at_line(number, without_frame(title).to_owned(), clock::seconds(ms), None))
}

/// The title without a dash before it and without an address in angle brackets behind it.
fn without_frame(title: &str) -> &str {
    let title = title.trim();
    let dash = title.strip_prefix(['-', '–', '—', '|']).filter(|rest| rest.starts_with(' '));
    let title = dash.unwrap_or(title).trim();
    let address = title.strip_suffix('>').and_then(|rest| rest.rsplit_once('<'));
    match address {
        Some((title, address)) if address.starts_with("http") => title.trim(),
        Some(_) | None => title,
    }
}

fn start_of(text: &str) -> String {
    text.chars().take(40).collect()
}
