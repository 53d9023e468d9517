//! Whether a block is the reviewer's own, or stands in the texts that the reviewer was shown.
//!
//! Invariant: see [`super`]; both the value as written and the number it means are looked for, in all texts together, so
//! that neither zeros nor scattering hide a quotation.
//! Absent here: what is wrong with a quotation that changes a number; it says what the text does not.

use super::{
    super::alike::bare,
    MetaError, Token,
    fields::{Field, Fields, Key},
};
use crate::reply::telling::quoted;

/// Lets a block pass that is nobody else's.
pub(super) fn own(fields: &Fields<'_>, shown: &[&str], token: &Token) -> Result<(), MetaError> {
    match fields.get(Key::ReviewToken) {
        Some(field) if field.value == token.as_str() => Ok(()),
        Some(Field { line, value, .. }) => Err(MetaError::WrongToken {
            line,
            found: quoted(value),
            token: token.as_str().to_owned(),
        }),
        None if stands_in(shown, fields) => {
            Err(MetaError::Quoted { line: fields.line, token: token.as_str().to_owned() })
        }
        None => Ok(()),
    }
}

fn stands_in(shown: &[&str], fields: &Fields<'_>) -> bool {
    let looks: Vec<String> = shown.iter().map(|text| bare(text)).collect();
    let stands = |written: &str| {
        let written = bare(written);
        looks.iter().any(|look| look.contains(&written))
    };
    Key::REQUIRED.into_iter().filter_map(|key| fields.get(key)).all(
        |Field { key, value, .. }| {
            let meant = value.trim_start_matches('0');
            let meant = if meant.is_empty() { "0" } else { meant };
            stands(&format!("{key}{value}")) || stands(&format!("{key}{meant}"))
        },
    )
}
