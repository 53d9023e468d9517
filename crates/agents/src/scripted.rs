//! The scripted agent: says what its script says, call by call, and fails loudly when it runs dry.
//!
//! Invariant: it holds no counter. The call's ordinal names the entry, so a resumed run goes on where it was.
//! Absent here: any judgement of what is said; times and ids that a script leaves out are fixed ones.

mod builtin;
mod script;

pub use script::{Script, ScriptError};

use futures::FutureExt;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::Failure;
use std::{fs::OpenOptions, io::Write, path::PathBuf};

/// Plays every role of a run from one script.
#[derive(Debug, Clone)]
pub struct Scripted {
    script: Script,
    log: Option<PathBuf>,
}

impl Scripted {
    /// An agent that plays this script.
    pub fn new(script: Script) -> Self {
        Self { script, log: None }
    }

    /// Also appends one line a call to this file: subject, role, ordinal, attempt. For tests that must know
    /// how often an agent was asked.
    #[must_use]
    pub fn logging_to(self, log: Option<PathBuf>) -> Self {
        Self { log, ..self }
    }

    fn reply(&self, call: &Call) -> Result<Answer, AttemptError> {
        self.note(call)?;
        let text = self.script.reply(call).map_err(permanent)?;
        Ok(Answer::text(text))
    }

    fn note(&self, call: &Call) -> Result<(), AttemptError> {
        let Some(path) = &self.log else { return Ok(()) };
        let line = format!(
            "{} {} ordinal={} attempt={}\n",
            call.subject, call.role, call.ordinal, call.attempt
        );
        let write =
            || OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes());
        write().map_err(|error: std::io::Error| permanent(format!("{}: {error}", path.display())))
    }
}

fn permanent(message: String) -> AttemptError {
    AttemptError::new(Failure::Permanent, message)
}

impl Agent for Scripted {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        std::future::ready(self.reply(call).map_err(Into::into)).boxed()
    }
}
