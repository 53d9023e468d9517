//! SHA-256 as text, so that a person can check it with `sha256sum`.
//!
//! Absent here: chains of hashes, which belong to the journal.

use redraft_loop::Hash;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The SHA-256 of some bytes, as 64 lower-case hexadecimal digits.
pub fn sha256(bytes: impl AsRef<[u8]>) -> Hash {
    hex(Sha256::digest(bytes.as_ref()).into())
}

/// A SHA-256 as 64 lower-case hexadecimal digits.
pub(crate) fn hex(digest: [u8; 32]) -> Hash {
    let mut text = String::with_capacity(64);
    for byte in digest {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Hash::new(text)
}
