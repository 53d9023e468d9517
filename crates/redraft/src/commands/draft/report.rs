//! Telling what was drafted, or what would be.
//!
//! Absent here: doing anything.

use crate::{
    commands::review::{
        dry_run::{self, Row, bounded},
        stop_help, stop_text,
        troupe::{Troupe, Troupes},
    },
    config::Config,
    episode::{Episode, View},
    exit::{Code, Failure},
    play::{Batch, Drafted, Outcome, Written, rehearsed_draft},
    players::OFFLINE,
    say,
};
use redraft_agents::offline;
use redraft_workflows::review::model::{AssetId, Candidate};
use serde_json::{Value, json};

/// How each asset's drafting went.
pub(super) type Outcomes = Vec<(AssetId, Result<Drafted, Failure>)>;

/// Prints what a model, a program or a person has drafted, and picks the exit code.
pub(super) fn report(
    episode: &Episode,
    config: &Config,
    troupes: &Troupes,
    outcomes: &Outcomes,
    as_json: bool,
) -> Result<Code, Failure> {
    let code = Code::worst(outcomes.iter().map(|(_, outcome)| code(outcome)));
    let root = episode.root.display().to_string();
    let done = |outcome: &Result<Drafted, Failure>| outcome.as_ref().is_ok_and(|d| d.left_out);
    let left_out: Vec<&AssetId> =
        outcomes.iter().filter(|(_, outcome)| done(outcome)).map(|(asset, _)| asset).collect();
    if as_json {
        let drafted = outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok());
        let written: Vec<&Written> = drafted.flat_map(|d| &d.candidates).collect();
        let writers: Vec<&str> = troupes.iter().map(|t| t.plan.creator.as_str()).collect();
        let by = sole_writer(&written).map_or(writers.join(", "), str::to_owned);
        let candidates: Vec<Value> = written.into_iter().map(row_of_written).collect();
        let assets: Vec<Value> = outcomes.iter().map(|(asset, o)| as_value(asset, o)).collect();
        let fields = json!({"workspace": root, "by": by, "candidates": candidates, "assets": assets, "left_out": left_out});
        say::json("podcast draft", code, fields);
        return Ok(code);
    }
    say::out(&format!("Workspace: {root}"));
    for (asset, outcome) in outcomes {
        match outcome {
            Ok(drafted) if drafted.left_out => {}
            Ok(drafted) => {
                say::out(&line(asset, drafted.candidates.len()));
                if let Some(stop) = &drafted.stopped {
                    say::err(&format!("stopped: {asset}: {}", stop_text(stop)));
                    say::err(&format!("  help: {}", stop_help(stop, None, Some(config))));
                }
            }
            Err(failure) => say::failure("podcast draft", failure, false),
        }
    }
    tell_left_out(&left_out);
    Ok(code)
}

/// Without this, a command that goes on would seem to have forgotten them.
fn tell_left_out(assets: &[&AssetId]) {
    if assets.is_empty() {
        return;
    }
    let names: Vec<&str> = assets.iter().map(|asset| asset.as_str()).collect();
    say::err(&format!("left out, as drafted before the stop: {}", names.join(", ")));
    say::err("  help: name them alone to have them drafted anew");
}

/// Prints what the offline agent has drafted.
pub(super) fn of_offline(
    episode: &Episode,
    assets: &[AssetId],
    candidates: &[Candidate],
    as_json: bool,
) {
    let (root, note) = (episode.root.display().to_string(), offline::EXTRACTIVE_NOTE);
    if as_json {
        let rows: Vec<Value> = candidates.iter().map(row).collect();
        let fields = json!({"workspace": root, "by": OFFLINE, "candidates": rows, "note": note});
        return say::json("podcast draft", Code::Done, fields);
    }
    say::out(&format!("Workspace: {root}"));
    for asset in assets {
        say::out(&line(asset, candidates.iter().filter(|c| c.asset_id == *asset).count()));
    }
    say::err(&format!("The offline agent wrote them. They are {note}."));
}

