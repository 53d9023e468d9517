//! Telling how reviews went, or what they would do.
//!
//! Absent here: doing anything.

use super::playing::Outcomes;
use crate::{
    episode::{Episode, View},
    exit::{Code, Failure},
    play::{self, Outcome, Plan},
    say,
};
use redraft_loop::Stop;
use redraft_workflows::review::model::AssetId;
use serde_json::{Value, json};
use std::path::Path;

/// Prints the outcomes and picks the exit code.
pub(super) fn report(
    episode: &Episode,
    outcomes: &Outcomes,
    as_json: bool,
) -> Result<Code, Failure> {
    let codes = outcomes.iter().map(|(_, outcome)| match outcome {
        Ok(outcome) => outcome.code(),
        Err(failure) => failure.code,
    });
    let code = Code::worst(codes);
    let root = episode.root.display().to_string();
    if as_json {
        let assets: Vec<Value> = outcomes.iter().map(|(a, o)| as_value(&root, a, o)).collect();
        say::json("podcast review", code, json!({"workspace": root, "assets": assets}));
        return Ok(code);
    }
    let view = episode.view()?;
    say::out(&format!("Workspace: {root}"));
    for (asset, outcome) in outcomes {
        if outcomes.len() > 1 {
            say::out(&format!("Asset: {asset}"));
        }
        match outcome {
            Ok(outcome) => {
                tell(&episode.root, outcome);
                tell_what_waits(&episode.root, &view, asset, outcome);
            }
            Err(failure) => say::failure("podcast review", failure, false),
        }
    }
    Ok(code)
}

/// What a person needs to know of an asset that waits for them.
fn tell_what_waits(root: &Path, view: &View, asset: &AssetId, outcome: &Outcome) {
    if outcome.code() != Code::Waiting {
        return;
    }
    let protocol = view.protocol(asset);
    let last = protocol.as_ref().and_then(|protocol| protocol.iterations.last());
    for issue in last.into_iter().flat_map(|iteration| iteration.reviewer.blocking()) {
        say::err(&format!("  {}", issue.message));
    }
    say::err(&format!("  next: redraft podcast pick {} --asset-id {asset}", say::at(root)));
}

fn tell(root: &Path, outcome: &Outcome) {
    match outcome {
        Outcome::Selected { by, path } => {
            say::out(&format!("Outcome: selected by {by}"));
            say::out(&format!("Selected: {}", root.join(path).display()));
        }
        Outcome::Decided { decision, selected } => {
            let (outcome, reason) = (decision.outcome.as_str(), &decision.reason);
            say::out(&format!("Outcome: {outcome} ({reason})"));
            if let Some(path) = selected {
                say::out(&format!("Selected: {}", root.join(path).display()));
            }
        }
        Outcome::Stopped(stop) => {
            say::out("Outcome: in_progress");
            say::err(&format!("stopped: {}", stop_text(stop)));
            say::err(&format!("  help: {}", stop_help(stop)));
        }
    }
}

fn stop_help(stop: &Stop) -> &'static str {
    match stop {
        Stop::Cap(_) => "give more with --max-calls N; what was answered is kept",
        Stop::Failed { .. } => {
            "mend the cause and run the same command again; what was answered is kept"
        }
        Stop::Person { .. } => "answer there, then run the same command again",
        Stop::Ambiguous { .. } => "decide whether it may be paid for once more",
        Stop::Interrupted => "the same command goes on where it stopped; nothing is asked twice",
    }
}

/// Why a run rests, in words.
pub(crate) fn stop_text(stop: &Stop) -> String {
    match stop {
        Stop::Cap(cap) => cap.clone(),
        Stop::Failed { role, message } => format!("{role} failed: {message}"),
        Stop::Ambiguous { call, role } => format!(
            "call {call} to {role} may have been answered unseen, and may not be asked again; --ask-again N allows it"
        ),
        Stop::Person { role, what } => format!("{role} waits for {what}"),
        Stop::Interrupted => "interrupted".to_owned(),
    }
}

fn as_value(root: &str, asset: &AssetId, outcome: &Result<Outcome, Failure>) -> Value {
    let place = |path: &String| format!("{root}/{path}");
    match outcome {
        Ok(Outcome::Selected { by, path }) => {
            json!({"asset_id": asset, "outcome": "selected", "by": by, "selected": place(path)})
        }
        Ok(Outcome::Decided { decision, selected }) => json!({
            "asset_id": asset,
            "outcome": decision.outcome,
            "reason": decision.reason,
            "final_iteration": decision.final_iteration,
            "selected": selected.as_ref().map(place),
        }),
        Ok(Outcome::Stopped(stop)) => {
            json!({"asset_id": asset, "outcome": "in_progress", "stopped": stop_text(stop)})
        }
        Err(failure) => json!({
            "asset_id": asset,
            "error": {"message": failure.message, "causes": failure.causes, "help": failure.help},
            "exit_code": failure.code as u8,
        }),
    }
}

/// Tells what a review would call and write, and does nothing.
pub(super) fn dry_run(
    episode: &Episode,
    plan: &Plan,
    view: &View,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Code, Failure> {
    let mut rows = Vec::new();
    for asset in assets {
        let reopens = plan.reopens(asset);
        let run = view.current_run(asset).filter(|_| !reopens).map(|stored| &stored.run);
        // Iterations of closed records are numbered on from, and not played again.
        let new = reopens || (run.is_none() && view.workspace.reopened(asset).is_some());
        let before = if new { view.last_iteration(asset)? } else { 0 };
        let limit =
            run.map_or(before.saturating_add(play::DEFAULT_ITERATIONS), |run| run.limits().rounds);
        let rounds = plan.max_iterations.unwrap_or(limit).saturating_sub(before);
        let reviewers = plan.reviewers.len();
        let made: usize = run.map_or(0, |run| {
            run.turns().iter().map(|turn| turn.readings.len()).sum::<usize>() + run.said().count()
        });
        let decided = !reopens && play::outcome(asset, view)?.is_some();
        let left = (rounds as usize * (1 + reviewers)).saturating_sub(made);
        let calls = if decided { 0 } else { left };
        rows.push(json!({
            "asset_id": asset,
            "calls_without_retries": calls,
            "calls_at_most": plan.caps.calls.map_or(calls * (3 + plan.repairs as usize), |cap| cap as usize),
            "files": [
                format!("copy/candidates/{asset}/"),
                format!("copy/reviews/{asset}/"),
                format!("copy/protocol/{asset}/"),
                format!("copy/selected/{asset}.*"),
            ],
        }));
    }
    let (creator, reviewers) = (&plan.creator, &plan.reviewers);
    if as_json {
        let root = episode.root.display().to_string();
        let fields = json!({"workspace": root, "creator": creator, "reviewers": reviewers, "dry_run": rows, "money": "0: these agents are free"});
        say::json("podcast review", Code::Done, fields);
        return Ok(Code::Done);
    }
    say::out(&format!(
        "Would review {} with {creator}, reviewed by {}",
        episode.root.display(),
        reviewers.join(", ")
    ));
    for row in rows {
        let (asset, calls, most) =
            (&row["asset_id"], &row["calls_without_retries"], &row["calls_at_most"]);
        let asset = asset.as_str().unwrap_or_default();
        say::out(&format!("{asset}: up to {calls} calls, {most} with every retry; free of charge"));
    }
    Ok(Code::Done)
}
