//! The face for clients of the OpenAI protocol, with models behind it.

use super::{Server, desk};
use crate::{
    models::solving::honest,
    provider::{Does, Provider},
};
use serde_json::{Value, json};

const DRAFT: &str = r#"{"text": "Forty-two.", "month": "June"}"#;

/// A writer whose answer this is.
fn answering(answer: &'static str) -> Provider {
    Provider::new(move |seen| match honest(seen) {
        Does::Says(text) => match serde_json::from_str::<Value>(&text).unwrap() {
            mut draft if draft.get("answer_draft").is_some() => {
                draft["answer_draft"] = answer.into();
                Does::Says(draft.to_string())
            }
            _ => Does::Says(text),
        },
        other => other,
    })
}

/// A form with words that elsewhere stand for texts.
fn schema() -> Value {
    let properties =
        json!({"text": {"type": "string", "examples": ["or"]}, "month": {"not": {"type": "null"}}});
    let schema = json!({"type": "object", "properties": properties, "required": ["month"]});
    json!({"type": "json_schema", "json_schema": {"name": "markdown", "strict": true, "schema": schema}})
}

fn chat(server: &Server, more: &Value) -> Value {
    let messages = json!([{"role": "user", "content": "When is the launch?"}]);
    let mut chat = json!({"model": "redraft/solve", "messages": messages});
    chat.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let (status, body) = server.ask("POST", "/v1/chat/completions", "", &chat.to_string());
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

#[test]
fn a_form_of_json_leaves_the_answer_json_and_the_footer_in_the_extra_field() {
    let provider = answering(DRAFT);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    for form in [json!({"type": "json_object"}), schema()] {
        let told = chat(&server, &json!({ "response_format": form }));
        assert_eq!(told["choices"][0]["message"]["content"], DRAFT, "{form}");
        assert_eq!(told["redraft"]["assumptions"], json!(["it is 2026"]));
        assert_eq!(told["redraft"]["known_issues"], json!([]), "{form}");
    }
    let asked = provider.seen();
    let told_of = |seen: &&crate::provider::Seen| seen.text().contains(r#""examples":["or"]"#);
    assert_eq!(asked.iter().filter(told_of).count(), 3, "planner, writer and critic know the form");
}

#[test]
fn an_answer_in_words_has_the_footer_in_its_text() {
    let provider = answering("In June.");
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    let plain = chat(&server, &json!({"response_format": {"type": "text"}}));
    let text = plain["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(text.starts_with("In June.") && text.contains("it is 2026"), "{text}");
}

#[test]
fn an_answer_that_breaks_the_form_is_a_blocker_and_is_told_beside_it() {
    for (answer, wrong) in
        [("In June.", "it is not valid JSON"), (r#"{"text": "June"}"#, "keys are missing: ")]
    {
        let provider = answering(answer);
        let sandbox = desk(&provider);
        let server = Server::start(&sandbox, "");
        let told = chat(&server, &json!({ "response_format": schema() }));
        assert_eq!(told["choices"][0]["message"]["content"], answer);
        let first = told["redraft"]["known_issues"][0].as_str().unwrap();
        assert!(first.starts_with("blocker ") && first.contains(wrong), "{told}");
    }
}

#[test]
fn the_chat_so_far_is_context_and_the_systems_words_are_constraints() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    let messages = json!([
        {"role": "system", "content": "Answer in English."},
        {"role": "user", "content": "The launch moved to June."},
        {"role": "assistant", "content": "I see.", "name": "Ann"},
        {"role": "user", "content": [{"type": "text", "text": "When is "}, {"type": "text", "text": "it?"}]},
    ]);
    let told = chat(&server, &json!({"messages": messages, "seed": 1}));
    assert_eq!(told["redraft"]["ignored"], json!(["messages/name", "seed"]));
    assert!(told["usage"]["total_tokens"].as_u64().unwrap() > 0, "{told}");
    let run = told["redraft"]["run_id"].as_str().unwrap();
    let request = server.get(&format!("/v1/runs/{run}/record"))["solve"]["request"].clone();
    assert_eq!(
        request,
        json!({
            "prompt": "When is it?", "constraints": ["Answer in English."],
            "context": "user: The launch moved to June.\n\nassistant: I see.",
        })
    );
}
