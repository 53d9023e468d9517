//! What a solve would call and cost at most, and which caps stand in its way; and nothing is done.
//!
//! The bound takes the dearest calls that the run's cap on calls admits, each with room for all that may be written
//! before it.

use super::{Args, COMMAND};
use crate::{
    commands::{
        forecast::{self, Asked},
        money,
    },
    config::{Caps as Configured, Config},
    exit::{Code, Failure},
    play::{ATTEMPTS, Caps, cast_of},
    say,
    solve::{self, Question, Table},
    standalone::{self, Place},
};
use redraft_loop::{Amount, Role, Run, RunId, Spent};
use redraft_store::{CALLS, HOME, HOME_SCOPE, MICRODOLLARS, Store, TOKENS};
use redraft_workflows::{
    Workflow,
    solve::{PLANNER, Solve, first_step},
};
use serde::Serialize;
use serde_json::json;

/// What would be done.
#[derive(Serialize)]
struct Forecast {
    /// The run that goes on; null where a new one would be opened.
    run_id: Option<RunId>,
    /// What holds for the run, before what it has used already.
    caps: Caps,
    calls_without_retries: usize,
    calls_at_most: usize,
    tokens_at_most: u64,
    /// Millionths of a US dollar; null where the price of a call is unknown.
    cost_at_most: Option<u64>,
    /// Millionths of a US dollar, of the calls whose price is known.
    #[serde(skip)]
    priced_at_most: u64,
    /// Calls whose price is unknown.
    unpriced_calls: u32,
    prompts: Vec<Asked>,
    home: Vec<Bar>,
}

/// A cap of the home.
#[derive(Serialize)]
struct Bar {
    unit: &'static str,
    cap: u64,
    left: u64,
    /// Whether the run may need more than is left.
    in_the_way: bool,
}

pub(super) fn show(
    args: &Args,
    config: &Config,
    place: &Place,
    question: &Question,
    as_json: bool,
) -> Result<Code, Failure> {
    let store = place.home.as_ref().map(Store::open_existing).transpose()?.flatten();
    let open = match store.as_ref().filter(|_| !args.again) {
        Some(store) => standalone::open_runs(store, question)?.into_iter().next(),
        None => None,
    };
    let table = match &open {
        Some(run) => solve::table_of(run, config, (&args.calls, &args.solvers), place)?,
        None => solve::table(config, &args.calls, place)?,
    };
    let run = match &open {
        Some(run) => run.clone(),
        None => Run::open(solve::opened(question.request.clone(), question.footer, &table)?)
            .map_err(|error| Failure::of(Code::Failure, &error))?,
    };
    let forecast = forecast(&table, &run, open.is_some());
    let home = bars(&forecast, config, store.as_ref())?;
    let forecast = Forecast { home, ..forecast };
    if as_json {
        say::json(COMMAND, Code::Done, json!({"dry_run": forecast, "cast": table.members}));
        return Ok(Code::Done);
    }
    tell(&forecast, &table, place);
    Ok(Code::Done)
}

/// How often each role is asked when nothing fails.
fn turns(role: &Role) -> usize {
    // Everybody else answers, or criticises, a first and a revised answer.
    if role.as_str() == PLANNER { 1 } else { 2 }
}

