use crate::house::House;
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

#[tokio::test]
async fn a_stopping_server_takes_nobody_and_lets_answers_finish() {
    let house = House::open().await;
    let held = tokio::spawn(house.solve("hold it").send());
    house.desk.until_opened(1).await;
    house.stop.cancel();
    while TcpStream::connect(house.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert!(!house.serving.is_finished());
    house.desk.let_go(0);
    assert_eq!(held.await.unwrap().status, 200);
    house.serving.await.unwrap();
}

#[tokio::test]
async fn a_connection_that_nothing_is_asked_over_is_closed_when_the_server_stops() {
    let house = House::open().await;
    let mut kept = TcpStream::connect(house.address).await.unwrap();
    let one = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", house.address);
    kept.write_all(one.as_bytes()).await.unwrap();
    let mut told = vec![0; 4_096];
    assert!(kept.read(&mut told).await.unwrap() > 0);
    house.stop.cancel();
    while kept.read(&mut told).await.unwrap() > 0 {}
    house.serving.await.unwrap();
}

#[tokio::test]
async fn event_streams_end_with_a_comment() {
    let house = House::open().await;
    house.solve("hold it").with("prefer", "respond-async").send().await;
    let mut coming = house.get("/v1/runs/run-0000/events").coming().await;
    coming.until("id: 2").await;
    house.stop.cancel();
    let text = coming.whole().await;
    assert!(text.ends_with(": the server stops; connect again later\n\n"), "{text}");
    assert!(!text.contains("event: end"));
    house.serving.await.unwrap();
}

#[tokio::test]
async fn who_still_waits_when_half_the_grace_is_over_is_led_to_the_run() {
    // real time: the grace is a matter of time; the run never ends within it
    let house = House::limited(|limits| limits.grace = Duration::from_secs(2)).await;
    let held = tokio::spawn(house.solve("hold it").send());
    house.desk.until_opened(1).await;
    house.stop.cancel();
    let problem = held.await.unwrap().problem(503, "unavailable");
    assert_eq!(problem["instance"], "/v1/runs/run-0000");
    house.serving.await.unwrap();
    house.desk.let_go(0);
    assert_eq!(house.desk.opened(), 1);
}

#[tokio::test]
async fn a_client_that_reads_nothing_cannot_keep_the_server() {
    // real time: the grace is a matter of time; the client never sends its request
    let house = House::limited(|limits| limits.grace = Duration::from_millis(100)).await;
    let _half = TcpStream::connect(house.address).await.unwrap();
    house.get("/healthz").send().await;
    house.stop.cancel();
    house.serving.await.unwrap();
}
