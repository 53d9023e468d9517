//! Whether a program is there, and which version it says it is.

use crate::subprocess::words_of;
use std::{
    env,
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
    let path =
        find(program, env::var_os("PATH").unwrap_or_default().as_ref()).ok_or_else(missing)?;
    let told = words_of(&path, &["--version".to_owned()], PATIENCE).await;
    let told = told.map_err(|error| Trouble::Silent(format!("it tells no version: {error}")))?;
    let first: String = told.lines().next().unwrap_or_default().chars().take(LONGEST).collect();
    Ok(format!("{} ({})", first.trim(), path.display()))
}

/// The program as a shell would find it.
fn find(program: &Path, path: &std::ffi::OsStr) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_path_buf()).filter(|path| is_program(path));
    }
    env::split_paths(path).map(|folder| folder.join(program)).find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
