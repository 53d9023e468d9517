//! What a reply's JSON has wrong, by JSON pointers.
//!
//! Invariant: each place is named in one line that says what belongs there.
//! Absent here: which JSON it is.

// The library's kinds of mistakes are not ours, and it may have more tomorrow; what has no words here is told in its.
#![allow(clippy::wildcard_enum_match_arm)]

use super::telling::{line, quoted};
use crate::unique::escaped;
use jsonschema::{ValidationError, Validator, error::TypeKind, error::ValidationErrorKind as Kind};
use serde_json::Value;

/// How many mistakes are named where nothing else is said; who mends three finds the others.
pub(super) const NAMED: usize = 3;
/// The longest field name for which a likely meaning is looked for.
const LONGEST_NAME: usize = 64;

/// The first mistakes of a value that has some.
pub(super) fn told(check: &Validator, schema: &Value, value: &Value, most: usize) -> String {
    let mut all = check.iter_errors(value).flat_map(|error| of(&error, schema));
    let mut named: Vec<String> = all.by_ref().take(most).collect();
    if all.next().is_some() {
        named.push("and more".to_owned());
    }
    named.join("; ")
}

/// The mistakes that the library tells as one.
fn of(error: &ValidationError<'_>, schema: &Value) -> Vec<String> {
    let place = error.instance_path().as_str();
    match error.kind() {
        Kind::AdditionalProperties { unexpected } => {
            let known = known(error, schema);
            let unknown = |name: &String| {
                let pointer = quoted(&format!("{place}/{}", escaped(name)));
                format!("{pointer}: unknown field{}", meaning(name, &known))
            };
            unexpected.iter().map(unknown).collect()
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![format!("{}: is missing", quoted(&format!("{place}/{name}")))]
        }
        Kind::Enum { options } => vec![format!("{}: must be {}", quoted(place), one_of(options))],
        Kind::FalseSchema => vec![format!("{}: does not belong here", quoted(place))],
        Kind::Constant { expected_value } => {
            vec![format!("{}: must be {expected_value}", quoted(place))]
        }
        Kind::Type { kind } => vec![format!("{}: must be {}", quoted(place), types(kind))],
        _ => vec![format!("{}: {}", quoted(place), line(&error.masked_with("it").to_string()))],
    }
}

fn one_of(options: &Value) -> String {
    let words: Vec<String> =
        options.as_array().into_iter().flatten().map(Value::to_string).collect();
    words.join(" or ")
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(some) => {
            some.iter().map(|one| one.to_string()).collect::<Vec<_>>().join(" or ")
        }
    }
}

/// The fields that the schema has at the place of an unknown one.
fn known<'a>(error: &ValidationError<'_>, schema: &'a Value) -> Vec<&'a str> {
    let here = error.schema_path().as_str();
    let object = here.rsplit_once('/').and_then(|(object, _)| schema.pointer(object));
    let fields = object.and_then(|object| object.get("properties")).and_then(Value::as_object);
    fields.into_iter().flat_map(|fields| fields.keys().map(String::as_str)).collect()
}

/// What an unknown field may have been meant to be, or what there is.
fn meaning(name: &str, known: &[&str]) -> String {
    let short = name.chars().count() <= LONGEST_NAME;
    let far = |one: &&str| strsim::damerau_levenshtein(name, one);
    let closest = known.iter().copied().filter(|_| short).min_by_key(far);
    match closest.filter(|one| far(one) <= 1 + one.len() / 4) {
        Some(one) => format!("; did you mean {one:?}?"),
        None => format!("; there are {}", known.join(", ")),
    }
}
