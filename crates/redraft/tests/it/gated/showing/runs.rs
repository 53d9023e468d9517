//! Sessions as `redraft runs` lists, shows, records and exports them.

use super::scene::Scene;
use crate::dom::Dom;
use serde_json::{Value, json};

const HOSTILE: &str = "// </td></div><script>alert(1)</script> \u{202e}all {{ 7 * 7 }}";

/// A session of two iterations that is complete, in which everybody says something hostile.
fn complete() -> Scene {
    let first = format!("fn a() {{}}\n{HOSTILE}\n");
    let scene = Scene::generated(&[("a.rs", &first), ("b.rs", "fn b() {}\n")]);
    scene.pass();
    scene.review(1, "FAIL", HOSTILE);
    scene.gated(0, "approve --by <b>eve</b>");
    scene.step(0);
    scene.revise(2, &[("a.rs", "fn a() {}\nfn mended() {}\n")]);
    scene.gated(0, "reject --feedback no");
    scene.revise(2, &[("a.rs", "fn a() {}\nfn better() {}\n")]);
    scene.pass();
    scene.review(2, "PASS", "Well done.");
    scene.pass();
    scene
}

#[test]
fn a_list_tells_where_a_session_waits_and_how_it_ended() {
    let outcome = |scene: &Scene| scene.sandbox.expect(0, "runs list").out;
    let scene = Scene::begun();
    assert!(outcome(&scene).contains("  gated     0      open "), "{}", outcome(&scene));
    scene.step(0);
    let waits = scene.sandbox.json("runs list")["runs"][0]["waits"].clone();
    assert_eq!(waits["for"], "person");
    assert_eq!(waits["why"], "PLANNING waits for the response of the planner");
    scene.respond("iteration-1/planning-response.md", "the plan\n");
    assert!(outcome(&scene).contains("  waits for a person  "), "{}", outcome(&scene));
    let shown = scene.sandbox.expect(0, &format!("runs show {}", scene.id)).out;
    assert!(shown.contains("Waits: PLANNED waits for approval\n"), "{shown}");
    assert!(shown.contains(&format!("  help: redraft gated approve {}\n", scene.id)), "{shown}");
    assert!(shown.contains(&format!("Next: redraft gated step {}\n", scene.id)), "{shown}");
    scene.gated(0, "cancel");
    assert!(outcome(&scene).contains("  ended (cancelled)  "), "{}", outcome(&scene));
    assert!(outcome(&complete()).contains("  converged (approved)  "));
}

#[test]
fn runs_show_has_the_passages_approvals_and_iterations_of_a_session() {
    let scene = complete();
    let shown = scene.sandbox.expect(0, &format!("runs show {}", scene.id)).out;
    for line in [
        "Call 3: round 1 review by reviewer",
        "Profile: sqlx-rust\n",
        "  entity: Order\n",
        "Phase: COMPLETE, success\n",
        "\nREVISED      in_progress  ",
        "\nCOMPLETE     success      ",
        "\nREVIEWED   1          <b>eve</b>  ",
        "\nREVISED    2          ada         ",
        "\n1          2 files, 3 lines in, 0 lines out  0          REVIEW: FAIL | issues=1 ",
        "\n2          1 file, 1 line in, 1 line out     1          REVIEW: PASS | issues=0 ",
        "Outcome: converged (approved)\n",
    ] {
        assert!(shown.contains(line), "{line:?} is not in\n{shown}");
    }
}

#[test]
fn the_record_of_a_session_has_its_iterations_with_diffs_and_reviews() {
    let scene = complete();
    let record = scene.sandbox.json(&format!("runs record {}", scene.id))["record"].clone();
    let own = &record["gated"];
    assert_eq!(own["session"], crate::scene::document(&scene.sandbox, &scene.at("session.json")));
    assert_eq!(own["plan"], "the plan\n");
    let iterations = own["iterations"].as_array().unwrap();
    let numbers: Vec<&Value> = iterations.iter().map(|one| &one["iteration"]).collect();
    assert_eq!(numbers, [&json!(1), &json!(2)]);
    assert_eq!(iterations[1]["files"], json!({"a.rs": "changed", "b.rs": "unchanged"}));
    let diff = iterations[1]["diff"].as_str().unwrap();
    assert!(diff.ends_with(&format!(" fn a() {{}}\n-{HOSTILE}\n+fn better() {{}}\n")), "{diff}");
    assert_eq!(iterations[1]["rejected"], 1);
    let review = &iterations[0]["review"];
    assert_eq!((&review["verdict"], &review["wrong"]), (&json!("FAIL"), &Value::Null));
    assert!(review["text"].as_str().unwrap().contains(HOSTILE));
    let shown = scene.sandbox.json(&format!("runs show {}", scene.id))["record"].clone();
    assert_eq!(&shown["gated"], own);
}

#[test]
fn the_page_of_a_session_has_its_iterations_as_columns_and_its_changes_beside_their_reviews() {
    let scene = complete();
    let page = scene.sandbox.expect(0, &format!("runs export {} --html --output -", scene.id)).out;
    let dom = Dom::parse(&page);
    dom.check();
    let heads: Vec<&str> = dom.named("th").map(|head| head.text.as_str()).collect();
    let columns = ["What", "Iteration 1", "Iteration 2"];
    assert!(heads.windows(3).any(|head| head == columns), "{heads:?}");
    for text in [
        HOSTILE,
        "<b>eve</b>",
        "the plan",
        "REVIEW: FAIL | issues=1 (critical=0) | missing_inputs=0",
        "REVIEW: PASS | issues=0 (critical=0) | missing_inputs=0",
        "Review of iteration 1, which asked for it",
        "Well done.",
        "Sent back before: 1",
        "converged (approved)",
    ] {
        dom.check_says(text);
    }
    let lines =
        |name: &str| -> Vec<String> { dom.named(name).map(|one| one.text.clone()).collect() };
    assert!(lines("ins").contains(&"fn better() {}".to_owned()));
    let removed = lines("del");
    assert!(removed.len() == 1 && removed[0].starts_with("// </td></div><script>"), "{removed:?}");
}

#[test]
fn a_session_that_has_only_begun_has_a_page_too() {
    let scene = Scene::begun();
    let page = scene.sandbox.expect(0, &format!("runs export {} --html --output -", scene.id)).out;
    let dom = Dom::parse(&page);
    dom.check();
    dom.check_says("Nothing was generated.");
    assert!(scene.sandbox.expect(0, "runs cost").out.contains("Total: 0 calls"));
    scene.sandbox.expect(0, "prompts list");
}
