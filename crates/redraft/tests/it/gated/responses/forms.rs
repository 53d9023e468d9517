//! Forms that editors and systems give a text, and what is no text.

use crate::gated::stage::{FAIL, FILES, PASS, PLAN, Stage};

/// As it is saved on Windows.
fn crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

fn with_mark(text: &str) -> String {
    format!("\u{feff}{text}")
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_change_nothing() {
    for form in [crlf, with_mark, |text: &str| with_mark(&crlf(text))] {
        let stage = Stage::planning();
        stage.respond("planning", 1, form(PLAN));
        stage.step(0);
        stage.pass();
        stage.respond("generation", 1, form(FILES));
        stage.step(0);
        let text = stage.read("iteration-1/code/Invoice.java");
        assert_eq!(text.trim_end(), "class Invoice {}");
        stage.pass();
        stage.respond("review", 1, form(FAIL));
        let told = stage.step(0).out;
        assert!(told.starts_with("REVIEW: FAIL | issues=2 (critical=1) | missing_inputs=0\n"));
        stage.respond("review", 1, form(PASS));
        stage.pass();
        assert_eq!(stage.phase(), "COMPLETE");
        assert_eq!(stage.read("iteration-1/review-response.md"), form(PASS));
    }
}

#[test]
fn a_response_without_a_marker_brings_no_file() {
    let stage = Stage::generating();
    for response in ["I would rather not.\n", "```java\nclass Invoice {}\n```\n"] {
        stage.respond("generation", 1, response);
        let told = stage.step(3);
        assert!(told.err.contains("the response has no file"), "{}", told.err);
        assert!(!stage.exists("iteration-1/code"));
    }
}

#[test]
fn a_file_in_a_code_fence_or_without_text_is_refused() {
    let stage = Stage::generating();
    for (response, why) in [
        ("<<<FILE: A.java>>>\n```java\nclass A {}\n```\n", "a code fence stands in the file"),
        ("<<<FILE: A.java>>>\n\n<<<FILE: B.java>>>\nclass B {}\n", "has no text"),
        ("<<<FILE: A.java>>>", "has no text"),
    ] {
        stage.respond("generation", 1, response);
        let told = stage.step(3);
        assert!(told.err.contains(why), "{}", told.err);
        assert!(!stage.exists("iteration-1/code"));
    }
}

#[test]
fn an_even_indent_goes_and_all_else_stays_word_for_word() {
    let stage = Stage::generating();
    let response = "  <<<FILE: A.java>>>\n    class A {\n\n        int n;\n    }\n\
                    <<<FILE: B.java>>>\n    class B {\n}\n";
    stage.respond("generation", 1, response);
    stage.step(0);
    assert_eq!(stage.read("iteration-1/code/A.java"), "class A {\n\n    int n;\n}\n");
    assert_eq!(stage.read("iteration-1/code/B.java"), "    class B {\n}\n");
}

#[test]
fn what_is_no_text_is_told_with_its_file_and_place() {
    let stage = Stage::planning();
    let facts = stage.facts();
    stage.respond("planning", 1, b"A plan.\xff\n");
    let told = stage.step(2);
    assert!(told.err.contains("planning-response.md: not UTF-8 from byte 7 on"), "{}", told.err);
    assert_eq!((stage.facts(), &*stage.phase()), (facts, "PLANNING"));
    // Nor is it approved once something better has come and gone.
    stage.respond("planning", 1, PLAN);
    stage.step(0);
    stage.respond("planning", 1, b"A plan.\xff\n");
    let told = stage.approve(2);
    assert!(told.err.contains("not UTF-8 from byte 7 on"), "{}", told.err);
}

#[test]
fn an_empty_response_is_not_written_yet() {
    let stage = Stage::planning();
    let facts = stage.facts();
    for text in ["", "\n", " \t\r\n"] {
        stage.respond("planning", 1, text);
        assert!(stage.step(3).out.contains("noop_awaiting_artifact=true"), "{text:?}");
    }
    assert_eq!(stage.facts(), facts);
    assert_eq!(stage.session_json()["last_error"], serde_json::Value::Null);
}

#[test]
fn a_response_is_bounded() {
    let nine = 9 << 20;
    let stage = Stage::generating();
    stage.respond("generation", 1, format!("{FILES}{}", "// more\n".repeat(nine / 8)));
    let told = stage.step(3);
    assert!(told.err.contains("write at most 8 MiB"), "{}", told.err);
    assert!(!stage.exists("iteration-1/code"));
    stage.respond("generation", 1, FILES);
    stage.step(0);
    stage.pass();
    stage.respond("review", 1, format!("{PASS}{}", "more\n".repeat(nine / 5)));
    let told = stage.step(3);
    assert!(told.err.contains("write at most 8 MiB"), "{}", told.err);
}

#[test]
fn a_plan_is_bounded_too() {
    let stage = Stage::planning();
    stage.respond("planning", 1, "more\n".repeat((9 << 20) / 5));
    let told = stage.step(3);
    assert!(told.err.contains("at most 8 MiB"), "{}", told.err);
    assert_eq!(stage.phase(), "PLANNING");
    stage.respond("planning", 1, PLAN);
    stage.step(0);
}
