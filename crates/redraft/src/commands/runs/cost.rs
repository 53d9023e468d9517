//! `redraft runs cost`: what runs have used of calls, tokens and money, and what the home's caps leave.
//!
//! Invariant: the sums are those of the journal's facts; the home's figures are those that its caps are held by.
//! Absent here: prices. They were applied when the calls were made.

use super::{Where, find, journal, record, rows};
use crate::{
    commands::money,
    exit::{Code, Failure},
    say,
};
use redraft_engine::{CallRecord, CallState, RunRecord};
use redraft_loop::Spent;
use redraft_store::{BudgetUse, HOME_SCOPE};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Debug, clap::Args)]
pub(crate) struct Cost {
    #[command(flatten)]
    at: Where,
    /// Only this run: its id, or the beginning of it
    run: Option<String>,
}

/// What was used by one model, or by agents that are none.
#[derive(Default)]
struct Share {
    calls: u32,
    spent: Spent,
}

pub(super) fn run(args: &Cost, as_json: bool) -> Result<Code, Failure> {
    let (_, store) = journal(&args.at.workspace)?;
    let all = rows(&store)?;
    let chosen = match &args.run {
        Some(id) => vec![find(&all, id)?],
        None => all.iter().collect(),
    };
    let records: Result<Vec<RunRecord>, Failure> =
        chosen.into_iter().map(|row| record(&store, &row.stream)).collect();
    let (records, home) = (records?, store.usage(HOME_SCOPE)?);
    let models = by_model(&records);
    if as_json {
        say::json("runs cost", Code::Done, as_value(&records, &models, &home));
    } else {
        print(&records, &models, &home);
    }
    Ok(Code::Done)
}

/// What each model's calls are charged with.
fn by_model(records: &[RunRecord]) -> BTreeMap<String, Share> {
    let mut models: BTreeMap<String, Share> = BTreeMap::new();
    for record in records {
        for call in record.calls.iter().filter(|call| call.state != CallState::Released) {
            let share = models.entry(model(record, call)).or_default();
            share.calls += 1;
            share.spent.add(call.reserve.settled(call.usage, call.cost));
        }
    }
    models
}

/// The model that answered, or the one that was asked for, or the agent where it is no model.
fn model(record: &RunRecord, call: &CallRecord) -> String {
    let served = call.served.as_ref().and_then(|served| served.model.clone());
    let member = record.cast.iter().find(|member| member.role == call.role);
    let cast = member.map(|member| member.model.clone().unwrap_or(member.agent.clone()));
    served.or(cast).unwrap_or_else(|| call.role.to_string())
}

fn total(records: &[RunRecord]) -> (u32, Spent) {
    let mut sum = Spent::default();
    for record in records {
        sum = sum.and(record.spent);
    }
    (records.iter().map(|record| record.calls_charged).sum(), sum)
}

fn as_value(records: &[RunRecord], models: &BTreeMap<String, Share>, home: &[BudgetUse]) -> Value {
    let run = |record: &RunRecord| {
        json!({
            "run_id": record.run_id, "subject": record.subject, "calls": record.calls_charged,
            "spent": record.spent, "maybe_billed": record.maybe_billed, "limits": record.limits,
        })
    };
    let share = |(model, share): (&String, &Share)| json!({"model": model, "calls": share.calls, "spent": share.spent});
    let (calls, spent) = total(records);
    json!({
        "runs": records.iter().map(run).collect::<Vec<_>>(),
        "models": models.iter().map(share).collect::<Vec<_>>(),
        "total": {"calls": calls, "spent": spent},
        "home": home.iter().map(money::home_json).collect::<Vec<_>>(),
    })
}

fn print(records: &[RunRecord], models: &BTreeMap<String, Share>, home: &[BudgetUse]) {
    for record in records {
        let (run, subject) = (&record.run_id, &record.subject);
        say::out(&format!("{run}  {subject}  {}", money::used(record)));
    }
    for (model, share) in models {
        let (calls, tokens) =
            (say::count(share.calls, "call"), say::count(share.spent.tokens, "token"));
        let cost = money::cost(share.spent);
        say::out(&format!("Model: {model}: {calls}, {tokens}, {cost}"));
    }
    let (calls, spent) = total(records);
    let (calls, tokens) = (say::count(calls, "call"), say::count(spent.tokens, "token"));
    let cost = money::cost(spent);
    say::out(&format!("Total: {calls}, {tokens}, {cost}"));
    money::lines("Home", home).iter().for_each(|line| say::out(line));
}
