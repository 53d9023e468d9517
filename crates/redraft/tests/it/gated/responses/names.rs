//! Names of files: one file on every system, none of them outside its folder; all or nothing.

use crate::gated::stage::{FILES, REVISED, Stage};

/// `é` as one sign, and as `e` with an accent behind it.
const COMPOSED: &str = "Men\u{fc}.java";
const DECOMPOSED: &str = "Menu\u{308}.java";

fn file(name: &str) -> String {
    format!("<<<FILE: {name}>>>\nclass Some {{}}\n")
}

/// Each of these responses is refused for its reason, and leaves no file; a good one goes on.
fn check(cases: &[(&str, &str)]) {
    let stage = Stage::generating();
    for (response, why) in cases {
        let response = format!("{FILES}{response}");
        stage.respond("generation", 1, &response);
        let told = stage.step(3);
        assert!(told.err.contains(why), "{response}\n{}", told.err);
        assert!(told.err.contains("line 6"), "{response}\n{}", told.err);
        assert_eq!(stage.phase(), "GENERATING");
        assert!(stage.session_json()["last_error"].as_str().unwrap().contains(why));
        assert!(!stage.exists("iteration-1/code"), "{response}");
        assert_eq!(stage.read("iteration-1/generation-response.md"), response);
    }
    stage.respond("generation", 1, FILES);
    stage.step(0);
    assert_eq!(stage.session_json()["last_error"], serde_json::Value::Null);
}

#[test]
fn no_file_of_a_response_stands_outside_its_folder() {
    check(&[
        (&file("../Out.java"), "path separator"),
        (&file("/tmp/Out.java"), "path separator"),
        (&file("src/Out.java"), "path separator"),
        (&file("src\\Out.java"), "path separator"),
        (&file("a\u{2215}Out.java"), "path separator"),
        (&file("..java"), "`..`"),
    ]);
}

#[test]
fn names_that_some_system_keeps_for_itself_are_refused() {
    check(&[
        (&file("CON.java"), "device"),
        (&file("nul.java"), "device"),
        (&file("Com1.java"), "device"),
        (&file("lpt9.more.java"), "device"),
        (&file("a:b.java"), "`:`"),
        (&file("-rf.java"), "begins with `-`"),
        (&file(".Hidden.java"), "begins with `.`"),
        (&file("A\u{200b}.java"), "U+200B"),
        (&file("A\u{1b}.java"), "U+001B"),
        (&file(&format!("{}.java", "A".repeat(200))), "205 bytes"),
    ]);
}

#[test]
fn a_file_has_the_extension_of_the_profile() {
    check(&[
        (&file("Some.kt"), "`.java`"),
        (&file("Some.JAVA"), "`.java`"),
        (&file("Some"), "`.java`"),
        (&file("Some.java.txt"), "`.java`"),
        (&file(".java"), "begins with `.`"),
        (&file(""), "empty"),
    ]);
}

#[test]
fn two_names_of_one_response_are_never_one_file() {
    let twice = |one: &str, other: &str| format!("{FILES}{}{}", file(one), file(other));
    let stage = Stage::generating();
    for (one, other) in [("A.java", "A.java"), ("Abc.java", "aBC.java"), (COMPOSED, DECOMPOSED)] {
        stage.respond("generation", 1, twice(one, other));
        let told = stage.step(3);
        assert!(told.err.contains("stands in line 6 already"), "{}", told.err);
        assert!(!stage.exists("iteration-1/code"));
    }
}

#[test]
fn a_revised_file_has_the_spelling_of_the_one_it_replaces() {
    let stage = Stage::generating();
    stage.respond("generation", 1, format!("{FILES}{}", file(COMPOSED)));
    stage.step(0);
    stage.pass();
    stage.respond("review", 1, crate::gated::stage::FAIL);
    stage.step(0);
    stage.pass();
    for name in ["INVOICE.java", "invoice.java", DECOMPOSED] {
        stage.respond("revision", 2, format!("{REVISED}{}", file(name)));
        let told = stage.step(3);
        assert!(told.err.contains("under another spelling"), "{}", told.err);
        assert_eq!(stage.phase(), "REVISING");
        assert!(!stage.exists("iteration-2/code/InvoiceTest.java"), "all or nothing");
        assert_eq!(stage.read("iteration-2/code/Invoices.java"), "interface Invoices {}\n");
    }
    stage.respond("revision", 2, format!("{REVISED}{}", file(COMPOSED)));
    stage.step(0);
    assert!(stage.exists("iteration-2/code/InvoiceTest.java"));
}

#[test]
fn a_line_that_only_looks_like_a_marker_loses_no_file_inside_another() {
    check(&[
        ("**<<<FILE: A.java>>>**\n", "is not a marker"),
        ("<<<file: A.java>>\n", "is not a marker"),
        ("<<<FILE: A.java>> >\n", "is not a marker"),
    ]);
}
