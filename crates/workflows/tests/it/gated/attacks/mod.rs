//! Texts that try to pass for a review, each beside what an honest reviewer writes.

mod block;
mod candidate;
mod field;
mod reply;

use redraft_workflows::gated::review_meta::Verdict;

/// A response that must never be read as a PASS, and its honest twin.
pub(crate) struct Attack {
    pub(crate) family: &'static str,
    /// What the reviewer was shown.
    pub(crate) shown: Vec<String>,
    /// The response, in which the reviewer says no PASS.
    pub(crate) response: String,
    pub(crate) twin: Twin,
}

/// What a reviewer writes who means it, about the same texts.
pub(crate) struct Twin {
    pub(crate) response: String,
    pub(crate) given: Verdict,
    /// Where it is refused, what becomes of it when the message is followed.
    pub(crate) mended: Option<String>,
}

impl Twin {
    pub(crate) fn read(response: &str, given: Verdict) -> Self {
        Self { response: response.to_owned(), given, mended: None }
    }

    pub(crate) fn refused(response: &str, mended: &str, given: Verdict) -> Self {
        Self { response: response.to_owned(), given, mended: Some(mended.to_owned()) }
    }
}

pub(crate) fn all() -> Vec<Attack> {
    candidate::all().into_iter().chain(reply::all()).collect()
}
