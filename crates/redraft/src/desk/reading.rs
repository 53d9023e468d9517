//! Runs as the server tells them, read from the journal.
//!
//! Absent here: driving, and what only this process knows.

use crate::{
    commands::runs::{self, whole},
    episode::facts as facts_of_stream,
    events::line_of,
    exit::{Code, Failure},
    solve,
};
use redraft_engine::Rest;
use redraft_loop::{Exit, Fact, Run, RunId};
use redraft_server::{Answer, DeskError, FactLine, RunView, Standing, TokenCount};
use redraft_store::{Store, StreamId};
use redraft_workflows::solve::{NAME, response};
use serde_json::Value;

/// A solve of the journal; what is none does not exist for the server.
pub(super) fn run(store: &Store, run: &RunId) -> Result<Run, DeskError> {
    let facts = all(store, run)?;
    Run::replay(facts)
        .map_err(|error| DeskError::Damaged { run: run.clone(), why: error.to_string() })
}

fn all(store: &Store, run: &RunId) -> Result<Vec<Fact>, DeskError> {
    let facts = after(store, run, 0)?;
    match facts.first() {
        Some(Fact::Opened(opened)) if opened.shape.workflow == NAME => Ok(facts),
        // A run that does not begin with its opening is not listed as a solve.
        Some(_) | None => Err(DeskError::NoSuchRun(run.clone())),
    }
}

fn after(store: &Store, run: &RunId, after: u64) -> Result<Vec<Fact>, DeskError> {
    facts_of_stream(store, &StreamId::from(run), after).map_err(|failure| told(run, failure))
}

fn told(run: &RunId, failure: Failure) -> DeskError {
    match failure.code {
        Code::Damaged => DeskError::Damaged { run: run.clone(), why: failure.message },
        Code::Done
        | Code::Failure
        | Code::Usage
        | Code::Waiting
        | Code::Ended
        | Code::Budget
        | Code::Busy
        | Code::Interrupted => DeskError::Unavailable(failure.message),
    }
}

/// The facts with numbers above this one.
pub(super) fn facts(store: &Store, run: &RunId, above: u64) -> Result<Vec<FactLine>, DeskError> {
    let facts = (above + 1..).zip(after(store, run, above)?);
    Ok(facts.map(|(number, fact)| line_of(number, &fact)).collect())
}

/// The answer of a run, once it is decided.
pub(super) fn answer(store: &Store, run: &RunId) -> Result<Option<Answer>, DeskError> {
    let facts = all(store, run)?;
    let tokens = facts.iter().map(tokens).fold(TokenCount::default(), and);
    let read = Run::replay(facts)
        .map_err(|error| DeskError::Damaged { run: run.clone(), why: error.to_string() })?;
    Ok(answer_of(&read, tokens))
}

/// The answer of a run whose calls have used these tokens, once it is decided.
pub(super) fn answer_of(run: &Run, tokens: TokenCount) -> Option<Answer> {
    let exit = run.decision()?;
    let code = solve::code(&Rest::Decided(exit.clone()), run);
    let response = response(run);
    Some(Answer {
        run: run.opened().run.clone(),
        outcome: outcome(exit),
        exit_code: code as u8,
        opened: run.opened().at,
        final_answer: response.final_answer,
        assumptions: response.assumptions,
        known_issues: response.known_issues,
        tokens,
    })
}

/// The tokens that a fact tells of.
pub(super) fn tokens(fact: &Fact) -> TokenCount {
    let usage = match fact {
        Fact::Replied(fact) => fact.usage,
        Fact::Failed(fact) => fact.usage,
        Fact::Opened(_)
        | Fact::Driven(_)
        | Fact::Asked(_)
        | Fact::Released(_)
        | Fact::Played(_)
        | Fact::Approved(_)
        | Fact::Rejected(_)
        | Fact::Voided(_)
        | Fact::Passed(_)
        | Fact::Bounded(_)
        | Fact::CapReached(_)
        | Fact::Interrupted(_)
        | Fact::Cancelled(_)
        | Fact::Decided(_) => None,
    };
    let usage = usage.unwrap_or_default();
    TokenCount { input: usage.input_tokens, output: usage.output_tokens }
}

/// Both together.
pub(super) fn and(one: TokenCount, other: TokenCount) -> TokenCount {
    TokenCount { input: one.input + other.input, output: one.output + other.output }
}

/// An exit in one word.
pub(super) fn outcome(exit: &Exit) -> String {
    runs::outcome(exit.outcome).to_owned()
}

/// A run as lists show it.
pub(super) fn view(run: &Run, standing: Standing) -> RunView {
    RunView {
        run: run.opened().run.clone(),
        workflow: run.shape().workflow.clone(),
        opened: run.opened().at,
        updated: run.now(),
        facts: run.facts(),
        standing,
    }
}

/// A run's record.
pub(super) fn record(store: &Store, run: &RunId) -> Result<Value, DeskError> {
    all(store, run)?;
    whole(store, &StreamId::from(run)).map_err(|failure| told(run, failure))
}
