//! The secret that a client has to know.
//!
//! Invariant: the token itself is kept nowhere; comparing takes the same time whatever is offered.

use sha2::{Digest, Sha256};
use std::fmt;
use subtle::ConstantTimeEq;

/// A bearer token, kept as its SHA-256.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl Token {
    /// The token with this text; `None` where it cannot be sent in a header or is empty.
    pub fn new(text: &str) -> Option<Self> {
        let sendable = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        sendable.then(|| Self(digest(text.as_bytes())))
    }

    /// Whether this is the token.
    pub(crate) fn is(&self, offered: &[u8]) -> bool {
        self.0.ct_eq(&digest(offered)).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_knows_itself_alone_and_does_not_show_itself() {
        let token = Token::new("s3cret").unwrap();
        assert!(token.is(b"s3cret"));
        assert!(!token.is(b"s3cre") && !token.is(b"") && !token.is(b"s3cret "));
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn what_no_header_can_carry_is_no_token() {
        for text in ["", " ", "a b", "a\n", "ä"] {
            assert!(Token::new(text).is_none(), "{text:?}");
        }
    }
}
