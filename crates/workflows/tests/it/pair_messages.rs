//! The corpus of messages: each is accepted or refused as it says, with a pointer for every violation.
//!
//! The same file is read by the comparison with Ajv.

use redraft_workflows::pair;
use serde_json::{Value, json};

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

/// Without these bounds a run's prompts would have none.
#[test]
fn a_list_holds_as_many_as_the_schema_says_and_not_one_more() {
    let all = corpus("bounded");
    assert_eq!(all.len(), 6);
    for mut case in all {
        let (list, most) = (case["list"].as_str().unwrap(), case["most"].as_u64().unwrap());
        let (list, most) = (list.to_owned(), usize::try_from(most).unwrap());
        let mut holds = |count| {
            case["message"][&list] = vec![case["item"].clone(); count].into();
            pair::read(&case["message"].to_string(), &[])
        };
        holds(most).unwrap_or_else(|error| panic!("{most} {list}: {error}"));
        let error = holds(most + 1).unwrap_err().to_string();
        let wanted = format!("\"/{list}\": it has more than {most} items");
        assert!(error.contains(&wanted), "{wanted} in {error}");
    }
}

/// What a proposal is told that has this evidence, no turn and two keys too many.
fn wrong_throughout(evidence: &[Value]) -> String {
    let message = json!({"role": "architect", "type": "propose", "content": "words", "turn": 0, "evidence": evidence,
        "extra": 1, "zebra": 2});
    pair::read(&message.to_string(), &[]).unwrap_err().to_string()
}

#[test]
fn equal_mistakes_of_neighbouring_items_are_told_as_one_and_hide_no_other() {
    let told = wrong_throughout(&vec![json!(1); 60]);
    let wanted = [
        "\"/evidence/0\" to \"/evidence/59\": must be string",
        "\"/turn\": it is less than",
        "\"/extra\": unknown field",
        "\"/zebra\": unknown field",
    ];
    for wanted in wanted {
        assert!(told.contains(wanted), "{wanted} in {told}");
    }
    assert!(!told.contains("/evidence/1\""), "{told}");
}

#[test]
fn items_between_which_a_right_one_stands_are_told_each() {
    let told = wrong_throughout(&[json!(1), json!("right"), json!(1), json!(1)]);
    assert!(told.contains("\"/evidence/0\": must be string"), "{told}");
    assert!(told.contains("\"/evidence/2\" to \"/evidence/3\": must be string"), "{told}");
}

#[test]
fn mistakes_that_a_message_cannot_hold_are_counted_and_no_sort_is_crowded_out() {
    let every_other: Vec<Value> =
        (0..10_000).map(|n| if n % 2 == 0 { json!(n) } else { json!("right") }).collect();
    let told = wrong_throughout(&every_other);
    for pointer in ["/turn", "/extra", "/zebra", "/evidence/0", "/evidence/98"] {
        assert!(told.contains(&format!("\"{pointer}\": ")), "{pointer} in {told}");
    }
    assert!(told.ends_with("; and 4950 more"), "{told}");
    let mut many = json!({"role": "architect", "type": "propose", "content": "words", "turn": 1});
    let keys = (0..5_000).map(|n| (format!("key{n}"), json!(n)));
    many.as_object_mut().unwrap().extend(keys);
    let told = pair::read(&many.to_string(), &[]).unwrap_err().to_string();
    let (named, count) = told.rsplit_once("; and ").unwrap();
    let left_out: usize = count.strip_suffix(" more").unwrap().parse().unwrap();
    assert_eq!(named.matches(": unknown field").count() + left_out, 5_000);
    assert!((10_000..17_000).contains(&told.len()), "{} bytes", told.len());
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
        "checked {} valid and {} invalid messages, {} bounded lists\n",
        corpus("valid").len(),
        corpus("invalid").len(),
        corpus("bounded").len()
    );
    assert_eq!(said, wanted, "{}", String::from_utf8_lossy(&output.stderr));
}
