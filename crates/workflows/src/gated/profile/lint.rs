//! A profile is looked through: everything that is named is there, and everything that is there is named.
//!
//! Invariant: a profile without errors renders in every case that can occur.
//! Absent here: taste. A prompt that asks for the wrong thing is a good prompt to this file.

use super::{
    Profile,
    cases::try_all,
    files::{Files, MANIFEST},
    finding::{Finding, Flaw, Weight},
    inclusion::Inclusion,
    key::{Key, KeyKind},
    manifest::{Manifest, VARIABLES, place},
    phase::Phase,
    prompts::{PROMPTS, Prompts},
    tags::{literal, tags},
};
use toml::Spanned;

const STANDARDS: &str = "standards/";

/// All that is wrong with a profile, errors and warnings, by file and line.
pub fn lint(files: &Files) -> Vec<Finding> {
    examine(files).1
}

/// The profile, where nothing is an error, and all findings.
pub(super) fn examine(files: &Files) -> (Option<Profile>, Vec<Finding>) {
    let Some(text) = files.get(MANIFEST) else {
        return (None, vec![Finding::manifest(1, Flaw::NoManifest)]);
    };
    let manifest = match Manifest::read(text) {
        Ok(manifest) => manifest,
        Err(finding) => return (None, vec![finding]),
    };
    let (prompts, mut found) = Prompts::compile(files);
    let look = Look { files, manifest: &manifest, text, prompts: &prompts };
    found.extend(manifest.flaws(text));
    found.extend(look.named_files());
    let inclusion = Inclusion::of(files, &manifest);
    found.extend(inclusion.findings.iter().cloned());
    found.extend(inclusion.reached.iter().flat_map(|name| look.placeholders(name)));
    found.extend(look.literal_standards());
    found.extend(look.unused(&inclusion));
    let is_sound =
        |found: &[Finding]| !found.iter().any(|finding| finding.weight() == Weight::Error);
    let mut profile = None;
    if is_sound(&found) {
        let made = Profile::make(files, &manifest, prompts.clone());
        found.extend(made.iter().flat_map(|made| try_all(made, files)));
        profile = made.filter(|_| is_sound(&found));
    }
    found.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    found.dedup();
    (profile, found)
}

struct Look<'a> {
    files: &'a Files,
    manifest: &'a Manifest,
    text: &'a str,
    prompts: &'a Prompts,
}

impl Look<'_> {
    fn line(&self, at: &Spanned<String>) -> usize {
        place(self.text, at.span().start).0
    }

    /// Prompts and standards that the manifest names stand in their folders and have words.
    fn named_files(&self) -> Vec<Finding> {
        let phases = Phase::ALL.into_iter().filter_map(|phase| self.manifest.phase(phase));
        let prompts = phases.map(|entry| (&entry.prompt, PROMPTS));
        let standards = self.manifest.standards.iter().map(|path| (path, STANDARDS));
        let flaw = |(path, folder): (&Spanned<String>, &'static str)| {
            let (line, name) = (self.line(path), path.get_ref().clone());
            match self.files.get(&name) {
                _ if !name.starts_with(folder) => {
                    Some(Finding::manifest(line, Flaw::Folder { path: name, folder }))
                }
                None => Some(Finding::manifest(line, Flaw::NoFile(name))),
                Some(text) if text.trim().is_empty() => Some(Finding::new(&name, 1, Flaw::Empty)),
                Some(_) => None,
            }
        };
        prompts.chain(standards).filter_map(flaw).collect()
    }

    fn keys(&self) -> Vec<Key> {
        self.manifest.context.iter().map(super::manifest::KeyEntry::key).collect()
    }

    /// Names in a template that nothing fills.
    fn placeholders(&self, name: &str) -> Vec<Finding> {
        let text = self.files.get(&format!("{PROMPTS}{name}")).unwrap_or_default();
        let keys = self.keys();
        let variable = |asked: &str| {
            let key = keys.iter().find(|key| key.name == asked);
            key.map_or(VARIABLES.contains(&asked), |key| key.kind.is_variable())
        };
        let asked = self.prompts.asks(name).unwrap_or_default();
        let unknown = asked.into_iter().filter(|asked| !variable(asked));
        let flaw = |asked: String| {
            let tags = tags(text);
            let line = tags.iter().find(|tag| tag.names(&asked)).map_or(1, |tag| tag.line);
            let flaw = if keys.iter().any(|key| key.name == asked) {
                Flaw::NoVariable(asked)
            } else {
                let own = keys.iter().filter(|key| key.kind.is_variable());
                let own = own.map(|key| key.name.clone());
                let known = own.chain(VARIABLES.map(str::to_owned)).collect();
                Flaw::Placeholder { name: asked, known }
            };
            Finding::new(&format!("{PROMPTS}{name}"), line, flaw)
        };
        unknown.map(flaw).collect()
    }

    /// Standards are no templates: what looks like a placeholder in them stays.
    fn literal_standards(&self) -> Vec<Finding> {
        let keys = self.keys();
        let known: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
        let flaw = |path: &Spanned<String>| {
            let text = self.files.get(path.get_ref())?;
            let (line, told) = literal(text, &known)?;
            Some(Finding::new(path.get_ref(), line, Flaw::Literal(told.to_owned())))
        };
        self.manifest.standards.iter().filter_map(flaw).collect()
    }

    fn unused(&self, inclusion: &Inclusion) -> Vec<Finding> {
        let asked: Vec<String> =
            inclusion.reached.iter().filter_map(|name| self.prompts.asks(name)).flatten().collect();
        let mut found: Vec<Finding> = self.unused_files(inclusion).collect();
        if !self.manifest.standards.is_empty() && !asked.iter().any(|name| name == "standards") {
            let line = self.line(&self.manifest.standards[0]);
            found.push(Finding::manifest(line, Flaw::Untold));
        }
        let schema = self.manifest.schema.iter();
        let schema = schema.flat_map(|it| [&it.file, &it.table].into_iter().chain(&it.columns));
        let schema: Vec<&String> = schema.map(Spanned::get_ref).collect();
        let is_used = |key: &Key| {
            key.kind == KeyKind::Text || schema.contains(&&key.name) || asked.contains(&key.name)
        };
        let entries = self.manifest.context.iter().filter(|entry| !is_used(&entry.key()));
        found.extend(entries.map(|entry| {
            let flaw = Flaw::UnusedKey(entry.name.get_ref().clone());
            Finding::manifest(self.line(&entry.name), flaw)
        }));
        found
    }

    fn unused_files(&self, inclusion: &Inclusion) -> impl Iterator<Item = Finding> {
        let is_used = |path: &str| {
            let is_prompt = path
                .strip_prefix(PROMPTS)
                .is_some_and(|name| inclusion.reached.iter().any(|reached| reached == name));
            let is_standard = self.manifest.standards.iter().any(|it| it.get_ref() == path);
            path == MANIFEST || is_prompt || is_standard || is_about_the_folder(path)
        };
        let unused = self.files.iter().filter(move |(path, _)| !is_used(path));
        unused.map(|(path, _)| Finding::new(path, 1, Flaw::UnusedFile))
    }
}

/// Files for people who look at the folder.
fn is_about_the_folder(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with('.') || name.starts_with("README") || name.starts_with("LICENSE")
}
