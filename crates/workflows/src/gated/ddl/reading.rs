//! A file of DDL as it is read, statement by statement.
//!
//! Invariant: no statement can make another unreadable.
//! Absent here: what is looked for in the file.

use super::{
    Warning, WarningKind,
    alter::alter_table,
    beside::beside,
    create::create_table,
    names::TableName,
    statements::{Statement, statements},
    table::Table,
    words::{Words, tokens},
};

/// Statements that declare nothing: they are stepped over without a word.
const SILENT: [&str; 16] = [
    "SELECT", "INSERT", "UPDATE", "DELETE", "COPY", "GRANT", "REVOKE", "BEGIN", "COMMIT", "START",
    "END", "ANALYZE", "VACUUM", "DO", "TRUNCATE", "CALL",
];

/// What was read so far.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) tables: Vec<Table>,
    pub(super) enumerations: Vec<(TableName, Vec<String>)>,
    pub(super) warnings: Vec<Warning>,
    /// Where names belong that name no schema.
    pub(super) schema: Option<String>,
}

impl Reading {
    /// Reads a whole file.
    pub(super) fn of(text: &str) -> Self {
        let mut reading = Self::default();
        for statement in statements(text.trim_start_matches('\u{feff}')) {
            reading.read(&statement);
        }
        reading.label();
        reading
    }

    fn read(&mut self, statement: &Statement<'_>) {
        if let Some(line) = statement.open {
            self.warn(line, None, "a quotation or comment begins here and never ends");
            return;
        }
        let first = statement.text.split(|c: char| !c.is_ascii_alphabetic()).next();
        if SILENT.iter().any(|word| first.is_some_and(|first| first.eq_ignore_ascii_case(word))) {
            return;
        }
        match tokens(statement.text) {
            Ok(tokens) => {
                let schema = self.schema.clone();
                let words = Words::new(&tokens, statement.line, schema.as_deref());
                self.dispatch(words);
            }
            Err(why) => self.warn(statement.line, None, &why),
        }
    }

    fn dispatch(&mut self, words: Words<'_>) {
        if create_table(self, words) || alter_table(self, words) || beside(self, words) {
            return;
        }
        let kind: Vec<String> = words.text().split(' ').take(2).map(str::to_owned).collect();
        let message = format!("{} is not read", kind.join(" "));
        let kind = WarningKind::Skipped;
        self.warnings.push(Warning { line: words.line(), table: None, kind, message });
    }

    pub(super) fn warn(&mut self, line: usize, table: Option<&TableName>, message: &str) {
        let (table, message) = (table.cloned(), message.to_owned());
        self.warnings.push(Warning { line, table, kind: WarningKind::Unread, message });
    }

    pub(super) fn place_of(&self, name: &TableName) -> Option<usize> {
        self.tables.iter().position(|table| table.name.is(name))
    }

    pub(super) fn table(&self, name: &TableName) -> Option<&Table> {
        self.place_of(name).map(|at| &self.tables[at])
    }

    /// A table by the parts of its name.
    pub(super) fn named(&self, mut path: Vec<String>) -> Option<TableName> {
        let name = path.pop()?;
        Some(TableName { schema: path.pop().or(self.schema.clone()), name })
    }

    /// Gives columns of an enumeration its labels.
    fn label(&mut self) {
        for column in self.tables.iter_mut().flat_map(|table| &mut table.columns) {
            let Some(named) = TableName::parse(column.data_type.trim_end_matches("[]")) else {
                continue;
            };
            let is_it = |found: &TableName| {
                found.name == named.name && (named.schema.is_none() || found.is(&named))
            };
            let found = self.enumerations.iter().find(|(name, _)| is_it(name));
            column.labels = found.map(|(_, labels)| labels.clone()).unwrap_or_default();
        }
    }
}
