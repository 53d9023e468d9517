//! Instructions as files: their first line names the version, what stands below is told.
//!
//! Absent here: which steps are told what, and reading a project's own files.

use std::collections::BTreeMap;

/// One file of instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Its name: its path below the prompts' folder, without `.md`.
    pub name: &'static str,
    /// The whole file, first line and all.
    pub file: &'static str,
}

impl Template {
    /// The version that the first line names, `<!-- version: N -->`.
    pub fn version(&self) -> &'static str {
        let line = self.file.lines().next().unwrap_or_default();
        let version = line.strip_prefix("<!-- version:").and_then(|rest| rest.strip_suffix("-->"));
        version.unwrap_or_default().trim()
    }

    /// What stands below the first line.
    pub fn body(&self) -> &'static str {
        body(self.file)
    }

    /// What is told in a run that has these files in place of ours, by name.
    pub(crate) fn told(&self, own: &BTreeMap<String, String>) -> String {
        own.get(self.name).map_or(self.body(), |file| body(file)).to_owned()
    }
}

fn body(file: &str) -> &str {
    file.split_once('\n').map_or("", |(_, body)| body.trim())
}

/// Names the files of a workflow's folder below `prompts`.
macro_rules! templates {
    ($folder:literal: $($name:ident: $file:literal),* $(,)?) => {
        $(pub(super) const $name: $crate::Template = $crate::Template {
            name: concat!($folder, "/", $file),
            file: include_str!(concat!("../../prompts/", $folder, "/", $file, ".md")),
        };)*

        /// All of them.
        pub const PROMPTS: &[$crate::Template] = &[$($name),*];
    };
}
pub(crate) use templates;

#[cfg(test)]
mod tests {
    use crate::{Template, pair, solve};

    #[test]
    fn every_file_has_a_version_and_a_text() {
        let all: Vec<&Template> = solve::PROMPTS.iter().chain(pair::PROMPTS).collect();
        assert_eq!(all.len(), 9);
        for template in all {
            let version = template.version().parse::<u32>();
            assert!(version.is_ok_and(|version| version > 0), "{template:?}");
            assert!(template.body().len() > 200, "{}", template.name);
        }
    }
}
