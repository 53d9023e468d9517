//! What a model costs, in whole millionths of a US dollar.
//!
//! Invariant: costs are rounded up, so that what is charged never lies below the bill. Discounts for cached input
//! are not taken off.
//! Absent here: where prices come from.

use redraft_loop::Usage;

/// What a model costs: millionths of a US dollar for a million tokens, which is dollars times a million.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// A million tokens read.
    pub input: u64,
    /// A million tokens written, reasoning included.
    pub output: u64,
    /// What long prompts cost, where that differs.
    pub long: Option<LongPrompts>,
}

/// The price of a call whose prompt is long: it holds for all of the call's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongPrompts {
    /// Prompts of more tokens than this are long.
    pub above: u64,
    /// A million tokens read.
    pub input: u64,
    /// A million tokens written.
    pub output: u64,
}

impl Price {
    /// Nothing: for models that run on a machine of one's own.
    pub const FREE: Self = Self { input: 0, output: 0, long: None };

    /// What these tokens cost, in millionths of a US dollar.
    pub fn of(&self, usage: Usage) -> u64 {
        let (input, output) = match self.long {
            Some(long) if usage.input_tokens > long.above => (long.input, long.output),
            Some(_) | None => (self.input, self.output),
        };
        let product = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let sum = product(usage.input_tokens, input)
            .saturating_add(product(usage.output_tokens, output))
            .div_ceil(MILLION);
        u64::try_from(sum).unwrap_or(u64::MAX)
    }

    /// Whether no call costs anything.
    pub(super) fn is_free(&self) -> bool {
        *self == Self::FREE
    }
}

const MILLION: u128 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(price: Price, input_tokens: u64, output_tokens: u64) -> u64 {
        price.of(Usage { input_tokens, output_tokens })
    }

    #[test]
    fn a_cost_is_rounded_up_once_for_the_whole_call() {
        let price = Price { input: 150_000, output: 600_000, long: None };
        assert_eq!(cost(price, 1_000_000, 1_000_000), 750_000);
        assert_eq!(cost(price, 1, 0), 1);
        assert_eq!(cost(price, 5, 1), 2);
        assert_eq!(cost(price, 0, 0), 0);
        assert_eq!(cost(Price { output: u64::MAX, ..price }, u64::MAX, u64::MAX), u64::MAX);
    }

    #[test]
    fn a_long_prompt_makes_the_whole_call_dearer() {
        let long = LongPrompts { above: 200_000, input: 2_500_000, output: 15_000_000 };
        let price = Price { input: 1_250_000, output: 10_000_000, long: Some(long) };
        assert_eq!(cost(price, 200_000, 1_000), 250_000 + 10_000);
        assert_eq!(cost(price, 200_001, 1_000), 500_003 + 15_000);
    }
}
