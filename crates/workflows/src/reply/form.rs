//! Forms of replies: what is accepted, and what is asked for.
//!
//! What is accepted is wide: what scripts and people leave out has a default. What is asked of a model is narrow: every
//! field is required, so that providers can hold the model to it. Whatever is asked for is accepted.
//!
//! Invariant: both are closed JSON Schemas (2020-12); neither refers to anything outside itself.
//! Absent here: which forms there are. They stand with their workflows.

use super::{mistakes, telling};
use crate::ReplyForm;
use jsonschema::{Draft, Validator};
use serde_json::Value;

/// The form of a reply.
#[derive(Debug)]
pub struct Form {
    name: &'static str,
    asked: &'static str,
    told: Told,
    accepted: Result<Accepted, String>,
}

/// Which mistakes are named.
#[derive(Debug, Clone, Copy)]
enum Told {
    First,
    All,
}

#[derive(Debug)]
struct Accepted {
    schema: Value,
    check: Validator,
}

impl Form {
    /// A form of this name, letters and underscores, by the texts of its two schemas. Compiling them takes
    /// milliseconds, so a form is made once.
    pub fn new(name: &'static str, accepted: &'static str, asked: &'static str) -> Self {
        let accepted =
            compile(accepted).map_err(|why| format!("the form {name} is no schema: {why}"));
        Self { name, asked, told: Told::First, accepted }
    }

    /// The form whose every mistake is named; those of a reply that has thousands are counted.
    #[must_use]
    pub fn telling_all(self) -> Self {
        Self { told: Told::All, ..self }
    }

    /// The form as it goes to a provider.
    pub fn asked(&self) -> ReplyForm {
        ReplyForm { name: self.name.to_owned(), schema: self.asked.to_owned() }
    }

    /// Where a value departs from the form, or `None`.
    pub(super) fn mistakes(&self, value: &Value) -> Option<String> {
        match &self.accepted {
            Ok(Accepted { check, .. }) if check.is_valid(value) => None,
            Ok(Accepted { check, schema }) => Some(match self.told {
                Told::First => mistakes::first(check, schema, value),
                Told::All => mistakes::all(check, schema, value),
            }),
            Err(why) => Some(why.clone()),
        }
    }

    /// The longest message about a reply in this form, in characters.
    pub(super) fn longest_message(&self) -> usize {
        match self.told {
            Told::First => telling::MESSAGE,
            Told::All => telling::ALL,
        }
    }
}

fn compile(text: &str) -> Result<Accepted, String> {
    let schema: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let options = jsonschema::options().with_draft(Draft::Draft202012);
    let check = options.build(&schema).map_err(|error| error.to_string())?;
    Ok(Accepted { schema, check })
}
