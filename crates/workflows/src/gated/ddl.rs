//! PostgreSQL DDL: which tables a schema file declares, with what columns, keys and rules.
//!
//! Invariant: a file is read statement by statement, and a table element by element; what is not understood
//! becomes a warning with its line and costs nothing else. Names compare as PostgreSQL compares them.
//! Absent here: the disk, a database, and whether the schema is a good one.

mod alter;
mod beside;
mod create;
mod element;
mod markdown;
mod names;
mod reading;
mod simpler;
mod statements;
mod table;
mod words;

pub use names::{TableName, column_name, written};
pub use table::{Check, Column, ForeignKey, Index, Key, Table};

use reading::Reading;
use std::fmt::Write;

/// The tables that a message lists.
const LISTED: usize = 20;

/// A schema file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ddl {
    /// Its path, as messages name it.
    pub file: String,
    /// Its tables in order.
    pub tables: Vec<Table>,
    /// What was not understood.
    pub warnings: Vec<Warning>,
}

/// Something in a schema file that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Its line, from 1.
    pub line: usize,
    /// The table that it is about, where it is about one.
    pub table: Option<TableName>,
    /// How much it matters.
    pub kind: WarningKind,
    /// What it is.
    pub message: String,
}

/// How much it matters that something was not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// It says something of tables, or may hide something that does.
    Unread,
    /// It is a statement of a kind that declares no table: a function, a trigger, an extension.
    Skipped,
}

/// Why a table or a column cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DdlError {
    /// The name is none that PostgreSQL could have.
    #[error(
        "{name:?} is no name of a table; write `orders`, `app.orders` or `app.\"Order Items\"`"
    )]
    Name {
        /// What was given.
        name: String,
    },
    /// There is no such table.
    #[error("{file}: there is no table {name}; {there_are}")]
    NoTable {
        /// The schema file.
        file: String,
        /// The table that was looked for.
        name: TableName,
        /// The tables that are there, with their lines.
        there_are: String,
    },
    /// Several schemas have such a table.
    #[error("{file}: {name} is in more than one schema: {among}; name one of them")]
    Ambiguous {
        /// The schema file.
        file: String,
        /// The table that was looked for.
        name: TableName,
        /// The tables that it could be, with their lines.
        among: String,
    },
    /// The table has no such column.
    #[error("{file}:{line}: table {table} has no column {column:?}; it has {there_are}")]
    NoColumn {
        /// The schema file.
        file: String,
        /// The line of the table, from 1.
        line: usize,
        /// The table.
        table: TableName,
        /// The column that was looked for.
        column: String,
        /// The columns that are there.
        there_are: String,
    },
    /// A column that may not be null may be.
    #[error("{file}:{line}: column {column} of table {table} may be null; declare it NOT NULL")]
    Nullable {
        /// The schema file.
        file: String,
        /// The line of the column, from 1.
        line: usize,
        /// The table.
        table: TableName,
        /// The column.
        column: String,
    },
}

impl Ddl {
    /// Reads a schema file; what is not understood stands in [`Ddl::warnings`].
    pub fn read(file: &str, text: &str) -> Self {
        let Reading { tables, warnings, .. } = Reading::of(text);
        Self { file: file.to_owned(), tables, warnings }
    }

    /// The table of this name. Without a schema, the one in `public` comes first, then the only one of any.
    ///
    /// # Errors
    /// [`DdlError`] when there is no such table, or more than one; it lists what there is.
    pub fn table(&self, name: &str) -> Result<&Table, DdlError> {
        let wanted =
            TableName::parse(name).ok_or_else(|| DdlError::Name { name: name.to_owned() })?;
        if let Some(table) = self.tables.iter().find(|table| table.name.is(&wanted)) {
            return Ok(table);
        }
        let is_namesake =
            |table: &&Table| wanted.schema.is_none() && table.name.name == wanted.name;
        let namesakes: Vec<&Table> = self.tables.iter().filter(is_namesake).collect();
        let file = self.file.clone();
        match namesakes.as_slice() {
            [] => Err(DdlError::NoTable { file, there_are: self.there_are(&wanted), name: wanted }),
            [table] => Ok(table),
            several => Err(DdlError::Ambiguous { file, among: listed(several), name: wanted }),
        }
    }

    /// The column of a table, bare or quoted as SQL has it.
    ///
    /// # Errors
    /// [`DdlError::NoColumn`]; it lists the columns there are.
    pub fn column<'a>(&self, table: &'a Table, name: &str) -> Result<&'a Column, DdlError> {
        table.column(name).ok_or_else(|| DdlError::NoColumn {
            file: self.file.clone(),
            line: table.line,
            table: table.name.clone(),
            column: name.to_owned(),
            there_are: table
                .columns
                .iter()
                .map(|it| written(&it.name))
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// The warnings about a table.
    pub fn warnings_about<'a>(&'a self, table: &'a Table) -> impl Iterator<Item = &'a Warning> {
        self.warnings.iter().filter(|warning| warning.table.as_ref() == Some(&table.name))
    }

    fn there_are(&self, wanted: &TableName) -> String {
        let all: Vec<&Table> = self.tables.iter().collect();
        let mut text = match all.len() {
            0 => "it declares no table".to_owned(),
            _ => format!("there are {}", listed(&all)),
        };
        let near = self.warnings.iter().find(|warning| {
            let is_about = |table: &TableName| table.is(wanted);
            warning.kind == WarningKind::Unread && warning.table.as_ref().is_none_or(is_about)
        });
        if let Some(Warning { line, message, .. }) = near {
            let _ = write!(text, "; not understood: line {line}, {message}");
        }
        text
    }
}

fn listed(tables: &[&Table]) -> String {
    let some = tables.iter().take(LISTED);
    let mut text =
        some.map(|it| format!("{} (line {})", it.name, it.line)).collect::<Vec<_>>().join(", ");
    if tables.len() > LISTED {
        let _ = write!(text, " and {} more", tables.len() - LISTED);
    }
    text
}

#[cfg(test)]
mod tests;
