//! A table as a text of a prompt: Markdown that holds all that the DDL says about it.
//!
//! Invariant: one column is one row, whatever a comment or a default contains.
//! Absent here: instructions; the text is data.

use super::{
    names::written,
    table::{Column, Table},
};
use std::fmt::Write;

impl Table {
    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("Table `{}`", one_line(&self.name.to_string()));
        if let Some(comment) = &self.comment {
            let _ = write!(text, ": {}", one_line(comment));
        }
        text.push_str(
            "\n\n| column | type | null | default | notes |\n| --- | --- | --- | --- | --- |\n",
        );
        for column in &self.columns {
            row(&mut text, column);
        }
        for (title, lines) in self.lists() {
            if !lines.is_empty() {
                let _ = write!(text, "\n{title}:\n");
                lines.iter().for_each(|line| text.push_str(&format!("- {}\n", one_line(line))));
            }
        }
        text
    }

    fn lists(&self) -> [(&'static str, Vec<String>); 8] {
        let key = |key: &super::Key| {
            with_name(&key.name, &format!("({}) {}", Self::listed(&key.columns), key.detail))
        };
        let foreign = |key: &super::ForeignKey| {
            let (from, to) = (Self::listed(&key.columns), Self::listed(&key.referred));
            let to = if to.is_empty() { to } else { format!(" ({to})") };
            with_name(&key.name, &format!("({from}) references {}{to} {}", key.table, key.detail))
        };
        let check = |check: &super::Check| with_name(&check.name, &check.condition);
        let index = |index: &super::Index| {
            let unique = if index.unique { "unique " } else { "" };
            with_name(&index.name, &format!("{unique}{}", index.definition))
        };
        let security = match (self.row_security, self.policies.is_empty()) {
            (false, true) => Vec::new(),
            (true, _) => {
                std::iter::once("enabled".to_owned()).chain(self.policies.clone()).collect()
            }
            (false, false) => self.policies.clone(),
        };
        [
            ("Primary key", self.primary_key.iter().map(key).collect()),
            ("Unique constraints", self.uniques.iter().map(key).collect()),
            ("Foreign keys", self.foreign_keys.iter().map(foreign).collect()),
            ("Checks", self.checks.iter().map(check).collect()),
            ("Indexes", self.indexes.iter().map(index).collect()),
            ("Row-level security", security),
            ("Partitioned by", self.partitioned_by.iter().cloned().collect()),
            ("Further constraints, as they stand", self.others.clone()),
        ]
    }
}

fn with_name(name: &Option<String>, text: &str) -> String {
    let name = name.as_ref().map_or(String::new(), |name| format!("{}: ", written(name)));
    format!("{name}{}", text.trim_end())
}

fn row(text: &mut String, column: &Column) {
    let null = if column.nullable { "yes" } else { "no" };
    let mut notes: Vec<String> = Vec::new();
    notes.extend(column.generated.iter().map(|how| format!("generated {how}")));
    if !column.labels.is_empty() {
        notes.push(format!("one of {}", column.labels.join(", ")));
    }
    notes.extend(column.comment.clone());
    let cells = [
        written(&column.name),
        column.data_type.clone(),
        null.to_owned(),
        column.default.clone().unwrap_or_default(),
        notes.join("; "),
    ];
    for cell in cells {
        let _ = write!(text, "| {} ", one_line(&cell).replace('|', "\\|"));
    }
    text.push_str("|\n");
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
