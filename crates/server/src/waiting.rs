//! Opening a run for a client, and waiting with it for the answer.
//!
//! Invariant: opening is never cut short by a client that goes away; waiting ends, and never touches the run.

use crate::{
    app::App,
    desk::{Answer, Key, Opened},
    limits::MAX_CONSTRAINTS,
    problem::{Kind, Problem},
};
use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, Response},
};
use redraft_loop::RunId;
use redraft_workflows::solve::{Request, RequestError, normalize};
use std::time::Duration;
use tokio::time::sleep;

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Opens the run of a request, or finds the one that its key stands for.
pub(crate) async fn open(app: &App, asked: Request, key: Option<Key>) -> Result<Opened, Problem> {
    if asked.constraints.len() > MAX_CONSTRAINTS {
        let detail = format!("a request has at most {MAX_CONSTRAINTS} constraints");
        return Err(Problem::new(Kind::InvalidRequest, detail).at("/constraints"));
    }
    normalize(&asked).map_err(|error| refused(&error))?;
    let desk = app.desk.clone();
    // A task of its own: the client may go away between the request and the run.
    let opening = tokio::spawn(async move { desk.open(asked, key).await });
    Ok(opening.await.map_err(|_| Problem::new(Kind::Internal, "opening has failed"))??)
}

/// Says in the answer's head whether its run was opened by an earlier request; its body is the same.
pub(crate) fn marked(mut response: Response<Body>, opened: &Opened) -> Response<Body> {
    if !opened.new {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

fn refused(error: &RequestError) -> Problem {
    let pointer = match error {
        RequestError::EmptyPrompt => "/prompt",
        RequestError::Context => "/context",
    };
    Problem::new(Kind::InvalidRequest, error.to_string()).at(pointer)
}

/// The run's answer, for as long as clients may wait and the server stands.
pub(crate) async fn answer(app: &App, run: &RunId) -> Result<Answer, Problem> {
    let most = app.limits.answer_time;
    answer_within(app, run, most).await?.ok_or_else(|| {
        let detail = format!("there is no answer after {most:?}; the run goes on");
        Problem::new(Kind::AnswerTimeout, detail).about(run)
    })
}

/// The run's answer, if it is there within this time, and within that which clients may wait.
pub(crate) async fn answer_within(
    app: &App,
    run: &RunId,
    patience: Duration,
) -> Result<Option<Answer>, Problem> {
    tokio::select! {
        biased;
        answer = app.desk.answer(run) => Ok(Some(answer?)),
        () = sleep(patience.min(app.limits.answer_time)) => Ok(None),
        () = closing(app) => {
            let detail = "the server stops; the run is kept, and goes on when the server starts again";
            Err(Problem::new(Kind::Unavailable, detail).about(run).retry_after(app.limits.grace))
        }
    }
}

/// Ends when half of the grace is over that answers have once the server stops: what is said then still arrives.
async fn closing(app: &App) {
    app.stop.cancelled().await;
    sleep(app.limits.grace / 2).await;
}
