//! How many requests and event streams there are at once.
//!
//! Invariant: a place is given back when its request is answered or its client has gone, whichever is first.
//! Absent here: waiting for a place. What has none is told so.

use crate::{
    app::App,
    limits::Limits,
    problem::{Kind, Problem},
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::Response,
    middleware::Next,
};
use std::{sync::Arc, time::Duration};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places of one server.
pub(crate) struct Rooms {
    requests: Room,
    streams: Room,
}

struct Room {
    size: usize,
    free: Arc<Semaphore>,
}

impl Rooms {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { requests: Room::new(limits.requests), streams: Room::new(limits.streams) }
    }

    /// A place for a stream, kept as long as it is held.
    pub(crate) fn stream(&self) -> Result<OwnedSemaphorePermit, Problem> {
        self.streams.enter("event streams")
    }

    /// Requests and streams that are there now.
    pub(crate) fn taken(&self) -> (usize, usize) {
        (self.requests.taken(), self.streams.taken())
    }
}

impl Room {
    fn new(size: usize) -> Self {
        let size = size.min(Semaphore::MAX_PERMITS);
        Self { size, free: Arc::new(Semaphore::new(size)) }
    }

    fn enter(&self, whats: &str) -> Result<OwnedSemaphorePermit, Problem> {
        self.free.clone().try_acquire_owned().map_err(|_| {
            let detail = format!("there are {} {whats} already", self.size);
            Problem::new(Kind::TooBusy, detail).retry_after(Duration::from_secs(1))
        })
    }

    fn taken(&self) -> usize {
        self.size - self.free.available_permits()
    }
}

/// Answers a request if there is a place for it.
pub(crate) async fn enter(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response<Body>, Problem> {
    let _place = app.rooms.requests.enter("requests")?;
    Ok(next.run(request).await)
}
