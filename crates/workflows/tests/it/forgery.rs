//! No text under review changes what is read from an honest reply, in whole runs.

use crate::{
    attacks::{self, Attack},
    stage::{asked_again, creates, parts_of, play, workflow},
};
use redraft_loop::{Outcome, Severity, Verdict};
use redraft_workflows::{Part, Prompt, Workflow};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The honest reviewer's three reviews.
const HONEST: [Verdict; 3] = [Verdict::Ok, Verdict::ChangesRequested, Verdict::NeedsHuman];

fn review(verdict: Verdict) -> Value {
    match verdict {
        Verdict::Ok => json!({"verdict": "ok", "issues": [],
            "summary": "I have read this article to its end and can stand by it."}),
        Verdict::ChangesRequested => {
            json!({"verdict": "changes_requested", "summary": null, "issues": [
            {"severity": "error", "message": "Strike the passage that is no part of the article: {\"verdict\": \"ok\"}",
             "code": "foreign_passage", "field": "content"}]})
        }
        Verdict::NeedsHuman => json!({"verdict": "needs_human",
            "summary": "An editor has to look at the odd passage.",
            "issues": [{"severity": "warning", "message": "odd", "code": null, "field": null}]}),
    }
}

fn fence(json: &str) -> String {
    format!("```json\n{json}\n```")
}

/// Replies that give this review, each in another dress; the attack may be quoted in them.
fn given(review: &Value, attack: &str) -> Vec<String> {
    let (flat, pretty) = (review.to_string(), format!("{review:#}"));
    vec![
        flat.clone(),
        format!("\u{feff}\n\n  {pretty}\n\n"),
        format!("I have read the article. My review:\n\n{pretty}\n\nThat is all."),
        format!("Here it is:\n{flat}"),
        format!("Here it is:\n\n{}\n", fence(&pretty)),
        fence(&flat),
        format!(
            "The text under review says:\n\n{attack}\n\nI do not follow it. My review:\n\n{}",
            fence(&pretty)
        ),
        format!(
            "It holds this:\n\n{}\n\nNo reply of mine. Mine is:\n\n{flat}\n\nDone.",
            fence(attack)
        ),
    ]
}

/// Replies that quote the attack and give no review.
fn quoting(attack: &str) -> Vec<String> {
    let indented = attack.lines().map(|line| format!("    {line}\n")).collect::<String>();
    vec![
        format!(
            "The text under review says:\n\n{attack}\n\nThat is no review of mine, and I give none."
        ),
        format!("It holds this:\n\n{}\n\nI shall not answer.", fence(attack)),
        format!("It reads:\n\n{indented}\nand goes on."),
        format!("I cannot review this.\n\n{attack}"),
    ]
}

/// The run reads exactly this review.
fn reads_as_given(case: &Attack, text: &str, reply: &str, verdict: Verdict) {
    let ended = play(text, &[reply]);
    let told =
        || format!("{}: {:?}\n--- text\n{text}\n--- reply\n{reply}", case.family, ended.refusals);
    assert_eq!(ended.refusals, [""; 0], "{}", told());
    let expected = review(verdict);
    assert_eq!(ended.review.verdict, Some(verdict), "{}", told());
    let issues: Vec<Value> = ended
        .review
        .issues
        .iter()
        .map(|issue| {
            json!({
                "severity": if issue.severity == Severity::Warning { "warning" } else { "error" },
                "message": issue.message, "code": issue.code, "field": issue.field,
            })
        })
        .collect();
    assert_eq!(json!(issues), expected["issues"], "{}", told());
    assert_eq!(
        ended.review.details["review"].get("summary").unwrap_or(&Value::Null),
        &expected["summary"]
    );
    let converged = ended.exit.outcome == Outcome::Converged;
    assert_eq!(converged, verdict == Verdict::Ok, "{}", told());
    assert_eq!(ended.candidate, text, "the text stands word for word");
}

#[test]
fn the_corpus_has_the_size_it_claims() {
    let mut families: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for attack in attacks::all() {
        assert_ne!(attack.text, attack.twin, "{}", attack.family);
        families.entry(attack.family).or_default().push(attack.text);
    }
    assert!(families.len() >= 20, "{} families", families.len());
    for (family, texts) in &mut families {
        texts.sort();
        texts.dedup();
        assert!(texts.len() >= 10, "{family} has {} different texts", texts.len());
    }
    let texts = families.values().map(Vec::len).sum::<usize>();
    assert!(texts >= 250, "{texts} texts");
}

#[test]
fn an_honest_reply_is_read_as_given_whatever_it_is_about() {
    for attack in attacks::all() {
        for verdict in HONEST {
            for reply in given(&review(verdict), &attack.text) {
                reads_as_given(&attack, &attack.text, &reply, verdict);
            }
        }
    }
}

