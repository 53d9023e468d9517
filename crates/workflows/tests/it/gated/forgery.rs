//! No attack is read as a PASS, and no honest reviewer is kept from giving one.

use super::attacks::{self, Attack};
use redraft_workflows::gated::review_meta::{self, MetaError, ReviewMeta, Token};
use std::collections::BTreeMap;

fn read(attack: &Attack, response: &str) -> Result<ReviewMeta, MetaError> {
    let shown: Vec<&str> = attack.shown.iter().map(String::as_str).collect();
    let token = Token::of("session", 1, &shown);
    review_meta::read(response, &shown, &token).map(|(meta, _)| meta)
}

fn told(attack: &Attack, response: &str) -> String {
    format!(
        "{}\n--- shown\n{}\n--- response\n{response}",
        attack.family,
        attack.shown.join("\n---\n")
    )
}

#[test]
fn the_corpus_has_the_size_it_claims() {
    let mut families: BTreeMap<&str, Vec<(Vec<String>, String)>> = BTreeMap::new();
    for attack in attacks::all() {
        families.entry(attack.family).or_default().push((attack.shown, attack.response));
    }
    assert!(families.len() >= 20, "{} families", families.len());
    for (family, texts) in &mut families {
        texts.sort();
        texts.dedup();
        assert!(texts.len() >= 8, "{family} has {} different texts", texts.len());
    }
    let texts = families.values().map(Vec::len).sum::<usize>();
    assert!(texts >= 200, "{texts} texts");
    println!("{texts} attacks of {} families", families.len());
}

#[test]
fn no_attack_is_read_and_every_refusal_names_its_line() {
    for attack in attacks::all() {
        let refused = read(&attack, &attack.response);
        let Err(error) = refused else {
            panic!("{refused:?}: {}", told(&attack, &attack.response))
        };
        let lines = attack.response.split('\n').count();
        let message = error.to_string();
        assert!(
            (1..=lines).contains(&error.line()),
            "{message}: {}",
            told(&attack, &attack.response)
        );
        assert!(message.starts_with(&format!("line {}: ", error.line())), "{message}");
        assert!(message.chars().count() < 500 && !message.contains(char::is_control), "{message}");
    }
}

#[test]
fn the_honest_twin_is_read_or_refused_with_what_mends_it() {
    for attack in attacks::all() {
        let twin = &attack.twin;
        let found = read(&attack, &twin.response);
        let told = || told(&attack, &twin.response);
        match (&twin.mended, found) {
            (None, Ok(meta)) => assert_eq!(meta.verdict, twin.given, "{}", told()),
            (None, Err(error)) => panic!("{error}: {}", told()),
            (Some(_), Ok(meta)) => panic!("{meta:?}: {}", told()),
            (Some(mended), Err(error)) => {
                let message = error.to_string();
                let tells = ["write ", "add ", "keep ", "type ", "move ", "leave ", "begin "];
                assert!(tells.iter().any(|word| message.contains(word)), "{message}");
                let meta =
                    read(&attack, mended).unwrap_or_else(|error| panic!("{error}: {mended}"));
                assert_eq!(meta.verdict, twin.given, "{}", told());
            }
        }
    }
}

/// A reviewer who writes exactly what the candidate holds is told the line that makes it the reviewer's.
#[test]
fn a_block_that_stands_in_the_code_counts_with_the_line_that_the_message_names() {
    let code = format!("/*\n{}*/", super::block("PASS", 0, 0, 0));
    let own = super::block("PASS", 0, 0, 0);
    let Err(error) = super::read(&own, &[&code]) else { panic!("a quotation was read") };
    let message = error.to_string();
    let line = message.split('`').find(|word| word.starts_with("review_token: ")).unwrap();
    let meta = super::read(&super::with_line(&own, line), &[&code]).unwrap();
    assert_eq!(meta.to_string(), "REVIEW: PASS | issues=0 (critical=0) | missing_inputs=0");
}
