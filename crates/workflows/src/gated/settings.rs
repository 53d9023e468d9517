//! What a session was begun with, as its run's first fact keeps it, and the profile made ready from it.
//!
//! Invariant: a session knows its profile, standards and table from its own journal; whatever becomes of their files, it
//! asks the same.
//! Absent here: where profiles and schema files lie.

use super::{
    ddl::Ddl,
    profile::{Asked, Context, ContextError, Files, Material, Phase, Profile, ProfileError},
    shape::NAME,
};
use crate::Prompt;
use redraft_loop::{Opened, Run};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

/// What a session was begun with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The files of the profile, by their paths in its folder.
    pub profile: BTreeMap<String, String>,
    /// The values of its keys, defaults included.
    pub context: BTreeMap<String, String>,
    /// The table, where the profile has a schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schema>,
    /// The developer whose session it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub developer: Option<String>,
    /// What the session belongs to elsewhere, such as a ticket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// The roles whose responses a person writes into files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_hand: Vec<String>,
}

/// A table as it was read when the session began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// The schema file, as it was named.
    pub file: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
    /// The table, as prompts tell it.
    pub table: String,
}

/// Why the first fact of a run is none of a session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// It belongs to another workflow, or is damaged.
    #[error("the run has no settings of a gated session: {0}")]
    Settings(String),
    /// Its profile cannot be read by this version.
    #[error("its profile: {0}")]
    Profile(#[from] ProfileError),
    /// Its context does not fit its profile.
    #[error("its context: {0}")]
    Context(#[from] ContextError),
}

/// A profile, ready to write the prompts of one session.
#[derive(Debug, Clone)]
pub struct Begun {
    /// What it was begun with.
    pub settings: Settings,
    /// Its profile.
    pub profile: Profile,
    pub(super) context: Context,
    pub(super) standards: String,
    pub(super) session: String,
}

impl Settings {
    /// What a run was begun with.
    ///
    /// # Errors
    /// When it is no gated session.
    pub fn of(opened: &Opened) -> Result<Self, SettingsError> {
        if opened.shape.workflow != NAME {
            return Err(SettingsError::Settings(format!("it is a {}", opened.shape.workflow)));
        }
        Self::deserialize(&opened.settings)
            .map_err(|error| SettingsError::Settings(error.to_string()))
    }

    /// The table of a schema file that was read.
    ///
    /// # Errors
    /// [`super::ddl::DdlError`], which names file and line.
    pub fn schema_of(
        profile: &Profile,
        context: &Context,
        ddl: &Ddl,
        sha256: String,
    ) -> Result<Option<Schema>, super::ddl::DdlError> {
        let table = profile.table(context, ddl)?;
        Ok(table.map(|table| Schema { file: ddl.file.clone(), sha256, table: table.markdown() }))
    }
}

impl Begun {
    /// The profile of a session.
    ///
    /// # Errors
    /// When the run is none, or was begun by a version that read profiles otherwise.
    pub fn of(opened: &Opened) -> Result<Self, SettingsError> {
        let settings = Settings::of(opened)?;
        let files: Files = settings.profile.clone().into_iter().collect();
        let profile = Profile::read(&files)?;
        let context = profile.context(&settings.context)?;
        let standards = profile.standards_bundle();
        Ok(Self { profile, context, standards, session: opened.run.to_string(), settings })
    }

    /// The standards as they were bundled when the session began.
    pub fn standards(&self) -> &str {
        &self.standards
    }

    /// Whether a person writes the responses of this phase into files.
    pub fn is_by_hand(&self, phase: Phase) -> bool {
        let role = self.profile.phase(phase).role;
        self.settings.by_hand.iter().any(|name| name == role.name())
    }

    /// The prompt of a phase over these materials.
    pub(super) fn prompt(
        &self,
        run: &Run,
        phase: Phase,
        iteration: u32,
        mut materials: Vec<(Material, Arc<str>)>,
    ) -> Prompt {
        if let Some(schema) = &self.settings.schema {
            materials.push((Material::Schema, schema.table.as_str().into()));
        }
        let asked = Asked {
            phase,
            context: &self.context,
            iteration,
            last_iteration: run.limits().rounds,
            standards: &self.standards,
            materials,
        };
        // A profile that was read renders with the materials of its phases; a test asks for every case.
        self.profile
            .prompt(&asked)
            .unwrap_or_else(|error| Prompt { instructions: error.to_string(), ..Prompt::default() })
    }
}
