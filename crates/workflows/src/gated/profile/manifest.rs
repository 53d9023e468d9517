//! `profile.toml` as it is written, and what is wrong with it by itself.
//!
//! Invariant: no field beside those named; every flaw has a line.
//! Absent here: the other files of the folder.

use super::{
    files::MANIFEST,
    finding::{Finding, Flaw},
    key::{Key, KeyKind},
    phase::{Gate, Phase, Role},
};
use serde::Deserialize;
use toml::Spanned;

/// The bound of iterations where none is given.
const MAX_ITERATIONS: u32 = 3;

/// Names that templates have beside those of the context.
pub(super) const VARIABLES: [&str; 7] =
    ["profile", "phase", "extension", "iteration", "last_iteration", "parts", "standards"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) name: Spanned<String>,
    pub(super) description: String,
    pub(super) extension: Spanned<String>,
    max_iterations: Option<Spanned<u32>>,
    pub(super) standards: Vec<Spanned<String>>,
    #[serde(default)]
    phases: Phases,
    pub(super) schema: Option<Schema>,
    #[serde(default)]
    pub(super) context: Vec<KeyEntry>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phases {
    planning: Option<PhaseEntry>,
    generation: Option<PhaseEntry>,
    review: Option<PhaseEntry>,
    revision: Option<PhaseEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PhaseEntry {
    pub(super) prompt: Spanned<String>,
    pub(super) role: Role,
    pub(super) gate: Gate,
}

/// Which keys name the schema file, the table, and columns that have to be there and not null.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Schema {
    pub(super) file: Spanned<String>,
    pub(super) table: Spanned<String>,
    #[serde(default)]
    pub(super) columns: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyEntry {
    pub(super) name: Spanned<String>,
    help: String,
    kind: KeyKind,
    default: Option<String>,
    #[serde(default)]
    allowed: Vec<String>,
}

impl KeyEntry {
    pub(super) fn key(&self) -> Key {
        let Self { name, help, kind, default, allowed } = self;
        Key {
            name: name.get_ref().clone(),
            help: help.clone(),
            kind: *kind,
            default: default.clone(),
            allowed: allowed.clone(),
        }
    }
}

impl Manifest {
    /// Reads the file.
    pub(super) fn read(text: &str) -> Result<Self, Finding> {
        toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let (line, column) = place(text, at);
            let flaw = Flaw::Manifest(error.message().to_owned());
            Finding { file: MANIFEST.to_owned(), line, column: Some(column), flaw }
        })
    }

    /// What it says of a phase.
    pub(super) fn phase(&self, phase: Phase) -> Option<&PhaseEntry> {
        match phase {
            Phase::Planning => self.phases.planning.as_ref(),
            Phase::Generation => self.phases.generation.as_ref(),
            Phase::Review => self.phases.review.as_ref(),
            Phase::Revision => self.phases.revision.as_ref(),
        }
    }

    pub(super) fn max_iterations(&self) -> u32 {
        self.max_iterations.as_ref().map_or(MAX_ITERATIONS, |max| *max.get_ref())
    }

    /// What is wrong with it by itself.
    pub(super) fn flaws(&self, text: &str) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut add = |at: usize, flaw| found.push(Finding::manifest(place(text, at).0, flaw));
        if !is_name(self.name.get_ref()) {
            add(self.name.span().start, Flaw::Name(self.name.get_ref().clone()));
        }
        if !is_extension(self.extension.get_ref()) {
            add(self.extension.span().start, Flaw::Extension(self.extension.get_ref().clone()));
        }
        if let Some(max) = self.max_iterations.as_ref()
            && !(1..=50).contains(max.get_ref())
        {
            add(max.span().start, Flaw::MaxIterations);
        }
        for phase in Phase::ALL.into_iter().filter(|phase| self.phase(*phase).is_none()) {
            add(0, Flaw::NoPhase(phase));
        }
        for (at, entry) in self.context.iter().enumerate() {
            if let Some(why) = self.key_flaw(at, &entry.key()) {
                add(entry.name.span().start, Flaw::Key { key: entry.name.get_ref().clone(), why });
            }
        }
        for (key, why) in self.schema.iter().flat_map(|schema| self.schema_flaws(schema)) {
            add(key.span().start, Flaw::Schema { key: key.get_ref().clone(), why });
        }
        found
    }

    fn key_flaw(&self, at: usize, key: &Key) -> Option<String> {
        let is_twin = self.context[..at].iter().any(|other| *other.name.get_ref() == key.name);
        let says = |is: bool, why: &str| is.then(|| why.to_owned());
        says(!is_key(&key.name), "a name is lower-case letters, digits and underscores")
            .or_else(|| says(VARIABLES.contains(&key.name.as_str()), "the name is taken"))
            .or_else(|| says(is_part(key), "the name is that of another part of prompts"))
            .or_else(|| says(is_twin, "there are two of this name"))
            .or_else(|| {
                let is_choice = key.kind == KeyKind::Choice;
                says(
                    is_choice == key.allowed.is_empty(),
                    "a choice, and nothing else, has allowed values",
                )
            })
            .or_else(|| {
                let bad = |value: &&String| value.is_empty() || !value.chars().all(is_plain);
                let bad = key.allowed.iter().find(bad)?;
                Some(format!("the allowed value {bad:?} is no plain word"))
            })
            .or_else(|| {
                let why = key.refusal(key.default.as_deref()?)?;
                Some(format!("its default {why}"))
            })
    }

    fn schema_flaws<'a>(&'a self, schema: &'a Schema) -> Vec<(&'a Spanned<String>, String)> {
        let of_kind = |key: &'a Spanned<String>, kind: KeyKind, word: &str| {
            let entry = self.context.iter().find(|entry| entry.name.get_ref() == key.get_ref());
            match entry {
                None => Some((key, "is no context key".to_owned())),
                Some(entry) if entry.kind != kind => {
                    Some((key, format!("has to be a context key of kind {word:?}")))
                }
                Some(_) => None,
            }
        };
        let columns = schema.columns.iter().map(|key| of_kind(key, KeyKind::Column, "column"));
        [
            of_kind(&schema.file, KeyKind::File, "file"),
            of_kind(&schema.table, KeyKind::Table, "table"),
        ]
        .into_iter()
        .chain(columns)
        .flatten()
        .collect()
    }
}

/// Line and column in characters, from 1, of a byte.
pub(super) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// Whether a text would stand in prompts under the name of something else.
fn is_part(key: &Key) -> bool {
    let materials = Phase::ALL.into_iter().flat_map(Phase::materials);
    let mut names = materials.map(|(material, _)| material.name());
    key.kind == KeyKind::Text && names.any(|name| name == key.part())
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-.".contains(c)
}

fn is_key(name: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(goes_on)
}

fn is_name(name: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 64
        && name.chars().all(goes_on)
}

fn is_extension(extension: &str) -> bool {
    (1..=16).contains(&extension.len()) && extension.chars().all(|c| c.is_ascii_alphanumeric())
}
