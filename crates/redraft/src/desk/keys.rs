//! The clients' names for their requests, in streams of their own.
//!
//! Invariant: a key's first fact names the run that it opened, in the commit that opened the run; it never has a second.
//! Absent here: what a request says.

use redraft_loop::{Fact, Opened as First, RunId};
use redraft_server::{DeskError, Key, Opened};
use redraft_store::{Append, Registration, Store, StoreError, StreamId, StreamWrite, encode_fact};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Kept {
    run: String,
    body: String,
}

/// The run that this key has opened before.
pub(super) fn known(store: &Store, key: &Key) -> Result<Option<Opened>, DeskError> {
    let entries = store.read(&stream(key)).map_err(|error| unavailable(&error))?;
    let Some(first) = entries.first() else { return Ok(None) };
    let kept: Kept = serde_json::from_str(&first.body)
        .map_err(|error| DeskError::Unavailable(format!("a key in the journal: {error}")))?;
    let run = RunId::new(kept.run);
    match kept.body == key.body.as_str() {
        true => Ok(Some(Opened { run, new: false })),
        false => Err(DeskError::KeyReused { run }),
    }
}

/// Makes a run durable with its key; whether nobody else had the key.
pub(super) async fn write(
    store: &Store,
    opened: &First,
    key: Option<&Key>,
) -> Result<bool, DeskError> {
    let body = encode_fact(&Fact::Opened(opened.clone()));
    let body = body.map_err(|error| DeskError::Refused(error.to_string()))?;
    let first = StreamWrite {
        stream: StreamId::from(&opened.run),
        register: Some(crate::standalone::registration(opened)),
        after: Some(0),
        epoch: opened.epoch.0,
        bodies: vec![body],
    };
    let key = key.map(|key| {
        let kept = Kept { run: opened.run.to_string(), body: key.body.as_str().to_owned() };
        // Texts are always JSON.
        let body = serde_json::to_string(&kept).unwrap_or_default();
        let registration = Registration {
            kind: "key".into(),
            workspace: None,
            subject: None,
            workflow: None,
            at: opened.at.0,
        };
        let write = StreamWrite::shared(stream(key), vec![body]).registered(registration);
        StreamWrite { after: Some(0), ..write }
    });
    match store.append(Append::new(std::iter::once(first).chain(key).collect())).await {
        Ok(_) => Ok(true),
        Err(StoreError::Moved { .. }) => Ok(false),
        Err(error) => Err(unavailable(&error)),
    }
}

/// Keys may hold anything visible; a stream's name holds their hash.
fn stream(key: &Key) -> StreamId {
    StreamId::new(format!("key:{}", redraft_engine::sha256(&key.name).as_str()))
}

fn unavailable(error: &StoreError) -> DeskError {
    DeskError::Unavailable(error.to_string())
}
