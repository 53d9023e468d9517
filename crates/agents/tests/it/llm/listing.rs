//! The list of a server's models, and why there is none.

use super::{
    dialect::ALL,
    house::{PATIENCE, agent, model},
    server::{Act, Ending, Server, ok, refusal},
};
use redraft_agents::llm::{KeySource, ListError, Model};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn the_models_of_a_server_are_listed_for_free() {
    let lists = [
        ("GET /models", json!({"object": "list", "data": [{"id": "a"}, {"id": "b"}]})),
        (
            "GET /v1/models?limit=1000",
            json!({"data": [{"id": "a", "type": "model"}, {"id": "b"}], "has_more": false}),
        ),
        (
            "GET /v1beta/models?pageSize=1000",
            json!({"models": [{"name": "models/a"}, {"name": "models/b"}]}),
        ),
        ("GET /api/tags", json!({"models": [{"name": "a"}, {"name": "b"}]})),
    ];
    for (dialect, (line, list)) in ALL.iter().zip(lists) {
        let body = ok("application/json", &[list.to_string()], Ending::Length);
        let server = Server::start(move |_| vec![Act::Send(body.clone())]).await;
        assert_eq!(
            agent(model(dialect, server.url())).list_models(PATIENCE).await.unwrap(),
            ["a", "b"]
        );
        let request = &server.seen().requests[0];
        assert_eq!(
            (request.line.as_str(), request.body.as_str()),
            (format!("{line} HTTP/1.1").as_str(), "")
        );
    }
}

/// Why a server that says this gives no list.
async fn why(bytes: Vec<u8>) -> ListError {
    let server = Server::saying(bytes).await;
    agent(model(&ALL[0], server.url())).list_models(PATIENCE).await.unwrap_err()
}

#[tokio::test]
async fn statuses_are_told_apart() {
    let gemini = r#"[{"error": {"code": 400, "details": [{"reason": "API_KEY_INVALID"}]}}]"#;
    let wrong_key = r#"{"error": {"message": "no", "details": [{"reason": "API_KEY_INVALID"}]}}"#;
    assert_eq!(why(refusal(401, &[], "{}")).await, ListError::KeyRefused(401));
    assert_eq!(why(refusal(403, &[], "")).await, ListError::KeyRefused(403));
    assert_eq!(why(refusal(400, &[], wrong_key)).await, ListError::KeyRefused(400));
    assert_eq!(why(refusal(400, &[], r#"{"error": "no"}"#)).await, ListError::NoList(400));
    assert_eq!(why(refusal(404, &[], gemini)).await, ListError::NoList(404));
    assert_eq!(why(refusal(429, &[], "{}")).await, ListError::TooMany);
    assert_eq!(why(refusal(502, &[], "{}")).await, ListError::ServerFault(502));
}

#[tokio::test]
async fn another_server_is_told_by_what_it_says() {
    let other = |what: &str| ListError::OtherServer(what.to_owned());
    let redirect = refusal(302, &[("location", "http://127.0.0.1:9/x?key=y")], "");
    assert_eq!(why(redirect).await, other("it redirects to http://127.0.0.1:9"));
    let page = ok("text/html", &["<html>".into()], Ending::Length);
    assert_eq!(why(page).await, other("it answers with text/html"));
    for body in ["hello", "[]", r#"{"error": "no"}"#] {
        let body = ok("application/json", &[body.into()], Ending::Length);
        assert_eq!(why(body).await, other("its answer is no list of models"));
    }
}

#[tokio::test]
async fn a_server_that_is_not_reached_is_told_with_the_reason() {
    let at = |url: &str| agent(model(&ALL[0], url));
    let nothing = at("http://127.0.0.1:1").list_models(PATIENCE).await;
    assert_eq!(nothing, Err(ListError::Closed));
    // A label this long is refused by the resolver itself; no name server is asked.
    let unknown = at(&format!("http://{}.invalid", "a".repeat(64))).list_models(PATIENCE).await;
    assert_eq!(unknown, Err(ListError::NoName));
    let silent = Server::start(|_| vec![Act::Stall]).await;
    // real time: the server never answers, and this is how long it is waited for
    let late = at(&silent.url()).list_models(Duration::from_millis(200)).await;
    assert_eq!(late, Err(ListError::Late));
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_is_told_as_that() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let greeting = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"220 ready\r\n").await.unwrap();
        // The other side closes when it has seen enough.
        let _ = stream.read_to_end(&mut Vec::new()).await;
    };
    let asked = agent(model(&ALL[0], url));
    let (listed, ()) = tokio::join!(asked.list_models(PATIENCE), greeting);
    assert!(matches!(listed, Err(ListError::Tls(_))), "{listed:?}");
}

#[tokio::test]
async fn without_its_key_no_server_is_asked() {
    let server = Server::saying(refusal(500, &[], "")).await;
    let key = Some(KeySource::Env("REDRAFT_TEST_NO_SUCH_KEY".into()));
    let asked = agent(Model { key, ..model(&ALL[0], server.url()) });
    assert!(matches!(asked.list_models(PATIENCE).await, Err(ListError::Key(_))));
    assert!(server.seen().requests.is_empty());
}

#[test]
fn a_key_is_bare_on_the_way_to_another_machine_without_tls() {
    let bares = |url: &str, key: bool| {
        let key = key.then(|| KeySource::Env("ANY".into()));
        agent(Model { key, ..model(&ALL[0], url) }).bares_its_key()
    };
    assert!(bares("http://10.0.0.1/v1", true));
    assert!(!bares("http://10.0.0.1/v1", false));
    assert!(!bares("https://10.0.0.1/v1", true));
    assert!(!bares("http://127.0.0.1/v1", true));
}
