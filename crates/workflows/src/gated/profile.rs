//! A profile is data: what each phase of a gated session asks, by which standards, for which kind of files.
//!
//! Invariant: a profile that was read has no errors: all that it names is there, and its prompts render in every
//! case that can occur. Instructions are made from its own files and from values that were checked; texts of
//! people, models and schema files stand in parts.
//! Absent here: the disk, the session, the order of phases, and who answers.

mod built_in;
mod cases;
mod files;
mod finding;
mod inclusion;
mod key;
mod lint;
mod manifest;
mod page;
mod phase;
mod prompts;
mod tags;

pub use built_in::{BUILT_IN, built_in};
pub use files::{Files, MANIFEST};
pub use finding::{Finding, Flaw, Weight};
pub use key::{Context, ContextError, Key, KeyKind};
pub use lint::lint;
pub use page::page;
pub use phase::{Gate, Material, Phase, Presence, Role};

use super::ddl::{Ddl, DdlError, Table};
use crate::{Part, Prompt};
use manifest::{Manifest, PhaseEntry};
use minijinja::Value;
use prompts::{PROMPTS, Prompts, Values};
use std::{collections::BTreeMap, sync::Arc};
use toml::Spanned;

/// A profile without errors.
#[derive(Debug, Clone)]
pub struct Profile {
    name: String,
    description: String,
    extension: String,
    max_iterations: u32,
    keys: Vec<Key>,
    phases: [PhasePlan; 4],
    standards: Vec<(String, String)>,
    schema: Option<SchemaKeys>,
    prompts: Prompts,
}

/// What a profile says of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhasePlan {
    /// Its template, as a path within the profile's folder.
    pub prompt: String,
    /// Who plays it.
    pub role: Role,
    /// Who lets the workflow go on behind it.
    pub gate: Gate,
}

/// The context keys that are held against a schema file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaKeys {
    /// The key that names the schema file.
    pub file: String,
    /// The key that names the table.
    pub table: String,
    /// Keys that name columns which have to be there and not null.
    pub columns: Vec<String>,
}

/// Why a folder is no profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct ProfileError {
    /// All its errors, in order of files and lines.
    pub findings: Vec<Finding>,
}

/// One prompt to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked<'a> {
    /// The phase.
    pub phase: Phase,
    /// The session's context.
    pub context: &'a Context,
    /// From 1.
    pub iteration: u32,
    /// The last one that is allowed.
    pub last_iteration: u32,
    /// The standards as they were bundled when the session began; see [`Profile::standards_bundle`].
    pub standards: &'a str,
    /// What is to be worked on; put into the phase's order here.
    pub materials: Vec<(Material, Arc<str>)>,
}

/// Why a prompt cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// The template does not render.
    #[error("{0}")]
    Template(Finding),
    /// The phase has no use for a material, or lacks one.
    #[error("the prompt of {phase} {why} {:?}", .material.name())]
    Material {
        /// The phase.
        phase: Phase,
        /// The material.
        material: Material,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A placeholder is left.
    #[error("the prompt of {phase} would hold the placeholder {told}")]
    Literal {
        /// The phase.
        phase: Phase,
        /// The placeholder as it stands.
        told: String,
    },
}

/// Phase, context, materials, iteration, last iteration.
type Case<'a> = (Phase, &'a Context, &'a [Material], u32, u32);

impl Profile {
    /// Reads a folder.
    ///
    /// # Errors
    /// All errors that [`lint`] finds; warnings do not count.
    pub fn read(files: &Files) -> Result<Self, ProfileError> {
        let (profile, mut findings) = lint::examine(files);
        findings.retain(|finding| finding.weight() == Weight::Error);
        profile.ok_or(ProfileError { findings })
    }

    /// The parts put together; `None` where one is missing, which was told before.
    fn make(files: &Files, manifest: &Manifest, prompts: Prompts) -> Option<Self> {
        let plan = |phase| manifest.phase(phase).map(PhasePlan::of);
        let [a, b, c, d] = Phase::ALL.map(plan);
        let standard = |path: &Spanned<String>| {
            Some((path.get_ref().clone(), files.get(path.get_ref())?.to_owned()))
        };
        Some(Self {
            name: manifest.name.get_ref().clone(),
            description: manifest.description.clone(),
            extension: manifest.extension.get_ref().clone(),
            max_iterations: manifest.max_iterations(),
            keys: manifest.context.iter().map(manifest::KeyEntry::key).collect(),
            phases: [a?, b?, c?, d?],
            standards: manifest.standards.iter().map(standard).collect::<Option<_>>()?,
            schema: manifest.schema.as_ref().map(SchemaKeys::of),
            prompts,
        })
    }

    /// Its name: lower-case letters, digits and hyphens.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for, in a sentence.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The extension of the files it makes, without a dot.
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// The bound of iterations where a session sets none.
    pub fn max_iterations(&self) -> u32 {
        self.max_iterations
    }

    /// Its context keys in order.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// What it says of a phase.
    pub fn phase(&self, phase: Phase) -> &PhasePlan {
        let [planning, generation, review, revision] = &self.phases;
        match phase {
            Phase::Planning => planning,
            Phase::Generation => generation,
            Phase::Review => review,
            Phase::Revision => revision,
        }
    }

    /// The keys that are held against a schema file, where it has such.
    pub fn schema(&self) -> Option<&SchemaKeys> {
        self.schema.as_ref()
    }

