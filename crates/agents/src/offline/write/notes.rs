//! Description, short summary and show notes.
//!
//! Invariant: sections come only from what the episode has. Absent here: social posts.

use super::{outline, pick, sections};
use crate::offline::episode::Episode;
use crate::offline::outline::{Line, Outline};

/// Four sentences, and who speaks.
pub(super) fn description(episode: &Episode) -> Outline {
    let mut lines = vec![prose(episode, 4)];
    lines.extend(sections::credit(episode));
    outline(lines)
}

/// Two sentences.
pub(super) fn summary(episode: &Episode) -> Outline {
    outline(vec![prose(episode, 2)])
}

/// A paragraph, key points along the episode, people, topics, chapters, links.
pub(super) fn shownotes(episode: &Episode) -> Outline {
    let about = pick::in_order(pick::best(episode, 3, &pick::Choice::free()));
    let points = pick::spread(episode, 8, &about);
    let mut lines =
        vec![Line::Label("In this episode".to_owned()), Line::Blank, Line::Prose(about)];
    if !points.is_empty() {
        lines.extend([Line::Blank, Line::Label("Key points".to_owned()), Line::Blank]);
        lines.extend(points.into_iter().map(|point| Line::Bullet(vec![point])));
    }
    lines.extend(sections::chapters(episode));
    lines.extend(sections::people(episode));
    lines.extend(sections::topics(episode, 8));
    lines.extend(sections::links(episode, true));
    outline(lines)
}

fn prose(episode: &Episode, count: usize) -> Line {
    Line::Prose(pick::in_order(pick::best(episode, count, &pick::Choice::free())))
}
