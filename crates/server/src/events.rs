//! `GET /v1/runs/{id}/events`: a run's facts as they are written.
//!
//! Invariant: an event's id is its fact's number, without gaps; whoever sends the last one it has seen misses
//! nothing and gets nothing twice.
//! Absent here: keeping facts. The desk reads them when a client has room for them.

use crate::{
    api::{ProblemBody, RunResource},
    app::App,
    desk::{DeskError, FactLine, FactStream},
    problem::{Kind, Problem},
    runs::Named,
    sse::{self, Event},
};
use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Response},
};
use futures::{StreamExt, stream};
use redraft_loop::RunId;
use serde::Serialize;
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

/// When a browser that has lost its connection comes back.
const RETRY: u32 = 2_000;

/// One client that reads one run.
struct Reader {
    app: App,
    run: RunId,
    facts: FactStream,
    _place: OwnedSemaphorePermit,
}

/// Streams a run's facts as server-sent events.
///
/// Each fact is an event whose id is the fact's number, whose name is its kind and whose data is the fact. A comment
/// comes where nothing else does. The last event is `end`, with the run as its data, when the run is decided or rests;
/// close the connection then. `Last-Event-ID` goes on after that fact.
#[utoipa::path(
    get, path = "/v1/runs/{id}/events", operation_id = "stream_events", tag = "runs",
    params(
        ("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,128}$", description = "The run."),
        ("Last-Event-ID" = Option<u64>, Header, description = "The number of the last fact you have."),
    ),
    responses(
        (status = 200, body = Event, content_type = "text/event-stream", description = "The events, each as this schema has it."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn events(
    State(app): State<App>,
    Named(run): Named,
    headers: HeaderMap,
) -> Result<Response<Body>, Problem> {
    let after = last_seen(&headers)?;
    if after > 0 {
        known(&app, &run, after).await?;
    }
    let place = app.rooms.stream()?;
    let facts = app.desk.facts(&run, after).await?;
    let reader = Reader { app, run, facts, _place: place };
    let parts = stream::unfold(Some(reader), |reader| async { Some(reader?.next().await) });
    Ok(sse::response(stream::iter([sse::retry(RETRY)]).chain(parts)))
}

fn last_seen(headers: &HeaderMap) -> Result<u64, Problem> {
    let Some(value) = headers.get("last-event-id") else { return Ok(0) };
    let number = value.to_str().ok().and_then(|text| text.parse().ok());
    number.ok_or_else(|| Problem::new(Kind::BadRequest, "`Last-Event-ID` is the number of a fact"))
}

/// Whoever has seen a fact that the run has not means another run, and would wait for ever.
async fn known(app: &App, run: &RunId, seen: u64) -> Result<(), Problem> {
    let facts = app.desk.run(run).await?.facts;
    if seen <= facts {
        return Ok(());
    }
    let detail = format!("`Last-Event-ID` is {seen}, and the run has {facts} facts");
    Err(Problem::new(Kind::InvalidRequest, detail))
}

impl Reader {
    /// What comes next, and the reader unless it was the last.
    async fn next(mut self) -> (Bytes, Option<Self>) {
        let heartbeat = self.app.limits.heartbeat;
        let next = tokio::select! {
            biased;
            () = self.app.stop.cancelled() => {
                return (sse::comment("the server stops; connect again later"), None);
            }
            next = timeout(heartbeat, self.facts.next()) => next,
        };
        match next {
            Ok(Some(Ok(fact))) => (fact_event(&fact), Some(self)),
            Ok(Some(Err(error))) => (broken(&self.run, error), None),
            Ok(None) => (end(&self.app, &self.run).await, None),
            Err(_) => (sse::comment("nothing new"), Some(self)),
        }
    }
}

async fn end(app: &App, run: &RunId) -> Bytes {
    match app.desk.run(run).await {
        Ok(view) => Event::named("end", text(&RunResource::from(view))).bytes(),
        Err(error) => broken(run, error),
    }
}

fn broken(run: &RunId, error: DeskError) -> Bytes {
    let path = format!("/v1/runs/{run}/events");
    Event::named("problem", text(&Problem::from(error).body(&path))).bytes()
}

fn fact_event(fact: &FactLine) -> Bytes {
    Event::named(&fact.kind, fact.json.to_string()).numbered(fact.number).bytes()
}

/// Our own types always are JSON.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
