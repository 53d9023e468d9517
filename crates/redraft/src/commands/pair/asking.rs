//! What is wanted, out of arguments, environment and repository.
//!
//! Invariant: what cannot be done is refused before anything is made or paid for.
//! Absent here: which run it becomes.

use super::Args;
use crate::{
    commands::{block_on, given::given_or_stdin, review::planning},
    config::{Config, PairFlags},
    exit::Failure,
    pair::{self, Order},
    say,
    standalone::Place,
};
use redraft_agents::worktree::{self, Budget, Root};
use redraft_workflows::pair::Repository;

/// What the pair without a model does where nobody says (contract §4).
const MOCK_TASK: &str = "add a README section";

/// What a command wants.
pub(super) fn order(args: &Args, config: &Config, place: &Place) -> Result<Order, Failure> {
    let task = task(args)?;
    if task.trim().is_empty() {
        return Err(Failure::usage("the task is empty").help("say what is to be done"));
    }
    if let Some(check) = args.checks.iter().find(|check| check.trim().is_empty()) {
        return Err(Failure::usage(format!("--check {check:?}: no command")));
    }
    let plain = |name: &Option<String>| name.as_ref().map(|name| planning::plain(config, name));
    let said =
        PairFlags { architect: plain(&args.who.architect), builder: plain(&args.who.builder) };
    let repository = match args.mock {
        true => None,
        false => Some(block_on(repository(args, &task))?),
    };
    let (checks, worktrees) = (args.checks.clone(), pair::worktrees(place));
    Ok(Order { task, repository, checks, said, worktrees })
}

fn task(args: &Args) -> Result<String, Failure> {
    match (&args.task, args.mock) {
        (Some(task), _) => given_or_stdin("the task", task),
        (None, true) => Ok(variable("TASK")?.unwrap_or_else(|| MOCK_TASK.to_owned())),
        (None, false) => Ok(String::new()),
    }
}

/// The most turns of the pair without a model: its flag, else what the environment says (contract §4).
pub(super) fn turns(args: &Args) -> Result<Option<u32>, Failure> {
    if args.max_turns.is_some() {
        return Ok(args.max_turns);
    }
    let Some(text) = variable("MAX_TURNS")? else { return Ok(None) };
    let turns = text.trim().parse().ok().filter(|turns| (1..=super::MOST_TURNS).contains(turns));
    turns.and_then(|turns: i64| u32::try_from(turns).ok()).map(Some).ok_or_else(|| {
        let most = super::MOST_TURNS;
        Failure::usage(format!("MAX_TURNS={text}: expected a whole number from 1 to {most}"))
    })
}

fn variable(name: &str) -> Result<Option<String>, Failure> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(Failure::usage(format!("the variable {name} is not UTF-8")))
        }
    }
}

/// The repository at its newest commit, as models are told of it.
async fn repository(args: &Args, task: &str) -> Result<Repository, Failure> {
    let root = Root::find(args.folder()).await?;
    // A hint alone: where git cannot tell, nothing depends on it.
    if let Ok(dirty @ 1..) = root.uncommitted().await {
        let files = say::count(dirty, "file");
        say::err(&format!("{files} changed and not committed: the pair does not see that"));
    }
    Ok(worktree::told(&root, "HEAD", task, Budget::USUAL).await?)
}
