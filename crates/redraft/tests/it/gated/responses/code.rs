//! What may lie in the folder of the code, and what a response may be, before a person approves it.

use crate::gated::stage::{PASS, Stage};
use std::{fs, os::unix::fs::symlink};

/// With this in `code/` nothing is approved, and no step goes on; without it, both.
fn check(name: &str, why: &str, put: impl Fn(&Stage)) {
    let stage = Stage::generated();
    put(&stage);
    let facts = stage.facts();
    for verb in ["approve", "step"] {
        let told = stage.expect(2, verb, "");
        assert!(told.err.contains(&format!("code/{name}")), "{verb}: {}", told.err);
        assert!(told.err.contains(why), "{verb}: {}", told.err);
    }
    assert_eq!((stage.facts(), &*stage.phase()), (facts, "GENERATED"));
    let place = stage.place(&format!("iteration-1/code/{name}"));
    if place.is_dir() && !place.is_symlink() {
        fs::remove_dir_all(place).unwrap();
    } else {
        fs::remove_file(place).unwrap();
    }
    stage.approve(0);
    // The same after the approval: the step does not go on over it.
    put(&stage);
    assert_ne!(stage.gated("step", "").code, 0);
    assert_eq!(stage.phase(), "GENERATED");
}

#[test]
fn a_link_in_the_code_is_not_approved() {
    check("Link.java", "it is a link or a folder", |stage| {
        stage.sandbox.write("outside.java", "class Outside {}\n");
        let outside = stage.sandbox.join("outside.java");
        symlink(outside, stage.place("iteration-1/code/Link.java")).unwrap();
    });
}

#[test]
fn a_folder_in_the_code_is_not_approved() {
    check("more", "it is a link or a folder", |stage| {
        stage.write("iteration-1/code/more/A.java", "class A {}\n");
    });
}

#[test]
fn a_file_that_no_response_could_bring_is_not_approved() {
    for (name, why) in [
        ("notes.txt", "`.java`"),
        (".Invoice.java.swp", "begins with `.`"),
        ("Invoice.java~", "`.java`"),
        ("nul.java", "device"),
    ] {
        check(name, why, |stage| stage.write(&format!("iteration-1/code/{name}"), "class A {}\n"));
    }
}

#[test]
fn a_twin_of_another_file_is_not_approved() {
    let stage = Stage::generated();
    stage.write("iteration-1/code/INVOICE.java", "class A {}\n");
    let told = stage.approve(2);
    assert!(told.err.contains("it is the same file as"), "{}", told.err);
}

#[test]
fn code_that_is_no_text_is_not_approved() {
    let stage = Stage::generated();
    stage.write("iteration-1/code/Invoice.java", [0xff]);
    let told = stage.approve(2);
    assert!(told.err.contains("Invoice.java: not UTF-8 from byte 0 on"), "{}", told.err);
}

#[test]
fn a_folder_of_code_that_leads_out_is_not_followed() {
    let stage = Stage::generated();
    stage.sandbox.write("elsewhere/Invoice.java", "class Elsewhere {}\n");
    let code = stage.place("iteration-1/code");
    fs::remove_dir_all(&code).unwrap();
    symlink(stage.sandbox.join("elsewhere"), &code).unwrap();
    for verb in ["step", "approve"] {
        assert_ne!(stage.gated(verb, "").code, 0, "{verb}");
    }
    assert_eq!(stage.phase(), "GENERATED");
    assert_eq!(stage.sandbox.read("elsewhere/Invoice.java"), "class Elsewhere {}\n");
}

#[test]
fn a_response_that_is_a_link_out_of_the_project_is_not_read() {
    let stage = Stage::reviewing();
    let elsewhere = tempfile::TempDir::new().unwrap();
    let review = elsewhere.path().join("review.md");
    fs::write(&review, PASS).unwrap();
    let place = stage.place("iteration-1/review-response.md");
    symlink(&review, &place).unwrap();
    let facts = stage.facts();
    let told = stage.step(2);
    assert!(told.err.contains("review-response.md"), "{}", told.err);
    assert_eq!((stage.facts(), &*stage.phase()), (facts, "REVIEWING"));
    assert_eq!(fs::read_to_string(&review).unwrap(), PASS);
}

#[test]
fn a_folder_where_the_response_belongs_is_told() {
    let stage = Stage::reviewing();
    fs::create_dir(stage.place("iteration-1/review-response.md")).unwrap();
    let told = stage.step(2);
    assert!(told.err.contains("iteration-1/review-response.md"), "{}", told.err);
}

#[test]
fn a_pipe_where_the_response_belongs_holds_nobody_up() {
    let stage = Stage::reviewing();
    let place = stage.place("iteration-1/review-response.md");
    assert!(std::process::Command::new("mkfifo").arg(&place).status().unwrap().success());
    let told = stage.step(2);
    assert!(told.err.contains("iteration-1/review-response.md"), "{}", told.err);
}
