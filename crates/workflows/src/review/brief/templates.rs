//! The set of templates: those that come with the program, and a project's own in their place.
//!
//! Invariant: there is a template for each side, and a rubric for every asset.
//! Absent here: the disk.

use super::{
    Side,
    built_in::FILES,
    template::{Origin, Template, TemplateError},
};
use crate::review::model::AssetId;
use std::collections::BTreeMap;

/// The name of the creator's template.
pub const CREATOR: &str = "creator";
/// The name of the reviewers' template.
pub const REVIEWER: &str = "reviewer";
/// The rubric of assets that have none of their own.
const GENERAL: &str = "kinds/general";
const KINDS: &str = "kinds/";
const LENSES: &str = "lenses/";

/// The templates of a review.
#[derive(Debug, Clone, PartialEq)]
pub struct Templates {
    creator: Template,
    reviewer: Template,
    general: Template,
    /// Rubrics and lenses, by name.
    others: BTreeMap<String, Template>,
}

impl Templates {
    /// The templates that come with the program.
    ///
    /// # Errors
    /// Never for the files that ship; the type is that of any file.
    pub fn built_in() -> Result<Self, TemplateError> {
        let read =
            |(name, file): &(&str, &str)| Ok(((*name).to_owned(), Template::shipped(name, file)?));
        let mut all: BTreeMap<String, Template> =
            FILES.iter().map(read).collect::<Result<_, TemplateError>>()?;
        let mut take = |name: &str| {
            all.remove(name).ok_or_else(|| TemplateError::Name { name: name.to_owned() })
        };
        let (creator, reviewer, general) = (take(CREATOR)?, take(REVIEWER)?, take(GENERAL)?);
        Ok(Self { creator, reviewer, general, others: all })
    }

    /// The same templates with one of a project in place of ours, or beside them.
    ///
    /// # Errors
    /// When the name has no use here, or the file is no template.
    pub fn with(mut self, name: &str, file: &str, path: String) -> Result<Self, TemplateError> {
        if !is_name(name) {
            return Err(TemplateError::Name { name: name.to_owned() });
        }
        let template = Template::read(name, file, Origin::Project { path })?;
        match name {
            CREATOR => self.creator = template,
            REVIEWER => self.reviewer = template,
            GENERAL => self.general = template,
            _ => drop(self.others.insert(name.to_owned(), template)),
        }
        Ok(self)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Template> {
        let mut all: Vec<&Template> = [&self.creator, &self.reviewer, &self.general].into();
        all.extend(self.others.values());
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.into_iter()
    }

    /// The template of this name.
    pub fn get(&self, name: &str) -> Option<&Template> {
        self.iter().find(|template| template.name == name)
    }

    /// The template of a side.
    pub fn side(&self, side: Side) -> &Template {
        match side {
            Side::Creator => &self.creator,
            Side::Reviewer => &self.reviewer,
        }
    }

    /// The rubric of an asset: its own, or the general one.
    pub fn kind(&self, asset: &AssetId) -> &Template {
        self.others.get(&format!("{KINDS}{asset}")).unwrap_or(&self.general)
    }

    /// The lens of this name.
    pub fn lens(&self, lens: &str) -> Option<&Template> {
        self.others.get(&format!("{LENSES}{lens}"))
    }

    /// The names of all lenses.
    pub fn lenses(&self) -> impl Iterator<Item = &str> {
        self.others.keys().filter_map(|name| name.strip_prefix(LENSES))
    }
}

/// Whether a call to this side is made from the template: one of its asset, as a run names no others.
pub(crate) fn reads(template: &str, creates: bool, lens: Option<&str>) -> bool {
    match template.strip_prefix(LENSES) {
        Some(of) => !creates && lens == Some(of),
        None => match template {
            CREATOR => creates,
            REVIEWER => !creates,
            rubric => rubric.starts_with(KINDS),
        },
    }
}

/// Whether a template of this name has a use.
fn is_name(name: &str) -> bool {
    let below = name.strip_prefix(KINDS).or(name.strip_prefix(LENSES));
    // Assets and lenses are named alike: a project may add some of its own.
    below.map_or([CREATOR, REVIEWER].contains(&name), |word| AssetId::parse(word).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str) -> Result<Templates, TemplateError> {
        let file = "<!-- version: 7 -->\nOurs.";
        Templates::built_in()?.with(name, file, format!("prompts/review/{name}.md"))
    }

    #[test]
    fn a_projects_file_stands_in_place_of_ours_or_beside_them() {
        let count = Templates::built_in().unwrap().iter().count();
        for (name, more) in [
            ("creator", 0),
            ("reviewer", 0),
            ("kinds/general", 0),
            ("kinds/slug", 0),
            ("kinds/press_release", 1),
            ("lenses/law", 1),
        ] {
            let templates = with(name).unwrap();
            assert_eq!(templates.iter().count(), count + more, "{name}");
            let template = templates.get(name).unwrap();
            assert_eq!(template.version, 7);
            assert_ne!(template.origin, Origin::BuiltIn);
        }
        assert_eq!(with("lenses/law").unwrap().lens("law").unwrap().version, 7);
    }

    #[test]
    fn a_name_without_use_is_refused() {
        for name in
            ["creators", "kinds", "kinds/", "kinds/a/b", "kinds/Slug", "lenses/../creator", ""]
        {
            assert_eq!(with(name).unwrap_err(), TemplateError::Name { name: name.into() });
        }
    }

    #[test]
    fn our_own_files_render_in_every_case() {
        for (name, file) in FILES {
            let read = Template::read(name, file, Origin::BuiltIn);
            assert_eq!(read.as_ref(), Ok(&Template::shipped(name, file).unwrap()));
        }
    }

    #[test]
    fn our_own_files_differ_from_each_other_and_end_as_texts_do() {
        let templates = Templates::built_in().unwrap();
        let files: std::collections::BTreeSet<&str> =
            templates.iter().map(|template| template.file.as_str()).collect();
        assert_eq!(files.len(), FILES.len());
        assert!(files.iter().all(|file| file.ends_with('\n') && !file.ends_with("\n\n")));
    }
}
