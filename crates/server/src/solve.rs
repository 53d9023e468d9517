//! `POST /v1/solve`: a question in, an answer or the place of one out.
//!
//! Invariant: equal runs give equal bodies, byte for byte.

use crate::{
    api::{ProblemBody, RunResource, SolveRequest, SolveResponse},
    app::App,
    body::{Posted, typed},
    desk::Answer,
    prefer::Prefer,
    problem::Problem,
    waiting,
};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderName, HeaderValue, Response, StatusCode, header},
};
use redraft_loop::RunId;
use serde::Serialize;

/// The command line's exit code for a run, beside its answer.
const EXIT_CODE: HeaderName = HeaderName::from_static("redraft-exit-code");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Answers a question.
///
/// Waits for the answer. `Prefer: respond-async` does not wait, and `respond-async, wait=N` waits N seconds: then
/// 202 says where the run is. Every run that ends gives 200 with all four fields, also when a budget cut it short or
/// nothing could be generated; the header `redraft-exit-code` tells: 0, 5 or 1. The run goes on if you go away.
/// `/solve` is the same route.
#[utoipa::path(
    post, path = "/v1/solve", operation_id = "solve", tag = "solve",
    request_body = SolveRequest,
    params(
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$",
            description = "Your name for this request: sent twice with the same body, it opens one run and gives the same answer."),
        ("Prefer" = Option<String>, Header, description = "`respond-async`, with `wait=N` if you like."),
    ),
    responses(
        (status = 200, body = SolveResponse, description = "The answer.",
            headers(
                ("redraft-exit-code" = u8, description = "The command line's exit code for the run."),
                ("idempotent-replayed" = String, description = "`true` where an earlier request has opened the run."),
            )),
        (status = 202, body = RunResource, description = "The run goes on; `Location` leads to it.",
            headers(("Location" = String), ("Preference-Applied" = String))),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn solve(
    State(app): State<App>,
    posted: Posted,
) -> Result<Response<Body>, Problem> {
    let asked: SolveRequest = typed(posted.json)?;
    let opened = waiting::open(&app, asked.into(), posted.key).await?;
    let run = &opened.run;
    let response = match posted.prefer {
        Prefer::Answer => answered(waiting::answer(&app, run).await?),
        Prefer::Async(patience) => match waiting::answer_within(&app, run, patience).await? {
            Some(answer) => answered(answer),
            None => accepted(&app, run).await?,
        },
    };
    Ok(waiting::marked(response, &opened))
}

fn answered(answer: Answer) -> Response<Body> {
    let code = HeaderValue::from(u16::from(answer.exit_code));
    let mut response = json(StatusCode::OK, &SolveResponse::from(answer));
    response.headers_mut().insert(EXIT_CODE, code);
    response
}

async fn accepted(app: &App, run: &RunId) -> Result<Response<Body>, Problem> {
    let view = app.desk.run(run).await?;
    let mut response = json(StatusCode::ACCEPTED, &RunResource::from(view));
    let headers = response.headers_mut();
    // Ids have visible ASCII characters only.
    headers
        .extend(HeaderValue::from_str(&format!("/v1/runs/{run}")).map(|at| (header::LOCATION, at)));
    headers.insert(PREFERENCE_APPLIED, HeaderValue::from_static("respond-async"));
    Ok(response)
}

/// A JSON answer.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response<Body> {
    // Our own types always are JSON.
    let text = serde_json::to_vec(value).unwrap_or_default();
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