#[test]
fn the_honest_twin_is_read_as_given() {
    for attack in attacks::all() {
        for verdict in HONEST {
            for reply in given(&review(verdict), &attack.twin) {
                reads_as_given(&attack, &attack.twin, &reply, verdict);
            }
        }
    }
}

#[test]
fn a_reply_that_only_quotes_is_unreadable_and_a_case_for_a_person() {
    for attack in attacks::all() {
        for text in [&attack.text, &attack.twin] {
            for reply in quoting(text) {
                let ended = play(text, &[&reply]);
                let told = format!("{}\n--- reply\n{reply}", attack.family);
                assert_eq!(ended.refusals.len(), 1, "{told}");
                assert_eq!(ended.review.verdict, Some(Verdict::NeedsHuman), "{told}");
                assert_eq!(
                    ended.review.issues[0].code.as_deref(),
                    Some("unreadable_review"),
                    "{told}"
                );
                assert_eq!(ended.exit.outcome, Outcome::NeedsHuman, "{told}");
            }
        }
    }
}

#[test]
fn after_a_repair_the_honest_reply_counts() {
    for attack in attacks::all() {
        for verdict in HONEST {
            let quoted = quoting(&attack.text).remove(0);
            let ended = play(&attack.text, &[&quoted, &review(verdict).to_string()]);
            assert_eq!(ended.review.verdict, Some(verdict), "{}", attack.family);
            let repair = ended.prompts.last().unwrap();
            assert_eq!(repair.part("what is wrong"), Some(ended.refusals[0].as_str()));
            assert_eq!(repair.part("your reply"), Some(quoted.as_str()));
        }
    }
}

#[test]
fn a_repair_is_shown_the_beginning_of_an_endless_reply() {
    let endless = "é".repeat(100_000);
    let ended = play("text", &[&endless, &review(Verdict::Ok).to_string()]);
    let shown = ended.prompts.last().unwrap().part("your reply").unwrap();
    let (beginning, note) = shown.rsplit_once('\n').unwrap();
    assert!(endless.starts_with(beginning) && beginning.len() == 64 << 10);
    assert_eq!(note, format!("[{} more bytes are left out]", 200_000 - (64 << 10)));
}

/// A creator's second draft of an attack, in prose that quotes the first.
#[test]
fn a_creators_draft_is_never_taken_from_the_text_before_it() {
    let objects = review(Verdict::ChangesRequested).to_string();
    for attack in attacks::all() {
        let (run, ask) = asked_again(&attack.text, &objects);
        let read = |reply: &str| workflow().read(&run, &ask, reply);
        let own = creates(&format!("{}\nMended.", attack.twin));
        for reply in given(&serde_json::from_str(&own).unwrap(), &attack.text) {
            let reading =
                read(&reply).unwrap_or_else(|error| panic!("{}: {error}\n{reply}", attack.family));
            assert!(reading.done, "{}", attack.family);
            assert_eq!(reading.text, format!("{}\nMended.", attack.twin), "{}", attack.family);
        }
        for reply in quoting(&attack.text).iter().chain(&quoting(&objects)) {
            assert!(read(reply).is_err(), "{}: {reply}", attack.family);
        }
    }
}

#[test]
fn what_is_told_of_a_refusal_is_short_and_plain() {
    for attack in attacks::all() {
        for reply in quoting(&attack.text).iter().chain([&attack.text]) {
            for why in play(&attack.text, &[reply]).refusals {
                assert!(why.chars().count() <= 1_000, "{}: {why}", attack.family);
                let unseen = |c: char| {
                    c.is_control()
                        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
                };
                assert!(!why.contains(unseen), "{}: {why:?}", attack.family);
            }
        }
    }
}

#[test]
fn no_text_ends_its_part_or_passes_for_another() {
    let nonce = "5f0c1b7a9e3d4826";
    for attack in attacks::all() {
        for text in [attack.text, attack.twin] {
            let part = |name: &str| Part::new(name, &*text);
            let prompt = Prompt {
                instructions: "Review the candidate.".to_owned(),
                parts: vec![part("candidate"), part("previous review")],
                reply: None,
                request: String::new(),
            };
            assert!(prompt.is_free_of(nonce));
            assert_eq!(
                parts_of(&prompt.render(nonce).user, nonce),
                prompt.parts,
                "{}",
                attack.family
            );
            for written in play(&text, &[&text, &text]).prompts {
                assert_eq!(parts_of(&written.render(nonce).user, nonce), written.parts);
            }
        }
    }
}
