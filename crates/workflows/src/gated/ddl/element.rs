//! One element of a table's list: a column with what its own line says, or a constraint.
//!
//! Invariant: an element that the parser does not know changes no other; what it says is kept as it stands.
//! Absent here: where the element stood, in `CREATE TABLE` or in `ALTER TABLE … ADD`.

use super::{
    names::TableName,
    simpler,
    table::{Check, Column, ForeignKey, Key, Table},
    words::{Unread, Words, ident, object},
};
use sqlparser::ast::{
    ColumnOption, ColumnOptionDef, ForeignKeyConstraint, GeneratedAs, Ident, IndexColumn,
    TableConstraint,
};

/// Words with which a constraint begins and no column does.
const CONSTRAINTS: [&str; 7] =
    ["CONSTRAINT", "NOT NULL", "PRIMARY KEY", "UNIQUE", "CHECK", "FOREIGN KEY", "EXCLUDE"];

/// Types that stand for a number with a sequence of its own.
const SERIAL: [&str; 6] = ["serial", "bigserial", "smallserial", "serial4", "serial8", "serial2"];

/// Whether the element is a constraint of the table.
pub(super) fn is_constraint(words: &Words<'_>) -> bool {
    CONSTRAINTS.iter().any(|start| words.sees(start))
}

/// Adds the column to the table.
///
/// # Errors
/// What is not understood. The column is added all the same, with its words in place of its type.
pub(super) fn add_column(table: &mut Table, words: Words<'_>) -> Result<(), Unread> {
    let line = words.line();
    let tokens = simpler::column(words);
    match words.of(&tokens).parse(|parser| parser.parse_column_def()) {
        Ok(read) => {
            let mut column = bare(ident(&read.name), line, read.data_type.to_string());
            if SERIAL.contains(&column.data_type.to_ascii_lowercase().as_str()) {
                column.nullable = false;
                column.generated = Some("from a sequence of its own".to_owned());
            }
            let name = column.name.clone();
            table.columns.push(column);
            for option in &read.options {
                apply(table, &name, option, words.schema)?;
            }
            told_beside(table, words);
            Ok(())
        }
        Err(why) => {
            let mut rest = words;
            let name = rest.name().ok_or_else(|| format!("it has no name: {why}"))?;
            let mut column = bare(name.clone(), line, rest.text());
            column.nullable = !says_not_null(rest);
            table.columns.push(column);
            Err(format!("column {name}: {why}"))
        }
    }
}

fn says_not_null(words: Words<'_>) -> bool {
    ["NOT NULL", "PRIMARY KEY"].iter().any(|phrase| words.behind(phrase).is_some())
}

fn bare(name: String, line: usize, data_type: String) -> Column {
    let (default, generated, comment) = (None, None, None);
    Column {
        name,
        line,
        data_type,
        nullable: true,
        default,
        generated,
        comment,
        labels: Vec::new(),
    }
}

/// What one option of a column says, of the column or of its table.
fn apply(
    table: &mut Table,
    name: &str,
    option: &ColumnOptionDef,
    schema: Option<&str>,
) -> Result<(), Unread> {
    let own = || Some(option.name.as_ref().map(ident)).flatten();
    let columns = vec![name.to_owned()];
    let option = &option.option;
    if let ColumnOption::PrimaryKey(key) = option {
        let detail = detail(&[&key.characteristics]);
        table.set_primary_key(Key { name: own(), columns, detail });
    } else if let ColumnOption::Unique(key) = option {
        let detail = format!("{}{}", key.nulls_distinct, detail(&[&key.characteristics]));
        table.uniques.push(Key { name: own(), columns, detail: detail.trim().to_owned() });
    } else if let ColumnOption::ForeignKey(key) = option {
        let key = foreign_key(key, schema).ok_or("it refers to no table")?;
        table.foreign_keys.push(ForeignKey { name: own(), columns, ..key });
    } else if let ColumnOption::Check(check) = option {
        table.checks.push(Check { name: own(), condition: check.expr.to_string() });
    } else if let Some(column) = table.column_mut(name) {
        of_column(column, option);
    }
    Ok(())
}

fn of_column(column: &mut Column, option: &ColumnOption) {
    if let ColumnOption::NotNull = option {
        column.nullable = false;
    } else if let ColumnOption::Default(value) = option {
        column.default = Some(value.to_string());
    } else if let ColumnOption::Collation(collation) = option {
        column.data_type.push_str(&format!(" COLLATE {collation}"));
    } else if let ColumnOption::Generated { generated_as, generation_expr, .. } = option {
        let how = how_generated(generated_as);
        column.nullable &= generation_expr.is_some();
        column.generated = Some(match generation_expr {
            Some(value) => format!("ALWAYS AS ({value})"),
            None => format!("{how} AS IDENTITY"),
        });
    }
}

