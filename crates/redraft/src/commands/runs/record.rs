//! `redraft runs record`: one run's record as one JSON document.
//!
//! Absent here: what stands in it.

use super::{Own, Where, find, journal, rows};
use crate::{
    episode::facts,
    exit::{Code, Failure},
    say,
};
use redraft_engine::RunRecord;
use redraft_store::{Store, StreamId};
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
    let (record, own) = read(store, stream)?;
    // Records hold string keys only, which JSON always does.
    let mut value = serde_json::to_value(record).unwrap_or_default();
    if let Some((name, own)) = own.as_ref().map(Own::named) {
        value[name] = own;
    }
    Ok(value)
}

/// A run's record, and what its workflow adds to it. The journal is read and folded once.
pub(super) fn read(store: &Store, stream: &StreamId) -> Result<(RunRecord, Option<Own>), Failure> {
    let facts = facts(store, stream, 0)?;
    let (record, run) = RunRecord::read(&facts).map_err(|error| {
        Failure::new(Code::Damaged, format!("run {}: {error}", stream.as_str()))
    })?;
    Ok((record, Own::of(&run, &facts)))
}
