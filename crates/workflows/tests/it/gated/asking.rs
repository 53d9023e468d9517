//! The prompts of the profiles that come with the program, in every case that a session can come to.

use super::{
    play::{Play, fail, files},
    setting::Setting,
};
use redraft_workflows::{
    Prompt,
    gated::profile::{BUILT_IN, Phase},
};
use std::collections::BTreeSet;

/// A text that has all in it that a template could stumble over.
const ODD: &str = "{{ mephisto }} {% if %} {# x #} ```` <<< {{ tenant_column }} %}\n";

/// What a prompt holds, by phase and parts.
type Case = (Phase, Vec<String>);

/// The prompt at hand, with and without what is wrong; none is what a failed template leaves.
fn asked(play: &Play, seen: &mut BTreeSet<Case>) {
    let session = &play.session;
    let (phase, round) = session.asked().unwrap();
    for wrong in [None, Some(ODD)] {
        let prompt = session.begun.written(&session.run, phase, round, wrong);
        check(play, phase, &prompt);
        seen.insert((phase, prompt.parts.iter().map(|part| part.name.clone()).collect()));
    }
}

fn check(play: &Play, phase: Phase, prompt: &Prompt) {
    let begun = &play.session.begun;
    let told = &prompt.instructions;
    assert!(told.contains(begun.standards().trim()), "{phase}: {told}");
    assert!(told.contains("Order") && told.contains("sales.orders"), "{phase}: {told}");
    assert!(!told.contains("{{") && !told.contains("{%"), "{phase}: {told}");
    assert!(!told.contains("mephisto"), "{phase}: a text of others stands in the instructions");
    assert_eq!(told.contains("review_token: "), phase == Phase::Review);
    assert!(prompt.part("schema").is_some_and(|text| text.contains("tenant_id")));
    let request: serde_json::Value = serde_json::from_str(&prompt.request).unwrap();
    assert_eq!(request["phase"], phase.name());
    assert_eq!(request["iteration"], play.session.iteration());
}

/// Asks, has the response sent back, asks again, and lets the next one pass.
fn through(play: &mut Play, response: &str, seen: &mut BTreeSet<Case>) {
    asked(play, seen);
    play.says(response).rejects(ODD);
    asked(play, seen);
    play.says(response).let_pass();
}

/// A session to its last review, with remarks or without.
fn session(name: &str, scope: &'static str, remarks: &str, iterations: u32) -> BTreeSet<Case> {
    let mut seen = BTreeSet::new();
    let mut play = Play::begin(Setting { iterations, ..Setting::built_in(name, scope) });
    let extension = play.session.begun.profile.extension().to_owned();
    let file = |n: u32| format!("{remarks}{}", files(&format!("Order{n}.{extension}"), ODD));
    play.drive();
    through(&mut play, ODD, &mut seen);
    through(&mut play, &file(1), &mut seen);
    for iteration in 1..=iterations {
        let review = fail(&play, ODD);
        asked(&play, &mut seen);
        play.says(&review).rejects(ODD);
        asked(&play, &mut seen);
        play.says(&review).let_pass();
        if iteration < iterations {
            through(&mut play, &file(iteration + 1), &mut seen);
        }
    }
    assert!(play.session.run.decision().is_some());
    seen
}

#[test]
fn no_prompt_of_a_built_in_profile_fails_to_be_written() {
    for name in BUILT_IN {
        for scope in ["domain", "service", "api"] {
            let mut seen = BTreeSet::new();
            for remarks in ["", "DISPUTED ISSUES\n- R1: {{ no }}\n"] {
                seen.extend(session(name, scope, remarks, 3));
            }
            let count = |phase: Phase| seen.iter().filter(|(of, _)| *of == phase).count();
            // Sent back or not; with what is wrong or not; with remarks or not; behind a review or not.
            assert_eq!(Phase::ALL.map(count), [2, 4, 16, 8], "{name}, {scope}: {seen:#?}");
        }
    }
}

#[test]
fn a_late_iteration_is_asked_for_like_an_early_one() {
    for name in BUILT_IN {
        session(name, "domain", "A remark.\n", 7);
    }
}