fn how_generated(how: &GeneratedAs) -> &'static str {
    match how {
        GeneratedAs::Always | GeneratedAs::ExpStored => "ALWAYS",
        GeneratedAs::ByDefault => "BY DEFAULT",
    }
}

/// What was left out before the parser read the element, and is part of its last key.
fn told_beside(table: &mut Table, words: Words<'_>) {
    let is_column = !is_constraint(&words);
    if let Some(key) = table.uniques.last_mut()
        && is_column
        && words.behind("NULLS NOT DISTINCT").is_some()
    {
        key.detail = format!("NULLS NOT DISTINCT {}", key.detail).trim().to_owned();
    }
    let columns =
        ["SET NULL", "SET DEFAULT"].iter().find_map(|action| words.behind(action)?.group());
    if let (Some(key), Some(columns)) = (table.foreign_keys.last_mut(), columns)
        && words.behind("REFERENCES").is_some()
    {
        key.detail.push_str(&format!(" of ({})", columns.text()));
    }
}

/// Adds the constraint to the table.
///
/// # Errors
/// What is not understood. Its words are kept beside the other constraints.
pub(super) fn add_constraint(table: &mut Table, words: Words<'_>) -> Result<(), Unread> {
    if let Some(column) = not_null(words) {
        table.column_mut(&column).into_iter().for_each(|column| column.nullable = false);
        return Ok(());
    }
    let tokens = simpler::constraint(words);
    let read = words.of(&tokens).parse(|parser| parser.parse_optional_table_constraint());
    let schema = words.schema;
    let known = read.and_then(|read| match read {
        Some(constraint) => add_known(table, &constraint, schema),
        None => Err("it is no constraint".to_owned()),
    });
    match known {
        Ok(()) => told_beside(table, words),
        Err(why) => {
            table.others.push(words.text());
            return Err(why);
        }
    }
    Ok(())
}

/// The column of `CONSTRAINT name NOT NULL column`.
fn not_null(mut words: Words<'_>) -> Option<String> {
    let _name = words.eat("CONSTRAINT").then(|| words.name());
    words.eat("NOT NULL").then(|| words.name()).flatten()
}

fn add_known(
    table: &mut Table,
    constraint: &TableConstraint,
    schema: Option<&str>,
) -> Result<(), Unread> {
    let named = |name: &Option<Ident>| name.as_ref().map(ident);
    if let TableConstraint::PrimaryKey(key) = constraint {
        let detail = format!("{} {}", include(&key.include), detail(&[&key.characteristics]));
        let detail = detail.trim().to_owned();
        let columns = columns(&key.columns);
        table.set_primary_key(Key { name: named(&key.name), columns, detail });
    } else if let TableConstraint::Unique(key) = constraint {
        let more = [include(&key.include), detail(&[&key.characteristics])].join(" ");
        let detail = format!("{} {}", key.nulls_distinct, more.trim()).trim().to_owned();
        let columns = columns(&key.columns);
        table.uniques.push(Key { name: named(&key.name), columns, detail });
    } else if let TableConstraint::ForeignKey(key) = constraint {
        let read = foreign_key(key, schema).ok_or("it refers to no table")?;
        table.foreign_keys.push(ForeignKey { name: named(&key.name), ..read });
    } else if let TableConstraint::Check(check) = constraint {
        let condition = check.expr.to_string();
        table.checks.push(Check { name: named(&check.name), condition });
    } else {
        // Rare ones say all that is to be said by themselves.
        table.others.push(constraint.to_string());
    }
    Ok(())
}

fn foreign_key(key: &ForeignKeyConstraint, schema: Option<&str>) -> Option<ForeignKey> {
    let mut more = Vec::new();
    more.extend(key.match_kind.as_ref().map(ToString::to_string));
    more.extend(key.on_delete.as_ref().map(|action| format!("ON DELETE {action}")));
    more.extend(key.on_update.as_ref().map(|action| format!("ON UPDATE {action}")));
    more.extend(key.characteristics.as_ref().map(ToString::to_string));
    Some(ForeignKey {
        name: None,
        columns: key.columns.iter().map(ident).collect(),
        table: object(&key.foreign_table, schema)?,
        referred: key.referred_columns.iter().map(ident).collect(),
        detail: more.join(" ").trim().to_owned(),
    })
}

fn columns(columns: &[IndexColumn]) -> Vec<String> {
    // A key has plain columns, whose text is their name.
    columns.iter().map(|column| column.to_string()).map(plain_column).collect()
}

fn plain_column(text: String) -> String {
    TableName::parse(&text).map_or(text, |name| name.name)
}

fn include(columns: &[Ident]) -> String {
    let names: Vec<String> = columns.iter().map(ident).collect();
    if names.is_empty() { String::new() } else { format!("INCLUDE ({})", Table::listed(&names)) }
}

fn detail(parts: &[&Option<sqlparser::ast::ConstraintCharacteristics>]) -> String {
    parts.iter().filter_map(|part| part.as_ref()).map(ToString::to_string).collect()
}
