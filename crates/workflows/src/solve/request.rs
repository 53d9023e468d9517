//! What is asked, as it comes and as it is worked on.
//!
//! Invariant: normalizing adds nothing to the constraints and changes no word of them; what it finds odd becomes an
//! assumption or a known issue.
//! Absent here: what the constraints demand; see `constraints`.

use super::constraints;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request, as `POST /v1/solve` takes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The question.
    pub prompt: String,
    /// What the answer has to keep to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The form of the answer, in the user's words: `json`, `a Markdown table`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_format: Option<String>,
    /// What the answer may rest on: a text, or an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Value>,
}

/// Why a request is refused. Everything else is answered as well as can be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// There is no question.
    #[error("the prompt is empty")]
    EmptyPrompt,
    /// Contexts are texts or objects.
    #[error("the context has to be a text or an object")]
    Context,
}

/// A request as it is worked on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// The question, without blanks around it.
    pub problem_statement: String,
    /// The user's constraints, word for word and in their order, all of them.
    pub constraints: Vec<String>,
    /// The form of the answer; empty where none is asked for.
    pub output_spec: String,
    /// What the answer may rest on, as text; empty where there is nothing.
    pub context: String,
    /// How ambiguous words of the request are taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// What contradicts itself in the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_issues: Vec<String>,
}

/// Whether a request can be answered at all, in no time.
///
/// # Errors
/// [`RequestError`] when there is nothing to answer.
pub fn check(request: &Request) -> Result<(), RequestError> {
    if request.prompt.trim().is_empty() {
        return Err(RequestError::EmptyPrompt);
    }
    match request.context {
        None | Some(Value::Null | Value::String(_) | Value::Object(_)) => Ok(()),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_)) => Err(RequestError::Context),
    }
}

/// The problem of a request.
///
/// # Errors
/// [`RequestError`] when there is nothing to answer.
pub fn normalize(request: &Request) -> Result<Problem, RequestError> {
    check(request)?;
    let output_spec = request.output_format.as_deref().unwrap_or_default().trim().to_owned();
    let oddities = constraints::oddities(&request.constraints, &output_spec);
    Ok(Problem {
        problem_statement: request.prompt.trim().to_owned(),
        constraints: request.constraints.clone(),
        output_spec,
        context: context(request.context.as_ref()),
        assumptions: oddities.assumptions,
        known_issues: oddities.contradictions,
    })
}

fn context(given: Option<&Value>) -> String {
    match given {
        Some(Value::String(text)) => text.clone(),
        // An object with string keys is always JSON.
        Some(Value::Object(object)) => serde_json::to_string_pretty(object).unwrap_or_default(),
        // Others are refused before.
        None | Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) => {
            String::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(prompt: &str) -> Request {
        Request { prompt: prompt.into(), constraints: vec![], output_format: None, context: None }
    }

    #[test]
    fn only_an_empty_prompt_is_refused() {
        for empty in ["", "  ", "\n\t"] {
            assert_eq!(normalize(&request(empty)), Err(RequestError::EmptyPrompt));
        }
        assert_eq!(normalize(&request(" why? ")).unwrap().problem_statement, "why?");
    }

    #[test]
    fn constraints_stand_word_for_word_also_when_they_repeat_or_are_blank() {
        let constraints =
            vec![" at most 5 words ".to_owned(), String::new(), "x".into(), "x".into()];
        let asked = Request { constraints: constraints.clone(), ..request("why?") };
        assert_eq!(normalize(&asked).unwrap().constraints, constraints);
    }

    #[test]
    fn a_context_is_a_text_or_an_object() {
        let with = |context| normalize(&Request { context: Some(context), ..request("why?") });
        assert_eq!(with(json!("a text")).unwrap().context, "a text");
        assert_eq!(with(json!({"a": 1})).unwrap().context, "{\n  \"a\": 1\n}");
        assert_eq!(with(json!([1])), Err(RequestError::Context));
    }
}
