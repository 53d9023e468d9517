//! `/v1/runs`: the list, one run, its record, and letting it go on.
//!
//! Invariant: reading changes nothing.

use crate::{
    api::{ProblemBody, RunList, RunResource},
    app::App,
    problem::{Kind, Problem},
    solve::json,
};
use axum::{
    body::Body,
    extract::{FromRequestParts, Path, State},
    http::{Response, StatusCode, Uri, request::Parts},
};
use redraft_loop::RunId;

const USUAL: usize = 20;
const MOST: usize = 100;

/// The run that a path names.
pub(crate) struct Named(pub(crate) RunId);

impl FromRequestParts<App> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let path = Path::<String>::from_request_parts(parts, app).await;
        match path.as_deref().map(|id| run_id(id)) {
            Ok(Some(run)) => Ok(Self(run)),
            Ok(None) | Err(_) => Err(Problem::new(Kind::NoSuchRun, "the path names no run")),
        }
    }
}

/// Ids are short and plain; nothing else is looked up.
fn run_id(text: &str) -> Option<RunId> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    ((1..=128).contains(&text.len()) && text.bytes().all(plain)).then(|| RunId::new(text))
}

/// Lists the solves of this home, newest first.
#[utoipa::path(
    get, path = "/v1/runs", operation_id = "list_runs", tag = "runs",
    params(
        ("limit" = Option<u16>, Query, minimum = 1, maximum = 100, description = "How many at most; 20 if not said."),
        ("before" = Option<String>, Query, min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9_-]+$",
            description = "Only runs that are older than this one: `next` of the part before."),
    ),
    responses(
        (status = 200, body = RunList, description = "A part of the list."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn list(State(app): State<App>, uri: Uri) -> Result<Response<Body>, Problem> {
    let (limit, before) = query(uri.query().unwrap_or_default())?;
    let page = app.desk.runs(limit, before).await?;
    Ok(json(StatusCode::OK, &RunList::from(page)))
}

fn query(text: &str) -> Result<(usize, Option<RunId>), Problem> {
    let (mut limit, mut before) = (None, None);
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        match name.as_ref() {
            "limit" if limit.is_none() => {
                let number = value.parse().ok().filter(|number| (1..=MOST).contains(number));
                let wrong = || bad(&format!("`limit` is a number from 1 to {MOST}"));
                limit = Some(number.ok_or_else(wrong)?);
            }
            "before" if before.is_none() => {
                before = Some(run_id(&value).ok_or_else(|| bad("`before` names a run"))?);
            }
            _ => {
                return Err(bad("the query has `limit` and `before`, each once, and nothing else"));
            }
        }
    }
    Ok((limit.unwrap_or(USUAL), before))
}

fn bad(detail: &str) -> Problem {
    Problem::new(Kind::BadRequest, detail)
}

/// Shows where a run stands.
#[utoipa::path(
    get, path = "/v1/runs/{id}", operation_id = "show_run", tag = "runs",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,128}$", description = "The run.")),
    responses(
        (status = 200, body = RunResource, description = "The run."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn one(
    State(app): State<App>,
    Named(run): Named,
) -> Result<Response<Body>, Problem> {
    Ok(json(StatusCode::OK, &RunResource::from(app.desk.run(&run).await?)))
}

/// Gives a run's record: the request, every call, candidates, critiques, budget and result, as far as it has come.
#[utoipa::path(
    get, path = "/v1/runs/{id}/record", operation_id = "show_record", tag = "runs",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,128}$", description = "The run.")),
    responses(
        (status = 200, body = Value, description = "The record. Its format is versioned, and only grows."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn record(
    State(app): State<App>,
    Named(run): Named,
) -> Result<Response<Body>, Problem> {
    Ok(json(StatusCode::OK, &app.desk.record(&run).await?))
}

/// Lets a run go on that rests.
///
/// A run that is being worked on or has ended stays as it is, and so does one that waits for a person who has not
/// answered: it goes on by itself once the answer is there. Runs of commands are refused.
#[utoipa::path(
    post, path = "/v1/runs/{id}/resume", operation_id = "resume_run", tag = "runs",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,128}$", description = "The run.")),
    responses(
        (status = 200, body = RunResource, description = "Where the run stands now."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn resume(
    State(app): State<App>,
    Named(run): Named,
) -> Result<Response<Body>, Problem> {
    Ok(json(StatusCode::OK, &RunResource::from(app.desk.resume(&run).await?)))
}
