//! One request and its reply over the network.
//!
//! Invariant: memory is bounded whatever the server sends. Dropping the future closes the connection, unless the
//! reply had come to its end; then the connection is kept for the next call.
//! Absent here: protocols, keys' sources, and the deadline of a call.

use super::{
    endpoint::origin,
    fault::{Fault, Refused},
    frames::{Frames, Framing},
    protocol::{Progress, Protocol},
    reply::Reply,
    retry_after,
    told::{self, Told},
};
use jiff::Timestamp;
use reqwest::{
    Response, StatusCode, Url,
    header::{CONTENT_TYPE, LOCATION},
};
use std::{ops::Deref, time::Duration};
use tokio::time::timeout;

/// The longest body that is one document, in bytes.
const LONGEST_BODY: usize = 4 * 1024 * 1024;
/// The longest stream, framing and comments included.
const LONGEST_STREAM: usize = 128 * 1024 * 1024;
/// How long the body of an error may take; without it, the status must do.
const ERROR_PATIENCE: Duration = Duration::from_secs(2);
/// How long the end of a body may take when its last event has come, for the connection to be kept.
const END_PATIENCE: Duration = Duration::from_millis(100);

/// Refuses a response that is no success.
pub(super) async fn accept(mut response: Response, form: bool) -> Result<Response, Fault> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
        return Err(Fault::Redirected(target(&response)));
    }
    let asked_for = retry_after::asked_for(response.headers(), Timestamp::now());
    let told = told(&mut response).await;
    let retry_after = asked_for.or(told.as_ref().and_then(|told| told.retry_after));
    Err(Fault::Refused(Refused { status, told, retry_after, form }))
}

/// Where a redirect leads, without what may be secret in it.
fn target(response: &Response) -> String {
    let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    let url: Option<Url> = location.and_then(|location| response.url().join(location).ok());
    url.map_or_else(String::new, |url| format!(" to {}", origin(&url)))
}

/// Reads a reply that comes as one document.
pub(super) async fn whole(
    response: &mut Response,
    protocol: &dyn Protocol,
    reply: &mut Reply,
) -> Result<(), Fault> {
    expect(response, JSON)?;
    protocol.whole(&body(response, LONGEST_BODY).await?, reply)
}

/// Reads a reply that was asked for in pieces. A server that cannot stream gives a document instead, which is as
/// complete.
pub(super) async fn stream(
    response: &mut Response,
    protocol: &dyn Protocol,
    silence: Duration,
    reply: &mut Reply,
) -> Result<(), Fault> {
    if has_type(response, JSON) {
        return whole(response, protocol, reply).await;
    }
    expect(response, content_type(protocol.framing()))?;
    let mut frames = Frames::new(protocol.framing());
    let mut length = 0;
    while let Some(piece) = piece(response, silence).await? {
        length += piece.len();
        for event in frames.push(&piece).map_err(|_| too_long("event", super::frames::LONGEST))? {
            if protocol.event(&event, reply)? == Progress::Done {
                finish(response).await;
                return Ok(());
            }
        }
        if length > LONGEST_STREAM {
            return Err(too_long("stream", LONGEST_STREAM));
        }
    }
    if protocol.ends_with_body() && reply.finish.is_some() { Ok(()) } else { Err(Fault::Cut) }
}

async fn piece(
    response: &mut Response,
    silence: Duration,
) -> Result<Option<impl Deref<Target = [u8]> + use<>>, Fault> {
    let piece = timeout(silence, response.chunk()).await.map_err(|_| Fault::Silent(silence))?;
    piece.map_err(Fault::broken)
}

/// Reads what is left of a body whose last event has come, so that its connection can be used again.
async fn finish(response: &mut Response) {
    let _ = timeout(END_PATIENCE, body(response, told::LONGEST)).await;
}

/// The error that a body tells of, where it comes soon and is not too long.
async fn told(response: &mut Response) -> Option<Told> {
    let body = timeout(ERROR_PATIENCE, body(response, told::LONGEST)).await;
    Told::in_body(&body.ok()?.ok()?)
}

/// Reads a body to its end, and no more of it than this.
pub(super) async fn body(response: &mut Response, longest: usize) -> Result<Vec<u8>, Fault> {
    if response.content_length().is_some_and(|length| length > longest as u64) {
        return Err(too_long("body", longest));
    }
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(Fault::broken)? {
        if body.len() + piece.len() > longest {
            return Err(too_long("body", longest));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

fn too_long(what: &'static str, limit: usize) -> Fault {
    Fault::TooLong { what, limit }
}

const JSON: &str = "application/json";

fn content_type(framing: Framing) -> &'static str {
    match framing {
        Framing::Events => "text/event-stream",
        Framing::Lines => "application/x-ndjson",
    }
}

/// Refuses a body of another type.
fn expect(response: &Response, wanted: &'static str) -> Result<(), Fault> {
    if has_type(response, wanted) {
        return Ok(());
    }
    let header = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let got = header.map_or_else(|| "no content type".to_owned(), str::to_owned);
    Err(Fault::OtherType { wanted, got })
}

/// Whether the body is of this type, whatever its parameters.
fn has_type(response: &Response, wanted: &str) -> bool {
    let header = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let bare = header.and_then(|header| header.split(';').next()).unwrap_or_default();
    bare.trim().eq_ignore_ascii_case(wanted)
}

/// A list of models, as one document.
pub(super) async fn document(response: &mut Response) -> Result<Vec<u8>, Fault> {
    expect(response, JSON)?;
    body(response, LONGEST_BODY).await
}
