//! Replies that arrive and are no answers: each has a reason, and tells what was used and who served it.

use super::{
    dialect::{ALL, Dialect, TEXT, TOKENS},
    house::{agent, ask, call, fail, model},
    server::{Act, Ending, Server, ok},
};
use redraft_agents::llm::{LlmAgent, Model};
use redraft_engine::{Agent, AttemptError};
use redraft_loop::{Failure, Usage};
use serde_json::{Value, json};
use std::time::Duration;

const HTML: &str = "<!doctype html><title>Hello</title>";

fn asks(dialect: &Dialect, streamed: bool, server: &Server) -> LlmAgent {
    agent(Model { stream: streamed, ..model(dialect, server.url()) })
}

/// Asks, in pieces or not, a server that gives this body.
async fn failed(dialect: &Dialect, streamed: bool, kind: &str, pieces: &[String]) -> AttemptError {
    let server = Server::saying(ok(kind, pieces, Ending::Chunks)).await;
    let error = fail(&asks(dialect, streamed, &server)).await;
    assert_eq!(server.seen().requests.len(), 1, "{dialect:?}: asked once");
    error
}

/// Checks failure and reason of a reply with this text and finish, in pieces and whole.
#[track_caller]
fn check(error: &AttemptError, failure: Failure, reason: &str) {
    assert_eq!(error.failure, failure, "{error:?}");
    assert!(error.message.contains(reason), "{:?} has no {reason:?}", error.message);
    assert!(error.message.contains("m-asked"), "{}", error.message);
}

async fn both(dialect: &Dialect, text: &Value, finish: &str) -> [AttemptError; 2] {
    let whole = dialect.whole(text, finish);
    let stream = dialect.stream(std::slice::from_ref(text), finish);
    [
        failed(dialect, false, "application/json", &[whole]).await,
        failed(dialect, true, dialect.stream_type, &stream).await,
    ]
}

/// What is told when a reply has ended, answer or not.
fn check_told(error: &AttemptError, finish: &str) {
    let usage = Usage { input_tokens: TOKENS.0, output_tokens: TOKENS.1 };
    assert_eq!((error.usage, error.cost), (Some(usage), Some(25)), "{error:?}");
    let served = error.served.as_ref().unwrap();
    assert_eq!(served.model.as_deref(), Some("m-served"));
    assert_eq!(served.finish.as_deref(), Some(finish));
}

#[tokio::test]
async fn a_reply_that_was_too_long_is_no_answer_and_tells_what_it_used() {
    for dialect in ALL {
        for error in both(&dialect, &"Half a".into(), dialect.length).await {
            check(&error, Failure::Permanent, "raise max_output_tokens");
            check_told(&error, dialect.length);
        }
    }
}

#[tokio::test]
async fn a_reply_that_was_held_back_or_ended_oddly_is_no_answer() {
    for dialect in ALL {
        for error in both(&dialect, &"Half a".into(), dialect.filter).await {
            let expected = match dialect.name {
                "ollama" => (Failure::Transient, "ended early (unload)".to_owned()),
                _ => (Failure::Permanent, format!("by a filter ({})", dialect.filter)),
            };
            check(&error, expected.0, &expected.1);
            check_told(&error, dialect.filter);
        }
        for error in both(&dialect, &"Half a".into(), "unheard_of").await {
            check(&error, Failure::Transient, "ended early (unheard_of)");
        }
    }
}

#[tokio::test]
async fn a_reply_without_text_is_no_answer() {
    for dialect in ALL {
        for text in ["", " \n\t"] {
            for error in both(&dialect, &text.into(), dialect.complete).await {
                check(&error, Failure::Transient, "is empty");
                check_told(&error, dialect.complete);
            }
        }
    }
}

#[tokio::test]
async fn a_text_of_a_wrong_type_is_no_answer() {
    for dialect in ALL {
        for text in [json!(7), json!(["a"]), json!({"a": 1}), json!(true)] {
            for error in both(&dialect, &text, dialect.complete).await {
                check(&error, Failure::Transient, "cannot be read: invalid type");
            }
        }
    }
}

