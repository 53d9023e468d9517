//! What a reply's JSON has wrong, by JSON pointers.
//!
//! Invariant: each place is named in one line that says what belongs there.
//! Absent here: which JSON it is.

// The library's kinds of mistakes are not ours, and it may have more tomorrow; what has no words here is told in its.
#![allow(clippy::wildcard_enum_match_arm)]

use super::{
    grouped::Grouped,
    telling::{line, quoted},
};
use crate::unique::escaped;
use jsonschema::{ValidationError, Validator, error::TypeKind, error::ValidationErrorKind as Kind};
use serde_json::Value;

/// How many mistakes are named where not all are told; who mends three finds the others.
const NAMED: usize = 3;
/// The longest field name for which a likely meaning is looked for.
const LONGEST_NAME: usize = 64;

/// One thing that is wrong.
pub(super) struct Mistake {
    /// Where, as a JSON pointer.
    pub(super) pointer: String,
    /// What belongs there, or does not.
    pub(super) what: String,
}

/// The first mistakes of a value that has some.
pub(super) fn first(check: &Validator, schema: &Value, value: &Value) -> String {
    let mut all = every(check, schema, value);
    let told = |Mistake { pointer, what }| format!("{}: {what}", quoted(&pointer));
    let mut named: Vec<String> = all.by_ref().take(NAMED).map(told).collect();
    if all.next().is_some() {
        named.push("and more".to_owned());
    }
    named.join("; ")
}

/// All mistakes of a value that has some.
pub(super) fn all(check: &Validator, schema: &Value, value: &Value) -> String {
    Grouped::of(value, every(check, schema, value)).told()
}

fn every<'a>(
    check: &'a Validator,
    schema: &'a Value,
    value: &'a Value,
) -> impl Iterator<Item = Mistake> + 'a {
    check.iter_errors(value).flat_map(move |error| of(&error, schema))
}

/// The mistakes that the library tells as one.
fn of(error: &ValidationError<'_>, schema: &Value) -> Vec<Mistake> {
    let place = error.instance_path().as_str();
    let here = |what: String| vec![Mistake { pointer: place.to_owned(), what }];
    match error.kind() {
        Kind::AdditionalProperties { unexpected } => {
            let known = known(error, schema);
            let unknown = |name: &String| Mistake {
                pointer: format!("{place}/{}", escaped(name)),
                what: format!("unknown field{}", meaning(name, &known)),
            };
            unexpected.iter().map(unknown).collect()
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![Mistake { pointer: format!("{place}/{name}"), what: "is missing".to_owned() }]
        }
        Kind::Enum { options } => here(format!("must be {}", one_of(options))),
        Kind::FalseSchema => here("does not belong here".to_owned()),
        Kind::Constant { expected_value } => here(format!("must be {expected_value}")),
        Kind::Type { kind } => here(format!("must be {}", types(kind))),
        _ => here(line(&error.masked_with("it").to_string())),
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
