//! Digests of chunks and of the episode.

use super::fixture::{CLEAN, LINK, episode};
use crate::offline::{summarize_chunk, summarize_episode};

#[test]
fn a_chunk_is_digested_from_its_own_sentences_only() {
    let chunk = format!("Linus Talvold: {} {} See the parser.", CLEAN[0], CLEAN[1]);
    let digest = summarize_chunk(&chunk, &episode());
    assert_eq!(digest.bullets, [CLEAN[0], CLEAN[1]]);
    assert_eq!(digest.links.iter().map(|link| link.url.as_str()).collect::<Vec<_>>(), [LINK]);
}

#[test]
fn an_episode_is_digested_into_points_topics_and_links() {
    let digest = summarize_episode(&episode());
    assert!(!digest.key_points.is_empty() && !digest.topics.is_empty());
    assert!(digest.key_points.iter().any(|point| digest.summary_markdown.contains(point)));
    assert_eq!(digest.links.len(), 1);
}
