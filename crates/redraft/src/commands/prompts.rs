//! `redraft prompts`: what models are told, and what of it is the project's own.
//!
//! Absent here: asking a model.

mod diff;
mod show;

use super::WorkspaceArg;
use crate::{
    briefing,
    exit::{Code, Failure},
    say,
};
use redraft_engine::sha256;
use redraft_workflows::review::{
    brief::{Origin, Template, TemplateError, Templates},
    model::AssetId,
};
use serde_json::{Value, json};
use std::path::Path;

/// What models are told, and what of it is the project's own
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Prompts {
    /// List the prompts that hold here, with versions and hashes
    List(List),
    /// Show what a model would be asked for an asset now, or one prompt's file
    Show(show::Args),
    /// Compare the project's prompts with the built-in ones, or those of a run with what holds now
    Diff(diff::Args),
}

#[derive(Debug, clap::Args)]
pub(crate) struct List {
    #[command(flatten)]
    at: WorkspaceArg,
}

pub(crate) fn run(command: &Prompts, as_json: bool) -> Result<Code, Failure> {
    match command {
        Prompts::List(args) => list(args, as_json),
        Prompts::Show(args) => show::run(args, as_json),
        Prompts::Diff(args) => diff::run(args, as_json),
    }
}

impl Prompts {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::List(_) => "prompts list",
            Self::Show(_) => "prompts show",
            Self::Diff(_) => "prompts diff",
        }
    }
}

fn list(args: &List, as_json: bool) -> Result<Code, Failure> {
    let prompts = OfHere::read(&args.at.workspace)?;
    if as_json {
        let rows: Vec<Value> = prompts.iter().map(as_value).collect();
        say::json("prompts list", Code::Done, json!({ "prompts": rows }));
        return Ok(Code::Done);
    }
    for template in prompts.iter() {
        let (name, version, place) = (&template.name, template.version, place(template));
        let hash = sha256(&template.file);
        say::out(&format!("{name}  version {version}  sha256 {}  {place}", hash.as_str()));
    }
    Ok(Code::Done)
}

/// The prompts that hold in a place.
struct OfHere {
    review: Templates,
    /// Of the workflows that have one for each step.
    by_step: Vec<Template>,
}

impl OfHere {
    /// Those of the project that a folder belongs to.
    fn read(folder: &Path) -> Result<Self, Failure> {
        let by_step = briefing::all_by_step(folder)?;
        Ok(Self { review: briefing::templates(folder)?, by_step })
    }

    /// Ours, whatever the project has.
    fn built_in() -> Result<Self, Failure> {
        let failed = |error: TemplateError| Failure::of(Code::Failure, &error);
        let by_step = briefing::built_in_by_step().map_err(failed)?;
        Ok(Self { review: Templates::built_in().map_err(failed)?, by_step })
    }

    fn iter(&self) -> impl Iterator<Item = &Template> {
        self.review.iter().chain(&self.by_step)
    }

    fn get(&self, name: &str) -> Option<&Template> {
        self.iter().find(|template| template.name == name)
    }

    /// The template that a person means: by its name, by its file's name, or by the asset whose rubric it is.
    fn named(&self, word: &str) -> Result<&Template, Failure> {
        let word = word.strip_suffix(".md").unwrap_or(word);
        if let Some(template) = self.get(word) {
            return Ok(template);
        }
        match AssetId::parse(word) {
            Ok(asset) => Ok(self.review.kind(&asset)),
            Err(_) => Err(Failure::usage(format!("there is no prompt {word}"))
                .help("redraft prompts list shows them")),
        }
    }
}

/// Where a template comes from, in words.
fn place(template: &Template) -> &str {
    match &template.origin {
        Origin::BuiltIn => "built-in",
        Origin::Project { path } => path,
    }
}

fn as_value(template: &Template) -> Value {
    let path = match &template.origin {
        Origin::BuiltIn => None,
        Origin::Project { path } => Some(path),
    };
    json!({"name": template.name, "version": template.version, "path": path, "sha256": sha256(&template.file)})
}
