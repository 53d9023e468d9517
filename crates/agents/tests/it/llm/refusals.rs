//! Statuses that are no success: what may pass, how long to wait, and where nobody goes.

use super::{
    dialect::ALL,
    house::{agent, ask, call_with_form, fail, model},
    server::{Act, Ending, Server, answer, refusal},
};
use redraft_agents::llm::{KeySource, Model, Provider};
use redraft_loop::{Failure, Usage};
use serde_json::json;
use std::time::Duration;

const BODY: &str = r#"{"error": {"message": "told so", "type": "some_error", "code": null}}"#;

#[tokio::test]
async fn overload_and_faults_of_the_server_may_pass_and_refusals_stay() {
    let transient = [408, 425, 429, 500, 502, 503, 504, 529];
    let permanent = [400, 401, 402, 403, 404, 405, 409, 413, 422];
    for dialect in ALL {
        for status in transient.iter().chain(&permanent) {
            let server = Server::saying(refusal(*status, &[], BODY)).await;
            for stream in [false, true] {
                let error = fail(&agent(Model { stream, ..model(&dialect, server.url()) })).await;
                let expected = if transient.contains(status) {
                    Failure::Transient
                } else {
                    Failure::Permanent
                };
                assert_eq!(error.failure, expected, "{status}: {error:?}");
                assert!(error.message.contains("told so"), "{error:?}");
                assert!(error.message.contains(&status.to_string()), "{error:?}");
            }
            assert_eq!(server.seen().requests.len(), 2, "{status}: each is sent once");
        }
    }
}

#[tokio::test]
async fn nothing_was_used_where_the_server_says_so_and_nothing_is_known_where_it_does_not() {
    let before = [400, 401, 403, 404, 405, 413, 415, 422, 429].map(|status| (status, true));
    let unknown = [402, 408, 409, 425, 499, 500, 502, 503, 504, 529].map(|status| (status, false));
    for (status, known) in before.into_iter().chain(unknown) {
        let server = Server::saying(refusal(status, &[], BODY)).await;
        let error = fail(&agent(model(&ALL[0], server.url()))).await;
        let expected = known.then_some((Usage::default(), 0)).unzip();
        assert_eq!((error.usage, error.cost), expected, "{status}");
    }
}

#[tokio::test]
async fn odd_waits_are_read_as_they_stand_or_not_at_all() {
    let seconds = |count| Some(Duration::from_secs(count));
    let waits: [(&[&str], Option<Duration>); 9] = [
        (&["0"], Some(Duration::ZERO)),
        (&["1.5"], Some(Duration::from_millis(1_500))),
        (&["-1"], None),
        (&["abc"], None),
        (&["1000000000000"], seconds(1_000_000_000_000)),
        (&["Sun, 06 Nov 1994 08:49:37 GMT"], Some(Duration::ZERO)),
        (&["3", "8"], seconds(8)),
        (&["abc", "8"], seconds(8)),
        (&[], None),
    ];
    for (values, expected) in waits {
        let headers: Vec<_> = values.iter().map(|value| ("Retry-After", *value)).collect();
        let server = Server::saying(refusal(429, &headers, BODY)).await;
        let error = fail(&agent(model(&ALL[1], server.url()))).await;
        assert_eq!(error.retry_after, expected, "{values:?}");
        assert_eq!(error.failure, Failure::Transient);
    }
}

#[tokio::test]
async fn a_date_to_come_is_waited_for() {
    let date = (jiff::Zoned::now().with_time_zone(jiff::tz::TimeZone::UTC))
        .saturating_add(jiff::SignedDuration::from_secs(90));
    let date = date.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let server = Server::saying(refusal(503, &[("retry-after", date.as_str())], BODY)).await;
    let wait = fail(&agent(model(&ALL[2], server.url()))).await.retry_after.unwrap();
    assert!((60..=90).contains(&wait.as_secs()), "{wait:?}");
}

