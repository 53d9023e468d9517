//! What a solve would call and cost at most, and which caps stand in its way; and nothing is done.
//!
//! Absent here: the bound itself; see `crate::commands::forecast`.

use super::{Args, COMMAND};
use crate::{
    commands::forecast::{Expected, Forecast, Turns, open_run, room},
    config::Config,
    exit::{Code, Failure},
    play::{Caps, cast_of},
    say,
    solve::{self, Question, Table},
    standalone::Place,
};
use redraft_loop::{Role, Run};
use redraft_workflows::solve::{PLANNER, Solve, first_step};
use serde_json::json;

pub(super) fn show(
    args: &Args,
    config: &Config,
    place: &Place,
    question: &Question,
    as_json: bool,
) -> Result<Code, Failure> {
    let (store, open) = open_run(place, question, args.again)?;
    let table = match &open {
        Some(run) => solve::table_of(run, config, (&args.calls, &args.solvers), place)?,
        None => solve::table(config, &args.calls, place)?,
    };
    let is_open = open.is_some();
    let run = match open {
        Some(run) => run,
        None => Run::open(solve::opened(question.request.clone(), question.footer, &table)?)
            .map_err(|error| Failure::of(Code::Failure, &error))?,
    };
    let forecast = Forecast::of(&expected(&table, &run, is_open), config, store.as_ref())?;
    if as_json {
        say::json(COMMAND, Code::Done, json!({"dry_run": forecast, "cast": table.members}));
        return Ok(Code::Done);
    }
    let cast = cast_of(&table.members);
    match &forecast.run_id {
        Some(run) => say::out(&format!("Would go on with run {run}: {cast}")),
        None => say::out(&format!("Would answer with {cast}")),
    }
    forecast.tell(place);
    Ok(Code::Done)
}

/// How often each role is asked when nothing fails.
fn times(role: &Role) -> usize {
    // Everybody else answers, or criticises, a first and a revised answer.
    if role.as_str() == PLANNER { 1 } else { 2 }
}

fn expected<'a>(table: &'a Table, run: &'a Run, is_open: bool) -> Expected<'a> {
    let turns = table.members.iter().filter_map(|member| {
        let agent = table.players.get(&member.role)?.as_ref();
        let step = first_step(&member.role);
        Some(Turns { member, agent, step, times: times(&member.role) })
    });
    let answered = run.turns().iter().map(|turn| turn.readings.len()).sum::<usize>();
    Expected {
        workflow: &Solve,
        run,
        is_open,
        caps: Caps::of(&table.bounds.limits),
        turns: turns.collect(),
        said: answered + run.said().count(),
        room: room(table.players.values().map(|agent| agent.as_ref())),
    }
}
