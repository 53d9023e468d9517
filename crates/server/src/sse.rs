//! Server-sent events as text.
//!
//! Invariant: no text can end its own field: line ends inside a field start a new line of the same field.
//! Absent here: what is sent.

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, Response, header},
};
use futures::{Stream, StreamExt};
use std::convert::Infallible;

/// An event with a name, and a number to go on from.
pub(crate) fn event(id: Option<u64>, name: &str, text: &str) -> Bytes {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    Bytes::from(format!("{id}event: {name}\n{}\n", lines("data: ", text)))
}

/// An event without a name.
pub(crate) fn data(text: &str) -> Bytes {
    Bytes::from(format!("{}\n", lines("data: ", text)))
}

/// A line that readers pass over; it keeps the connection in use.
pub(crate) fn comment(text: &str) -> Bytes {
    Bytes::from(format!("{}\n", lines(": ", text)))
}

/// How long to wait before connecting again, in milliseconds.
pub(crate) fn retry(milliseconds: u32) -> Bytes {
    Bytes::from(format!("retry: {milliseconds}\n\n"))
}

fn lines(field: &str, text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(|line| format!("{field}{line}\n")).collect()
}

/// An answer that goes on.
pub(crate) fn response(parts: impl Stream<Item = Bytes> + Send + 'static) -> Response<Body> {
    let body = Body::from_stream(parts.map(Ok::<_, Infallible>));
    let mut response = Response::new(body);
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_its_number_name_and_lines() {
        assert_eq!(event(Some(7), "asked", "a\r\nb"), "id: 7\nevent: asked\ndata: a\ndata: b\n\n");
        assert_eq!(event(None, "end", "{}"), "event: end\ndata: {}\n\n");
    }

    #[test]
    fn no_text_leaves_its_field() {
        assert_eq!(
            event(None, "a\ndata: x", "y\n\nid: 9"),
            "event: adata: x\ndata: y\ndata: \ndata: id: 9\n\n"
        );
        assert_eq!(comment("a\rb"), ": a\n: b\n\n");
        assert_eq!(data("{}"), "data: {}\n\n");
    }
}
