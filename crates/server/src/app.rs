//! All routes, and what their handlers share.
//!
//! Invariant: every request passes the front door before it meets a route.

use crate::{
    chat,
    desk::Desk,
    docs_page, events, front, health,
    hosts::Hosts,
    limits::Limits,
    metrics::{self, Metrics},
    models, openapi,
    problem::{Kind, Problem},
    request_id::RequestIds,
    rooms::{self, Rooms},
    runs, solve,
    token::Token,
};
use axum::{
    Router,
    http::{Method, Uri},
    middleware::from_fn_with_state,
    routing::{get, post},
};
use std::{net::SocketAddr, ops::Deref, sync::Arc};
use tokio_util::sync::CancellationToken;

/// One server's state, shared by all its requests.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

/// What a request may need.
pub(crate) struct Shared {
    pub(crate) desk: Arc<dyn Desk>,
    pub(crate) limits: Limits,
    pub(crate) hosts: Hosts,
    pub(crate) token: Option<Token>,
    pub(crate) rooms: Rooms,
    pub(crate) metrics: Metrics,
    pub(crate) request_ids: RequestIds,
    /// Cancelled when the server starts to stop.
    pub(crate) stop: CancellationToken,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    /// The state of a server that is bound to this address.
    pub(crate) fn new(
        desk: Arc<dyn Desk>,
        bound: SocketAddr,
        config: &crate::Config,
        stop: CancellationToken,
    ) -> Self {
        Self(Arc::new(Shared {
            desk,
            limits: config.limits.clone(),
            hosts: Hosts::new(bound, &config.hosts),
            token: config.token.clone(),
            rooms: Rooms::new(&config.limits),
            metrics: Metrics::new(),
            request_ids: RequestIds::new(),
            stop,
        }))
    }

    /// All routes behind the front door.
    pub(crate) fn router(self) -> Router {
        let counted = Router::new()
            .route("/v1/solve", post(solve::solve))
            .route("/solve", post(solve::solve))
            .route("/v1/chat/completions", post(chat::complete))
            .route("/v1/models", get(models::list))
            .route("/v1/models/{*id}", get(models::one))
            .route("/v1/runs", get(runs::list))
            .route("/v1/runs/{id}", get(runs::one))
            .route("/v1/runs/{id}/record", get(runs::record))
            .route_layer(from_fn_with_state(self.clone(), rooms::enter));
        Router::new()
            .merge(counted)
            .route("/v1/runs/{id}/events", get(events::events))
            .route("/healthz", get(health::alive))
            .route("/readyz", get(health::ready))
            .route("/metrics", get(metrics::metrics))
            .route("/openapi.json", get(openapi::document))
            .route("/docs", get(docs_page::page))
            .fallback(nothing_here)
            .method_not_allowed_fallback(other_method)
            .layer(from_fn_with_state(self.clone(), front::door))
            .with_state(self)
    }
}

async fn nothing_here(uri: Uri) -> Problem {
    Problem::new(Kind::NotFound, format!("no route has the path {:?}", uri.path()))
}

async fn other_method(method: Method, uri: Uri) -> Problem {
    let detail = format!("{:?} does not know the method {method}", uri.path());
    Problem::new(Kind::MethodNotAllowed, detail)
}
