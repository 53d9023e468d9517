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
use utoipa::ToSchema;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, ToSchema)]
pub(crate) struct Event {
    /// What to go on from, if it can be gone on from.
    #[schema(nullable = false)]
    id: Option<String>,
    /// Its name, if it has one.
    #[schema(nullable = false)]
    event: Option<String>,
    /// What it says.
    data: String,
}

impl Event {
    /// An event without a name.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self { id: None, event: None, data: text.into() }
    }

    /// An event with a name.
    pub(crate) fn named(name: &str, text: impl Into<String>) -> Self {
        let name = name.chars().filter(|c| !c.is_control()).collect();
        Self { event: Some(name), ..Self::plain(text) }
    }

    /// With a number to go on from.
    pub(crate) fn numbered(self, id: u64) -> Self {
        Self { id: Some(id.to_string()), ..self }
    }

    /// As it is sent.
    pub(crate) fn bytes(&self) -> Bytes {
        let field = |name: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!("{name}: {value}\n")).unwrap_or_default()
        };
        let (id, event) = (field("id", &self.id), field("event", &self.event));
        Bytes::from(format!("{id}{event}{}\n", lines("data: ", &self.data)))
    }
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
        let asked = Event::named("asked", "a\r\nb").numbered(7);
        assert_eq!(asked.bytes(), "id: 7\nevent: asked\ndata: a\ndata: b\n\n");
        assert_eq!(Event::named("end", "{}").bytes(), "event: end\ndata: {}\n\n");
        assert_eq!(Event::plain("{}").bytes(), "data: {}\n\n");
    }

    #[test]
    fn no_text_leaves_its_field() {
        let forged = Event::named("a\ndata: x", "y\n\nid: 9");
        assert_eq!(forged.bytes(), "event: adata: x\ndata: y\ndata: \ndata: id: 9\n\n");
        assert_eq!(comment("a\rb"), ": a\n: b\n\n");
    }
}
