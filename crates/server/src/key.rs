//! The header `Idempotency-Key`.
//!
//! Invariant: a key stands for a body byte for byte, whatever the route and the other headers.
//! Absent here: where keys are kept; that is the desk's.

use crate::{
    desk::Key,
    problem::{Kind, Problem},
};
use axum::http::HeaderMap;

const NAME: &str = "idempotency-key";
const LONGEST: usize = 255;

/// The request's key, if it has one.
pub(crate) fn key(headers: &HeaderMap, body: &[u8]) -> Result<Option<Key>, Problem> {
    let mut named = headers.get_all(NAME).iter();
    let Some(value) = named.next() else { return Ok(None) };
    let good = |text: &&str| {
        (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    match value.to_str().ok().filter(good).filter(|_| named.next().is_none()) {
        Some(name) => Ok(Some(Key { name: name.to_owned(), body: redraft_engine::sha256(body) })),
        None => {
            let detail =
                "an Idempotency-Key has 1 to 255 visible ASCII characters, and is sent once";
            Err(Problem::new(Kind::BadRequest, detail))
        }
    }
}
