//! `redraft gated graph`: the phase table, drawn.

use crate::{
    exit::{Code, Failure},
    say,
};
use redraft_workflows::gated::{EDGES, graph};
use serde_json::{Value, json};

/// Draw the phase table as a Mermaid state diagram
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(super) fn run(_: &Args, as_json: bool) -> Result<Code, Failure> {
    if !as_json {
        say::file(&graph());
        return Ok(Code::Done);
    }
    let edge = |edge: &redraft_workflows::gated::Edge| json!({"from": edge.from, "to": edge.to, "needs": edge.needs});
    let edges: Vec<Value> = EDGES.iter().map(edge).collect();
    say::json_line("gated graph", Code::Done, json!({"edges": edges, "mermaid": graph()}));
    Ok(Code::Done)
}
