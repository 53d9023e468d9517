//! What one server takes on at once, as plain numbers.
//!
//! Absent here: caps on calls and money, which hold in the store.

use std::time::Duration;

/// The most constraints that a request may have.
pub const MAX_CONSTRAINTS: usize = 100_000;

/// Bounds of what clients can make the server hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Bytes of a request's path, query and headers.
    pub header_bytes: usize,
    /// Headers of a request.
    pub headers: usize,
    /// How long the head of a request may take to arrive, and then its body.
    pub read_time: Duration,
    /// How long a client may keep the server from sending; what it has taken starts the time anew.
    pub write_time: Duration,
    /// How long a client waits for an answer at most; the run goes on after it.
    pub answer_time: Duration,
    /// Requests under `/v1` that are answered at once, event streams aside.
    pub requests: usize,
    /// Event streams that are open at once.
    pub streams: usize,
    /// Connections that are open at once; further ones wait in the system's queue.
    pub connections: usize,
    /// How long an event stream may be silent.
    pub heartbeat: Duration,
    /// How long answers may take to finish when the server stops.
    pub grace: Duration,
}

impl Limits {
    /// What a small machine carries: answers within the 300 seconds of a run, a thousand readers, 2 MiB a request.
    pub const STANDARD: Self = Self {
        body_bytes: 2 * 1024 * 1024,
        header_bytes: 32 * 1024,
        headers: 64,
        read_time: Duration::from_secs(30),
        write_time: Duration::from_secs(30),
        answer_time: Duration::from_secs(330),
        requests: 1_024,
        streams: 1_024,
        connections: 4_096,
        heartbeat: Duration::from_secs(15),
        grace: Duration::from_secs(10),
    };
}
