//! Connections are used again, and go through a proxy only where they leave this machine.

use super::{
    dialect::ALL,
    house::{again, agent, ask, call, fail, model},
    server::{Act, Ending, Server, ok, refusal},
};
use futures::future::join_all;
use redraft_agents::llm::{Connections, LlmAgent, Model};
use redraft_loop::Failure;
use std::{
    io::{Read, Write},
    time::Duration,
};

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

/// A server that greets whoever comes, and then waits.
fn greeting(words: &'static [u8]) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(words).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    url
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_cannot_be_reached_where_tls_is_wanted() {
    let url = greeting(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    let error = fail(&agent(model(&ALL[0], url.clone()))).await;
    assert!(error.message.contains(&format!("{url} cannot be reached")), "{error:?}");
    assert_eq!(error.cost, Some(0));
}

#[tokio::test]
async fn a_connection_that_does_not_come_about_is_given_up_in_time() {
    let url = greeting(b"");
    let connect_timeout = Duration::from_millis(50);
    let error = fail(&agent(Model { connect_timeout, ..model(&ALL[0], url.clone()) })).await;
    assert_eq!(error.failure, Failure::Transient);
    assert!(error.message.contains(&format!("{url} cannot be reached")), "{error:?}");
}

const BARE: &str = "REDRAFT_TEST_BARE";

/// Runs itself again in an environment that hides the certificates of the system.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn without_certificates_tls_is_refused_with_the_cause_and_this_machine_can_be_asked() {
    if std::env::var_os(BARE).is_some() {
        let error = fail(&agent(model(&ALL[0], "https://127.0.0.1:9"))).await;
        assert!(error.message.contains("certificate"), "{error:?}");
        let body = ok("application/json", &[ALL[0].good_whole()], Ending::Length);
        let server = Server::saying(body).await;
        ask(&agent(model(&ALL[0], server.url())), &call()).await.unwrap();
        return;
    }
    let test = "connections::without_certificates_tls_is_refused_with_the_cause_and_this_machine_can_be_asked";
    let nowhere = "/no/such/place";
    again(test, &[(BARE, "1"), ("SSL_CERT_FILE", nowhere), ("SSL_CERT_DIR", nowhere)]);
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
