//! An answer, counted.
//!
//! Invariant: an answer is counted once, in time in proportion to its length. Where people count differently, both
//! counts are kept, and only what is wrong by either is wrong.
//! Absent here: limits.

use super::{check::Unit, language::Language};
use std::{cell::OnceCell, ops::RangeInclusive};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// An answer with what has been counted in it.
pub(super) struct Measured<'a> {
    /// The answer without blanks around it.
    pub(super) text: &'a str,
    /// It in one case and with one kind of blanks and quotation marks.
    pub(super) folded: String,
    /// The same without Markdown's emphasis.
    pub(super) bare: String,
    /// What its lines are.
    pub(super) lines: Lines<'a>,
    counts: [RangeInclusive<usize>; Unit::ALL.len()],
    language: OnceCell<Option<Language>>,
    json: OnceCell<Result<serde_json::Value, serde_json::Error>>,
}

impl<'a> Measured<'a> {
    /// Counts.
    pub(super) fn new(answer: &'a str) -> Self {
        let text = answer.trim();
        let lines = Lines::of(text);
        let folded = fold(text);
        let bare = folded.replace(['*', '_', '`'], "");
        let counts = Unit::ALL.map(|unit| count(unit, text, &lines));
        Self { text, folded, bare, lines, counts, language: OnceCell::new(), json: OnceCell::new() }
    }

    /// How many there are, from the strictest count to the most generous.
    pub(super) fn count(&self, unit: Unit) -> RangeInclusive<usize> {
        let at = Unit::ALL.iter().position(|known| *known == unit);
        at.and_then(|at| self.counts.get(at)).cloned().unwrap_or(0..=usize::MAX)
    }

    /// The language it is in, where that can be told.
    pub(super) fn language(&self) -> Option<Language> {
        *self.language.get_or_init(|| Language::of(self.text))
    }

    /// It as JSON.
    pub(super) fn json(&self) -> &Result<serde_json::Value, serde_json::Error> {
        self.json.get_or_init(|| serde_json::from_str(self.text))
    }
}

/// A text in one case, with one kind of blanks, quotation marks and dashes.
pub(in crate::solve) fn fold(text: &str) -> String {
    // Composing leaves ASCII as it is, and takes several times as long as all the rest.
    if text.is_ascii() {
        return folded(text.chars().map(|sign| sign.to_ascii_lowercase()), text.len());
    }
    folded(text.nfc().flat_map(char::to_lowercase), text.len())
}

fn folded(signs: impl Iterator<Item = char>, length: usize) -> String {
    let mut folded = String::with_capacity(length);
    for sign in signs {
        match sign {
            '’' | '‘' | '‚' => folded.push('\''),
            '“' | '”' | '„' | '«' | '»' => folded.push('"'),
            '‐' | '‑' | '–' | '—' => folded.push('-'),
            blank if blank.is_whitespace() => {
                if !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            other => folded.push(other),
        }
    }
    folded.trim().to_owned()
}

/// Lines by what Markdown makes of them; code is none of them.
#[derive(Default)]
pub(super) struct Lines<'a> {
    /// Every line outside code.
    pub(super) prose: Vec<&'a str>,
    /// Indents of lines with bullets.
    pub(super) bullets: Vec<usize>,
    /// Indents of lines with numbers.
    pub(super) numbers: Vec<usize>,
    /// Lines that begin with `#`.
    pub(super) headings: usize,
    /// Lines such as `|---|---|`.
    pub(super) rules: usize,
    /// Lines that open or close a code block.
    pub(super) fences: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut lines = Self::default();
        let mut fence = None;
        for line in text.lines() {
            let inner = line.trim_start();
            let mark = ["```", "~~~"].into_iter().find(|mark| inner.starts_with(mark));
            match (fence, mark) {
                (Some(open), Some(mark)) if open == mark => fence = None,
                (Some(_), _) => continue,
                (None, Some(mark)) => fence = Some(mark),
                (None, None) => {
                    lines.sort(line, inner);
                    continue;
                }
            }
            lines.fences += 1;
        }
        lines
    }

    fn sort(&mut self, line: &'a str, inner: &'a str) {
        self.prose.push(line);
        let indent = line.len() - inner.len();
        let mut signs = inner.chars();
        let first = signs.next().unwrap_or(' ');
        let rest = inner.trim_start_matches(|sign: char| sign.is_ascii_digit());
        if "-*+•–◦▪‣".contains(first) && begins_item(signs.as_str()) {
            self.bullets.push(indent);
        } else if rest.len() < inner.len()
            && rest.starts_with(['.', ')'])
            && begins_item(rest.get(1..).unwrap_or_default())
        {
            self.numbers.push(indent);
        }
        let title = inner.trim_start_matches('#');
        let marks = inner.len() - title.len();
        self.headings += usize::from((1..=6).contains(&marks) && begins_item(title));
        let rule = inner.contains('|') && inner.contains("--");
        let plain = inner.chars().all(|sign| matches!(sign, '|' | '-' | ':' | ' ' | '\t'));
        self.rules += usize::from(rule && plain);
    }
}

