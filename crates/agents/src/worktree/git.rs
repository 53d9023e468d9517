//! Running git: by its command line, with nothing of the surroundings that could change what it does.
//!
//! Invariant: no shell reads an argument; no hook, pager, editor, external diff or monitor is run; time and output are
//! bounded; what an earlier process of ours left running is found by its mark. The exception: filters that the user has
//! configured (`filter.*.clean`, `smudge`, `process`; LFS is one) are run, by a shell, on files that attributes name,
//! be it attributes that a builder wrote. Without them the files would not be what his own git makes of them.
//! Absent here: what is asked of git.

use super::visible::visible;
use crate::command::mark;
use std::{
    ffi::OsStr,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, Command},
    time::timeout,
};

/// How long one command may take; a checkout of a very large repository takes a minute.
const LIMIT: Duration = Duration::from_secs(300);

/// The most bytes of output that are read.
const MOST: usize = 64 << 20;

/// How many of the first bytes on stderr are kept: git says the cause first.
const WORDS: usize = 4 << 10;

/// Settings that win over every configuration file.
const SETTINGS: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.sparseCheckout=false",
    "core.splitIndex=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.protectNTFS=true",
    "core.protectHFS=true",
    "core.quotePath=true",
    "core.safecrlf=false",
    "core.bigFileThreshold=512m",
    "user.useConfigOnly=true",
    "i18n.commitEncoding=UTF-8",
    "diff.suppressBlankEmpty=false",
    "apply.ignoreWhitespace=no",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.addEmbeddedRepo=false",
];

/// Why git did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git.
    #[error("git is not installed, or not in PATH; install it to work on a repository")]
    Missing,
    /// It could not be started or listened to.
    #[error("git {what} in {}: {source}", folder.display())]
    NotRun {
        /// The command.
        what: String,
        /// Where it was to run.
        folder: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// It took too long.
    #[error("git {what} in {} was not finished within {} s; see what holds it up there", folder.display(), after.as_secs())]
    Late {
        /// The command.
        what: String,
        /// Where it ran.
        folder: PathBuf,
        /// How long it had.
        after: Duration,
    },
    /// It wrote too much.
    #[error("git {what} in {} wrote more than {cap} bytes, which is all that is read of it", folder.display())]
    TooLong {
        /// The command.
        what: String,
        /// Where it ran.
        folder: PathBuf,
        /// The bound.
        cap: usize,
    },
    /// It failed.
    #[error("git {what} in {} failed: {words}", folder.display())]
    Failed {
        /// The command.
        what: String,
        /// Where it ran.
        folder: PathBuf,
        /// Its own words.
        words: String,
    },
}

/// The signal of Ctrl-C.
const INTERRUPT: i32 = 2;

/// What git said.
#[derive(Debug)]
pub(super) struct Said {
    status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    /// The beginning of what it wrote on stderr.
    pub(super) words: String,
}

impl Said {
    pub(super) fn is_fine(&self) -> bool {
        self.status.success()
    }

    /// Whether it ended by itself with this code.
    pub(super) fn ended_with(&self, code: i32) -> bool {
        self.status.code() == Some(code)
    }

    /// Its first line; object names have no other.
    pub(super) fn line(&self) -> String {
        String::from_utf8_lossy(&self.stdout).lines().next().unwrap_or_default().to_owned()
    }
}

/// One command of git.
#[derive(Debug)]
pub(super) struct Git {
    command: Command,
    what: String,
    folder: PathBuf,
}

impl Git {
    /// A command in this folder, which finds its repository from there.
    pub(super) fn in_folder(folder: &Path, what: &str) -> Self {
        let mut command = Command::new("git");
        let ours = std::env::vars_os().map(|(name, _)| name);
        for name in ours.filter(|name| name.as_encoded_bytes().starts_with(b"GIT_")) {
            command.env_remove(name);
        }
        let (mark, value) = mark();
        command
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env(mark, value)
            .current_dir(folder)
            .arg("--no-pager")
            .args(SETTINGS.iter().flat_map(|setting| ["-c", setting]));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        Self { command, what: what.to_owned(), folder: folder.to_owned() }.arg(what)
    }

