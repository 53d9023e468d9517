//! `/healthz` and `/readyz`: whether the process lives, and whether it can work.
//!
//! Invariant: neither tells anything about runs.

use crate::{
    api::{Health, ProblemBody},
    app::App,
    desk::DeskError,
    problem::Problem,
    solve::json,
};
use axum::{
    body::Body,
    extract::State,
    http::{Response, StatusCode},
};

const OK: Health = Health { status: "ok" };

/// Says that the server is there.
#[utoipa::path(
    get, path = "/healthz", operation_id = "show_health", tag = "server",
    responses(
        (status = 200, body = Health, description = "It is there."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn alive() -> Response<Body> {
    json(StatusCode::OK, &OK)
}

/// Says whether runs can be opened.
#[utoipa::path(
    get, path = "/readyz", operation_id = "show_readiness", tag = "server",
    responses(
        (status = 200, body = Health, description = "They can."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn ready(State(app): State<App>) -> Result<Response<Body>, Problem> {
    if app.stop.is_cancelled() {
        return Err(DeskError::Unavailable("the server stops".into()).into());
    }
    app.desk.ready().await?;
    Ok(json(StatusCode::OK, &OK))
}