    /// All standards as one Markdown text, each below its path. A session keeps it, and its sha256, as it begins.
    pub fn standards_bundle(&self) -> String {
        let one = |(path, text): &(String, String)| format!("<!-- {path} -->\n{}\n", text.trim());
        self.standards.iter().map(one).collect::<Vec<_>>().join("\n")
    }

    /// Checks a session's context and adds defaults.
    ///
    /// # Errors
    /// [`ContextError`] that names the key.
    pub fn context(&self, given: &BTreeMap<String, String>) -> Result<Context, ContextError> {
        Context::of(&self.name, &self.keys, given)
    }

    /// The table that the context names, with the columns that it names; `None` without a schema.
    ///
    /// # Errors
    /// [`DdlError`] when the table or a column is missing, or a column may be null.
    pub fn table<'a>(
        &self,
        context: &Context,
        ddl: &'a Ddl,
    ) -> Result<Option<&'a Table>, DdlError> {
        let Some(keys) = &self.schema else { return Ok(None) };
        let table = ddl.table(context.get(&keys.table).unwrap_or_default())?;
        for key in &keys.columns {
            let column = ddl.column(table, context.get(key).unwrap_or_default())?;
            if column.nullable {
                let (file, line) = (ddl.file.clone(), column.line);
                let (table, column) = (table.name.clone(), column.name.clone());
                return Err(DdlError::Nullable { file, line, table, column });
            }
        }
        Ok(Some(table))
    }

    /// The prompt of a phase: instructions, then its materials and the context's texts as parts.
    ///
    /// # Errors
    /// [`PromptError`]; none for a profile that was read, with the materials of the phase.
    pub fn prompt(&self, asked: &Asked<'_>) -> Result<Prompt, PromptError> {
        let materials = self.ordered(asked)?;
        let names: Vec<Material> = materials.iter().map(|(material, _)| *material).collect();
        let (phase, context) = (asked.phase, asked.context);
        let case = (phase, context, &*names, asked.iteration, asked.last_iteration);
        let instructions = self.fill_in(case, asked.standards).map_err(PromptError::Template)?;
        if let Some((_, told)) = tags::literal(&instructions, &self.variable_keys())
            && told.starts_with("{{")
        {
            return Err(PromptError::Literal { phase, told: told.to_owned() });
        }
        let parts = materials.iter().map(|(it, text)| Part::new(it.name(), Arc::clone(text)));
        let parts = self.texts(context).chain(parts).collect();
        Ok(Prompt { instructions, parts, reply: None, request: String::new() })
    }

    fn ordered(&self, asked: &Asked<'_>) -> Result<Vec<(Material, Arc<str>)>, PromptError> {
        let phase = asked.phase;
        let is_of_phase = |it: &Material| phase.materials().iter().any(|(of, _)| of == it);
        let stray = asked.materials.iter().map(|(it, _)| *it).find(|it| !is_of_phase(it));
        if let Some(material) = stray {
            return Err(PromptError::Material { phase, material, why: "has no use for" });
        }
        let mut ordered = Vec::new();
        for (material, presence) in phase.materials() {
            let given = asked.materials.iter().find(|(it, _)| it == material);
            let is_due = *presence == Presence::Always
                && (*material != Material::Schema || self.schema.is_some());
            match given {
                Some(given) => ordered.push(given.clone()),
                None if is_due => {
                    let why = "lacks";
                    return Err(PromptError::Material { phase, material: *material, why });
                }
                None => {}
            }
        }
        Ok(ordered)
    }

    /// The context's values that are texts, as parts under their keys.
    fn texts(&self, context: &Context) -> impl Iterator<Item = Part> {
        let texts = self.keys.iter().filter(|key| key.kind == KeyKind::Text);
        texts.filter_map(|key| {
            let text = context.get(&key.name).filter(|text| !text.is_empty())?;
            Some(Part::new(&key.part(), text))
        })
    }

    fn fill_in(&self, case: Case<'_>, standards: &str) -> Result<String, Finding> {
        let (phase, context, materials, iteration, last_iteration) = case;
        let texts: Vec<Part> = self.texts(context).collect();
        let names = texts.iter().map(|part| part.name.as_str());
        let parts: Value = names.chain(materials.iter().map(|it| it.name())).collect();
        let own = self.keys.iter().filter(|key| key.kind.is_variable());
        let own = own.map(|key| (key.name.as_str(), Value::from(context.get(&key.name))));
        let ours = [
            ("profile", Value::from(&*self.name)),
            ("phase", Value::from(phase.name())),
            ("extension", Value::from(&*self.extension)),
            ("iteration", Value::from(iteration)),
            ("last_iteration", Value::from(last_iteration)),
            ("parts", parts),
            ("standards", Value::from(standards.trim())),
        ];
        let values: Values =
            own.chain(ours).map(|(name, value)| (name.to_owned(), value)).collect();
        let file = self.prompt_file(phase);
        self.prompts.render(file.strip_prefix(PROMPTS).unwrap_or(file), &values)
    }

    fn prompt_file(&self, phase: Phase) -> &str {
        &self.phase(phase).prompt
    }

    fn variable_keys(&self) -> Vec<&str> {
        self.keys.iter().map(|key| key.name.as_str()).collect()
    }
}

impl PhasePlan {
    fn of(entry: &PhaseEntry) -> Self {
        Self { prompt: entry.prompt.get_ref().clone(), role: entry.role, gate: entry.gate }
    }
}

impl SchemaKeys {
    fn of(schema: &manifest::Schema) -> Self {
        Self {
            file: schema.file.get_ref().clone(),
            table: schema.table.get_ref().clone(),
            columns: schema.columns.iter().map(|key| key.get_ref().clone()).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
