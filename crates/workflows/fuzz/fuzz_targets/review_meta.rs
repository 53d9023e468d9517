//! Responses of any bytes about texts of any bytes: no panic, no line that is not there, no quotation that is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use redraft_workflows::gated::review_meta::{ReviewMeta, Token, Verdict, read};

/// Parts the response from the texts that the reviewer was shown.
const CUT: char = '\u{1f}';

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split(CUT);
    let response = parts.next().unwrap_or_default();
    let shown: Vec<&str> = parts.collect();
    let token = Token::of("fuzz", 1, &shown);
    assert!(!shown.iter().any(|text| text.contains(token.as_str())));
    match read(response, &shown, &token) {
        Err(error) => told(&error.to_string(), error.line(), response),
        Ok((meta, _)) => {
            said(meta, response);
            // What stands in the texts word for word is nobody's verdict, signed or not.
            let quoted: Vec<&str> = shown.iter().copied().chain([response]).collect();
            assert!(read(response, &quoted, &Token::of("fuzz", 1, &quoted)).is_err());
        }
    }
});

fn told(message: &str, line: usize, response: &str) {
    assert!((1..=response.split('\n').count()).contains(&line), "{message}");
    assert!(!message.contains(char::is_control) && message.chars().count() < 600, "{message}");
}

/// What a simple reader finds in the first block, field by field.
fn said(meta: ReviewMeta, response: &str) {
    assert!(meta.issues_critical <= meta.issues_total);
    assert!(meta.verdict == Verdict::Fail || meta.issues_critical == 0);
    let (before, behind) = response.split_once("@@@REVIEW_META").unwrap();
    assert!(before.lines().all(|line| {
        let line = line.trim_matches([' ', '\t', '\u{feff}']);
        line.is_empty() || line.starts_with("```") || line.starts_with("~~~")
    }));
    assert!(!behind.contains("@@@REVIEW_META"));
    let value = |wanted: &str| {
        let block = behind.lines().take_while(|line| line.trim() != "@@@");
        let mut found = block.filter_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == wanted).then(|| value.trim().to_owned())
        });
        let value = found.next().unwrap();
        assert_eq!(found.next(), None, "{wanted}");
        value
    };
    assert!(value("verdict").eq_ignore_ascii_case(&meta.verdict.to_string()));
    for (key, number) in [
        ("issues_total", meta.issues_total),
        ("issues_critical", meta.issues_critical),
        ("missing_inputs", meta.missing_inputs),
    ] {
        assert_eq!(value(key).parse::<u32>(), Ok(number), "{key}");
    }
}
