use crate::{
    client::Asking,
    desk::MemoryDesk,
    house::{House, config},
};
use serde_json::json;
use std::time::Duration;
use tokio::{io::AsyncWriteExt, net::TcpStream, time::timeout};

#[tokio::test]
async fn a_question_is_answered_with_four_fields() {
    let house = House::open().await;
    for path in ["/v1/solve", "/solve"] {
        let asked = json!({
            "prompt": "why?", "constraints": [" at most 5 words "], "output_format": "json",
            "context": {"a": 1},
        });
        let told = house.post(path, &asked).send().await;
        assert_eq!((told.status, told.header("redraft-exit-code")), (200, "0"), "{told:?}");
        assert_eq!(told.header("content-type"), "application/json");
        let run = house.desk.opened() - 1;
        assert_eq!(
            told.json(),
            json!({
                "final_answer": "An answer to: why?\n\nKnown issues: one 🙂",
                "assumptions": ["it is Monday"],
                "known_issues": ["nobody checked"],
                "run_id": format!("run-{run:04}"),
            })
        );
        let request = house.desk.request(run);
        assert_eq!(request.constraints, [" at most 5 words "]);
        assert_eq!(request.output_format.as_deref(), Some("json"));
        assert_eq!(request.context, Some(json!({"a": 1})));
    }
}

#[tokio::test]
async fn every_ended_run_is_an_answer_and_the_header_has_its_exit_code() {
    let house = House::open().await;
    for (prompt, code) in [("cap it", "5"), ("fail it", "1"), ("why?", "0")] {
        let told = house.solve(prompt).send().await;
        assert_eq!((told.status, told.header("redraft-exit-code")), (200, code));
        assert!(told.json()["run_id"].is_string());
    }
}

#[tokio::test]
async fn respond_async_leads_to_the_run() {
    let house = House::open().await;
    let told = house.solve("hold it").with("prefer", "respond-async").send().await;
    assert_eq!(told.status, 202);
    assert_eq!(told.header("location"), "/v1/runs/run-0000");
    assert_eq!(told.header("preference-applied"), "respond-async");
    assert_eq!(told.json()["state"], "running");
    house.desk.let_go(0);
    let run = house.get(told.header("location")).send().await;
    assert_eq!(run.json()["state"], "decided");
}

#[tokio::test]
async fn respond_async_with_a_wait_gives_the_answer_if_it_is_there_in_time() {
    let house = House::open().await;
    let told = house.solve("why?").with("prefer", "respond-async, wait=60").send().await;
    assert_eq!(told.status, 200);
    // real time: the answer is not there within the second that the client waits
    let told = house.solve("hold it").with("prefer", "respond-async, wait=1").send().await;
    assert_eq!(told.status, 202);
}

#[tokio::test]
async fn a_client_that_goes_away_leaves_its_run_alone() {
    let house = House::open().await;
    let asking = tokio::spawn(house.solve("hold it").send());
    house.desk.until_opened(1).await;
    asking.abort();
    assert!(asking.await.unwrap_err().is_cancelled());
    house.desk.let_go(0);
    let run = house.get("/v1/runs/run-0000").send().await;
    assert_eq!(run.json()["state"], "decided");
}

#[tokio::test]
async fn a_client_that_goes_away_while_its_run_is_opened_has_its_run() {
    let house = House::open().await;
    let body = r#"{"prompt": "slow it"}"#;
    let request = format!(
        "POST /v1/solve HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        house.address,
        body.len(),
    );
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    house.desk.until_knocked().await;
    drop(stream);
    let gone = "redraft_http_requests_now 0";
    while !house.get("/metrics").send().await.text().contains(gone) {}
    house.desk.let_in();
    timeout(Duration::from_secs(10), house.desk.until_opened(1)).await.unwrap();
}

#[tokio::test]
async fn what_is_no_request_is_refused_with_its_place_and_opens_no_run() {
    let house = House::open().await;
    let ask = |body: &str| Asking::new(house.address, "POST", "/v1/solve").body(body);
    for (body, pointer) in [
        (r#"{"question": "x"}"#, "/question"),
        (r#"{"prompt": "x", "more": 1}"#, "/more"),
        (r#"["why?", [], null, null]"#, ""),
        (r#"{"prompt": 7}"#, "/prompt"),
        (r#"{"prompt": " \n"}"#, "/prompt"),
        (r#"{"prompt": "x", "constraints": ["a", 1]}"#, "/constraints/1"),
        (r#"{"prompt": "x", "context": [1]}"#, "/context"),
    ] {
        let problem = ask(body).send().await.problem(422, "invalid-request");
        assert_eq!(problem["pointer"], pointer, "{body}");
        assert_eq!((&problem["code"], &problem["instance"]), (&json!(2), &json!("/v1/solve")));
    }
    for body in ["", "{", "[1,]", r#"{"prompt": "x", "prompt": "y"}"#, r#"{"prompt": "x"} x"#] {
        ask(body).send().await.problem(400, "bad-json");
    }
    let twice = ask(r#"{"prompt": "x", "context": {"a": {"b": 1, "b": 2}}}"#).send().await;
    assert_eq!(twice.problem(400, "bad-json")["pointer"], "/context/a/b");
    let broken = ask("{\n  \"prompt\": x}").send().await.problem(400, "bad-json");
    assert!(broken["detail"].as_str().unwrap().contains("line 2"), "{broken}");
    let latin = ask("").body(b"{\"prompt\": \"\xe4\"}".to_vec()).send().await;
    latin.problem(400, "bad-json");
    assert_eq!(house.desk.opened(), 0);
}

#[tokio::test]
async fn a_body_has_to_be_json_by_its_type() {
    let house = House::open().await;
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
        let told = house.solve("why?").with("content-type", kind).send().await;
        told.problem(415, "unsupported-media-type");
    }
    let packed = house.solve("why?").with("content-encoding", "gzip").send().await;
    packed.problem(415, "unsupported-media-type");
    let charset = house.solve("why?").with("content-type", "Application/JSON; charset=utf-8");
    assert_eq!(charset.send().await.status, 200);
    assert_eq!(house.desk.opened(), 1);
}

#[tokio::test]
async fn a_run_that_rests_is_a_problem_that_leads_to_it() {
    let house = House::open().await;
    let told = house.solve("rest a while").send().await;
    let problem = told.problem(503, "rests");
    assert_eq!(problem["code"], 130);
    assert!(problem["detail"].as_str().unwrap().ends_with("when the server starts again"));
    assert_eq!(problem["instance"], "/v1/runs/run-0000");
    assert_eq!((told.header("retry-after"), told.header("x-should-retry")), ("5", "false"));
}

#[tokio::test]
async fn too_many_runs_are_told_when_to_come_back() {
    let house = House::with(MemoryDesk::with_most(1), config()).await;
    house.solve("hold it").with("prefer", "respond-async").send().await;
    let told = house.solve("why?").send().await;
    let problem = told.problem(429, "too-many-runs");
    assert_eq!(problem["code"], 7);
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.starts_with("1 runs are driven") && detail.contains("--max-runs"), "{detail}");
    assert_eq!(told.header("retry-after"), "3");
}

#[tokio::test]
async fn a_run_that_rests_goes_on_when_it_is_told_to() {
    let house = House::open().await;
    house.solve("rest a while").send().await;
    let asking = house.post("/v1/runs/run-0000/resume", &json!({}));
    let resumed = asking.send().await;
    assert_eq!((resumed.status, &resumed.json()["state"]), (200, &json!("running")));
    let told = house.post("/v1/runs/run-0001/resume", &json!({})).send().await;
    told.problem(404, "no-such-run");
}
