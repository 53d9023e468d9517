//! A name as it is looked for: its words without case and accents, and what stands between them.
//!
//! Invariant: a place is a run of whole words. `C++` is found with its marks only.
//! Absent here: which of the places are mistakes.

use std::ops::Range;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    at: Range<usize>,
    /// Lower case, without accents.
    folded: String,
}

/// A name to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    text: String,
    folded: Vec<String>,
    /// Before, between and behind the words; one more than there are words.
    gaps: Vec<String>,
}

/// The words of a text, letters and digits with their accents.
pub(super) fn words(text: &str) -> Vec<Word> {
    let inside = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    let mut words: Vec<Word> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| inside(*c)) {
        let end = at + c.len_utf8();
        match words.last_mut().filter(|word| word.at.end == at) {
            Some(word) => word.at.end = end,
            None => words.push(Word { at: at..end, folded: String::new() }),
        }
    }
    words.iter_mut().for_each(|word| word.folded = folded(&text[word.at.clone()]));
    words
}

impl Pattern {
    pub(super) fn new(name: &str) -> Self {
        let words = words(name);
        let ends = std::iter::once(0).chain(words.iter().map(|word| word.at.end));
        let starts = words.iter().map(|word| word.at.start).chain([name.len()]);
        let gaps = ends.zip(starts).map(|(from, to)| gap(&name[from..to])).collect();
        let folded = words.into_iter().map(|word| word.folded).collect();
        Self { text: name.to_owned(), folded, gaps }
    }

    /// Where the name stands in a text with these words, in whatever case and with whatever accents.
    pub(super) fn places(&self, text: &str, words: &[Word]) -> Vec<Range<usize>> {
        if self.folded.is_empty() {
            return Vec::new();
        }
        words.windows(self.folded.len()).filter_map(|window| self.place(text, window)).collect()
    }

    fn place(&self, text: &str, window: &[Word]) -> Option<Range<usize>> {
        let same = window.iter().zip(&self.folded).all(|(word, folded)| word.folded == *folded);
        let (first, last) = (window.first()?, window.last()?);
        let (before, behind) = (self.gaps.first()?, self.gaps.last()?);
        let start = first.at.start.checked_sub(before.len())?;
        let end = last.at.end + behind.len();
        let edges = text.get(start..first.at.start) == Some(before)
            && text.get(last.at.end..end) == Some(behind);
        let inner = self.gaps.get(1..self.gaps.len() - 1)?;
        let between = window.windows(2).zip(inner).all(|(pair, inner)| match pair {
            [a, b] => gap(&text[a.at.end..b.at.start]) == *inner,
            _ => false,
        });
        (same && edges && between).then_some(start..end)
    }

    /// Whether only case and accents tell the two apart.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.folded == other.folded && self.gaps == other.gaps
    }

    /// Whether it is one word with a capital in front and nothing else to tell it: `Go`, `Mark`.
    pub(super) fn is_capitalised_word(&self) -> bool {
        let mut letters = self.text.chars();
        self.folded.len() == 1
            && letters.next().is_some_and(char::is_uppercase)
            && letters.all(|c| c.is_lowercase() || is_combining_mark(c))
    }

    /// Whether it has no capital.
    pub(super) fn is_lower_case(&self) -> bool {
        !self.text.chars().any(char::is_uppercase)
    }

    /// Whether a spelling of it differs in the first letters of words only.
    pub(super) fn differs_in_initials_only(&self, written: &str) -> bool {
        let mut head = true;
        let same = |(a, b): (char, char)| {
            let initial = std::mem::replace(&mut head, !a.is_alphanumeric());
            a == b || (initial && a.to_lowercase().eq(b.to_lowercase()))
        };
        self.text.chars().count() == written.chars().count()
            && self.text.chars().zip(written.chars()).all(same)
    }
}

/// What stands between words; blanks of any width count as one, apostrophes as straight ones.
fn gap(text: &str) -> String {
    if !text.is_empty() && text.chars().all(char::is_whitespace) && text.matches('\n').count() < 2 {
        return " ".to_owned();
    }
    text.replace('’', "'")
}

/// Lower case and without accents.
pub(super) fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let plain = |c: char| match c {
        'ß' => "ss".to_owned(),
        'ø' => "o".to_owned(),
        'ł' => "l".to_owned(),
        'đ' => "d".to_owned(),
        'ı' => "i".to_owned(),
        'æ' => "ae".to_owned(),
        'œ' => "oe".to_owned(),
        c => c.to_string(),
    };
    let lower = word.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase);
    lower.map(plain).collect()
}
