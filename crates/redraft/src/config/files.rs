//! Which files are looked at: the user's own, and the nearest project's from a folder upward.
//!
//! Absent here: reading them.

use super::{
    complaint::{Complaint, ConfigError},
    file_layer::Owner,
    origin::Origin,
    project::{self, PROJECT_FILE},
    variables::{PREFIX, Variables},
};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// What a configuration is looked for in: a folder and the environment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Surroundings {
    /// The workspace, or the current folder; it need not exist.
    folder: PathBuf,
    /// The folder of the user's configuration; `None` where no one knows it.
    user: Option<PathBuf>,
    pub(super) variables: Variables,
    /// Variables of ours whose value is no text.
    unreadable: Vec<String>,
}

/// A file that is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigFile {
    pub(crate) owner: Owner,
    pub(crate) path: PathBuf,
    pub(crate) exists: bool,
}

impl Surroundings {
    /// This process's environment, and a folder to start from.
    pub(crate) fn of_process(folder: &Path) -> Self {
        Self::new(folder, env::vars_os())
    }

    /// An environment and a folder to start from.
    pub(crate) fn new(
        folder: &Path,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        let mut around = Self {
            folder: folder.to_path_buf(),
            user: None,
            variables: Variables::new(),
            unreadable: Vec::new(),
        };
        let (mut base, mut home) = (None, None);
        for (name, value) in environment {
            let Some(name) = name.to_str() else { continue };
            match name {
                "XDG_CONFIG_HOME" => base = Some(PathBuf::from(value)),
                "HOME" => home = Some(PathBuf::from(value)),
                _ if name.starts_with(PREFIX) => match value.into_string() {
                    Ok(value) => drop(around.variables.insert(name.to_owned(), value)),
                    Err(_) => around.unreadable.push(name.to_owned()),
                },
                _ => {}
            }
        }
        // The XDG rules: a relative path counts as none.
        let base = base.filter(|path| path.is_absolute());
        let home = home.filter(|path| path.is_absolute()).map(|home| home.join(".config"));
        around.user = base.or(home);
        around
    }

    /// The files, lowest first, whether they exist or not; without a project's file, where one could stand.
    ///
    /// # Errors
    /// When a variable of ours is no text, or there is no current folder.
    pub(crate) fn files(&self) -> Result<Vec<ConfigFile>, ConfigError> {
        let complaint = |name: &String| {
            Complaint::new(Origin::Variable(name.clone()), "its value is not UTF-8 text")
        };
        let complaints: Vec<Complaint> = self.unreadable.iter().map(complaint).collect();
        if !complaints.is_empty() {
            return Err(ConfigError { complaints });
        }
        let user = self.user_folder().map(|folder| folder.join("config.toml"));
        let user = user.map(|path| file(Owner::User, path));
        let folder = self.real_folder()?;
        let project = project::project_folder(&folder).unwrap_or(&folder).join(PROJECT_FILE);
        let project = file(Owner::Project, project);
        Ok(user.into_iter().chain([project]).collect())
    }

    /// The folder of the user's configuration; `None` where no one knows it.
    pub(crate) fn user_folder(&self) -> Option<PathBuf> {
        self.user.as_ref().map(|folder| folder.join("redraft"))
    }

    /// The folder that holds the project's file, where there is one.
    pub(super) fn project_folder(&self, files: &[ConfigFile]) -> Option<PathBuf> {
        let project = files.iter().find(|file| file.owner == Owner::Project && file.exists)?;
        project.path.parent().map(Path::to_path_buf)
    }

    /// The folder without links, as far as it exists.
    fn real_folder(&self) -> Result<PathBuf, ConfigError> {
        project::real_folder(&self.folder).map_err(|error| {
            let message = format!("{}: cannot be found: {error}", self.folder.display());
            ConfigError { complaints: vec![Complaint::new(Origin::BuiltIn, message)] }
        })
    }
}

fn file(owner: Owner, path: PathBuf) -> ConfigFile {
    let exists = path.symlink_metadata().is_ok();
    ConfigFile { owner, path, exists }
}
