//! `redraft pair`: an architect and a builder change a repository in bounded turns.
//!
//! Invariant: the diff is printed in every case that has one, and the status is the last line, whatever the exit code
//! says. The user's files are changed by `--apply` alone.
//! Absent here: playing the run; see `crate::pair`.

mod asking;
mod dry_run;
mod handing;
mod telling;

use super::{
    block_on, configured,
    going_on::{self, Begin, Ready, left_open},
    review::{home_caps, planning},
};
use crate::{
    config::{CallFlags, Config, Flags, PairFlags},
    display::{self, Line},
    episode::new_run_id,
    events::Face,
    exit::{Code, Failure},
    pair::{self, Allowed, Order, Playing, Table},
    say,
    standalone::{self, Claimed, Place},
};
use redraft_agents::worktree::Root;
use redraft_engine::{Cancel, Events, Rest};
use redraft_loop::{Opened, Run};
use redraft_store::{Home, LockGuard, Store};
use redraft_workflows::pair::{NAME, Repository, Settings, settings, settings_of};
use std::path::{Path, PathBuf};

/// Change a repository: an architect proposes, criticises and verifies, a builder implements
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What is to be done; @FILE reads it from a file, `-` from stdin
    #[arg(required_unless_present_any = ["resume", "mock"])]
    task: Option<String>,
    /// A folder of the repository [default: this one]
    #[arg(long, value_name = "DIR", conflicts_with = "mock")]
    repo: Option<PathBuf>,
    /// The most turns [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_TURNS))]
    max_turns: Option<u32>,
    #[command(flatten)]
    who: PairFlags,
    /// A command that has to pass, run by `sh` in the builder's worktree; may be given several times
    #[arg(long = "check", value_name = "COMMAND", conflicts_with = "mock")]
    checks: Vec<String>,
    /// Play both sides without network, key or repository; TASK and MAX_TURNS are read from the environment where they
    /// are not given
    #[arg(long, conflicts_with_all = ["architect", "builder"])]
    mock: bool,
    /// Change the files of the repository where the pair converges and the change applies cleanly
    #[arg(long, conflicts_with = "mock")]
    apply: bool,
    /// Put what is handed over on a new branch, as one commit
    #[arg(long, value_name = "NAME", conflicts_with = "mock")]
    branch: Option<String>,
    /// Open a new run, and pay for it, where an interrupted command has left one of this task open
    #[arg(long)]
    again: bool,
    /// How often a call that was cut off by a crash may be asked again [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "mock")]
    ask_again: Option<u32>,
    /// Go on with this run, or hand over what it has; the beginning of its id is enough
    #[arg(long, value_name = "RUN", conflicts_with_all = ["task", "checks", "mock", "again"])]
    resume: Option<String>,
    /// Print each fact of the run as a line of JSON once it is durable, and the result as the last line
    #[arg(long)]
    events: bool,
    /// Show what would be called, checked and changed, and do nothing
    #[arg(long, conflicts_with_all = ["resume", "events"])]
    dry_run: bool,
    #[command(flatten)]
    calls: CallFlags,
}

impl Args {
    fn folder(&self) -> &Path {
        self.repo.as_deref().unwrap_or(Path::new("."))
    }

    fn allowed(&self) -> Allowed {
        Allowed { turns: self.max_turns, ask_again: self.ask_again }
    }
}

const COMMAND: &str = "pair";

/// When the same command goes on with a run that is interrupted: its time counts only while it is driven.
const LATER: &str = "later";

/// As many turns as reviews may have iterations.
const MOST_TURNS: i64 = 1000;

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let face = Face::of(args.events, as_json);
    face.ended(COMMAND, paired(args, face))
}

fn paired(args: &Args, face: Face) -> Result<Code, Failure> {
    let flags = Flags { calls: args.calls.clone(), pair: args.who.clone(), ..Flags::default() };
    let config = configured(args.folder(), &flags)?;
    let place = standalone::place(args.folder())?;
    let begin = match &args.resume {
        Some(id) => named(args, &config, &place, id)?,
        None => {
            let order = asking::order(args, &config, &place)?;
            if args.dry_run {
                handing::check(args, &place, order.repository.as_ref())?;
                return dry_run::show(args, &config, &place, order, face);
            }
            match left_open(&place, &order, args.again)? {
                Some(claimed) => go_on(args, &config, &place, claimed)?,
                None => {
                    handing::check(args, &place, order.repository.as_ref())?;
                    new(args, &config, &place, order)?
                }
            }
        }
    };
    let (rest, run, guard) = match begin {
        Begin::Decided(run, rest, guard) => {
            tell_ignored(args, &run);
            face.replay(&place, &run)?;
            (rest, *run, guard)
        }
        Begin::Play(ready) => played(&config, &place, *ready, face)?,
    };
    super::together::settle_programs();
    let over = handing::hand_over(args, &place, &rest, &run);
    let code = telling::tell(&rest, &run, &over, &config, face);
    tidy(&run, &place);
    drop(guard);
    Ok(code)
}

/// What is said of a run that is decided changes nothing any more.
fn tell_ignored(args: &Args, run: &Run) {
    let PairFlags { architect, builder } = &args.who;
    let plays_on = args.max_turns.is_some() || args.ask_again.is_some();
    if args.resume.is_some() && (plays_on || architect.is_some() || builder.is_some()) {
        let id = &run.opened().run;
        say::err(&format!(
            "run {id} is decided, and nobody plays on: a run with more turns or other agents is a new one, without --resume"
        ));
    }
}

