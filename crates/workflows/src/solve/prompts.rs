//! The prompts of a solve: files with a version in their first line.
//!
//! Absent here: what a call works on beside them.

use super::shape::{CRITIQUE, GENERATE, PLAN, RECRITIQUE, REVISE};

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
        self.file.split_once('\n').map_or("", |(_, body)| body.trim())
    }
}

macro_rules! templates {
    ($($name:ident: $path:literal),* $(,)?) => {
        $(pub(super) const $name: Template = Template {
            name: concat!("solve/", $path),
            file: include_str!(concat!("../../prompts/solve/", $path, ".md")),
        };)*

        /// All of them.
        pub const PROMPTS: &[Template] = &[$($name),*];
    };
}

/// The template that the prompt of a step is made from; `None` for steps that ask nobody.
pub fn template(step: &str) -> Option<Template> {
    match step {
        PLAN => Some(PLANNER),
        GENERATE => Some(GENERATOR),
        REVISE => Some(REVISER),
        CRITIQUE | RECRITIQUE => Some(CRITIC),
        _ => None,
    }
}

templates!(PLANNER: "planner", GENERATOR: "generator", CRITIC: "critic", REVISER: "reviser");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::View;

    #[test]
    fn every_file_has_a_version_and_a_text() {
        for template in PROMPTS {
            assert!(
                template.version().parse::<u32>().is_ok_and(|version| version > 0),
                "{template:?}"
            );
            assert!(template.body().len() > 200, "{}", template.name);
        }
    }

    #[test]
    fn the_critic_is_asked_for_every_view_by_its_name() {
        for view in View::ALL {
            assert!(CRITIC.body().contains(&format!("`{}`", view.name())), "{view:?}");
        }
    }
}
