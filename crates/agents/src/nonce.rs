//! The nonce that frames a prompt's parts.
//!
//! Invariant: every call has one of its own: 128 random bits that no text of its prompt holds.
//! Absent here: rendering.

use redraft_workflows::Prompt;

/// The system has no random bits to give, so nothing can be sent.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random bits: {0}")]
pub(crate) struct NoRandomBits(getrandom::Error);

/// A new nonce for this prompt: 32 hexadecimal digits.
pub(crate) fn nonce(prompt: &Prompt) -> Result<String, NoRandomBits> {
    loop {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(NoRandomBits)?;
        let nonce = format!("{:032x}", u128::from_be_bytes(bits));
        if prompt.is_free_of(&nonce) {
            return Ok(nonce);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nonce_is_new_and_128_bits_long() {
        let nonces: std::collections::BTreeSet<_> =
            (0..100).map(|_| nonce(&Prompt::default()).unwrap()).collect();
        assert_eq!(nonces.len(), 100);
        assert!(nonces.iter().all(|nonce| nonce.len() == 32));
    }
}
