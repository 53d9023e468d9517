//! What a pair hands over, and where it goes: the user's files, a branch, or nowhere.
//!
//! Invariant: the user's files are changed only where the pair converged and the change applies cleanly as a whole.
//! Absent here: printing.

use super::Args;
use crate::{
    commands::block_on,
    exit::Failure,
    pair::{self, Status},
    standalone::Place,
};
use redraft_agents::worktree::{Applied, Branched, Root, apply, branch, check_branch};
use redraft_engine::Rest;
use redraft_loop::Run;
use redraft_store::{LockGuard, Wait};
use redraft_workflows::pair::{Repository, Turn, handed_over, settings};
use serde::Serialize;
use std::future::Future;

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
pub(super) fn check(
    args: &Args,
    place: &Place,
    repository: Option<&Repository>,
) -> Result<(), Failure> {
    let (Some(name), Some(repository)) = (&args.branch, repository) else { return Ok(()) };
    block_on(async {
        let root = pair::root_of(repository, &place.from).await?;
        Ok(check_branch(&root, name).await?)
    })
}

/// Brings the change where the command wants it. What cannot be done is told, and the change is printed all the same.
pub(super) fn hand_over(args: &Args, place: &Place, rest: &Rest, run: &Run) -> HandedOver {
    let mut over = HandedOver {
        status: Status::of(rest),
        handed: handed_over(run),
        applied: None,
        branch: None,
    };
    let Some(kept) = settings(run) else { return over };
    let (Some(repository), Some(handed)) = (&kept.repository, &over.handed) else {
        // Nothing was built, or there is nothing that it could be put into.
        let nothing = || Went::Not("there is no change of a repository".to_owned());
        over.applied = args.apply.then(nothing);
        over.branch = args.branch.as_ref().map(|_| nothing());
        return over;
    };
    let wishes = Wishes { place, repository, diff: &handed.diff };
    if args.apply {
        over.applied = Some(match over.status == Status::Converged {
            true => went(wishes.applied()),
            false => Went::Not("the pair has not converged".to_owned()),
        });
    }
    if let Some(name) = &args.branch {
        // The same command goes on with an open run, and would find the branch taken.
        over.branch = Some(match run.decision() {
            Some(_) => went(wishes.branched(name, &kept.task)),
            None => Went::Not("the run is not decided yet".to_owned()),
        });
    }
    over
}

fn went(wish: impl Future<Output = Result<Went, Failure>>) -> Went {
    block_on(wish).unwrap_or_else(|failure| Went::Not(failure.message))
}

/// A change, and where it could go.
struct Wishes<'a> {
    place: &'a Place,
    repository: &'a Repository,
    diff: &'a str,
}

/// The lock under which changes are handed over: two at once could undo each other.
const HANDING_OVER: &str = "hand-over";

impl Wishes<'_> {
    async fn root(&self) -> Result<Root, Failure> {
        pair::root_of(self.repository, &self.place.from).await
    }

    fn lock(&self) -> Result<LockGuard, Failure> {
        Ok(self.place.made()?.lock(HANDING_OVER, Wait::Forever)?)
    }

    async fn applied(&self) -> Result<Went, Failure> {
        let (root, _alone) = (self.root().await?, self.lock()?);
        let folder = root.folder.display();
        Ok(match apply(&root, self.diff).await? {
            Applied::Now => Went::There(folder.to_string()),
            Applied::AlreadyThere => Went::There(format!("{folder}, which had it before")),
            Applied::Nothing => Went::There(format!("{folder}; there is nothing to change")),
            Applied::Refused(why) => Went::Not(why),
        })
    }

    async fn branched(&self, name: &str, task: &str) -> Result<Went, Failure> {
        let (root, _alone) = (self.root().await?, self.lock()?);
        let made = branch(&root, &self.repository.commit, self.diff, name, task).await?;
        Ok(match made {
            Branched::Now(commit) => Went::There(format!("{name} at {commit}")),
            Branched::AlreadyThere(commit) => {
                Went::There(format!("{name} at {commit}, which was there before"))
            }
            Branched::Nothing => Went::Not("there is nothing to change".to_owned()),
        })
    }
}
