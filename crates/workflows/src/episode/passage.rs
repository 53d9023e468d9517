//! A stretch of text that still knows which bytes of the file it came from.
//!
//! Invariant: the text holds no control character; line ends and tabs are blanks. Absent: markup,
//! which is gone before text comes here; markers are still in it.

/// Text gathered from one or more places of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Passage {
    text: String,
    /// Where in the text each gathered run begins, and where in the source.
    runs: Vec<(usize, usize)>,
}

impl Passage {
    /// A passage of one run that begins at byte `source`.
    pub(super) fn new(text: &str, source: usize) -> Self {
        let mut passage = Self::default();
        passage.push(text, source);
        passage
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Adds a run; control characters become blanks.
    pub(super) fn push(&mut self, text: &str, source: usize) {
        self.runs.push((self.text.len(), source));
        self.text.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
    }

    /// Adds another passage behind this one, as it stands.
    pub(super) fn append(&mut self, other: &Passage) {
        let length = self.text.len();
        self.runs.extend(other.runs.iter().map(|(at, source)| (length + at, *source)));
        self.text.push_str(&other.text);
    }

    /// Puts brackets round the last `length` bytes, so that a bare time reads as a marker.
    pub(super) fn bracket_tail(&mut self, length: usize) {
        let start = self.text.len().saturating_sub(length);
        if self.text.is_char_boundary(start) {
            self.text.insert(start, '[');
            self.text.push(']');
        }
    }

    /// The part from byte `at` of the text to its end; empty when `at` is no character boundary.
    pub(super) fn from(&self, at: usize) -> Passage {
        self.slice(at, self.text.len())
    }

    /// The part of the text between two byte offsets.
    pub(super) fn slice(&self, start: usize, end: usize) -> Passage {
        Passage::new(self.text.get(start..end).unwrap_or_default(), self.source_at(start))
    }

    /// The byte of the source that byte `at` of the text came from.
    pub(super) fn source_at(&self, at: usize) -> usize {
        let run = self.runs.iter().rev().find(|(start, _)| *start <= at);
        run.map_or(0, |(start, source)| source + (at - start))
    }
}
