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
        if let Err(why) = read {
            reading.warn(line, Some(&name), &why);
        }
    }
    true
}

fn act(table: &mut Table, mut words: Words<'_>) -> Result<(), Unread> {
    if words.eat("ADD") {
        add(table, words)
    } else if words.eat("DROP CONSTRAINT") {
        words.eat("IF EXISTS");
        drop_constraint(table, words.name());
        Ok(())
    } else if words.eat("DROP") {
        words.eat("COLUMN");
        words.eat("IF EXISTS");
        drop_column(table, words.name());
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

fn drop_constraint(table: &mut Table, name: Option<String>) {
    let is_kept = |other: &Option<String>| other.is_none() || *other != name;
    table.uniques.retain(|key| is_kept(&key.name));
    table.foreign_keys.retain(|key| is_kept(&key.name));
    table.checks.retain(|check| is_kept(&check.name));
    // Without a name of its own, a primary key is called after its table.
    let usual = format!("{}_pkey", table.name.name);
    let is_key =
        |key: &mut Key| key.name.as_ref().unwrap_or(&usual) == name.as_ref().unwrap_or(&usual);
    let _dropped: Option<Key> = table.primary_key.take_if(is_key);
}

fn drop_column(table: &mut Table, name: Option<String>) {
    let Some(name) = name else { return };
    let keeps = |columns: &[String]| !columns.contains(&name);
    table.columns.retain(|column| column.name != name);
    table.uniques.retain(|key| keeps(&key.columns));
    table.foreign_keys.retain(|key| keeps(&key.columns));
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
        let names = table.uniques.iter_mut().chain(&mut table.primary_key).map(|key| &mut key.name);
        let names = names.chain(table.foreign_keys.iter_mut().map(|key| &mut key.name));
        let names = names.chain(table.checks.iter_mut().map(|check| &mut check.name));
        names.filter(|name| name.as_ref() == Some(&old)).for_each(|name| *name = Some(new.clone()));
    } else {
        let keys = table.uniques.iter_mut().chain(&mut table.primary_key);
        let columns = keys.flat_map(|key| &mut key.columns);
        let columns = columns.chain(table.foreign_keys.iter_mut().flat_map(|key| &mut key.columns));
        let columns = columns.chain(table.columns.iter_mut().map(|column| &mut column.name));
        columns.filter(|name| **name == old).for_each(|name| name.clone_from(&new));
    }
    Ok(())
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
