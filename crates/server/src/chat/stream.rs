//! The answer to a chat, in chunks.
//!
//! Invariant: the pieces put together are the whole answer; the last line is `[DONE]` or an error.
//! Absent here: text before the run is decided: an answer that was not criticised yet is none.

use super::{
    ChatError, StreamOptions,
    completion::{Extra, TokenUse, created, finish_reason, id},
};
use crate::{
    app::App,
    desk::Answer,
    models::SOLVE,
    problem::{Kind, Problem},
    sse::{self, Event},
    waiting,
};
use axum::body::Bytes;
use futures::{FutureExt, Stream, StreamExt, future::BoxFuture, stream};
use redraft_loop::RunId;
use serde::Serialize;
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

/// How many characters a piece has at most.
const PIECE: usize = 64;

#[derive(Serialize)]
struct Chunk<'a> {
    id: &'a str,
    object: &'static str,
    created: i64,
    model: &'static str,
    choices: Vec<Change<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<TokenUse>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redraft: Option<Extra>,
}

#[derive(Serialize)]
struct Change<'a> {
    index: u32,
    delta: Delta<'a>,
    finish_reason: Option<&'static str>,
    logprobs: Option<()>,
}

#[derive(Default, Serialize)]
struct Delta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
}

#[derive(Serialize)]
struct Broken {
    error: ChatError,
}

/// Comments until the run is decided, then its answer.
pub(super) fn parts(
    app: App,
    run: RunId,
    options: StreamOptions,
    ignored: Vec<String>,
    place: OwnedSemaphorePermit,
) -> impl Stream<Item = Bytes> + Send + 'static {
    let heartbeat = app.limits.heartbeat;
    let waiting: BoxFuture<'static, _> = async move {
        let _place = place;
        waiting::answer(&app, &run).await
    }
    .boxed();
    let steps = stream::unfold(Some(waiting), move |waiting| async move {
        let mut waiting = waiting?;
        match timeout(heartbeat, &mut waiting).await {
            Err(_) => Some((Step::Waiting, Some(waiting))),
            Ok(answer) => Some((Step::Answered(Box::new(answer)), None)),
        }
    });
    steps.flat_map(move |step| {
        stream::iter(match step {
            Step::Waiting => vec![sse::comment("the solver works")],
            Step::Answered(answer) => match *answer {
                Ok(answer) => chunks(&answer, options, ignored.clone()),
                Err(problem) => vec![broken(&problem)],
            },
        })
    })
}

enum Step {
    Waiting,
    Answered(Box<Result<Answer, Problem>>),
}

fn chunks(answer: &Answer, options: StreamOptions, ignored: Vec<String>) -> Vec<Bytes> {
    let (id, created) = (id(answer), created(answer));
    let chunk = |choices, usage, redraft| {
        let object = "chat.completion.chunk";
        sse_json(&Chunk { id: &id, object, created, model: SOLVE, choices, usage, redraft })
    };
    let change =
        |delta, finish_reason| vec![Change { index: 0, delta, finish_reason, logprobs: None }];
    let role = Delta { role: Some("assistant"), content: Some("") };
    let mut all = vec![chunk(change(role, None), None, None)];
    for piece in pieces(&answer.final_answer) {
        all.push(chunk(change(Delta { role: None, content: Some(piece) }, None), None, None));
    }
    let extra = Extra::new(answer, ignored);
    all.push(chunk(change(Delta::default(), Some(finish_reason(answer))), None, Some(extra)));
    if options.include_usage == Some(true) {
        all.push(chunk(vec![], Some(answer.tokens.into()), None));
    }
    all.push(Event::plain("[DONE]").bytes());
    all
}

/// The text in pieces of at most so many characters, cut between characters.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(PIECE).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

fn broken(problem: &Problem) -> Bytes {
    let error = problem.body("/v1/chat/completions").error;
    sse_json(&Broken { error: error.unwrap_or_else(|| ChatError::new(Kind::Internal, "")) })
}

/// Our own types always are JSON.
fn sse_json(value: &impl Serialize) -> Bytes {
    Event::plain(serde_json::to_string(value).unwrap_or_default()).bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_put_together_are_the_text() {
        for text in ["", "x", &"ä€🎉".repeat(50), &"a".repeat(PIECE), &"a".repeat(PIECE + 1)] {
            let all: Vec<_> = pieces(text).collect();
            assert_eq!(all.concat(), *text);
            assert_eq!(all.len(), text.chars().count().div_ceil(PIECE));
        }
    }
}
