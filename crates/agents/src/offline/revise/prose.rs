//! Edits of texts with sentences: replace, drop, add, cut, and put in a missing part.
//!
//! Invariant: a sentence put in keeps every sentence rule of the rubric; the order of the episode is
//! kept within a paragraph and within a list. Absent here: titles and lists of tags.

use std::collections::BTreeSet;

use super::Revision;
use crate::offline::Format;
use crate::offline::checks::Subject;
use crate::offline::checks::prose::fault;
use crate::offline::episode::Episode;
use crate::offline::outline::{Line, Outline, stamp_of};
use crate::offline::rubric::{Check, Part};
use crate::offline::sentences::key;
use crate::offline::write::pick::{Choice, best, spread};
use crate::offline::write::sections;

/// No text needs more added sentences than this.
const MOST_ADDED: usize = 12;
/// See [`worth`].
const WORTH: f64 = 0.15;

/// Edits the text so that `check` has less against it, or leaves it.
pub(super) fn answer(revision: &mut Revision<'_>, check: &Check) {
    let shorten_it = matches!(check, Check::MaxChars { .. } | Check::MaxSentences { .. });
    let lengthen_it = matches!(
        check,
        Check::MinChars { .. } | Check::MinSentences { .. } | Check::NearEmpty { .. }
    );
    if shorten_it {
        return shorten(revision, check);
    }
    if lengthen_it {
        return lengthen(revision, check);
    }
    // Reading leaves markers and Markdown behind, so those checks need no edit of their own.
    let mut outline = read(revision);
    if !edit_part(revision, &mut outline, check) {
        edit_sentences(revision, &mut outline, check);
    }
    write(revision, &mut outline);
}

/// Edits a part of the outline; `false` when `check` is not of a part.
fn edit_part(revision: &Revision<'_>, outline: &mut Outline, check: &Check) -> bool {
    let (episode, format) = (revision.episode, revision.rubric.format);
    if let Check::Part { part } = check {
        add_part(episode, outline, *part, format);
    } else if let Check::Hashtags { min, max } = check {
        retag(episode, outline, *min, *max);
    } else if let Check::ChapterForm { gap, .. } = check {
        space_chapters(outline, *gap);
    } else if let Check::Hook { chars } = check {
        rehook(revision, outline, *chars);
    } else if matches!(check, Check::RepeatedSentence) {
        without_repeats(outline);
    } else {
        return false;
    }
    true
}

fn edit_sentences(revision: &Revision<'_>, outline: &mut Outline, check: &Check) {
    let said = &revision.episode.said;
    if matches!(check, Check::SaidSentences) {
        replace(revision, outline, |sentence| !said.has_sentence(sentence));
        drop_unsaid_lines(revision.episode, outline);
    } else if let Check::Characters { none_of } = check {
        replace(revision, outline, |sentence| sentence.contains(|c| none_of.contains(c)));
    } else {
        replace(revision, outline, |sentence| fault(check, sentence).is_some());
    }
}

fn read(revision: &Revision<'_>) -> Outline {
    Subject::new(revision.episode, &revision.text).outline
}

fn write(revision: &mut Revision<'_>, outline: &mut Outline) {
    in_episode_order(revision.episode, outline);
    revision.text = outline.render(revision.rubric.format);
}

/// Puts the best clean sentence in the place of each that `faulty` names, or drops it.
fn replace(revision: &Revision<'_>, outline: &mut Outline, faulty: impl Fn(&str) -> bool) {
    let floor = worth(revision);
    let mut taken: Vec<String> = outline.sentences().cloned().collect();
    for line in &mut outline.lines {
        let (Line::Bullet(sentences) | Line::Prose(sentences)) = line else { continue };
        for sentence in sentences.iter_mut().filter(|sentence| faulty(sentence)) {
            let fresh = clean(revision, &taken, floor, usize::MAX).unwrap_or_default();
            taken.push(fresh.clone());
            *sentence = fresh;
        }
    }
    outline.retain_sentences(|sentence| !sentence.is_empty());
}

/// The score under which a sentence is not worth putting in: a share of what the best clean one has.
fn worth(revision: &Revision<'_>) -> f64 {
    let choice = Choice { rules: Some(revision.rubric), introductions: false, ..Choice::free() };
    best(revision.episode, 1, &choice).first().map_or(0.0, |sentence| sentence.score * WORTH)
}

fn clean(revision: &Revision<'_>, taken: &[String], floor: f64, longest: usize) -> Option<String> {
    let within = (0.0, 1.0);
    let taken = taken.iter().map(String::as_str).collect();
    let introductions = !matches!(revision.rubric.kind.as_str(), "linkedin" | "mastodon");
    let choice =
        Choice { taken, rules: Some(revision.rubric), within, longest, introductions, floor };
    best(revision.episode, 1, &choice).first().map(|sentence| sentence.text.clone())
}

fn without_repeats(outline: &mut Outline) {
    let mut seen = BTreeSet::new();
    outline.retain_sentences(|sentence| seen.insert(key(sentence).to_lowercase()));
}

fn drop_unsaid_lines(episode: &Episode, outline: &mut Outline) {
    outline.lines.retain(|line| match line {
        Line::Entry(text) => episode.said.has_word(text),
        Line::Link(body) => episode.links.iter().any(|link| body.contains(&link.url)),
        Line::Chapter(body) => {
            stamp_of(body).is_some_and(|(_, title)| episode.said.has_word(title))
        }
        Line::Blank
        | Line::Label(_)
        | Line::Hashtags(_)
        | Line::Credit(_)
        | Line::Bullet(_)
        | Line::Prose(_) => true,
    });
}

