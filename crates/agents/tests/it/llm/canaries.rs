//! Keys that are easily recognised are planted everywhere a key can come from, and searched for in everything that
//! comes out: messages, answers, debug output, and every byte that a server was sent but the one header.

use super::{
    dialect::{ALL, Dialect},
    house::{PATIENCE, again, agent, ask, call, model},
    server::{Act, Ending, Request, Server, answer, ok, refusal},
};
use redraft_agents::llm::{KeySource, Model};
use redraft_loop::Failure;
use serde_json::json;
use std::{path::PathBuf, time::Duration};

const CANARY: &str = "sk-canary-0f1e2d3c4b5a";
const VARIABLE: &str = "REDRAFT_TEST_CANARY";

fn file() -> (tempfile::TempDir, KeySource) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("key"), format!("{CANARY}\n")).unwrap();
    let source = KeySource::File(folder.path().join("key"));
    (folder, source)
}

fn command(script: &str) -> KeySource {
    let arguments = vec!["-c".into(), script.into()];
    KeySource::Command {
        program: PathBuf::from("/bin/sh"),
        arguments,
        timeout: Duration::from_secs(10),
    }
}

/// Everything that a hostile server could do with the key it was sent, for a reply in pieces or whole.
fn echoes(dialect: &Dialect, streamed: bool) -> Vec<Vec<u8>> {
    let reply = |text: &str, finish: &str| match streamed {
        true => ok(dialect.stream_type, &dialect.stream(&[text.into()], finish), Ending::Chunks),
        false => ok("application/json", &[dialect.whole(&text.into(), finish)], Ending::Length),
    };
    let told =
        json!({"error": {"message": format!("wrong key {CANARY}"), "code": CANARY}}).to_string();
    let typed = json!({"error": null, "id": {CANARY: CANARY}, "model": CANARY, "message": CANARY})
        .to_string();
    let good = String::from_utf8(reply("Fine.", dialect.complete)).unwrap();
    vec![
        reply(&format!("Your key is {CANARY}."), dialect.complete),
        reply("Fine.", CANARY),
        good.replace("m-served", CANARY).into_bytes(),
        good.replacen("content-type", &format!("x-request-id: {CANARY}\r\ncontent-type"), 1)
            .into_bytes(),
        refusal(401, &[("www-authenticate", CANARY), ("retry-after", CANARY)], &told),
        refusal(400, &[], &told),
        refusal(500, &[("x-request-id", CANARY)], &json!(CANARY).to_string()),
        refusal(
            301,
            &[("location", &format!("http://{CANARY}:{CANARY}@127.0.0.1:9/{CANARY}"))],
            "",
        ),
        ok("application/json", std::slice::from_ref(&typed), Ending::Length),
        ok(dialect.stream_type, &[dialect.piece(&typed)], Ending::Chunks),
        ok(dialect.stream_type, &[dialect.piece(&told)], Ending::Chunks),
        answer(
            &format!("200 {CANARY}"),
            &[("content-type", CANARY)],
            &[CANARY.into()],
            Ending::Length,
        ),
        format!("HTTP/1.1 {CANARY} no").into_bytes(),
        CANARY.as_bytes().to_vec(),
    ]
}

/// Every byte of a request but the header that carries the key.
fn without_key_header(request: &Request) -> String {
    let name = ["authorization", "x-api-key", "x-goog-api-key"];
    let mut sent = request.clone();
    let is_key = |(header, _): &(String, String)| name.contains(&header.as_str());
    let keys: Vec<_> = sent.headers.extract_if(.., |header| is_key(header)).collect();
    assert_eq!(keys.len(), 1, "{keys:?}");
    assert!(keys[0].1 == CANARY || keys[0].1 == format!("Bearer {CANARY}"));
    format!("{sent:?}")
}

async fn search(source: &KeySource) {
    for dialect in ALL {
        for streamed in [false, true] {
            for echo in echoes(&dialect, streamed) {
                let server = Server::saying(echo).await;
                let key = Some(source.clone());
                let asked = Model { key, stream: streamed, ..model(&dialect, server.url()) };
                let result = ask(&agent(asked.clone()), &call()).await;
                let listed = agent(asked.clone()).list_models(PATIENCE).await;
                let mut shown = format!("{asked:?}\n{result:?}\n{listed:?}\n");
                if let Err(error) = &result {
                    shown += &error.to_string();
                }
                let seen = server.seen();
                assert_eq!(seen.requests.len(), 2);
                shown.extend(seen.requests.iter().map(without_key_header));
                assert!(!shown.contains(CANARY), "{shown}");
            }
        }
    }
}

/// Runs itself again in an environment that holds the key.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_from_the_environment_stands_in_one_header_and_nowhere_else() {
    let source = KeySource::Env(VARIABLE.into());
    if std::env::var_os(VARIABLE).is_some() {
        return search(&source).await;
    }
    let test = "canaries::a_key_from_the_environment_stands_in_one_header_and_nowhere_else";
    again(test, &[(VARIABLE, CANARY)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_from_a_file_stands_in_one_header_and_nowhere_else() {
    let (_folder, source) = file();
    search(&source).await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_key_from_a_command_stands_in_one_header_and_nowhere_else() {
    search(&command(&format!("echo {CANARY}; echo {CANARY} >&2"))).await;
}

#[tokio::test]
async fn an_answer_that_holds_the_key_is_no_answer() {
    let (_folder, key) = file();
    for dialect in ALL {
        let server = Server::saying(echoes(&dialect, true).remove(0)).await;
        let asked = Model { key: Some(key.clone()), stream: true, ..model(&dialect, server.url()) };
        let error = ask(&agent(asked), &call()).await.unwrap_err();
        assert_eq!(error.failure, Failure::Permanent);
        assert!(error.message.contains("sent the key back"), "{error:?}");
    }
}

#[tokio::test]
async fn without_a_key_nothing_is_sent_and_the_place_to_look_is_named() {
    let server = Server::saying("").await;
    let missing = [
        (KeySource::Env("REDRAFT_TEST_UNSET".into()), "REDRAFT_TEST_UNSET is not set"),
        (KeySource::File("/no/such/key".into()), "key file /no/such/key cannot be read"),
        (command(&format!("echo {CANARY}; exit 4")), "key command /bin/sh fails"),
    ];
    for (source, reason) in missing {
        let asked = agent(Model { key: Some(source), ..model(&ALL[0], server.url()) });
        let error = ask(&asked, &call()).await.unwrap_err();
        assert!(error.message.contains(reason), "{error:?}");
        assert_eq!((error.failure, error.cost), (Failure::Permanent, Some(0)));
    }
    assert_eq!(server.seen().connections, 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_key_is_read_once_and_again_when_the_server_refuses_it() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let source = command(&format!("echo x >> {}; echo {CANARY}", count.display()));
    let server = Server::start(|request| {
        let status = if request.line.contains("/401/") { 401 } else { 500 };
        vec![Act::Send(refusal(status, &[], "{}"))]
    });
    let server = server.await;
    let read = || std::fs::read_to_string(&count).unwrap().lines().count();
    for (path, expected) in [("500", 1), ("401", 3)] {
        let _ = std::fs::remove_file(&count);
        let key = Some(source.clone());
        let asked = agent(Model { key, ..model(&ALL[0], format!("{}/{path}", server.url())) });
        for _ in 0..3 {
            ask(&asked, &call()).await.unwrap_err();
        }
        assert_eq!(read(), expected, "{path}");
    }
}
