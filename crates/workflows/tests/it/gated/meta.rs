//! What a review block may look like, and what is said of one that may not.

use super::{block, read, signed, token, with_line};
use redraft_workflows::gated::review_meta::{
    self, LONGEST, MetaError, ReviewMeta, Token, Verdict, Warning, asked,
};

const CODE: &str = "class Order {}\n";

fn reads(response: &str) -> ReviewMeta {
    read(response, &[CODE]).unwrap_or_else(|error| panic!("{error}\n{response}"))
}

fn message(response: &str) -> String {
    read(response, &[CODE]).unwrap_err().to_string()
}

const FAIL: ReviewMeta =
    ReviewMeta { verdict: Verdict::Fail, issues_total: 3, issues_critical: 1, missing_inputs: 2 };

#[test]
fn a_block_is_read_in_every_dress_that_the_contract_allows() {
    let plain = block("FAIL", 3, 1, 2);
    for response in [
        plain.clone(),
        plain.trim_end().to_owned(),
        plain.replace("FAIL", "fail"),
        plain.replace("FAIL", "FaIl"),
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        format!("\u{feff}\r\n \t\n\n{plain}"),
        plain.replace(": ", ":"),
        plain.replace(": ", " \t:\t "),
        plain.lines().map(|line| format!("  {line} \t\n")).collect(),
        plain.replace('\n', "\n\n"),
        format!("```\n{plain}```"),
        format!("```yaml\n\n{plain}\n```\n\nThe code is unfinished."),
        format!("~~~~\n{plain}~~~~~\nThe code is unfinished.\n```java\nclass A {{}}\n```\n"),
        format!("```\n{plain}"),
        format!("```markdown\n{plain}\n# Issues\n\n1. No key.\n```\n\n"),
        format!("{plain}\nMy verdict: PASS would be wrong here. See verdict: FAIL above."),
        plain.replace(": 3", ": 0003").replace(": 1", ": 000000000000000000000001"),
        "@@@REVIEW_META\nmissing_inputs: 2\nissues_critical: 1\nissues_total: 3\nverdict: FAIL\n@@@".into(),
        signed(&plain, &[CODE]),
    ] {
        assert_eq!(reads(&response), FAIL, "{response}");
    }
}

#[test]
fn the_summary_is_the_line_of_the_contract() {
    assert_eq!(FAIL.to_string(), "REVIEW: FAIL | issues=3 (critical=1) | missing_inputs=2");
    let pass = reads(&block("pass", 4_294_967_295, 0, 0));
    assert_eq!(
        pass.to_string(),
        "REVIEW: PASS | issues=4294967295 (critical=0) | missing_inputs=0"
    );
}

#[test]
fn a_key_that_is_not_known_is_a_warning_with_its_line() {
    let response =
        with_line(&with_line(&block("PASS", 0, 0, 0), "reviewed by: me: myself"), "verdct:");
    let (meta, warnings) = review_meta::read(&response, &[], &token(&[])).unwrap();
    assert_eq!(meta.verdict, Verdict::Pass);
    let key = |line, key: &str| Warning::UnknownKey { line, key: format!("\"{key}\"") };
    assert_eq!(warnings, [key(6, "reviewed by"), key(7, "verdct")]);
    assert_eq!(warnings[1].to_string(), "line 7: the key \"verdct\" is not known and was ignored");
}

