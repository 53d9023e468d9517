//! The offline agent where a question is asked: it answers with sentences of the context.
//!
//! As a critic it finds nothing: the rules of the house have looked already.
//!
//! Invariant: every sentence of an answer stands in the context; without a context there is no answer.
//! Absent here: rules. The workflow applies them to every draft itself.

use crate::offline;
use futures::FutureExt;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::Failure;
use serde::Deserialize;
use serde_json::{Value, json};

/// Answers questions from their context.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflineAnswerer;

/// What an answer says about itself.
const NOTE: &str = "the answer is made of sentences of the context, chosen by the words they share with the question; no model was asked";

#[derive(Deserialize)]
struct Asked {
    step: String,
    problem: Problem,
}

#[derive(Deserialize)]
struct Problem {
    problem_statement: String,
    context: String,
}

impl OfflineAnswerer {
    fn reply(call: &Call) -> Result<Value, String> {
        let asked: Asked = serde_json::from_str(&call.prompt.request)
            .map_err(|error| format!("the offline agent cannot read the prompt: {error}"))?;
        match asked.step.as_str() {
            "plan" => Ok(json!({"steps": [
                "Find the sentences of the context that share the most with the question.",
                "Give them in their order, word for word.",
            ]})),
            "generate" => extract(&asked.problem).map(|text| {
                json!({"answer_draft": text, "assumptions": ["the context says what the question asks for"],
                    "uncertainty_flags": [NOTE]})
            }),
            "revise" => Err("the offline agent has no other answer than its first".to_owned()),
            // The rules of the house look anyway; a program that only counts has no view of its own.
            _ => Ok(json!({"issues": [], "constraint_violations": [], "suggested_fixes": [],
                "missing_roles": ["requirements", "architecture", "risk", "compliance", "security_ops", "evaluation"]})),
        }
    }
}

fn extract(problem: &Problem) -> Result<String, String> {
    let found = offline::answer(&problem.problem_statement, &problem.context);
    found.ok_or_else(|| {
        "there is no context to answer from; give one, or configure a model".to_owned()
    })
}

impl Agent for OfflineAnswerer {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        let reply = Self::reply(call).map(|reply| Answer::text(reply.to_string()));
        let failed = |why| NoAnswer::from(AttemptError::new(Failure::Permanent, why));
        std::future::ready(reply.map_err(failed)).boxed()
    }

    fn costs_nothing(&self) -> bool {
        true
    }
}
