//! Where a sentence ends, and which may stand alone.

use crate::offline::sentences::{presentable, split, split_quoted, without_connective};

fn check(text: &str, sentences: &[&str]) {
    assert_eq!(split(text).collect::<Vec<_>>(), sentences);
}

#[test]
fn abbreviations_and_names_of_products_do_not_end_a_sentence() {
    check(
        "Dr. Reece, Psy.D. Fellow, uses Node.js. She likes .io games.",
        &["Dr. Reece, Psy.D. Fellow, uses Node.js.", "She likes .io games."],
    );
    check("The U.S. Army called. J. Doe answered.", &["The U.S. Army called.", "J. Doe answered."]);
}

#[test]
fn a_note_in_brackets_cuts_and_is_left_out() {
    check("That was great. \\[laughter\\] Next question.", &["That was great.", "Next question."]);
}

#[test]
fn a_pause_becomes_a_full_stop_unless_it_leaves_the_sentence_open() {
    assert_eq!(
        presentable("Change is constant in life...").as_deref(),
        Some("Change is constant in life.")
    );
    assert_eq!(presentable("We went there to talk with..."), None);
}

#[test]
fn a_connective_is_left_out_only_before_a_capital() {
    assert_eq!(without_connective("And so on it goes."), None);
    assert_eq!(without_connective("And then Google Cloud has one."), Some("Google Cloud has one."));
    assert_eq!(without_connective("So I went home."), None);
}

#[test]
fn a_sentence_inside_a_longer_quotation_is_known_as_such() {
    let inside: Vec<bool> = split_quoted("He said \"We are proud. We are many.\" They left.")
        .map(|(_, quoted)| quoted)
        .collect();
    assert_eq!(inside, [false, true, false]);
}
