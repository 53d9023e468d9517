//! Reads a list of models, as each provider writes it.

use crate::config::Provider;
use serde_json::Value;

/// The names of the models; `None` when it is no such list.
pub(super) fn models(provider: Provider, body: &[u8]) -> Option<Vec<String>> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let (list, name) = match provider {
        Provider::OpenAi | Provider::Compatible | Provider::Anthropic => ("data", "id"),
        Provider::Gemini | Provider::Ollama => ("models", "name"),
    };
    let names = body[list].as_array()?.iter().filter_map(|model| model[name].as_str());
    Some(names.map(|name| name.trim_start_matches("models/").to_owned()).collect())
}

/// Whether a refusal is about the key.
pub(super) fn says_wrong_key(body: &[u8]) -> bool {
    let Ok(body) = serde_json::from_slice::<Value>(body) else { return false };
    let details = body["error"]["details"].as_array().into_iter().flatten();
    details.into_iter().any(|detail| detail["reason"] == "API_KEY_INVALID")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_providers_list_is_read() {
        let openai = br#"{"object": "list", "data": [{"id": "a"}, {"id": "b"}]}"#;
        assert_eq!(models(Provider::OpenAi, openai).unwrap(), ["a", "b"]);
        assert_eq!(models(Provider::Anthropic, openai).unwrap(), ["a", "b"]);
        let gemini = br#"{"models": [{"name": "models/a"}]}"#;
        assert_eq!(models(Provider::Gemini, gemini).unwrap(), ["a"]);
        let ollama = br#"{"models": [{"name": "a:latest"}]}"#;
        assert_eq!(models(Provider::Ollama, ollama).unwrap(), ["a:latest"]);
        assert_eq!(models(Provider::OpenAi, gemini), None);
        assert_eq!(models(Provider::OpenAi, b"<html>"), None);
    }

    #[test]
    fn a_wrong_key_is_told_from_another_wrong_request() {
        let key = br#"{"error": {"code": 400, "details": [{"reason": "API_KEY_INVALID"}]}}"#;
        assert!(says_wrong_key(key));
        assert!(!says_wrong_key(br#"{"error": {"code": 400}}"#));
    }
}
