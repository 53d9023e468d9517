//! What a review would call, ask, write and cost at most; and nothing is done.
//!
//! The bound on tokens and money takes every retry and repair at its most, and room in each prompt for the longest
//! texts of the calls before it. The caps of the run are held whatever it says.

use super::troupe::{Troupe, Troupes};
use crate::{
    commands::forecast::{self, Asked},
    episode::{Episode, View},
    exit::{Code, Failure},
    play::{self, ATTEMPTS, Caps, Cast, Plan},
    say,
};
use redraft_loop::{Amount, Run, Spent};
use redraft_workflows::{
    Workflow,
    review::{model::AssetId, shape},
};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

/// One asset.
#[derive(Serialize)]
pub(crate) struct Row {
    asset_id: AssetId,
    /// Who writes: the agent of its open run, or of a new one.
    creator: String,
    reviewers: Vec<String>,
    /// Nothing is left to do.
    decided: bool,
    /// What holds for the run, open or new; before what it has used already.
    caps: Caps,
    calls_without_retries: usize,
    calls_at_most: usize,
    tokens_at_most: u64,
    /// Millionths of a US dollar, of the calls whose price is known.
    cost_at_most: u64,
    /// Calls whose price is unknown.
    unpriced_calls: u32,
    prompts: Vec<Asked>,
    pub(crate) files: Vec<String>,
}

pub(super) fn show(
    episode: &Episode,
    troupes: &Troupes,
    view: &View,
    as_json: bool,
) -> Result<Code, Failure> {
    let of_troupe = |troupe: &Arc<Troupe>| -> Result<(Arc<Troupe>, Vec<Row>), Failure> {
        let rows = troupe.assets.iter().map(|asset| row(asset, episode, troupe, view));
        Ok((Arc::clone(troupe), rows.collect::<Result<_, _>>()?))
    };
    let told: Vec<(Arc<Troupe>, Vec<Row>)> =
        troupes.iter().map(of_troupe).collect::<Result<_, _>>()?;
    let root = episode.root.display();
    if as_json {
        let caps = troupes.first().map(|troupe| troupe.plan.run_caps());
        let rows: Vec<&Row> = told.iter().flat_map(|(_, rows)| rows).collect();
        let fields = json!({"workspace": root.to_string(), "dry_run": rows, "caps": caps});
        say::json("podcast review", Code::Done, fields);
        return Ok(Code::Done);
    }
    for (troupe, rows) in &told {
        let (creator, reviewers) = (&troupe.plan.creator, troupe.plan.reviewers.join(", "));
        say::out(&format!("Would review {root} with {creator}, reviewed by {reviewers}"));
        rows.iter().for_each(tell);
    }
    Ok(Code::Done)
}

pub(crate) fn tell(row: &Row) {
    if row.decided {
        return say::out(&format!("{}: decided; nothing to do", row.asset_id));
    }
    let Row { asset_id, calls_without_retries: calls, calls_at_most: most, .. } = row;
    let (tokens, cost) = (row.tokens_at_most, row.cost_at_most);
    let spent = Spent { tokens, cost, unpriced: row.unpriced_calls };
    let told = forecast::calls(*calls, *most, spent);
    say::out(&format!("{asset_id}: {told}"));
    row.prompts.iter().for_each(Asked::tell);
    say::out(&format!("  writes {}", row.files.join(", ")));
}

fn row(asset: &AssetId, episode: &Episode, troupe: &Troupe, view: &View) -> Result<Row, Failure> {
    let Troupe { plan, cast, .. } = troupe;
    let decided = !plan.reopens(asset) && play::outcome(asset, view)?.is_some();
    let open = view.current_run(asset).map(|stored| &stored.run);
    let open = open.filter(|run| run.decision().is_none());
    let calls = if decided { 0 } else { calls(asset, plan, view)? };
    let rehearsed = match calls {
        0 => None,
        _ => Some(play::rehearsal(asset, plan, episode, view)?),
    };
    let played = rehearsed.as_ref().map(|(run, workflow)| (run, workflow as &dyn Workflow));
    let row = bounded(asset, plan, cast, calls, open, played);
    Ok(Row { decided, files: if decided { Vec::new() } else { places(asset) }, ..row })
}

