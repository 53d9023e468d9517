//! Scripts: a list of replies, or a map from subject to such a list.
//!
//! Invariant: a script that was read can be played; what is wrong with it is told with its place.
//! Absent here: files. The caller knows where the text came from.

// JSON's kinds are a closed set that is not ours; all but the expected ones are refused alike.
#![allow(clippy::wildcard_enum_match_arm)]

use redraft_engine::Call;
use redraft_workflows::review::json;
use serde_json::{Map, Value, json as value};
use std::collections::BTreeMap;
use uuid::Uuid;

/// When everything in a script happened, unless it says otherwise.
const THEN: &str = "2000-01-01T00:00:00Z";

/// Replies by subject and role.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    subjects: Subjects,
}

#[derive(Debug, Clone, PartialEq)]
enum Subjects {
    /// The same replies whatever the run is about.
    Any(Replies),
    Each(BTreeMap<String, Replies>),
}

/// The replies of each role, in order.
type Replies = BTreeMap<String, Vec<Value>>;

/// Why a script cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// It is no JSON.
    #[error("the script is no JSON: {0}")]
    Json(String),
    /// It is JSON of another form.
    #[error("{place}: {what}")]
    Form {
        /// Where in the script.
        place: String,
        /// What is wrong there, and what is expected.
        what: String,
    },
}

fn form(place: &str, what: impl Into<String>) -> ScriptError {
    ScriptError::Form { place: place.to_owned(), what: what.into() }
}

const CREATOR: &str = "creator";
const REVIEWER: &str = "reviewer";

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// [`ScriptError`] with the place.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let value = json::read(text).map_err(|error| ScriptError::Json(error.to_string()))?;
        Self::from_value(value)
    }

    /// A script from JSON.
    ///
    /// # Errors
    /// [`ScriptError`] with the place.
    pub fn from_value(value: Value) -> Result<Self, ScriptError> {
        let subjects = match value {
            Value::Array(list) => Subjects::Any(replies("", list)?),
            Value::Object(map) => Subjects::Each(
                map.into_iter()
                    .map(|(subject, list)| match list {
                        Value::Array(list) => Ok((subject.clone(), replies(&subject, list)?)),
                        _ => Err(form(&subject, "expected a list of replies")),
                    })
                    .collect::<Result<_, _>>()?,
            ),
            _ => {
                return Err(form(".", "expected a list of replies, or a map from asset id to one"));
            }
        };
        Ok(Self { subjects })
    }

    /// The reply to a call, complete: what the script leaves out is filled in.
    ///
    /// # Errors
    /// A message naming the role, the call and the script's length when there is none.
    pub fn reply(&self, call: &Call) -> Result<String, String> {
        let (subject, role) = (&call.subject, call.role.as_str());
        let replies = match &self.subjects {
            Subjects::Any(replies) => replies,
            Subjects::Each(map) => map
                .get(subject)
                .ok_or_else(|| format!("the script has no replies for {subject}"))?,
        };
        // A panel's further members say what the reviewer says, unless the script has words of their own.
        let wanted = if role == CREATOR { CREATOR } else { REVIEWER };
        let list = replies.get(role).or_else(|| replies.get(wanted));
        let list = list.map_or(&[][..], Vec::as_slice);
        let reply = list.get(call.ordinal as usize).ok_or_else(|| {
            let (nth, length) = (call.ordinal + 1, list.len());
            format!("the script ran out: {role} is asked for reply {nth} about {subject}, and the script has {length}")
        })?;
        Ok(match reply {
            Value::Object(reply) if wanted == CREATOR => creator(reply.clone(), call),
            Value::Object(reply) => reviewer(reply.clone(), call),
            Value::String(words) => words.clone(),
            other => other.to_string(),
        })
    }
}

