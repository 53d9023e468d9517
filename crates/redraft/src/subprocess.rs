//! Runs a small program for its first words: a version.
//!
//! Invariant: it works nowhere but in the folder for temporary files, and sees no key; nothing outlives the deadline, the
//! program's own children included; what it says on stderr is dropped.
//! Absent here: programs that play a role; those are agents. No call of such an agent is alive beside this one, since
//! the doctor plays nothing: the end of a call would take a program that is started here for one of its own.

use std::{path::Path, process::Stdio, time::Duration};
use tokio::{io::AsyncReadExt, process::Command};

/// More is never a version.
const LONGEST: u64 = 64 * 1024;

/// The variables of ours that it sees.
const SEEN: [&str; 5] = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"];

/// Why a program gave no words.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SubprocessError {
    /// There is no such program, or it may not be run.
    #[error("{program} cannot be started: {source}")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It did not end in time and was killed.
    #[error("{program} did not end within {} s", deadline.as_secs())]
    Late {
        /// The program.
        program: String,
        /// The time it had.
        deadline: Duration,
    },
    /// It ended, but not well.
    #[error("{program} ended with {status}")]
    Failed {
        /// The program.
        program: String,
        /// How it ended.
        status: std::process::ExitStatus,
    },
    /// What it says cannot be read.
    #[error("{program} does not answer in UTF-8 text")]
    NotText {
        /// The program.
        program: String,
    },
}

/// What a program says on stdout when it ends well within the deadline.
///
/// # Errors
/// When it cannot be started, is late, fails or says no text.
pub(crate) async fn words_of(
    program: &Path,
    args: &[String],
    deadline: Duration,
) -> Result<String, SubprocessError> {
    let name = || program.display().to_string();
    let path = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
    // A name alone is looked for in PATH.
    let mut command = Command::new(if program.components().count() > 1 { &path } else { program });
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    // Whoever takes no notice of its arguments is not to work on the user's files, nor to see his keys.
    command.current_dir(std::env::temp_dir()).env_clear();
    command.envs(std::env::vars_os().filter(|(name, _)| SEEN.iter().any(|seen| name == seen)));
    command.kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    let start = |source| SubprocessError::Start { program: name(), source };
    let mut child = command.spawn().map_err(start)?;
    let group = Group(child.id());
    let mut said = Vec::new();
    let ended = tokio::time::timeout(deadline, async {
        if let Some(stdout) = child.stdout.take() {
            stdout.take(LONGEST).read_to_end(&mut said).await?;
        }
        child.wait().await
    });
    let status = ended.await.map_err(|_| SubprocessError::Late { program: name(), deadline })?;
    drop(group);
    let status = status.map_err(start)?;
    if !status.success() {
        return Err(SubprocessError::Failed { program: name(), status });
    }
    String::from_utf8(said).map_err(|_| SubprocessError::NotText { program: name() })
}

/// Kills what is left of a process group when dropped.
struct Group(Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            let id = self.0.and_then(|id| rustix::process::Pid::from_raw(id.try_into().ok()?));
            if let Some(id) = id {
                // All may be gone already, which is what is wanted.
                let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
            }
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn run(script: &str, deadline: Duration) -> Result<String, SubprocessError> {
        let args = ["-c".to_owned(), script.to_owned()];
        let words = words_of(Path::new("sh"), &args, deadline);
        crate::commands::block_on(async { Ok(words.await) }).unwrap()
    }

    #[test]
    fn words_come_from_stdout_alone() {
        let words = run("echo hidden >&2; echo shown; cat", Duration::from_secs(20)).unwrap();
        assert_eq!(words, "shown\n");
    }

    #[test]
    fn a_late_program_dies_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pid");
        let script = format!("sh -c 'echo $$ > {0}; exec sleep 600' & wait", path.display());
        let error = run(&script, Duration::from_millis(700)).unwrap_err();
        assert!(matches!(error, SubprocessError::Late { .. }), "{error}");
        let id: i32 = std::fs::read_to_string(path).unwrap().trim().parse().unwrap();
        let id = rustix::process::Pid::from_raw(id).unwrap();
        let patience = std::time::Instant::now();
        // A killed process may still be waited for by its parent's heir; a zombie runs no more.
        while rustix::process::test_kill_process(id).is_ok() && !is_zombie(id) {
            assert!(patience.elapsed() < Duration::from_secs(10), "the child lives");
            std::thread::yield_now();
        }
    }

    fn is_zombie(id: rustix::process::Pid) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.contains(") Z ")
    }

    #[test]
    fn a_failing_program_is_named_and_its_words_are_not() {
        let error =
            run("echo CANARY; echo CANARY >&2; exit 3", Duration::from_secs(20)).unwrap_err();
        assert_eq!(error.to_string(), "sh ended with exit status: 3");
    }
}
