use crate::{client::Asking, house::House};
use serde_json::{Value, json};
use std::time::Duration;

const ANSWER: &str = "An answer to: why?\n\nKnown issues: one 🙂";

fn stream(house: &House, prompt: &str, more: &Value) -> Asking {
    let messages = json!([{"role": "user", "content": prompt}]);
    let mut chat = json!({"model": "redraft/solve", "messages": messages, "stream": true});
    chat.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    house.post("/v1/chat/completions", &chat)
}

/// The JSON of all chunks; the last line has to be `[DONE]`.
fn chunks(text: &str) -> Vec<Value> {
    let mut lines: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
    assert_eq!(lines.pop(), Some("[DONE]"), "{text}");
    lines.into_iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_chat_is_answered_as_the_protocol_has_it() {
    let house = House::open().await;
    let told = house.chat("why?").send().await;
    assert_eq!(
        told.json(),
        json!({
            "id": "chatcmpl-run-0000", "object": "chat.completion", "created": 1_767_225_600,
            "model": "redraft/solve",
            "choices": [{
                "index": 0, "finish_reason": "stop", "logprobs": null,
                "message": {"role": "assistant", "content": ANSWER, "refusal": null},
            }],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
            "redraft": {
                "run_id": "run-0000", "outcome": "converged", "exit_code": 0,
                "assumptions": ["it is Monday"], "known_issues": ["nobody checked"], "ignored": [],
            },
        })
    );
}

#[tokio::test]
async fn a_chat_reaches_the_desk_as_prompt_constraints_context_and_form() {
    let house = House::open().await;
    let chat = json!({
        "model": "redraft/solve", "temperature": 0,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "before"},
            {"role": "assistant", "content": "then"},
            {"role": "user", "content": [{"type": "text", "text": "why?"}]},
        ],
        "response_format": {"type": "json_object"},
    });
    let told = house.post("/v1/chat/completions", &chat).send().await;
    assert_eq!(told.json()["redraft"]["ignored"], json!(["temperature"]));
    let request = house.desk.request(0);
    assert_eq!((request.prompt.as_str(), request.constraints), ("why?", vec!["Be brief.".into()]));
    assert_eq!(request.context, Some(json!("user: before\n\nassistant: then")));
    assert_eq!(request.output_format.as_deref(), Some("json"));
}

#[tokio::test]
async fn a_budget_that_cut_the_answer_short_is_a_length() {
    let house = House::open().await;
    for (prompt, reason) in [("cap it", "length"), ("fail it", "stop")] {
        let told = house.chat(prompt).send().await.json();
        assert_eq!(told["choices"][0]["finish_reason"], reason);
    }
}

#[tokio::test]
async fn a_streamed_answer_is_the_whole_answer_in_pieces() {
    let house = House::open().await;
    let told = stream(&house, "why?", &json!({})).send().await;
    assert_eq!((told.status, told.header("content-type")), (200, "text/event-stream"));
    let chunks = chunks(told.text());
    assert_eq!(chunks[0]["choices"][0]["delta"], json!({"role": "assistant", "content": ""}));
    let pieces = chunks.iter().filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str());
    assert_eq!(pieces.collect::<String>(), ANSWER);
    let last = chunks.last().unwrap();
    assert_eq!(last["choices"][0]["finish_reason"], "stop");
    assert_eq!(last["choices"][0]["delta"], json!({}));
    assert_eq!(last["redraft"]["known_issues"], json!(["nobody checked"]));
    for chunk in &chunks {
        assert_eq!(chunk["object"], "chat.completion.chunk");
        assert_eq!(chunk["id"], "chatcmpl-run-0000");
        assert!(chunk.get("usage").is_none());
    }
}

#[tokio::test]
async fn include_usage_adds_a_chunk_without_choices() {
    let house = House::open().await;
    let more = json!({"stream_options": {"include_usage": true}});
    let told = stream(&house, "why?", &more).send().await;
    let chunks = chunks(told.text());
    let last = chunks.last().unwrap();
    assert_eq!((&last["choices"], &last["usage"]["total_tokens"]), (&json!([]), &json!(18)));
}

#[tokio::test]
async fn a_stream_says_that_it_is_alive_until_the_answer_is_there() {
    // real time: a heartbeat is a matter of time; the test waits for one, however long it takes
    let house = House::limited(|limits| limits.heartbeat = Duration::from_millis(20)).await;
    let mut coming = stream(&house, "hold it", &json!({})).coming().await;
    coming.until(": the solver works\n\n").await;
    house.desk.let_go(0);
    assert!(coming.whole().await.ends_with("data: [DONE]\n\n"));
}

#[tokio::test]
async fn a_stream_that_breaks_ends_with_an_error_and_not_with_done() {
    let house = House::open().await;
    let told = stream(&house, "rest a while", &json!({})).send().await;
    let error: Value =
        serde_json::from_str(told.text().strip_prefix("data: ").unwrap().trim()).unwrap();
    assert_eq!(error["error"]["type"], "server_error");
    assert_eq!(error["error"]["code"], "rests");
}

#[tokio::test]
async fn problems_of_chats_have_what_the_protocols_clients_look_for() {
    let house = House::open().await;
    let chat = json!({"model": "gpt-x", "messages": [{"role": "user", "content": "why?"}]});
    let told = house.post("/v1/chat/completions", &chat).send().await;
    let problem = told.problem(404, "no-such-model");
    assert_eq!(problem["error"]["type"], "invalid_request_error");
    assert_eq!(problem["error"]["code"], "no-such-model");
    assert_eq!(problem["error"]["message"], problem["detail"]);
    let told = house.chat(" ").send().await;
    assert_eq!(told.problem(422, "invalid-request")["pointer"], "/messages/0");
    assert_eq!(house.desk.opened(), 0);
}

#[tokio::test]
async fn streams_of_chats_count_as_streams() {
    let house = House::limited(|limits| limits.streams = 1).await;
    let held = stream(&house, "hold it", &json!({})).coming().await;
    assert_eq!(held.status, 200);
    stream(&house, "why?", &json!({})).send().await.problem(503, "too-busy");
    assert_eq!(house.desk.opened(), 1);
}

#[tokio::test]
async fn there_is_one_model_however_its_slash_is_sent() {
    let house = House::open().await;
    let list = house.get("/v1/models").send().await.json();
    assert_eq!(
        (&list["object"], &list["data"][0]["id"]),
        (&json!("list"), &json!("redraft/solve"))
    );
    for path in ["/v1/models/redraft/solve", "/v1/models/redraft%2Fsolve"] {
        assert_eq!(house.get(path).send().await.json(), list["data"][0]);
    }
    house.get("/v1/models/gpt-x").send().await.problem(404, "no-such-model");
}
