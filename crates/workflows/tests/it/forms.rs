//! What is asked for is accepted, and both are closed.

use crate::stage::play;
use redraft_workflows::{reply, reply::Form, review::forms};
use serde_json::{Value, json};

fn schema(of: &Form) -> Value {
    serde_json::from_str(&of.asked().schema).unwrap()
}

/// The text of an accepted schema, as the product has it.
fn accepted(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/review");
    serde_json::from_str(
        &std::fs::read_to_string(format!("{folder}/{name}.accepted.json")).unwrap(),
    )
    .unwrap()
}

/// Every field that a schema has stands in this example.
fn uses_all(schema: &Value, example: &Value) {
    objects("", schema, &mut |at, object| {
        let here = example.pointer(at).unwrap();
        for name in object["properties"].as_object().unwrap().keys() {
            assert!(here.get(name).is_some(), "{at}/{name} is missing in the example");
        }
    });
}

/// Calls back for every object in a schema.
fn objects(at: &str, schema: &Value, see: &mut impl FnMut(&str, &Value)) {
    if let Some(properties) = schema["properties"].as_object() {
        see(at, schema);
        for (name, inner) in properties {
            objects(&format!("{at}/{name}"), inner, see);
        }
    }
    if schema["items"].is_object() {
        objects(&format!("{at}/0"), &schema["items"], see);
    }
}

#[test]
fn every_object_is_closed_and_what_is_asked_for_is_required() {
    for form in [forms::creator(), forms::reviewer()] {
        let name = form.asked().name;
        objects("", &accepted(&name), &mut |at, object| {
            assert_eq!(object["additionalProperties"], false, "{name}{at}");
        });
        objects("", &schema(form), &mut |at, object| {
            assert_eq!(object["additionalProperties"], false, "{name}{at}");
            let mut required: Vec<&str> = object["required"]
                .as_array()
                .unwrap()
                .iter()
                .map(|r| r.as_str().unwrap())
                .collect();
            required.sort_unstable();
            let mut all: Vec<&String> = object["properties"].as_object().unwrap().keys().collect();
            all.sort_unstable();
            assert_eq!(required, all, "{name}{at}: a strict provider wants every field required");
        });
    }
}

/// Replies that use all that is asked for.
fn full() -> [(&'static Form, Value); 2] {
    let candidate = json!({"content": "text", "format": "plain"});
    let disputes = json!([{"finding": "f1", "reason": "it stands in minute 3"}]);
    let issues = json!([{"severity": "warning", "message": "m", "code": null, "field": "content"}]);
    let findings = json!([
        {"id": "f1", "status": "fixed", "note": null}, {"id": "f2", "status": "open", "note": "as before"},
        {"id": "f3", "status": "disputed", "note": null}, {"id": "f4", "status": "reopened", "note": null}]);
    [
        (forms::creator(), json!({"done": false, "candidate": candidate, "disputes": disputes})),
        (
            forms::reviewer(),
            json!({"verdict": "ok", "issues": issues, "findings": findings, "summary": null}),
        ),
    ]
}

#[test]
fn a_reply_as_asked_for_is_accepted_and_uses_all_that_is_asked_for() {
    for (form, value) in full() {
        let strict = jsonschema::draft202012::new(&schema(form)).unwrap();
        assert!(strict.is_valid(&value), "{:?}", strict.validate(&value).err());
        assert_eq!(reply::read(form, &value.to_string(), &[]), Ok(value.clone()));
        uses_all(&schema(form), &value);
    }
}

#[test]
fn an_answer_to_a_finding_that_was_not_shown_is_refused() {
    let [_, (_, review)] = full();
    let ended = play("text", &[&review.to_string()]);
    let why = &ended.refusals[0];
    assert!(why.contains("\"/findings\": f1: no finding of this id was shown"), "{why}");
}

#[test]
fn all_that_the_contract_has_is_accepted() {
    let provenance = json!([{"kind": "draft", "ref": "d1", "created_at": "2000-01-01T00:00:00Z", "metadata": {"a": [1]}}]);
    let id = "11111111-2222-4333-8444-555555555555";
    let review = json!({"verdict": "changes_requested", "reviewer": "reviewer_a", "iteration": 7,
        "created_at": "2000-01-01T00:00:00.5Z", "summary": "s", "provenance": provenance,
        "mutate_files": {"notes.md": "x"},
        "findings": [{"id": "f1", "status": "open", "note": "as before"}],
        "issues": [{"severity": "error", "message": "m", "code": "c", "field": "f", "issue_id": id}]});
    uses_all(&accepted("reviewer"), &review);
    assert_eq!(reply::read(forms::reviewer(), &review.to_string(), &[]), Ok(review.clone()));
    let mut first = review;
    first.as_object_mut().unwrap().remove("findings");
    let ended = play("text", &[&first.to_string()]);
    assert_eq!(ended.refusals, [""; 0]);
    assert_eq!(ended.review.issues[0].id, id);
    let creator = json!({"done": true, "mutate_files": {}, "disputes": [{"finding": "f1", "reason": "r"}],
        "candidate": {"content": "x", "asset_id": "description",
        "candidate_id": id, "created_at": "2000-01-01T00:00:00Z", "format": "html", "provenance": provenance}});
    uses_all(&accepted("creator"), &creator);
    assert_eq!(reply::read(forms::creator(), &creator.to_string(), &[]), Ok(creator));
    let nulls =
        json!({"done": true, "candidate": {"content": "x", "asset_id": null, "format": null}});
    assert_eq!(reply::read(forms::creator(), &nulls.to_string(), &[]), Ok(nulls));
}
