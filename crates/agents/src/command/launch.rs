//! What is started: a file with its arguments, what it sees of the environment, and where it runs.
//!
//! Absent here: how long it may take, and what is heard from it.

use super::{
    environment::environment,
    failure::Cause,
    program::{Program, WorkingFolder},
};
use std::{ffi::OsString, path::PathBuf};

/// A program that is about to be started.
#[derive(Debug)]
pub(super) struct Launch {
    pub(super) file: PathBuf,
    pub(super) args: Vec<String>,
    /// All that it sees; nothing is inherited beside.
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) folder: WorkingFolder,
}

impl Launch {
    /// An agent's program, which sees what its configuration names.
    pub(super) fn of(program: &Program) -> Result<Self, Cause> {
        let missing = || Cause::Missing { install: program.install.clone() };
        Ok(Self {
            file: program.locate().ok_or_else(missing)?,
            args: program.args.clone(),
            env: environment(&program.env, std::env::vars_os()),
            folder: program.folder.clone(),
        })
    }
}
