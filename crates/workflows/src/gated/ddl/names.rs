//! Names as PostgreSQL reads them: folded where they are bare, as they stand where they are quoted.
//!
//! Invariant: two spellings of one name are one value.
//! Absent here: which names a schema has.

use std::fmt;

/// The bytes that PostgreSQL keeps of a name.
const LONGEST: usize = 63;

/// A table, perhaps with its schema.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName {
    /// The schema, where one is named.
    pub schema: Option<String>,
    /// The table.
    pub name: String,
}

impl TableName {
    /// Reads `orders`, `app.orders`, `app."Order Items"`; `None` where it is no such name.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, rest) = segment(text)?;
        if rest.is_empty() {
            return Some(Self { schema: None, name: first });
        }
        let (name, rest) = segment(rest.strip_prefix('.')?)?;
        rest.is_empty().then_some(Self { schema: Some(first), name })
    }

    /// Whether both name one table; without a schema it is the one that is there without asking.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.name == other.name && self.place() == other.place()
    }

    pub(super) fn place(&self) -> &str {
        self.schema.as_deref().unwrap_or("public")
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(schema) = &self.schema {
            write!(f, "{}.", written(schema))?;
        }
        f.write_str(&written(&self.name))
    }
}

/// One name without a dot, as PostgreSQL keeps it; `None` where it is none.
pub fn column_name(text: &str) -> Option<String> {
    segment(text).filter(|(_, rest)| rest.is_empty()).map(|(name, _)| name)
}

/// A bare name as PostgreSQL keeps it.
pub(super) fn folded(bare: &str) -> String {
    kept(&bare.to_ascii_lowercase())
}

/// The first bytes of a name, whole characters.
pub(super) fn kept(name: &str) -> String {
    let mut end = name.len().min(LONGEST);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].to_owned()
}

/// A name as SQL has to write it.
pub fn written(name: &str) -> String {
    match bare(name) {
        Some((_, "")) if name == name.to_ascii_lowercase() => name.to_owned(),
        Some(_) | None => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

fn segment(text: &str) -> Option<(String, &str)> {
    match text.strip_prefix('"') {
        Some(quoted) => inner(quoted),
        None => bare(text).map(|(name, rest)| (folded(name), rest)),
    }
}

fn bare(text: &str) -> Option<(&str, &str)> {
    let goes_on = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let starts = text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let end = text.find(|c| !goes_on(c)).unwrap_or(text.len());
    starts.then(|| text.split_at(end))
}

/// A quoted name from behind its first quote on.
fn inner(quoted: &str) -> Option<(String, &str)> {
    let (mut name, mut rest) = (String::new(), quoted);
    loop {
        let (piece, after) = rest.split_once('"')?;
        name.push_str(piece);
        rest = match after.strip_prefix('"') {
            Some(more) => more,
            None => return (!name.is_empty()).then(|| (kept(&name), after)),
        };
        name.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_names_are_folded_and_quoted_ones_stand() {
        for (text, schema, name) in [
            ("Orders", None, "orders"),
            ("App.ORDERS", Some("app"), "orders"),
            ("app.\"Order Items\"", Some("app"), "Order Items"),
            ("\"A.b\".c", Some("A.b"), "c"),
            ("\"say \"\"hi\"\"\"", None, "say \"hi\""),
            ("Größe", None, "größe"),
        ] {
            let expected = TableName { schema: schema.map(str::to_owned), name: name.to_owned() };
            assert_eq!(TableName::parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "a b", "a.", ".a", "a.b.c", "\"a", "\"\"", "1a", "a;drop", "a.\"b\"c"] {
            assert_eq!(TableName::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_is_written_so_that_it_reads_the_same() {
        for text in ["orders", "\"Orders\"", "app.\"a b\"", "\"x\"\"y\""] {
            let name = TableName::parse(text).unwrap();
            assert_eq!(name.to_string(), text);
        }
    }

    #[test]
    fn long_names_are_cut_as_postgresql_cuts_them() {
        let (long, kept) = ("é".repeat(40), "é".repeat(31));
        assert_eq!(TableName::parse(&long).unwrap().name, kept);
    }
}
