//! What programs are asked in a pair: one JSON document with all that a model is told in parts.

use super::*;
use pair::TextFile;

/// Two turns on a repository: a change that git refuses first, one that fails its check, and a better one.
fn played() -> Came {
    let refused = Built {
        reply: "edited".into(),
        prose: true,
        outcome: Worktree::Refused("error: patch failed: x:1".into()),
    };
    let refused = serde_json::to_value(refused).unwrap();
    let raised = json!([{"severity": "error", "message": "no test", "file": "x"}]);
    let fixed = json!([{"id": "t1-1", "status": "fixed", "note": null}]);
    let critique = |content| says("architect", "critique", content);
    let implements = [refused, in_worktree(A), in_worktree(B)];
    let verifies = [verdict("rejected", "no"), verdict("verified", "yes")];
    let mut lines = lines(&implements, &verifies);
    lines.insert("check", vec![checks(1), checks(0)]);
    lines.insert(
        "critique",
        vec![
            with(critique("one thing"), "issues", raised),
            with(with(critique("well"), "issues", json!([])), "findings", fixed),
        ],
    );
    let mut settings = repository();
    let files = vec![TextFile { path: "x".into(), text: "1\n".into() }];
    settings.repository.as_mut().unwrap().files = files;
    paired(lines, 3, settings)
}

/// The fields that hold what a part holds.
fn field_of(part: &str) -> &str {
    match part {
        "checks" => "check_results",
        "your reply" | "what is wrong" => "repair",
        part if part.starts_with("file ") => "files",
        part => part,
    }
}

#[test]
fn a_program_is_told_all_that_a_model_is_told_in_parts_and_by_name() {
    let came = played();
    assert_eq!(came.reason(), pair::VERIFIED);
    let mut fields_seen = Vec::new();
    for ((step, parts), request) in came.asked.iter().zip(&came.requests) {
        assert_eq!(request["step"], **step);
        let mut fields: Vec<&str> = parts.iter().map(|part| field_of(part)).collect();
        fields_seen.extend(fields.iter().map(|field| (*field).to_owned()));
        // Who is asked what, in any call.
        fields.extend(["workflow", "step", "turn", "task"]);
        fields.extend(if step == "check" { ["checks"] } else { ["commit"] });
        fields.sort_unstable();
        fields.dedup();
        let told: Vec<&String> = request.as_object().unwrap().keys().collect();
        assert_eq!(told, fields, "{step}: {request}");
    }
    for field in
        ["files", "proposal", "diff", "check_results", "critique", "findings", "repair", "paths"]
    {
        assert!(fields_seen.iter().any(|seen| seen == field), "{field} was never told");
    }
}

#[test]
fn what_a_program_is_told_is_what_was_said() {
    let came = played();
    let of = |step: &str, n: usize| {
        let mut asked = came.requests.iter().filter(|request| request["step"] == step);
        asked.nth(n).unwrap()
    };
    let (first, repair, second) = (of("implement", 0), of("implement", 1), of("implement", 2));
    assert_eq!((&first["task"], &first["proposal"]), (&json!("t"), &json!("do it")));
    assert_eq!((&first["commit"], &first["paths"]), (&json!("c0ffee"), &json!(["x"])));
    assert_eq!(first["files"], json!([{"path": "x", "text": "1\n"}]));
    let why = repair["repair"]["why"].as_str().unwrap();
    assert!(why.contains("error: patch failed: x:1"), "{why}");
    assert_eq!(repair["repair"]["reply"], "edited", "its own words, not our report of them");
    assert_eq!((&second["turn"], &second["diff"]), (&json!(2), &json!(A)));
    assert_eq!(second["critique"], "one thing");
    let check = &second["check_results"][0];
    assert_eq!((&check["command"], &check["exit"]), (&json!("make test"), &json!(1)));
    assert_eq!(check["tail"], "exit 1");
    let finding = &second["findings"][0];
    assert_eq!(
        (&finding["id"], &finding["status"], &finding["field"]),
        (&json!("check-1"), &json!("open"), &json!(null))
    );
    assert_eq!(second["findings"][1]["message"], "no test");
    assert_eq!(of("critique", 1)["findings"].as_array().unwrap().len(), 1, "the checks' is theirs");
    assert_eq!(of("check", 0)["checks"], json!(["make test"]));
}