#[tokio::test]
async fn the_wait_that_a_gateway_hands_on_is_waited_for() {
    // LiteLLM answers so over OpenAI's protocol when the provider behind it says `retry-after`.
    let headers = [("x-litellm-call-id", "call-7"), ("llm_provider-retry-after", "20")];
    let server = Server::saying(refusal(429, &headers, BODY)).await;
    let error = fail(&agent(model(&ALL[0], server.url()))).await;
    assert_eq!(error.retry_after, Some(Duration::from_secs(20)));
    assert_eq!(error.served.unwrap().request.as_deref(), Some("call-7"));
}

#[tokio::test]
async fn a_body_can_ask_for_a_wait_and_a_quota_that_is_spent_stays_spent() {
    let told = json!({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "told so",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}]}});
    let server = Server::saying(refusal(429, &[], &told.to_string())).await;
    let error = fail(&agent(model(&ALL[2], server.url()))).await;
    assert_eq!(error.retry_after, Some(Duration::from_secs(34)));
    let told = json!({"error": {"message": "told so", "type": "insufficient_quota"}});
    let server = Server::saying(refusal(429, &[], &told.to_string())).await;
    assert_eq!(fail(&agent(model(&ALL[0], server.url()))).await.failure, Failure::Permanent);
}

#[tokio::test]
async fn the_status_stands_for_itself_where_its_body_says_nothing() {
    let mut silent = refusal(429, &[("retry-after", "7")], BODY);
    silent.truncate(silent.len() - 10);
    let stalled = Server::start(move |_| vec![Act::Send(silent.clone()), Act::Stall]).await;
    let page =
        answer("503 Busy", &[("content-type", "text/html")], &["<p>no".into()], Ending::Length);
    let page = Server::saying(page).await;
    let error = fail(&agent(model(&ALL[0], stalled.url()))).await;
    assert_eq!(
        (error.failure, error.retry_after),
        (Failure::Transient, Some(Duration::from_secs(7)))
    );
    assert!(error.message.contains("429"), "{error:?}");
    assert!(fail(&agent(model(&ALL[0], page.url()))).await.message.contains("503"));
}

#[tokio::test]
async fn nobody_follows_a_redirect() {
    let other = Server::saying("").await;
    for status in [300, 301, 302, 303, 307, 308] {
        let location = format!("{}/v1/canary-path?key=canary", other.url());
        let server =
            Server::saying(refusal(status, &[("location", location.as_str())], BODY)).await;
        for dialect in ALL {
            let key = Some(KeySource::Env("CARGO_PKG_NAME".into()));
            let error = fail(&agent(Model { key, ..model(&dialect, server.url()) })).await;
            assert_eq!(error.failure, Failure::Permanent);
            let told = format!("redirects to {}; redirects are not followed", other.url());
            assert!(error.message.contains(&told), "{error:?}");
            assert!(!error.message.contains("canary"), "{error:?}");
        }
    }
    assert_eq!(other.seen().connections, 0);
}

#[tokio::test]
async fn a_server_that_does_not_take_the_form_is_named_with_what_switches_it_off() {
    let words = [
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        "tools.0.input_schema: Field required",
        "Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.",
        "invalid JSON schema in format",
    ];
    for (dialect, message) in ALL.iter().zip(words) {
        let body =
            json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string();
        let server = Server::saying(refusal(400, &[], &body)).await;
        let asked = |json_schema| agent(Model { json_schema, ..model(dialect, server.url()) });
        let error = ask(&asked(true), &call_with_form()).await.unwrap_err();
        assert!(error.message.contains("set json_schema = false"), "{error:?}");
        let error = ask(&asked(false), &call_with_form()).await.unwrap_err();
        assert!(!error.message.contains("set json_schema = false"), "{error:?}");
    }
}

#[tokio::test]
async fn what_helps_is_said_with_wrong_keys_and_wrong_addresses() {
    for (status, help) in
        [(401, "check the key"), (403, "check the key"), (404, "check model and base_url")]
    {
        let server = Server::saying(refusal(status, &[], BODY)).await;
        let message = fail(&agent(model(&ALL[3], server.url()))).await.message;
        assert!(message.contains(help), "{message}");
        assert!(
            message.starts_with(&format!("{} m-asked: {status}", Provider::Ollama)),
            "{message}"
        );
    }
}
