//! People whom a text presents as taking part.
//!
//! Invariant: only patterns that say so are read: a label (`Guest: …`), a quotation's source (`… — …`, `…: "…"`),
//! a dialogue, and `with …` where a title or a sentence begins or ends with it. Somebody the episode merely
//! talks about is never found. Absent here: any list of people.

use super::pattern::folded;
use super::prose::prose;
use crate::review::names::Names;

/// Labels of people.
const LABELS: [&str; 17] = [
    "guest",
    "guests",
    "host",
    "hosts",
    "co-host",
    "co-hosts",
    "cohost",
    "cohosts",
    "speaker",
    "speakers",
    "with",
    "featuring",
    "interviewee",
    "panelists",
    "gast",
    "gäste",
    "mit",
];

/// What ends in front of the name of a person who is interviewed.
const TALKS: [&str; 8] = [
    "conversation with",
    "interview with",
    "interviewing",
    "chat with",
    "discussion with",
    "gespräch mit",
    "interview mit",
    "entretien avec",
];

/// Words that may stand in front of a talk at the head of a sentence: `In this conversation with …`.
const OPENERS: [&str; 12] =
    ["a", "an", "the", "in", "this", "our", "my", "das", "im", "dieses", "un", "cet"];

/// What titles put in front of a guest's name, and of nothing else.
const GUEST_MARKS: [&str; 9] =
    [", with ", "(with ", "| with ", "– with ", "— with ", " feat. ", " ft. ", " w/ ", ", mit "];

/// Words of names that begin small.
const PARTICLES: [&str; 13] =
    ["de", "da", "del", "der", "den", "di", "du", "la", "le", "van", "von", "bin", "al"];

/// Words that stand in titles and positions, and in no name.
const POSITIONS: [&str; 22] = [
    "ceo",
    "cto",
    "cfo",
    "coo",
    "founder",
    "co-founder",
    "engineer",
    "professor",
    "author",
    "director",
    "head",
    "principal",
    "senior",
    "lead",
    "developer",
    "designer",
    "manager",
    "president",
    "editor",
    "chief",
    "officer",
    "team",
];

const HONORIFICS: [&str; 8] = ["dr", "prof", "mr", "mrs", "ms", "sir", "herr", "frau"];

/// The people whom the text presents and who do not take part, in the order of the text, each once.
pub(super) fn unknown(names: &Names, is_title: bool, text: &str) -> Vec<String> {
    if !names.people_are_known() {
        return Vec::new();
    }
    let known: Vec<Vec<String>> = names.people().map(name_words).collect();
    let mut told: Vec<String> = Vec::new();
    for name in presented(&prose(text), is_title, &known) {
        if !takes_part(&name, &known) && !told.contains(&name) {
            told.push(name);
        }
    }
    told
}

/// Whether the name is somebody's who takes part, in whole or in part: transcripts often know first names only.
fn takes_part(name: &str, known: &[Vec<String>]) -> bool {
    let words = name_words(name);
    let within = |a: &[String], b: &[String]| a.iter().all(|word| b.contains(word));
    words.is_empty() || known.iter().any(|person| within(&words, person) || within(person, &words))
}

/// The words of a name, folded, without honorifics and initials.
fn name_words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| c.is_whitespace() || c == '-');
    let words = words.map(|word| folded(word.trim_matches(|c: char| !c.is_alphanumeric())));
    words.filter(|word| word.chars().count() > 1 && !HONORIFICS.contains(&word.as_str())).collect()
}

fn presented(text: &str, is_title: bool, known: &[Vec<String>]) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(bare_line).filter(|line| !line.is_empty()).collect();
    let leads: Vec<&str> =
        lines.iter().filter_map(|line| lead(line)).map(|(name, _)| name).collect();
    let mut names = Vec::new();
    for line in &lines {
        names.extend(labelled(line));
        names.extend(talked_with(line));
        names.extend(source_of_quotation(line));
        if is_title {
            names.extend(in_title(line, known));
        } else if let Some((name, rest)) = lead(line) {
            let quoted = rest.starts_with(['"', '“', '„', '«']);
            let dialogue = leads.iter().filter(|other| **other == name).count() > 1;
            let speaks = quoted || dialogue || is_half_known(name, known);
            names.extend(speaks.then(|| name.to_owned()));
        }
    }
    names
}

/// A line without what Markdown puts in front of it and round its first words.
fn bare_line(line: &str) -> &str {
    line.trim().trim_start_matches(|c: char| "#>*-+•_ ".contains(c)).trim_end_matches(['*', '_'])
}

/// `Guest: Ada King` and `**Guests:** Ada King and Bo Li`.
fn labelled(line: &str) -> Vec<String> {
    let Some((label, rest)) = line.split_once(':') else { return Vec::new() };
    let label = label.trim_matches(|c: char| "*_ ".contains(c)).to_lowercase();
    if !LABELS.contains(&label.as_str()) {
        return Vec::new();
    }
    // Behind the first item that is no name, items may be titles and places.
    items(rest.trim_end_matches('.')).iter().map_while(|item| whole_name(item)).collect()
}

