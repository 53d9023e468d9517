//! Edits of one-line texts: another of the episode's titles, subtitles or slugs.
//!
//! Invariant: the richest option wins that keeps the named rule and the rubric's lengths.
//! Absent here: cutting a title inside a phrase.

use super::Revision;
use crate::offline::rubric::Check;
use crate::offline::write::titles;

pub(super) fn answer(revision: &mut Revision<'_>, check: &Check) {
    let options = match revision.rubric.kind.as_str() {
        "slug" => titles::slugs(revision.episode),
        "subtitle_auphonic" => titles::subtitles(revision.episode),
        "title_seo" => titles::seo_options(revision.episode),
        _ => titles::options(revision.episode),
    };
    let fits = options
        .into_iter()
        .find(|option| !revision.text_fails(check, option) && keeps_lengths(revision, option));
    if let Some(option) = fits {
        revision.text = option;
    }
}

fn keeps_lengths(revision: &Revision<'_>, option: &str) -> bool {
    let lengths = revision.rubric.rules.iter().map(|rule| &rule.check);
    let mut lengths =
        lengths.filter(|check| matches!(check, Check::MaxChars { .. } | Check::MinChars { .. }));
    lengths.all(|check| !revision.text_fails(check, option))
}
