//! Real transcripts, where the folder that `REDRAFT_TRANSCRIPTS` names holds some.

use std::path::Path;

use super::{any_input::holds_marker, parse};

#[track_caller]
fn check_file(path: &Path) {
    let name = path.display();
    let source = std::fs::read(path).unwrap();
    let transcript = parse("a.md", &source).unwrap_or_else(|error| panic!("{name}: {error}"));
    let speakers = transcript.speakers();
    assert!(!speakers.is_empty(), "{name}: no speaker");
    for pseudo in ["Break", "Outro", "Intro", "Jingle", "Music"] {
        assert!(!speakers.contains(&pseudo), "{name}: {pseudo} speaks");
    }
    for turn in &transcript.turns {
        assert!(turn.speaker.is_some() && !holds_marker(&turn.text), "{name}: {turn:?}");
        for mark in ["\\[", "\\]", "\\#", "[laugh", "[unintelligible", "**", "](http"] {
            assert!(!turn.text.contains(mark), "{name}: {mark} in {turn:?}");
        }
    }
}

#[test]
fn real_transcripts_leave_no_marker_and_no_escape() {
    let Some(folder) = std::env::var_os("REDRAFT_TRANSCRIPTS") else { return };
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_transcript = |path: &std::path::PathBuf| {
        path.extension().is_some_and(|end| end == "md") && !path.ends_with("README.md")
    };
    let files: Vec<_> = entries.filter(is_transcript).collect();
    assert!(!files.is_empty(), "no transcript in the folder");
    for path in &files {
        check_file(path);
    }
}
