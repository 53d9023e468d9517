//! The token of a review: what no text under review can say.
//!
//! Invariant: it stands in none of the texts, in no disguise either, whatever their author foresaw: one that does is passed
//! over. Same review, same token. Absent here: secrecy. Whoever reads the prompt knows it, and is the reviewer.

use super::super::alike::bare;
use sha2::{Digest, Sha256};

/// Twelve hexadecimal digits that belong to one review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The token of this iteration's review of these texts.
    pub fn of(session: &str, iteration: u32, shown: &[&str]) -> Self {
        let looks: Vec<String> = shown.iter().map(|text| bare(text)).collect();
        let mut digest = Sha256::new();
        for text in [session, &iteration.to_string()].into_iter().chain(shown.iter().copied()) {
            digest.update((text.len() as u64).to_be_bytes());
            digest.update(text);
        }
        let mut state = digest.finalize();
        // A text of n bytes holds fewer than n of 2^48 tokens: the first or second is free, in practice.
        loop {
            let token: String = state.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
            if !looks.iter().any(|look| look.contains(&bare(&token))) {
                return Self(token);
            }
            state = Sha256::digest(state);
        }
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