#[tokio::test]
async fn two_documents_where_one_belongs_are_no_answer() {
    for dialect in ALL {
        let document = dialect.good_whole();
        let two = failed(&dialect, false, "application/json", &[document.repeat(2)]).await;
        check(&two, Failure::Transient, "trailing characters");
        let two = failed(&dialect, true, dialect.stream_type, &[dialect.piece("{}{}")]).await;
        check(&two, Failure::Transient, "cannot be read");
    }
}

#[tokio::test]
async fn a_web_page_is_no_answer_whatever_it_calls_itself() {
    for dialect in ALL {
        for streamed in [false, true] {
            let page = [HTML.to_owned()];
            let error = failed(&dialect, streamed, "text/html; charset=utf-8", &page).await;
            check(&error, Failure::Permanent, "text/html; charset=utf-8");
            let error = failed(&dialect, streamed, "text/plain", &[dialect.good_whole()]).await;
            check(&error, Failure::Permanent, "answers with text/plain");
        }
        let error = failed(&dialect, false, "application/json", &[HTML.to_owned()]).await;
        check(&error, Failure::Transient, "cannot be read");
        let error = failed(&dialect, true, dialect.stream_type, &[HTML.to_owned()]).await;
        check(&error, Failure::Transient, "cut off");
    }
}

#[tokio::test]
async fn a_body_with_nothing_or_too_little_in_it_is_no_answer() {
    for dialect in ALL {
        for body in ["", " ", "null", "[]", "7", "{}", r#"{"choices": [], "candidates": []}"#] {
            let error = failed(&dialect, false, "application/json", &[body.to_owned()]).await;
            check(&error, Failure::Transient, "the reply ");
            let error = failed(&dialect, true, dialect.stream_type, &[body.to_owned()]).await;
            check(&error, Failure::Transient, "the reply was cut off");
        }
    }
}

#[tokio::test]
async fn an_error_with_status_200_is_a_failure() {
    for dialect in ALL {
        for streamed in [false, true] {
            let body = |kind| json!({"error": {"type": kind, "message": "oh no"}}).to_string();
            let kinds = [
                ("overloaded_error", Failure::Transient),
                ("server_error", Failure::Transient),
                ("invalid_request_error", Failure::Permanent),
            ];
            for (kind, failure) in kinds {
                let error = failed(&dialect, streamed, "application/json", &[body(kind)]).await;
                check(&error, failure, "reports an error: oh no");
            }
        }
    }
}

#[tokio::test]
async fn an_error_in_the_midst_of_a_stream_is_a_failure_wherever_it_stands() {
    for dialect in ALL {
        let good = dialect.good_stream();
        for at in 0..good.len() {
            let mut pieces = good.clone();
            pieces.insert(at, dialect.error());
            let error = failed(&dialect, true, dialect.stream_type, &pieces).await;
            check(&error, Failure::Transient, "too busy");
        }
    }
}

#[tokio::test]
async fn a_stream_without_any_of_its_needed_events_is_no_answer() {
    for dialect in ALL {
        let good = dialect.good_stream();
        let last = good.len() - 1;
        let error = failed(&dialect, true, dialect.stream_type, &good[..last]).await;
        check(&error, Failure::Transient, "cut off before its end");
    }
    // The last event of these tells no reason: it stands in the event before it, or in the one before that.
    for (dialect, before) in [(ALL[0], 2), (ALL[1], 1)] {
        let mut pieces = dialect.good_stream();
        pieces.remove(pieces.len() - 1 - before);
        let error = failed(&dialect, true, dialect.stream_type, &pieces).await;
        check(&error, Failure::Transient, "no reason for its end");
    }
}

