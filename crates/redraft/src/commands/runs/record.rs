//! `redraft runs record`: one run's record as one JSON document.
//!
//! Absent here: what stands in it.

use super::{Where, find, journal, rows};
use crate::{
    episode::facts,
    exit::{Code, Failure},
    say,
};
use redraft_engine::RunRecord;
use redraft_loop::Run;
use redraft_store::{Store, StreamId};
use redraft_workflows::solve;
use serde_json::{Value, json};

#[derive(Debug, clap::Args)]
pub(crate) struct Record {
    #[command(flatten)]
    at: Where,
    /// The run's id, or the beginning of it
    run: String,
}

pub(super) fn run(args: &Record) -> Result<Code, Failure> {
    let (_, store) = journal(&args.at.workspace)?;
    let all = rows(&store)?;
    let record = whole(&store, &find(&all, &args.run)?.stream)?;
    say::json("runs record", Code::Done, json!({ "record": record }));
    Ok(Code::Done)
}

/// A run's record with what its workflow adds under its name.
pub(crate) fn whole(store: &Store, stream: &StreamId) -> Result<Value, Failure> {
    let damaged = |error: redraft_loop::ReplayError| {
        Failure::new(Code::Damaged, format!("run {}: {error}", stream.as_str()))
    };
    let facts = facts(store, stream, 0)?;
    let record = RunRecord::fold(&facts).map_err(damaged)?;
    // Records hold string keys only, which JSON always does.
    let mut value = serde_json::to_value(record).unwrap_or_default();
    let run = Run::replay(facts).map_err(damaged)?;
    if let Some(record) = solve::record(&run) {
        value[solve::NAME] = json!(record);
        name_templates(&mut value, &run);
    }
    Ok(value)
}

/// Names with each call the template that it was told, with the version and the hash that its run keeps.
fn name_templates(record: &mut Value, run: &Run) {
    let calls = record["calls"].as_array_mut();
    for call in calls.into_iter().flatten() {
        let template = call["step"].as_str().and_then(solve::template_of);
        let name = template.map(|template| format!("prompt/{}", template.name));
        let source = run.opened().sources.iter().find(|source| Some(&source.name) == name.as_ref());
        call["prompt_template"] = json!(source);
    }
}
