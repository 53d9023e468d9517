//! Hashes that tie each fact to the one before it, and each commit to all commits before it.
//!
//! Invariant: every encoding is unambiguous, since each part is preceded by its length and each
//! kind of hash by a name of its own. The first fact of a stream follows its registration.
//! Absent here: reading and writing rows.

use super::append::Registration;
use sha2::{Digest, Sha256};

/// A SHA-256.
pub(crate) type Hash32 = [u8; 32];

/// The version of a fact's row and of its hash.
pub(crate) const ROW_VERSION: u32 = 1;

/// What the first fact of a stream follows: who the stream is.
pub(crate) fn genesis(stream: &str, of: &Registration) -> Hash32 {
    let hash = Parts::new("redraft stream 1").text(stream).text(&of.kind);
    let hash = hash.option(of.workspace.as_deref()).option(of.subject.as_deref());
    hash.option(of.workflow.as_deref()).part(&of.at.to_le_bytes()).done()
}

/// A fact as the chain sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link<'a> {
    pub(crate) stream: &'a str,
    pub(crate) seq: u64,
    pub(crate) epoch: u32,
    pub(crate) version: u32,
    pub(crate) body: &'a str,
}

/// The hash of a fact that follows `before`.
pub(crate) fn fact(before: &Hash32, link: Link<'_>) -> Hash32 {
    let hash = Parts::new("redraft fact 1").part(before).text(link.stream).number(link.seq);
    hash.number(link.epoch.into()).number(link.version.into()).text(link.body).done()
}

/// The hash of the home's n-th commit row, which follows `before`.
pub(crate) fn commit(before: &Hash32, n: u64, stream: i64, seq: u64, head: &Hash32) -> Hash32 {
    let hash = Parts::new("redraft commit 1").part(before).number(n);
    hash.part(&stream.to_le_bytes()).number(seq).part(head).done()
}

/// The seal of a budget's row.
pub(crate) fn budget(scope: &str, unit: &str, cap: Option<i64>, used: i64) -> Hash32 {
    let hash = Parts::new("redraft budget 1").text(scope).text(unit);
    let cap = cap.map(|cap| cap.to_string());
    hash.option(cap.as_deref()).part(&used.to_le_bytes()).done()
}

/// The SHA-256 of bytes as they are.
pub(crate) fn content(bytes: &[u8]) -> Hash32 {
    Sha256::digest(bytes).into()
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |n: u8| char::from(DIGITS[usize::from(n & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// The bytes that hexadecimal digits stand for; `None` when they are not 64 lower-case digits.
pub(crate) fn unhex(text: &str) -> Option<Hash32> {
    let digit = |c: u8| match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    };
    let mut hash = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (byte, pair) in hash.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(hash)
}

struct Parts(Sha256);

impl Parts {
    fn new(name: &str) -> Self {
        Self(Sha256::new()).text(name)
    }

    fn part(mut self, bytes: &[u8]) -> Self {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    fn text(self, text: &str) -> Self {
        self.part(text.as_bytes())
    }

    fn number(self, number: u64) -> Self {
        self.part(&number.to_le_bytes())
    }

    fn option(self, text: Option<&str>) -> Self {
        match text {
            None => self.part(&[0]),
            Some(text) => self.part(&[1]).text(text),
        }
    }

    fn done(self) -> Hash32 {
        self.0.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link<'a>(stream: &'a str, body: &'a str) -> Link<'a> {
        Link { stream, seq: 1, epoch: 1, version: 1, body }
    }

    #[test]
    fn moving_text_between_stream_and_body_changes_the_hash() {
        let zero = [0; 32];
        assert_ne!(fact(&zero, link("ab", "c")), fact(&zero, link("a", "bc")));
    }

    #[test]
    fn an_absent_subject_differs_from_an_empty_one() {
        let with = |subject: Option<&str>| Registration {
            kind: "run".into(),
            workspace: None,
            subject: subject.map(str::to_owned),
            workflow: None,
            at: 0,
        };
        assert_ne!(genesis("a", &with(None)), genesis("a", &with(Some(""))));
    }

    #[test]
    fn hex_and_back_is_the_same_and_known() {
        let hash = content(b"abc");
        assert!(hex(&hash).starts_with("ba7816bf8f01cfea"));
        assert_eq!(unhex(&hex(&hash)), Some(hash));
        assert_eq!(unhex("BA"), None);
    }
}
