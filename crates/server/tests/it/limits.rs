use crate::{
    client::{Asking, raw},
    house::House,
};
use serde_json::json;
use std::{pin::pin, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

#[tokio::test]
async fn a_body_of_a_hundred_megabytes_is_told_the_limit() {
    let house = House::open().await;
    let part = vec![b'x'; 1 << 20];
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    let head = format!(
        "POST /v1/solve HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        house.address,
        100 << 20,
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..100 {
        stream.write_all(&part).await.unwrap();
    }
    let mut told = String::new();
    stream.read_to_string(&mut told).await.unwrap();
    assert!(told.starts_with("HTTP/1.1 413 "), "{told}");
    assert!(told.contains("a body has at most 2097152 bytes"), "{told}");
}

#[tokio::test]
async fn the_last_byte_that_fits_fits() {
    let house = House::limited(|limits| limits.body_bytes = 20).await;
    let ask = |body: &str| Asking::new(house.address, "POST", "/v1/solve").body(body);
    assert_eq!(ask(r#"{"prompt": "1234567"}"#.trim()).send().await.status, 413);
    assert_eq!(ask(r#"{"prompt": "123456"}"#).send().await.status, 200);
}

#[tokio::test]
async fn who_asks_before_sending_too_much_is_answered_at_once() {
    let house = House::open().await;
    let head = format!(
        "POST /v1/solve HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\nExpect: 100-continue\r\n\r\n",
        house.address,
    );
    assert!(raw(house.address, head.as_bytes()).await.starts_with("HTTP/1.1 413 "));
}

#[tokio::test]
async fn deep_json_and_too_many_constraints_are_refused() {
    let house = House::open().await;
    let ask = |body: String| Asking::new(house.address, "POST", "/v1/solve").body(body).send();
    let deep =
        format!(r#"{{"prompt": "x", "context": {}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    ask(deep).await.problem(400, "bad-json");
    let most = vec!["x"; redraft_server::MAX_CONSTRAINTS];
    let fits = json!({"prompt": "x", "constraints": most});
    assert_eq!(ask(fits.to_string()).await.status, 200);
    let more = vec!["x"; redraft_server::MAX_CONSTRAINTS + 1];
    let told = ask(json!({"prompt": "x", "constraints": more}).to_string()).await;
    assert_eq!(told.problem(422, "invalid-request")["pointer"], "/constraints");
}

#[tokio::test]
async fn a_body_that_takes_too_long_is_told_so() {
    // real time: reading has a deadline; the client never sends the rest
    let house = House::limited(|limits| limits.read_time = Duration::from_millis(100)).await;
    let head = format!(
        "POST /v1/solve HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 30\r\nConnection: close\r\n\r\n{{",
        house.address,
    );
    let told = raw(house.address, head.as_bytes()).await;
    assert!(told.starts_with("HTTP/1.1 408 ") && told.contains("slow-request"), "{told}");
}

#[tokio::test]
async fn a_head_that_takes_too_long_ends_the_connection() {
    // real time: reading has a deadline; the client never sends the rest
    let house = House::limited(|limits| limits.read_time = Duration::from_millis(100)).await;
    let told = raw(house.address, b"GET /healthz HTTP/1.1\r\nHost: ").await;
    let (head, body) = told.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 408 Request Timeout\r\n"), "{told}");
    assert!(head.contains("content-type: application/problem+json"), "{told}");
    let problem: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(problem["detail"], "a request's head arrives within 100ms");
    assert_eq!(raw(house.address, b"").await, "", "nothing was asked");
    let host = house.address;
    let whole = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let told = raw(house.address, whole.as_bytes()).await;
    assert!(told.contains(" 200 OK") && !told.contains(" 408 "), "nothing more was asked: {told}");
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_left() {
    // real time: sending has a deadline; the client never reads
    let house = House::limited(|limits| limits.write_time = Duration::from_millis(100)).await;
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    let one = format!("GET /openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n", house.address);
    // Together their answers are larger than what systems hold for a reader; then asking is held up, and fails.
    let asked = async { while stream.write_all(one.repeat(100).as_bytes()).await.is_ok() {} };
    timeout(Duration::from_secs(60), asked).await.unwrap();
    assert_eq!(house.get("/healthz").send().await.status, 200);
}

#[tokio::test]
async fn requests_sent_together_are_answered_in_their_order() {
    let house = House::open().await;
    let host = house.address;
    let one = |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
    let all =
        [one("/healthz", ""), one("/nowhere", ""), one("/v1/models", "Connection: close\r\n")];
    let told = raw(host, all.concat().as_bytes()).await;
    let statuses: Vec<_> = told.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
    assert_eq!(statuses, ["200", "404", "200"], "{told}");
}

#[tokio::test]
async fn heads_have_limits_with_problems_and_behind_them_hypers_own() {
    let house = House::open().await;
    let mut many = house.get("/healthz");
    for n in 0..70 {
        many = many.and(&format!("x-{n}"), "1");
    }
    many.send().await.problem(431, "headers-too-large");
    let large = house.get("/healthz").with("x-large", &"x".repeat(40_000)).send().await;
    large.problem(431, "headers-too-large");
    let long = house.get(&format!("/v1/runs?before={}", "x".repeat(40_000))).send().await;
    long.problem(414, "uri-too-long");
    assert_eq!(
        house.get("/healthz").with("x-large", &"x".repeat(300_000)).send().await.status,
        431
    );
}

#[tokio::test]
async fn there_are_so_many_requests_at_once_and_health_is_always_told() {
    let house = House::limited(|limits| limits.requests = 1).await;
    let held = tokio::spawn(house.solve("hold it").send());
    house.desk.until_opened(1).await;
    for asking in [house.solve("why?"), house.chat("why?"), house.get("/v1/runs")] {
        let told = asking.send().await;
        assert_eq!(told.problem(503, "too-busy")["code"], 7);
        assert_eq!(told.header("retry-after"), "1");
    }
    assert_eq!(house.get("/healthz").send().await.status, 200);
    assert_eq!(house.get("/metrics").send().await.status, 200);
    house.desk.let_go(0);
    assert_eq!(held.await.unwrap().status, 200);
    assert_eq!(house.get("/v1/runs").send().await.status, 200);
}

#[tokio::test]
async fn an_answer_that_takes_too_long_leads_to_the_run() {
    // real time: waiting has a deadline; the answer never comes before it
    let house = House::limited(|limits| limits.answer_time = Duration::from_millis(50)).await;
    let problem = house.solve("hold it").send().await.problem(504, "answer-timeout");
    assert_eq!(problem["instance"], "/v1/runs/run-0000");
    let told = house.chat("hold it").send().await;
    told.problem(504, "answer-timeout");
    assert_eq!(told.header("x-should-retry"), "false", "it would open another run");
    let patient = house.solve("hold it").with("prefer", "respond-async, wait=900").send().await;
    assert_eq!(patient.status, 202, "{patient:?}");
    assert_eq!(house.get("/v1/runs/run-0000").send().await.json()["state"], "running");
}

#[tokio::test]
async fn connections_above_the_limit_wait_for_a_place() {
    let house = House::limited(|limits| limits.connections = 1).await;
    let first = TcpStream::connect(house.address).await.unwrap();
    let mut second = pin!(house.get("/healthz").send());
    // real time: nothing tells that a connection is not taken
    assert!(timeout(Duration::from_millis(100), second.as_mut()).await.is_err());
    drop(first);
    assert_eq!(second.await.status, 200);
}
