//! Who is let in: the size of a request's head, its Host, its Origin, its token, in this order.
//!
//! Invariant: the checks know no routes, but for the open ones, which need no token and hold nothing of anybody.
//! Absent here: limits of bodies, which are read later.

use crate::{
    app::App,
    problem::{Kind, Problem},
};
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, header},
};

/// Asked by programs that watch servers and by browsers, neither of which have a token: they tell what every server of
/// this version tells. Host and Origin are checked here too.
pub(crate) const OPEN: [&str; 4] = ["/healthz", "/readyz", "/openapi.json", "/docs"];

/// Whether a request may go on.
pub(crate) fn admit(app: &App, request: &Request) -> Result<(), Problem> {
    small_enough(app, request)?;
    host(app, request)?;
    origin(app, request.headers())?;
    if OPEN.contains(&request.uri().path()) { Ok(()) } else { token(app, request.headers()) }
}

/// hyper has bounds of its own above these, and answers without a document there.
fn small_enough(app: &App, request: &Request) -> Result<(), Problem> {
    let limits = &app.limits;
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    if path > limits.header_bytes {
        let detail = format!("path and query have at most {} bytes", limits.header_bytes);
        return Err(Problem::new(Kind::UriTooLong, detail));
    }
    let headers = request.headers();
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if headers.len() > limits.headers || path + bytes > limits.header_bytes {
        let (count, most) = (limits.headers, limits.header_bytes);
        let detail = format!("a request has at most {count} headers and {most} bytes of them");
        return Err(Problem::new(Kind::HeadersTooLarge, detail));
    }
    Ok(())
}

/// The name in the request line, where there is one, counts as well as the one in the header.
fn host(app: &App, request: &Request) -> Result<(), Problem> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let (Some(host), None) = (named.next(), named.next()) else {
        return Err(Problem::new(Kind::BadRequest, "a request has one header Host"));
    };
    let known = |name: &str| app.hosts.know(name);
    let line = request.uri().authority().is_none_or(|authority| known(authority.as_str()));
    if line && host.to_str().is_ok_and(known) {
        return Ok(());
    }
    Err(Problem::new(Kind::ForeignHost, "this server does not answer for the host in the request"))
}

fn origin(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    let known =
        |origin: &HeaderValue| origin.to_str().is_ok_and(|text| app.hosts.know_origin(text));
    if headers.get_all(header::ORIGIN).iter().all(known) {
        return Ok(());
    }
    Err(Problem::new(Kind::ForeignOrigin, "this server does not answer pages of this origin"))
}

fn token(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    let Some(token) = &app.token else { return Ok(()) };
    match headers.get(header::AUTHORIZATION).map(bearer) {
        Some(Some(offered)) if token.is(offered) => Ok(()),
        Some(_) => Err(unauthorized("this is not the token", INVALID)),
        None => Err(unauthorized("the request has no token", MISSING)),
    }
}

const MISSING: HeaderValue = HeaderValue::from_static("Bearer realm=\"redraft\"");
const INVALID: HeaderValue =
    HeaderValue::from_static("Bearer realm=\"redraft\", error=\"invalid_token\"");

fn unauthorized(detail: &str, challenge: HeaderValue) -> Problem {
    Problem::new(Kind::Unauthorized, detail).with(header::WWW_AUTHENTICATE, challenge)
}

fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token)
}
