//! Required parts, asked for only where the episode can fill them.
//!
//! Invariant: no chapters in the episode, no demand for chapters; the same for links and names.
//! Absent here: what stands in the parts' sentences.

use redraft_workflows::episode::Link;

use super::{Subject, one};
use crate::offline::outline::{Line, stamp_of, url_of};
use crate::offline::rubric::Part;

pub(super) fn missing(part: Part, subject: &Subject<'_>) -> Vec<String> {
    let episode = subject.episode;
    match part {
        Part::Links => missing_links(subject),
        Part::Chapters => {
            let none = stamps(subject).next().is_none();
            one(
                none && !episode.chapters.is_empty(),
                &format!("{} chapters", episode.chapters.len()),
            )
        }
        Part::Names => {
            let text = episode.names.corrected(subject.text, &episode.said);
            let unnamed = !episode.names.speakers.is_empty() && !episode.names.mentioned_in(&text);
            one(unnamed, &episode.names.billed().join(", "))
        }
        Part::KeyPoints => {
            let bullets = subject.outline.lines.iter().any(|line| matches!(line, Line::Bullet(_)));
            one(!bullets && !episode.sentences.is_empty(), "no list of key points")
        }
    }
}

/// The episode's links that the text does not give.
pub(super) fn missing_links(subject: &Subject<'_>) -> Vec<String> {
    let given: Vec<&str> = subject.outline.lines.iter().filter_map(address).collect();
    let lacks = |link: &&Link| !given.contains(&link.url.as_str());
    subject.episode.links.iter().filter(lacks).map(|link| link.url.clone()).collect()
}

fn address(line: &Line) -> Option<&str> {
    if let Line::Link(body) = line { url_of(body) } else { None }
}

/// Chapter lines that do not start at zero, stand too close, or are too few to be shown.
pub(super) fn chapter_form(gap: u64, least: usize, subject: &Subject<'_>) -> Vec<String> {
    let stamps: Vec<u64> = stamps(subject).collect();
    let Some(first) = stamps.first() else { return Vec::new() };
    let close = stamps.windows(2).any(|pair| pair[1] < pair[0].saturating_add(gap));
    let mut found = one(*first != 0, "the first chapter does not start at 00:00");
    found.extend(one(close, &format!("two chapters less than {gap} seconds apart")));
    found.extend(one(stamps.len() < least, &format!("{} chapter lines", stamps.len())));
    found
}

fn stamps<'a>(subject: &'a Subject<'_>) -> impl Iterator<Item = u64> + 'a {
    subject.outline.lines.iter().filter_map(|line| {
        let Line::Chapter(body) = line else { return None };
        stamp_of(body).map(|(seconds, _)| seconds)
    })
}