/// `A conversation with Ada King about …`, at the head of a sentence.
fn talked_with(line: &str) -> Vec<String> {
    let sentences = line.split_inclusive(['.', '!', '?', ':', '|', '–', '—']);
    let name = |sentence: &str| {
        let lower = sentence.to_lowercase();
        let (start, talk) =
            TALKS.iter().filter_map(|talk| Some((lower.find(talk)?, talk))).min()?;
        let opening = lower.get(..start)?.split_whitespace();
        let opens = opening.clone().count() <= 3
            && opening.map(|word| word.trim_matches('*')).all(|word| OPENERS.contains(&word));
        // Lower case may have another length in bytes; then there is no telling where the name begins.
        let rest = sentence.get(start + talk.len()..).filter(|_| lower.len() == sentence.len())?;
        name_at_head(rest).filter(|_| opens)
    };
    // A full stop may belong to an initial, so the sentence goes on to the line's end.
    let mut at = 0;
    let mut names = Vec::new();
    for sentence in sentences {
        names.extend(name(&line[at..]));
        at += sentence.len();
    }
    names.dedup();
    names
}

/// `Why maps lie, with Ada King`: how titles name a guest. Without the comma, `with Apache Kafka` reads the
/// same, so there only a name counts that shares a word with somebody's who takes part.
fn in_title(line: &str, known: &[Vec<String>]) -> Vec<String> {
    let marks = GUEST_MARKS.iter().filter_map(|mark| Some((line.rfind(mark)? + mark.len(), true)));
    let bare = [" with ", " mit "].iter().filter_map(|w| Some((line.rfind(w)? + w.len(), false)));
    let Some((at, marked)) = marks.chain(bare).max() else { return Vec::new() };
    let rest = line.get(at..).unwrap_or_default().trim_end_matches([')', ']', '.']);
    let items: Option<Vec<String>> = items(rest).iter().map(|item| whole_name(item)).collect();
    let names = items.unwrap_or_default().into_iter().filter(|name| name.contains(' '));
    names.filter(|name| marked || is_half_known(name, known)).collect()
}

/// Whether the name shares a word with the name of somebody who takes part.
fn is_half_known(name: &str, known: &[Vec<String>]) -> bool {
    let words = name_words(name);
    known.iter().flatten().any(|word| words.contains(word))
}

/// What a list of names is made of.
fn items(list: &str) -> Vec<String> {
    let commas = [" and ", " und ", " & ", ";"]
        .iter()
        .fold(list.to_owned(), |list, word| list.replace(word, ","));
    commas
        .split(',')
        .map(|item| item.trim_matches(|c: char| "*_ ".contains(c)).to_owned())
        .collect()
}

/// `"The words." — Ada King`
fn source_of_quotation(line: &str) -> Option<String> {
    let (quotation, name) = line.rsplit_once(['—', '–'])?;
    let quoted =
        quotation.trim_end().ends_with(['"', '”', '“', '»', '’']) || quotation.trim().is_empty();
    let name = name.split(',').next().unwrap_or_default();
    whole_name(name.trim()).filter(|name| quoted && name.contains(' '))
}

/// `Ada King: …`: a full name in front of a colon, and what follows.
fn lead(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':')?;
    let name = name.trim_matches(|c: char| "*_ ".contains(c));
    let rest = rest.trim_start_matches(|c: char| "*_ ".contains(c));
    let full = name.contains(' ') && whole_name(name).is_some();
    (full && !rest.is_empty()).then_some((name, rest))
}

/// The name that a text begins with: two to four words, the first and last of them with a capital.
fn name_at_head(text: &str) -> Option<String> {
    let mut words = Vec::new();
    for word in text.split_whitespace().take(5) {
        let bare = word.trim_matches(|c: char| "*_,;:!?()\"“”".contains(c));
        let bare = bare.strip_suffix("'s").or(bare.strip_suffix("’s")).unwrap_or(bare);
        if !is_name_word(bare) {
            break;
        }
        words.push(bare.strip_suffix('.').filter(|bare| bare.chars().count() > 2).unwrap_or(bare));
        if !word.ends_with(bare) {
            break;
        }
    }
    whole_name(&words.join(" ")).filter(|name| name.contains(' '))
}

/// The text, where it is a name and nothing else.
fn whole_name(text: &str) -> Option<String> {
    let text = text.split('(').next().unwrap_or(text).trim();
    let words: Vec<&str> = text.split_whitespace().collect();
    let (first, last) = (words.first()?, words.last()?);
    let position = |word: &&str| POSITIONS.contains(&word.to_lowercase().as_str());
    let is_name = words.len() <= 4
        && words.iter().all(|word| is_name_word(word))
        && !words.iter().any(position)
        && [first, last].iter().all(|word| word.starts_with(char::is_uppercase));
    is_name.then(|| words.join(" "))
}

fn is_name_word(word: &str) -> bool {
    let allowed = |c: char| c.is_alphabetic() || "'’.-".contains(c);
    let big = word.starts_with(char::is_uppercase);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let initial = word.ends_with('.') && letters <= 2;
    let shouted = letters > 1 && !word.chars().any(char::is_lowercase);
    word.chars().all(allowed)
        && letters > 0
        && !shouted
        && (big || PARTICLES.contains(&word))
        && (initial || !word.ends_with('.') || letters > 2)
}

#[cfg(test)]
mod tests;
