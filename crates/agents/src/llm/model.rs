//! A model and how it is asked: plain values, as a configuration gives them.
//!
//! Absent here: defaults and where values come from; what a provider's protocol looks like.

use super::{BaseUrlError, KeySource, Price};
use std::{fmt, str::FromStr, time::Duration};

/// A model and how it is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Whose protocol is spoken.
    pub provider: Provider,
    /// The model's name, as the provider spells it.
    pub model: String,
    /// The family it belongs to; `None`: as [`family`](super::family) tells by its name.
    pub family: Option<String>,
    /// Where the provider's API begins, as its own client library wants it: with the version for OpenAI and
    /// compatible servers (`https://api.openai.com/v1`), without it for the others (`https://api.anthropic.com`); a
    /// path may stand before the version. `None`: the provider's own address.
    pub base_url: Option<String>,
    /// Where the key comes from; `None`: no key is sent.
    pub key: Option<KeySource>,
    /// The temperature; `None`: the provider's own. Some models refuse any.
    pub temperature: Option<f64>,
    /// The most tokens that a reply may have, reasoning included.
    pub max_output_tokens: u32,
    /// Whether replies come in pieces.
    pub stream: bool,
    /// Whether the form of a reply is sent along, for the provider to hold the model to it.
    pub json_schema: bool,
    /// What it costs; `None`: as the table tells, and unknown where it does not.
    pub price: Option<Price>,
    /// How long a connection may take to come about.
    pub connect_timeout: Duration,
    /// The longest silence between two pieces of a reply that has begun.
    pub silence: Duration,
}

/// Whose protocol is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    /// OpenAI's chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Google's Gemini API.
    Gemini,
    /// Ollama's own API.
    Ollama,
    /// Any server that speaks OpenAI's chat completions.
    Compatible,
}

impl Provider {
    /// All of them, in the order they are listed to people.
    pub const ALL: [Self; 5] =
        [Self::OpenAi, Self::Anthropic, Self::Gemini, Self::Ollama, Self::Compatible];

    /// Its name in configurations and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::Compatible => "compatible",
        }
    }

    /// Where its API begins; `None` where only the configuration can tell.
    pub fn base_url(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("https://api.openai.com/v1"),
            Self::Anthropic => Some("https://api.anthropic.com"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com"),
            Self::Ollama => Some("http://127.0.0.1:11434"),
            Self::Compatible => None,
        }
    }

    /// The version that its paths begin with and base addresses leave out.
    pub(super) fn version(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("v1"),
            Self::Gemini => Some("v1beta"),
            Self::OpenAi | Self::Ollama | Self::Compatible => None,
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no provider has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no provider; there are openai, anthropic, gemini, ollama and compatible")]
pub struct UnknownProvider(pub String);

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|provider| provider.name() == name);
        known.ok_or_else(|| UnknownProvider(name.to_owned()))
    }
}

/// Why a model cannot be asked at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A compatible server has no address of its own.
    #[error("model {0}: a compatible server needs a base_url")]
    NoBaseUrl(String),
    /// The address cannot be read. It is not shown: it may hold a key.
    #[error("model {0}: base_url is {1}")]
    BaseUrl(String, #[source] BaseUrlError),
    /// No name.
    #[error("a model of {0} has no name")]
    NoName(Provider),
    /// No room for a reply.
    #[error("model {0}: max_output_tokens is 0")]
    NoOutput(String),
    /// Not a temperature.
    #[error("model {0}: the temperature is not a number from 0 up")]
    Temperature(String),
}

impl Model {
    /// Checks what stands in it beside the address.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        if self.model.trim().is_empty() {
            return Err(ModelError::NoName(self.provider));
        }
        if self.max_output_tokens == 0 {
            return Err(ModelError::NoOutput(self.model.clone()));
        }
        if self.temperature.is_some_and(|value| !value.is_finite() || value < 0.0) {
            return Err(ModelError::Temperature(self.model.clone()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_is_found_by_its_name_and_listed_to_who_mistypes_it() {
        for provider in Provider::ALL {
            assert_eq!(provider.name().parse(), Ok(provider));
        }
        let refused = "opnai".parse::<Provider>().unwrap_err().to_string();
        assert!(
            Provider::ALL.iter().all(|provider| refused.contains(provider.name())),
            "{refused}"
        );
    }
}
