//! The answer to a chat, whole.
//!
//! Invariant: equal runs give equal completions: ids and times are the run's.

use crate::{
    desk::{Answer, TokenCount},
    models::SOLVE,
    problem::Kind,
};
use serde::Serialize;
use utoipa::{
    ToSchema,
    openapi::schema::{ObjectBuilder, Schema, Type},
};

/// The answer to a chat.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Completion {
    /// `chatcmpl-` and the run's id.
    pub(crate) id: String,
    /// Always `chat.completion`.
    pub(crate) object: &'static str,
    /// When the run was opened, in seconds since 1970.
    pub(crate) created: i64,
    /// Always `redraft/solve`.
    pub(crate) model: &'static str,
    /// One.
    pub(crate) choices: Vec<Choice>,
    /// Tokens of all calls of the run.
    pub(crate) usage: TokenUse,
    /// What the protocol has no fields for.
    pub(crate) redraft: Extra,
}

/// The one answer.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Choice {
    /// Always 0.
    pub(crate) index: u32,
    /// The answer.
    pub(crate) message: Spoken,
    /// `length` when a budget cut the run short, `stop` otherwise.
    pub(crate) finish_reason: &'static str,
    /// Always `null`.
    #[schema(schema_with = null, required = true)]
    pub(crate) logprobs: Option<()>,
}

/// What the assistant says.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Spoken {
    /// Always `assistant`.
    pub(crate) role: &'static str,
    /// The answer, with its assumptions and known issues unless its form is a machine's.
    pub(crate) content: String,
    /// Always `null`.
    #[schema(schema_with = null, required = true)]
    pub(crate) refusal: Option<()>,
}

/// Tokens of all calls of the run; 0 where no agent told.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct TokenUse {
    /// Sent to models.
    pub(crate) prompt_tokens: u64,
    /// Written by models.
    pub(crate) completion_tokens: u64,
    /// Both.
    pub(crate) total_tokens: u64,
}

/// What the protocol has no fields for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Extra {
    /// The run; `/v1/runs/{id}` has more.
    pub(crate) run_id: String,
    /// How the run ended, in one word.
    pub(crate) outcome: String,
    /// The command line's exit code for it.
    pub(crate) exit_code: u8,
    /// What the answer takes for granted.
    pub(crate) assumptions: Vec<String>,
    /// What is still wrong with it, blockers first.
    pub(crate) known_issues: Vec<String>,
    /// Fields of the request that had no effect; `messages/…` for one of a message.
    pub(crate) ignored: Vec<String>,
}

/// What clients of the protocol look for when something went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ChatError {
    /// What was wrong.
    pub(crate) message: String,
    /// `invalid_request_error` when the request was, `server_error` otherwise.
    pub(crate) r#type: &'static str,
    /// Always `null`; the problem's `pointer` has the place.
    #[schema(schema_with = null, required = true)]
    pub(crate) param: Option<()>,
    /// The end of the problem's type.
    pub(crate) code: &'static str,
}

/// What the protocol has a field for and the solver has not.
fn null() -> Schema {
    ObjectBuilder::new().schema_type(Type::Null).description(Some("Always `null`.")).into()
}

impl ChatError {
    pub(crate) fn new(kind: Kind, detail: &str) -> Self {
        let asked = kind.status() < 500;
        let r#type = if asked { "invalid_request_error" } else { "server_error" };
        Self { message: detail.to_owned(), r#type, param: None, code: kind.slug() }
    }
}

impl Completion {
    pub(crate) fn new(answer: Answer, ignored: Vec<String>) -> Self {
        let redraft = Extra::new(&answer, ignored);
        let (id, created) = (id(&answer), created(&answer));
        let (usage, finish_reason) = (TokenUse::from(answer.tokens), finish_reason(&answer));
        let message = Spoken { role: "assistant", content: answer.final_answer, refusal: None };
        let choices = vec![Choice { index: 0, message, finish_reason, logprobs: None }];
        Self { id, object: "chat.completion", created, model: SOLVE, choices, usage, redraft }
    }
}

impl Extra {
    pub(crate) fn new(answer: &Answer, ignored: Vec<String>) -> Self {
        Self {
            run_id: answer.run.to_string(),
            outcome: answer.outcome.clone(),
            exit_code: answer.exit_code,
            assumptions: answer.assumptions.clone(),
            known_issues: answer.known_issues.clone(),
            ignored,
        }
    }
}

impl From<TokenCount> for TokenUse {
    fn from(count: TokenCount) -> Self {
        Self {
            prompt_tokens: count.input,
            completion_tokens: count.output,
            total_tokens: count.input.saturating_add(count.output),
        }
    }
}

pub(super) fn id(answer: &Answer) -> String {
    format!("chatcmpl-{}", answer.run)
}

/// In whole seconds since 1970.
pub(super) fn created(answer: &Answer) -> i64 {
    answer.opened.0.div_euclid(1_000_000)
}

/// Exit code 5 is a budget's. A run that generated nothing is no error of the protocol: clients would send the
/// request again by themselves, and pay for a second run.
pub(super) fn finish_reason(answer: &Answer) -> &'static str {
    if answer.exit_code == 5 { "length" } else { "stop" }
}
