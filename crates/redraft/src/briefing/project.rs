//! A project's own prompts: files in `prompts/review/`, `prompts/solve/` and `prompts/pair/` of the project's folder, in place of ours.
//!
//! Invariant: every file there is used or refused; none is passed over.
//! Absent here: what a prompt may say.

use crate::{
    config::{project_folder, real_folder},
    exit::{Code, Failure},
};
use redraft_store::Home;
use redraft_workflows::{
    pair,
    review::brief::{Origin, Template, TemplateError, Templates},
    solve,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Where a project's prompts stand, and where those of kinds and lenses stand below.
const FOLDERS: [&str; 3] = ["", "kinds/", "lenses/"];
/// The largest prompt that is read, in bytes.
const LARGEST: u64 = 256 * 1024;

/// The project that a folder belongs to: the nearest one upward with `redraft.toml`, else with a home.
fn project_root(from: &Path) -> Result<Option<PathBuf>, Failure> {
    let real = real_folder(from).map_err(|error| Failure::in_file(Code::Usage, from, &error))?;
    match project_folder(&real) {
        Some(folder) => Ok(Some(folder.to_owned())),
        None => Ok(Home::find(&real)?.map(|home| home.root().to_owned())),
    }
}

/// The templates that hold for a folder.
pub(crate) fn templates(from: &Path) -> Result<Templates, Failure> {
    let built_in = Templates::built_in().map_err(|error| Failure::of(Code::Failure, &error))?;
    let Some(root) = project_root(from)? else { return Ok(built_in) };
    let root = root.join("prompts").join("review");
    let mut templates = built_in;
    for folder in FOLDERS {
        for (word, path) in files(&root.join(folder))? {
            let text = read(&path)?;
            let place = path.display().to_string();
            templates = templates
                .with(&format!("{folder}{word}"), &text, place)
                .map_err(|error| refused(&path, &error))?;
        }
    }
    Ok(templates)
}

/// The workflows whose prompts have one file for each step, with our files.
const BY_STEP: [(&str, &[redraft_workflows::Template]); 2] =
    [(solve::NAME, solve::PROMPTS), (pair::NAME, pair::PROMPTS)];

/// Our templates of a workflow by steps; none where it has none.
fn ours(workflow: &str) -> Result<Vec<Template>, TemplateError> {
    let known = BY_STEP.iter().find(|(name, _)| *name == workflow);
    let files = known.map_or(&[][..], |(_, files)| files);
    files.iter().map(|ours| Template::plain(ours.name, ours.file, Origin::BuiltIn)).collect()
}

/// Our templates of all workflows by steps.
pub(crate) fn built_in_by_step() -> Result<Vec<Template>, TemplateError> {
    let all: Result<Vec<_>, _> = BY_STEP.iter().map(|(workflow, _)| ours(workflow)).collect();
    all.map(|all| all.concat())
}

/// The templates of all workflows by steps that hold for a folder.
pub(crate) fn all_by_step(from: &Path) -> Result<Vec<Template>, Failure> {
    let all: Result<Vec<_>, _> =
        BY_STEP.iter().map(|(workflow, _)| templates_by_step(from, workflow)).collect();
    all.map(|all| all.concat())
}

/// The templates of one of them that hold for a folder, in the order of ours.
pub(crate) fn templates_by_step(from: &Path, workflow: &str) -> Result<Vec<Template>, Failure> {
    let mut templates = ours(workflow).map_err(|error| Failure::of(Code::Failure, &error))?;
    let Some(root) = project_root(from)? else { return Ok(templates) };
    for (word, path) in files(&root.join("prompts").join(workflow))? {
        let name = format!("{workflow}/{word}");
        let text = read(&path)?;
        let place = Origin::Project { path: path.display().to_string() };
        let Some(known) = templates.iter_mut().find(|template| template.name == name) else {
            return Err(refused(&path, &TemplateError::Name { name }));
        };
        *known = Template::plain(&name, &text, place).map_err(|error| refused(&path, &error))?;
    }
    Ok(templates)
}

/// The Markdown files of a folder with their names, sorted; hidden ones are an editor's.
fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let failed = |error: io::Error| Failure::in_file(Code::Usage, folder, &error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let word = name.as_deref().and_then(|name| name.strip_suffix(".md"));
        if let Some(word) = word.filter(|word| !word.starts_with('.')) {
            files.push((word.to_owned(), path.clone()));
        }
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<String, Failure> {
    let failed = |error: io::Error| Failure::in_file(Code::Usage, path, &error);
    let bytes = fs::metadata(path).map_err(failed)?.len();
    if bytes > LARGEST {
        let message = format!("{}: has {bytes} bytes, at most {LARGEST}", path.display());
        return Err(Failure::usage(message).help("a prompt of that length is a mistake"));
    }
    fs::read_to_string(path).map_err(failed)
}

/// The failure with its file and line.
fn refused(path: &Path, error: &TemplateError) -> Failure {
    let line = error.line().map_or(String::new(), |line| format!(":{line}"));
    let failure = Failure::usage(format!("{}{line}: {error}", path.display()));
    match error {
        TemplateError::Name { .. } => failure.help(
            "redraft prompts list shows the names; of reviews, kinds/ASSET.md and lenses/LENS.md may be new",
        ),
        TemplateError::Empty => failure.help(
            "write it, or take it away to use the built-in one; redraft prompts show NAME --template --built-in prints that",
        ),
        TemplateError::Version | TemplateError::Variable { .. } | TemplateError::Text { .. } => {
            failure.help("correct the file, or take it away to use the built-in one")
        }
    }
}
