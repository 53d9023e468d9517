//! Connections are used again, and go through a proxy only where they leave this machine.

use super::{
    dialect::ALL,
    house::{again, agent, ask, call, fail, model},
    server::{Act, Ending, Server, ok, refusal},
};
use futures::future::join_all;
use redraft_agents::llm::{Connections, LlmAgent, Model};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_calls_200_at_a_time_use_hardly_more_than_200_connections() {
    for streamed in [false, true] {
        let dialect = ALL[0];
        let recording = match streamed {
            true => ok(dialect.stream_type, &dialect.good_stream(), Ending::Chunks),
            false => ok("application/json", &[dialect.good_whole()], Ending::Length),
        };
        let server = Server::start(move |_| vec![Act::Send(recording.clone())]).await;
        let connections = Connections::new();
        // Agents of one process share connections, not only the calls of one agent.
        let agents: Vec<LlmAgent> = (0..200)
            .map(|_| Model { stream: streamed, ..model(&dialect, server.url()) })
            .map(|model| LlmAgent::new(model, &connections).unwrap())
            .collect();
        let call = call();
        for _ in 0..5 {
            let answers = join_all(agents.iter().map(|agent| ask(agent, &call))).await;
            assert!(answers.iter().all(Result::is_ok));
        }
        let seen = server.seen();
        assert_eq!(seen.requests.len(), 1_000);
        // A call may open a connection while one comes free; the next calls use both.
        assert!(seen.connections <= 220, "{} connections", seen.connections);
    }
}

#[tokio::test]
async fn a_connection_is_kept_after_a_refusal_too() {
    let server =
        Server::start(|_| vec![Act::Send(refusal(429, &[], r#"{"error": "later"}"#))]).await;
    let agent = agent(model(&ALL[0], server.url()));
    for _ in 0..5 {
        fail(&agent).await;
    }
    assert_eq!(server.seen().connections, 1);
}

#[tokio::test]
async fn a_connection_is_kept_when_the_end_of_a_body_comes_a_moment_after_the_last_event() {
    for dialect in ALL {
        let recording = ok(dialect.stream_type, &dialect.good_stream(), Ending::Chunks);
        let (most, end) = recording.split_at(recording.len() - b"0\r\n\r\n".len());
        let acts =
            vec![Act::Send(most.to_vec()), Act::Drip(end.to_vec(), Duration::from_millis(2))];
        let server = Server::start(move |_| acts.clone()).await;
        let agent = agent(Model { stream: true, ..model(&dialect, server.url()) });
        for _ in 0..5 {
            ask(&agent, &call()).await.unwrap();
        }
        assert_eq!(server.seen().connections, 1, "{dialect:?}");
    }
}

const PROXIED: &str = "REDRAFT_TEST_PROXIED";

/// Runs itself again in an environment that names a proxy; alone it asks directly.
#[tokio::test(flavor = "multi_thread")]
async fn this_machine_is_asked_directly_and_others_through_the_proxy_of_the_environment() {
    let dialect = ALL[0];
    if std::env::var_os(PROXIED).is_some() {
        let direct = std::env::var(PROXIED).unwrap();
        ask(&agent(model(&dialect, direct)), &call()).await.unwrap();
        // This host cannot be found: who gets an answer got it from the proxy.
        ask(&agent(model(&dialect, "http://host.invalid/v1")), &call()).await.unwrap();
        return;
    }
    let good = ok("application/json", &[dialect.good_whole()], Ending::Length);
    let (direct, proxy) = (Server::saying(good.clone()).await, Server::saying(good).await);
    let (direct_url, proxy_url) = (direct.url(), proxy.url());
    let run = move || {
        let names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
        let mut environment: Vec<_> =
            names.iter().map(|name| (*name, proxy_url.as_str())).collect();
        environment.extend([(PROXIED, direct_url.as_str()), ("NO_PROXY", ""), ("no_proxy", "")]);
        let test = "connections::this_machine_is_asked_directly_and_others_through_the_proxy_of_the_environment";
        again(test, &environment);
    };
    tokio::task::spawn_blocking(run).await.unwrap();
    assert_eq!(direct.seen().requests[0].line, "POST /chat/completions HTTP/1.1");
    let lines: Vec<_> = proxy.seen().requests.into_iter().map(|request| request.line).collect();
    assert_eq!(lines, ["POST http://host.invalid/v1/chat/completions HTTP/1.1"]);
}