/// Takes away the worktree of a decided run, now that its change is handed over: while it stands, the same command knows
/// that there is something to hand over.
fn tidy(run: &Run, place: &Place) {
    let kept = settings(run).filter(|_| run.decision().is_some());
    let Some(repository) = kept.and_then(|kept| kept.repository) else { return };
    if let Err(failure) = block_on(pair::handed_over(&repository, place, &run.opened().run)) {
        say::err(&format!("the worktree stays for now: {}", failure.message));
    }
}

/// The run that somebody names.
fn named(args: &Args, config: &Config, place: &Place, id: &str) -> Result<Begin<Table>, Failure> {
    let (home, store) = going_on::journal_of(place, id)?;
    let run = standalone::named(&store, id, NAME)?;
    check_repository(args, &run)?;
    let run = run.opened().run.clone();
    let guard = pair::lock(home, &run).map_err(standalone::busy)?;
    let run = standalone::stored(&store, &run)?;
    go_on(args, config, place, Claimed { run, home: home.clone(), guard })
}

/// A run stays with its repository; one that has moved is found where the command says.
fn check_repository(args: &Args, run: &Run) -> Result<(), Failure> {
    let kept = settings(run).and_then(|kept| kept.repository);
    let (Some(folder), Some(kept)) = (&args.repo, kept) else { return Ok(()) };
    let (named, then) = block_on(async {
        let kept = Root::find(Path::new(&kept.folder)).await;
        Ok((Root::find(folder).await.ok(), kept.ok()))
    })?;
    match (named, then) {
        (Some(named), Some(then)) if named.folder != then.folder => {
            let (id, named) = (&run.opened().run, named.folder.display());
            Err(Failure::usage(format!(
                "run {id} is of the repository {}, not of {named}",
                then.folder.display()
            ))
            .help("leave --repo out, or name that one"))
        }
        _ => Ok(()),
    }
}

fn go_on(
    args: &Args,
    config: &Config,
    place: &Place,
    claimed: Claimed,
) -> Result<Begin<Table>, Failure> {
    Begin::again(claimed, |run| {
        handing::check(args, place, settings(run).and_then(|kept| kept.repository).as_ref())?;
        pair::table_of(run, config, (&args.calls, &args.who), args.allowed(), place)
    })
}

/// A new run; a home is made for it only when nothing is missing.
fn new(args: &Args, config: &Config, place: &Place, order: Order) -> Result<Begin<Table>, Failure> {
    let (opened, table) = opened(args, config, place, order)?;
    let home = place.made()?;
    let guard = pair::lock(&home, &opened.run).map_err(standalone::busy)?;
    Ok(Begin::Play(Box::new(Ready { run: Ok(opened), table, home, guard })))
}

/// A new run as it would be opened, and who plays it.
fn opened(
    args: &Args,
    config: &Config,
    place: &Place,
    order: Order,
) -> Result<(Opened, Table), Failure> {
    let id = new_run_id();
    let table = match args.mock {
        true => pair::mock(asking::turns(args)?, planning::of_flags(&args.calls)),
        false => pair::table(config, &args.calls, args.allowed(), place, &id)?,
    };
    let Order { task, repository, checks, said: _, worktrees: _ } = order;
    let settings = Settings { task, repository, checks, ..Settings::default() };
    Ok((pair::opened(id, settings, &table), table))
}

/// Drives the run as its one driver, with somebody watching who may interrupt.
fn played(
    config: &Config,
    place: &Place,
    ready: Ready<Table>,
    face: Face,
) -> Result<(Rest, Run, LockGuard), Failure> {
    let Ready { run, table, home, guard } = ready;
    let opened = match &run {
        Ok(opened) => opened,
        Err(run) => run.opened(),
    };
    say::err(&format!("run: {}", opened.run));
    let line = Line { subject: opened.subject.clone(), name: COMMAND.to_owned() };
    let kept = settings_of(opened).unwrap_or_default();
    if !kept.prompts.is_empty() {
        let own: Vec<&str> = kept.prompts.keys().map(String::as_str).collect();
        say::err(&format!("prompts of this project are used: {}", own.join(", ")));
    }
    let root = kept.repository;
    let store = Store::open(&home)?;
    let (events, cancel) = (Events::new(256), Cancel::default());
    let following = face.follow(&store, &opened.run, &events)?;
    let played = block_on(async {
        if let Some(repository) = &root {
            clear(repository, place, &home, &store).await;
        }
        home_caps::hold(&store, config).await?;
        let screen = display::show(&events, vec![line], face.is_quiet());
        let signals =
            tokio::spawn(display::listen_for_stop(cancel.clone(), screen.live(), LATER.to_owned()));
        let playing = Playing {
            store: &store,
            place,
            begin: run,
            table: &table,
            events: &events,
            cancel: &cancel,
        };
        let played = pair::play(playing).await;
        signals.abort();
        drop(events);
        screen.finish().await;
        played
    });
    let (rest, run) = following.finish(played)?;
    Ok((rest, run, guard))
}

/// Removes what killed runs have left. What cannot be removed stands in nobody's way.
async fn clear(repository: &Repository, place: &Place, home: &Home, store: &Store) {
    let cleared = match pair::root_of(repository, &place.from).await {
        Ok(root) => pair::clear(&root, home, store).await,
        Err(failure) => Err(failure),
    };
    if let Err(failure) = cleared {
        say::err(&format!("what a killed run has left stays for now: {}", failure.message));
    }
}
