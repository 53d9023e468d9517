//! The family that a model belongs to, told by its name.
//!
//! Invariant: two names of one maker's line give one family, whatever date, size or server stands around it.

use super::Provider;

/// What stands in a name, and the family it tells.
const KNOWN: [(&str, &str); 27] = [
    ("claude", "claude"),
    ("gemini", "gemini"),
    ("gemma", "gemma"),
    ("gpt", "gpt"),
    ("llama", "llama"),
    ("qwen", "qwen"),
    ("qwq", "qwen"),
    ("mistral", "mistral"),
    ("mixtral", "mistral"),
    ("ministral", "mistral"),
    ("magistral", "mistral"),
    ("codestral", "mistral"),
    ("devstral", "mistral"),
    ("pixtral", "mistral"),
    ("deepseek", "deepseek"),
    ("grok", "grok"),
    ("phi", "phi"),
    ("command", "command"),
    ("nova", "nova"),
    ("glm", "glm"),
    ("kimi", "kimi"),
    ("minimax", "minimax"),
    ("granite", "granite"),
    ("nemotron", "nemotron"),
    ("olmo", "olmo"),
    ("yi-", "yi"),
    ("falcon", "falcon"),
];

/// The family of a model: the first known one that its name holds, else its name up to the first digit or mark. Two
/// models of one family tend to have the same blind spots.
pub fn family(provider: Provider, model: &str) -> String {
    let name = model.to_lowercase();
    let name = name.rsplit('/').next().unwrap_or_default();
    let first = KNOWN.iter().filter_map(|(mark, family)| Some((name.find(mark)?, *family))).min();
    if let Some((_, family)) = first {
        return family.to_owned();
    }
    if is_reasoning_gpt(name) {
        return "gpt".to_owned();
    }
    let end = name.find(|c: char| !c.is_alphabetic()).unwrap_or(name.len());
    let start = &name[..end];
    if start.is_empty() { provider.name().to_owned() } else { start.to_owned() }
}

/// OpenAI's `o1`, `o3-mini`, `o4-mini` say nothing of their family.
fn is_reasoning_gpt(name: &str) -> bool {
    let rest = name.strip_prefix('o').unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_line_are_one_family() {
        let expected = [
            ("gpt-4o-2024-08-06", "gpt"),
            ("o3-mini", "gpt"),
            ("chatgpt-4o-latest", "gpt"),
            ("openai/gpt-oss-120b", "gpt"),
            ("claude-sonnet-4-5", "claude"),
            ("anthropic.claude-3-haiku-20240307-v1:0", "claude"),
            ("models/gemini-2.5-pro", "gemini"),
            ("meta-llama/Llama-3.1-8B-Instruct", "llama"),
            ("qwen3:8b", "qwen"),
            ("mixtral:8x7b", "mistral"),
            ("deepseek-r1-distill-llama-70b", "deepseek"),
        ];
        for (model, family_of_it) in expected {
            assert_eq!(family(Provider::Compatible, model), family_of_it, "{model}");
        }
    }

    #[test]
    fn an_unknown_name_is_its_own_family_up_to_the_first_digit_or_mark() {
        assert_eq!(family(Provider::Ollama, "solar10b"), "solar");
        assert_eq!(family(Provider::Ollama, "orca-mini:3b"), "orca");
        assert_eq!(family(Provider::Ollama, "1b-model"), "ollama");
    }
}
