//! A table as its DDL declares it, and how a prompt shows it.
//!
//! Invariant: columns stand in the order of the table; expressions stand as SQL.
//! Absent here: reading SQL.

use super::names::{TableName, column_name, written};

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: TableName,
    /// The line of its `CREATE TABLE`, from 1.
    pub line: usize,
    /// Its columns in order.
    pub columns: Vec<Column>,
    /// Its primary key.
    pub primary_key: Option<Key>,
    /// Its unique constraints.
    pub uniques: Vec<Key>,
    /// Its foreign keys.
    pub foreign_keys: Vec<ForeignKey>,
    /// Its checks.
    pub checks: Vec<Check>,
    /// Its indexes beside those that constraints bring.
    pub indexes: Vec<Index>,
    /// Its policies of row-level security, as SQL.
    pub policies: Vec<String>,
    /// Whether row-level security is on.
    pub row_security: bool,
    /// How it is partitioned, as SQL: `RANGE (created_at)`.
    pub partitioned_by: Option<String>,
    /// What `COMMENT ON TABLE` says.
    pub comment: Option<String>,
    /// Constraints that are not understood and shown as they stand.
    pub others: Vec<String>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name as PostgreSQL keeps it.
    pub name: String,
    /// The line where it is declared.
    pub line: usize,
    /// Its type as SQL.
    pub data_type: String,
    /// Whether it may be null; a primary key may not.
    pub nullable: bool,
    /// Its default as SQL.
    pub default: Option<String>,
    /// What the database makes of it: `ALWAYS AS IDENTITY`, `ALWAYS AS (a + b) STORED`.
    pub generated: Option<String>,
    /// What `COMMENT ON COLUMN` says.
    pub comment: Option<String>,
    /// The labels of its type, where that is an enumeration of the same file.
    pub labels: Vec<String>,
}

/// A primary key or a unique constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its name, where it is given.
    pub name: Option<String>,
    /// Its columns in order.
    pub columns: Vec<String>,
    /// What else it says: `NULLS NOT DISTINCT`, `DEFERRABLE INITIALLY DEFERRED`.
    pub detail: String,
}

/// A foreign key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    /// Its name, where it is given.
    pub name: Option<String>,
    /// The columns that point.
    pub columns: Vec<String>,
    /// The table that is pointed to.
    pub table: TableName,
    /// The columns that are pointed to; empty for the primary key.
    pub referred: Vec<String>,
    /// What else it says: `ON DELETE CASCADE`.
    pub detail: String,
}

/// A check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Its name, where it is given.
    pub name: Option<String>,
    /// The condition as SQL.
    pub condition: String,
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Its name, where it is given.
    pub name: Option<String>,
    /// Whether it allows no two alike.
    pub unique: bool,
    /// What stands behind the table: `USING gin (tags) WHERE deleted_at IS NULL`.
    pub definition: String,
}

impl Table {
    /// A table without columns.
    pub(super) fn new(name: TableName, line: usize) -> Self {
        Self {
            name,
            line,
            columns: Vec::new(),
            primary_key: None,
            uniques: Vec::new(),
            foreign_keys: Vec::new(),
            checks: Vec::new(),
            indexes: Vec::new(),
            policies: Vec::new(),
            row_security: false,
            partitioned_by: None,
            comment: None,
            others: Vec::new(),
        }
    }

    /// The column of this name, bare or quoted as SQL has it.
    pub fn column(&self, name: &str) -> Option<&Column> {
        let name = column_name(name)?;
        self.columns.iter().find(|column| column.name == name)
    }

    /// How many constraints have a place of their own.
    pub(super) fn constraints(&self) -> usize {
        let keys = self.uniques.len() + usize::from(self.primary_key.is_some());
        keys + self.foreign_keys.len() + self.checks.len() + self.others.len()
    }

    pub(super) fn column_mut(&mut self, name: &str) -> Option<&mut Column> {
        self.columns.iter_mut().find(|column| column.name == name)
    }

    /// A primary key's columns are never null, whatever their own lines say.
    pub(super) fn set_primary_key(&mut self, key: Key) {
        for column in &mut self.columns {
            column.nullable &= !key.columns.contains(&column.name);
        }
        self.primary_key = Some(key);
    }

    /// The columns of a key, as SQL writes them.
    pub(super) fn listed(columns: &[String]) -> String {
        columns.iter().map(|name| written(name)).collect::<Vec<_>>().join(", ")
    }
}
