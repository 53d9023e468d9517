//! Plays: two files, an environment and flags, and what comes of them.

mod agents;
mod faults;
mod layers;
mod trusting;

use super::*;
use std::{ffi::OsString, fs, path::Path};

/// A user's and a project's folder.
struct Stage {
    folder: tempfile::TempDir,
    variables: Vec<(OsString, OsString)>,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let user = folder.path().join("user");
        Self { variables: vec![("XDG_CONFIG_HOME".into(), user.into())], folder }
    }

    /// The user's file says this.
    fn user(self, text: &str) -> Self {
        self.write("user/redraft/config.toml", text)
    }

    /// The project's file says this.
    fn project(self, text: &str) -> Self {
        self.write("project/redraft.toml", text)
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    fn write(self, path: &str, text: &str) -> Self {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn project_folder(&self) -> std::path::PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    fn load(&self) -> Result<Config, ConfigError> {
        self.load_with(&Flags::default())
    }

    fn load_with(&self, flags: &Flags) -> Result<Config, ConfigError> {
        let workspace = self.project_folder().join("episodes").join("one");
        Config::load(&Surroundings::new(&workspace, self.variables.clone()), flags)
    }

    /// What is wrong, as it is told.
    fn told(&self) -> String {
        let error = self.load().unwrap_err();
        format!("{error}\n{}", error.help().unwrap_or_default())
    }
}

/// What is wrong with a user's file.
fn told(text: &str) -> String {
    Stage::new().user(text).told()
}

fn origin(config: &Config, key: &str) -> String {
    let settings = config.settings();
    let setting = settings.iter().find(|setting| setting.key == key);
    let origin = setting.unwrap_or_else(|| panic!("{key} is not shown")).origin.to_string();
    match Path::new(&origin).file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => origin,
    }
}
