//! The JSON that goes in and out, apart from the chat protocol's.
//!
//! Invariant: `/openapi.json` is made from these types, and what is sent is nothing but them.
//! Absent here: what the fields lead to.

use crate::{
    chat::ChatError,
    desk::{Answer, RunPage, RunView, Standing},
};
use redraft_loop::Time;
use redraft_workflows::solve::Request;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::schema::{Schema, SchemaType, Type},
};

/// A question.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SolveRequest {
    /// The question. It may not be blank.
    #[schema(
        min_length = 1,
        pattern = r"\S",
        example = "How do we move the database without downtime?"
    )]
    pub(crate) prompt: String,
    /// What the answer has to keep to, each in your own words. None is ever dropped or reworded.
    #[serde(default)]
    #[schema(max_items = 100_000)]
    pub(crate) constraints: Vec<String>,
    /// The form of the answer: `json`, `a Markdown table`.
    #[serde(default)]
    pub(crate) output_format: Option<String>,
    /// What the answer may rest on: a text, or an object.
    #[serde(default)]
    #[schema(schema_with = text_or_object)]
    pub(crate) context: Option<Value>,
}

impl From<SolveRequest> for Request {
    fn from(asked: SolveRequest) -> Self {
        let SolveRequest { prompt, constraints, output_format, context } = asked;
        Self { prompt, constraints, output_format, context }
    }
}

fn text_or_object() -> Schema {
    let types = vec![Type::String, Type::Object, Type::Null];
    let schema = utoipa::openapi::ObjectBuilder::new().schema_type(SchemaType::from_iter(types));
    schema.description(Some("What the answer may rest on: a text, or an object.")).into()
}

/// An answer that was criticised at least once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct SolveResponse {
    /// The answer. It ends with a footer of assumptions and known issues, unless its form is a machine's.
    pub(crate) final_answer: String,
    /// What it takes for granted.
    pub(crate) assumptions: Vec<String>,
    /// What is still wrong with it, blockers first.
    pub(crate) known_issues: Vec<String>,
    /// The run that made it.
    pub(crate) run_id: String,
}

impl From<Answer> for SolveResponse {
    fn from(answer: Answer) -> Self {
        Self {
            final_answer: answer.final_answer,
            assumptions: answer.assumptions,
            known_issues: answer.known_issues,
            run_id: answer.run.to_string(),
        }
    }
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunState {
    /// It is being worked on.
    Running,
    /// It is kept, undecided, and nobody works on it.
    Resting,
    /// It has ended.
    Decided,
    /// Its journal is not what was written; `redraft verify` says more.
    Damaged,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RunResource {
    /// Its id.
    pub(crate) run_id: String,
    /// Its workflow, which is `solve`: other runs of the home are not the server's to tell.
    pub(crate) workflow: String,
    /// When it was opened, RFC 3339.
    #[schema(format = DateTime)]
    pub(crate) opened: String,
    /// When its newest fact was written, RFC 3339.
    #[schema(format = DateTime)]
    pub(crate) updated: String,
    /// The number of its newest fact.
    pub(crate) facts: u64,
    /// Where it stands.
    pub(crate) state: RunState,
    /// How it ended, in one word; `null` until it is decided.
    pub(crate) outcome: Option<String>,
    /// Why it rests, or what is damaged; `null` otherwise.
    pub(crate) why: Option<String>,
    /// The command line's exit code for it; `null` while it runs.
    pub(crate) exit_code: Option<u8>,
}

impl From<RunView> for RunResource {
    fn from(view: RunView) -> Self {
        let (state, outcome, why, exit_code) = match view.standing {
            Standing::Running => (RunState::Running, None, None, None),
            Standing::Resting { why, exit_code } => {
                (RunState::Resting, None, Some(why), Some(exit_code))
            }
            Standing::Damaged { why, exit_code } => {
                (RunState::Damaged, None, Some(why), Some(exit_code))
            }
            Standing::Decided { outcome, exit_code } => {
                (RunState::Decided, Some(outcome), None, Some(exit_code))
            }
        };
        Self {
            run_id: view.run.to_string(),
            workflow: view.workflow,
            opened: rfc3339(view.opened),
            updated: rfc3339(view.updated),
            facts: view.facts,
            state,
            outcome,
            why,
            exit_code,
        }
    }
}

/// A part of the list of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RunList {
    /// Newest first.
    pub(crate) runs: Vec<RunResource>,
    /// What to send as `before` for those that follow; `null` at the end.
    pub(crate) next: Option<String>,
}

impl From<RunPage> for RunList {
    fn from(page: RunPage) -> Self {
        let last = page.runs.last().filter(|_| page.more).map(|view| view.run.to_string());
        Self { runs: page.runs.into_iter().map(RunResource::from).collect(), next: last }
    }
}

/// Whether the server works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`; anything else is a problem document.
    pub(crate) status: &'static str,
}

/// What was wrong, as RFC 9457 has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody {
    /// The kind of problem: a reference to its line of `/docs`.
    pub(crate) r#type: String,
    /// The kind in words.
    pub(crate) title: String,
    /// The HTTP status.
    pub(crate) status: u16,
    /// What was wrong this time.
    pub(crate) detail: String,
    /// The path of what it is about.
    pub(crate) instance: String,
    /// The command line's exit code for it.
    pub(crate) code: u8,
    /// JSON pointer to the place in the request's body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pointer: Option<String>,
    /// The same for clients of the OpenAI protocol, under `/v1/chat` and `/v1/models`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ChatError>,
}

/// A moment in RFC 3339, in UTC.
fn rfc3339(time: Time) -> String {
    // Times come from clocks, all of them within the calendar; another one is shown as it is.
    jiff::Timestamp::from_microsecond(time.0).map_or_else(|_| time.to_string(), |at| at.to_string())
}
