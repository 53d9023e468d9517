//! The context keys of a profile, and values that were checked against them.
//!
//! Invariant: a value that can stand in instructions is a short name of harmless characters, or one of a list.
//! Absent here: flags, files, and whether a table exists.

use crate::gated::ddl::{TableName, column_name};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The most characters of a name.
const LONGEST_NAME: usize = 128;
/// The most bytes of a text.
const LONGEST_TEXT: usize = 20_000;

/// What the values of a key are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyKind {
    /// One word as programs name things: letters, digits, underscores.
    Identifier,
    /// Words with dots or hyphens between them: `order-management`, `com.example.billing`.
    Name,
    /// One of the allowed values.
    Choice,
    /// A table, perhaps with its schema.
    Table,
    /// A column.
    Column,
    /// The path of a file. No variable; a schema file's table is a part.
    File,
    /// Any text. No variable: it is a part of every prompt.
    Text,
}

/// A key of the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its name: lower-case letters, digits and underscores.
    pub name: String,
    /// What it is for, in a sentence.
    pub help: String,
    /// What its values are.
    pub kind: KeyKind,
    /// The value where none is given; without it, one has to be.
    pub default: Option<String>,
    /// The values there are, of a choice.
    pub allowed: Vec<String>,
}

/// Values that fit their keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context(BTreeMap<String, String>);

/// Why values do not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContextError {
    /// Values are missing.
    #[error("profile {profile} needs {}", listed(.keys))]
    Missing {
        /// The profile.
        profile: String,
        /// Names and helps of the keys.
        keys: Vec<(String, String)>,
    },
    /// There is no such key.
    #[error("profile {profile} has no key {key:?}; it has {}", .known.join(", "))]
    Unknown {
        /// The profile.
        profile: String,
        /// What was given.
        key: String,
        /// The keys there are.
        known: Vec<String>,
    },
    /// A value is none of its key's.
    #[error("{key}: {value:?} {why}")]
    Value {
        /// The key.
        key: String,
        /// The value, its first characters.
        value: String,
        /// What is wrong with it, and what would be right.
        why: String,
    },
}

fn listed(keys: &[(String, String)]) -> String {
    keys.iter().map(|(name, help)| format!("{name} ({help})")).collect::<Vec<_>>().join(", ")
}

impl KeyKind {
    /// Whether a value can stand in instructions.
    pub fn is_variable(self) -> bool {
        match self {
            Self::Identifier | Self::Name | Self::Choice | Self::Table | Self::Column => true,
            Self::File | Self::Text => false,
        }
    }
}

impl Key {
    /// What is wrong with a value, if something is.
    pub(super) fn refusal(&self, value: &str) -> Option<String> {
        let (is_right, why) = match self.kind {
            KeyKind::Choice => {
                let is_one = self.allowed.iter().any(|allowed| allowed == value);
                return (!is_one).then(|| format!("is none of {}", self.allowed.join(", ")));
            }
            KeyKind::Identifier => (is_word(value), "has to be one word of letters, digits and _"),
            KeyKind::Name => {
                (value.split(['.', '-']).all(is_word), "has to be words with . or - between them")
            }
            KeyKind::Table => (
                TableName::parse(value).is_some() && is_harmless(value),
                "has to be a table: `orders`, `app.orders` or `app.\"Order Items\"`",
            ),
            KeyKind::Column => (
                column_name(value).is_some() && is_harmless(value),
                "has to be a column: `tenant_id` or `\"Tenant\"`",
            ),
            KeyKind::File => (
                !value.trim().is_empty() && !value.contains(char::is_control),
                "has to be the path of a file",
            ),
            KeyKind::Text => return (value.len() > LONGEST_TEXT).then(too_long),
        };
        let is_short = value.chars().count() <= LONGEST_NAME || !self.kind.is_variable();
        match (is_right, is_short) {
            (true, true) => None,
            (true, false) => Some(format!("has more than {LONGEST_NAME} characters")),
            (false, _) => Some(why.to_owned()),
        }
    }

    /// The name of its part, where it is a text.
    pub fn part(&self) -> String {
        self.name.replace('_', " ")
    }

    /// A value to try templates with.
    pub(super) fn sample(&self) -> &str {
        let own = self.default.as_deref().or(self.allowed.first().map(String::as_str));
        own.unwrap_or("sample")
    }
}

fn too_long() -> String {
    format!("has more than {LONGEST_TEXT} bytes")
}

fn is_word(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    starts && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Quoted names may contain anything; instructions may not.
fn is_harmless(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || "_$.\" -".contains(c))
}

impl Context {
    /// Checks values against keys and adds defaults.
    pub(super) fn of(
        profile: &str,
        keys: &[Key],
        given: &BTreeMap<String, String>,
    ) -> Result<Self, ContextError> {
        let names = || keys.iter().map(|key| key.name.clone());
        let profile = profile.to_owned();
        if let Some(key) = given.keys().find(|name| !names().any(|key| key == **name)) {
            return Err(ContextError::Unknown {
                profile,
                key: key.clone(),
                known: names().collect(),
            });
        }
        let value = |key: &Key| given.get(&key.name).or(key.default.as_ref()).cloned();
        let missing = keys.iter().filter(|key| value(key).is_none());
        let missing: Vec<_> = missing.map(|key| (key.name.clone(), key.help.clone())).collect();
        if !missing.is_empty() {
            return Err(ContextError::Missing { profile, keys: missing });
        }
        let mut values = BTreeMap::new();
        for key in keys {
            let value = value(key).unwrap_or_default();
            if let Some(why) = key.refusal(&value) {
                let value = value.chars().take(80).collect();
                return Err(ContextError::Value { key: key.name.clone(), value, why });
            }
            values.insert(key.name.clone(), value);
        }
        Ok(Self(values))
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// All keys with their values, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The same values with another of this key, unchecked: to try templates.
    pub(super) fn with(mut self, key: &str, value: &str) -> Self {
        self.0.insert(key.to_owned(), value.to_owned());
        self
    }
}
