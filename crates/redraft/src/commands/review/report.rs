//! Telling how reviews went, or what they would do.
//!
//! Absent here: doing anything.

use super::{caps, playing::Outcomes};
use crate::{
    commands::{money, stale},
    config::Config,
    episode::{Episode, View},
    exit::{Code, Failure},
    play::Outcome,
    say,
};
use redraft_engine::held_until;
use redraft_loop::{Run, Spent, Stop};
use redraft_workflows::review::{
    LOCKED_SELECTION, best,
    model::{AssetId, Candidate, ReviewIssue},
};
use serde_json::{Value, json};
use std::path::Path;

/// Prints the outcomes and picks the exit code.
pub(super) fn report(
    episode: &Episode,
    config: &Config,
    outcomes: &Outcomes,
    as_json: bool,
) -> Result<Code, Failure> {
    let codes = outcomes.iter().map(|(_, outcome)| match outcome {
        Ok(outcome) => outcome.code(),
        Err(failure) => failure.code,
    });
    let code = Code::worst(codes);
    let root = episode.root.display().to_string();
    let view = episode.view()?;
    let stale = stale::decided(outcomes.iter().map(|(asset, _)| asset), &view);
    let help = |asset: &AssetId, stop: &Stop| {
        stop_help(stop, view.current_run(asset).map(|stored| &stored.run), Some(config))
    };
    if as_json {
        let value = |(asset, outcome): &(AssetId, Result<Outcome, Failure>)| {
            as_value(&root, asset, outcome, |stop| help(asset, stop))
        };
        let assets: Vec<Value> = outcomes.iter().map(value).collect();
        say::json(
            "podcast review",
            code,
            json!({"workspace": root, "assets": assets, "stale": stale}),
        );
        return Ok(code);
    }
    say::out(&format!("Workspace: {root}"));
    for (asset, outcome) in outcomes {
        if outcomes.len() > 1 {
            say::out(&format!("Asset: {asset}"));
        }
        match outcome {
            Ok(outcome) => {
                tell(&episode.root, outcome, |stop| help(asset, stop));
                tell_what_waits(&episode.root, &view, asset, outcome);
                tell_use(&view, asset);
            }
            Err(failure) => say::failure("podcast review", failure, false),
        }
    }
    stale::warn(episode, &view, &stale)?;
    Ok(code)
}

/// What a person needs to know of an asset that waits for them.
fn tell_what_waits(root: &Path, view: &View, asset: &AssetId, outcome: &Outcome) {
    if !matches!(outcome, Outcome::Decided { .. }) || outcome.code() != Code::Waiting {
        return;
    }
    let protocol = view.protocol(asset);
    let last = protocol.as_ref().and_then(|protocol| protocol.iterations.last());
    let issues: Vec<ReviewIssue> =
        last.into_iter().flat_map(|iteration| iteration.reviewer.blocking()).cloned().collect();
    issues.iter().for_each(|issue| say::err(&format!("  {}", issue.message)));
    let more = releases(&issues);
    let best = view.current_run(asset).and_then(|stored| best::of_run(asset, &stored.run));
    let (at, offer) = (say::at(root), say::offer(best));
    let (pick, reopen) = match has_text(view, asset) {
        true => {
            (Some(format!("  next: redraft podcast pick {at} --asset-id {asset}{offer}")), "or")
        }
        false => (None, "next"),
    };
    pick.iter().for_each(|line| say::err(line));
    say::err(&format!(
        "  {reopen}: redraft podcast review {at} --asset-id {asset} --reopen --reason TEXT{more}"
    ));
}

/// Whether there is anything to pick.
fn has_text(view: &View, asset: &AssetId) -> bool {
    let state = view.state().ok();
    let known = state.as_ref().and_then(|state| state.asset(asset));
    known.is_some_and(|asset| asset.candidates.iter().any(Candidate::has_text))
}

/// What else a reopening needs where these issues blocked: a locked selection would block again.
pub(crate) fn releases(blocking: &[ReviewIssue]) -> &'static str {
    let is_locked = |issue: &ReviewIssue| issue.code.as_deref() == Some(LOCKED_SELECTION);
    if blocking.iter().any(is_locked) { " --release-selection" } else { "" }
}

/// What models and programs were paid for; agents of ours use nothing.
fn tell_use(view: &View, asset: &AssetId) {
    let Some(run) = view.current_run(asset).map(|stored| &stored.run) else { return };
    let (calls, spent) = (run.calls(), run.spent());
    if spent != Spent::default() {
        let (tokens, cost) = (spent.tokens, money::cost(spent));
        let (calls, tokens) = (say::count(calls, "call"), say::count(tokens, "token"));
        say::err(&format!("  used: {calls}, {tokens}, {cost}"));
    }
}

fn tell(root: &Path, outcome: &Outcome, help: impl Fn(&Stop) -> String) {
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
            say::err(&format!("  help: {}", help(stop)));
        }
    }
}

/// What to do about a stop, of this run and under this configuration as far as they are at hand.
pub(crate) fn stop_help(stop: &Stop, run: Option<&Run>, config: Option<&Config>) -> String {
    let help = match stop {
        Stop::Cap(told) => {
            return format!("{}; what was answered is kept", caps::help(told, run, config));
        }
        Stop::Failed { message, .. } => match held_until(message) {
            Some(until) => {
                return format!("run it again after {until}; what was answered is kept");
            }
            None => "mend the cause and run the same command again; what was answered is kept",
        },
        Stop::Person { .. } => "answer there, then run the same command again",
        Stop::Ambiguous { .. } => "decide whether it may be paid for once more",
        Stop::Interrupted => {
            "the same command goes on where it stopped; what was answered is kept, and a call that was cut off (a second Ctrl-C) is asked again"
        }
    };
    help.to_owned()
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

fn as_value(
    root: &str,
    asset: &AssetId,
    outcome: &Result<Outcome, Failure>,
    help: impl Fn(&Stop) -> String,
) -> Value {
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
            json!({"asset_id": asset, "outcome": "in_progress", "stopped": stop_text(stop), "help": help(stop)})
        }
        Err(failure) => json!({
            "asset_id": asset,
            "error": {"message": failure.message, "causes": failure.causes, "help": failure.help},
            "exit_code": failure.code as u8,
        }),
    }
}
