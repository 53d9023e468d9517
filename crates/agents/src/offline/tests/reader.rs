//! Reads a plain Markdown transcript, just enough for the tests of this module.

use redraft_workflows::episode::{SpeakerTurn, Transcript};

/// The turns of `text`: `**Speaker:** words`, `[MM:SS]` markers, section names left out.
pub(crate) fn read(text: &str) -> Transcript {
    let mut turns: Vec<SpeakerTurn> = Vec::new();
    for paragraph in text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
        let (speaker, said) = speaker(paragraph);
        let (start_ms, said) = marker(said);
        match (speaker, turns.last_mut()) {
            (Some("Break" | "Outro" | "Jingle" | "Music"), _) => {}
            (None, Some(last)) if start_ms.is_none() => {
                last.text = format!("{}\n\n{said}", last.text).trim().to_owned();
            }
            (name, last) => {
                let name = name.map(str::to_owned).or_else(|| last.and_then(|turn| turn.speaker.clone()));
                turns.push(SpeakerTurn { speaker: name, start_ms, text: said.to_owned() });
            }
        }
    }
    Transcript { turns, links: Vec::new() }
}

fn speaker(paragraph: &str) -> (Option<&str>, &str) {
    let parts = paragraph.strip_prefix("**").and_then(|rest| rest.split_once(":**"));
    parts.map_or((None, paragraph), |(name, rest)| (Some(name), rest.trim()))
}

fn marker(text: &str) -> (Option<u64>, &str) {
    let inner = text.strip_prefix("\\[").and_then(|rest| rest.split_once("\\]"));
    let Some((stamp, rest)) = inner else { return (None, text) };
    let numbers: Option<Vec<u64>> = stamp.split(':').map(|part| part.parse().ok()).collect();
    match numbers {
        Some(numbers) => (Some(numbers.iter().fold(0, |sum, part| sum * 60 + part) * 1000), rest.trim()),
        None => (None, text),
    }
}