fn forecast(table: &Table, run: &Run, is_open: bool) -> Forecast {
    let limits = &table.bounds.limits;
    let caps = Caps::of(limits);
    let left = forecast::left(caps, Some(run).filter(|_| is_open));
    let asked: usize = table.members.iter().map(|member| turns(&member.role)).sum();
    let said: usize =
        run.turns().iter().map(|turn| turn.readings.len()).sum::<usize>() + run.said().count();
    let attempts = (ATTEMPTS + table.bounds.repairs) as usize;
    let cap = left.calls.map_or(usize::MAX, |calls| calls as usize);
    let calls_at_most = cap.min(asked * attempts);
    let room = forecast::room(table.players.values().map(|agent| agent.as_ref()));
    let (mut prompts, mut bounds): (Vec<Asked>, Vec<Amount>) = (Vec::new(), Vec::new());
    for member in &table.members {
        let Some(agent) = table.players.get(&member.role) else { continue };
        let prompt = Solve.write(run, &forecast::ask(run, first_step(&member.role), &member.role));
        prompts.push(Asked::of(member.role.clone(), member.agent.clone(), &prompt));
        let bound = forecast::most(agent.as_ref(), prompt, room);
        bounds.extend(std::iter::repeat_n(bound, turns(&member.role) * attempts));
    }
    let unpriced = bounds.iter().filter(|bound| bound.cost.is_none()).count().min(calls_at_most);
    let tokens = dearest(bounds.iter().map(|bound| bound.tokens), calls_at_most);
    let priced = dearest(bounds.iter().filter_map(|bound| bound.cost), calls_at_most);
    let priced = left.cost.unwrap_or(u64::MAX).min(priced);
    Forecast {
        run_id: is_open.then(|| run.opened().run.clone()),
        caps,
        calls_without_retries: asked.saturating_sub(said).min(cap),
        calls_at_most,
        tokens_at_most: left.tokens.unwrap_or(u64::MAX).min(tokens),
        cost_at_most: (unpriced == 0).then_some(priced),
        priced_at_most: priced,
        unpriced_calls: u32::try_from(unpriced).unwrap_or(u32::MAX),
        prompts,
        home: Vec::new(),
    }
}

/// The sum of the largest of these, so many of them.
fn dearest(all: impl Iterator<Item = u64>, count: usize) -> u64 {
    let mut all: Vec<u64> = all.collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.into_iter().take(count).fold(0, u64::saturating_add)
}

/// The caps of the home as they would stand: those of its journal, and tighter ones of the configuration.
fn bars(forecast: &Forecast, config: &Config, store: Option<&Store>) -> Result<Vec<Bar>, Failure> {
    let known = store.map(|store| store.usage(HOME_SCOPE)).transpose()?.unwrap_or_default();
    let Configured { calls, tokens, usd } = &config.home;
    let wanted = [
        (CALLS, calls.as_ref().map(|cap| cap.value), forecast.calls_at_most as u64),
        (TOKENS, tokens.as_ref().map(|cap| cap.value), forecast.tokens_at_most),
        (MICRODOLLARS, usd.as_ref().map(|cap| cap.value.0), forecast.priced_at_most),
    ];
    let bar = |(unit, configured, needed): (&'static str, Option<u64>, u64)| {
        let budget = known.iter().find(|budget| budget.unit == unit);
        let stands = budget.and_then(|budget| budget.cap);
        let cap = stands.into_iter().chain(configured).min()?;
        let left = cap.saturating_sub(budget.map_or(0, |budget| budget.used));
        Some(Bar { unit, cap, left, in_the_way: left < needed })
    };
    Ok(wanted.into_iter().filter_map(bar).collect())
}

fn tell(forecast: &Forecast, table: &Table, place: &Place) {
    let Forecast { calls_without_retries: calls, calls_at_most: most, .. } = forecast;
    let cast = cast_of(&table.members);
    match &forecast.run_id {
        Some(run) => say::out(&format!("Would go on with run {run}: {cast}")),
        None => say::out(&format!("Would answer with {cast}")),
    }
    let (tokens, cost) = (forecast.tokens_at_most, forecast.priced_at_most);
    let spent = Spent { tokens, cost, unpriced: forecast.unpriced_calls };
    say::out(&forecast::calls(*calls, *most, spent));
    forecast.prompts.iter().for_each(Asked::tell);
    for cap in caps(forecast.caps) {
        say::out(&format!("  cap of the run: {cap}"));
    }
    for Bar { unit, cap, left, in_the_way } in &forecast.home {
        let (cap, left) = (money::of_unit(unit, *cap), money::of_unit(unit, *left));
        let way = if *in_the_way { "; it may stand in the way" } else { "" };
        say::out(&format!("  cap of the home: {cap}, {left} left{way}"));
    }
    say::out(&format!("  writes a run in {}", place.root.join(HOME).display()));
}

/// The caps of a run in words.
fn caps(caps: Caps) -> Vec<String> {
    let Caps { calls, tokens, cost, time } = caps;
    let all = [
        calls.map(|calls| money::of_unit(CALLS, calls.into())),
        tokens.map(|tokens| money::of_unit(TOKENS, tokens)),
        cost.map(|cost| money::of_unit(MICRODOLLARS, cost)),
        time.map(|time| format!("{} s", time.unsigned_abs() / 1_000_000)),
    ];
    all.into_iter().flatten().collect()
}
