//! One template: a file of instructions with a version in its first line and variables in its text.
//!
//! Invariant: a template renders in every case that can occur; it was tried with all of them, one of a project
//! when it was read, ours by a test.
//! Absent here: which templates there are.

use minijinja::{Environment, Error, UndefinedBehavior, Value, context};
use std::sync::{Arc, LazyLock, OnceLock};

/// The first line of a file: `<!-- version: 3 -->`.
const VERSION: (&str, &str) = ("<!-- version:", "-->");

/// The names that a template may use.
pub(super) const KNOWN: [&str; 6] =
    ["asset", "iteration", "last_iteration", "parts", "rubric", "lens"];

/// Steps a template may take to render; ours take a few hundred.
const FUEL: u64 = 100_000;

/// Whose a template is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It came with the program.
    BuiltIn,
    /// The project brought it.
    Project {
        /// Where its file is, as a person would find it.
        path: String,
    },
}

/// A file of instructions.
#[derive(Debug, Clone)]
pub struct Template {
    /// Its name: its path below the prompts' folder, without `.md`.
    pub name: String,
    /// Rises with every change, as its first line tells.
    pub version: u32,
    /// The whole file, first line and all.
    pub file: String,
    /// Whose it is.
    pub origin: Origin,
    /// What its text was compiled to, from the first rendering on.
    compiled: OnceLock<Arc<Environment<'static>>>,
}

/// What a file says is all there is to a template.
impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.file, &self.origin) == (&other.name, &other.file, &other.origin)
    }
}

/// Why a file is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// There is no use for a template of this name.
    #[error("no prompt is called {name:?}")]
    Name {
        /// The name.
        name: String,
    },
    /// It has no instructions.
    #[error("the file is empty: a prompt without a word asks for nothing")]
    Empty,
    /// The first line does not tell the version.
    #[error("the first line has to be `<!-- version: N -->` with a number from 1")]
    Version,
    /// It names something that there is not.
    #[error(
        "there is no variable {name:?}; known are asset, iteration, last_iteration, parts, rubric, lens"
    )]
    Variable {
        /// The line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// It does not parse, or does not render.
    #[error("{what}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// What the renderer says.
        what: String,
    },
}

impl TemplateError {
    /// The line of the file, from 1, where there is one.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Name { .. } | Self::Empty => None,
            Self::Version => Some(1),
            Self::Variable { line, .. } | Self::Text { line, .. } => Some(*line),
        }
    }
}

/// What a template is filled with. None of it comes from an episode, a candidate or a review.
#[derive(Debug, Clone)]
pub(super) struct Variables<'a> {
    pub(super) asset: &'a str,
    pub(super) iteration: u32,
    pub(super) last_iteration: u32,
    /// The names of the parts that the message has.
    pub(super) parts: &'a [&'a str],
    /// The text of the asset's kind; empty in the files of kinds and lenses.
    pub(super) rubric: String,
    /// The text of the reviewer's lens; empty where there is none, and in the files of kinds and lenses.
    pub(super) lens: String,
}

impl Template {
    /// Reads a file and tries it out.
    ///
    /// # Errors
    /// [`TemplateError`] with the line.
    pub fn read(name: &str, file: &str, origin: Origin) -> Result<Self, TemplateError> {
        let template = Self::plain(name, file, origin)?;
        template.check()?;
        Ok(template)
    }

    /// Reads a file whose text stands for itself, variables and all.
    ///
    /// # Errors
    /// [`TemplateError`] when it has no version or no text.
    pub fn plain(name: &str, file: &str, origin: Origin) -> Result<Self, TemplateError> {
        if file.trim().is_empty() {
            return Err(TemplateError::Empty);
        }
        let template = Self { origin, ..Self::shipped(name, file)? };
        if template.body().trim().is_empty() {
            return Err(TemplateError::Empty);
        }
        Ok(template)
    }

    /// Takes a file of ours as it is; a test tries them all out.
    pub(super) fn shipped(name: &str, file: &str) -> Result<Self, TemplateError> {
        let version = version(file).ok_or(TemplateError::Version)?;
        let (name, file) = (name.to_owned(), file.to_owned());
        Ok(Self { name, version, file, origin: Origin::BuiltIn, compiled: OnceLock::new() })
    }

    /// The text, filled in and without blank lines at its ends.
    pub(super) fn text(&self, variables: &Variables<'_>) -> String {
        // All cases were tried when the file was read. Should one have been missed, the bare text still says
        // what to do, and a call without instructions never leaves.
        self.render(variables).unwrap_or_else(|_| self.body().trim().to_owned())
    }

    /// What stands below the first line.
    pub fn body(&self) -> &str {
        self.file.split_once('\n').map_or("", |(_, body)| body)
    }

    fn render(&self, variables: &Variables<'_>) -> Result<String, TemplateError> {
        let Variables { asset, iteration, last_iteration, parts, rubric, lens } = variables;
        let parts: Value = parts.iter().copied().collect();
        let values = context! {
            asset => *asset, iteration => *iteration, last_iteration => *last_iteration,
            parts => parts, rubric => rubric, lens => lens,
        };
        let text = self.compiled().and_then(|it| it.get_template(NAME)?.render(values));
        Ok(text.map_err(|error| refused(&error))?.trim().to_owned())
    }

