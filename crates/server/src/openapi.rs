//! `GET /openapi.json`: this server's interface as an OpenAPI 3.1 document.
//!
//! Invariant: it is made from the handlers and the types; a test finds every route and every field in it.

use crate::{
    api, app::App, chat, docs_page, events, guard, health, metrics, models, runs, solve, sse,
};
use axum::{
    body::Body,
    extract::State,
    http::{Response, StatusCode},
};
use serde_json::{Map, Value};
use utoipa::{
    OpenApi,
    openapi::{
        Components,
        security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
    },
};

/// The name of the token in the document.
const TOKEN: &str = "token";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Redraft",
        description = "Answers that were criticised before you see them, and the runs that made them. Every error is a problem document (RFC 9457) whose `code` is the command line's exit code.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    paths(
        solve::solve,
        chat::complete,
        models::list,
        models::one,
        runs::list,
        runs::one,
        runs::record,
        events::events,
        health::alive,
        health::ready,
        metrics::metrics,
        document,
        docs_page::page,
    ),
    components(schemas(
        api::SolveRequest,
        api::SolveResponse,
        api::RunResource,
        api::RunState,
        api::RunList,
        api::Health,
        api::ProblemBody,
        chat::ChatRequest,
        chat::Message,
        chat::Speaker,
        chat::StreamOptions,
        chat::Form,
        chat::SchemaForm,
        chat::Completion,
        chat::Choice,
        chat::Spoken,
        chat::TokenUse,
        chat::Extra,
        chat::ChatError,
        sse::Event,
        models::Model,
        models::ModelList,
    )),
    tags(
        (name = "solve", description = "Questions and answers."),
        (name = "runs", description = "What was done for an answer."),
        (name = "chat", description = "The same for clients that speak the OpenAI protocol."),
        (name = "server", description = "The server itself."),
    ),
)]
struct Interface;

/// The document of a server with or without a token.
pub(crate) fn interface(app: &App) -> Value {
    let mut document = Interface::openapi();
    short(&mut document);
    if app.token.is_some() {
        let components = document.components.get_or_insert_with(Components::new);
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        components.add_security_scheme(TOKEN, bearer);
        document.security = Some(vec![SecurityRequirement::new(TOKEN, Vec::<String>::new())]);
        for path in guard::OPEN {
            let item = document.paths.paths.get_mut(path).and_then(|item| item.get.as_mut());
            if let Some(operation) = item {
                operation.security = Some(vec![]);
            }
        }
    }
    // The document always is JSON.
    let mut document = serde_json::to_value(&document).unwrap_or_default();
    for item in members(document.get_mut("paths")) {
        for operation in members(Some(item)) {
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            parameters.into_iter().flatten().for_each(never_null);
        }
    }
    document
}

/// `/solve` is `/v1/solve` by a short name.
fn short(document: &mut utoipa::openapi::OpenApi) {
    let paths = &mut document.paths.paths;
    let Some(mut item) = paths.get("/v1/solve").cloned() else { return };
    if let Some(operation) = &mut item.post {
        operation.operation_id = Some("solve_short".to_owned());
        operation.description = Some("The same as `/v1/solve`, by a short name.".to_owned());
    }
    paths.insert("/solve".to_owned(), item);
}

fn members(object: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    object.and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
}

/// A parameter that may be left out is no `null`: headers and queries are text.
fn never_null(parameter: &mut Value) {
    let Some(kind) = parameter.pointer_mut("/schema/type") else { return };
    if let Some(one) = kind.as_array().and_then(|kinds| kinds.iter().find(|kind| *kind != "null")) {
        *kind = one.clone();
    }
}

/// Describes this interface in OpenAPI 3.1.
#[utoipa::path(
    get, path = "/openapi.json", operation_id = "show_interface", tag = "server",
    responses(
        (status = 200, body = Value, description = "The document."),
        (status = "default", body = api::ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn document(State(app): State<App>) -> Response<Body> {
    solve::json(StatusCode::OK, &interface(&app))
}
