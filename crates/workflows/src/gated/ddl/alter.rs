//! `ALTER TABLE`, action by action: a dump and a history of migrations both change what they made.
//!
//! Invariant: an action that is not understood costs a warning, never the table.
//! Absent here: owners, storage, triggers, statistics: nothing that a class maps.

use super::{
    element::{add_column, add_constraint, is_constraint},
    names::TableName,
    reading::Reading,
    table::{Key, Table},
    words::{Unread, Words},
};

/// Actions that change nothing a class maps.
const SILENT: [&str; 12] = [
    "OWNER TO",
    "ENABLE",
    "DISABLE",
    "CLUSTER ON",
    "SET",
    "RESET",
    "REPLICA",
    "VALIDATE",
    "ATTACH",
    "DETACH",
    "NO",
    "ALTER CONSTRAINT",
];

/// Reads the statement if it changes a table.
pub(super) fn alter_table(reading: &mut Reading, mut words: Words<'_>) -> bool {
    let line = words.line();
    if !(words.eat("ALTER TABLE") || words.eat("ALTER FOREIGN TABLE")) {
        return false;
    }
    words.eat("IF EXISTS");
    words.eat("ONLY");
    let name = words.table();
    let Some(at) = name.as_ref().and_then(|name| reading.place_of(name)) else {
        if let Some(name) = &name {
            reading.warn(line, Some(name), &format!("there is no table {name} to alter"));
        }
        return true;
    };
    for action in words.elements() {
        let line = action.line();
        let name = reading.tables[at].name.clone();
        let read = act(&mut reading.tables[at], action);
        point_to_new_name(reading, &name, at);
        if let Err(why) = read {
            reading.warn(line, Some(&name), &why);
        }
    }
    true
}

/// Foreign keys follow a table that has another name now.
fn point_to_new_name(reading: &mut Reading, old: &TableName, at: usize) {
    let new = reading.tables[at].name.clone();
    for key in reading.tables.iter_mut().flat_map(|table| &mut table.foreign_keys) {
        if new != *old && key.table.is(old) {
            key.table.clone_from(&new);
        }
    }
}

fn act(table: &mut Table, mut words: Words<'_>) -> Result<(), Unread> {
    if words.eat("ADD") {
        add(table, words)
    } else if words.eat("DROP CONSTRAINT") {
        drop_constraint(table, words)
    } else if words.eat("DROP") {
        words.eat("COLUMN");
        words.eat("IF EXISTS");
        words.name().iter().for_each(|name| drop_column(table, name));
        Ok(())
    } else if words.eat("RENAME") {
        rename(table, words)
    } else if words.eat("ENABLE ROW LEVEL SECURITY") || words.eat("FORCE ROW LEVEL SECURITY") {
        table.row_security = true;
        Ok(())
    } else if words.eat("DISABLE ROW LEVEL SECURITY") {
        table.row_security = false;
        Ok(())
    } else if words.eat("SET SCHEMA") {
        let schema = words.name();
        table.name.schema = schema;
        Ok(())
    } else if SILENT.iter().any(|start| words.sees(start)) {
        Ok(())
    } else if words.eat("ALTER") {
        words.eat("COLUMN");
        alter_column(table, words)
    } else {
        Err(format!("the change `{}` is not understood", words.text()))
    }
}

fn add(table: &mut Table, mut words: Words<'_>) -> Result<(), Unread> {
    if is_constraint(&words) {
        // Rows that are there already may break it; new ones may not.
        return add_constraint(table, words.without_end("NOT VALID"));
    }
    words.eat("COLUMN");
    let is_optional = words.eat("IF NOT EXISTS");
    let mut rest = words;
    let is_there = rest.name().is_some_and(|name| table.column_mut(&name).is_some());
    if is_optional && is_there { Ok(()) } else { add_column(table, words) }
}

fn drop_constraint(table: &mut Table, mut words: Words<'_>) -> Result<(), Unread> {
    let is_optional = words.eat("IF EXISTS");
    let name = words.name().ok_or("it names no constraint")?;
    let owner = table.name.name.clone();
    let before = table.constraints();
    // A constraint without a name of its own is called after its table and columns.
    let is_it = |own: &Option<String>, columns: &[String], end: &str| match own {
        Some(own) => *own == name,
        None => {
            [std::slice::from_ref(&owner), columns, &[end.to_owned()]].concat().join("_") == name
        }
    };
    table.uniques.retain(|key| !is_it(&key.name, &key.columns, "key"));
    table.foreign_keys.retain(|key| !is_it(&key.name, &key.columns, "fkey"));
    let columns = table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    table.checks.retain(|check| {
        let of = columns.iter().filter(|column| mentions(&check.condition, column));
        let of: Vec<String> = of.cloned().collect();
        // Only a check of one column has that column in its name.
        !is_it(&check.name, if of.len() == 1 { &of } else { &[] }, "check")
    });
    table.others.retain(|text| !mentions(text, &name));
    let _dropped: Option<Key> = table.primary_key.take_if(|key| is_it(&key.name, &[], "pkey"));
    let is_gone = table.constraints() < before || is_optional;
    if is_gone { Ok(()) } else { Err(format!("there is no constraint {name} to drop")) }
}

