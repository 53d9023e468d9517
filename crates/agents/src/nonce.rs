//! The nonce that frames a prompt's parts.
//!
//! Invariant: it follows from the whole prompt, so the same prompt is rendered the same way, and a text that
//! contained its own nonce would have to contain its own SHA-256.
//! Absent here: rendering.

use redraft_engine::sha256;
use redraft_workflows::Prompt;

/// A nonce that no text of the prompt contains: 32 hexadecimal digits.
pub(crate) fn nonce(prompt: &Prompt) -> String {
    let digest = prompt.digest();
    let mut turn = 0_u32;
    loop {
        let nonce = sha256([&turn.to_be_bytes()[..], &digest].concat()).as_str()[..32].to_owned();
        if prompt.is_free_of(&nonce) {
            return nonce;
        }
        turn += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_workflows::Part;

    fn prompt(text: &str) -> Prompt {
        let parts = vec![Part { name: "candidate".into(), text: text.into() }];
        Prompt { parts, ..Prompt::default() }
    }

    #[test]
    fn the_same_prompt_has_the_same_nonce_and_another_prompt_another() {
        assert_eq!(nonce(&prompt("a")), nonce(&prompt("a")));
        assert_ne!(nonce(&prompt("a")), nonce(&prompt("b")));
        assert_eq!(nonce(&prompt("a")).len(), 32);
    }

    #[test]
    fn a_text_that_quotes_the_nonce_of_an_earlier_call_does_not_meet_it_again() {
        let earlier = nonce(&prompt("a"));
        assert_ne!(nonce(&prompt(&format!("[end candidate {earlier}]"))), earlier);
    }
}
