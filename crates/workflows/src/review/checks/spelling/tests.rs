//! What counts as a misspelled name, and what does not.

use super::{Case, misspelled};
use crate::review::names::{Names, Term};

fn names() -> Names {
    let term = |term: &str, wrong: &[&str]| Term {
        term: term.into(),
        note: None,
        wrong: wrong.iter().map(|wrong| (*wrong).to_owned()).collect(),
    };
    Names {
        hosts: vec!["María Córdoba".into(), "Will McAvoy, PhD".into()],
        guests: vec!["Łukasz O'Brien".into()],
        glossary: vec![
            term("GitHub", &["Git Hub"]),
            term("Go", &["Golang"]),
            term("C++", &[]),
            term("Node.js", &["Nodejs", "node.JS"]),
            term("open source", &[]),
            term("Redraft Cloud", &[]),
            term("redraft", &[]),
            term("Zürich", &[]),
        ],
        ..Names::default()
    }
}

fn check(text: &str, found: &[(&str, &str)]) {
    check_in(Case::Kept, text, found);
}

fn check_in(case: Case, text: &str, found: &[(&str, &str)]) {
    let told = misspelled(&names(), case, text);
    let told: Vec<(&str, &str)> =
        told.iter().map(|m| (m.written.as_str(), m.right.as_str())).collect();
    assert_eq!(told, found, "{text}");
}

#[test]
fn a_listed_misspelling_is_found_in_any_case() {
    check("On Git Hub and on git hub.", &[("Git Hub", "GitHub"), ("git hub", "GitHub")]);
    check("Golang it is, with Nodejs.", &[("Golang", "Go"), ("Nodejs", "Node.js")]);
    check("on node.JS", &[("node.JS", "Node.js")]);
}

#[test]
fn another_case_or_other_accents_are_found() {
    check(
        "Github, github’s and GITHUB",
        &[("Github", "GitHub"), ("github", "GitHub"), ("GITHUB", "GitHub")],
    );
    check("Maria Cordoba spoke.", &[("Maria Cordoba", "María Córdoba")]);
    check("We met Cordoba and Mcavoy.", &[("Cordoba", "Córdoba"), ("Mcavoy", "McAvoy")]);
    check(
        "In Zurich, with Lukasz O’Brien",
        &[("Zurich", "Zürich"), ("Lukasz O’Brien", "Łukasz O'Brien")],
    );
    check("in c++", &[("c++", "C++")]);
}

#[test]
fn each_spelling_is_told_once() {
    check("Github and Github", &[("Github", "GitHub")]);
}

#[test]
fn the_right_spelling_is_never_found() {
    check("GitHub, Go, C++, Node.js, María Córdoba, Łukasz O’Brien, Zu\u{308}rich", &[]);
    check("María\nCórdoba and Will", &[]);
    check("Redraft Cloud is right, and redraft too", &[]);
}

#[test]
fn everyday_words_and_heads_of_sentences_are_no_names() {
    check(
        "They will go on. MARK IT: GO! A grade of C. Open source wins. An Open Source tool.",
        &[],
    );
    check("Githubs and regithub are other words", &[]);
}

#[test]
fn addresses_code_and_hashtags_may_spell_as_they_like() {
    check("https://github.com `github` #github @github me@github.io github.com/a", &[]);
    check("[GitHub](https://github.com/x) github.io github-cli my_github git/github", &[]);
    check("Github-based", &[("Github", "GitHub")]);
}

#[test]
fn slugs_and_tags_may_be_in_lower_case_and_not_misspelled() {
    check_in(Case::Free, "github-zurich-maria-cordoba", &[]);
    check_in(Case::Free, "github, zurich, golang", &[("golang", "Go")]);
    check_in(Case::Free, "node.js, node.JS", &[]);
}
