//! `GET /v1/models`: the one model of the chat face.
//!
//! Absent here: the models that answer for it, which the desk's configuration names.

use crate::{
    api::ProblemBody,
    problem::{Kind, Problem},
    solve::json,
};
use axum::{
    body::Body,
    extract::{Path, rejection::PathRejection},
    http::{Response, StatusCode},
};
use serde::Serialize;
use utoipa::ToSchema;

/// The model that is the solver.
pub(crate) const SOLVE: &str = "redraft/solve";

/// The protocol wants to know since when there is a model: 2026-01-01T00:00:00Z, when this face was designed.
const SINCE: i64 = 1_767_225_600;

/// One model.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Model {
    /// Its name.
    pub(crate) id: &'static str,
    /// Always `model`.
    pub(crate) object: &'static str,
    /// Since when there is one, in seconds since 1970.
    pub(crate) created: i64,
    /// Always `redraft`.
    pub(crate) owned_by: &'static str,
}

/// All models.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelList {
    /// Always `list`.
    pub(crate) object: &'static str,
    /// The models.
    pub(crate) data: Vec<Model>,
}

fn solve() -> Model {
    Model { id: SOLVE, object: "model", created: SINCE, owned_by: "redraft" }
}

/// Lists the models of the chat face.
#[utoipa::path(
    get, path = "/v1/models", operation_id = "list_models", tag = "chat",
    responses(
        (status = 200, body = ModelList, description = "The models."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn list() -> Response<Body> {
    json(StatusCode::OK, &ModelList { object: "list", data: vec![solve()] })
}

/// Shows a model. Its name has a slash, which may be sent as it is.
#[utoipa::path(
    get, path = "/v1/models/{id}", operation_id = "show_model", tag = "chat",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_./-]{1,128}$", description = "The model's name.")),
    responses(
        (status = 200, body = Model, description = "The model."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn one(
    id: Result<Path<String>, PathRejection>,
) -> Result<Response<Body>, Problem> {
    match id {
        Ok(Path(id)) if id == SOLVE => Ok(json(StatusCode::OK, &solve())),
        Ok(_) | Err(_) => Err(unknown()),
    }
}

/// There is one model.
pub(crate) fn unknown() -> Problem {
    Problem::new(Kind::NoSuchModel, format!("the only model is {SOLVE}"))
}
