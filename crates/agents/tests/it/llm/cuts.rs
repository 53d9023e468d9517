//! A recorded reply is cut at every byte: none is an answer before its last needed byte, and each is one from there.

use super::{
    dialect::{ALL, Dialect, TEXT, TOKENS},
    house::{ask, call, model},
    server::{Act, Ending, Server, ok},
};
use futures::{StreamExt, stream};
use redraft_agents::llm::{Connections, LlmAgent, Model, Provider};
use redraft_loop::{Failure, Usage};

/// Cuts the recording at every byte; from `needed` bytes on it is an answer.
async fn sweep(dialect: &Dialect, streamed: bool, recording: Vec<u8>, needed: usize) {
    let length = recording.len();
    let server = Server::start(move |request| {
        vec![Act::Send(recording[..request.number()].to_vec()), Act::Close]
    });
    let (server, connections) = (server.await, Connections::new());
    let cuts = stream::iter(0..=length).map(|cut| {
        let base = format!("{}/{cut}", server.url());
        let agent = LlmAgent::new(Model { stream: streamed, ..model(dialect, base) }, &connections);
        async move { (cut, ask(&agent.unwrap(), &call()).await) }
    });
    let mut cuts = cuts.buffer_unordered(16);
    while let Some((cut, result)) = cuts.next().await {
        match result {
            Ok(answer) => {
                assert!(
                    cut >= needed,
                    "{dialect:?}: cut at {cut} of {length}, needed {needed}: {answer:?}"
                );
                assert_eq!(answer.text, TEXT.concat());
                let usage = Usage { input_tokens: TOKENS.0, output_tokens: TOKENS.1 };
                assert_eq!((answer.usage, answer.cost), (Some(usage), Some(25)));
            }
            Err(error) => {
                assert!(
                    cut < needed,
                    "{dialect:?}: cut at {cut} of {length}, needed {needed}: {error:?}"
                );
                assert_eq!(error.failure, Failure::Transient, "cut at {cut}: {error:?}");
                assert_eq!(error.cost, error.usage.map(|_| 25), "cut at {cut}: {error:?}");
            }
        }
    }
    assert_eq!(server.seen().requests.len(), length + 1, "each was asked once");
}

/// Where a piece of text ends in a recording.
fn end_of(recording: &[u8], piece: &str) -> usize {
    let piece = piece.as_bytes();
    recording.windows(piece.len()).rposition(|bytes| bytes == piece).unwrap() + piece.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_cut_at_any_byte_is_no_answer() {
    for dialect in ALL {
        let pieces = dialect.good_stream();
        let recording = ok(dialect.stream_type, &pieces, Ending::Chunks);
        let needed = match dialect.provider {
            // Its streams have no last event: the whole body must have come.
            Provider::Gemini => recording.len(),
            _ => end_of(&recording, pieces.last().unwrap()),
        };
        sweep(&dialect, true, recording, needed).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_ends_with_its_connection_is_an_answer_from_its_last_event_on() {
    for dialect in ALL {
        let pieces = dialect.good_stream();
        let recording = ok(dialect.stream_type, &pieces, Ending::Close);
        let needed = end_of(&recording, pieces.last().unwrap());
        sweep(&dialect, true, recording, needed).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_cut_at_any_byte_is_no_answer() {
    for dialect in ALL {
        let endings = [Ending::Length, Ending::Chunks, Ending::Close];
        // The last is a server that was asked for a stream and cannot.
        for (ending, streamed) in endings.into_iter().zip([false, false, true]) {
            let recording = ok("application/json", &[dialect.good_whole()], ending);
            let needed = recording.len();
            sweep(&dialect, streamed, recording, needed).await;
        }
    }
}