    /// A command with its repository named, so that nothing in the folder or in git's folder for it can name another.
    pub(super) fn of(git_dir: &Path, common: &Path, work_tree: &Path, what: &str) -> Self {
        let git = Self::in_folder(work_tree, what).env("GIT_COMMON_DIR", common);
        git.env("GIT_DIR", git_dir).env("GIT_WORK_TREE", work_tree)
    }

    pub(super) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// With this variable of our own surroundings, if it is set there.
    pub(super) fn with_ours(self, name: &str) -> Self {
        match std::env::var_os(name) {
            Some(value) => self.env(name, value),
            None => self,
        }
    }

    /// In a group of its own, which Ctrl-C at a terminal does not reach: for what must not stop half-way.
    pub(super) fn in_own_group(mut self) -> Self {
        self.command.process_group(0);
        self
    }

    pub(super) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(super) fn args(mut self, args: &[&str]) -> Self {
        self.command.args(args);
        self
    }

    /// What it writes when all is well.
    pub(super) async fn fine(self, input: &[u8]) -> Result<Said, GitError> {
        let (what, folder) = (self.what.clone(), self.folder.clone());
        match self.run(input).await? {
            said if said.is_fine() => Ok(said),
            Said { words, .. } => Err(GitError::Failed { what, folder, words }),
        }
    }

    /// What it says, well or not. One that Ctrl-C cut off is run again: on a terminal that reaches all programs, and we
    /// have to save what is paid for.
    pub(super) async fn run(mut self, input: &[u8]) -> Result<Said, GitError> {
        let said = self.once(input).await?;
        match said.status.signal() {
            Some(INTERRUPT) => self.once(input).await,
            Some(_) | None => Ok(said),
        }
    }

    /// The same, but never run again: for what does not end the same way twice.
    pub(super) async fn once(&mut self, input: &[u8]) -> Result<Said, GitError> {
        let (what, folder) = (self.what.clone(), self.folder.clone());
        let not_run =
            |source| GitError::NotRun { what: what.clone(), folder: folder.clone(), source };
        self.command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
        let missing = std::io::ErrorKind::NotFound;
        let mut child = self.command.spawn().map_err(|source| {
            let is_missing = source.kind() == missing && folder.is_dir();
            if is_missing { GitError::Missing } else { not_run(source) }
        })?;
        match timeout(LIMIT, talk(&mut child, input)).await {
            Ok(Ok(said)) if said.stdout.len() > MOST => {
                Err(GitError::TooLong { what, folder, cap: MOST })
            }
            Ok(Ok(said)) => Ok(said),
            Ok(Err(source)) => Err(not_run(source)),
            Err(_) => Err(GitError::Late { what, folder, after: LIMIT }),
        }
    }
}

/// Tells and hears all at once.
async fn talk(child: &mut Child, input: &[u8]) -> std::io::Result<Said> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let tell = async {
        if let Some(mut stdin) = stdin {
            // One that has seen enough closes its end; its words say why.
            let _ = stdin.write_all(input).await;
        }
        Ok(())
    };
    let ((), stdout, words) =
        tokio::try_join!(tell, first_bytes(stdout, MOST + 1), all_read(stderr))?;
    let words = visible(&String::from_utf8_lossy(&words)).trim_end().to_owned();
    Ok(Said { status: child.wait().await?, stdout, words })
}

async fn first_bytes(
    pipe: Option<impl AsyncRead + Unpin>,
    most: usize,
) -> std::io::Result<Vec<u8>> {
    let mut read = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(most as u64).read_to_end(&mut read).await?;
    }
    Ok(read)
}

/// Its beginning; the rest is read away.
async fn all_read(pipe: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let Some(mut pipe) = pipe else { return Ok(Vec::new()) };
    let mut first = Vec::new();
    (&mut pipe).take(WORDS as u64).read_to_end(&mut first).await?;
    tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await?;
    Ok(first)
}