/// What a column takes part in goes with it.
fn drop_column(table: &mut Table, name: &str) {
    let keeps = |columns: &[String]| !columns.iter().any(|column| column == name);
    table.columns.retain(|column| column.name != name);
    table.uniques.retain(|key| keeps(&key.columns));
    table.foreign_keys.retain(|key| keeps(&key.columns));
    table.checks.retain(|check| !mentions(&check.condition, name));
    table.indexes.retain(|index| !mentions(&index.definition, name));
    let _dropped: Option<Key> = table.primary_key.take_if(|key| !keeps(&key.columns));
}

fn rename(table: &mut Table, mut words: Words<'_>) -> Result<(), Unread> {
    if words.eat("TO") {
        let name = words.name().ok_or("the new name is missing")?;
        table.name = TableName { name, ..table.name.clone() };
        return Ok(());
    }
    let is_constraint = words.eat("CONSTRAINT");
    words.eat("COLUMN");
    let (old, _, new) = (words.name(), words.eat("TO"), words.name());
    let (Some(old), Some(new)) = (old, new) else { return Err("a name is missing".to_owned()) };
    if is_constraint {
        rename_constraint(table, &old, &new);
    } else {
        rename_column(table, &old, &new);
    }
    Ok(())
}

fn rename_constraint(table: &mut Table, old: &str, new: &str) {
    let names = table.uniques.iter_mut().chain(&mut table.primary_key).map(|key| &mut key.name);
    let names = names.chain(table.foreign_keys.iter_mut().map(|key| &mut key.name));
    let names = names.chain(table.checks.iter_mut().map(|check| &mut check.name));
    names.flatten().filter(|name| *name == old).for_each(|name| new.clone_into(name));
}

fn rename_column(table: &mut Table, old: &str, new: &str) {
    let keys = table.uniques.iter_mut().chain(&mut table.primary_key);
    let columns = keys.flat_map(|key| &mut key.columns);
    let columns = columns.chain(table.foreign_keys.iter_mut().flat_map(|key| &mut key.columns));
    let columns = columns.chain(table.columns.iter_mut().map(|column| &mut column.name));
    columns.filter(|name| *name == old).for_each(|name| new.clone_into(name));
    let texts = table.checks.iter_mut().map(|check| &mut check.condition);
    let texts = texts.chain(table.indexes.iter_mut().map(|index| &mut index.definition));
    texts
        .for_each(|text| *text = pieces(text).map(|it| if it == old { new } else { it }).collect());
}

/// Whether an expression names the column.
fn mentions(text: &str, name: &str) -> bool {
    pieces(text).any(|piece| piece == name)
}

/// Words and what stands between them; put together, they are the text.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = is_word(rest.chars().next()?);
        let end = rest.find(|c| is_word(c) != first).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

fn alter_column(table: &mut Table, mut words: Words<'_>) -> Result<(), Unread> {
    let name = words.name().ok_or("it names no column")?;
    let column = table.column_mut(&name).ok_or_else(|| format!("there is no column {name}"))?;
    if words.eat("SET NOT NULL") {
        column.nullable = false;
    } else if words.eat("DROP NOT NULL") {
        column.nullable = true;
    } else if words.eat("SET DEFAULT") {
        column.default = Some(words.text());
    } else if words.eat("DROP DEFAULT") {
        column.default = None;
    } else if words.eat("DROP IDENTITY") || words.eat("DROP EXPRESSION") {
        column.generated = None;
    } else if words.eat("TYPE") || words.eat("SET DATA TYPE") {
        let words = words.before("USING");
        let read = words.parse(|parser| parser.parse_data_type());
        column.data_type = read.map_or_else(|_| words.text(), |it| it.to_string());
    } else if words.eat("ADD GENERATED") {
        let how = if words.eat("ALWAYS") { "ALWAYS" } else { "BY DEFAULT" };
        column.generated = Some(format!("{how} AS IDENTITY"));
        column.nullable = false;
    }
    // What else can be set (storage, statistics, compression) changes nothing that a class maps.
    Ok(())
}
