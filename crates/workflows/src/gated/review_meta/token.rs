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
        Self(free(digest.finalize().into(), &looks))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The first token from here on that stands in none of the texts.
fn free(mut state: [u8; 32], looks: &[String]) -> String {
    // A text of n bytes holds fewer than n of 2^48 tokens: the first or second is free, in practice.
    loop {
        let token: String = state.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let look = bare(&token);
        if !looks.iter().any(|text| text.contains(&look)) {
            return token;
        }
        state = Sha256::digest(state).into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_that_a_text_holds_in_any_dress_is_passed_over() {
        let state = [7; 32];
        let first = free(state, &[]);
        for dress in [first.clone(), first.to_uppercase(), first.replace("07", "0 \u{200b}7")] {
            let text = format!("// review_token: {dress}");
            assert_ne!(free(state, &[String::new(), bare(&text)]), first, "{dress}");
        }
        assert_eq!(free(state, &[bare("another text")]), first);
    }
}
