//! Amounts: what a call may use at most, what it did use, and what a run has used in all.
//!
//! Invariant: what nobody knows is never taken for nothing. A call whose price is unknown counts its tokens
//! and says that its cost is open; a call whose use is unknown stays charged with what was reserved for it.
//! Absent here: prices. Whoever plays a role knows what it costs.

use crate::Usage;
use alloc::{format, string::String};
use serde::{Deserialize, Serialize};

/// Tokens and money of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amount {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Millionths of a US dollar; `None` where the price is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
}

impl Amount {
    /// What a call to an agent without tokens and price uses.
    pub const FREE: Self = Self { tokens: 0, cost: Some(0) };

    /// What a call with this reservation is charged with once so much is told of it: what nobody tells stays reserved.
    #[must_use]
    pub fn settled(self, usage: Option<Usage>, cost: Option<u64>) -> Self {
        Self { tokens: usage.map_or(self.tokens, Usage::tokens), cost: cost.or(self.cost) }
    }

    /// Whether nothing is used.
    pub fn is_free(&self) -> bool {
        *self == Self::FREE
    }
}

impl Default for Amount {
    fn default() -> Self {
        Self::FREE
    }
}

/// What a run's calls were charged with so far: what they used, or what is reserved for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Spent {
    /// Tokens.
    pub tokens: u64,
    /// Millionths of a US dollar, of the calls whose price is known.
    pub cost: u64,
    /// Calls whose price is unknown.
    pub unpriced: u32,
}

impl Spent {
    /// Adds a call.
    pub fn add(&mut self, amount: Amount) {
        self.tokens = self.tokens.saturating_add(amount.tokens);
        match amount.cost {
            Some(cost) => self.cost = self.cost.saturating_add(cost),
            None => self.unpriced = self.unpriced.saturating_add(1),
        }
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            cost: self.cost.saturating_add(other.cost),
            unpriced: self.unpriced.saturating_add(other.unpriced),
        }
    }

    pub(crate) fn take_back(&mut self, amount: Amount) {
        self.tokens = self.tokens.saturating_sub(amount.tokens);
        match amount.cost {
            Some(cost) => self.cost = self.cost.saturating_sub(cost),
            None => self.unpriced = self.unpriced.saturating_sub(1),
        }
    }
}

/// Millionths of a US dollar, for a person to read: exactly, and with cents at least.
pub fn dollars(micros: u64) -> String {
    let part = format!("{:06}", micros % 1_000_000);
    let part = part.trim_end_matches('0');
    format!("${}.{part:0<2}", micros / 1_000_000)
}
