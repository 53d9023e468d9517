//! `CREATE TABLE`, element by element.
//!
//! Invariant: an element that is not understood costs a warning, never the table.
//! Absent here: everything that comes after the table was made.

use super::{
    element::{add_column, add_constraint, is_constraint},
    names::TableName,
    reading::Reading,
    table::Table,
    words::Words,
};

/// Reads the statement if it makes a table.
pub(super) fn create_table(reading: &mut Reading, mut words: Words<'_>) -> bool {
    let line = words.line();
    if !starts(&mut words) {
        return false;
    }
    let is_optional = words.eat("IF NOT EXISTS");
    let Some(name) = words.table() else {
        reading.warn(line, None, "CREATE TABLE without a name");
        return true;
    };
    if is_optional && reading.table(&name).is_some() {
        return true;
    }
    let mut table = Table::new(name, line);
    if words.eat("PARTITION OF") {
        take_from(reading, &mut table, words.table(), line);
    }
    match words.group() {
        Some(body) => elements(reading, &mut table, body),
        None if table.columns.is_empty() => {
            let what = format!("the columns of {} are not listed", table.name);
            reading.warn(line, Some(&table.name), &what);
        }
        None => {}
    }
    tail(reading, &mut table, words);
    reading.tables.retain(|other| !other.name.is(&table.name));
    reading.tables.push(table);
    true
}

fn starts(words: &mut Words<'_>) -> bool {
    let mut rest = *words;
    let starts = rest.eat("CREATE");
    for word in ["GLOBAL", "LOCAL", "TEMPORARY", "TEMP", "UNLOGGED", "FOREIGN"] {
        rest.eat(word);
    }
    let is_table = starts && rest.eat("TABLE");
    if is_table {
        *words = rest;
    }
    is_table
}

fn elements(reading: &mut Reading, table: &mut Table, body: Words<'_>) {
    for mut words in body.elements() {
        let line = words.line();
        let read = if is_constraint(&words) {
            add_constraint(table, words)
        } else if words.eat("LIKE") {
            take_from(reading, table, words.table(), line);
            Ok(())
        } else {
            add_column(table, words)
        };
        if let Err(why) = read {
            reading.warn(line, Some(&table.name), &why);
        }
    }
    // A primary key may stand before the columns it names.
    if let Some(key) = table.primary_key.take() {
        table.set_primary_key(key);
    }
}

/// Takes the columns of another table: of its parent, or of the one it is made like.
fn take_from(reading: &mut Reading, table: &mut Table, from: Option<TableName>, line: usize) {
    let known = from.as_ref().and_then(|name| reading.table(name));
    match known {
        Some(other) => table.columns.extend(other.columns.iter().cloned()),
        None => {
            let name = from.map_or("a table".to_owned(), |name| name.to_string());
            let what = format!("{} takes its columns from {name}, which is not there", table.name);
            reading.warn(line, Some(&table.name), &what);
        }
    }
}

/// What stands behind the elements.
fn tail(reading: &mut Reading, table: &mut Table, mut words: Words<'_>) {
    while !words.is_empty() {
        if words.eat("INHERITS") {
            inherit(reading, table, &mut words);
        } else if words.eat("PARTITION BY") {
            table.partitioned_by = partitioning(&mut words);
        } else {
            words.skip();
        }
    }
}

fn inherit(reading: &mut Reading, table: &mut Table, words: &mut Words<'_>) {
    let line = words.line();
    let own = std::mem::take(&mut table.columns);
    for mut parent in words.group().map(Words::elements).unwrap_or_default() {
        take_from(reading, table, parent.table(), line);
    }
    table.columns.retain(|column| !own.iter().any(|mine| mine.name == column.name));
    table.columns.extend(own);
}

fn partitioning(words: &mut Words<'_>) -> Option<String> {
    let method = words.name()?;
    let by = words.group()?;
    Some(format!("{} ({})", method.to_ascii_uppercase(), by.text()))
}
