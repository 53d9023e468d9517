//! JSON as the contract wants it: two spaces, sorted keys, non-ASCII as it is, one newline at the end.
//!
//! Invariant: equal values give equal bytes, whatever order their maps were built in.
//! Absent here: files and paths; the caller knows which file a mistake stands in.

use crate::unique;
use serde::{Serialize, de::DeserializeOwned};

/// A document that does not parse, with the place in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct JsonError {
    /// Path in the document, with line and column.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}

/// Writes a value as the contract wants it.
///
/// # Errors
/// [`JsonError`] for values that JSON cannot hold; the model's own values all can.
pub fn write(value: &impl Serialize) -> Result<String, JsonError> {
    let failed =
        |error: serde_json::Error| JsonError { place: ".".into(), what: error.to_string() };
    let mut value = serde_json::to_value(value).map_err(failed)?;
    value.sort_all_objects();
    let mut text = serde_json::to_string_pretty(&value).map_err(failed)?;
    text.push('\n');
    Ok(text)
}

/// Reads a document; unknown and duplicate fields are refused with their path.
///
/// # Errors
/// [`JsonError`] with path, line and column.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, JsonError> {
    let mut parser = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut parser).map_err(|error| {
        let path = error.path().to_string();
        JsonError { place: path, what: error.into_inner().to_string() }
    })?;
    // Structs refuse a field named twice by themselves; maps would keep the last one.
    parser.end().map_err(|error| JsonError { place: "end".into(), what: error.to_string() })?;
    let twice = |error: unique::NotUnique| {
        let place = if error.pointer.is_empty() { ".".to_owned() } else { error.pointer };
        JsonError { place, what: error.what }
    };
    unique::parse(text).map_err(twice)?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_key_named_twice_is_refused_in_maps_too() {
        let error = read::<BTreeMap<String, u32>>(r#"{"a": 1, "a": 2}"#).unwrap_err();
        assert!(error.what.contains("duplicate field `a`"), "{error}");
        assert!(read::<serde_json::Value>(r#"{"a": [{"b": 1, "b": 1}]}"#).is_err());
        assert!(read::<serde_json::Value>(r#"{"a": [{"b": 1.5}, null, true, -1, "x"]}"#).is_ok());
    }
}
