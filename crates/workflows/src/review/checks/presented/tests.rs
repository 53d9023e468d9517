//! Who counts as presented, and who as taking part.

use super::unknown;
use crate::review::names::Names;

fn names(guests: &[&str], speakers: &[&str]) -> Names {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Names {
        hosts: vec!["Ada King, PhD".into()],
        guests: owned(guests),
        speakers: owned(speakers),
        glossary: Vec::new(),
    }
}

fn check(text: &str, found: &[&str]) {
    assert_eq!(unknown(&names(&["José Li"], &["Ada", "Bo"]), false, text), found, "{text}");
}

fn check_title(text: &str, found: &[&str]) {
    assert_eq!(unknown(&names(&["José Li"], &["Ada", "Bo"]), true, text), found, "{text}");
}

#[test]
fn labels_name_people() {
    check("Guest: Mary Shelley", &["Mary Shelley"]);
    check("**Guests:** José Li, Mary Shelley and Ada King", &["Mary Shelley"]);
    check("- Host: Mary", &["Mary"]);
    check("Gäste: Mary Shelley & Bo", &["Mary Shelley"]);
    check("Guest: Jose Li (Acme), author\nHost: Dr. Ada M. King", &[]);
    check("Guests: José Li, CEO of Acme, Analytical Engines", &[]);
    check("With: Bo Brown", &[]);
    check("Links: Mary Shelley", &[]);
}

#[test]
fn talks_name_their_guest_at_the_head_of_a_sentence() {
    check("A conversation with Mary Shelley about monsters.", &["Mary Shelley"]);
    check("Good to know. In our interview with Mary W. Shelley, we ask.", &["Mary W. Shelley"]);
    check("Interview with José Li.", &[]);
    check("She once had a conversation with Mary Shelley.", &[]);
    check("A conversation with the authors of Frankenstein.", &[]);
}

#[test]
fn quotations_and_dialogues_name_who_speaks() {
    check("> \"Maps lie.\" — Mary Shelley, author", &["Mary Shelley"]);
    check("> “Maps lie.”\n> — Mary Shelley", &["Mary Shelley"]);
    check("Mary Shelley: “Maps lie.”", &["Mary Shelley"]);
    check(
        "**Mary Shelley:** Maps lie.\n**Bo:** Why?\n**Mary Shelley:** They must.",
        &["Mary Shelley"],
    );
    check("José Smith: how maps lie", &["José Smith"]);
    check("\"Maps lie.\" — José Li", &[]);
}

#[test]
fn a_colon_alone_names_nobody() {
    check("Further Reading: a book on maps\nOpen Source: what it is", &[]);
    check("The rule of maps – Mary Shelley wrote a book on it", &[]);
    check("They worked with Mary Shelley and met Bo Brown.", &[]);
}

#[test]
fn titles_name_guests_behind_a_mark() {
    check_title("Why maps lie, with Mary Shelley", &["Mary Shelley"]);
    check_title("Why maps lie (with Mary Shelley and Ada King)", &["Mary Shelley"]);
    check_title("Why maps lie | with Mary Shelley", &["Mary Shelley"]);
    check_title("Why maps lie feat. Mary Shelley", &["Mary Shelley"]);
    check_title("Why maps lie with José Smith", &["José Smith"]);
    check_title("Shipping maps with Visual Studio", &[]);
    check_title("Why maps lie, with José Li", &[]);
    check_title("Zero Trust: what it means", &[]);
}

#[test]
fn where_it_is_not_known_who_takes_part_nobody_is_made_up() {
    let text = "Guest: Mary Shelley";
    assert!(unknown(&names(&[], &[]), false, text).is_empty(), "hosts alone");
    assert!(unknown(&names(&[], &["Ada King", "Speaker 2"]), false, text).is_empty());
    assert!(unknown(&names(&[], &["Host", "Guest"]), false, text).is_empty());
    assert_eq!(unknown(&names(&[], &["Ada King", "Bo"]), false, text), ["Mary Shelley"]);
    assert_eq!(unknown(&names(&["Bo"], &["Speaker 2"]), false, text), ["Mary Shelley"]);
}