/// A blank, and something behind it that is more than a rule.
fn begins_item(rest: &str) -> bool {
    rest.starts_with([' ', '\t']) && rest.contains(|sign: char| !" \t-*_".contains(sign))
}

fn count(unit: Unit, text: &str, lines: &Lines<'_>) -> RangeInclusive<usize> {
    match unit {
        Unit::Words => words(text),
        Unit::Characters => text.graphemes(true).count()..=text.chars().count(),
        Unit::Sentences => sentences(text, lines),
        Unit::Paragraphs => paragraphs(text, lines),
        Unit::Lines => {
            let written = text.lines().filter(|line| !line.trim().is_empty()).count();
            written..=text.lines().count()
        }
        Unit::Bullets | Unit::Items => items(lines),
    }
}

fn words(text: &str) -> RangeInclusive<usize> {
    let alphanumeric = |word: &&str| word.contains(char::is_alphanumeric);
    let between_blanks = text.split_whitespace().filter(alphanumeric).count();
    let with_signs = text.split_whitespace().count();
    let by_unicode = text.unicode_words().count();
    let parts = text.split(|sign: char| !sign.is_alphanumeric()).filter(|part| !part.is_empty());
    between_blanks.min(by_unicode)..=with_signs.max(by_unicode).max(parts.count())
}

/// Ends that may be abbreviations are counted in one count only, and so are lines that end with no mark.
fn sentences(text: &str, lines: &Lines<'_>) -> RangeInclusive<usize> {
    let (mut sure, mut possible) = (0_usize, 0_usize);
    let mut ended = true;
    let mut before = "";
    for line in &lines.prose {
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let core =
                word.trim_end_matches(['"', '\'', '”', '“', '’', '»', '«', ')', ']', '*', '_']);
            ended = core.ends_with(['.', '!', '?', '…', ':', '。', '！', '？']);
            let marks = word.chars().filter(|sign| matches!(sign, '。' | '！' | '？')).count();
            possible += if ended { marks.max(1) } else { marks };
            let next = words.peek().copied().unwrap_or("A");
            sure += usize::from(ended && surely_ends(core, next));
            before = word;
        }
        possible += usize::from(!ended && !before.is_empty() && !line.trim().is_empty());
    }
    let some = usize::from(!text.is_empty());
    sure.max(some)..=possible.max(some)
}

fn surely_ends(core: &str, next: &str) -> bool {
    let letters = core.trim_end_matches(['.', '!', '?', '…']);
    let marked = letters.len() < core.len();
    let abbreviated = letters.contains('.') || letters.chars().count() < 4;
    let number = letters.chars().all(|sign| sign.is_ascii_digit());
    let capital = next.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    let begins = !capital.starts_with(char::is_lowercase);
    marked && begins && !number && (!abbreviated || core.ends_with(['!', '?']))
}

fn paragraphs(text: &str, lines: &Lines<'_>) -> RangeInclusive<usize> {
    let some = usize::from(!text.is_empty());
    let (mut prose, mut blocks, mut open) = (0_usize, 0_usize, false);
    for line in text.lines().map(str::trim) {
        if !line.is_empty() && !open {
            blocks += 1;
            prose += usize::from(line.starts_with(char::is_alphabetic) && lines.fences == 0);
        }
        open = !line.is_empty();
    }
    let written = text.lines().filter(|line| !line.trim().is_empty()).count();
    // Without a blank line each line may be meant as a paragraph.
    prose.max(some)..=if blocks < 2 { written } else { blocks }
}

fn items(lines: &Lines<'_>) -> RangeInclusive<usize> {
    let kind = if lines.bullets.is_empty() { &lines.numbers } else { &lines.bullets };
    let outermost = kind.iter().min().copied().unwrap_or_default();
    let top = kind.iter().filter(|indent| **indent <= outermost + 1).count();
    top..=lines.bullets.len() + lines.numbers.len()
}
