//! Pairs as `redraft runs` shows, records and exports them.

use super::{desk, paired};
use crate::{dom::Dom, sandbox::Sandbox};
use serde_json::{Value, json};

const HOSTILE: &str = "tick </td><script>alert(1)</script> \u{202e}all";

/// The only run of a desk on which a mock has played.
fn played(words: &[&str]) -> (Sandbox, String) {
    let sandbox = desk();
    paired(&sandbox, words);
    let run = sandbox.json("runs list")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    (sandbox, run)
}

#[test]
fn runs_show_has_the_findings_turn_by_turn() {
    let (sandbox, run) = played(&["--mock", "tidy up"]);
    let shown = sandbox.expect(0, &format!("runs show {run}")).out;
    for line in [
        "Call 2: turn 1 implement by builder",
        "Task: tidy up",
        "Turn 1: 1 file, 5 lines in, 0 lines out\n",
        "  critique: The acceptance checklist is missing.\n",
        "Turn 2: 1 file, 5 lines in, 0 lines out, the best so far\n",
        "  verify (verified): Verified: meets scope & checklist.\n",
        "FINDING  WEIGHT  BY         TURN 1  TURN 2  MESSAGE\n",
        "t1-1     error   architect  new     fixed   the acceptance checklist is missing",
        "Result: the change of turn 2, the best so far\n",
    ] {
        assert!(shown.contains(line), "{line:?} is not in\n{shown}");
    }
    assert!(!shown.contains("iteration"), "{shown}");
}

#[test]
fn the_record_of_a_pair_has_its_messages_turns_and_findings() {
    let (sandbox, run) = played(&["--mock"]);
    let record = sandbox.json(&format!("runs record {run}"))["record"].clone();
    let own = &record["pair"];
    assert_eq!(own["messages"].as_array().unwrap().len(), 7);
    assert_eq!(own["findings"][0]["turns"][1], json!({"turn": 2, "was": ["fixed"]}));
    let verified = own["turns"].as_array().unwrap().iter().map(|turn| turn["verified"].clone());
    assert_eq!(verified.collect::<Vec<Value>>(), [json!(false), json!(true)]);
    assert_eq!((&own["best_turn"], &own["handed_over"]), (&json!(2), &json!(2)));
    let shown = sandbox.json(&format!("runs show {run}"))["record"].clone();
    assert_eq!(&shown["pair"], own);
}

#[test]
fn the_page_of_a_pair_has_its_turns_as_columns_and_its_changes_on_two_sides() {
    let (sandbox, run) = played(&["--mock", HOSTILE]);
    let page = sandbox.expect(0, &format!("runs export {run} --html --output -")).out;
    let dom = Dom::parse(&page);
    dom.check();
    let heads: Vec<&str> = dom.named("th").map(|head| head.text.as_str()).collect();
    assert_eq!(heads[..3], ["What", "Turn 1", "Turn 2 best handed over"]);
    dom.check_says(HOSTILE);
    dom.check_says("converged (verified)");
    for item in ["- [ ] It can be tried by hand", "- [x] It can be tried by hand"] {
        assert!(dom.named("ins").any(|ins| ins.text == item), "{item}");
    }
    let title = format!("# {HOSTILE}").replace('\u{202e}', "‹U+202E›");
    assert_eq!(dom.named("ins").filter(|ins| ins.text == title).count(), 2);
}
