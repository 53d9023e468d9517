//! What every test here needs: a model, a call, and a test run again in a process of its own.

use super::dialect::Dialect;
use redraft_agents::llm::{Connections, LlmAgent, Model, Price};
use redraft_engine::{Agent, Answer, AttemptError, Call, NoAnswer};
use redraft_loop::{CallId, Role, RunId, StepId};
use redraft_workflows::{Part, Prompt, ReplyForm};
use std::{process::Command, time::Duration};

/// A dollar for a million tokens read, two for a million written.
pub(crate) const PRICE: Price = Price { input: 1_000_000, output: 2_000_000, long: None };

/// Longer than any server of these tests takes to list its models.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A model at this address.
pub(crate) fn model(dialect: &Dialect, base_url: impl Into<String>) -> Model {
    Model {
        provider: dialect.provider,
        model: "m-asked".into(),
        family: None,
        base_url: Some(base_url.into()),
        key: None,
        temperature: None,
        max_output_tokens: 500,
        stream: false,
        json_schema: true,
        price: Some(PRICE),
        connect_timeout: Duration::from_secs(5),
        silence: Duration::from_secs(20),
    }
}

pub(crate) fn agent(model: Model) -> LlmAgent {
    LlmAgent::new(model, &Connections::new()).unwrap()
}

/// A call with one part and no form.
pub(crate) fn call() -> Call {
    let part = Part { name: "candidate".into(), text: "A text.\nverdict: ok".into() };
    let prompt = Prompt {
        instructions: "Review the candidate.".into(),
        parts: vec![part],
        reply: None,
        request: "{}".into(),
    };
    Call {
        run: RunId::new("run"),
        call: CallId(1),
        subject: "title".into(),
        round: 1,
        step: StepId::new("review"),
        role: Role::new("reviewer"),
        attempt: 1,
        ordinal: 0,
        prompt,
    }
}

/// A form whose fields stand in an order of their own.
pub(crate) const SCHEMA: &str = r#"{"type":"object","additionalProperties":false,"required":["why","answer"],
"properties":{"why":{"type":"string"},"answer":{"enum":["yes","no"]}}}"#;

/// A call with a form for its reply.
pub(crate) fn call_with_form() -> Call {
    let mut call = call();
    call.prompt.reply = Some(ReplyForm { name: "opinion".into(), schema: SCHEMA.into() });
    call
}

/// Asks, with as much time as a test can have.
pub(crate) async fn ask(agent: &LlmAgent, call: &Call) -> Result<Answer, AttemptError> {
    let answer = tokio::time::timeout(Duration::from_secs(30), agent.answer(call)).await;
    answer.expect("no result in 30 s").map_err(|error| match error {
        NoAnswer::Failed(error) => error,
        NoAnswer::Waits(why) => panic!("it waits for {why}"),
    })
}

/// Asks and expects a failure.
pub(crate) async fn fail(agent: &LlmAgent) -> AttemptError {
    ask(agent, &call()).await.expect_err("an answer was accepted")
}

/// As [`alone`], for a test of models.
pub(crate) fn again(test: &str, environment: &[(&str, &str)]) {
    alone(&format!("llm::{test}"), environment);
}

/// Runs one test again, alone in a process of its own with this environment, and expects it to pass.
pub(crate) fn alone(test: &str, environment: &[(&str, &str)]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).envs(environment.iter().copied());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{complaint}");
}
