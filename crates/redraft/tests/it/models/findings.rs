//! Findings through the program: asked about by id, shown in status and record, offered at the end.

use super::{expect, studio};
use crate::{
    provider::{Does, Provider, Seen, candidate},
    sandbox::Sandbox,
    scene::document,
};
use serde_json::{Value, json};

const REVIEW: &str = "podcast review -w w --asset-id talk";

/// The ids of the findings that a call is shown.
fn shown(seen: &Seen) -> Vec<String> {
    let text = seen.text();
    let Some((_, rest)) = text.split_once("[begin open findings ") else { return Vec::new() };
    let body = rest.split_once("]\n").unwrap().1.split_once("\n[end open findings ").unwrap().0;
    let list: Value = serde_json::from_str(body).unwrap();
    let ids = list.as_array().unwrap().iter();
    ids.map(|finding| finding["id"].as_str().unwrap().to_owned()).collect()
}

fn review(verdict: &str, new: &[&str], answers: &[(&str, &str)]) -> Does {
    let issue = |message: &&str| json!({"severity": "error", "message": message, "code": null, "field": null});
    let answer = |(id, status): &(&str, &str)| json!({"id": id, "status": status, "note": null});
    let issues: Vec<Value> = new.iter().map(issue).collect();
    let findings: Vec<Value> = answers.iter().map(answer).collect();
    Does::Says(
        json!({"verdict": verdict, "issues": issues, "findings": findings, "summary": null})
            .to_string(),
    )
}

/// A critic that finds two things, sees one of them mended, and then finds more.
fn critic(seen: &Seen) -> Does {
    let ids = shown(seen);
    match seen.nth {
        0 => review("changes_requested", &["too short", "no name in it"], &[]),
        1 => review("changes_requested", &[], &[(&ids[0], "fixed"), (&ids[1], "open")]),
        _ => {
            review("changes_requested", &["too loud"], &[(&ids[0], "reopened"), (&ids[1], "open")])
        }
    }
}

/// A review that ends without agreement, and what is told of it.
fn played() -> (Sandbox, String) {
    let provider = Provider::new(|seen| match seen.model() {
        "writer" => Does::Says(candidate(&format!("Text number {}.", seen.nth + 1), true)),
        _ => critic(seen),
    });
    let sandbox = studio(&provider, "");
    let ended = expect(&sandbox, 3, REVIEW);
    assert!(ended.out.contains("Outcome: needs_human (iteration_limit)"), "{}", ended.out);
    let best = document(&sandbox, "w/copy/protocol/talk/redraft.json")["best"].clone();
    let offer = format!("--candidate-id {}", best["candidate_id"].as_str().unwrap());
    assert!(ended.err.contains(&offer), "{}", ended.err);
    assert!(ended.err.contains("used: 6 calls, 720 tokens"), "{}", ended.err);
    (sandbox, ended.err)
}

#[test]
fn the_table_stands_in_the_file_in_status_and_in_the_record() {
    let (sandbox, _) = played();
    let ours = document(&sandbox, "w/copy/protocol/talk/redraft.json");
    let statuses = |findings: &Value| -> Vec<String> {
        let all = findings.as_array().unwrap().iter();
        all.map(|finding| finding["status"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(statuses(&ours["findings"]), ["reopened", "open", "open"]);
    assert_eq!((&ours["best"]["iteration"], &ours["best"]["errors"]), (&2.into(), &1.into()));
    let status = sandbox.json("podcast status -w w");
    assert_eq!(status["assets"][0]["findings"], ours["findings"]);
    assert_eq!(status["assets"][0]["best"], ours["best"]);
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let record = sandbox.json(&format!("runs show -w w {run}"))["record"].clone();
    assert_eq!(record["findings"], ours["findings"]);
    let told = sandbox.expect(0, "podcast status -w w").out;
    assert!(told.contains("Findings: 2 open, 1 reopened"), "{told}");
    assert!(told.contains("too short (open in 1, fixed in 2, reopened in 3)"), "{told}");
    assert!(told.contains("Best so far: iteration 2 with 1 error and 0 warnings"), "{told}");
    let told = sandbox.expect(0, &format!("runs show -w w {run}")).out;
    assert!(told.contains("Finding: ") && told.contains("(open in 1)"), "{told}");
}

#[test]
fn the_offered_candidate_can_be_picked_as_the_program_says() {
    let (sandbox, told) = played();
    let pick = told.lines().find_map(|line| line.trim().strip_prefix("next: redraft "));
    sandbox.expect(0, pick.unwrap());
    assert_eq!(sandbox.read("w/copy/selected/talk.txt"), "Text number 2.");
}

#[test]
fn a_review_that_answers_nothing_is_repaired_once_and_then_a_case_for_a_person() {
    let provider = Provider::new(|seen| match (seen.model(), seen.nth) {
        ("writer", n) => Does::Says(candidate(&format!("Text number {n}."), true)),
        (_, 0) => review("changes_requested", &["too short"], &[]),
        (_, 2) => {
            let text = seen.text();
            assert!(text.contains("[begin what is wrong "), "the repair quotes the error: {text}");
            Does::Says(json!({"verdict": "ok", "issues": []}).to_string())
        }
        _ => Does::Says(json!({"verdict": "ok", "issues": []}).to_string()),
    });
    let sandbox = studio(&provider, "");
    expect(&sandbox, 3, &format!("{REVIEW} --max-iterations 2"));
    let asked = provider.seen().iter().filter(|seen| seen.model() == "critic").count();
    assert_eq!(asked, 3, "one review, one that passes over the finding, one repair");
    let review = document(&sandbox, "w/copy/protocol/talk/iteration_02.json");
    assert_eq!(review["reviewer"]["verdict"], "needs_human");
    let ours = document(&sandbox, "w/copy/protocol/talk/redraft.json");
    assert_eq!(ours["findings"][0]["status"], "open", "nobody said that it is mended");
    assert_eq!(ours["best"]["iteration"], 1, "nobody has reviewed the second");
}
