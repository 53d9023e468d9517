//! What stands beside a table and is about it: indexes, comments, policies, enumerations.
//!
//! Invariant: what is about a table that is not there changes nothing and is told.
//! Absent here: the table's own elements.

use super::{reading::Reading, table::Index, words::Words};
use sqlparser::tokenizer::Token;

/// Reads the statement if it is of this kind.
pub(super) fn beside(reading: &mut Reading, words: Words<'_>) -> bool {
    index(reading, words)
        || comment(reading, words)
        || policy(reading, words)
        || enumeration(reading, words)
        || new_label(reading, words)
        || dropped(reading, words)
        || search_path(reading, words)
}

fn index(reading: &mut Reading, mut words: Words<'_>) -> bool {
    let line = words.line();
    let unique = words.eat("CREATE UNIQUE INDEX");
    if !(unique || words.eat("CREATE INDEX")) {
        return false;
    }
    words.eat("CONCURRENTLY");
    words.eat("IF NOT EXISTS");
    let name = if words.sees("ON") { None } else { words.name() };
    let is_on = words.eat("ON");
    words.eat("ONLY");
    let table = words.table().filter(|_| is_on);
    let definition = words.text();
    let Some(table) = table else {
        reading.warn(line, None, "CREATE INDEX without its table");
        return true;
    };
    match reading.place_of(&table) {
        Some(at) => reading.tables[at].indexes.push(Index { name, unique, definition }),
        None => {
            reading.warn(line, Some(&table), &format!("an index on {table}, which is not there"));
        }
    }
    true
}

fn comment(reading: &mut Reading, mut words: Words<'_>) -> bool {
    if words.eat("COMMENT ON TABLE") {
        let at = words.table().and_then(|name| reading.place_of(&name));
        words.eat("IS");
        if let Some(at) = at {
            reading.tables[at].comment = words.string();
        }
        return true;
    }
    if !words.eat("COMMENT ON COLUMN") {
        return words.sees("COMMENT ON");
    }
    let Some(mut path) = words.path() else { return true };
    let column = path.pop().unwrap_or_default();
    let name = reading.named(path);
    words.eat("IS");
    let text = words.string();
    let table = name.and_then(|name| reading.place_of(&name)).map(|at| &mut reading.tables[at]);
    if let Some(column) = table.and_then(|table| table.column_mut(&column)) {
        column.comment = text;
    }
    true
}

fn policy(reading: &mut Reading, mut words: Words<'_>) -> bool {
    let (line, whole) = (words.line(), words.text());
    if !words.eat("CREATE POLICY") {
        return false;
    }
    let (_, is_on) = (words.name(), words.eat("ON"));
    let Some(table) = words.table().filter(|_| is_on) else {
        reading.warn(line, None, "CREATE POLICY without its table");
        return true;
    };
    match reading.place_of(&table) {
        Some(at) => reading.tables[at].policies.push(whole),
        None => {
            reading.warn(line, Some(&table), &format!("a policy on {table}, which is not there"));
        }
    }
    true
}

/// `CREATE TYPE … AS ENUM`; other types are only told.
fn enumeration(reading: &mut Reading, mut words: Words<'_>) -> bool {
    if !words.eat("CREATE TYPE") {
        return false;
    }
    let Some(name) = words.table() else { return false };
    if !words.eat("AS ENUM") {
        return false;
    }
    let labels = words.group().map(Words::elements).unwrap_or_default();
    let labels = labels.into_iter().filter_map(|mut label| label.string()).collect();
    reading.enumerations.push((name, labels));
    true
}

/// `ALTER TYPE … ADD VALUE`.
fn new_label(reading: &mut Reading, mut words: Words<'_>) -> bool {
    if !words.eat("ALTER TYPE") {
        return false;
    }
    let name = words.table();
    if !words.eat("ADD VALUE") {
        return false;
    }
    words.eat("IF NOT EXISTS");
    let (label, is_before) = (words.string(), words.eat("BEFORE"));
    let beside = if is_before || words.eat("AFTER") { words.string() } else { None };
    let found = reading
        .enumerations
        .iter_mut()
        .find(|(it, _)| name.as_ref().is_some_and(|name| it.is(name)));
    if let (Some((_, labels)), Some(label)) = (found, label)
        && !labels.contains(&label)
    {
        let place = labels.iter().position(|it| Some(it) == beside.as_ref());
        let at = place.map_or(labels.len(), |at| at + usize::from(!is_before));
        labels.insert(at, label);
    }
    true
}

/// `DROP TABLE` and `DROP INDEX`; what else is dropped was never read.
fn dropped(reading: &mut Reading, mut words: Words<'_>) -> bool {
    if !words.eat("DROP") {
        return false;
    }
    let is_table = words.eat("TABLE");
    let is_index = !is_table && words.eat("INDEX");
    words.eat("CONCURRENTLY");
    words.eat("IF EXISTS");
    for name in words.elements().into_iter().filter_map(|mut words| words.table()) {
        if is_table {
            reading.tables.retain(|table| !table.name.is(&name));
        } else if is_index {
            for table in &mut reading.tables {
                table.indexes.retain(|index| index.name.as_ref() != Some(&name.name));
            }
        }
    }
    true
}

/// `SET search_path = app`: where names belong from here on that name no schema.
fn search_path(reading: &mut Reading, mut words: Words<'_>) -> bool {
    if !words.eat("SET") {
        return false;
    }
    let _ = words.eat("SESSION") || words.eat("LOCAL");
    if words.eat("search_path") && (words.sign(&Token::Eq) || words.eat("TO")) {
        let first = words.string().or_else(|| words.name());
        reading.schema =
            first.filter(|schema| !["", "$user", "pg_catalog"].contains(&schema.as_str()));
    }
    true
}