/// Shows what would be asked and what it may cost.
pub(super) fn dry_run(
    episode: &Episode,
    troupes: &Troupes,
    batch: &Batch,
    view: &View,
    as_json: bool,
) -> Result<Code, Failure> {
    let row = |troupe: &Troupe, asset: &AssetId| -> Result<Row, Failure> {
        let Troupe { plan, cast, .. } = troupe;
        let (run, workflow, left) = rehearsed_draft(asset, (plan, batch), episode, view)?;
        let open = Some(&run).filter(|run| run.facts() > 1);
        let mut row = bounded(asset, plan, cast, left, open, Some((&run, &workflow)));
        row.files = vec![format!("copy/candidates/{asset}/")];
        Ok(row)
    };
    let left_out: Vec<&AssetId> = batch.done().iter().collect();
    let root = episode.root.display().to_string();
    let (mut all, mut lines) = (Vec::new(), Vec::new());
    for troupe in troupes {
        let asked = troupe.assets.iter().filter(|asset| !batch.done().contains(asset));
        let rows: Vec<Row> = asked.map(|asset| row(troupe, asset)).collect::<Result<_, _>>()?;
        lines.push((format!("Would draft {root} with {}", troupe.plan.creator), rows.len()));
        all.extend(rows);
    }
    if as_json {
        let caps = troupes.first().map(|troupe| troupe.plan.run_caps());
        let fields = json!({"workspace": root, "dry_run": all, "caps": caps, "left_out": left_out});
        say::json("podcast draft", Code::Done, fields);
        return Ok(Code::Done);
    }
    let mut rows = all.iter();
    for (line, count) in lines {
        say::out(&line);
        rows.by_ref().take(count).for_each(dry_run::tell);
    }
    tell_left_out(&left_out);
    Ok(Code::Done)
}

/// What the offline agent has drafted beside others.
pub(super) fn drafted_offline(assets: &[AssetId], candidates: &[Candidate]) -> Outcomes {
    let written =
        |candidate: &Candidate| Written { by: OFFLINE.to_owned(), candidate: candidate.clone() };
    let drafted = |asset: &AssetId| {
        let of_asset = candidates.iter().filter(|candidate| candidate.asset_id == *asset);
        Drafted { candidates: of_asset.map(written).collect(), stopped: None, left_out: false }
    };
    assets.iter().map(|asset| (asset.clone(), Ok(drafted(asset)))).collect()
}

fn code(outcome: &Result<Drafted, Failure>) -> Code {
    match outcome {
        Ok(Drafted { stopped: Some(stop), .. }) => Outcome::Stopped(stop.clone()).code(),
        Ok(Drafted { stopped: None, .. }) => Code::Done,
        Err(failure) => failure.code,
    }
}

fn line(asset: &AssetId, count: usize) -> String {
    format!("{asset}: {}", say::count(count, "new candidate"))
}

fn row(candidate: &Candidate) -> Value {
    json!({"asset_id": candidate.asset_id, "candidate_id": candidate.candidate_id})
}

fn row_of_written(written: &Written) -> Value {
    let mut value = row(&written.candidate);
    value["by"] = json!(written.by);
    value
}

/// The agent that wrote all of these: what a killed command has left need not be by the writer of this one.
fn sole_writer<'a>(written: &[&'a Written]) -> Option<&'a str> {
    let first = written.first()?.by.as_str();
    written.iter().all(|written| written.by == first).then_some(first)
}

fn as_value(asset: &AssetId, outcome: &Result<Drafted, Failure>) -> Value {
    match outcome {
        Ok(drafted) => json!({
            "asset_id": asset,
            "new_candidates": drafted.candidates.len(),
            "stopped": drafted.stopped.as_ref().map(stop_text),
        }),
        Err(failure) => json!({
            "asset_id": asset,
            "error": {"message": failure.message, "causes": failure.causes, "help": failure.help},
            "exit_code": failure.code as u8,
        }),
    }
}
