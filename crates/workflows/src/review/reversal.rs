//! Reversals: a candidate that takes back what the candidate before it had changed.
//!
//! Invariant: only whole changes count. One that keeps a part of them is progress.
//! Absent here: what follows from a reversal; it is an issue like any other.

use std::collections::BTreeSet;

/// Whether the newest text undoes what the text before had changed in the one before that: all that was put in is
/// gone again, all that was taken out is back, and it is still the same text otherwise.
pub(super) fn undoes(newest: &str, before: &str, earlier: &str) -> bool {
    let [newest, before, earlier] = [newest, before, earlier].map(sentences);
    let (put_in, taken_out) = (before.difference(&earlier), earlier.difference(&before));
    let (mut put_in, mut taken_out) = (put_in.peekable(), taken_out.peekable());
    let changed = put_in.peek().is_some() || taken_out.peek().is_some();
    let goes_on = earlier.intersection(&newest).next().is_some();
    changed
        && goes_on
        && put_in.all(|s| !newest.contains(s))
        && taken_out.all(|s| newest.contains(s))
}

/// The sentences of a text, or its lines where it has none, without the space around and between their words.
fn sentences(text: &str) -> BTreeSet<String> {
    let ends = |c: char| matches!(c, '\n' | '.' | '!' | '?' | '…' | '。');
    let pieces =
        text.split(ends).map(|piece| piece.split_whitespace().collect::<Vec<_>>().join(" "));
    pieces.filter(|piece| !piece.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::undoes;

    #[test]
    fn going_back_to_the_text_before_is_a_reversal() {
        assert!(undoes("A red door.", "A blue door.", "A red door."));
        assert!(undoes("A red\tdoor.", "A blue door.", "A  red door."));
    }

    #[test]
    fn one_sentence_that_comes_back_among_new_ones_is_a_reversal() {
        let (earlier, before) = ("One. Two.", "One. Changed.");
        assert!(undoes("One. Two. And a third.", before, earlier));
    }

    #[test]
    fn keeping_a_part_of_the_change_is_none() {
        let (earlier, before) = ("One. Two.", "First. Changed.");
        assert!(!undoes("First. Two.", before, earlier));
        assert!(!undoes("First. Changed. More.", before, earlier));
    }

    #[test]
    fn a_text_written_anew_is_none() {
        assert!(!undoes("Three.", "One. Two.", "One."));
    }

    #[test]
    fn a_text_that_never_changed_is_none() {
        assert!(!undoes("Same.", "Same.", "Same."));
        assert!(!undoes("Other.", "Same.", "Same."));
        assert!(!undoes("", "", ""));
    }

    #[test]
    fn taking_out_what_was_just_put_in_is_a_reversal() {
        assert!(undoes("One.", "One. Two.", "One."));
        assert!(undoes("One. Two.", "One.", "One. Two."));
    }
}
