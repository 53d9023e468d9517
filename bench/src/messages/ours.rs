//! Ours: the bare validator, and what the product does with each message.
//!
//! Absent here: the clock.

use crate::Outcome;
use jsonschema::{Draft, ValidationError, Validator, error::ValidationErrorKind};
use redraft_workflows::pair;
use serde_json::Value;
use std::hint::black_box;

/// How a message is judged.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// The bare validator: whether it is valid.
    YesNo,
    /// The bare validator: each error with its pointer and in words.
    Told,
    /// The product's own reading: no key twice, errors told, and the typed message.
    Read,
}

/// The compiled schema.
pub(super) struct Ours(Validator);

impl Ours {
    pub(super) fn compile(schema: &str) -> Outcome<Self> {
        let schema: Value = serde_json::from_str(schema)?;
        let built = jsonschema::options().with_draft(Draft::Draft202012).build(&schema);
        Ok(Self(built.map_err(|error| error.to_string())?))
    }

    /// Judges each of these once.
    pub(super) fn pass(&self, way: Way, texts: &[String]) -> Outcome<()> {
        for text in texts {
            match way {
                Way::YesNo => {
                    black_box(self.0.is_valid(&serde_json::from_str(text)?));
                }
                Way::Told => {
                    black_box(self.told(&serde_json::from_str(text)?));
                }
                Way::Read => {
                    let _ = black_box(pair::read(text, &[]));
                }
            }
        }
        Ok(())
    }

    fn told(&self, message: &Value) -> Vec<String> {
        if self.0.is_valid(message) {
            return Vec::new();
        }
        let line =
            |error: ValidationError<'_>| format!("{}: {}", error.instance_path(), error.masked());
        self.0.iter_errors(message).map(line).collect()
    }

    /// JSON pointers of what is wrong, sorted, each once.
    pub(super) fn places(&self, text: &str) -> Outcome<Vec<String>> {
        let message = serde_json::from_str(text)?;
        let mut places: Vec<String> =
            self.0.iter_errors(&message).flat_map(|error| of(&error)).collect();
        places.sort();
        places.dedup();
        if places.is_empty() != self.0.is_valid(&message) {
            return Err(format!("jsonschema contradicts itself on {text}").into());
        }
        Ok(places)
    }

    /// Whether the product takes it for a message.
    pub(super) fn is_read(&self, text: &str) -> bool {
        pair::read(text, &[]).is_ok()
    }
}

/// What is missing or unknown is named by its own pointer.
fn of(error: &ValidationError<'_>) -> Vec<String> {
    let place = error.instance_path().as_str();
    let inside = |name: &str| format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
    if let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() {
        return unexpected.iter().map(|name| inside(name)).collect();
    }
    if let ValidationErrorKind::Required { property } = error.kind() {
        return vec![inside(property.as_str().unwrap_or_default())];
    }
    vec![place.to_owned()]
}

/// The version of the bare validator, as the lock file has it.
pub(super) fn version() -> Outcome<&'static str> {
    let lock = include_str!("../../../Cargo.lock");
    let entry = lock.split("name = \"jsonschema\"\nversion = \"").nth(1);
    let version = entry.and_then(|rest| rest.split('"').next());
    version.ok_or_else(|| "the lock file does not name jsonschema".into())
}
