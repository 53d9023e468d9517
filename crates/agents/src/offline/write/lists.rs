//! Tags and keywords: key phrases and full names, as lists.
//!
//! Invariant: items are phrases and names of the episode. Absent here: how many a platform takes.

use crate::offline::episode::Episode;

/// The key phrases a site would tag the episode with.
pub(crate) fn tags(episode: &Episode) -> Vec<String> {
    episode.phrases.iter().take(12).map(|phrase| phrase.text.clone()).collect()
}

/// The key phrases a listener might search for.
pub(crate) fn keywords(episode: &Episode) -> Vec<String> {
    episode.phrases.iter().take(18).map(|phrase| phrase.text.clone()).collect()
}

/// `items` with the people first.
pub(crate) fn with_people(episode: &Episode, items: Vec<String>) -> Vec<String> {
    episode.names.billed().into_iter().map(str::to_owned).chain(items).collect()
}
