//! The header `x-request-id`: the name under which client and server speak of one request.
//!
//! Invariant: every answer of the front door has one; the client's own is kept where it is plain.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::{
    hash::{BuildHasher, RandomState},
    sync::atomic::{AtomicU64, Ordering},
};

pub(crate) const NAME: HeaderName = HeaderName::from_static("x-request-id");
const LONGEST: usize = 128;

/// The names that one server gives.
pub(crate) struct RequestIds {
    /// Tells this start of the server from others.
    start: u64,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        // The standard library's hashers are seeded by the system at random.
        Self { start: RandomState::new().hash_one(()), next: AtomicU64::new(1) }
    }

    /// The client's own name for a request, or a new one.
    pub(crate) fn of(&self, headers: &HeaderMap) -> HeaderValue {
        let mut named = headers.get_all(NAME).iter();
        match (named.next(), named.next()) {
            (Some(own), None) if plain(own) => own.clone(),
            (Some(_) | None, _) => self.fresh(),
        }
    }

    fn fresh(&self) -> HeaderValue {
        let (start, number) = (self.start, self.next.fetch_add(1, Ordering::Relaxed));
        HeaderValue::from_str(&format!("{start:016x}-{number}"))
            .unwrap_or(HeaderValue::from_static("unnamed"))
    }
}

fn plain(value: &HeaderValue) -> bool {
    (1..=LONGEST).contains(&value.len()) && value.as_bytes().iter().all(u8::is_ascii_graphic)
}
