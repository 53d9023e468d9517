//! Chapters for an episode whose transcript has times but that came without a chapters file.
//!
//! Each stretch between time markers is named by the key phrases that set it apart from the others, by
//! frequency there against spread over the episode (tf-idf). Invariant: every title is made of phrases
//! said in its stretch; no two chapters share a title. Absent here: finding topic borders inside a
//! stretch, and times nobody marked (besides the start of the recording at 0).

use redraft_workflows::episode::{Chapter, Transcript};

use super::episode::Episode;
use super::phrases::Phrase;
use super::words::{fold, words};
use super::write::titles::title_case;

/// The most chapters suggested.
const MOST: usize = 12;

struct Stretch {
    start_ms: u64,
    /// Folded words between single spaces.
    text: String,
}

/// Chapters of `transcript` from its time markers; none where it has fewer than two.
#[must_use]
pub fn suggest_chapters(transcript: &Transcript) -> Vec<Chapter> {
    let stretches = stretches(transcript);
    if stretches.len() < 2 {
        return Vec::new();
    }
    let episode = Episode::new(transcript.clone(), Vec::new());
    let mut used: Vec<&Phrase> = Vec::new();
    let mut chapters = Vec::new();
    for stretch in &stretches {
        let chosen = apart(stretch, &stretches, &episode.phrases, &used);
        if !chosen.is_empty() {
            let title = chosen
                .iter()
                .map(|phrase| title_case(&phrase.text))
                .collect::<Vec<_>>()
                .join(" and ");
            let start_sec = (stretch.start_ms / 1000) as f64;
            chapters.push(Chapter { title, start_sec, end_sec: None, summary: None });
            used.extend(chosen);
        }
    }
    chapters
}

/// The two phrases said most often here and least elsewhere.
fn apart<'a>(
    here: &Stretch,
    all: &[Stretch],
    phrases: &'a [Phrase],
    used: &[&Phrase],
) -> Vec<&'a Phrase> {
    let mut found: Vec<(f64, &Phrase)> = phrases
        .iter()
        .filter(|phrase| {
            !used.contains(phrase) && (phrase.proper || phrase.terms.len() > 1 || phrase.count > 8)
        })
        .map(|phrase| (distinct(here, all, phrase), phrase))
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut chosen: Vec<&Phrase> = Vec::new();
    for (_, phrase) in found {
        let same =
            chosen.iter().any(|other| other.terms.iter().any(|term| phrase.terms.contains(term)));
        if chosen.len() < 2 && !same {
            chosen.push(phrase);
        }
    }
    chosen
}

fn distinct(here: &Stretch, all: &[Stretch], phrase: &Phrase) -> f64 {
    let needle = format!(" {} ", phrase.terms.join(" "));
    let here = here.text.matches(&needle).count() as f64;
    let within = all.iter().filter(|stretch| stretch.text.contains(&needle)).count().max(1) as f64;
    here.ln_1p() * (1.0 + all.len() as f64 / within).ln() * phrase.score.sqrt()
}

/// The transcript cut at its markers, evenly thinned to [`MOST`] stretches; the first begins at 0.
fn stretches(transcript: &Transcript) -> Vec<Stretch> {
    let last = transcript.turns.iter().filter_map(|turn| turn.start_ms).max().unwrap_or_default();
    let apart = (last / MOST as u64).max(60_000);
    let mut cut = vec![Stretch { start_ms: 0, text: String::from(" ") }];
    for turn in &transcript.turns {
        let since = cut.last().map_or(0, |stretch| stretch.start_ms);
        if let Some(start_ms) = turn.start_ms.filter(|start| *start >= since.saturating_add(apart))
        {
            cut.push(Stretch { start_ms, text: String::from(" ") });
        }
        if let Some(stretch) = cut.last_mut() {
            words(&turn.text).for_each(|word| {
                stretch.text.push_str(&fold(word));
                stretch.text.push(' ');
            });
        }
    }
    cut
}
