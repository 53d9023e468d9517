//! A thousand messages as runs may see them, made from the corpus that the tests read.
//!
//! Invariant: the same messages each time; each is valid, or breaks the schema where the corpus says.
//! Absent here: who judges them.

use crate::Outcome;
use serde_json::{Map, Value};

/// The schema of the messages.
pub(super) const SCHEMA: &str = include_str!("../../../crates/workflows/schemas/pair/message.json");
const CORPUS: &str = include_str!("../../../crates/workflows/tests/pair_messages.json");

const MESSAGES: usize = 1000;
/// One message in so many is invalid.
const INVALID: usize = 5;
/// The length of the one long diff, in bytes.
const LONG: usize = 200_000;

/// One message.
pub(super) struct Sample {
    pub(super) text: String,
    /// JSON pointers of what is wrong, sorted; empty when it is valid.
    pub(super) places: Vec<String>,
    pub(super) is_long: bool,
}

/// The messages, the last of them with the long diff.
pub(super) fn mix() -> Outcome<Vec<Sample>> {
    let corpus: Value = serde_json::from_str(CORPUS)?;
    let (valid, invalid) = (list(&corpus, "valid")?, list(&corpus, "invalid")?);
    let mut samples: Vec<Sample> = (0..MESSAGES - 1)
        .map(|n| match n % INVALID {
            0 => refused(&invalid[n / INVALID % invalid.len()], n),
            _ => accepted(&valid[(n - n / INVALID) % valid.len()], n),
        })
        .collect();
    let mut long = implement();
    long.insert("diff".to_owned(), diff(LONG).into());
    samples.push(Sample {
        text: Value::Object(long).to_string(),
        places: Vec::new(),
        is_long: true,
    });
    Ok(samples)
}

fn list<'a>(corpus: &'a Value, part: &str) -> Outcome<&'a Vec<Value>> {
    let list = corpus[part].as_array().filter(|list| !list.is_empty());
    list.ok_or_else(|| format!("the corpus has no {part} messages").into())
}

fn accepted(message: &Value, n: usize) -> Sample {
    Sample { text: varied(message, n).to_string(), places: Vec::new(), is_long: false }
}

fn refused(case: &Value, n: usize) -> Sample {
    let pointers = case["pointers"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut places: Vec<String> = pointers.map(str::to_owned).collect();
    places.sort();
    Sample { text: varied(&case["message"], n).to_string(), places, is_long: false }
}

/// The message with another turn and as long as another one; what breaks the schema still does.
fn varied(message: &Value, n: usize) -> Value {
    let mut message = message.clone();
    let Some(fields) = message.as_object_mut() else { return message };
    if fields.get("turn") == Some(&Value::from(1)) {
        fields.insert("turn".to_owned(), (1 + n % 9).into());
    }
    let is_said = |content: &Value| content.as_str().is_some_and(|text| !text.trim().is_empty());
    if fields.get("content").is_some_and(is_said) {
        fields.insert("content".to_owned(), content(20 + n * 7919 % 1_500).into());
    }
    let is_change = fields.get("type") == Some(&"implement".into());
    let has_lines = |diff: &Value| diff.as_str().is_some_and(|text| !text.is_empty());
    if is_change && fields.get("diff").is_none_or(has_lines) {
        fields.insert("diff".to_owned(), diff(300 + n * 7919 % 8_000).into());
    }
    message
}

fn implement() -> Map<String, Value> {
    let fields: [(&str, Value); 4] = [
        ("role", "builder".into()),
        ("type", "implement".into()),
        ("content", content(200).into()),
        ("turn", 2.into()),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

const SENTENCES: [&str; 4] = [
    "The parser now refuses a key that stands twice. ",
    "`cargo test` says:\n\n    assertion `left == right` failed\n\n",
    "In \"src/reader.rs\", line 41, the error is dropped; return it. ",
    "Names stay as they are – “reader” is what the task calls it. ",
];

/// Words, at least so many bytes.
fn content(least: usize) -> String {
    let mut text = String::new();
    for sentence in SENTENCES.iter().cycle().skip(least % SENTENCES.len()) {
        text.push_str(sentence);
        if text.len() >= least {
            break;
        }
    }
    text
}

/// A change of one file, at least so many bytes.
fn diff(least: usize) -> String {
    let mut text = "--- a/src/reader.rs\n+++ b/src/reader.rs\n".to_owned();
    let mut line = 1;
    while text.len() < least {
        text.push_str(&format!(
            "@@ -{line},3 +{line},3 @@\n     let key = next(\"field {line}\")?;\n\
             -\tseen.insert(key);\n+\tif !seen.insert(key) {{ return Err(twice({line})); }}\n     Ok(())\n"
        ));
        line += 10;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_messages_are_of_all_lengths_and_a_fifth_of_them_is_invalid() {
        let all = mix().unwrap();
        assert_eq!(all.len(), MESSAGES);
        let lengths = || all.iter().map(|sample| sample.text.len());
        assert!(lengths().filter(|length| *length < 500).count() > 100);
        assert_eq!(lengths().filter(|length| *length > LONG).count(), 1);
        assert_eq!(all.iter().filter(|sample| !sample.places.is_empty()).count(), 200);
        assert!(all.iter().any(|sample| sample.places.len() > 2));
    }
}
