//! Everything that can be wrong with a request or its answer, as RFC 9457 documents.
//!
//! Invariant: every answer above 399 is one of these; its type leads to the line that explains it in `/docs`.
//! Absent here: deciding what is wrong.

mod kind;

pub use kind::Kind;

use crate::{api::ProblemBody, chat::ChatError, desk::DeskError};
use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
};
use std::time::Duration;

/// The media type of problem documents.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// Where clients of the OpenAI protocol ask.
const CHAT: [&str; 2] = ["/v1/chat/", "/v1/models"];

/// Tells OpenAI's clients not to send a request again by themselves, as they do after statuses above 499.
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");

/// One problem on its way to the client.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    kind: Kind,
    detail: String,
    /// JSON pointer into the request's body.
    pointer: Option<String>,
    /// The path of what it is about; the request's own path where there is none.
    instance: Option<String>,
    code: u8,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { kind, detail, pointer: None, instance: None, code: kind.code(), headers: vec![] }
    }

    /// With the place in the body.
    pub(crate) fn at(self, pointer: impl Into<String>) -> Self {
        Self { pointer: Some(pointer.into()), ..self }
    }

    /// With the path of the run that it is about. The run is kept: the same request would open a second one.
    pub(crate) fn about(self, run: &redraft_loop::RunId) -> Self {
        let kept = Self { instance: Some(format!("/v1/runs/{run}")), ..self };
        kept.with(SHOULD_RETRY, HeaderValue::from_static("false"))
    }

    pub(crate) fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    pub(crate) fn retry_after(self, wait: Duration) -> Self {
        // At least a second: 0 would mean at once.
        self.with(header::RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)))
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The document. Clients of the OpenAI protocol look for its `error`.
    pub(crate) fn body(&self, path: &str) -> ProblemBody {
        ProblemBody {
            r#type: self.kind.uri(),
            title: self.kind.title().to_owned(),
            status: self.kind.status(),
            detail: self.detail.clone(),
            instance: self.instance.clone().unwrap_or_else(|| path.to_owned()),
            code: self.code,
            pointer: self.pointer.clone(),
            error: CHAT
                .iter()
                .any(|start| path.starts_with(start))
                .then(|| ChatError::new(self.kind, &self.detail)),
        }
    }

    /// The answer to a request of this path.
    pub(crate) fn answer(&self, path: &str) -> Response<Body> {
        let text = serde_json::to_vec(&self.body(path)).unwrap_or_default();
        let mut response = Response::new(Body::from(text));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.extend(self.headers.iter().cloned());
        response
    }
}

/// The path is not known here: the front door writes the document.
impl IntoResponse for Problem {
    fn into_response(self) -> Response<Body> {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<DeskError> for Problem {
    fn from(error: DeskError) -> Self {
        let said = error.to_string();
        match error {
            DeskError::NoSuchRun(_) => Self::new(Kind::NoSuchRun, said),
            DeskError::KeyReused { run } => Self::new(Kind::KeyReused, said).about(&run),
            DeskError::Busy { retry_after } => {
                Self::new(Kind::TooManyRuns, said).retry_after(retry_after)
            }
            DeskError::Refused(_) => Self::new(Kind::InvalidRequest, said),
            DeskError::Rests { run, exit_code, .. } => {
                let resting = Self::new(Kind::Rests, said).about(&run);
                Self { code: exit_code, ..resting }.retry_after(Duration::from_secs(5))
            }
            DeskError::Damaged { run, .. } => Self::new(Kind::Damaged, said).about(&run),
            DeskError::Unavailable(_) => {
                Self::new(Kind::Unavailable, said).retry_after(Duration::from_secs(5))
            }
        }
    }
}
