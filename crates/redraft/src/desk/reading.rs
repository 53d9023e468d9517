//! Runs as the server tells them, read from the journal.
//!
//! Absent here: driving, and what only this process knows.

use crate::{
    commands::runs::whole,
    episode::facts as facts_of_stream,
    exit::{Code, Failure},
    solve,
};
use redraft_engine::{Rest, RunRecord};
use redraft_loop::{Exit, Fact, Outcome, Run, RunId};
use redraft_server::{Answer, DeskError, FactLine, RunView, Standing, TokenCount};
use redraft_store::{Store, StreamId};
use redraft_workflows::solve::response;
use serde_json::Value;

/// A run of the journal.
pub(super) fn run(store: &Store, run: &RunId) -> Result<Run, DeskError> {
    let facts = all(store, run)?;
    Run::replay(facts)
        .map_err(|error| DeskError::Damaged { run: run.clone(), why: error.to_string() })
}

fn all(store: &Store, run: &RunId) -> Result<Vec<Fact>, DeskError> {
    let facts = after(store, run, 0)?;
    if facts.is_empty() { Err(DeskError::NoSuchRun(run.clone())) } else { Ok(facts) }
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
    let line = |(number, fact): (u64, Fact)| FactLine {
        number,
        kind: fact.kind().to_owned(),
        // Facts have string keys only, which JSON always holds.
        json: serde_json::to_value(&fact).unwrap_or_default(),
    };
    Ok((above + 1..).zip(after(store, run, above)?).map(line).collect())
}

/// The answer of a decided run.
pub(super) fn answer(store: &Store, run: &RunId) -> Result<Answer, DeskError> {
    let facts = all(store, run)?;
    let damaged = |error: redraft_loop::ReplayError| DeskError::Damaged {
        run: run.clone(),
        why: error.to_string(),
    };
    let usage = RunRecord::fold(&facts).map_err(damaged)?.usage;
    let read = Run::replay(facts).map_err(damaged)?;
    let Some(exit) = read.decision() else {
        let why = "nobody drives it here".to_owned();
        let exit_code = Code::Interrupted as u8;
        return Err(DeskError::Rests { run: run.clone(), why, exit_code });
    };
    let code = solve::code(&Rest::Decided(exit.clone()), &read);
    let response = response(&read);
    Ok(Answer {
        run: run.clone(),
        outcome: outcome(exit),
        exit_code: code as u8,
        opened: read.opened().at,
        final_answer: response.final_answer,
        assumptions: response.assumptions,
        known_issues: response.known_issues,
        tokens: TokenCount { input: usage.input_tokens, output: usage.output_tokens },
    })
}

/// An exit in one word.
pub(super) fn outcome(exit: &Exit) -> String {
    match exit.outcome {
        Outcome::Converged => "converged",
        Outcome::NeedsHuman => "needs_human",
        Outcome::Ended => "ended",
    }
    .to_owned()
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
