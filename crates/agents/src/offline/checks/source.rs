//! Whether the transcript says it: sentences word for word, words in titles and lists, names as spelled.
//!
//! Invariant: a misspelled name is a finding of the names rule and not also an unsaid sentence.
//! Absent here: likeness of meaning; a paraphrase is not a quotation.

use super::{Subject, excerpt};
use crate::offline::outline::{Line, stamp_of, url_of};
use crate::offline::words::{lower, parts, words};

/// Words a title may be joined with though nobody said them.
const JOINTS: [&str; 3] = ["with", "and", "on"];

pub(super) fn names(subject: &Subject<'_>) -> Vec<String> {
    let wrong = subject.episode.names.misspelled(subject.text, &subject.episode.said);
    wrong
        .into_iter()
        .map(|(word, right)| format!("“{word}” (the transcript has “{right}”)"))
        .collect()
}

pub(super) fn unsaid_sentences(subject: &Subject<'_>) -> Vec<String> {
    let episode = subject.episode;
    let prose = subject.outline.sentences().filter(|sentence| !episode.said.has_sentence(sentence));
    let listed = subject.outline.lines.iter().filter_map(|line| match line {
        Line::Chapter(body) => stamp_of(body)
            .map(|(_, title)| title.to_owned())
            .filter(|title| !episode.said.has_word(title)),
        Line::Entry(entry) => (!episode.said.has_word(entry)).then(|| entry.clone()),
        Line::Link(body) => url_of(body).filter(|url| !is_given(subject, url)).map(str::to_owned),
        Line::Hashtags(tags) => tags.iter().find(|tag| !is_said_tag(subject, tag)).cloned(),
        Line::Blank | Line::Label(_) | Line::Credit(_) | Line::Bullet(_) | Line::Prose(_) => None,
    });
    prose.cloned().chain(listed).map(|text| format!("“{}”", excerpt(&text))).collect()
}

fn is_given(subject: &Subject<'_>, url: &str) -> bool {
    subject.episode.links.iter().any(|link| link.url == url)
}

/// Whether a hashtag is the words of a key phrase or a name, or one said word.
fn is_said_tag(subject: &Subject<'_>, tag: &str) -> bool {
    let bare = lower(tag.trim_start_matches('#'));
    let squeezed = |text: &str| lower(&text.replace(|c: char| !c.is_alphanumeric(), ""));
    let episode = subject.episode;
    episode.said.has_word(&bare)
        || episode.phrases.iter().any(|phrase| squeezed(&phrase.text) == bare)
        || episode.names.all().iter().any(|name| squeezed(name) == bare)
}

pub(super) fn unsaid_words(subject: &Subject<'_>) -> Vec<String> {
    let episode = subject.episode;
    let text = episode.names.corrected(subject.text, &episode.said);
    let known = |part: &String| JOINTS.contains(&part.as_str()) || episode.said.has_word(part);
    let unsaid = words(&text).filter(|word| !parts(word).iter().all(known));
    unsaid.map(|word| format!("“{word}”")).collect()
}