#[tokio::test]
async fn a_refusal_is_no_answer() {
    let refusal = "I will not.";
    let whole = json!({"choices": [{"finish_reason": "stop", "message": {"content": null, "refusal": refusal}}]});
    let error = failed(&ALL[0], false, "application/json", &[whole.to_string()]).await;
    check(&error, Failure::Permanent, "the model refuses: I will not.");
    let delta = json!({"choices": [{"delta": {"refusal": refusal}, "finish_reason": "stop"}]});
    let pieces = [ALL[0].piece(&delta.to_string()), "data: [DONE]\n\n".into()];
    let error = failed(&ALL[0], true, "text/event-stream", &pieces).await;
    check(&error, Failure::Permanent, "the model refuses: I will not.");
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}).to_string();
    let error = failed(&ALL[2], false, "application/json", std::slice::from_ref(&blocked)).await;
    check(&error, Failure::Permanent, "by a filter (PROHIBITED_CONTENT)");
    let error = failed(&ALL[2], true, "text/event-stream", &[ALL[2].piece(&blocked)]).await;
    check(&error, Failure::Permanent, "by a filter (PROHIBITED_CONTENT)");
}

/// A server that gives the first half of a good reply, and then acts like this.
async fn half(dialect: &Dialect, streamed: bool, act: Act) -> Server {
    let recording = match streamed {
        true => ok(dialect.stream_type, &dialect.good_stream(), Ending::Chunks),
        false => ok("application/json", &[dialect.good_whole()], Ending::Length),
    };
    let first = recording[..recording.len() * 2 / 3].to_vec();
    Server::start(move |_| vec![Act::Send(first.clone()), act.clone()]).await
}

#[tokio::test]
async fn a_reset_is_a_failure_that_may_pass() {
    for dialect in ALL {
        for streamed in [false, true] {
            let server = half(&dialect, streamed, Act::Reset).await;
            let error = fail(&asks(&dialect, streamed, &server)).await;
            check(&error, Failure::Transient, "the connection broke");
            let server = Server::start(|_| vec![Act::Reset]).await;
            let error = fail(&asks(&dialect, streamed, &server)).await;
            check(&error, Failure::Transient, "the connection broke");
        }
    }
}

#[tokio::test]
async fn a_stream_that_stalls_is_given_up_after_its_silence() {
    for dialect in ALL {
        let server = half(&dialect, true, Act::Stall).await;
        let silence = Duration::from_millis(50);
        let stalled = Model { stream: true, silence, ..model(&dialect, server.url()) };
        let error = fail(&agent(stalled)).await;
        check(&error, Failure::Transient, "stalled: nothing came for 0.05 s");
        server.until(|seen| seen.closed == 1).await;
    }
}

#[tokio::test]
async fn a_reply_that_drips_is_an_answer_when_there_is_time_and_none_when_there_is_not() {
    let dialect = ALL[0];
    for streamed in [false, true] {
        let recording = match streamed {
            true => ok(dialect.stream_type, &dialect.good_stream(), Ending::Chunks),
            false => ok("application/json", &[dialect.good_whole()], Ending::Length),
        };
        let drip = |pause| {
            let recording = recording.clone();
            Server::start(move |_| vec![Act::Drip(recording.clone(), pause)])
        };
        let quick = drip(Duration::from_micros(1)).await;
        let answer = ask(&asks(&dialect, streamed, &quick), &call()).await.unwrap();
        assert_eq!(answer.text, TEXT.concat());
        let slow = drip(Duration::from_millis(20)).await;
        let (asking, call) = (asks(&dialect, streamed, &slow), call());
        let answer = tokio::time::timeout(Duration::from_millis(300), asking.answer(&call)).await;
        assert!(answer.is_err(), "{answer:?}");
        slow.until(|seen| seen.requests.len() == 1).await;
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_may_come_back_and_nothing_was_used() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = format!("http://{gone}");
    let error = fail(&agent(model(&ALL[0], gone.clone()))).await;
    check(&error, Failure::Transient, &format!("{gone} cannot be reached"));
    assert_eq!((error.usage, error.cost), (Some(Usage::default()), Some(0)));
}
