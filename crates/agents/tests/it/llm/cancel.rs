//! A call that is given up closes its connection, wherever it stands.

use super::{
    dialect::ALL,
    house::{agent, call, model},
    server::{Act, Ending, Server, ok},
};
use redraft_agents::llm::Model;
use redraft_engine::Agent;

/// Gives a call up when the server has begun its answer with this, and sees the connection closed.
async fn give_up(stream: bool, begun: Vec<u8>, dialect: usize) {
    let server = Server::start(move |_| vec![Act::Send(begun.clone()), Act::Stall]).await;
    let agent = agent(Model { stream, ..model(&ALL[dialect], server.url()) });
    let asking = tokio::spawn(async move { agent.answer(&call()).await });
    server.until(|seen| seen.requests.len() == 1).await;
    assert_eq!(server.seen().closed, 0);
    asking.abort();
    server.until(|seen| seen.closed == 1).await;
    assert!(asking.await.unwrap_err().is_cancelled());
}

#[tokio::test]
async fn giving_a_call_up_closes_its_connection() {
    for (at, dialect) in ALL.iter().enumerate() {
        let stream = ok(dialect.stream_type, &dialect.good_stream(), Ending::Chunks);
        let whole = ok("application/json", &[dialect.good_whole()], Ending::Length);
        for (streamed, recording) in [(true, stream), (false, whole)] {
            for length in [0, 20, recording.len() / 2, recording.len() - 30] {
                give_up(streamed, recording[..length].to_vec(), at).await;
            }
        }
    }
}
