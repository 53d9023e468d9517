//! Which templates a profile's phases reach by including each other.
//!
//! Invariant: every template that is reached stands in `reached` once; a circle is told once.
//! Absent here: compiling and filling in.

use super::{
    files::Files,
    finding::{Finding, Flaw},
    manifest::Manifest,
    phase::Phase,
    prompts::PROMPTS,
    tags::{Tag, tags},
};

/// Statements that a prompt has a use for; `include` is looked at by itself.
const STATEMENTS: [&str; 11] =
    ["if", "elif", "else", "endif", "for", "endfor", "set", "endset", "with", "endwith", "include"];

/// The templates that are reached, and what is wrong on the way.
#[derive(Debug, Default)]
pub(super) struct Inclusion {
    pub(super) reached: Vec<String>,
    pub(super) findings: Vec<Finding>,
}

impl Inclusion {
    /// Follows all phases of a profile.
    pub(super) fn of(files: &Files, manifest: &Manifest) -> Self {
        let mut inclusion = Self::default();
        let phases = Phase::ALL.into_iter().filter_map(|phase| manifest.phase(phase));
        for entry in phases {
            if let Some(name) = entry.prompt.get_ref().strip_prefix(PROMPTS) {
                inclusion.follow(files, name, &mut Vec::new());
            }
        }
        inclusion
    }

    /// Goes into a template that was not reached yet; `path` are those on the way to it.
    fn follow(&mut self, files: &Files, name: &str, path: &mut Vec<String>) {
        let file = format!("{PROMPTS}{name}");
        let Some(text) = files.get(&file) else { return };
        if self.reached.iter().any(|reached| reached == name) {
            return;
        }
        self.reached.push(name.to_owned());
        path.push(name.to_owned());
        for tag in tags(text) {
            let Some(word) = tag.word() else { continue };
            if !STATEMENTS.contains(&word) {
                self.tell(&file, tag, Flaw::Tag(word.to_owned()));
            } else if word == "include" {
                self.include(files, &file, tag, path);
            }
        }
        path.pop();
    }

    fn include(&mut self, files: &Files, file: &str, tag: Tag<'_>, path: &mut Vec<String>) {
        let Some(name) = literal_name(tag.inner) else {
            return self.tell(file, tag, Flaw::IncludeForm);
        };
        match files.get(&format!("{PROMPTS}{name}")) {
            None => self.tell(file, tag, Flaw::NoInclude(name.to_owned())),
            Some(text) if text.trim().is_empty() => {
                let empty = Finding::new(&format!("{PROMPTS}{name}"), 1, Flaw::Empty);
                self.findings.push(empty);
                self.reached.push(name.to_owned());
            }
            Some(_) => match path.iter().position(|on_the_way| on_the_way == name) {
                Some(start) => {
                    let mut circle = path[start..].to_vec();
                    circle.push(name.to_owned());
                    self.tell(file, tag, Flaw::Circle(circle));
                }
                None => self.follow(files, name, path),
            },
        }
    }

    fn tell(&mut self, file: &str, tag: Tag<'_>, flaw: Flaw) {
        self.findings.push(Finding::new(file, tag.line, flaw));
    }
}

/// `include "name"` and nothing else.
fn literal_name(inner: &str) -> Option<&str> {
    let name = inner.strip_prefix("include")?.trim();
    let quote = name.chars().next().filter(|c| "\"'".contains(*c))?;
    let name = name.strip_prefix(quote)?.strip_suffix(quote)?;
    (!name.contains(['"', '\''])).then_some(name)
}
