//! The rows of a comparison with the issues under them, as a person and as a program see it.
//!
//! Invariant: a row of text is set in, so that no text can pass for a line of ours.
//! Absent here: which versions are compared.

use super::Version;
use crate::say::{self, Paint};
use redraft_workflows::review::{
    comparison::{self, Change, Row},
    model::{IssueSeverity, ReviewIssue},
};
use serde::Serialize;

/// Two versions, ready to be shown.
#[derive(Serialize)]
pub(crate) struct Page {
    pub(crate) rows: Vec<Commented>,
    pub(crate) about_the_whole: Vec<Comment>,
}

/// A row with what was said about it.
#[derive(Serialize)]
pub(crate) struct Commented {
    row: Row,
    issues: Vec<Comment>,
}

/// An issue, and the version whose review found it.
#[derive(Clone, Serialize)]
pub(crate) struct Comment {
    version: String,
    issue: ReviewIssue,
}

impl Page {
    /// Compares two versions.
    pub(crate) fn of(before: &Version, after: &Version) -> Self {
        let rows = comparison::rows(&before.candidate.content, &after.candidate.content);
        let rows = rows.into_iter().map(|row| Commented { row, issues: Vec::new() }).collect();
        let mut page = Self { rows, about_the_whole: Vec::new() };
        page.comment(before, |row| row.old);
        if before.name != after.name {
            page.comment(after, |row| row.new);
        }
        page
    }

    /// Sets the issues of a version's review under the last row of the line they speak of.
    fn comment(&mut self, version: &Version, line: fn(&Row) -> usize) {
        for issue in version.review.iter().flat_map(|review| &review.issues) {
            let comment = Comment { version: version.name.clone(), issue: issue.clone() };
            let place = comparison::line_of(&version.candidate.content, issue);
            let row = place.and_then(|at| self.rows.iter_mut().rfind(|row| line(&row.row) == at));
            match row {
                Some(row) => row.issues.push(comment),
                None => self.about_the_whole.push(comment),
            }
        }
    }

    /// Prints it: changes by colour on a terminal that has any, by marks otherwise.
    pub(crate) fn print(&self) {
        let coloured = say::has_colour();
        say::out("");
        // Behind a last line end stands nothing, which needs no row.
        let (last, above) = self.rows.split_last().map_or((None, &[][..]), |(l, a)| (Some(l), a));
        let last = last.filter(|last| !last.row.pieces.is_empty() || !last.issues.is_empty());
        for Commented { row, issues } in above.iter().chain(last) {
            say::painted(&stretches(row, coloured));
            issues.iter().for_each(|comment| comment.print("      "));
        }
        if !self.about_the_whole.is_empty() {
            say::out("");
            say::out("About the whole:");
            self.about_the_whole.iter().for_each(|comment| comment.print("  "));
        }
    }
}

impl Comment {
    fn print(&self, margin: &str) {
        let Self { version, issue } = self;
        let (weight, paint) = match issue.severity {
            IssueSeverity::Error => ("error", Paint::Removed),
            IssueSeverity::Warning => ("warning", Paint::Quiet),
        };
        let line = format!("{margin}^ {weight} ({version}): {}", issue.message);
        say::painted(&[(paint, line)]);
    }
}

fn stretches(row: &Row, coloured: bool) -> Vec<(Paint, String)> {
    let end = row.end.filter(|end| *end != Change::Kept).map(|end| (end, "¶"));
    let pieces = row.pieces.iter().map(|piece| (piece.change, piece.text.as_str()));
    let mut stretches = vec![(Paint::Plain, "  ".to_owned())];
    stretches.extend(pieces.chain(end).map(|(change, text)| match change {
        Change::Kept => (Paint::Plain, text.to_owned()),
        Change::Inserted if coloured => (Paint::Inserted, text.to_owned()),
        Change::Removed if coloured => (Paint::Removed, text.to_owned()),
        Change::Inserted => (Paint::Inserted, format!("{{+{text}+}}")),
        Change::Removed => (Paint::Removed, format!("[-{text}-]")),
    }));
    stretches
}
