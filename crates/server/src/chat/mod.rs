//! `POST /v1/chat/completions`: the solver for clients that speak the OpenAI protocol.
//!
//! Invariant: a chat is a solve request like any other, with a run and a record; nothing that was sent is passed
//! over in silence: what has no meaning here is named in `redraft.ignored`, what would change the answer is refused.
//! Absent here: memory of earlier chats. A client sends all of a chat every time.

mod completion;
mod message;
mod request;
mod stream;

pub(crate) use completion::ChatError;

use crate::{
    api::ProblemBody,
    app::App,
    body::Posted,
    problem::Problem,
    solve::json,
    sse::{self, Event},
    waiting,
};
use axum::{
    body::Body,
    extract::State,
    http::{Response, StatusCode},
};
pub(crate) use completion::{Choice, Completion, Extra, Spoken, TokenUse};
pub(crate) use message::{Message, Speaker};
pub(crate) use request::{ChatRequest, Form, SchemaForm, StreamOptions};

/// Answers a chat.
///
/// The last message of the user is the question; messages before it are the context; messages of the system or the
/// developer are constraints, each word for word, because they are what the answer has to keep to.
/// `response_format` is the form of the answer. The answer's text ends with its assumptions and known issues; the
/// field `redraft` has them apart. A budget that cut the answer short gives `finish_reason` `length`. With `stream`,
/// comments come until the answer is there, then the chunks.
#[utoipa::path(
    post, path = "/v1/chat/completions", operation_id = "complete_chat", tag = "chat",
    request_body = ChatRequest,
    params(
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$",
            description = "As at `/v1/solve`."),
    ),
    responses(
        (status = 200, description = "The answer, whole or in chunks.",
            content((Completion = "application/json"), (Event = "text/event-stream"))),
        (status = "default", body = ProblemBody, content_type = "application/problem+json",
            description = "A problem; its `error` is what clients of the protocol look for."),
    ),
)]
pub(crate) async fn complete(
    State(app): State<App>,
    posted: Posted,
) -> Result<Response<Body>, Problem> {
    let chat = request::Chat::read(posted.json)?;
    let stream = match chat.stream {
        Some(options) => Some((options, app.rooms.stream()?)),
        None => None,
    };
    let opened = waiting::open(&app, chat.solve, posted.key).await?;
    let response = match stream {
        Some((options, place)) => {
            let run = opened.run.clone();
            sse::response(stream::parts(app, run, options, chat.ignored, place))
        }
        None => {
            let answer = waiting::answer(&app, &opened.run).await?;
            json(StatusCode::OK, &Completion::new(answer, chat.ignored))
        }
    };
    Ok(waiting::marked(response, &opened))
}
