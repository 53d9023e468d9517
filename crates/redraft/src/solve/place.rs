//! Where solves are kept: the nearest home from the present folder upward, else the user's own.
//!
//! Absent here: workspaces.

use crate::exit::{Code, Failure};
use redraft_store::Home;
use std::path::{Path, PathBuf};

/// The home in or above this folder; where there is none, that of the user's data folder, which is made.
pub(crate) fn home(from: &Path) -> Result<Home, Failure> {
    match Home::find(from)? {
        Some(home) => Ok(home),
        None => {
            let folder = data_folder()?;
            std::fs::create_dir_all(&folder)
                .map_err(|error| Failure::in_file(Code::Failure, &folder, &error))?;
            Ok(Home::create(&folder)?)
        }
    }
}

/// The home of the user's data folder, where there is one.
pub(crate) fn users_home() -> Result<Option<Home>, Failure> {
    match data_folder() {
        Ok(folder) if folder.is_dir() => Ok(Home::find(&folder)?),
        Ok(_) | Err(_) => Ok(None),
    }
}

/// `$XDG_DATA_HOME/redraft`, or `~/.local/share/redraft`.
fn data_folder() -> Result<PathBuf, Failure> {
    let absolute = |name| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let data = absolute("XDG_DATA_HOME").or(absolute("HOME").map(|home| home.join(".local/share")));
    data.map(|data| data.join("redraft")).ok_or_else(|| {
        Failure::usage(
            "there is no home (.redraft) here or above, and neither XDG_DATA_HOME nor HOME is set",
        )
        .help("make one: redraft init")
    })
}
