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
    play::{Drafted, Outcome, rehearsed_draft},
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
    if as_json {
        let writers: Vec<&str> = troupes.iter().map(|t| t.plan.creator.as_str()).collect();
        let by = writers.join(", ");
        let drafted = outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok());
        let candidates: Vec<Value> = drafted.flat_map(|d| &d.candidates).map(row).collect();
        let assets: Vec<Value> = outcomes.iter().map(|(asset, o)| as_value(asset, o)).collect();
        let fields =
            json!({"workspace": root, "by": by, "candidates": candidates, "assets": assets});
        say::json("podcast draft", code, fields);
        return Ok(code);
    }
    say::out(&format!("Workspace: {root}"));
    for (asset, outcome) in outcomes {
        match outcome {
            Ok(drafted) => {
                say::out(&line(asset, drafted.candidates.len()));
                if let Some(stop) = &drafted.stopped {
                    say::err(&format!("stopped: {}", stop_text(stop)));
                    say::err(&format!("  help: {}", stop_help(stop, None, Some(config))));
                }
            }
            Err(failure) => say::failure("podcast draft", failure, false),
        }
    }
    Ok(code)
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
    view: &View,
    as_json: bool,
) -> Result<Code, Failure> {
    let row = |troupe: &Troupe, asset: &AssetId| -> Result<Row, Failure> {
        let Troupe { plan, cast, .. } = troupe;
        let (run, workflow, left) = rehearsed_draft(asset, plan, episode, view)?;
        let open = view.newest_draft(asset).map(|stored| &stored.run);
        let open = open.filter(|run| run.decision().is_none());
        let mut row = bounded(asset, plan, cast, left, open, Some((&run, &workflow)));
        row.files = vec![format!("copy/candidates/{asset}/")];
        Ok(row)
    };
    let all = troupes.iter().flat_map(|troupe| troupe.assets.iter().map(move |a| (troupe, a)));
    let rows: Vec<Row> = all.map(|(troupe, asset)| row(troupe, asset)).collect::<Result<_, _>>()?;
    let root = episode.root.display().to_string();
    if as_json {
        let caps = troupes.first().map(|troupe| troupe.plan.run_caps());
        let fields = json!({"workspace": root, "dry_run": rows, "caps": caps});
        say::json("podcast draft", Code::Done, fields);
        return Ok(Code::Done);
    }
    let mut rows = rows.iter();
    for troupe in troupes {
        say::out(&format!("Would draft {root} with {}", troupe.plan.creator));
        rows.by_ref().take(troupe.assets.len()).for_each(dry_run::tell);
    }
    Ok(Code::Done)
}

/// What the offline agent has drafted beside others.
pub(super) fn drafted_offline(assets: &[AssetId], candidates: &[Candidate]) -> Outcomes {
    let drafted = |asset: &AssetId| {
        let of_asset = candidates.iter().filter(|candidate| candidate.asset_id == *asset);
        Drafted { candidates: of_asset.cloned().collect(), stopped: None }
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