/// So many calls of a run, which may be open already, with the prompts that come next and the bound on all of them.
pub(crate) fn bounded(
    asset: &AssetId,
    plan: &Plan,
    cast: &Cast,
    calls: usize,
    open: Option<&Run>,
    played: Option<(&Run, &dyn Workflow)>,
) -> Row {
    let caps = plan.caps_in_force(open);
    let attempts = (ATTEMPTS + plan.repairs) as usize;
    let left = forecast::left(caps, open);
    let mut row = Row {
        asset_id: asset.clone(),
        creator: plan.creator.clone(),
        reviewers: plan.reviewers.clone(),
        decided: false,
        caps,
        calls_without_retries: calls,
        calls_at_most: left.calls.map_or(usize::MAX, |n| n as usize).min(calls * attempts),
        tokens_at_most: 0,
        cost_at_most: 0,
        unpriced_calls: 0,
        prompts: Vec::new(),
        files: Vec::new(),
    };
    if let Some(played) = played {
        estimate(&mut row, plan, cast, played);
        row.tokens_at_most = left.tokens.unwrap_or(u64::MAX).min(row.tokens_at_most);
        row.cost_at_most = left.cost.unwrap_or(u64::MAX).min(row.cost_at_most);
    }
    row
}

/// What a review of the asset writes.
fn places(asset: &AssetId) -> Vec<String> {
    vec![
        format!("copy/candidates/{asset}/"),
        format!("copy/reviews/{asset}/"),
        format!("copy/protocol/{asset}/"),
        format!("copy/selected/{asset}.*"),
    ]
}

/// How many calls of an undecided asset are left without retries.
fn calls(asset: &AssetId, plan: &Plan, view: &View) -> Result<usize, Failure> {
    let reopens = plan.reopens(asset);
    let run = view.current_run(asset).filter(|_| !reopens).map(|stored| &stored.run);
    // Iterations of closed records are numbered on from, and not played again.
    let new = reopens || (run.is_none() && view.workspace.reopened(asset).is_some());
    let before = if new { view.last_iteration(asset)? } else { 0 };
    let limit =
        run.map_or(before.saturating_add(plan.defaults.iterations), |run| run.limits().rounds);
    let rounds = plan.max_iterations.unwrap_or(limit).saturating_sub(before) as usize;
    let made: usize = run.map_or(0, |run| {
        run.turns().iter().map(|turn| turn.readings.len()).sum::<usize>() + run.said().count()
    });
    Ok((rounds * (1 + plan.reviewers.len())).saturating_sub(made))
}

/// Adds prompts and bounds. Calls are taken to fall to the roles in equal parts.
fn estimate(row: &mut Row, plan: &Plan, cast: &Cast, (run, workflow): (&Run, &dyn Workflow)) {
    let room = forecast::room(cast.values().map(|agent| agent.as_ref()));
    let each = row.calls_at_most.div_ceil(1 + plan.reviewers.len()) as u64;
    let mut spent = Spent::default();
    for member in plan.members() {
        let Some(agent) = cast.get(&member.role) else { continue };
        let creates = member.role.as_str() == shape::CREATOR;
        let step = if creates { shape::CREATE } else { shape::REVIEW };
        let prompt = workflow.write(run, &forecast::ask(run, step.into(), &member.role));
        row.prompts.push(Asked::of(member.role, member.agent, &prompt));
        add(&mut spent, forecast::most(agent.as_ref(), prompt, room), each);
    }
    row.tokens_at_most = spent.tokens;
    row.cost_at_most = spent.cost;
    row.unpriced_calls = spent.unpriced;
}

/// Adds so many calls of this size.
fn add(spent: &mut Spent, bound: Amount, calls: u64) {
    spent.tokens = spent.tokens.saturating_add(bound.tokens.saturating_mul(calls));
    match bound.cost {
        Some(cost) => spent.cost = spent.cost.saturating_add(cost.saturating_mul(calls)),
        None => {
            let calls = u32::try_from(calls).unwrap_or(u32::MAX);
            spent.unpriced = spent.unpriced.saturating_add(calls);
        }
    }
}
