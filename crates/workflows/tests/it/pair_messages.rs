//! The corpus of messages: each is accepted or refused as it says, with a pointer for every violation.
//!
//! The same file is read by the comparison with Ajv.

use redraft_workflows::pair;
use serde_json::Value;

fn corpus(part: &str) -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pair_messages.json");
    let corpus: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    corpus[part].as_array().unwrap().clone()
}

#[test]
fn valid_messages_are_read_and_written_as_they_were() {
    let all = corpus("valid");
    assert!(all.len() >= 15);
    for message in all {
        let read = pair::read(&message.to_string(), &[]);
        let read = read.unwrap_or_else(|error| panic!("{message}: {error}"));
        let again = pair::read(&serde_json::to_string(&read).unwrap(), &[]).unwrap();
        assert_eq!(read, again, "{message}");
    }
}

#[test]
fn each_violation_of_an_invalid_message_is_told_with_its_pointer() {
    let all = corpus("invalid");
    assert!(all.len() >= 50);
    for case in all {
        let message = &case["message"];
        let error =
            pair::read(&message.to_string(), &[]).expect_err(&message.to_string()).to_string();
        assert!(error.starts_with("MESSAGE_SCHEMA_VALIDATION_FAILED: "), "{error}");
        // What is no object at all is refused before the schema is asked.
        for pointer in case["pointers"].as_array().unwrap().iter().filter(|_| message.is_object()) {
            assert!(error.contains(&format!("{pointer}: ")), "{message}: {pointer} in {error}");
        }
    }
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let twice = r#"{"role": "architect", "type": "verify", "content": "no", "turn": 1, "verdict": "rejected", "verdict": "verified"}"#;
    assert!(pair::read(twice, &[]).is_err());
}

/// Ajv is another reading of JSON Schema: where both agree, the schema means what it says.
#[test]
fn ajv_in_strict_mode_says_the_same_of_every_message() {
    let Some(modules) = std::env::var_os("REDRAFT_AJV") else {
        eprintln!("SKIPPED: REDRAFT_AJV names no folder; `cargo xtask test --deep` installs Ajv");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ajv/check.mjs");
    let output = std::process::Command::new("node").arg(script).arg(modules).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let wanted = format!(
        "checked {} valid and {} invalid\n",
        corpus("valid").len(),
        corpus("invalid").len()
    );
    assert_eq!(said, wanted, "{}", String::from_utf8_lossy(&output.stderr));
}
