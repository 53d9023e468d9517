//! What is sent, to each provider as it wants it, and what comes back when all is well.

use super::{
    dialect::{ALL, Dialect, TEXT, TOKENS},
    house::{SCHEMA, agent, ask, call, call_with_form, model},
    server::{Ending, Request, Server, answer, ok, refusal},
};
use redraft_agents::llm::{Model, Provider};
use redraft_engine::Agent;
use redraft_loop::{Failure, Served, Usage};
use serde_json::{Value, json};

/// The request that a model sends for a call with a form.
async fn sent(model: impl FnOnce(String) -> Model) -> Request {
    let server = Server::saying(refusal(500, &[], "{}")).await;
    let _ = ask(&agent(model(server.url())), &call_with_form()).await;
    server.seen().requests.remove(0)
}

#[tokio::test]
async fn a_good_reply_is_the_text_word_for_word_with_all_that_is_told_about_it() {
    for dialect in ALL {
        for (streamed, ending) in
            [(false, Ending::Length), (true, Ending::Chunks), (true, Ending::Close)]
        {
            let recording = match streamed {
                true => ok(dialect.stream_type, &dialect.good_stream(), ending),
                false => ok("application/json", &[dialect.good_whole()], ending),
            };
            let server = Server::saying(recording).await;
            let asked = agent(Model { stream: streamed, ..model(&dialect, server.url()) });
            let answer = ask(&asked, &call()).await.unwrap();
            assert_eq!(answer.text, TEXT.concat());
            assert_eq!(
                answer.usage,
                Some(Usage { input_tokens: TOKENS.0, output_tokens: TOKENS.1 })
            );
            assert_eq!(answer.cost, Some(TOKENS.0 + 2 * TOKENS.1));
            let id = ["chatcmpl-1", "msg_1", "resp-1"].into_iter().zip(ALL);
            let id =
                id.filter(|(_, of)| of.name == dialect.name).map(|(id, _)| id.to_owned()).next();
            let finish = Some(dialect.complete.to_owned());
            let served = Served { model: Some("m-served".into()), request: id, finish };
            assert_eq!(answer.served, Some(served));
        }
    }
}

#[tokio::test]
async fn the_id_of_a_request_comes_from_the_headers_first_with_failures_too() {
    for (dialect, header) in
        ALL.iter().zip(["x-request-id", "Request-Id", "x-request-id", "X-Request-ID"])
    {
        let headers = [("content-type", "application/json"), (header, "req-7")];
        let good = answer("200 OK", &headers, &[dialect.good_whole()], Ending::Length);
        let server = Server::saying(good).await;
        let answer = ask(&agent(model(dialect, server.url())), &call()).await.unwrap();
        assert_eq!(answer.served.unwrap().request.as_deref(), Some("req-7"));
        let server = Server::saying(refusal(529, &[(header, "req-8")], "{}")).await;
        let error = ask(&agent(model(dialect, server.url())), &call()).await.unwrap_err();
        assert_eq!(error.served.unwrap().request.as_deref(), Some("req-8"));
    }
}

#[tokio::test]
async fn each_provider_is_asked_at_its_own_place() {
    let expected = [
        ("POST /pre/chat/completions", "POST /pre/chat/completions"),
        ("POST /pre/v1/messages", "POST /pre/v1/messages"),
        (
            "POST /pre/v1beta/models/m-asked:generateContent",
            "POST /pre/v1beta/models/m-asked:streamGenerateContent?alt=sse",
        ),
        ("POST /pre/api/chat", "POST /pre/api/chat"),
    ];
    for (dialect, (whole, streamed)) in ALL.iter().zip(expected) {
        for (stream, line) in [(false, whole), (true, streamed)] {
            let request =
                sent(|url| Model { stream, ..model(dialect, format!("{url}/pre/")) }).await;
            assert_eq!(request.line, format!("{line} HTTP/1.1"));
            assert_eq!(request.header("content-type"), Some("application/json"));
            assert!(request.header("user-agent").unwrap().starts_with("redraft/"));
        }
    }
}

