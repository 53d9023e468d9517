//! Names and terms that a text spells otherwise than the episode does.
//!
//! Invariant: only whole words of prose count; a right spelling is never found, wherever it stands.
//! Absent here: guesses at misspellings that nobody listed.

use super::pattern::{Pattern, Word, words};
use super::prose::prose;
use crate::review::names::Names;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// A name that is spelled wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Misspelled {
    /// As the text has it.
    pub(super) written: String,
    /// As it is spelled.
    pub(super) right: String,
}

/// What a text does with the case of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// Names keep theirs.
    Kept,
    /// Lower case is in order, and so are letters without accents: slugs and tags.
    Free,
}

/// How a name is spelled, and how it is not.
struct Spelling<'a> {
    right: &'a str,
    wrong: &'a [String],
}

/// A name in a text; `right` where it is spelled wrong there.
struct Found<'a> {
    at: Range<usize>,
    right: Option<&'a str>,
}

/// The misspelled names of a text, each spelling once, in the order of the text.
pub(super) fn misspelled(names: &Names, case: Case, text: &str) -> Vec<Misspelled> {
    let spellings = spellings(names);
    // Folding every word of a text takes longer than all else that is done with a reply.
    if spellings.is_empty() {
        return Vec::new();
    }
    let text = prose(text);
    let words = words(&text);
    let mut found: Vec<Found<'_>> =
        spellings.iter().flat_map(|spelling| look(spelling, case, &text, &words)).collect();
    found.sort_by_key(|found| found.at.start);
    // `Redraft` within a well spelled `Redraft Cloud` is no `redraft` gone wrong.
    let covers = |other: &Found<'_>, at: &Range<usize>| {
        let within = other.at.start <= at.start && at.end <= other.at.end;
        within && (other.right.is_none() || other.at.len() > at.len())
    };
    let mut told: Vec<Misspelled> = Vec::new();
    for Found { at, right } in &found {
        let Some(right) = right.filter(|_| !found.iter().any(|other| covers(other, at))) else {
            continue;
        };
        let written = text[at.clone()].to_owned();
        let wrong = Misspelled { written, right: right.to_owned() };
        if !told.contains(&wrong) {
            told.push(wrong);
        }
    }
    told
}

/// The glossary, the people as they were given, and the words of their names.
fn spellings(names: &Names) -> Vec<Spelling<'_>> {
    let mut all: Vec<Spelling<'_>> = names
        .glossary
        .iter()
        .map(|term| Spelling { right: &term.term, wrong: &term.wrong })
        .collect();
    for name in names.given_people() {
        let big = |word: &&str| {
            word.chars().count() > 2 && word.chars().next().is_some_and(char::is_uppercase)
        };
        let parts = name.split_whitespace().filter(big).filter(|part| *part != name);
        all.extend(std::iter::once(name).chain(parts).map(|right| Spelling { right, wrong: &[] }));
    }
    all
}

fn look<'a>(spelling: &Spelling<'a>, case: Case, text: &str, words: &[Word]) -> Vec<Found<'a>> {
    let Spelling { right, wrong } = spelling;
    let pattern = Pattern::new(right);
    let variants = pattern.places(text, words).into_iter().filter_map(|at| {
        let written = &text[at.clone()];
        if is_same(written, right) {
            return Some(Found { at, right: None });
        }
        let bad = case == Case::Kept && !is_excused(&pattern, written) && !is_part(text, &at);
        bad.then_some(Found { at, right: Some(right) })
    });
    let listed = wrong.iter().flat_map(|wrong| {
        let listed = Pattern::new(wrong);
        // Where only case or accents differ, the entry means exactly this spelling.
        let exact = listed.is_like(&pattern);
        let places = listed.places(text, words).into_iter();
        places.filter(move |at| !exact || (case == Case::Kept && is_same(&text[at.clone()], wrong)))
    });
    let listed = listed.filter(|at| !is_part(text, at));
    let listed = listed.map(|at| Found { at, right: Some(*right) });
    variants.chain(listed).collect()
}

/// Whether two texts are the same letters, however accents are stored and blanks are wide.
fn is_same(a: &str, b: &str) -> bool {
    let normal = |text: &str| -> String {
        let plain = |c: char| match c {
            c if c.is_whitespace() => ' ',
            '’' => '\'',
            c => c,
        };
        text.nfc().map(plain).collect()
    };
    normal(a) == normal(b)
}

/// Spellings that may well be another word, or the same one at the head of a sentence.
fn is_excused(pattern: &Pattern, written: &str) -> bool {
    let mut letters = written.chars().filter(|c| c.is_alphabetic());
    let one_case = letters.clone().all(char::is_lowercase) || letters.all(|c| !c.is_lowercase());
    // `go` beside the term `Go`, `MARK` beside the host `Mark`.
    let everyday = pattern.is_capitalised_word() && one_case;
    // `Open Source` beside the term `open source`.
    everyday || pattern.is_lower_case() && pattern.differs_in_initials_only(written)
}

/// Whether the place is part of a longer name of a machine: `github.io`, `git/github`, `github-cli`.
fn is_part(text: &str, at: &Range<usize>) -> bool {
    let before: Vec<char> = text[..at.start].chars().rev().take(2).collect();
    let after: Vec<char> = text[at.end..].chars().take(2).collect();
    let small = !text[at.clone()].chars().any(char::is_uppercase);
    let joins = |side: &[char]| match side {
        ['/' | '_' | '\\' | '@', ..] => true,
        ['.', next] => next.is_alphanumeric(),
        ['-', next] => small && next.is_alphanumeric(),
        _ => false,
    };
    joins(&before) || joins(&after)
}

#[cfg(test)]
mod tests;
