use crate::house::House;
use std::time::Duration;

/// The ids of all events in a text, in their order.
fn ids(text: &str) -> Vec<u64> {
    text.lines()
        .filter_map(|line| line.strip_prefix("id: "))
        .map(|id| id.parse().unwrap())
        .collect()
}

#[tokio::test]
async fn a_runs_facts_come_in_order_and_end_with_the_run() {
    let house = House::open().await;
    house.solve("why?").send().await;
    let told = house.get("/v1/runs/run-0000/events").send().await;
    assert_eq!((told.status, told.header("content-type")), (200, "text/event-stream"));
    let text = told.text();
    assert_eq!(ids(text), [1, 2, 3, 4]);
    assert!(
        text.starts_with("retry: 2000\n\nid: 1\nevent: opened\ndata: {\"opened\":1}\n\n"),
        "{text}"
    );
    let (_, end) = text.split_once("event: end\ndata: ").unwrap();
    let run: serde_json::Value = serde_json::from_str(end.trim()).unwrap();
    assert_eq!(run["state"], "decided");
    assert_eq!((&run["outcome"], &run["exit_code"]), (&"converged".into(), &0.into()));
}

#[tokio::test]
async fn facts_arrive_while_the_run_goes_on() {
    let house = House::open().await;
    house.solve("hold it").with("prefer", "respond-async").send().await;
    let mut coming = house.get("/v1/runs/run-0000/events").coming().await;
    assert!(!coming.until("id: 2").await.contains("id: 3"));
    house.desk.write(0, "heard");
    coming.until("id: 3\nevent: heard").await;
    house.desk.let_go(0);
    assert!(coming.whole().await.contains("event: end"));
}

#[tokio::test]
async fn a_reader_that_comes_back_misses_nothing_and_gets_nothing_twice() {
    let house = House::open().await;
    house.solve("hold it").with("prefer", "respond-async").send().await;
    let mut coming = house.get("/v1/runs/run-0000/events").coming().await;
    let mut seen = ids(coming.until("id: 2\nevent: asked\n").await);
    drop(coming);
    house.desk.write(0, "heard");
    house.desk.let_go(0);
    let last = seen.last().unwrap().to_string();
    let rest = house.get("/v1/runs/run-0000/events").with("last-event-id", &last).send().await;
    seen.extend(ids(rest.text()));
    assert_eq!(seen, [1, 2, 3, 4, 5]);
    let none = house.get("/v1/runs/run-0000/events").with("last-event-id", "5").send().await;
    assert_eq!(ids(none.text()), [0; 0]);
    assert!(none.text().contains("event: end"));
}

#[tokio::test]
async fn a_run_that_rests_ends_its_events_with_the_reason() {
    let house = House::open().await;
    house.solve("rest a while").send().await;
    let told = house.get("/v1/runs/run-0000/events").send().await;
    assert!(told.text().contains("\"state\":\"resting\""), "{}", told.text());
    assert!(told.text().contains("\"why\":\"interrupted\""));
}

#[tokio::test]
async fn a_silent_stream_says_that_it_is_alive() {
    // real time: a heartbeat is a matter of time; the test waits for two of them, however long they take
    let house = House::limited(|limits| limits.heartbeat = Duration::from_millis(20)).await;
    house.solve("hold it").with("prefer", "respond-async").send().await;
    let mut coming = house.get("/v1/runs/run-0000/events").coming().await;
    coming.until(": nothing new\n\n: nothing new\n\n").await;
    house.desk.let_go(0);
    assert!(coming.whole().await.contains("event: end"));
}

#[tokio::test]
async fn a_last_event_id_is_a_number_and_a_run_is_one_that_is_there() {
    let house = House::open().await;
    house.solve("why?").send().await;
    for id in ["x", "-1", "1.5", ""] {
        let told = house.get("/v1/runs/run-0000/events").with("last-event-id", id).send().await;
        told.problem(400, "bad-request");
    }
    house.get("/v1/runs/run-0001/events").send().await.problem(404, "no-such-run");
}

#[tokio::test]
async fn who_has_seen_a_fact_that_the_run_has_not_is_told_so() {
    let house = House::open().await;
    house.solve("hold it").with("prefer", "respond-async").send().await;
    let told = house.get("/v1/runs/run-0000/events").with("last-event-id", "3").send().await;
    let problem = told.problem(422, "invalid-request");
    assert_eq!(problem["detail"], "`Last-Event-ID` is 3, and the run has 2 facts");
    house.desk.let_go(0);
    let told = house.get("/v1/runs/run-0000/events").with("last-event-id", "3").send().await;
    assert_eq!(ids(told.text()), [4]);
}

#[tokio::test]
async fn there_are_so_many_streams_at_once_and_a_reader_that_leaves_makes_room() {
    let house = House::limited(|limits| limits.streams = 2).await;
    house.solve("hold it").with("prefer", "respond-async").send().await;
    let open = || house.get("/v1/runs/run-0000/events").coming();
    let (mut first, _second) = (open().await, open().await);
    first.until("id: 2").await;
    let told = house.get("/v1/runs/run-0000/events").send().await;
    told.problem(503, "too-busy");
    assert_eq!(told.header("retry-after"), "1");
    drop(first);
    while open().await.status != 200 {}
}

#[tokio::test]
async fn many_streams_read_one_run_at_once() {
    let house = House::open().await;
    house.solve("hold it").with("prefer", "respond-async").send().await;
    let mut readers = Vec::new();
    for _ in 0..200 {
        let mut coming = house.get("/v1/runs/run-0000/events").coming().await;
        coming.until("id: 2\n").await;
        readers.push(coming);
    }
    house.desk.let_go(0);
    for reader in readers {
        assert_eq!(ids(&reader.whole().await), [1, 2, 3, 4]);
    }
}
