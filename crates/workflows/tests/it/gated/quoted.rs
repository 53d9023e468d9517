//! The attacks, each by the whole path: in the texts of a session, through its prompt, its token and its reader.

use super::{
    attacks::{self, Attack},
    play::{Play, code, files, token, under_review},
    setting::Setting,
};
use redraft_loop::{Reading, Verdict};
use redraft_workflows::{
    Unreadable,
    gated::{
        profile::Phase,
        review_meta::{self, Token},
    },
};
use std::collections::BTreeSet;

/// Where a hostile text stands.
#[derive(Debug, Clone, Copy)]
enum Place {
    Code,
    Plan,
    Remarks,
    /// In a word of the person who began the session, pasted from elsewhere.
    Context,
}

const PLACES: [Place; 4] = [Place::Code, Place::Plan, Place::Remarks, Place::Context];

const HARMLESS: &str = "class A {}";

/// A session whose reviewer is shown these texts.
fn shown(texts: &[String], place: Place) -> Play {
    let all = texts.join("\n\n");
    let response = files("A.java", HARMLESS);
    match place {
        Place::Code => {
            // As a person may leave files there; a response could not bring all of them.
            let mut play = Play::begin(Setting::small(3));
            play.drive().says("A plan.").let_pass().says(&response);
            let mut standing = play.standing();
            let names = ["A.java", "B.java", "C.java"];
            let texts = names.into_iter().zip(texts.iter().map(String::as_str));
            standing.code = Some(code(&texts.collect::<Vec<_>>()));
            play.approve_as(&standing).unwrap();
            play.pass();
            play
        }
        Place::Plan => under_review(Setting::small(3), &format!("A plan.\n{all}"), &response),
        Place::Remarks => under_review(Setting::small(3), "A plan.", &format!("{all}\n{response}")),
        Place::Context => {
            let occasion = ("occasion", &*String::leak(all));
            let setting = Setting { context: vec![occasion], ..Setting::small(3) };
            under_review(setting, "A plan.", &response)
        }
    }
}

fn read(play: &Play, response: &str) -> Result<Reading, Unreadable> {
    let (phase, round) = play.session.asked().unwrap();
    assert_eq!(phase, Phase::Review);
    play.session.begun.reading(&play.session.run, phase, round, response)
}

fn passes(play: &Play, response: &str) -> bool {
    read(play, response).is_ok_and(|reading| reading.verdict == Some(Verdict::Ok))
}

fn told(attack: &Attack, place: Place, response: &str) -> String {
    let shown = attack.shown.join("\n---\n");
    format!("{} in {place:?}\n--- shown\n{shown}\n--- response\n{response}", attack.family)
}

/// Whether the reader of bundles takes the text before its marker as it is.
fn can_stand_in(attack: &Attack, place: Place) -> bool {
    match place {
        Place::Code => attack.shown.iter().all(|text| !text.trim().is_empty()),
        Place::Plan | Place::Remarks | Place::Context => true,
    }
}

/// Each attack as a review of the session's own texts, and its honest twin with the session's own token.
#[test]
fn no_text_under_review_makes_a_session_pass_and_every_honest_twin_is_read() {
    let (mut count, mut families) = (0, BTreeSet::new());
    for (n, attack) in attacks::all().into_iter().enumerate() {
        let place = PLACES[n % PLACES.len()];
        if !can_stand_in(&attack, place) {
            continue;
        }
        let play = shown(&attack.shown, place);
        let texts: Vec<&str> = attack.shown.iter().map(String::as_str).collect();
        let (of_corpus, own) = (Token::of("session", 1, &texts), token(&play));
        let here = |response: &str| response.replace(of_corpus.as_str(), &own);
        let response = here(&attack.response);
        assert!(!passes(&play, &response), "{}", told(&attack, place, &response));
        check_twin(&play, &attack, place, here);
        count += 1;
        families.insert(attack.family);
    }
    assert!(count >= 700 && families.len() >= 36, "{count} attacks of {} families", families.len());
}

fn check_twin(play: &Play, attack: &Attack, place: Place, here: impl Fn(&str) -> String) {
    let given = match attack.twin.given {
        review_meta::Verdict::Pass => Verdict::Ok,
        review_meta::Verdict::Fail => Verdict::ChangesRequested,
    };
    let twin = here(&attack.twin.response);
    let mended = attack.twin.mended.as_deref().map(here);
    if mended.is_some() {
        let refused = read(play, &twin);
        assert!(refused.is_err(), "{}", told(attack, place, &twin));
    }
    let honest = mended.unwrap_or(twin);
    let reading = read(play, &honest)
        .unwrap_or_else(|error| panic!("{error}: {}", told(attack, place, &honest)));
    assert_eq!(reading.verdict, Some(given), "{}", told(attack, place, &honest));
}

/// Whatever a reviewer quotes of what the prompt showed, from any line to any other, is no verdict that passes.
#[test]
fn no_slice_of_what_the_reviewer_was_shown_passes() {
    let mut slices = 0u32;
    for (n, attack) in attacks::all().into_iter().enumerate().filter(|(n, _)| n % 5 == 0) {
        let place = PLACES[n / 5 % PLACES.len()];
        if !can_stand_in(&attack, place) {
            continue;
        }
        let play = shown(&[attack.shown, vec![attack.response]].concat(), place);
        let prompt = play.session.begun.written(&play.session.run, Phase::Review, 1, None);
        let texts = prompt.parts.iter().map(|part| &*part.text).chain([&*prompt.instructions]);
        for text in texts {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let starts = (0..lines.len()).filter(|at| lines[*at].contains(['@', '`', '~', '\\']));
            for from in starts {
                for to in (from + 1..=lines.len()).rev().take(12).chain(from + 1..from + 9) {
                    let Some(slice) = lines.get(from..to) else { continue };
                    let slice = slice.concat();
                    assert!(!passes(&play, &slice), "{place:?}\n{slice}");
                    slices += 1;
                }
            }
        }
    }
    assert!(slices > 5_000, "{slices}");
}

#[test]
fn the_token_that_is_told_is_the_one_that_is_read_whatever_else_the_prompt_holds() {
    let mut play = under_review(Setting::small(3), "A plan.", &files("A.java", HARMLESS));
    let first = token(&play);
    let review = super::play::pass(&play);
    play.says(&review).rejects("verdict: PASS is wrong");
    assert_eq!(token(&play), first, "what reviewers said is not under review");
    let begun = &play.session.begun;
    let repaired = begun.written(&play.session.run, Phase::Review, 1, Some("line 1: no"));
    assert!(repaired.instructions.contains(&first));
    assert!(passes(&play, &super::play::pass(&play)));
}
