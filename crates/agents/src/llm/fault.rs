//! Everything that can go wrong with a call, and what follows from it.
//!
//! Invariant: a message says what happened and what helps. No message holds a key, even if the server sent it back.
//! Absent here: retries.

use super::{
    KeyError,
    reply::{End, Finish},
    told::Told,
    unreached::Unreached,
};
use redraft_engine::AttemptError;
use redraft_loop::{Failure, Usage};
use reqwest::StatusCode;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("{0}")]
    Key(#[from] KeyError),
    #[error("the request cannot be made: {0}")]
    Request(String),
    #[error("{server} cannot be reached: {cause}")]
    Unreached { server: String, cause: String, why: Unreached },
    #[error("the connection broke: {0}")]
    Broken(String),
    #[error("the reply stalled: nothing came for {} s", .0.as_secs_f64())]
    Silent(Duration),
    #[error(
        "the server redirects{0}; redirects are not followed: set base_url to where the model is served"
    )]
    Redirected(String),
    #[error("{}{}", Refused::title(.0), Refused::hint(.0))]
    Refused(Refused),
    #[error("the server reports an error: {0}")]
    Told(Told),
    #[error("the server answers with {got}, not {wanted}; check base_url")]
    OtherType { wanted: &'static str, got: String },
    #[error("the {what} is longer than {limit} bytes")]
    TooLong { what: &'static str, limit: usize },
    #[error("the reply cannot be read: {0}")]
    Unreadable(String),
    #[error("the reply has no {0}")]
    Missing(&'static str),
    #[error("the reply was cut off before its end")]
    Cut,
    #[error("{}", ended(.0))]
    Ended(Finish),
    #[error("the model refuses: {0}")]
    Refusal(String),
    #[error("the reply is empty")]
    Empty,
    #[error("the server sent the key back in its reply, which is not kept")]
    Echo,
}

/// A status that is no success.
#[derive(Debug)]
pub(super) struct Refused {
    /// The status.
    pub status: StatusCode,
    /// What the body tells.
    pub told: Option<Told>,
    /// How long the headers or the body ask to wait.
    pub retry_after: Option<Duration>,
    /// Whether the form of the reply was sent along.
    pub form: bool,
}

impl Refused {
    fn title(&self) -> String {
        let status = self.status;
        self.told.as_ref().map_or_else(|| status.to_string(), |told| format!("{status}: {told}"))
    }

    fn hint(&self) -> &'static str {
        match self.status.as_u16() {
            400 | 422 if self.names_the_form() => {
                "; the server does not take the form of the reply: set json_schema = false for this model"
            }
            _ if self.is_about_the_key() => "; check the key",
            404 => "; check model and base_url",
            _ => "",
        }
    }

    /// Whether the key is refused. Gemini calls a wrong key a wrong request.
    pub(super) fn is_about_the_key(&self) -> bool {
        let invalid = |told: &Told| told.is_named(&["api_key_invalid"]);
        match self.status.as_u16() {
            401 | 403 => true,
            400 => self.told.as_ref().is_some_and(invalid),
            _ => false,
        }
    }

    fn names_the_form(&self) -> bool {
        self.form && self.told.as_ref().is_some_and(|told| told.speaks_of(&FORM))
    }

    /// A quota that was used up does not come back with waiting.
    fn failure(&self) -> Failure {
        let spent = self.told.as_ref().is_some_and(|told| told.is_named(&["insufficient_quota"]));
        match self.status.as_u16() {
            429 if spent => Failure::Permanent,
            408 | 425 | 429 | 500.. => Failure::Transient,
            _ => Failure::Permanent,
        }
    }

    /// Whether the server says that it did nothing: it did not take the request. Behind every other status a model
    /// may have worked, as behind 408 and 499 when a proxy gave up on it.
    fn is_before_work(&self) -> bool {
        matches!(self.status.as_u16(), 400 | 401 | 403..=405 | 413 | 415 | 422 | 429)
    }
}

/// How servers name the part of a request that asks for a form.
const FORM: [&str; 8] = [
    "response_format",
    "json_schema",
    "responsejsonschema",
    "response_json_schema",
    "response_schema",
    "tool_choice",
    "input_schema",
    "schema",
];

/// How servers name errors that pass.
const PASSING: [&str; 16] = [
    "overloaded",
    "rate_limit",
    "server_error",
    "api_error",
    "internal",
    "timeout",
    "unavailable",
    "resource_exhausted",
    "deadline_exceeded",
    "aborted",
    "408",
    "429",
    "500",
    "502",
    "503",
    "504",
];

/// How servers name errors that stay.
const STAYING: [&str; 14] = [
    "invalid",
    "authentication",
    "permission",
    "not_found",
    "billing",
    "insufficient_quota",
    "request_too_large",
    "failed_precondition",
    "unauthenticated",
    "400",
    "401",
    "403",
    "404",
    "content",
];

impl Fault {
    /// A failure before anything was sent.
    pub(super) fn making(error: reqwest::Error) -> Self {
        Self::Request(causes(&error.without_url()))
    }

    /// A failure while the request was sent or its headers were awaited.
    pub(super) fn sending(server: &str, error: reqwest::Error) -> Self {
        let error = error.without_url();
        if error.is_builder() {
            return Self::making(error);
        }
        if !error.is_connect() {
            return Self::broken(error);
        }
        let (cause, why) = (causes(&error), Unreached::of(&error));
        Self::Unreached { server: server.to_owned(), cause, why }
    }

    /// A failure while the body came.
    pub(super) fn broken(error: reqwest::Error) -> Self {
        Self::Broken(causes(&error.without_url()))
    }

    fn failure(&self) -> Failure {
        match self {
            Self::Refused(refused) => refused.failure(),
            Self::Told(told) if told.is_named(&PASSING) => Failure::Transient,
            Self::Told(told) if told.is_named(&STAYING) => Failure::Permanent,
            Self::Told(_)
            | Self::Unreached {
                why:
                    Unreached::Tls
                    | Unreached::NoName
                    | Unreached::Closed
                    | Unreached::Late
                    | Unreached::Other,
                ..
            }
            | Self::Broken(_)
            | Self::Silent(_)
            | Self::Unreadable(_)
            | Self::Missing(_)
            | Self::Cut
            | Self::Ended(Finish { end: End::Complete | End::Other, .. })
            | Self::Empty => Failure::Transient,
            Self::Key(_)
            | Self::Request(_)
            | Self::Unreached { why: Unreached::Certificate, .. }
            | Self::Redirected(_)
            | Self::OtherType { .. }
            | Self::TooLong { .. }
            | Self::Ended(Finish { end: End::Length | End::Filter, .. })
            | Self::Refusal(_)
            | Self::Echo => Failure::Permanent,
        }
    }

    /// Whether no model can have worked for this call.
    fn is_before_work(&self) -> bool {
        match self {
            Self::Key(_) | Self::Request(_) | Self::Unreached { .. } | Self::Redirected(_) => true,
            Self::Refused(refused) => refused.is_before_work(),
            Self::Broken(_)
            | Self::Silent(_)
            | Self::Told(_)
            | Self::OtherType { .. }
            | Self::TooLong { .. }
            | Self::Unreadable(_)
            | Self::Missing(_)
            | Self::Cut
            | Self::Ended(_)
            | Self::Refusal(_)
            | Self::Empty
            | Self::Echo => false,
        }
    }

    /// Whether no request has left.
    fn is_before_sending(&self) -> bool {
        matches!(self, Self::Key(_) | Self::Request(_) | Self::Unreached { .. })
    }

    /// The failed attempt, told about a model. Where no model worked, nothing was used; else nothing is known yet.
    pub(super) fn attempt(&self, model: &str, key: Option<&SecretString>) -> AttemptError {
        let mut attempt =
            AttemptError::new(self.failure(), clean(&format!("{model}: {self}"), key));
        if let Self::Refused(Refused { retry_after, .. }) | Self::Told(Told { retry_after, .. }) =
            self
        {
            attempt.retry_after = *retry_after;
        }
        if self.is_before_sending() {
            return attempt.before_it_left();
        }
        if self.is_before_work() {
            (attempt.usage, attempt.cost) = (Some(Usage::default()), Some(0));
        }
        attempt
    }
}

fn ended(finish: &Finish) -> String {
    let Finish { word, end } = finish;
    match end {
        End::Length => {
            format!("the reply was cut off at its longest ({word}): raise max_output_tokens")
        }
        End::Filter => format!("the reply was held back by a filter ({word})"),
        End::Complete | End::Other => format!("the reply ended early ({word})"),
    }
}

/// An error with all its causes, each once.
fn causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        next = cause.source();
    }
    message
}

