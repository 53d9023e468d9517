//! Whether a program is there, and which version it says it is.

use crate::subprocess::words_of;
use redraft_workflows::{is_hidden, is_joiner};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// Programs that unpack themselves at the first start take a while.
const PATIENCE: Duration = Duration::from_secs(10);
/// Characters of a version that are shown.
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
    match visible(&told) {
        line if line.is_empty() => {
            Err(Trouble::Silent(format!("it tells no version: {} says nothing", path.display())))
        }
        line => Ok(format!("{line} ({})", path.display())),
    }
}

/// The first line of what a program says, with what cannot be seen in it as escapes, cut to a length that fits.
fn visible(said: &str) -> String {
    let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut shown = String::new();
    let mut length = 0;
    for c in line.chars() {
        let seen = match is_hidden(c) || is_joiner(c) {
            true => c.escape_unicode().to_string(),
            false => c.to_string(),
        };
        length += seen.chars().count();
        if length > LONGEST {
            break;
        }
        shown += &seen;
    }
    shown
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
