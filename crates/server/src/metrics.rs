//! `/metrics`: what the server and the house count, as Prometheus reads it.
//!
//! Invariant: labels come from fixed sets, so that no client can make the page grow.
//! Absent here: anything about single runs.

use crate::{
    api::ProblemBody,
    app::App,
    desk::{Counter, CounterKind},
};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderValue, Method, Response, StatusCode, header},
};
use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{Mutex, PoisonError},
    time::Duration,
};

const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Upper bounds of the buckets of durations, in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 30.0, 300.0];

/// What this server has counted.
pub(crate) struct Metrics(Mutex<Counted>);

#[derive(Default)]
struct Counted {
    requests: BTreeMap<(&'static str, String, u16), u64>,
    durations: BTreeMap<String, Durations>,
}

#[derive(Default)]
struct Durations {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Counted::default()))
    }

    /// Counts one answer to a request of this route.
    pub(crate) fn count(&self, method: &Method, route: &str, status: StatusCode, took: Duration) {
        // Counting cannot leave half a number behind, so a panic elsewhere spoils nothing.
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (known(method), route.to_owned(), status.as_u16());
        *counted.requests.entry(key).or_default() += 1;
        let durations = counted.durations.entry(route.to_owned()).or_default();
        let seconds = took.as_secs_f64();
        for (bucket, bound) in durations.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(seconds <= bound);
        }
        durations.count += 1;
        durations.seconds += seconds;
    }

    fn text(&self) -> String {
        let counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut page = Page::default();
        page.head(
            "redraft_http_requests_total",
            "Answers, by method, route and status.",
            "counter",
        );
        for ((method, route, status), count) in &counted.requests {
            let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
            page.line("redraft_http_requests_total", &labels, count);
        }
        let name = "redraft_http_request_duration_seconds";
        page.head(name, "From the head of a request to the head of its answer.", "histogram");
        for (route, durations) in &counted.durations {
            page.durations(name, route, durations);
        }
        page.0
    }
}

/// Methods can be made up.
fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "POST" => "POST",
        "HEAD" => "HEAD",
        _ => "other",
    }
}

/// A page in the text format. Writing to a String cannot fail.
#[derive(Default)]
struct Page(String);

impl Page {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn line(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{name}{{{labels}}} {value}");
    }

    fn durations(&mut self, name: &str, route: &str, durations: &Durations) {
        for (count, bound) in durations.buckets.iter().zip(BOUNDS) {
            let labels = format!("route=\"{route}\",le=\"{bound}\"");
            self.line(&format!("{name}_bucket"), &labels, count);
        }
        let labels = format!("route=\"{route}\"");
        let all = format!("{labels},le=\"+Inf\"");
        self.line(&format!("{name}_bucket"), &all, durations.count);
        self.line(&format!("{name}_sum"), &labels, durations.seconds);
        self.line(&format!("{name}_count"), &labels, durations.count);
    }

    fn counter(&mut self, counter: &Counter) {
        let kind = match counter.kind {
            CounterKind::Counter => "counter",
            CounterKind::Gauge => "gauge",
        };
        self.head(counter.name, counter.help, kind);
        let _ = writeln!(self.0, "{} {}", counter.name, counter.value);
    }
}

/// Shows what the server and the house count.
#[utoipa::path(
    get, path = "/metrics", operation_id = "show_metrics", tag = "server",
    responses(
        (status = 200, body = String, content_type = "text/plain", description = "Prometheus text format 0.0.4."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn metrics(State(app): State<App>) -> Response<Body> {
    let mut page = Page(app.metrics.text());
    let (requests, streams) = app.rooms.taken();
    for (name, help, value) in [
        ("redraft_http_requests_now", "Requests under /v1 that are being answered.", requests),
        ("redraft_http_streams_now", "Event streams that are open.", streams),
    ] {
        let value = u64::try_from(value).unwrap_or(u64::MAX);
        page.counter(&Counter { name, help, kind: CounterKind::Gauge, value });
    }
    for counter in app.desk.counters().await {
        page.counter(&counter);
    }
    let mut response = Response::new(Body::from(page.0));
    let kind = HeaderValue::from_static(MEDIA_TYPE);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
