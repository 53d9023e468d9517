use crate::house::{House, config};
use futures::future::join_all;

#[tokio::test]
async fn one_key_sent_twenty_times_at_once_opens_one_run_with_one_body() {
    let house = House::open().await;
    let all: Vec<_> = (0..20)
        .map(|_| tokio::spawn(house.solve("hold it").with("idempotency-key", "k-1").send()))
        .collect();
    house.desk.until_opened(1).await;
    // All of them are waiting, or are still to come: either way they find the run.
    house.desk.let_go(0);
    let told: Vec<_> = join_all(all).await.into_iter().map(Result::unwrap).collect();
    assert!(told.iter().all(|told| told.status == 200));
    assert!(told.windows(2).all(|two| two[0].body == two[1].body));
    assert_eq!(house.desk.opened(), 1);
}

#[tokio::test]
async fn a_key_outlives_the_server() {
    let house = House::open().await;
    let first = house.solve("why?").with("idempotency-key", "k-1").send().await;
    house.stop.cancel();
    house.serving.await.unwrap();
    let again = House::with(house.desk, config()).await;
    let second = again.solve("why?").with("idempotency-key", "k-1").send().await;
    assert_eq!((first.status, first.body), (second.status, second.body));
    assert_eq!(again.desk.opened(), 1);
    assert_eq!(first.headers.get("idempotent-replayed"), None);
    assert_eq!(second.headers["idempotent-replayed"], "true");
}

#[tokio::test]
async fn another_body_under_a_key_is_refused() {
    let house = House::open().await;
    house.solve("why?").with("idempotency-key", "k-1").send().await;
    for other in [house.solve("how?"), house.chat("why?")] {
        let told = other.with("idempotency-key", "k-1").send().await;
        assert_eq!(told.problem(422, "key-reused")["instance"], "/v1/runs/run-0000");
    }
    assert_eq!(house.desk.opened(), 1);
}

#[tokio::test]
async fn chats_have_keys_too_also_when_they_stream() {
    let house = House::open().await;
    let chat = || house.chat("why?").with("idempotency-key", "k-2").send();
    assert_eq!(chat().await.body, chat().await.body);
    assert_eq!(house.desk.opened(), 1);
}

#[tokio::test]
async fn requests_without_a_key_are_runs_of_their_own() {
    let house = House::open().await;
    house.solve("why?").send().await;
    house.solve("why?").send().await;
    assert_eq!(house.desk.opened(), 2);
}

#[tokio::test]
async fn what_is_no_key_is_refused() {
    let house = House::open().await;
    for key in ["", "a b", "ä", &"x".repeat(256)] {
        let told = house.solve("why?").with("idempotency-key", key).send().await;
        told.problem(400, "bad-request");
    }
    let two = house.solve("why?").with("idempotency-key", "a").and("idempotency-key", "b");
    two.send().await.problem(400, "bad-request");
    assert_eq!(house.desk.opened(), 0);
}
