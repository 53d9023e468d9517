//! Where solves are kept: the nearest home from the present folder upward, else the user's own.
//!
//! Absent here: workspaces.

use crate::exit::{Code, Failure};
use redraft_store::{HOME, Home};
use std::path::{Path, PathBuf};

/// Where solves are kept, whether or not there is anything yet.
pub(crate) struct Place {
    /// The folder it was looked for from, whose project's prompts hold.
    pub(crate) from: PathBuf,
    /// The folder of the home.
    pub(crate) root: PathBuf,
    /// The home, where it was made before.
    pub(crate) home: Option<Home>,
}

impl Place {
    /// Where questions to people are laid.
    pub(crate) fn inbox(&self) -> PathBuf {
        self.root.join(HOME).join("inbox")
    }

    /// The home, made where there is none.
    pub(crate) fn made(&self) -> Result<Home, Failure> {
        if let Some(home) = &self.home {
            return Ok(home.clone());
        }
        std::fs::create_dir_all(&self.root)
            .map_err(|error| Failure::in_file(Code::Failure, &self.root, &error))?;
        Ok(Home::create(&self.root)?)
    }
}

/// The home in or above this folder; where there is none, that of the user's data folder.
pub(crate) fn place(from: &Path) -> Result<Place, Failure> {
    let from = from.to_owned();
    if let Some(home) = Home::find(&from)? {
        return Ok(Place { from, root: home.root().to_owned(), home: Some(home) });
    }
    Ok(Place { from, root: data_folder()?, home: users_home()? })
}

/// The home that is kept in for a folder, where it was made before: what solve finds, and everything that looks after it.
pub(crate) fn known(from: &Path) -> Result<Option<Home>, Failure> {
    Home::find(from)?.map_or_else(users_home, |home| Ok(Some(home)))
}

/// There is nothing yet for a folder, and where the first question will make it.
pub(crate) fn nothing(from: &Path) -> Failure {
    let none = format!("{}: there is no home (.redraft) here or above", from.display());
    match data_folder() {
        Ok(folder) => Failure::usage(format!("{none}, and none of yours yet")).help(format!(
            "name a workspace with --workspace, or make a home: redraft init; redraft solve makes one at {} on first use",
            folder.join(HOME).display()
        )),
        Err(_) => Failure::usage(none)
            .help("name a workspace with --workspace, or make a home: redraft init"),
    }
}

/// The home of the user's data folder, where there is one.
fn users_home() -> Result<Option<Home>, Failure> {
    match data_folder() {
        Ok(folder) if folder.is_dir() => Ok(Home::find(&folder)?),
        Ok(_) | Err(_) => Ok(None),
    }
}

/// `$XDG_DATA_HOME/redraft`, or `~/.local/share/redraft`.
pub(crate) fn data_folder() -> Result<PathBuf, Failure> {
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
