//! The checks: commands of the user's, run in the worktree on a builder's change.
//!
//! Invariant: each check sees the change as it is recorded, whatever an earlier one did to tracked files, and when all
//! have run the worktree holds that change again; no process of theirs outlives them.
//! Absent here: what a failing check leads to.

use super::{
    builder::failed,
    shared::Watch,
    tree::{TIDYING, Worktree},
    visible::{tail, visible},
};
use crate::command::{Ending, Heard, Shell};
use futures::FutureExt;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::Failure;
use redraft_workflows::pair::{CheckResult, Checked, DIFF};
use serde::Deserialize;
use std::{
    ffi::OsString,
    sync::Arc,
    time::{Duration, Instant},
};

/// How much of the end of a check's output is told.
const TAIL_LINES: usize = 64;
const TAIL_BYTES: usize = 8 << 10;

/// What is told of one check at most, with room for its command and how it ended, in bytes.
pub const LONGEST_TAIL: usize = 2 * TAIL_BYTES;

/// The most processes of one check; builds start a few for each processor.
const MAX_PROCESSES: usize = 2_048;

/// Says to a check who runs it.
const RUN_BY: (&str, &str) = ("REDRAFT_PAIR", "1");

/// Runs the checks of a run. It answers with what [`Checked`] says, as JSON.
pub struct Checks {
    tree: Arc<Worktree>,
    commands: usize,
    limit: Duration,
    withheld: Vec<String>,
    watch: Watch,
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    checks: Vec<String>,
}

impl Checks {
    /// So many checks that run in this worktree, each for so long at most. They see the user's environment without the
    /// variables that are withheld: a check runs what a builder wrote, which has no use for keys.
    pub fn new(
        tree: Arc<Worktree>,
        commands: usize,
        limit: Duration,
        withheld: Vec<String>,
    ) -> Self {
        Self { tree, commands, limit, withheld, watch: Watch::default() }
    }

    async fn check(&self, call: &Call) -> Result<Answer, AttemptError> {
        let permanent = |error: String| AttemptError::new(Failure::Permanent, error);
        let asked: Asked = serde_json::from_str(&call.prompt.request)
            .map_err(|error| permanent(format!("the checks cannot read the prompt: {error}")))?;
        let state = call.prompt.part(DIFF).unwrap_or_default();
        let wrong = |error| failed(&error);
        let tree = self.tree.recorded(state).await.map_err(wrong)?;
        self.tree.set_to(&tree).await.map_err(wrong)?;
        let mut checks = Vec::new();
        for command in asked.checks {
            let changed = format!("git itself was changed while the check {command:?} ran");
            self.watch.begin(&self.tree).await.map_err(wrong)?;
            checks.push(self.run(command).await?);
            let watched = self.watch.end(&self.tree).await.map_err(wrong)?;
            watched.map_err(|refusal| permanent(format!("{changed}: {refusal}")))?;
            self.tree.restore(&tree).await.map_err(wrong)?;
        }
        self.tree.set_to(&tree).await.map_err(wrong)?;
        let text = serde_json::to_string(&Checked { checks })
            .map_err(|error| permanent(format!("the checks' report: {error}")))?;
        Ok(Answer::text(text))
    }

    async fn run(&self, command: String) -> Result<CheckResult, AttemptError> {
        let shell = Shell {
            line: command.clone(),
            folder: self.tree.place().to_owned(),
            env: self.environment(),
            limit: self.limit,
            max_processes: MAX_PROCESSES,
            // A sign may take the place of a byte, never the other way round.
            last_bytes: TAIL_BYTES,
        };
        let begun = Instant::now();
        let heard = shell.run().await?;
        let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(result(command, &heard, millis))
    }

    /// The user's environment, without what is withheld and what would lead git elsewhere.
    fn environment(&self) -> Vec<(OsString, OsString)> {
        let kept = |name: &OsString| {
            !name.as_encoded_bytes().starts_with(b"GIT_")
                && !self.withheld.iter().any(|withheld| name == withheld.as_str())
        };
        let ours = std::env::vars_os().filter(|(name, _)| kept(name));
        ours.chain([(RUN_BY.0.into(), RUN_BY.1.into())]).collect()
    }
}

impl Agent for Checks {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        self.check(call).map(|result| result.map_err(NoAnswer::from)).boxed()
    }

    fn costs_nothing(&self) -> bool {
        true
    }

    /// All of them are one call.
    fn patience(&self) -> Option<Duration> {
        let commands = u32::try_from(self.commands).unwrap_or(u32::MAX);
        Some(self.limit.saturating_mul(commands).saturating_add(TIDYING))
    }
}

fn result(command: String, heard: &Heard, millis: u64) -> CheckResult {
    let text = visible(&String::from_utf8_lossy(&heard.last));
    let tail = tail(&text, TAIL_LINES, TAIL_BYTES);
    let (exit, timed_out, note) = match &heard.ending {
        Ending::Exited(code) => (Some(*code), false, None),
        Ending::Signalled(how) => (None, false, Some(how.clone())),
        Ending::Late => (None, true, None),
        Ending::Outgrown => {
            let note = format!("had more than {MAX_PROCESSES} processes and was ended");
            (None, false, Some(note))
        }
    };
    let note = note.map(|note| format!("[{note}]\n")).unwrap_or_default();
    CheckResult { command, exit, timed_out, tail: format!("{tail}{note}"), millis }
}
