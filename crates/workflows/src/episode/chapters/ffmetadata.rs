//! Chapters in the metadata file of ffmpeg (`;FFMETADATA1`).
//!
//! The format: <https://ffmpeg.org/ffmpeg-formats.html#Metadata-2>. Invariant: only `[CHAPTER]`
//! sections are read, and a section that is no chapter is an error. Absent: all other metadata.

use super::{ChapterError, Found, line_place, refusal};

/// What ffmpeg writes for a time that nobody knows.
const UNKNOWN: &str = "-9223372036854775808";

/// A section as it is read; numbers are in units of the time base.
struct Section {
    line: usize,
    /// Seconds of one unit, as a fraction. Without a time base, times are nanoseconds.
    base: (f64, f64),
    start: Option<f64>,
    end: Option<f64>,
    title: String,
}

/// The chapters of an ffmetadata file.
pub(super) fn read(text: &str) -> Result<Vec<Found>, ChapterError> {
    let mut sections: Vec<Section> = Vec::new();
    let mut inside = false;
    for (number, line) in logical_lines(text) {
        if line.starts_with([';', '#']) {
            continue;
        }
        if line.starts_with('[') {
            inside = line.trim_end() == "[CHAPTER]";
            if inside {
                sections.push(Section {
                    line: number,
                    base: (1.0, 1e9),
                    start: None,
                    end: None,
                    title: String::new(),
                });
            }
        } else if let Some(section) = sections.last_mut().filter(|_| inside) {
            section.read(number, &line)?;
        }
    }
    sections.into_iter().map(Section::chapter).collect()
}

impl Section {
    fn read(&mut self, number: usize, line: &str) -> Result<(), ChapterError> {
        let (key, value) = key_and_value(line);
        let refused = |problem: &str| refusal(&line_place(number), problem);
        match key.trim() {
            "TIMEBASE" => {
                let parts = value.split_once('/').and_then(|(a, b)| Some((count(a)?, count(b)?)));
                let parts = parts.filter(|(a, b)| *a > 0.0 && *b > 0.0);
                self.base = parts
                    .ok_or_else(|| refused("expected TIMEBASE=1/1000 or the like; correct it"))?;
            }
            "START" => {
                let start = count(&value);
                self.start =
                    Some(start.ok_or_else(|| refused("expected START=number; correct it"))?);
            }
            "END" if value.trim() == UNKNOWN => self.end = None,
            "END" => {
                let end = count(&value);
                self.end = Some(end.ok_or_else(|| refused("expected END=number; correct it"))?);
            }
            // ffmpeg does not tell `title` from `TITLE` either.
            key if key.eq_ignore_ascii_case("title") => self.title = value,
            _ => {}
        }
        Ok(())
    }

    fn chapter(self) -> Result<Found, ChapterError> {
        let missing = || refusal(&line_place(self.line), "the chapter has no START; add it");
        let start = self.start.ok_or_else(missing)?;
        let (a, b) = self.base;
        let seconds = |count: f64| count * a / b;
        Ok(Found::at_line(self.line, self.title, seconds(start), self.end.map(seconds)))
    }
}

fn count(text: &str) -> Option<f64> {
    text.trim().parse::<u64>().ok().map(|count| count as f64)
}

/// Lines with their numbers; a backslash at the end of a line joins the next one to it.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut joined = false;
    for (at, line) in text.split('\n').enumerate() {
        match lines.last_mut().filter(|_| joined) {
            Some((_, before)) => {
                before.push('\n');
                before.push_str(line);
            }
            None => lines.push((at + 1, line.to_owned())),
        }
        joined = line.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1;
    }
    lines
}

/// Key and value with their escapes resolved; an escaped line end is a blank.
fn key_and_value(line: &str) -> (String, String) {
    let (mut key, mut value) = (String::new(), None::<String>);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        let c = match c {
            '=' if value.is_none() => {
                value = Some(String::new());
                continue;
            }
            '\\' => chars.next().map_or('\\', |c| if c == '\n' { ' ' } else { c }),
            c => c,
        };
        value.as_mut().unwrap_or(&mut key).push(c);
    }
    (key, value.unwrap_or_default())
}
