//! Sections that several assets share: chapters, links, people, topics, hashtags.
//!
//! Invariant: a section is empty when the episode has nothing for it; no line is made up.
//! Absent here: prose.

use crate::offline::episode::Episode;
use crate::offline::outline::Line;
use crate::offline::phrases::Phrase;
use crate::offline::words::{has_inner_capital, one_spaced};

/// `MM:SS`, or `H:MM:SS` from one hour on.
pub(crate) fn stamp(seconds: f64) -> String {
    let total = if seconds.is_finite() { seconds.max(0.0) as u64 } else { 0 };
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes:02}:{seconds:02}")
    }
}

/// The chapters under their label.
pub(crate) fn chapters(episode: &Episode) -> Vec<Line> {
    let lines = episode.chapters.iter().map(|chapter| {
        Line::Chapter(format!("{} {}", stamp(chapter.start_sec), one_spaced(&chapter.title)))
    });
    labelled("Chapters", lines.collect())
}

/// The links under their label, with their words in Markdown and bare in plain text.
pub(crate) fn links(episode: &Episode, markdown: bool) -> Vec<Line> {
    let lines = episode.links.iter().map(|link| {
        let label = one_spaced(&link.label).replace(['[', ']'], "");
        Line::Link(match (markdown, label == link.url) {
            (true, false) => format!("[{label}]({})", link.url),
            (false, false) if !label.contains("://") => format!("{label}: {}", link.url),
            _ => link.url.clone(),
        })
    });
    labelled("Links", lines.collect())
}

/// The speakers under their label, guests first.
pub(crate) fn people(episode: &Episode) -> Vec<Line> {
    labelled(
        "People",
        episode.names.all().into_iter().map(|name| Line::Entry(name.to_owned())).collect(),
    )
}

/// The `count` best key phrases under their label.
pub(crate) fn topics(episode: &Episode, count: usize) -> Vec<Line> {
    let phrases = episode.phrases.iter().take(count);
    labelled("Topics", phrases.map(|phrase| Line::Entry(phrase.text.clone())).collect())
}

/// `With A and B.`, when anybody is named.
pub(crate) fn credit(episode: &Episode) -> Vec<Line> {
    let people: Vec<String> = episode.names.billed().into_iter().map(str::to_owned).collect();
    if people.is_empty() { Vec::new() } else { vec![Line::Blank, Line::Credit(people)] }
}

/// The `count` best key phrases as hashtags.
pub(crate) fn hashtags(episode: &Episode, count: usize) -> Vec<Line> {
    let tags: Vec<String> = episode.phrases.iter().filter_map(hashtag).take(count).collect();
    if tags.is_empty() { Vec::new() } else { vec![Line::Blank, Line::Hashtags(tags)] }
}

/// `#EventDrivenArchitecture` for `event-driven architecture`.
pub(crate) fn hashtag(phrase: &Phrase) -> Option<String> {
    let words = phrase.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let tag: String = words.map(capital).collect();
    let fits = (3..=28).contains(&tag.chars().count()) && tag.chars().any(char::is_alphabetic);
    fits.then(|| format!("#{tag}"))
}

/// `word` with a capital first letter, unless it has capitals of its own, or the capital is not the capital of that
/// letter alone: `ὐ` has none of one character, and `ı` shares that of `i`. Either would make another word of it.
pub(crate) fn capital(word: &str) -> String {
    if has_inner_capital(word) {
        return word.to_owned();
    }
    let mut chars = word.chars();
    let Some(first) = chars.next() else { return String::new() };
    match first.to_uppercase().flat_map(char::to_lowercase).eq([first]) {
        true => first.to_uppercase().chain(chars).collect(),
        false => word.to_owned(),
    }
}

fn labelled(label: &str, lines: Vec<Line>) -> Vec<Line> {
    if lines.is_empty() {
        return lines;
    }
    let head = [Line::Blank, Line::Label(label.to_owned()), Line::Blank];
    head.into_iter().chain(lines).collect()
}
