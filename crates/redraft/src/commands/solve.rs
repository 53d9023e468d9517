//! `redraft solve`: an answer, criticised from six sides, with what it takes for granted and what is wrong with it.
//!
//! Invariant: the response is printed in every case that has one, whatever the exit code says.
//! Absent here: playing the run; see `crate::solve`.

mod asking;
mod dry_run;
mod telling;

use super::{
    block_on, configured,
    going_on::{self, Begin, Ready, left_open},
    review::home_caps,
};
use crate::{
    clock,
    config::{CallFlags, Config, Flags, SolverFlags},
    display::{self, Line},
    events::Face,
    exit::{Code, Failure},
    play::Caps,
    players::OFFLINE,
    say,
    solve::{self, Question, Table, claiming},
    standalone::{self, Claimed, Place},
};
use redraft_engine::{Cancel, Events, Rest};
use redraft_loop::{Opened, Run, Time};
use redraft_store::Store;
use redraft_workflows::solve::settings;
use std::path::Path;

/// Answer a question: plan, write, criticise from six sides, revise at most once
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The question; @FILE reads it from a file, `-` from stdin
    #[arg(required_unless_present = "resume")]
    prompt: Option<String>,
    /// What the answer has to keep to, word for word; may be given several times
    #[arg(long = "constraint", short = 'c', value_name = "TEXT")]
    constraints: Vec<String>,
    /// The form of the answer, such as `json` or `a Markdown table`
    #[arg(long, value_name = "FORM")]
    output_format: Option<String>,
    /// What the answer may rest on: a text, or @FILE
    #[arg(long, value_name = "TEXT|@FILE")]
    context: Option<String>,
    /// Leave the footer with assumptions and known issues out
    #[arg(long)]
    no_footer: bool,
    #[command(flatten)]
    solvers: SolverFlags,
    /// Open a new run, and pay for it, where an interrupted command has left one of this question open
    #[arg(long)]
    again: bool,
    /// Go on with this run; the beginning of its id is enough
    #[arg(long, value_name = "RUN", conflicts_with_all = ["prompt", "constraints", "output_format", "context", "no_footer", "again"])]
    resume: Option<String>,
    /// Show what would be called, and do nothing
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    /// Print each fact of the run as a line of JSON once it is durable, and the result as the last line
    #[arg(long, conflicts_with = "dry_run")]
    events: bool,
    #[command(flatten)]
    calls: CallFlags,
}

const COMMAND: &str = "solve";

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let face = Face::of(args.events, as_json);
    face.ended(COMMAND, solved(args, face))
}

fn solved(args: &Args, face: Face) -> Result<Code, Failure> {
    let here = Path::new(".");
    let flags =
        Flags { calls: args.calls.clone(), solvers: args.solvers.clone(), ..Flags::default() };
    let config = configured(here, &flags)?;
    let place = standalone::place(here)?;
    let begin = match &args.resume {
        Some(id) => named(args, &config, &place, id)?,
        None => {
            let question = asking::question(args, &config)?;
            if args.dry_run {
                return dry_run::show(args, &config, &place, &question, face.is_quiet());
            }
            match left_open(&place, &question, args.again)? {
                Some(claimed) => go_on(args, &config, &place, claimed)?,
                None => new(args, &config, &place, question)?,
            }
        }
    };
    let (rest, run) = match begin {
        Begin::Decided(run, rest, _) => {
            face.replay(&place, &run)?;
            (rest, *run)
        }
        Begin::Play(ready) => played(&config, *ready, face)?,
    };
    super::together::settle_programs();
    Ok(telling::tell(&rest, &run, &config, face))
}

/// The run that somebody names.
fn named(args: &Args, config: &Config, place: &Place, id: &str) -> Result<Begin<Table>, Failure> {
    let (home, store) = going_on::journal_of(place, id)?;
    go_on(args, config, place, claiming::named(home, &store, id)?)
}

fn go_on(
    args: &Args,
    config: &Config,
    place: &Place,
    claimed: Claimed,
) -> Result<Begin<Table>, Failure> {
    Begin::again(claimed, |run| {
        let table = solve::table_of(run, config, (&args.calls, &args.solvers), place)?;
        if table.raised.time.is_none() {
            telling::time_is_over(run);
        }
        Ok(table)
    })
}

/// When the same command goes on with a run that is interrupted.
fn later(playing: &Result<Opened, Run>, raised: Caps) -> String {
    let (from, time) = match playing {
        Ok(opened) => (opened.at, opened.shape.limits.time),
        Err(_) => (clock::now(), raised.time),
    };
    let until = time.map(|time| Time(from.0.saturating_add(time)));
    let until = until.or(playing.as_ref().err().and_then(Run::goes_on_until));
    until.map_or("later".to_owned(), |until| format!("until {}", clock::told(until)))
}

/// A new run; a home is made for it only when nothing is missing.
fn new(
    args: &Args,
    config: &Config,
    place: &Place,
    question: Question,
) -> Result<Begin<Table>, Failure> {
    let table = solve::table(config, &args.calls, place)?;
    let opened = solve::opened(question.request, question.footer, &table)?;
    let home = place.made()?;
    let guard = claiming::lock(&home, &opened)?;
    Ok(Begin::Play(Box::new(Ready { run: Ok(opened), table, home, guard })))
}

/// The project's prompts that a run was opened with, whatever stands in their files now.
fn prompts_it_keeps(run: &Run) -> String {
    let names = settings(run).map(|kept| kept.prompts.into_keys().collect::<Vec<_>>());
    names.unwrap_or_default().join(", ")
}

/// Drives the run as its one driver, with somebody watching who may interrupt.
fn played(config: &Config, ready: Ready<Table>, face: Face) -> Result<(Rest, Run), Failure> {
    let Ready { run, table, home, guard: _guard } = ready;
    if table.writer == OFFLINE {
        say::err(
            "The offline agent writes: sentences of the context, word for word. Configure a model for more.",
        );
    }
    let own = match &run {
        Ok(_) => table.prompts_of_project().join(", "),
        Err(run) => prompts_it_keeps(run),
    };
    if !own.is_empty() {
        say::err(&format!("prompts of this project are used: {own}"));
    }
    let store = Store::open(&home)?;
    let opened = match &run {
        Ok(opened) => opened,
        Err(run) => run.opened(),
    };
    let line = Line { subject: opened.subject.clone(), name: COMMAND.to_owned() };
    let later = later(&run, table.raised);
    let (events, cancel) = (Events::new(256), Cancel::default());
    let following = face.follow(&store, &opened.run, &events)?;
    let played = block_on(async {
        home_caps::hold(&store, config).await?;
        let screen = display::show(&events, vec![line], face.is_quiet());
        let signals = tokio::spawn(display::listen_for_stop(cancel.clone(), screen.live(), later));
        let played = solve::play(&store, run, &table, &events, &cancel).await;
        signals.abort();
        drop(events);
        screen.finish().await;
        played
    });
    following.finish(played)
}
