//! Who speaks: `Name: text` lines, and names that name nobody (`Break`, `Jingle`).
//!
//! Invariant: where a source marks its speakers by markup, plain lines are left alone. Absent: any
//! list of people; a name is known by its shape and by where it stands.

use std::collections::HashMap;

use super::clock;
use super::markers;
use super::passage::Passage;
use super::turns::Part;

/// Names that stand where a speaker would and name a part of the programme.
const PSEUDO: &[&str] = &[
    "break",
    "ad break",
    "commercial break",
    "outro",
    "outro music",
    "jingle",
    "music",
    "theme",
    "theme music",
    "intro",
    "intro music",
    "ad",
    "ads",
    "sponsor",
];

/// The longest name, in characters.
pub(super) const MAX_NAME_CHARS: usize = 80;

/// The most words of a name in a plain `Name: text` line.
const MAX_NAME_WORDS: usize = 6;

/// Small words that stand in names.
const PARTICLES: &[&str] = &[
    "de", "da", "del", "der", "di", "du", "la", "le", "van", "von", "of", "and", "the", "al", "bin",
];

/// Whether a name is a part of the programme and no speaker.
pub(super) fn is_pseudo(name: &str) -> bool {
    name.len() < 40 && PSEUDO.contains(&name.to_lowercase().as_str())
}

/// A name without the colon behind it and without a time in parentheses, which is given apart.
pub(super) fn without_clock(spelled: &str) -> (String, Option<u64>) {
    let name = spelled.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_end_matches([':', '：', ' ']);
    let found = name.strip_suffix(')').and_then(|name| name.rsplit_once('('));
    let timed = found.and_then(|(name, time)| Some((name, clock::parse(time.trim())?)));
    match timed {
        Some((name, ms)) => (name.trim_end_matches([':', '：', ' ']).to_owned(), Some(ms)),
        None => (name.to_owned(), None),
    }
}

/// Finds the speakers of a source whose parts name none yet.
///
/// Lines such as `Name: text` count when the first line of speech is one, or when a name opens
/// lines at least twice; otherwise a colon is just a colon.
pub(super) fn in_lines(parts: Vec<Part>) -> Vec<Part> {
    if parts.iter().any(|part| matches!(part, Part::Speaker(_))) {
        return parts;
    }
    let leads: Vec<Option<Lead>> = parts.iter().map(lead_of).collect();
    let first = parts.iter().zip(&leads).find(|(part, _)| is_spoken(part));
    let led = first.is_some_and(|(_, lead)| lead.is_some());
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for lead in leads.iter().flatten() {
        *counts.entry(&lead.key).or_default() += 1;
    }
    let counts_as =
        |lead: &&Lead| led || counts.get(lead.key.as_str()).is_some_and(|count| *count > 1);
    let mut named = Vec::new();
    for (part, lead) in parts.into_iter().zip(&leads) {
        match (part, lead.as_ref().filter(counts_as)) {
            (Part::Line(line), Some(lead)) => named.extend(lead.parts(&line)),
            (part, _) => named.push(part),
        }
    }
    named
}

/// A `Name:` at the head of a line, behind markers if any.
struct Lead {
    key: String,
    /// Bytes of the line where the name begins, where it ends, and where the text begins.
    name: usize,
    name_end: usize,
    text: usize,
}

impl Lead {
    fn parts(&self, line: &Passage) -> [Part; 3] {
        [
            Part::Line(line.slice(0, self.name)),
            Part::Speaker(line.slice(self.name, self.name_end)),
            Part::Line(line.from(self.text)),
        ]
    }
}

fn is_spoken(part: &Part) -> bool {
    match part {
        Part::Line(line) => !markers::is_silent(line),
        Part::Speaker(_) | Part::Nobody | Part::Time(_) | Part::Paragraph | Part::Cue(_) => false,
    }
}

fn lead_of(part: &Part) -> Option<Lead> {
    let Part::Line(line) = part else { return None };
    let text = line.as_str();
    let name = head_markers(text);
    let after = text.get(name..)?;
    let (colon, mark) = colon(after)?;
    let (spelled, rest) = (after.get(..colon)?, after.get(colon + mark.len_utf8()..)?);
    let parted = mark == '：' || rest.is_empty() || rest.starts_with(' ');
    let (key, _) = without_clock(spelled);
    (parted && looks_like_name(&key)).then_some(Lead {
        key,
        name,
        name_end: name + colon,
        text: name + colon + mark.len_utf8(),
    })
}

/// The first colon that is no part of a time in parentheses.
fn colon(text: &str) -> Option<(usize, char)> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ':' | '：' if depth == 0 => return Some((at, c)),
            _ if at > 4 * MAX_NAME_CHARS => return None,
            _ => {}
        }
    }
    None
}

/// Bytes of the markers and blanks at the head of a line.
fn head_markers(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let end = trimmed.strip_prefix('[').and_then(|rest| rest.find(']'));
        match end.filter(|end| {
            trimmed.get(1..=*end).is_some_and(|time| clock::parse(time.trim()).is_some())
        }) {
            Some(end) => at += end + 2,
            None => return at,
        }
    }
}

fn looks_like_name(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    let allowed = |c: char| c.is_alphanumeric() || " .,'’-()&#_".contains(c);
    let starts_big = |word: &&str| {
        let first = word.trim_start_matches(['(', '#']).chars().next();
        first.is_none_or(|c| !c.is_lowercase()) || PARTICLES.contains(word)
    };
    (1..=MAX_NAME_WORDS).contains(&words.len())
        && name.chars().count() <= MAX_NAME_CHARS
        && name.chars().all(allowed)
        && name.chars().any(char::is_alphabetic)
        && words.iter().all(starts_big)
}
