//! Show notes as one Markdown page: title, subtitle, notes, chapters.
//!
//! Invariant: a selected text stands there as it was selected; title and chapters are added only where it has none.
//! Absent: any heading that the text itself would have to explain.

use super::{Export, Line, Text, youtube};

pub(super) fn write(export: &Export) -> String {
    let notes = export.show_notes.as_ref().map_or("", Text::as_str);
    let mut page = String::new();
    if let Some(title) = export.title.as_ref().filter(|_| !notes.starts_with("# ")) {
        page += &format!("# {}\n\n", escaped(title));
        if let Some(subtitle) = &export.subtitle {
            // In emphasis, no first word can make it a list or a heading.
            page += &format!("*{}*\n\n", escaped(subtitle));
        }
    }
    page += notes;
    page.push('\n');
    if youtube::times(notes).is_empty() && !export.chapters.is_empty() {
        page += "\n## Chapters\n\n";
        for mark in &export.chapters {
            page += &format!("- {} {}\n", mark.clock(), escaped(&mark.title));
        }
    }
    page
}

/// Marks of Markdown as the characters they are.
fn escaped(line: &Line) -> String {
    let mut escaped = String::with_capacity(line.as_str().len());
    for c in line.as_str().chars() {
        if "\\`*_[]<>&~|#".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
