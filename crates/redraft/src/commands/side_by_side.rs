//! Two texts beside each other in a terminal, each wrapped in its half.
//!
//! Invariant: no word of either is left out, and a text stands in its own half; where nobody tells the terminal's width,
//! there are 160 columns.
//! Absent here: which texts stand beside each other.

use crate::say::{self, Paint};
use unicode_width::UnicodeWidthChar;

/// The columns of what is no terminal.
const COLUMNS: usize = 160;
/// A narrower terminal wraps our lines itself.
const NARROWEST: usize = 40;
/// What stands between the halves.
const BETWEEN: &str = " \u{2502} ";
/// A tab goes on to the next multiple of so many columns.
const TAB: usize = 4;

/// What stands in one half of a row.
#[derive(Debug, Clone)]
pub(crate) struct Half<'a> {
    /// What stands before the first line of the text; as many blanks before its further lines.
    pub(crate) margin: String,
    pub(crate) paint: Paint,
    /// A line, as others wrote it.
    pub(crate) text: &'a str,
}

/// Prints a row of two halves.
pub(crate) fn print(left: &Half<'_>, right: &Half<'_>) {
    let columns = say::columns().unwrap_or(COLUMNS).max(NARROWEST);
    lines(left, right, columns).iter().for_each(|line| say::painted(line));
}

fn lines(left: &Half<'_>, right: &Half<'_>, columns: usize) -> Vec<Vec<(Paint, String)>> {
    let half = (columns - say::width(BETWEEN)) / 2;
    let (old, new) = (wrapped(left, half), wrapped(right, half));
    let line = |n: usize| {
        let (old, new) = (cell(&old, n), cell(&new, n));
        let blanks = " ".repeat(half.saturating_sub(say::width(&old)));
        // Blanks without a colour, and none at the end of a line.
        let between = if new.is_empty() { BETWEEN.trim_end() } else { BETWEEN };
        vec![(left.paint, old), (Paint::Plain, blanks + between), (right.paint, new)]
    };
    (0..old.len().max(new.len())).map(line).collect()
}

fn cell(lines: &[String], n: usize) -> String {
    lines.get(n).map_or("", |line| line.trim_end()).to_owned()
}

/// The lines of a half, each at most so wide.
fn wrapped(half: &Half<'_>, columns: usize) -> Vec<String> {
    let blanks = " ".repeat(say::width(&half.margin));
    let most = columns.saturating_sub(blanks.len()).max(2);
    let mut lines = vec![half.margin.clone()];
    let mut used = 0;
    for sign in say::clean(half.text).chars() {
        let (shown, width) = match sign {
            '\t' => (' ', TAB - used % TAB),
            sign => (sign, sign.width().unwrap_or(0)),
        };
        if used + width > most {
            lines.push(blanks.clone());
            used = 0;
        }
        let times = if sign == '\t' { width } else { 1 };
        if let Some(line) = lines.last_mut() {
            line.extend(std::iter::repeat_n(shown, times));
        }
        used += width;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half<'a>(margin: &str, text: &'a str) -> Half<'a> {
        Half { margin: margin.to_owned(), paint: Paint::Plain, text }
    }

    #[track_caller]
    fn check(left: &Half<'_>, right: &Half<'_>, expected: &[&str]) {
        let lines = lines(left, right, 23);
        let told = lines.iter().map(|line| line.iter().map(|(_, text)| text.as_str()).collect());
        assert_eq!(told.collect::<Vec<String>>(), expected);
    }

    #[test]
    fn long_lines_go_on_in_their_own_half() {
        check(
            &half("1 ", "abcdefghij"),
            &half("2 ", "x"),
            &["1 abcdefgh \u{2502} 2 x", "  ij       \u{2502}"],
        );
        check(&half("", ""), &half("3 ", "y"), &["           \u{2502} 3 y"]);
    }

    #[test]
    fn wide_signs_tabs_and_hidden_ones_keep_the_halves_apart() {
        check(
            &half("", "\u{5b57}\u{5b57}\u{5b57}\u{5b57}\u{5b57}\u{5b57}"),
            &half("", "a\tb\u{202e}\u{1b}[31m"),
            &[
                "\u{5b57}\u{5b57}\u{5b57}\u{5b57}\u{5b57} \u{2502} a   b[31m",
                "\u{5b57}         \u{2502}",
            ],
        );
    }
}
