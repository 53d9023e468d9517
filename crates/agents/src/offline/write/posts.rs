//! Posts: Mastodon, LinkedIn, YouTube.
//!
//! Invariant: sentences, chapters, links and hashtags only. Absent here: limits of the platforms.

use super::{outline, pick, sections};
use crate::offline::episode::Episode;
use crate::offline::outline::{Line, Outline};

/// Two sentences and hashtags.
pub(super) fn mastodon(episode: &Episode) -> Outline {
    let mut lines = vec![Line::Prose(sentences(episode, 2))];
    lines.extend(sections::hashtags(episode, 5));
    outline(lines)
}

/// A hook, a few points, hashtags.
pub(super) fn linkedin(episode: &Episode) -> Outline {
    let choice = pick::Choice { introductions: false, ..pick::Choice::free() };
    let chosen = pick::best(episode, 5, &choice);
    let mut texts = chosen.into_iter().map(|sentence| sentence.text.clone());
    let mut lines = vec![Line::Prose(texts.next().into_iter().collect()), Line::Blank];
    lines.extend(texts.map(|text| Line::Bullet(vec![text])));
    lines.extend(sections::credit(episode));
    lines.extend(sections::hashtags(episode, 6));
    outline(lines)
}

/// A paragraph, who speaks, chapters, links, hashtags.
pub(super) fn youtube(episode: &Episode) -> Outline {
    let mut lines = vec![Line::Prose(sentences(episode, 5))];
    lines.extend(sections::credit(episode));
    lines.extend(sections::chapters(episode));
    lines.extend(sections::links(episode, false));
    lines.extend(sections::hashtags(episode, 5));
    outline(lines)
}

fn sentences(episode: &Episode, count: usize) -> Vec<String> {
    pick::in_order(pick::best(episode, count, &pick::Choice::free()))
}
