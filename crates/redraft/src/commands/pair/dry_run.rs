//! What a pair would call, cost, check and change at most; and nothing is done.
//!
//! Absent here: the bound itself; see `crate::commands::forecast`.

use super::{Args, COMMAND, opened};
use crate::{
    commands::forecast::{Expected, Forecast, Turns, open_run, room},
    config::Config,
    events::Face,
    exit::{Code, Failure},
    pair::{self, Order, Table},
    play::{Caps, cast_of},
    say,
    standalone::Place,
};
use redraft_agents::worktree::LONGEST_TAIL;
use redraft_loop::{Player, Run};
use redraft_workflows::pair::{BUILDER, Pair, Settings, messages, settings};
use serde_json::{Value, json};

pub(super) fn show(
    args: &Args,
    config: &Config,
    place: &Place,
    order: Order,
    face: Face,
) -> Result<Code, Failure> {
    let (store, open) = open_run(place, &order, args.again)?;
    let is_open = open.is_some();
    let (run, table) = match open {
        Some(run) => {
            let who = (&args.calls, &args.who);
            let table = pair::table_of(&run, config, who, args.allowed(), place)?;
            (run, table)
        }
        None => {
            let (opened, table) = opened(args, config, place, order)?;
            let run = Run::open(opened).map_err(|error| Failure::of(Code::Failure, &error))?;
            (run, table)
        }
    };
    let settings = settings(&run).unwrap_or_default();
    let expected = expected(&table, &run, is_open, &settings);
    let forecast = Forecast::of(&expected, config, store.as_ref())?;
    match face {
        Face::Words => tell(args, place, &table, &forecast, &settings),
        Face::Document | Face::Events => {
            face.result(COMMAND, Code::Done, fields(args, place, &table, &forecast, &settings));
        }
    }
    Ok(Code::Done)
}

fn expected<'a>(
    table: &'a Table,
    run: &'a Run,
    is_open: bool,
    settings: &Settings,
) -> Expected<'a> {
    let rounds = table.limits.rounds as usize;
    let shape = &run.opened().shape;
    let once = shape.opening.iter().map(|step| (step, 1));
    let steps = once.chain(shape.repeating.iter().map(|step| (step, rounds)));
    let turns = steps.filter_map(|(step, times)| {
        let Player::Agent(role) = &step.player else { return None };
        let member = table.members.iter().find(|member| member.role == *role)?;
        let agent = if role.as_str() == BUILDER { &table.builder } else { &table.architect };
        Some(Turns { member, agent: agent.as_ref(), step: step.id.clone(), times })
    });
    // A prompt holds a proposal and a critique, or a change and what it replaces, and findings of every turn.
    let texts = std::iter::repeat_n([&table.architect, &table.builder], rounds.saturating_add(2));
    let texts = texts.flatten().map(|agent| agent.as_ref());
    Expected {
        workflow: &Pair,
        run,
        is_open,
        caps: Caps::of(&table.limits),
        turns: turns.collect(),
        said: messages(run).len() + run.said().count(),
        room: room(texts).saturating_add(settings.checks.len() * LONGEST_TAIL),
    }
}

fn fields(
    args: &Args,
    place: &Place,
    table: &Table,
    forecast: &Forecast,
    settings: &Settings,
) -> Value {
    let repository = settings.repository.as_ref();
    json!({
        "dry_run": forecast,
        "cast": table.members,
        "turns": table.limits.rounds,
        "repository": repository.map(|repository| &repository.folder),
        "commit": repository.map(|repository| &repository.commit),
        // The folder that holds the worktree of each run.
        "worktrees": repository.map(|_| pair::worktrees(place)),
        "checks": settings.checks,
        "check_seconds": table.site.check_limit.as_secs(),
        "applies": args.apply,
        "branch": args.branch,
    })
}

fn tell(args: &Args, place: &Place, table: &Table, forecast: &Forecast, settings: &Settings) {
    let (cast, turns) = (cast_of(&table.members), say::count(table.limits.rounds, "turn"));
    match &forecast.run_id {
        Some(run) => say::out(&format!("Would go on with run {run}, {turns} at most: {cast}")),
        None => say::out(&format!("Would play {turns} at most with {cast}")),
    }
    forecast.tell(place);
    let Some(repository) = &settings.repository else { return };
    let (folder, commit) = (&repository.folder, &repository.commit);
    say::out(&format!("  changes {folder} as it is at {commit}"));
    let worktrees = pair::worktrees(place);
    say::out(&format!("  works in a worktree in {}, and removes it", worktrees.display()));
    let limit = table.site.check_limit.as_secs();
    for check in &settings.checks {
        say::out(&format!("  checks each change for at most {limit} s with: {check}"));
    }
    if args.apply {
        say::out(&format!("  changes the files of {folder} where it converges"));
    }
    if let Some(branch) = &args.branch {
        say::out(&format!("  puts what it hands over on the branch {branch}"));
    }
}
