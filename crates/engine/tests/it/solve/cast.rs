//! Agents that do as they are told at every call, and keep what they were asked.

use futures::FutureExt;
use redraft_engine::*;
use redraft_loop::Failure;
use redraft_workflows::Prompt;
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Mutex};

pub(super) const STEPS: [&str; 5] = ["plan", "generate", "critique", "revise", "recritique"];
pub(super) const DRAFT: &str = "The first answer, with 42 in it.";
pub(super) const REVISED: &str = "The second answer, with 43 in it.";

/// How a call goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goes {
    TimesOut,
    TooManyRequests,
    ServerError,
    Refused,
    Empty,
    Garbage,
    Truncated,
    WrongType,
}

impl Goes {
    pub(super) const ALL: [Self; 8] = [
        Self::TimesOut,
        Self::TooManyRequests,
        Self::ServerError,
        Self::Refused,
        Self::Empty,
        Self::Garbage,
        Self::Truncated,
        Self::WrongType,
    ];

    /// What names it in an incident.
    pub(super) fn told(self) -> &'static str {
        match self {
            Self::TimesOut => "no complete answer within",
            Self::TooManyRequests => "HTTP 429",
            Self::ServerError => "HTTP 500",
            Self::Refused => "it refuses",
            Self::Empty => "an empty reply",
            Self::Garbage => "no JSON object",
            Self::Truncated => "cut short",
            Self::WrongType => "must be ",
        }
    }

    /// Whether a seat that goes wrong so, so many times, may be heard in the end; a refusal is final.
    pub(super) fn passes(self, times: usize) -> bool {
        times != FOR_GOOD && self != Self::Refused
    }

    /// Whether something comes back that can be taken as text.
    pub(super) fn speaks(self) -> bool {
        matches!(self, Self::Garbage | Self::Truncated | Self::WrongType)
    }
}

/// A place in a solve: a step and who is asked in it.
pub(super) type Position = (&'static str, String);

/// What each position does: so many of its first calls go wrong so.
pub(super) type Faults = BTreeMap<Position, (Goes, usize)>;

/// So often that it never recovers.
pub(super) const FOR_GOOD: usize = usize::MAX;

/// What agents say where nothing goes wrong.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Says {
    pub(super) draft: Value,
    pub(super) revised: Value,
    pub(super) critique: Value,
    pub(super) recritique: Value,
}

/// A draft that takes `assumed` for granted.
pub(super) fn draft(answer: &str, assumed: &str) -> Value {
    json!({"answer_draft": answer, "assumptions": [assumed], "uncertainty_flags": []})
}

/// A critique with these issues, each a severity and a description.
pub(super) fn critique(issues: &[(&str, &str)]) -> Value {
    let issue = |(severity, description): &(&str, &str)| json!({"role": "risk", "severity": severity, "description": description});
    json!({
        "issues": issues.iter().map(issue).collect::<Vec<Value>>(),
        "constraint_violations": [],
        "missing_roles": [],
        "suggested_fixes": [],
    })
}

impl Says {
    /// Two drafts; critics find this in the first, and nothing in the second.
    pub(super) fn finding(issues: &[(&str, &str)]) -> Self {
        Self {
            draft: draft(DRAFT, "a1"),
            revised: draft(REVISED, "a2"),
            critique: critique(issues),
            recritique: critique(&[]),
        }
    }

    /// One draft that critics find nothing in.
    pub(super) fn answer(answer: &str) -> Self {
        Self { draft: draft(answer, "a1"), ..Self::finding(&[]) }
    }

    fn reply(&self, step: &str) -> String {
        match step {
            "plan" => json!({"steps": ["look it up", "say it"]}).to_string(),
            "generate" => self.draft.to_string(),
            "revise" => self.revised.to_string(),
            "critique" => self.critique.to_string(),
            "recritique" => self.recritique.to_string(),
            other => panic!("nobody is asked to {other}"),
        }
    }
}

/// A call as its agent saw it.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) step: String,
    pub(super) role: String,
    pub(super) prompt: Prompt,
}

/// One agent in all roles.
pub(super) struct Cast {
    pub(super) says: Says,
    pub(super) failing: Faults,
    pub(super) seen: Mutex<Vec<Seen>>,
}

impl Cast {
    /// Notes the call; how it goes wrong, if it does.
    fn note(&self, call: &Call) -> Option<Goes> {
        let (step, role) = (call.step.to_string(), call.role.to_string());
        let mut seen = self.seen.lock().unwrap();
        let before = seen.iter().filter(|one| one.step == step && one.role == role).count();
        let planned = self.failing.iter().find(|((s, r), _)| *s == step && *r == role);
        seen.push(Seen { step, role, prompt: call.prompt.clone() });
        planned.filter(|(_, (_, times))| before < *times).map(|(_, (goes, _))| *goes)
    }
}

impl Agent for Cast {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        let failed = |failure, message: &str| Err(AttemptError::new(failure, message).into());
        let reply = self.says.reply(call.step.as_str());
        let answer = match self.note(call) {
            None => Ok(Answer::text(reply)),
            Some(Goes::TimesOut) => return std::future::pending().boxed(),
            Some(Goes::TooManyRequests) => failed(Failure::Transient, "HTTP 429"),
            Some(Goes::ServerError) => failed(Failure::Transient, "HTTP 500"),
            Some(Goes::Refused) => failed(Failure::Permanent, "it refuses"),
            Some(Goes::Empty) => failed(Failure::Transient, "an empty reply"),
            Some(Goes::Garbage) => Ok(Answer::text("I had rather not say it in JSON.")),
            Some(Goes::Truncated) => Ok(Answer::text(&reply[..reply.len() - 9])),
            Some(Goes::WrongType) => {
                Ok(Answer::text(r#"{"steps": 1, "answer_draft": 2, "issues": 3}"#))
            }
        };
        std::future::ready(answer).boxed()
    }
}
