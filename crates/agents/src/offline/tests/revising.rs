//! The reviser answers what the review said, and says what it could not answer.

use super::fixture::{CLEAN, bare, episode};
use crate::offline::{Draft, Episode, Finding, Previous, Severity, draft, review};

fn finding(code: &str) -> Finding {
    Finding { severity: Severity::Error, code: code.to_owned(), message: String::new() }
}

fn revise(kind: &str, episode: &Episode, text: &str, findings: &[Finding]) -> Draft {
    draft(kind, episode, Some(Previous { text, findings, iteration: 1 })).unwrap()
}

#[test]
fn a_text_without_findings_stays_as_it_is() {
    let draft = revise("description", &bare(), "Anything at all.", &[]);
    assert_eq!(
        (draft.text.as_str(), draft.done, draft.remarks.len()),
        ("Anything at all.", true, 0)
    );
}

#[test]
fn a_finding_of_another_reviewer_leaves_the_text_and_is_remarked() {
    let draft = revise("slug", &bare(), "parser", &[finding("too_dry")]);
    assert_eq!(draft.text, "parser");
    assert_eq!(
        draft.remarks,
        ["too_dry: not answered; the offline writer only answers its own rubric's rules"]
    );
}

#[test]
fn a_misspelled_name_is_put_right_and_nothing_else_changes() {
    let text = format!("{} {}\n\nWith Linus Tallvold.", CLEAN[0], CLEAN[1]);
    let draft = revise("description", &bare(), &text, &[finding("name_spelling")]);
    assert_eq!(draft.text, text.replace("Tallvold", "Talvold"));
}

#[test]
fn a_dangling_sentence_is_replaced_and_the_others_stay() {
    let text = format!("{} It keeps every token in memory until the file ends.", CLEAN[0]);
    let draft = revise("summary_short", &bare(), &text, &[finding("dangling")]);
    assert!(draft.text.contains(CLEAN[0]) && !draft.text.contains("It keeps"), "{}", draft.text);
    assert!(
        review("summary_short", &bare(), &draft.text)
            .iter()
            .all(|finding| finding.code != "dangling")
    );
}

#[test]
fn missing_chapters_are_put_in_before_the_hashtags() {
    let text = format!("{} {}\n\nWith Linus Talvold.\n\n#Parser", CLEAN[0], CLEAN[1]);
    let draft = revise("youtube_description", &episode(), &text, &[finding("missing_chapters")]);
    let (chapters, tags) = (draft.text.find("00:00 Parser"), draft.text.find("#Parser"));
    assert!(chapters.is_some() && chapters < tags, "{}", draft.text);
}

#[test]
fn an_unknown_kind_has_no_draft() {
    assert!(draft("haiku", &bare(), None).is_none());
}
