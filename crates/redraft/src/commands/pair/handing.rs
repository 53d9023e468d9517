//! What a pair hands over, and where it goes: the user's files, a branch, or nowhere.
//!
//! Invariant: the user's files are changed only where the pair converged and the change applies cleanly as a whole.
//! Absent here: printing.

use super::Args;
use crate::{commands::block_on, exit::Failure, pair::Status};
use redraft_agents::worktree::{Applied, Branched, Root, apply, branch, check_branch};
use redraft_engine::Rest;
use redraft_loop::Run;
use redraft_workflows::pair::{Repository, Turn, handed_over, settings};
use serde::Serialize;
use std::{future::Future, path::Path};

/// What was handed over, and where it went.
pub(super) struct HandedOver {
    pub(super) status: Status,
    pub(super) handed: Option<Turn>,
    pub(super) applied: Option<Went>,
    pub(super) branch: Option<Went>,
}

/// What became of a wish to have the change somewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Went {
    /// It is there now; the words tell where.
    There(String),
    /// It is not, and why.
    Not(String),
}

/// Refuses a wish that cannot come true, before anybody is paid.
pub(super) fn check(args: &Args, repository: Option<&Repository>) -> Result<(), Failure> {
    let (Some(name), Some(repository)) = (&args.branch, repository) else { return Ok(()) };
    block_on(async {
        let root = root(repository).await?;
        Ok(check_branch(&root, name).await?)
    })
}

async fn root(repository: &Repository) -> Result<Root, Failure> {
    Ok(Root::find(Path::new(&repository.folder)).await?)
}

/// Brings the change where the command wants it. What cannot be done is told, and the change is printed all the same.
pub(super) fn hand_over(args: &Args, rest: &Rest, run: &Run) -> HandedOver {
    let status = Status::of(rest);
    let handed = handed_over(run);
    let mut over = HandedOver { status, handed, applied: None, branch: None };
    let Some(settings) = settings(run) else { return over };
    let (Some(repository), Some(handed)) = (&settings.repository, &over.handed) else {
        return over;
    };
    let diff = &handed.diff;
    if args.apply {
        over.applied = Some(match status {
            Status::Converged => went(applied(repository, diff)),
            Status::NoImprovement
            | Status::MaxTurns
            | Status::Budget
            | Status::Failed
            | Status::Invalid
            | Status::Waiting
            | Status::Interrupted => Went::Not("the pair has not converged".to_owned()),
        });
    }
    if let Some(name) = &args.branch {
        over.branch = Some(went(branched(repository, diff, name, &settings.task)));
    }
    over
}

fn went(wish: impl Future<Output = Result<Went, Failure>>) -> Went {
    block_on(wish).unwrap_or_else(|failure| Went::Not(failure.message))
}

async fn applied(repository: &Repository, diff: &str) -> Result<Went, Failure> {
    let folder = &repository.folder;
    let applied = apply(&root(repository).await?, diff).await?;
    Ok(match applied {
        Applied::Now => Went::There(folder.clone()),
        Applied::AlreadyThere => Went::There(format!("{folder}, which had it before")),
        Applied::Nothing => Went::There(format!("{folder}; there is nothing to change")),
        Applied::Refused(why) => Went::Not(why),
    })
}

async fn branched(
    repository: &Repository,
    diff: &str,
    name: &str,
    task: &str,
) -> Result<Went, Failure> {
    let root = root(repository).await?;
    let made = branch(&root, &repository.commit, diff, name, task).await?;
    Ok(match made {
        Branched::Now(commit) => Went::There(format!("{name} at {commit}")),
        Branched::AlreadyThere(commit) => {
            Went::There(format!("{name} at {commit}, which was there before"))
        }
        Branched::Nothing => Went::Not("there is nothing to change".to_owned()),
    })
}