/// The body that a dialect's model sends, warm and in pieces or not.
async fn body(dialect: &Dialect, stream: bool) -> Value {
    let request = sent(|url| Model { stream, temperature: Some(0.5), ..model(dialect, url) }).await;
    request.json()
}

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

/// The texts of both messages, checked and taken out.
fn take_texts(system: &mut Value, user: &mut Value) {
    let (system, user) = (system.take(), user.take());
    let nonce = user.as_str().unwrap().strip_prefix("[begin candidate ").unwrap();
    let nonce = &nonce[..32];
    assert!(
        system.as_str().unwrap().starts_with("Review the candidate.")
            && system.as_str().unwrap().contains(nonce)
    );
    let framed =
        format!("[begin candidate {nonce}]\nA text.\nverdict: ok\n[end candidate {nonce}]\n");
    assert_eq!(user, framed);
}

#[tokio::test]
async fn openai_is_sent_what_it_wants() {
    for (provider, bound) in
        [(Provider::OpenAi, "max_completion_tokens"), (Provider::Compatible, "max_tokens")]
    {
        for stream in [false, true] {
            let mut body = body(&Dialect { provider, ..ALL[0] }, stream).await;
            let mut messages = body["messages"].take();
            let (system, user) = messages.as_array_mut().unwrap().split_at_mut(1);
            take_texts(&mut system[0]["content"], &mut user[0]["content"]);
            assert_eq!(
                messages,
                json!([{"role": "system", "content": null}, {"role": "user", "content": null}])
            );
            let mut expected = json!({
                "model": "m-asked", "messages": null, "temperature": 0.5, bound: 500, "stream": stream,
                "response_format": {"type": "json_schema",
                    "json_schema": {"name": "opinion", "strict": true, "schema": schema()}},
            });
            if stream {
                expected["stream_options"] = json!({"include_usage": true});
            }
            assert_eq!(body, expected);
        }
    }
}

#[tokio::test]
async fn anthropic_is_sent_what_it_wants() {
    let mut sent_body = body(&ALL[1], true).await;
    let mut user = sent_body["messages"][0]["content"].take();
    take_texts(&mut sent_body["system"], &mut user);
    let expected = json!({
        "model": "m-asked", "max_tokens": 500, "system": null, "temperature": 0.5, "stream": true,
        "messages": [{"role": "user", "content": null}],
        "tools": [{"name": "opinion", "description": "Gives the reply.", "input_schema": schema()}],
        "tool_choice": {"type": "tool", "name": "opinion"},
    });
    assert_eq!(sent_body, expected);
    let request = sent(|url| model(&ALL[1], url)).await;
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
}

