//! Real transcripts, from the folder that `REDRAFT_TRANSCRIPTS` names: what the agent promises of them.

use redraft_workflows::episode::transcript;

use crate::offline::checks::Subject;
use crate::offline::words::one_spaced;
use crate::offline::{Episode, Previous, Severity, draft, kinds, review, suggest_chapters};

const PROSE: [&str; 6] =
    ["description", "shownotes", "summary_short", "mastodon", "linkedin", "youtube_description"];

/// How one asset went: whether it converged, and whether its text changed after the first review.
struct Outcome {
    text: String,
    converged: bool,
    changed: bool,
    open: Vec<String>,
}

fn run(kind: &str, episode: &Episode) -> Outcome {
    let mut current = draft(kind, episode, None).unwrap();
    let first = current.text.clone();
    for iteration in 1..=3 {
        let findings = review(kind, episode, &current.text);
        let open: Vec<String> = findings
            .iter()
            .filter(|f| f.severity == Severity::Error)
            .map(|f| f.message.clone())
            .collect();
        if open.is_empty() || iteration == 3 {
            let converged = open.is_empty() && current.done;
            return Outcome { changed: current.text != first, text: current.text, converged, open };
        }
        current = draft(
            kind,
            episode,
            Some(Previous { text: &current.text, findings: &findings, iteration }),
        )
        .unwrap();
    }
    unreachable!("the last iteration returns")
}

fn check(path: &std::path::Path) {
    let bytes = std::fs::read(path).unwrap();
    let transcript = transcript::parse(&path.to_string_lossy(), &bytes).unwrap();
    let said = one_spaced(
        &transcript.turns.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>().join(" "),
    );
    let chapters = suggest_chapters(&transcript);
    let episode = Episode::new(transcript, chapters);
    let outcomes: Vec<(&str, Outcome)> = kinds().map(|kind| (kind, run(kind, &episode))).collect();
    let name = path.display();
    assert!(outcomes.iter().filter(|(_, outcome)| outcome.converged).count() >= 11, "{name}");
    assert!(outcomes.iter().filter(|(_, outcome)| outcome.changed).count() >= 3, "{name}");
    for (kind, outcome) in &outcomes {
        assert!(outcome.converged || !outcome.open.is_empty(), "{name} {kind}: no reason");
        if PROSE.contains(kind) {
            for sentence in Subject::new(&episode, &outcome.text).outline.sentences() {
                assert!(said.contains(sentence.trim_end_matches('.')), "{name} {kind}: {sentence}");
            }
        }
    }
}

#[test]
fn real_episodes_converge_and_change_and_invent_nothing() {
    let Some(folder) = std::env::var_os("REDRAFT_TRANSCRIPTS") else { return };
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension().is_some_and(|end| end == "md") && !path.ends_with("README.md")
    });
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().for_each(|path| check(path));
}
