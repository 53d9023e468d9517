//! A configured model as the agent wants it.

use crate::config::{KeySource, Llm, Price, Provider};
use redraft_agents::llm;
use std::time::Duration;

/// Room for a long text and a model's reasoning before it.
const MAX_OUTPUT_TOKENS: u32 = 16_384;
const CONNECT: Duration = Duration::from_secs(10);
/// Between two pieces of a reply; models that think send signs of life.
const SILENCE: Duration = Duration::from_secs(60);
/// A password store may ask a person for its passphrase.
const KEY_COMMAND: Duration = Duration::from_secs(30);

/// The model, at this price where the configuration has one.
pub(super) fn of(llm: &Llm, price: Option<&Price>) -> llm::Model {
    llm::Model {
        provider: provider(llm.provider),
        model: llm.model.clone(),
        family: llm.family.clone(),
        base_url: llm.base_url.clone(),
        key: llm.key.as_ref().map(key),
        temperature: llm.temperature,
        max_output_tokens: llm.max_output_tokens.unwrap_or(MAX_OUTPUT_TOKENS),
        stream: llm.stream,
        json_schema: llm.json_schema,
        price: price.map(|price| llm::Price {
            input: price.input.value.0,
            output: price.output.value.0,
            long: None,
        }),
        connect_timeout: CONNECT,
        silence: SILENCE,
    }
}

fn provider(provider: Provider) -> llm::Provider {
    match provider {
        Provider::OpenAi => llm::Provider::OpenAi,
        Provider::Anthropic => llm::Provider::Anthropic,
        Provider::Gemini => llm::Provider::Gemini,
        Provider::Ollama => llm::Provider::Ollama,
        Provider::Compatible => llm::Provider::Compatible,
    }
}

fn key(source: &KeySource) -> llm::KeySource {
    match source {
        KeySource::Variable(name) => llm::KeySource::Env(name.clone()),
        KeySource::File(path) => llm::KeySource::File(path.clone()),
        KeySource::Command { program, args } => llm::KeySource::Command {
            program: program.clone(),
            arguments: args.clone(),
            timeout: KEY_COMMAND,
        },
    }
}
