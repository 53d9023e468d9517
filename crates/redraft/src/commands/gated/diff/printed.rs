//! Two iterations as a person at a terminal sees them.
//!
//! Invariant: every text of others is set in behind a margin, so that none can pass for a line of ours.
//! Absent here: colours where there are none; changes have signs too.

use super::{Compared, Version};
use crate::{
    commands::side_by_side::{self, Half},
    page::{Numbered, Row, rows_of},
    say::{self, Paint},
};
use redraft_workflows::{
    gated::{Reviewed, change::Became},
    pair::patch::{self, FileChange},
};

/// What stands before the lines of a review.
const MARGIN: &str = "  ";

/// Prints the files, then the reviews.
pub(super) fn print(compared: &Compared) {
    let Compared { before, after, became, diff } = compared;
    say::out(&match before {
        Some(before) => format!("Iterations: {} and {}", before.iteration, after.iteration),
        None => format!("Iteration: {}, with none before it", after.iteration),
    });
    for file in patch::read(diff) {
        print_file(&file, became.get(file.path()).copied());
    }
    let unchanged = became.iter().filter(|(_, became)| **became == Became::Unchanged);
    let unchanged: Vec<&str> = unchanged.map(|(name, _)| name.as_str()).collect();
    if !unchanged.is_empty() {
        say::out("");
        say::out(&format!("Unchanged: {}", unchanged.join(", ")));
    }
    print_reviews(before.as_ref(), after);
}

fn print_file(file: &FileChange<'_>, became: Option<Became>) {
    let (inserted, removed) = file.counts();
    let what = match became {
        Some(Became::Added) => "Added",
        Some(Became::Removed) => "Removed",
        Some(Became::Changed | Became::Unchanged) | None => "Changed",
    };
    let lines = |n| say::count(n, "line");
    say::out("");
    say::out(&format!("{what}: {} ({} in, {} out)", file.path(), lines(inserted), lines(removed)));
    for row in rows_of(file) {
        match row {
            Row::Between(text) => say::painted(&[(Paint::Quiet, format!("{MARGIN}{text}"))]),
            Row::Kept { old, new, text } => {
                let half = |number| half(Some(Numbered { number, text }), ' ', Paint::Plain);
                side_by_side::print(&half(old), &half(new));
            }
            Row::Changed { old, new } => side_by_side::print(
                &half(old, '-', Paint::Removed),
                &half(new, '+', Paint::Inserted),
            ),
        }
    }
}

/// A line with its number and sign; blank where a side has none.
fn half(line: Option<Numbered<'_>>, sign: char, paint: Paint) -> Half<'_> {
    match line {
        Some(Numbered { number, text }) => {
            Half { margin: format!("{number:>5} {sign} "), paint, text }
        }
        None => ours(""),
    }
}

/// What was said of both, line beside line.
fn print_reviews(before: Option<&Version>, after: &Version) {
    let heading = |version: &Version| format!("Review of iteration {}", version.iteration);
    let (old, new) = (before.map(heading).unwrap_or_default(), heading(after));
    say::out("");
    side_by_side::print(&ours(&old), &ours(&new));
    let (old_review, new_review) = (before.map(|before| &before.review), &after.review);
    let old = old_review.map(|review| line(review.as_ref())).unwrap_or_default();
    side_by_side::print(&ours(&old), &ours(&line(new_review.as_ref())));
    let lines = |review: Option<&Reviewed>| -> Vec<String> {
        review.iter().flat_map(|review| review.text.lines()).map(str::to_owned).collect()
    };
    let (old, new) = (lines(old_review.and_then(Option::as_ref)), lines(new_review.as_ref()));
    for n in 0..old.len().max(new.len()) {
        side_by_side::print(&said(old.get(n)), &said(new.get(n)));
    }
}

/// A line of ours, which begins where its half does.
fn ours(text: &str) -> Half<'_> {
    Half { margin: String::new(), paint: Paint::Plain, text }
}

/// The line of a review, or why there is none.
fn line(review: Option<&Reviewed>) -> String {
    match review {
        None => "none yet".to_owned(),
        Some(Reviewed { line: Some(line), .. }) => line.clone(),
        Some(Reviewed { wrong, .. }) => {
            format!("cannot be read: {}", wrong.as_deref().unwrap_or_default())
        }
    }
}

fn said(line: Option<&String>) -> Half<'_> {
    match line {
        Some(text) => Half { margin: MARGIN.to_owned(), paint: Paint::Plain, text },
        None => ours(""),
    }
}
