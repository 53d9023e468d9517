//! A command line of the user's, run by a shell: how it ends, and the end of what it prints.
//!
//! Invariant: however it ends, every process that it started has been ended before this returns; what it prints is
//! read away, and memory holds no more of it than its end.
//! Absent here: what a good ending is, and how its output is shown.

use super::{
    failure::{Cause, CommandError, Exit},
    family::{self, Family},
    launch::Launch,
    program::WorkingFolder,
    run::{hear_last, listening, lock},
};
use std::{ffi::OsString, path::PathBuf, pin::pin, sync::Mutex, time::Duration};
use tokio::{process::Child, time::sleep};

/// The shell that reads it.
const SHELL: &str = "/bin/sh";

/// Stdout and stderr are one, so that what is printed stays in its order.
const AS_ONE: &str = "exec /bin/sh -c \"$1\" 2>&1";

/// A command line and its bounds.
#[derive(Debug)]
pub(crate) struct Shell {
    /// What the shell reads.
    pub(crate) line: String,
    /// Where it runs.
    pub(crate) folder: PathBuf,
    /// All that it sees of the environment.
    pub(crate) env: Vec<(OsString, OsString)>,
    /// How long it may take.
    pub(crate) limit: Duration,
    /// The most processes that may be alive at once. They are counted five times a second.
    pub(crate) max_processes: usize,
    /// How many of the last bytes that it prints are kept.
    pub(crate) last_bytes: usize,
}

/// How it went.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) ending: Ending,
    /// The last bytes that it printed.
    pub(crate) last: Vec<u8>,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal, told in words.
    Signalled(String),
    /// Its time was up.
    Late,
    /// It had too many processes.
    Outgrown,
}

impl Shell {
    /// Runs it to its end, or to ours.
    ///
    /// # Errors
    /// When it cannot be started or listened to.
    pub(crate) async fn run(&self) -> Result<Heard, CommandError> {
        let failed = |cause| CommandError { program: SHELL.to_owned(), cause, survivors: 0 };
        let (mut child, family) = family::start(&self.launch(), false).map_err(failed)?;
        let last = Mutex::new(Vec::new());
        let ending = {
            let mut talk = pin!(self.listen(&mut child, &family, &last));
            let over = tokio::select! {
                exit = &mut talk => Err(exit),
                () = sleep(self.limit) => Ok(Ending::Late),
                () = family.outgrows(self.max_processes) => Ok(Ending::Outgrown),
            };
            match over {
                Err(exit) => {
                    family.end().await;
                    Ending::of(exit.map_err(failed)?)
                }
                Ok(ending) => {
                    listening(family.kill(), talk).await;
                    ending
                }
            }
        };
        // It is dead; this takes its status, so that it is not left as a zombie.
        let _ = child.try_wait();
        let last = std::mem::take(&mut *lock(&last));
        Ok(Heard { ending, last })
    }

    fn launch(&self) -> Launch {
        let args = ["-c", AS_ONE, "sh", &self.line].map(str::to_owned);
        Launch {
            file: SHELL.into(),
            args: args.into(),
            env: self.env.clone(),
            folder: WorkingFolder::At(self.folder.clone()),
        }
    }

    async fn listen(
        &self,
        child: &mut Child,
        family: &Family,
        last: &Mutex<Vec<u8>>,
    ) -> Result<Exit, Cause> {
        let stdout = child.stdout.take();
        let ends = async {
            let status = child.wait().await.map_err(Cause::Pipe)?;
            // Whoever it left behind would keep the pipe open.
            family.end().await;
            Ok(Exit::of(status))
        };
        let (exit, ()) = tokio::try_join!(ends, hear_last(stdout, last, self.last_bytes))?;
        Ok(exit)
    }
}

impl Ending {
    fn of(exit: Exit) -> Self {
        match exit {
            Exit::Status(code) => Self::Exited(code),
            Exit::Signal(_) => Self::Signalled(exit.to_string()),
        }
    }
}
