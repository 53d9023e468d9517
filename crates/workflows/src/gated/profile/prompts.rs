//! The templates of a profile: compiled together, so that they include each other, and filled in.
//!
//! Invariant: rendering is strict about names and bounded in steps; what is filled in is never read as a template.
//! Absent here: which template is whose; see `lint` for what is checked before.

use super::{
    files::Files,
    finding::{Finding, Flaw},
};
use minijinja::{Environment, Error, UndefinedBehavior, Value};
use std::{collections::BTreeMap, sync::Arc};

/// The folder of the templates.
pub(super) const PROMPTS: &str = "prompts/";

/// Steps a prompt may take to render, includes and all; ours take a few hundred.
const FUEL: u64 = 100_000;

/// What templates are filled with, by name.
pub(super) type Values = BTreeMap<String, Value>;

/// All templates of a profile.
#[derive(Debug, Clone)]
pub(super) struct Prompts(Arc<Environment<'static>>);

impl Prompts {
    /// Compiles all files of the folder; one that does not compile is told and left out.
    pub(super) fn compile(files: &Files) -> (Self, Vec<Finding>) {
        let (mut environment, mut found) = (Environment::new(), Vec::new());
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(FUEL));
        for (name, text) in files.below(PROMPTS) {
            if let Err(error) = environment.add_template_owned(name.to_owned(), text.to_owned()) {
                found.push(refused(name, &error));
            }
        }
        (Self(Arc::new(environment)), found)
    }

    /// The names that a template asks for, where it compiles.
    pub(super) fn asks(&self, name: &str) -> Option<Vec<String>> {
        let template = self.0.get_template(name).ok()?;
        let mut names: Vec<String> = template.undeclared_variables(false).into_iter().collect();
        names.sort();
        Some(names)
    }

    /// A template with its includes, filled in.
    pub(super) fn render(&self, name: &str, values: &Values) -> Result<String, Finding> {
        let text = self.0.get_template(name).and_then(|template| template.render(values));
        Ok(text.map_err(|error| refused(name, &error))?.trim().to_owned())
    }
}

/// The finding for what the engine says; an error within an include is told where it stands.
fn refused(name: &str, error: &Error) -> Finding {
    let mut inner = error;
    while let Some(cause) = std::error::Error::source(inner).and_then(|it| it.downcast_ref()) {
        inner = cause;
    }
    let kind = inner.kind();
    let what = inner.detail().map_or(kind.to_string(), |detail| format!("{kind}: {detail}"));
    let name = inner.name().unwrap_or(name);
    Finding::new(&format!("{PROMPTS}{name}"), inner.line().unwrap_or(1), Flaw::Template(what))
}
