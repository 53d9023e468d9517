//! A builder whose work ends up in the worktree: by a diff in its reply, or by its own hands.
//!
//! Invariant: each call begins at the state of the last durable turn, whatever an earlier call left behind; a change
//! that is refused leaves that state. What the inner agent used is told in any case.
//! Absent here: who the inner agent is, and where a program runs; whoever makes the agent sets its folder.

use super::{
    fault::TreeError,
    git::GitError,
    protected::Protected,
    shared::Watch,
    state::refused,
    tree::{TIDYING, Worktree},
};
use futures::FutureExt;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::{Amount, Failure};
use redraft_workflows::{
    Prompt,
    pair::{Built, DIFF, Outcome, diff_of},
};
use std::{sync::Arc, time::Duration};

/// How a builder works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// It answers with a message that has the change as a diff, as models do.
    Answers,
    /// It edits the files of the worktree, and says what it likes.
    Edits,
}

/// A builder in a worktree. It answers with what [`Built`] says, as JSON.
pub struct InWorktree {
    inner: Arc<dyn Agent>,
    work: Work,
    tree: Arc<Worktree>,
    rules: Protected,
    patience: Option<Duration>,
    watch: Watch,
}

impl InWorktree {
    /// This agent, at work in this worktree, kept from what the rules protect.
    pub fn new(inner: Arc<dyn Agent>, work: Work, tree: Arc<Worktree>, rules: Protected) -> Self {
        Self { inner, work, tree, rules, patience: None, watch: Watch::default() }
    }

    /// The same, where the inner agent takes so long for one call, which is another time than for others.
    #[must_use]
    pub fn for_as_long_as(self, patience: Option<Duration>) -> Self {
        Self { patience, ..self }
    }

    async fn build(&self, call: &Call) -> Result<Answer, NoAnswer> {
        let state = call.prompt.part(DIFF).unwrap_or_default();
        let set = self.tree.reset_to(state).await;
        set.map_err(|error| failed(&error).before_it_left())?;
        if self.work == Work::Edits {
            let watched = self.watch.begin(&self.tree).await;
            watched.map_err(|error| failed(&error).before_it_left())?;
        }
        let answer = self.inner.answer(call).await?;
        let outcome = match self.work {
            Work::Answers => self.told(call, &answer.text, state).await,
            Work::Edits => self.edited(state).await,
        };
        let built = |outcome| Built {
            reply: answer.text.clone(),
            prose: self.work == Work::Edits,
            outcome,
        };
        let written = outcome.map_err(|error| failed(&error)).and_then(|outcome| {
            serde_json::to_string(&built(outcome)).map_err(|error| {
                AttemptError::new(Failure::Permanent, format!("the builder's report: {error}"))
            })
        });
        match written {
            Ok(text) => Ok(Answer { text, ..answer }),
            Err(error) => Err(NoAnswer::Failed(AttemptError {
                usage: answer.usage,
                cost: answer.cost,
                served: answer.served,
                ..error
            })),
        }
    }

    /// What became of the diff in a reply. One that is not as asked for is refused by its reader, in better words.
    async fn told(&self, call: &Call, reply: &str, state: &str) -> Result<Outcome, TreeError> {
        let shown: Vec<&str> = call.prompt.parts.iter().map(|part| &*part.text).collect();
        match diff_of(reply, &shown) {
            Some(diff) => self.tree.take(&diff, state, &self.rules).await,
            None => Ok(Outcome::Refused("the reply has no diff".to_owned())),
        }
    }

    /// What became of the files.
    async fn edited(&self, state: &str) -> Result<Outcome, TreeError> {
        let outcome = match self.watch.end(&self.tree).await? {
            Ok(()) => self.tree.changed(&self.rules).await?,
            Err(refusal) => refused(&refusal),
        };
        if let Outcome::Refused(_) = outcome {
            self.tree.reset_to(state).await?;
        }
        Ok(outcome)
    }
}

impl Agent for InWorktree {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        self.build(call).boxed()
    }

    fn costs_nothing(&self) -> bool {
        self.inner.costs_nothing()
    }

    fn patience(&self) -> Option<Duration> {
        let inner = self.patience.or(self.inner.patience());
        inner.map(|patience| patience.saturating_add(TIDYING))
    }

    fn bound(&self, prompt: &Prompt) -> Amount {
        self.inner.bound(prompt)
    }
}

/// The attempt that failed because there is no worktree to work in.
pub(super) fn failed(error: &TreeError) -> AttemptError {
    let failure = match error {
        TreeError::Git(GitError::Late { .. }) => Failure::Timeout,
        TreeError::Git(_)
        | TreeError::NoFolder { .. }
        | TreeError::NoRepository { .. }
        | TreeError::Bare { .. }
        | TreeError::NoCommit { .. }
        | TreeError::NoSuchCommit { .. }
        | TreeError::Foreign { .. }
        | TreeError::Recorded { .. }
        | TreeError::BranchName { .. }
        | TreeError::BranchTaken { .. }
        | TreeError::NoIdentity { .. }
        | TreeError::File { .. } => Failure::Permanent,
    };
    AttemptError::new(failure, error.to_string())
}
