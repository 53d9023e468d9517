//! `redraft gated`: plan, generate, review and revise by a profile; the engine facilitates, a person decides.
//!
//! Invariant: with `--json` a command prints one document on one line, also where it fails.
//! Absent here: what a step does; see `crate::gated`.

mod deciding;
mod diff;
mod graph;
mod init;
mod list;
mod profiles;
mod providers;
mod status;
mod stepping;
mod telling;

use crate::{
    exit::{Code, Failure},
    gated::{Desk, House},
    say,
};
use std::path::PathBuf;

/// Code by a profile: planned, generated, reviewed and revised, with a person's word at each gate
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Gated {
    Init(Box<init::Args>),
    /// Go on with a session, by at most one transition
    Step(stepping::Args),
    /// Go on with a session until a gate stops it
    Run(stepping::Args),
    Approve(deciding::Approve),
    Reject(deciding::Reject),
    Cancel(deciding::Cancel),
    Status(status::Args),
    Diff(diff::Args),
    List(list::Args),
    Profiles(profiles::Args),
    Providers(providers::Args),
    Graph(graph::Args),
}

impl Gated {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Init(_) => "gated init",
            Self::Step(_) => "gated step",
            Self::Run(_) => "gated run",
            Self::Approve(_) => "gated approve",
            Self::Reject(_) => "gated reject",
            Self::Cancel(_) => "gated cancel",
            Self::Status(_) => "gated status",
            Self::Diff(_) => "gated diff",
            Self::List(_) => "gated list",
            Self::Profiles(_) => "gated profiles",
            Self::Providers(_) => "gated providers",
            Self::Graph(_) => "gated graph",
        }
    }
}

pub(crate) fn run(command: Gated, as_json: bool) -> Result<Code, Failure> {
    let name = command.name();
    let result = match command {
        Gated::Init(args) => init::run(&args, as_json),
        Gated::Step(args) => stepping::step(&args, as_json),
        Gated::Run(args) => stepping::run(&args, as_json),
        Gated::Approve(args) => deciding::approve(&args, as_json),
        Gated::Reject(args) => deciding::reject(&args, as_json),
        Gated::Cancel(args) => deciding::cancel(&args, as_json),
        Gated::Status(args) => status::run(&args, as_json),
        Gated::Diff(args) => diff::run(&args, as_json),
        Gated::List(args) => list::run(&args, as_json),
        Gated::Profiles(args) => profiles::run(&args, as_json),
        Gated::Providers(args) => providers::run(&args, as_json),
        Gated::Graph(args) => graph::run(&args, as_json),
    };
    match result {
        Err(failure) if as_json => Ok(failed(name, &failure)),
        result => result,
    }
}

/// Whether a command of this name is one of these.
pub(crate) fn is_named(command: &str) -> bool {
    command.split(' ').next() == Some("gated")
}

/// Tells a program on one line why a command of this name has failed.
pub(crate) fn failed(command: &str, failure: &Failure) -> Code {
    say::json_line(command, failure.code, say::error_fields(failure));
    failure.code
}

/// Where sessions are kept.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Where {
    /// A folder of the project: the nearest home (.redraft) from it upward keeps the session
    #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
    workspace: PathBuf,
}

impl Where {
    fn house(&self) -> Result<House, Failure> {
        House::find(&self.workspace)?.ok_or_else(|| {
            let at = self.workspace.display();
            Failure::usage(format!("there is no session: no home (.redraft) in or above {at}"))
                .help("begin one: redraft gated init --profile NAME …")
        })
    }

    /// The session of this id, whether or not another process works on it.
    fn look(&self, id: &str) -> Result<Desk, Failure> {
        let house = self.house()?;
        let id = house.named(id)?;
        house.look(&id)
    }

    /// The session of this id, under its lock.
    fn open(&self, id: &str) -> Result<Desk, Failure> {
        let house = self.house()?;
        let id = house.named(id)?;
        house.open(&id)
    }
}