    fn compiled(&self) -> Result<&Environment<'static>, Error> {
        if let Some(compiled) = self.compiled.get() {
            return Ok(compiled);
        }
        let mut environment = ENVIRONMENT.clone();
        environment.add_template_owned(NAME, self.body().to_owned())?;
        Ok(self.compiled.get_or_init(|| Arc::new(environment)))
    }

    fn check(&self) -> Result<(), TemplateError> {
        let compiled = self.compiled().and_then(|it| it.get_template(NAME));
        let template = compiled.map_err(|error| refused(&error))?;
        let mut unknown: Vec<String> = template.undeclared_variables(false).into_iter().collect();
        unknown.retain(|name| !KNOWN.contains(&name.as_str()));
        unknown.sort();
        if let Some(name) = unknown.into_iter().next() {
            let line = self.file.lines().position(|line| line.contains(&name));
            return Err(TemplateError::Variable { line: line.unwrap_or(0) + 1, name });
        }
        cases().try_for_each(|(parts, iteration, lens)| {
            let variables = Variables {
                asset: "slug",
                iteration,
                last_iteration: 3,
                parts: &parts,
                rubric: "a rubric".to_owned(),
                lens: lens.to_owned(),
            };
            self.render(&variables).map(drop)
        })
    }
}

/// Every mixture of parts that a message can have, first, middle and last iteration, with a lens and without.
fn cases() -> impl Iterator<Item = (Vec<&'static str>, u32, &'static str)> {
    let choices: [&[&[&str]]; 6] = [
        &[&[], &["transcript"], &["transcript summary"]],
        &[&[], &["locked selection"]],
        &[&[], &["candidate"], &["previous candidate"], &["previous candidate", "previous review"]],
        &[&[], &["open findings"]],
        &[&[], &["reopened"]],
        &[&[], &["your reply", "what is wrong"]],
    ];
    let mut mixtures = vec![vec!["episode"]];
    for choice in choices {
        let with = |parts: &Vec<&'static str>| {
            choice.iter().map(|more| [parts, *more].concat()).collect::<Vec<_>>()
        };
        mixtures = mixtures.iter().flat_map(with).collect();
    }
    let turns = [(1, ""), (2, "a lens"), (3, "")];
    mixtures
        .into_iter()
        .flat_map(move |parts| turns.map(|(round, lens)| (parts.clone(), round, lens)))
}

/// Made once: its tables of filters take longer to fill than a template to render.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment
});

/// The name of a template in the environment that it has to itself.
const NAME: &str = "it";

fn refused(error: &Error) -> TemplateError {
    let kind = error.kind();
    let what = error.detail().map_or(kind.to_string(), |detail| format!("{kind}: {detail}"));
    // Lines of the body are counted from the second line of the file.
    TemplateError::Text { line: error.line().unwrap_or(0) + 1, what }
}

fn version(file: &str) -> Option<u32> {
    let line = file.lines().next()?.trim();
    let version = line.strip_prefix(VERSION.0)?.strip_suffix(VERSION.1)?.trim();
    version.parse().ok().filter(|version| *version > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Template, TemplateError> {
        Template::read("creator", &format!("<!-- version: 4 -->\n{body}"), Origin::BuiltIn)
    }

    #[test]
    fn a_template_has_a_version_and_a_body() {
        let template = read("Write {{ asset }}.\n").unwrap();
        assert_eq!((template.version, template.body()), (4, "Write {{ asset }}.\n"));
        for first in ["", "# Title", "<!-- version: -->", "<!-- version: 0 -->", "version: 1"] {
            let file = format!("{first}\nWrite.");
            let error = Template::read("creator", &file, Origin::BuiltIn).unwrap_err();
            assert_eq!((error.line(), error), (Some(1), TemplateError::Version), "{first}");
        }
    }

    #[test]
    fn a_name_that_there_is_not_is_found_with_its_line_also_where_it_is_never_reached() {
        for body in ["one\n{{ transcript }}", "one\n{% if false %}{{ transcript }}{% endif %}"] {
            let error = read(body).unwrap_err();
            assert_eq!(error, TemplateError::Variable { line: 3, name: "transcript".into() });
        }
    }

    #[test]
    fn what_does_not_render_in_some_case_is_refused_with_its_line() {
        for (body, line) in [
            ("one\n{% if lens %}", 3),
            ("one\n\n{{ asset | upper }}", 4),
            ("{% if \"open findings\" in parts %}\n{{ parts[99] }}{% endif %}", 3),
            ("{% if iteration == last_iteration %}\n{{ nothing() }}{% endif %}", 3),
        ] {
            assert_eq!(read(body).unwrap_err().line(), Some(line), "{body}");
        }
    }

    #[test]
    fn a_template_that_never_ends_is_refused() {
        let nested = "{% for a in [1,2,3,4,5,6,7,8,9,10] %}";
        let body = format!("{}x{}", nested.repeat(7), "{% endfor %}".repeat(7));
        assert!(read(&body).unwrap_err().to_string().contains("fuel"), "bounded in steps");
    }

    #[test]
    fn what_is_filled_in_is_never_read_as_a_template() {
        let template = read("{{ rubric }}").unwrap();
        let rubric = "{{ asset }}{% boom %}".to_owned();
        let variables = Variables {
            asset: "slug",
            iteration: 1,
            last_iteration: 3,
            parts: &[],
            rubric,
            lens: String::new(),
        };
        assert_eq!(template.text(&variables), "{{ asset }}{% boom %}");
    }
}
