//! The dated table of list prices, `prices.toml`.
//!
//! Invariant: a model is found by its name, or by its name without the date at its end; a name that only begins alike
//! is another model. What is not in the table has no price here, and never the price nothing.
//! Absent here: discounts, taxes, and prices of anyone but the provider itself.

use super::{LongPrompts, Model, Price, Provider, endpoint::Endpoint};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

static TABLE: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(include_str!("prices.toml")).unwrap_or_default());

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Table {
    taken: String,
    openai: BTreeMap<String, Entry>,
    anthropic: BTreeMap<String, Entry>,
    gemini: BTreeMap<String, Entry>,
}

/// Dollars for a million tokens.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    input: f64,
    output: f64,
    long: Option<LongEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LongEntry {
    above: u64,
    input: f64,
    output: f64,
}

/// The newest day on which the table's figures were seen, `YYYY-MM-DD`.
pub fn prices_taken() -> &'static str {
    &TABLE.taken
}

/// The list price of a model; `None` where the table has none.
pub fn listed_price(provider: Provider, model: &str) -> Option<Price> {
    let entries = match provider {
        Provider::OpenAi => &TABLE.openai,
        Provider::Anthropic => &TABLE.anthropic,
        Provider::Gemini => &TABLE.gemini,
        Provider::Ollama | Provider::Compatible => return None,
    };
    let model = model.strip_prefix("models/").unwrap_or(model);
    let entry = entries.get(model).or_else(|| entries.get(undated(model)?))?;
    Some(entry.price())
}

/// The price where the configuration gives none: by the table for what the provider itself serves, nothing for what
/// Ollama runs on this machine, and unknown for all else, gateways and rented machines among it.
pub(super) fn known_price(model: &Model, endpoint: &Endpoint) -> Option<Price> {
    // Ollama passes these on to rented machines.
    let rented = model.model.ends_with("-cloud") || model.model.ends_with(":cloud");
    match model.provider {
        Provider::Ollama => (endpoint.loopback() && !rented).then_some(Price::FREE),
        Provider::OpenAi | Provider::Anthropic | Provider::Gemini | Provider::Compatible => {
            endpoint.own.then(|| listed_price(model.provider, &model.model)).flatten()
        }
    }
}

impl Entry {
    fn price(&self) -> Price {
        let long = self.long.as_ref().map(|long| LongPrompts {
            above: long.above,
            input: micros(long.input),
            output: micros(long.output),
        });
        Price { input: micros(self.input), output: micros(self.output), long }
    }
}

/// Dollars as whole millionths.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "prices are small and not negative"
)]
fn micros(dollars: f64) -> u64 {
    (dollars * 1e6).round() as u64
}

/// A name without the date at its end: `-2024-08-06`, `-20250514`; or the number of a release: `-001`.
fn undated(model: &str) -> Option<&str> {
    let (name, last) = model.rsplit_once('-')?;
    let is_number =
        |text: &str, digits| text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    if is_number(last, 8) || is_number(last, 3) {
        return Some(name);
    }
    let (name, month) = name.rsplit_once('-')?;
    let (name, year) = name.rsplit_once('-')?;
    (is_number(last, 2) && is_number(month, 2) && is_number(year, 4)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_has_a_date_and_no_price_of_nothing() {
        let table: Table = toml::from_str(include_str!("prices.toml")).unwrap();
        assert!(table.taken.parse::<jiff::civil::Date>().is_ok(), "{}", table.taken);
        assert_eq!(prices_taken(), table.taken);
        for (name, entry) in table.openai.iter().chain(&table.anthropic).chain(&table.gemini) {
            let price = entry.price();
            assert!(0 < price.input && price.input < price.output, "{name}");
            if let Some(long) = price.long {
                assert!(price.input < long.input && price.output < long.output, "{name}");
            }
        }
    }

    #[test]
    fn a_date_at_the_end_of_a_name_does_not_matter_unless_the_table_has_that_one() {
        let price = |name| listed_price(Provider::OpenAi, name).map(|price| price.input);
        assert_eq!(price("gpt-4o"), Some(2_500_000));
        assert_eq!(price("gpt-4o-2024-08-06"), Some(2_500_000));
        assert_eq!(price("gpt-4o-2024-05-13"), Some(5_000_000));
        let sonnet = |name| listed_price(Provider::Anthropic, name);
        assert_eq!(sonnet("claude-sonnet-4-5-20250929"), sonnet("claude-sonnet-4-5"));
        assert!(listed_price(Provider::Gemini, "models/gemini-2.0-flash-001").is_some());
    }

    #[test]
    fn a_name_that_only_begins_alike_has_no_price() {
        for name in
            ["gpt-4o-mini-tts", "gpt-4o-", "gpt-4", "gpt-4o-2024-08", "gpt-4o-20x40806", "", "-001"]
        {
            assert_eq!(listed_price(Provider::OpenAi, name), None, "{name}");
        }
        assert_eq!(listed_price(Provider::Compatible, "gpt-4o"), None);
    }
}
