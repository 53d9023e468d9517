//! `podcast pick` with a person at a terminal, and without one.

use crate::{
    pty::{self, Terminal},
    sandbox::{Ended, Sandbox},
    scene::{asset, draft, objects, review, script, workspace},
};

const QUESTION: &str = "q leaves)";

/// Two assets that wait for a person, two candidates each.
fn waiting() -> Sandbox {
    let sandbox = workspace();
    for id in ["description", "slug"] {
        let first = format!("{id} one\n\nits body\n");
        let replies = [
            draft(&first),
            objects("“one” is vague"),
            draft(&first.replace("one", "two")),
            objects("more"),
        ];
        script(&sandbox, &replies);
        sandbox.expect(3, &review(id, "--max-iterations 2"));
    }
    sandbox
}

/// Types the answers, one at each question.
fn pick(sandbox: &Sandbox, words: &str, answers: &[&str]) -> Ended {
    let mut terminal =
        Terminal::start(sandbox, &format!("podcast pick -w w {words}"), &[("NO_COLOR", "1")]);
    for answer in answers {
        terminal.shows(QUESTION);
        terminal.types(&format!("{answer}\n"));
    }
    terminal.ends()
}

fn selected(sandbox: &Sandbox, id: &str) -> Option<usize> {
    let asset = asset(sandbox, id);
    let candidates = asset["candidates"].as_array().unwrap();
    candidates.iter().position(|one| one["candidate_id"] == asset["selected_candidate_id"])
}

#[test]
fn a_person_chooses_an_asset_and_a_candidate() {
    if !pty::works() {
        return;
    }
    let sandbox = waiting();
    let ended = pick(&sandbox, "--by Ann", &["2", "1"]);
    assert_eq!(ended.code, 0, "{}", ended.out);
    for told in [
        "1  description",
        "2  slug",
        "Asset: slug",
        " 1  changes_requested, errors: 1, warnings: 0",
        "    slug one",
        "Selected: w/copy/selected/slug.md",
    ] {
        assert!(ended.out.contains(told), "{told}\n{}", ended.out);
    }
    assert_eq!(selected(&sandbox, "slug"), Some(0));
    let status = sandbox.json("podcast status -w w");
    assert_eq!(status["assets"][1]["selected_by"], "Ann");
    let ended = pick(&sandbox, "", &["2"]);
    assert!(ended.out.contains("Asset: description"), "the only one that waits: {}", ended.out);
    assert_eq!(selected(&sandbox, "description"), Some(1));
    let ended = pick(&sandbox, "", &[]);
    assert_eq!(ended.code, 0);
    assert!(ended.out.contains("No asset waits for a person."), "{}", ended.out);
}

#[test]
fn texts_are_shown_and_compared_before_the_choice() {
    if !pty::works() {
        return;
    }
    let sandbox = waiting();
    let answers = ["s 1", "d 1", "d 2", "0", "7", "what", "", "d", "2"];
    let ended = pick(&sandbox, "--asset-id slug", &answers);
    for told in [
        "  its body",
        "^ error: “one” is vague",
        "slug [-one-]{+two+}",
        "^ error (1): “one” is vague",
        "2 is the newest.",
        "There is no 7",
        "Type a number, d and a number",
    ] {
        assert!(ended.out.contains(told), "{told}\n{}", ended.out);
    }
    assert_eq!(selected(&sandbox, "slug"), Some(1));
}

#[test]
fn leaving_changes_nothing() {
    if !pty::works() {
        return;
    }
    let sandbox = waiting();
    let before = sandbox.files("w");
    for (words, answers) in [
        ("", &["q"][..]),
        ("", &["1", "q"]),
        ("--asset-id slug", &["q"]),
        ("--asset-id slug", &["s 1", "\u{4}"]),
    ] {
        let ended = pick(&sandbox, words, answers);
        assert_eq!(ended.code, 0, "{}", ended.out);
    }
    assert_eq!(sandbox.files("w"), before);
    let ended = pick(&sandbox, "--asset-id mastodon", &[]);
    assert_eq!(ended.code, 2, "{}", ended.out);
    assert!(ended.out.contains("mastodon: there is no candidate yet"), "{}", ended.out);
}

#[test]
fn hidden_characters_of_candidates_do_not_reach_the_terminal() {
    if !pty::works() {
        return;
    }
    let sandbox = workspace();
    let evil = "a\u{1b}[2Jb\u{202e}c\u{9b}31m\rd\nSelected: forged\n";
    script(&sandbox, &[draft(evil), objects(evil), draft("fine\n"), objects(evil)]);
    sandbox.expect(3, &review("slug", "--max-iterations 2"));
    let ended = pick(&sandbox, "", &["s 1", "d 1", "q"]);
    let odd =
        ended.out.chars().find(|c| (c.is_control() && !"\r\n".contains(*c)) || *c == '\u{202e}');
    assert_eq!(odd, None, "{:?}", ended.out);
    assert!(!ended.out.lines().any(|line| line.starts_with("Selected")), "{}", ended.out);
}

#[test]
fn without_a_terminal_candidates_are_listed_and_nobody_is_asked() {
    let sandbox = waiting();
    let ended = sandbox.expect(0, "podcast pick -w w --asset-id slug");
    assert_eq!(ended.out.lines().count(), 2, "{}", ended.out);
    assert!(!ended.out.contains(QUESTION), "{}", ended.out);
}
