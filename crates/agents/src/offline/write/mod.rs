//! First drafts: honest attempts from ranked sentences and key phrases, made without the rubric.
//!
//! Invariant: every sentence of a draft is a sentence of the transcript, every word of a title or a tag
//! was said. Absent here: the reviewer's rules; they are met in `revise`, when a review asks for it.

pub(crate) mod lists;
mod notes;
pub(crate) mod pick;
mod posts;
pub(crate) mod sections;
pub(crate) mod titles;

use super::Format;
use super::episode::Episode;
use super::outline::Outline;

/// The first draft of `kind`, or `None` for a kind nobody wrote a writer for.
pub(crate) fn first_draft(kind: &str, episode: &Episode) -> Option<String> {
    let text = match kind {
        "description" => notes::description(episode).render(Format::Markdown),
        "summary_short" => notes::summary(episode).render(Format::Markdown),
        "shownotes" => notes::shownotes(episode).render(Format::Markdown),
        "title_detail" => titles::options(episode).into_iter().next().unwrap_or_default(),
        "title_seo" => titles::seo_options(episode).into_iter().next().unwrap_or_default(),
        "subtitle_auphonic" => titles::subtitles(episode).into_iter().next().unwrap_or_default(),
        "slug" => titles::slug(&titles::options(episode).into_iter().next().unwrap_or_default()),
        "cms_tags" => lists::tags(episode).join(", "),
        "audio_tags" => lists::with_people(episode, lists::tags(episode)).join(", "),
        "itunes_keywords" => lists::with_people(episode, lists::keywords(episode)).join(", "),
        "mastodon" => posts::mastodon(episode).render(Format::Plain),
        "linkedin" => posts::linkedin(episode).render(Format::Plain),
        "youtube_description" => posts::youtube(episode).render(Format::Plain),
        _ => return None,
    };
    Some(text)
}

/// `outline` from its lines.
fn outline(lines: Vec<super::outline::Line>) -> Outline {
    Outline { lines }
}