/// Drops hashtags, then the weakest sentence, until `check` is content; the last sentence is exchanged.
fn shorten(revision: &mut Revision<'_>, check: &Check) {
    let mut outline = read(revision);
    for _ in 0..200 {
        if !revision.fails(check) {
            return;
        }
        let sentences: Vec<String> = outline.sentences().cloned().collect();
        let characters = matches!(check, Check::MaxChars { .. });
        if !(characters && drop_hashtag(&mut outline, 3)) {
            let Some(weakest) = weakest(revision.episode, &sentences) else { return };
            let last = sentences.len() == 1;
            let shorter =
                clean(revision, &sentences, -1.0, weakest.chars().count().saturating_sub(1));
            exchange(&mut outline, &weakest, shorter.filter(|_| last));
        }
        write(revision, &mut outline);
    }
}

fn drop_hashtag(outline: &mut Outline, least: usize) -> bool {
    let tags = outline
        .lines
        .iter_mut()
        .find_map(|line| if let Line::Hashtags(tags) = line { Some(tags) } else { None });
    tags.is_some_and(|tags| tags.len() > least && tags.pop().is_some())
}

fn weakest(episode: &Episode, sentences: &[String]) -> Option<String> {
    let score = |text: &str| episode.sentence(text).map_or(-1.0, |sentence| sentence.score);
    sentences.iter().min_by(|a, b| score(a).total_cmp(&score(b))).cloned()
}

fn exchange(outline: &mut Outline, old: &str, new: Option<String>) {
    let Some(new) = new else { return outline.retain_sentences(|sentence| sentence != old) };
    for line in &mut outline.lines {
        if let Line::Bullet(sentences) | Line::Prose(sentences) = line {
            sentences
                .iter_mut()
                .filter(|sentence| *sentence == old)
                .for_each(|sentence| sentence.clone_from(&new));
        }
    }
}

/// Adds the best clean sentences to the first paragraph until `check` is content.
fn lengthen(revision: &mut Revision<'_>, check: &Check) {
    let mut outline = read(revision);
    for _ in 0..MOST_ADDED {
        let taken: Vec<String> = outline.sentences().cloned().collect();
        let Some(more) =
            clean(revision, &taken, -1.0, usize::MAX).filter(|_| revision.fails(check))
        else {
            return;
        };
        match outline
            .lines
            .iter_mut()
            .find_map(|line| if let Line::Prose(prose) = line { Some(prose) } else { None })
        {
            Some(prose) => prose.push(more),
            None => outline.lines.insert(0, Line::Prose(vec![more])),
        }
        write(revision, &mut outline);
    }
}

/// Puts the best clean sentence of at most `chars` first.
fn rehook(revision: &Revision<'_>, outline: &mut Outline, chars: usize) {
    let taken: Vec<String> = outline.sentences().cloned().collect();
    let Some(first) = taken.first() else { return };
    exchange(outline, first, clean(revision, &taken, -1.0, chars));
}

fn add_part(episode: &Episode, outline: &mut Outline, part: Part, format: Format) {
    let lines = match part {
        Part::Names => sections::credit(episode),
        Part::Chapters => sections::chapters(episode),
        Part::Links => {
            outline.lines.retain(|line| {
                !matches!(line, Line::Link(_)) && *line != Line::Label("Links".to_owned())
            });
            sections::links(episode, format == Format::Markdown)
        }
        Part::KeyPoints => {
            let taken: Vec<String> = outline.sentences().cloned().collect();
            let points =
                spread(episode, 6, &taken).into_iter().map(|point| Line::Bullet(vec![point]));
            [Line::Blank, Line::Label("Key points".to_owned()), Line::Blank]
                .into_iter()
                .chain(points)
                .collect()
        }
    };
    let at = outline
        .lines
        .iter()
        .position(|line| matches!(line, Line::Hashtags(_)))
        .unwrap_or(outline.lines.len());
    let lines = lines.into_iter().chain([Line::Blank]);
    outline.lines.splice(at..at, lines);
}

fn retag(episode: &Episode, outline: &mut Outline, min: usize, max: usize) {
    while drop_hashtag(outline, max) {}
    if outline.hashtags().count() < min {
        outline.lines.retain(|line| !matches!(line, Line::Hashtags(_)));
        outline.lines.extend(sections::hashtags(episode, max.min(min + 1)));
    }
}

fn space_chapters(outline: &mut Outline, gap: u64) {
    let mut last: Option<u64> = None;
    outline.lines.retain(|line| {
        let Line::Chapter(body) = line else { return true };
        let start = stamp_of(body).map_or(0, |(seconds, _)| seconds);
        let keep = last.is_none_or(|last| start >= last.saturating_add(gap));
        last = if keep { Some(start) } else { last };
        keep
    });
}

/// Sorts the sentences of each paragraph, and the bullets of each list, as they were said.
fn in_episode_order(episode: &Episode, outline: &mut Outline) {
    let place = |text: &String| episode.sentence(text).map_or(1.0, |sentence| sentence.place);
    for line in &mut outline.lines {
        if let Line::Prose(sentences) = line {
            sentences.sort_by(|a, b| place(a).total_cmp(&place(b)));
        }
    }
    let first = |line: &Line| {
        if let Line::Bullet(texts) = line { texts.first().map_or(1.0, place) } else { 1.0 }
    };
    for run in
        outline.lines.chunk_by_mut(|a, b| matches!((a, b), (Line::Bullet(_), Line::Bullet(_))))
    {
        run.sort_by(|a, b| first(a).total_cmp(&first(b)));
    }
}
