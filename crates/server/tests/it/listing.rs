use crate::house::House;
use serde_json::{Value, json};

fn ids(list: &Value) -> Vec<&str> {
    let runs = list["runs"].as_array().unwrap();
    runs.iter().map(|run| run["run_id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_list_comes_in_parts_newest_first() {
    let house = House::open().await;
    for _ in 0..5 {
        house.solve("why?").send().await;
    }
    let part = |query: String| {
        let asking = house.get(&format!("/v1/runs?limit=2{query}"));
        async { asking.send().await.json() }
    };
    let first = part(String::new()).await;
    assert_eq!(ids(&first), ["run-0004", "run-0003"]);
    let second = part(format!("&before={}", first["next"].as_str().unwrap())).await;
    assert_eq!(ids(&second), ["run-0002", "run-0001"]);
    let last = part(format!("&before={}", second["next"].as_str().unwrap())).await;
    assert_eq!((ids(&last), &last["next"]), (vec!["run-0000"], &Value::Null));
    assert_eq!(ids(&house.get("/v1/runs").send().await.json()).len(), 5);
}

#[tokio::test]
async fn an_empty_list_is_a_list() {
    let house = House::open().await;
    assert_eq!(house.get("/v1/runs").send().await.json(), json!({"runs": [], "next": null}));
}

#[tokio::test]
async fn a_query_is_as_documented_or_refused() {
    let house = House::open().await;
    for query in
        ["limit=0", "limit=101", "limit=x", "limit=1&limit=2", "page=2", "before=a/b", "before="]
    {
        let told = house.get(&format!("/v1/runs?{query}")).send().await;
        told.problem(400, "bad-request");
    }
    house.get("/v1/runs?before=run-0009").send().await.problem(404, "no-such-run");
}

#[tokio::test]
async fn a_run_shows_where_it_stands() {
    let house = House::open().await;
    for prompt in ["why?", "rest a while"] {
        house.solve(prompt).send().await;
    }
    house.solve("hold it").with("prefer", "respond-async").send().await;
    let run = |n: u8| {
        let asking = house.get(&format!("/v1/runs/run-000{n}"));
        async { asking.send().await.json() }
    };
    assert_eq!(
        run(0).await,
        json!({
            "run_id": "run-0000", "workflow": "solve", "opened": "2026-01-01T00:00:00Z",
            "updated": "2026-01-01T00:00:00Z", "facts": 4, "state": "decided", "outcome": "converged",
            "why": null, "exit_code": 0,
        })
    );
    let resting = run(1).await;
    assert_eq!((&resting["state"], &resting["exit_code"]), (&json!("resting"), &json!(130)));
    let running = run(2).await;
    assert_eq!((&running["state"], &running["exit_code"]), (&json!("running"), &Value::Null));
}

#[tokio::test]
async fn a_record_is_what_the_desk_has() {
    let house = House::open().await;
    house.solve("why?").send().await;
    let record = house.get("/v1/runs/run-0000/record").send().await.json();
    assert_eq!(record["run_id"], "run-0000");
    assert_eq!(record["request"], json!({"prompt": "why?"}));
}

#[tokio::test]
async fn what_is_no_run_is_not_found() {
    let house = House::open().await;
    let long = "x".repeat(129);
    for id in ["run-0000", "%ff", "a%2Fb", "%00", "..", long.as_str()] {
        for end in ["", "/record", "/events"] {
            let told = house.get(&format!("/v1/runs/{id}{end}")).send().await;
            told.problem(404, "no-such-run");
        }
    }
}
