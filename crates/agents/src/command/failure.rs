//! Why a program gave no answer.
//!
//! Invariant: a message names the program, what happened and, where a person can do something, what.
//! Absent here: whether it is tried again; the run's limits say that.

use super::output::Used;
use redraft_engine::{AttemptError, NoAnswer};
use redraft_loop::Failure;
use std::{
    fmt, io, os::unix::process::ExitStatusExt, path::PathBuf, process::ExitStatus, time::Duration,
};

/// A program that gave no answer, and why.
#[derive(Debug, thiserror::Error)]
#[error("{program}: {cause}{}", left(*survivors))]
pub struct CommandError {
    pub(super) program: String,
    #[source]
    pub(super) cause: Cause,
    /// How many of its processes could not be ended.
    pub(super) survivors: usize,
}

/// What happened.
#[derive(Debug, thiserror::Error)]
pub(super) enum Cause {
    #[error("there is no such program{}", then(install.as_deref()))]
    Missing { install: Option<String> },
    #[error("{path} may not be executed; chmod +x allows it", path = path.display())]
    NotExecutable { path: PathBuf },
    #[error("there is no folder {path} to run it in", path = path.display())]
    NoFolder { path: PathBuf },
    #[error("cannot be started: {0}")]
    NotStarted(#[source] io::Error),
    #[error("cannot be listened to: {0}")]
    Pipe(#[source] io::Error),
    #[error("not finished within {} s{}", after.as_secs_f64(), said(words))]
    Late { after: Duration, words: String },
    #[error("wrote more than {cap} bytes, which is all that may be read of it")]
    TooLong { cap: usize },
    #[error("had more than {cap} processes, which is all that it may have")]
    TooMany { cap: usize },
    #[error("{how}{}{}", said(words), then(install.as_deref()))]
    Ended { how: Exit, words: String, install: Option<String> },
    #[error("what it wrote is not UTF-8: byte {at} does not belong to a character")]
    NotText { at: usize },
    #[error("wrote nothing")]
    Silent,
    #[error("what it wrote is not {wanted}: {why}")]
    NotRead { wanted: &'static str, why: String },
    #[error("gave up: {0}")]
    Refused(String),
    #[error("wrote the value of {variable} into its reply, which is not kept")]
    Echo { variable: String },
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    Status(i32),
    Signal(i32),
}

impl Exit {
    pub(super) fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(status), _) => Self::Status(status),
            (None, signal) => Self::Signal(signal.unwrap_or_default()),
        }
    }
}

impl Cause {
    /// The same, in the words of the program's own document where stderr had none.
    pub(super) fn in_the_words_of(self, refusal: Option<&str>) -> Self {
        match (self, refusal) {
            (Self::Ended { how, words, install }, Some(refusal)) if words.is_empty() => {
                Self::Ended { how, words: super::said::last_line(refusal.as_bytes()), install }
            }
            (cause, _) => cause,
        }
    }

    /// Whether the program was never started.
    fn is_before_start(&self) -> bool {
        matches!(
            self,
            Self::Missing { .. }
                | Self::NotExecutable { .. }
                | Self::NoFolder { .. }
                | Self::NotStarted(_)
        )
    }

    fn failure(&self) -> Failure {
        match self {
            Self::Late { .. } => Failure::Timeout,
            Self::Missing { .. }
            | Self::NotExecutable { .. }
            | Self::NoFolder { .. }
            | Self::TooMany { .. }
            | Self::Echo { .. } => Failure::Permanent,
            Self::NotStarted(error) if is_shortage(error) => Failure::Transient,
            Self::NotStarted(_) => Failure::Permanent,
            // What a shell says when there is no such program, or none that can be run.
            Self::Ended { how: Exit::Status(126 | 127), .. } => Failure::Permanent,
            Self::Pipe(_)
            | Self::TooLong { .. }
            | Self::Ended { .. }
            | Self::NotText { .. }
            | Self::Silent
            | Self::NotRead { .. }
            | Self::Refused(_) => Failure::Transient,
        }
    }
}

/// Whether the system lacked something that it may have again soon.
fn is_shortage(error: &io::Error) -> bool {
    use io::ErrorKind::{ExecutableFileBusy, Interrupted, OutOfMemory, WouldBlock};
    matches!(error.kind(), ExecutableFileBusy | Interrupted | OutOfMemory | WouldBlock)
}

impl CommandError {
    /// The failed attempt, with what it used all the same.
    pub(super) fn having(self, used: Used) -> AttemptError {
        let Used { usage, cost, served } = used;
        let attempt = AttemptError::new(self.cause.failure(), self.to_string());
        match self.cause.is_before_start() {
            true => attempt.before_it_left(),
            false => AttemptError { usage, cost, served, ..attempt },
        }
    }
}

impl From<CommandError> for AttemptError {
    fn from(error: CommandError) -> Self {
        error.having(Used::default())
    }
}

impl From<CommandError> for NoAnswer {
    fn from(error: CommandError) -> Self {
        Self::Failed(error.into())
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "exited with status {status}"),
            Self::Signal(signal) => match SIGNALS.get(signal.unsigned_abs() as usize) {
                Some(name) if cfg!(target_os = "linux") => write!(f, "was killed by {name}"),
                _ => write!(f, "was killed by signal {signal}"),
            },
        }
    }
}

/// The signals of Linux, by number; other systems number them otherwise and are told the number.
const SIGNALS: [&str; 32] = [
    "signal 0",
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

fn then(install: Option<&str>) -> String {
    install.map(|install| format!("; {install}")).unwrap_or_default()
}

fn left(survivors: usize) -> String {
    match survivors {
        0 => String::new(),
        n => format!("; {n} of its processes could not be ended"),
    }
}

fn said(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(": {words}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(cause: Cause) -> AttemptError {
        CommandError { program: "agent".into(), cause, survivors: 0 }.into()
    }

    fn ended(how: Exit, words: &str) -> Cause {
        Cause::Ended { how, words: words.into(), install: None }
    }

    #[test]
    fn a_missing_program_comes_with_how_to_install_it() {
        let error = attempt(Cause::Missing { install: Some("install it with `npm i x`".into()) });
        assert_eq!(error.message, "agent: there is no such program; install it with `npm i x`");
        assert_eq!(error.failure, Failure::Permanent);
    }

    #[test]
    fn how_it_ended_is_said_with_its_last_words() {
        let error = attempt(ended(Exit::Status(3), "no key"));
        assert_eq!(error.message, "agent: exited with status 3: no key");
        assert_eq!(error.failure, Failure::Transient);
        assert_eq!(attempt(ended(Exit::Status(127), "")).failure, Failure::Permanent);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn signals_are_named() {
        let error = attempt(ended(Exit::Signal(11), ""));
        assert_eq!(error.message, "agent: was killed by SIGSEGV");
        assert_eq!(SIGNALS[9], "SIGKILL");
        assert_eq!(SIGNALS[31], "SIGSYS");
        assert_eq!(attempt(ended(Exit::Signal(40), "")).message, "agent: was killed by signal 40");
    }

    #[test]
    fn its_own_document_speaks_where_stderr_is_silent() {
        let cause = ended(Exit::Status(1), "").in_the_words_of(Some("Not logged in"));
        assert_eq!(attempt(cause).message, "agent: exited with status 1: Not logged in");
        let cause = ended(Exit::Status(1), "spoken").in_the_words_of(Some("Not logged in"));
        assert_eq!(attempt(cause).message, "agent: exited with status 1: spoken");
    }
}
