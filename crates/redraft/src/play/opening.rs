//! Opening a run: its shape, its cast, and what was played before it.
//!
//! Invariant: everything a replay needs stands in the first fact.
//! Absent here: driving it.

use super::{Plan, Traits};
use crate::{
    briefing, clock,
    episode::{View, new_run_id},
    exit::Failure,
    say,
};
use redraft_engine::{Driver, Stage};
use redraft_loop::{Action, CastMember, Epoch, Opened, Role, Turn};
use redraft_workflows::review::{
    kept,
    model::{Asset, AssetId, Candidate},
    protocol::ProtocolState,
    reopening::{self, Wish},
    shape::{self, Bounds, CREATOR},
    workspace::Reopened,
};

/// Opens a new run: what the files have of the loop so far stands in its first fact.
pub(super) fn open(asset: &AssetId, plan: &Plan, view: &View) -> Result<Opened, Failure> {
    let state = view.state()?;
    let known = state.asset(asset);
    let reopened = view.workspace.reopened(asset);
    let seed = known.and_then(|known| match reopened {
        Some(reopened) => goes_on_from(known, reopened, view),
        None => known.newest_candidate().cloned(),
    });
    let past = view.adopted_protocol(asset).map(past).unwrap_or_default();
    // Reviews that stand without a protocol are iterations too, and so are those of closed records: none of them is
    // given twice.
    let rounds_before = view.last_iteration(asset)?;
    let recorded = view.adopted_protocol(asset).map(|protocol| protocol.max_iterations);
    let recorded = recorded
        .or(reopened.map(|closed| closed.last_iteration.saturating_add(plan.defaults.iterations)));
    let rounds = plan.max_iterations.or(recorded).unwrap_or(plan.defaults.iterations);
    if rounds < rounds_before || rounds == 0 {
        return Err(below_recorded(asset, rounds, rounds_before));
    }
    let ask_again = plan.ask_again.unwrap_or(1);
    let limits = plan.run_caps().limits(rounds, ask_again);
    let stop_on_stagnation = plan.stop_on_stagnation || plan.defaults.stop_on_stagnation;
    let bounds = Bounds { limits, repairs: plan.repairs, stop_on_stagnation };
    let mut sources = plan.sources.clone();
    sources.extend(crate::commands::agents::rubric_sources(asset, plan));
    let cast = cast(plan);
    sources.extend(briefing::prompt_sources(&plan.briefing, asset, &cast)?);
    Ok(Opened {
        run: new_run_id(),
        at: clock::now(),
        epoch: Epoch(1),
        subject: asset.to_string(),
        shape: shape::shape(plan.reviewers.len(), &bounds),
        cast,
        sources,
        seed: seed.map(|candidate| kept::reading_of_candidate(&candidate, false)),
        past,
        first_round: rounds_before + 1,
        settings: match reopened {
            Some(reopened) => settings(reopened, known),
            None => serde_json::Value::Null,
        },
    })
}

/// Where a reopened review begins: at what was drafted since, else at the selection, else at the last candidate of
/// the closed record.
fn goes_on_from(known: &Asset, reopened: &Reopened, view: &View) -> Option<Candidate> {
    let closed = view.runs.iter().find(|stored| Some(&stored.id) == reopened.run.as_ref());
    let last = || {
        let turn = closed?.run.newest(&shape::CREATE.into())?;
        kept::candidate_of(&known.asset_id, turn.readings.first()?)
    };
    let drafted = view.workspace.drafted_since_end(&known.asset_id);
    let stands = drafted.or_else(|| known.selected()).cloned();
    stands.or_else(last).or_else(|| known.newest_candidate().cloned())
}

fn settings(reopened: &Reopened, known: Option<&Asset>) -> serde_json::Value {
    let wish = Wish { by: reopened.by.clone(), reason: reopened.reason.clone() };
    reopening::settings(&wish, known.and_then(|asset| asset.reviews.last()))
}

/// A new run, unless the iterations before it leave none to play and no rule says how they ended.
pub(super) fn driver<'a>(
    stage: Stage<'a>,
    opened: Opened,
    asset: &AssetId,
) -> Result<Driver<'a>, Failure> {
    let (rounds, before) = (opened.shape.limits.rounds, opened.first_round - 1);
    let driver = Driver::open(stage, opened)?;
    if before >= rounds && !matches!(driver.run().next(), Action::Decide(_)) {
        let message = format!("{asset}: {}, and none is left", recorded(rounds));
        let help = format!("give --max-iterations {} or more", before + 1);
        return Err(Failure::usage(message).help(help));
    }
    Ok(driver)
}

pub(super) fn cast(plan: &Plan) -> Vec<CastMember> {
    let member = |role: Role, agent: &String| {
        let Traits { model, provider, family } =
            plan.traits.get(agent).cloned().unwrap_or_default();
        // A creator looks at everything.
        let lens = plan.lenses.get(agent).filter(|_| role.as_str() != CREATOR).cloned();
        CastMember { role, agent: agent.clone(), model, provider, family, lens }
    };
    let creator = member(CREATOR.into(), &plan.creator);
    let roles = shape::reviewer_roles(plan.reviewers.len());
    std::iter::once(creator)
        .chain(roles.into_iter().zip(&plan.reviewers).map(|(role, agent)| member(role, agent)))
        .collect()
}

/// The iterations of a protocol as turns.
fn past(protocol: &ProtocolState) -> Vec<Turn> {
    let turn = |round, step: &str, reading| Turn {
        round,
        step: step.into(),
        at: clock::now(),
        readings: vec![reading],
    };
    let turns = |iteration: &redraft_workflows::review::protocol::ProtocolIteration| {
        let created =
            kept::reading_of_candidate(&iteration.creator.candidate, iteration.creator.done);
        let reviewed = kept::reading_of_review(&iteration.reviewer);
        [
            turn(iteration.iteration, shape::CREATE, created),
            turn(iteration.iteration, shape::REVIEW, reviewed),
        ]
    };
    protocol.iterations.iter().flat_map(turns).collect()
}

/// How many iterations there are, as a sentence.
pub(crate) fn recorded(iterations: u32) -> String {
    let verb = if iterations == 1 { "is" } else { "are" };
    format!("{} {verb} recorded", say::count(iterations, "iteration"))
}

pub(super) fn below_recorded(asset: &AssetId, limit: u32, begun: u32) -> Failure {
    let message = format!("{asset}: {}; --max-iterations {limit} is below that", recorded(begun));
    Failure::usage(message).help(format!("give --max-iterations {} or more", begun.max(1)))
}
