//! The issues that an author disputes, as the remarks list them.
//!
//! A heading `DISPUTED ISSUES`, in any case and dress, and the list under it. Text that goes on in the next line belongs
//! to its item; a heading, or a paragraph behind an empty line, ends the list.
//!
//! Invariant: nothing is lost by what is not read here: the remarks are shown whole beside it.
//! Absent here: which issue an item means.

use super::is_blank;

/// What a list says that is empty.
const NOTHING: [&str; 3] = ["none", "none.", "n/a"];

/// The items, each on one line.
pub(super) fn of(remarks: &str) -> Vec<String> {
    let (mut items, mut inside, mut behind_blank) = (Vec::<String>::new(), false, false);
    // Whether the newest item is one that a line may go on.
    let mut open = false;
    for line in remarks.lines() {
        let text = line.trim();
        if is_blank(line) {
            behind_blank = true;
            continue;
        }
        if is_heading(text) {
            (inside, open) = (says_disputed(text), false);
        } else if let Some(item) = item(text).filter(|_| inside) {
            open = true;
            items.push(item.to_owned());
        } else if let Some(last) = items.last_mut().filter(|_| inside && open) {
            if behind_blank && !line.starts_with([' ', '\t']) {
                inside = false;
            } else {
                last.push(' ');
                last.push_str(text);
            }
        }
        behind_blank = false;
    }
    items.retain(|item| !NOTHING.contains(&item.to_ascii_lowercase().as_str()));
    items
}

fn is_heading(text: &str) -> bool {
    let bold = text.starts_with("**") && text.trim_end_matches(':').ends_with("**");
    text.starts_with('#') || bold || says_disputed(text)
}

fn says_disputed(text: &str) -> bool {
    let words = text.trim_matches(['#', '*', '_', ':', ' ', '\t']);
    words.eq_ignore_ascii_case("DISPUTED ISSUES")
}

/// The text behind the mark of a list item.
fn item(text: &str) -> Option<&str> {
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = match numbered.len() < text.len() {
        true => numbered.strip_prefix(['.', ')']),
        false => text.strip_prefix(['-', '*', '+', '•']),
    }?;
    let item = behind.trim_start();
    (item.len() < behind.len() && !item.is_empty()).then_some(item)
}