fn replies(subject: &str, list: Vec<Value>) -> Result<Replies, ScriptError> {
    let mut replies = Replies::new();
    for (n, entry) in list.into_iter().enumerate() {
        let place = format!("{subject}[{n}]");
        for (role, reply) in roles(&place, entry)? {
            check(&place, &role, &reply)?;
            replies.entry(role).or_default().push(reply);
        }
    }
    Ok(replies)
}

/// Whose reply an entry is: by its wrapper, or by what it says.
fn roles(place: &str, entry: Value) -> Result<Vec<(String, Value)>, ScriptError> {
    let entry = match entry {
        Value::String(text) => json::read(&text)
            .map_err(|error| form(place, format!("the reply is no JSON: {error}")))?,
        other => other,
    };
    let Value::Object(map) = entry else {
        return Err(form(place, "expected a reply: an object, or a string that holds one"));
    };
    if map.contains_key("candidate") {
        return Ok(vec![(CREATOR.to_owned(), Value::Object(map))]);
    }
    if map.contains_key("verdict") {
        return Ok(vec![(REVIEWER.to_owned(), Value::Object(map))]);
    }
    let wrapped = |key: &str| key == CREATOR || key == "review" || key.starts_with(REVIEWER);
    if map.is_empty() || !map.keys().all(|key| wrapped(key)) {
        let what = "expected a creator's reply (done, candidate), a reviewer's (verdict), or either wrapped in creator or review";
        return Err(form(place, what));
    }
    let role = |key: String| if key == "review" { REVIEWER.to_owned() } else { key };
    Ok(map.into_iter().map(|(key, reply)| (role(key), unwrap(reply))).collect())
}

/// A string inside a wrapper is JSON text, or words to be said as they are. Text that names a key twice is such
/// words: its reader refuses it.
fn unwrap(reply: Value) -> Value {
    match reply {
        Value::String(text) => json::read(&text).unwrap_or(Value::String(text)),
        other => other,
    }
}

fn check(place: &str, role: &str, reply: &Value) -> Result<(), ScriptError> {
    let Value::Object(reply) = reply else { return Ok(()) };
    let content = reply.get("candidate").and_then(|candidate| candidate.get("content"));
    if role == CREATOR
        && (!reply.get("done").is_some_and(Value::is_boolean)
            || !content.is_some_and(Value::is_string))
    {
        return Err(form(
            place,
            "a creator's reply needs done (true or false) and candidate.content (text)",
        ));
    }
    if role != CREATOR && !reply.get("verdict").is_some_and(Value::is_string) {
        return Err(form(place, "a reviewer's reply needs verdict (text)"));
    }
    Ok(())
}

fn named(name: &str) -> Value {
    Value::String(Uuid::new_v5(&Uuid::nil(), name.as_bytes()).to_string())
}

fn fill(map: &mut Map<String, Value>, key: &str, value: Value) {
    map.entry(key).or_insert(value);
}

fn creator(mut reply: Map<String, Value>, call: &Call) -> String {
    let (asset, iteration) = (&call.subject, call.round);
    if let Some(Value::Object(candidate)) = reply.get_mut("candidate") {
        fill(candidate, "asset_id", value!(asset));
        fill(candidate, "candidate_id", named(&format!("candidate:{asset}:{iteration}")));
        fill(candidate, "created_at", value!(THEN));
        fill(candidate, "format", value!("markdown"));
    }
    Value::Object(reply).to_string()
}

fn reviewer(mut reply: Map<String, Value>, call: &Call) -> String {
    let (asset, iteration) = (&call.subject, call.round);
    fill(&mut reply, "created_at", value!(THEN));
    if let Some(Value::Array(issues)) = reply.get_mut("issues") {
        for (index, issue) in issues.iter_mut().enumerate() {
            if let Value::Object(issue) = issue {
                let name = format!("review_issue:{asset}:{iteration}:{index}");
                fill(issue, "issue_id", named(&name));
            }
        }
    }
    Value::Object(reply).to_string()
}

#[cfg(test)]
mod tests;
