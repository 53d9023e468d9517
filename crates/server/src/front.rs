//! The front door: every request comes in and every answer goes out through here.
//!
//! Invariant: no handler runs for a request that the guard has refused; every answer carries the security headers and
//! the request's id, every problem its document; a handler that panics costs its own request alone.
//! Absent here: who is let in; see `guard`.

use crate::{
    app::App,
    guard,
    problem::{Kind, Problem},
    request_id,
};
use axum::{
    body::Body,
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, Response, header},
    middleware::Next,
    response::IntoResponse,
};
use futures::FutureExt;
use std::{panic::AssertUnwindSafe, time::Instant};

/// What a page may load and who may read an answer, unless its handler says so itself.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Lets a request in or refuses it, and dresses the answer.
pub(crate) async fn door(State(app): State<App>, request: Request, next: Next) -> Response<Body> {
    let since = Instant::now();
    let (path, method) = (request.uri().path().to_owned(), request.method().clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let request_id = app.request_ids.of(request.headers());
    let response = match guard::admit(&app, &request) {
        Ok(()) => answered(request, next).await,
        Err(problem) => problem.into_response(),
    };
    let mut response = dressed(response, &path);
    response.headers_mut().insert(request_id::NAME, request_id);
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    app.metrics.count(&method, route, response.status(), since.elapsed());
    response
}

/// What a handler shares with others is sound after a panic: locks pass over poison, and runs are tasks of their own.
async fn answered(request: Request, next: Next) -> Response<Body> {
    let answer = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let failed = |_| Problem::new(Kind::Internal, "the request could not be worked on");
    answer.map_err(failed).into_response()
}

fn dressed(mut response: Response<Body>, path: &str) -> Response<Body> {
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        let allow = response.headers_mut().remove(header::ALLOW);
        response = problem.answer(path);
        response.headers_mut().extend(allow.map(|allow| (header::ALLOW, allow)));
    }
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
