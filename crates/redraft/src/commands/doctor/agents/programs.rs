//! Whether a program is there, and which version it says it is.

use crate::subprocess::words_of;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// Programs that unpack themselves at the first start take a while.
const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST: usize = 80;

/// Why there is no version.
#[derive(Debug)]
pub(super) enum Trouble {
    /// There is no such program.
    Missing(String),
    /// It is there, and does not tell.
    Silent(String),
}

/// Where the program is and which version it tells.
pub(super) async fn version(program: &Path) -> Result<String, Trouble> {
    let missing = || Trouble::Missing(format!("there is no program {} here", program.display()));
    let path = find(program).ok_or_else(missing)?;
    let told = words_of(&path, &["--version".to_owned()], PATIENCE).await;
    let told = told.map_err(|error| Trouble::Silent(format!("it tells no version: {error}")))?;
    let first: String = told.lines().next().unwrap_or_default().chars().take(LONGEST).collect();
    Ok(format!("{} ({})", first.trim(), path.display()))
}

/// The program that an agent would run.
#[cfg(unix)]
fn find(program: &Path) -> Option<PathBuf> {
    redraft_agents::command::Program::plain(program.display().to_string(), &[]).locate()
}

/// Programs play a role on Unix only.
#[cfg(not(unix))]
fn find(_: &Path) -> Option<PathBuf> {
    None
}