/// The longest message, in characters.
const LONGEST: usize = 600;

/// A text of the other side as it may stand in messages: without the key, on one line, not too long.
pub(super) fn clean(text: &str, key: Option<&SecretString>) -> String {
    let text = match key {
        Some(key) => text.replace(key.expose_secret(), "[key]"),
        None => text.to_owned(),
    };
    let line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut line: String = line.take(LONGEST + 1).collect();
    if let Some((cut, _)) = line.char_indices().nth(LONGEST) {
        line.replace_range(cut.., "…");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_no_key_no_line_breaks_and_an_end() {
        let key = SecretString::from("sk-canary");
        let text = format!("bad key sk-canary\u{1b}[2J\n{}", "ä".repeat(2_000));
        let shown = clean(&text, Some(&key));
        assert!(shown.starts_with("bad key [key] [2J ä"), "{shown}");
        assert_eq!(shown.chars().count(), LONGEST + 1);
        assert_eq!(clean("short", None), "short");
    }

    #[test]
    fn an_error_event_passes_or_stays_as_its_name_says() {
        let failure = |error: &str| {
            Fault::Told(Told::in_field(serde_json::from_str(error).unwrap())).failure()
        };
        let passing = r#"{"type": "overloaded_error", "message": "Overloaded"}"#;
        let staying = r#"{"code": 400, "status": "INVALID_ARGUMENT", "message": "no"}"#;
        assert_eq!(failure(passing), Failure::Transient);
        assert_eq!(failure(staying), Failure::Permanent);
        assert_eq!(failure("\"model runner has unexpectedly stopped\""), Failure::Transient);
        assert_eq!(failure("{}"), Failure::Transient);
    }
}
