//! The kinds of problems, with status, exit code and an explanation each.
//!
//! Invariant: every kind has a slug of its own, which never changes.

/// A kind of problem. Its documents have the type `/docs#problem-` and its slug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "`about` explains each, for readers of the code and of the API")]
pub enum Kind {
    BadRequest,
    BadJson,
    Unauthorized,
    ForeignOrigin,
    NotFound,
    NoSuchRun,
    NoSuchModel,
    MethodNotAllowed,
    SlowRequest,
    BodyTooLarge,
    UriTooLong,
    UnsupportedMediaType,
    ForeignHost,
    InvalidRequest,
    KeyReused,
    TooManyRuns,
    HeadersTooLarge,
    Internal,
    Damaged,
    TooBusy,
    Unavailable,
    Rests,
    AnswerTimeout,
}

impl Kind {
    /// All of them, by status.
    pub const ALL: [Self; 23] = [
        Self::BadRequest,
        Self::BadJson,
        Self::Unauthorized,
        Self::ForeignOrigin,
        Self::NotFound,
        Self::NoSuchRun,
        Self::NoSuchModel,
        Self::MethodNotAllowed,
        Self::SlowRequest,
        Self::BodyTooLarge,
        Self::UriTooLong,
        Self::UnsupportedMediaType,
        Self::ForeignHost,
        Self::InvalidRequest,
        Self::KeyReused,
        Self::TooManyRuns,
        Self::HeadersTooLarge,
        Self::Internal,
        Self::Damaged,
        Self::TooBusy,
        Self::Unavailable,
        Self::Rests,
        Self::AnswerTimeout,
    ];

    /// The HTTP status.
    pub fn status(self) -> u16 {
        self.row().0
    }

    /// The command line's exit code for the same thing.
    pub fn code(self) -> u8 {
        self.row().1
    }

    /// The end of its type.
    pub fn slug(self) -> &'static str {
        self.row().2
    }

    /// Its title.
    pub fn title(self) -> &'static str {
        self.row().3
    }

    /// When it happens and what to do, in a sentence or two.
    pub fn about(self) -> &'static str {
        self.row().4
    }

    /// Its type: a reference to its line of `/docs`.
    pub fn uri(self) -> String {
        format!("/docs#problem-{}", self.slug())
    }

    /// One table: status, exit code, slug, title, explanation.
    #[rustfmt::skip]
    fn row(self) -> (u16, u8, &'static str, &'static str, &'static str) {
        match self {
            Self::BadRequest => (400, 2, "bad-request", "The request cannot be read", "A header or the query is not as documented."),
            Self::BadJson => (400, 2, "bad-json", "The body is not JSON", "The body is no JSON, names a key twice, or is nested deeper than 127 levels; the detail has line and column."),
            Self::Unauthorized => (401, 2, "unauthorized", "A token is needed", "Send the server's token as `Authorization: Bearer …`."),
            Self::ForeignOrigin => (403, 2, "foreign-origin", "Requests of this origin are refused", "A page of another origin has sent the request. Name the host in the configuration if it is yours."),
            Self::NotFound => (404, 2, "not-found", "There is nothing here", "No route has this path; `/openapi.json` lists all of them."),
            Self::NoSuchRun => (404, 2, "no-such-run", "There is no such run", "`GET /v1/runs` lists the runs of this home."),
            Self::NoSuchModel => (404, 2, "no-such-model", "There is no such model", "`GET /v1/models` lists them."),
            Self::MethodNotAllowed => (405, 2, "method-not-allowed", "The route does not know this method", "The header `Allow` lists those it knows."),
            Self::SlowRequest => (408, 2, "slow-request", "The request took too long to arrive", "Head and body have a time each, which the detail names."),
            Self::BodyTooLarge => (413, 2, "body-too-large", "The body is too large", "The detail names the limit."),
            Self::UriTooLong => (414, 2, "uri-too-long", "The path and query are too long", "The detail names the limit."),
            Self::UnsupportedMediaType => (415, 2, "unsupported-media-type", "The body is of an unknown type", "Send `Content-Type: application/json`, neither compressed nor encoded in another way."),
            Self::ForeignHost => (421, 2, "foreign-host", "Requests to this host are not answered here", "The header `Host` names neither this machine's loopback with the server's port nor a configured host."),
            Self::InvalidRequest => (422, 2, "invalid-request", "The request cannot be answered as it is", "It can be read, but is not of the documented form, or asks for what is not there; `pointer` leads to the place in a body."),
            Self::KeyReused => (422, 2, "key-reused", "The Idempotency-Key stands for another body", "A key belongs to the first body sent with it; take a new key for a new request."),
            Self::TooManyRuns => (429, 7, "too-many-runs", "Too many runs at once", "Try again after `Retry-After`; no run was opened."),
            Self::HeadersTooLarge => (431, 2, "headers-too-large", "The headers are too large", "The detail names the limit."),
            Self::Internal => (500, 1, "internal", "The server has made a mistake", "The server's log says more."),
            Self::Damaged => (500, 6, "damaged", "The run's journal is damaged", "`redraft verify` names the first bad fact; `redraft repair` restores what can be restored."),
            Self::TooBusy => (503, 7, "too-busy", "Too many requests at once", "Try again after `Retry-After`; nothing was done."),
            Self::Unavailable => (503, 1, "unavailable", "The server cannot work now", "It is stopping, or its store cannot be reached. Try again after `Retry-After`."),
            Self::Rests => (503, 130, "rests", "The run rests", "The run was stopped before it had an answer, and is kept; `instance` leads to it, `code` says why."),
            Self::AnswerTimeout => (504, 7, "answer-timeout", "The answer takes longer than the server waits", "The run goes on; `instance` leads to it. `Prefer: respond-async` does not wait at all."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_kind_has_a_slug_of_its_own_and_a_status_of_an_error() {
        let slugs: BTreeSet<_> = Kind::ALL.iter().map(|kind| kind.slug()).collect();
        assert_eq!(slugs.len(), Kind::ALL.len());
        assert!(Kind::ALL.iter().all(|kind| (400..600).contains(&kind.status())));
        assert!(Kind::ALL.iter().all(|kind| kind.code() > 0));
    }
}