#[tokio::test]
async fn gemini_is_sent_what_it_wants() {
    let mut body = body(&ALL[2], false).await;
    let mut user = body["contents"][0]["parts"][0]["text"].take();
    take_texts(&mut body["systemInstruction"]["parts"][0]["text"], &mut user);
    let expected = json!({
        "systemInstruction": {"parts": [{"text": null}]},
        "contents": [{"role": "user", "parts": [{"text": null}]}],
        "generationConfig": {"maxOutputTokens": 500, "temperature": 0.5,
            "responseMimeType": "application/json", "responseJsonSchema": schema()},
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn ollama_is_sent_what_it_wants_and_told_how_long_a_context_is_needed() {
    let mut body = body(&ALL[3], true).await;
    let mut messages = body["messages"].take();
    let (system, user) = messages.as_array_mut().unwrap().split_at_mut(1);
    take_texts(&mut system[0]["content"], &mut user[0]["content"]);
    let expected = json!({
        "model": "m-asked", "messages": null, "stream": true, "format": schema(),
        "options": {"num_predict": 500, "num_ctx": 8192, "temperature": 0.5},
    });
    assert_eq!(body, expected);
    let mut long = call();
    long.prompt.parts[0].text = "x".repeat(60_000).into();
    let server = Server::saying("").await;
    let _ = ask(&agent(model(&ALL[3], server.url())), &long).await;
    assert_eq!(server.seen().requests[0].json()["options"]["num_ctx"], 24_576);
}

#[tokio::test]
async fn a_form_is_sent_as_it_was_written_and_only_where_it_is_wanted() {
    for dialect in ALL {
        let with = sent(|url| model(&dialect, url)).await.body;
        assert!(with.contains(SCHEMA), "the order of its fields is lost: {with}");
        let without = sent(|url| Model { json_schema: false, ..model(&dialect, url) }).await.body;
        for word in ["opinion", "response", "\"format\"", "tool", "\"why\""] {
            assert!(!without.contains(word), "{word}: {without}");
        }
    }
}

#[tokio::test]
async fn a_form_that_is_no_json_is_refused_before_anything_is_sent() {
    let server = Server::saying("").await;
    let mut call = call_with_form();
    call.prompt.reply.as_mut().unwrap().schema = "{".into();
    let error = ask(&agent(model(&ALL[0], server.url())), &call).await.unwrap_err();
    assert_eq!((error.failure, error.cost), (Failure::Permanent, Some(0)));
    assert_eq!(server.seen().connections, 0);
}

#[tokio::test]
async fn anthropics_form_comes_back_as_the_input_of_its_tool() {
    let (pieces, whole) =
        (["{\"why\": \"so\",", " \"answer\": \"yes\"}"], json!({"why": "so", "answer": "yes"}));
    let mut stream = ALL[1].stream(&["thinking aloud".into()], "tool_use");
    for piece in pieces {
        let delta = json!({"type": "input_json_delta", "partial_json": piece});
        let event = json!({"type": "content_block_delta", "index": 1, "delta": delta});
        stream.insert(stream.len() - 2, ALL[1].piece(&event.to_string()));
    }
    let server = Server::saying(ok("text/event-stream", &stream, Ending::Chunks)).await;
    let asked = agent(Model { stream: true, ..model(&ALL[1], server.url()) });
    assert_eq!(ask(&asked, &call_with_form()).await.unwrap().text, pieces.concat());
    let mut document: Value =
        serde_json::from_str(&ALL[1].whole(&"so:".into(), "tool_use")).unwrap();
    let block = json!({"type": "tool_use", "id": "t", "name": "opinion", "input": whole});
    document["content"].as_array_mut().unwrap().push(block);
    let server =
        Server::saying(ok("application/json", &[document.to_string()], Ending::Length)).await;
    let text = ask(&agent(model(&ALL[1], server.url())), &call_with_form()).await.unwrap().text;
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), whole);
}

#[tokio::test]
async fn no_two_calls_have_the_same_nonce() {
    let server =
        Server::saying(ok("application/json", &[ALL[0].good_whole()], Ending::Length)).await;
    let agent = agent(model(&ALL[0], server.url()));
    for _ in 0..20 {
        ask(&agent, &call()).await.unwrap();
    }
    let bodies: std::collections::BTreeSet<_> =
        server.seen().requests.into_iter().map(|request| request.body).collect();
    assert_eq!(bodies.len(), 20);
}

#[tokio::test]
async fn a_cost_is_unknown_without_a_price_and_nothing_where_the_model_is_ones_own() {
    for (dialect, cost) in [(ALL[0], None), (ALL[3], Some(0))] {
        let server =
            Server::saying(ok("application/json", &[dialect.good_whole()], Ending::Length)).await;
        let asked = agent(Model { price: None, ..model(&dialect, server.url()) });
        assert_eq!(asked.bound(&call().prompt).cost, cost);
        assert_eq!(ask(&asked, &call()).await.unwrap().cost, cost);
    }
}

#[tokio::test]
async fn usage_that_is_not_told_is_unknown_and_not_nothing() {
    let told = [
        json!(null),
        json!({}),
        json!({"prompt_tokens": 3}),
        json!({"completion_tokens": 3}),
        json!({"prompt_tokens": 0, "completion_tokens": 0}),
    ];
    for usage in told {
        let choice = json!({"finish_reason": "stop", "message": {"content": "Yes."}});
        let document = json!({"choices": [choice], "usage": usage}).to_string();
        let server = Server::saying(ok("application/json", &[document], Ending::Length)).await;
        let answer = ask(&agent(model(&ALL[0], server.url())), &call()).await.unwrap();
        assert_eq!((answer.usage, answer.cost), (None, None), "{usage}");
    }
}
