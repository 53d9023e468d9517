//! Which program is run, with what, and within which bounds: plain values.
//!
//! Absent here: how they are written in a configuration file, and any default that is not named.

use super::{
    failure::{Cause, CommandError},
    output::Output,
};
use std::{
    env,
    ffi::OsStr,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// A program that plays a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its name, looked up in `PATH`, or its path.
    pub name: String,
    /// Its arguments, passed as they are; no shell reads them.
    pub args: Vec<String>,
    /// What it reads on stdin.
    pub input: Input,
    /// How its stdout is to be read.
    pub output: Output,
    /// What it is run for.
    pub wanted: Wanted,
    /// Variables of our environment that it sees beside the few that every program sees.
    pub env: Vec<String>,
    /// Where it runs.
    pub folder: WorkingFolder,
    /// How long it may take.
    pub deadline: Duration,
    /// The most bytes that it may write to stdout.
    pub max_output_bytes: usize,
    /// The most processes that may be alive for one call. They are counted five times a second.
    pub max_processes: usize,
    /// What to do when it is not there, in one sentence.
    pub install: Option<String>,
}

/// What a program reads on stdin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// The prompt as text, as a model would read it.
    Text,
    /// The call as one JSON document in the words of its workflow's contract.
    Json,
    /// Nothing: stdin is empty.
    None,
}

/// What a program is run for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Its words: one that says nothing has not answered.
    Words,
    /// Edits of the files in its folder: its words are told, and it may have none.
    Edits,
}

/// Where a program runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkingFolder {
    /// In an empty folder of its own, removed afterwards. Nothing of the project lies in its way.
    Empty,
    /// In this folder.
    At(PathBuf),
}

/// The deadline of a program that has no other.
const DEADLINE: Duration = Duration::from_secs(300);

/// The most bytes of output of a program that has no other bound; a hundred times the longest sensible reply.
const MAX_OUTPUT_BYTES: usize = 4 << 20;

/// The most processes of a program that has no other bound. Agents in Node start a few dozen at most.
const MAX_PROCESSES: usize = 512;

impl Program {
    /// A program that reads the prompt as text and writes its reply as text, with the bounds that suit most.
    pub fn plain(name: impl Into<String>, args: &[&str]) -> Self {
        Self {
            name: name.into(),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            input: Input::Text,
            output: Output::Text,
            wanted: Wanted::Words,
            env: Vec::new(),
            folder: WorkingFolder::Empty,
            deadline: DEADLINE,
            max_output_bytes: MAX_OUTPUT_BYTES,
            max_processes: MAX_PROCESSES,
            install: None,
        }
    }

    /// The same program at work in this folder: what it makes of the files there is wanted, and not its words.
    #[must_use]
    pub fn editing_at(self, folder: &Path) -> Self {
        Self { wanted: Wanted::Edits, folder: WorkingFolder::At(folder.to_owned()), ..self }
    }

    /// The file that would be run.
    ///
    /// # Errors
    /// When there is none, or it may not be executed.
    pub fn startable(&self) -> Result<PathBuf, CommandError> {
        let failed = |cause| CommandError { program: self.name.clone(), cause, survivors: 0 };
        let missing = || failed(Cause::Missing { install: self.install.clone() });
        let file = self.locate().ok_or_else(missing)?;
        match is_executable(&file) {
            true => Ok(file),
            false => Err(failed(Cause::NotExecutable { path: file })),
        }
    }

    /// The file that would be run; `None` when there is none.
    pub fn locate(&self) -> Option<PathBuf> {
        locate(&self.name, env::var_os("PATH").as_deref())
    }
}

/// Relative places in `PATH` are passed over: what is run must not depend on where.
fn locate(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    if name.contains('/') {
        return std::path::absolute(name).ok().filter(|path| path.is_file());
    }
    let folders = env::split_paths(path?).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_first_executable_file_in_an_absolute_place_is_run() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        for (folder, mode) in [("plain", 0o644), ("runs", 0o755)] {
            fs::create_dir(at(folder)).unwrap();
            let file = at(folder).join("agent");
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        }
        let path = env::join_paths(["here".into(), at("none"), at("plain"), at("runs")]).unwrap();
        assert_eq!(locate("agent", Some(&path)), Some(at("runs/agent")));
        assert_eq!(locate("other", Some(&path)), None);
        assert_eq!(locate("agent", None), None);
    }

    #[test]
    fn a_path_is_taken_as_it_is() {
        assert_eq!(locate("/bin/sh", None), Some("/bin/sh".into()));
        assert_eq!(locate("/bin/no-such-program", None), None);
    }
}