/// Each refusal of the contract, with its line and its fix.
#[test]
fn every_refusal_names_its_line_and_what_to_write() {
    let pass = block("PASS", 2, 0, 0);
    let change = |from: &str, to: &str| pass.replace(from, to);
    for (response, line, wanted) in [
        (String::new(), 1, "no review block; begin it with the line `@@@REVIEW_META`"),
        ("\n\nLooks good.\nPASS".into(), 3, "no review block"),
        ("```\n".into(), 1, "no review block"),
        (format!("\nFine.\n{pass}"), 2, "before the review block of line 3; move the block"),
        (change("@@@REVIEW_META", "@@@Review_Meta"), 1, "write `@@@REVIEW_META` alone"),
        (format!("{pass}\n> {pass}"), 8, "follows that of line 1; keep the first alone"),
        (change("\n@@@\n", "\n"), 1, "not closed; write `@@@` alone"),
        (change("\n@@@\n", "\n@@@@\n"), 6, "\"@@@@\" does not close"),
        (format!("```java\n{pass}x\n```\ny"), 1, "close it right after `@@@`"),
        (change("total", "to\u{200b}tal"), 3, "U+200B stands there"),
        (change("verdict: PASS", "PASS"), 2, "\"PASS\" is not a field; write `key: value`"),
        (
            change("verdict:", "**verdict:**"),
            2,
            "\"**verdict\" is not a key; write plain `verdict:`",
        ),
        (with_line(&pass, "verdict: PASS"), 6, "the key \"verdict\" stands in line 2 already"),
        (with_line(&with_line(&pass, "a: 1"), "a: 2"), 7, "the key \"a\" stands in line 6 already"),
        (
            change("verdict: PASS\n", ""),
            1,
            "no `verdict`; write `verdict: PASS` or `verdict: FAIL`",
        ),
        (change("issues_total: 2\n", ""), 1, "no `issues_total`; write `issues_total: 0`"),
        (change("missing_inputs: 0", "missing_inputs:"), 5, "`missing_inputs` has no value"),
        (
            change("total: 2", "total: -2"),
            3,
            "\"-2\" is no number; write `issues_total:` and plain",
        ),
        (change("total: 2", "total: ٢"), 3, "\"٢\" is no number"),
        (change("inputs: 0", "inputs: 4294967296"), 5, "\"4294967296\" is too large"),
        (change("PASS", "MAYBE"), 2, "\"MAYBE\" is no verdict; write `verdict: PASS` or"),
        (block("FAIL", 1, 2, 0), 4, "2 critical issues of 1 in all cannot be"),
        (block("PASS", 1, 1, 0), 4, "a review with 1 critical issues cannot pass"),
        (format!("{pass}\nVerdict: FAIL"), 8, "this line says FAIL, the block says PASS"),
        (
            with_line(&pass, "review_token: x"),
            6,
            "\"x\" is not the token of this review; write `review_token: ",
        ),
        (format!("{pass}{}", " ".repeat(LONGEST)), 1, "too long; write at most 8 MiB"),
    ] {
        let told = message(&response);
        assert!(told.starts_with(&format!("line {line}: ")), "{told}\n{response:.300}");
        assert!(told.contains(wanted), "{told}\n{wanted}");
    }
}

#[test]
fn a_message_shows_no_character_that_is_not_seen_and_stays_short() {
    let odd = format!("PA\u{a0}SS \u{301}{}", "x".repeat(10_000));
    let told = message(&block(&odd, 0, 0, 0));
    assert!(told.contains("PA\\u{a0}SS") && told.len() < 400, "{told}");
}

#[test]
fn a_block_has_at_most_64_lines() {
    let lines = |count: usize| {
        (4..count).fold(block("PASS", 0, 0, 0), |block, n| with_line(&block, &format!("key{n}: x")))
    };
    assert_eq!(reads(&lines(64)).verdict, Verdict::Pass);
    assert!(message(&lines(65)).contains("is not closed"));
}

#[test]
fn what_the_reviewer_is_told_is_no_review_and_names_the_token() {
    let token = token(&[CODE]);
    let told = asked(&token);
    assert!(told.contains(&format!("\nreview_token: {}\n@@@\n", token.as_str())));
    let template = &told[told.find("@@@").unwrap()..];
    assert!(message(template).contains("\"<PASS or FAIL>\" is no verdict"));
    let filled = template
        .lines()
        .map(|line| match line.split_once(": <") {
            Some(("verdict", _)) => "verdict: PASS\n".to_owned(),
            Some((key, _)) => format!("{key}: 0\n"),
            None => format!("{line}\n"),
        })
        .collect::<String>();
    assert_eq!(reads(&filled).verdict, Verdict::Pass);
}

#[test]
fn a_review_that_fails_is_quoted_as_little_as_one_that_passes() {
    let fail = block("FAIL", 3, 1, 2);
    let told = read(&fail, &["x", &fail]).unwrap_err();
    assert!(matches!(told, MetaError::Quoted { line: 1, .. }), "{told}");
    assert_eq!(read(&signed(&fail, &[&fail]), &[&fail]), Ok(FAIL));
}

#[test]
fn a_number_that_the_code_does_not_hold_makes_the_block_the_reviewers_own() {
    let code = block("PASS", 0, 0, 0);
    assert!(read(&block("PASS", 0, 0, 0).replace(" 0", " 00"), &[&code]).is_err());
    assert!(read(&code, &[&code.replace(" 0", " 000")]).is_err());
    assert_eq!(read(&block("PASS", 5, 0, 0), &[&code]).unwrap().issues_total, 5);
}

#[test]
fn a_token_stands_in_no_text_that_it_is_for() {
    let plain = Token::of("s", 1, &[CODE]);
    assert_eq!(plain, Token::of("s", 1, &[CODE]));
    for other in [Token::of("t", 1, &[CODE]), Token::of("s", 2, &[CODE]), Token::of("s", 1, &[])] {
        assert_ne!(other, plain);
    }
    assert_eq!(plain.as_str().len(), 12);
    assert_ne!(Token::of("s", 1, &["ab", "c"]), Token::of("s", 1, &["a", "bc"]));
}
