//! A configured model as the agent wants it.

use crate::config::{Llm, Price};
use redraft_agents::llm;
use std::time::Duration;

/// Room for a long text and a model's reasoning before it.
const MAX_OUTPUT_TOKENS: u32 = 16_384;
const CONNECT: Duration = Duration::from_secs(10);
/// Between two pieces of a reply; models that think send signs of life.
const SILENCE: Duration = Duration::from_secs(60);

/// The model, at this price where the configuration has one.
pub(crate) fn of(llm: &Llm, price: Option<&Price>) -> llm::Model {
    llm::Model {
        provider: llm.provider,
        model: llm.model.clone(),
        family: llm.family.clone(),
        base_url: llm.base_url.clone(),
        key: llm.key.clone(),
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
