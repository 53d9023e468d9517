//! Why a server gives no list of its models, told apart so that a person can be told what helps.
//!
//! Invariant: no text here holds a key, even if the server sent it back.
//! Absent here: what helps.

use super::{
    KeyError,
    fault::{Fault, Refused, clean},
    unreached::Unreached,
};
use secrecy::SecretString;

/// Why there is no list of a server's models.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// There is no key to send.
    #[error("{0}")]
    Key(KeyError),
    /// The server refuses the key, or wants one.
    #[error("the key is refused (HTTP {0})")]
    KeyRefused(u16),
    /// The server wants fewer requests.
    #[error("fewer requests are wanted (HTTP 429)")]
    TooMany,
    /// The server answers, but has no list of models there.
    #[error("no models are listed (HTTP {0})")]
    NoList(u16),
    /// The server has a fault of its own.
    #[error("the server fails (HTTP {0})")]
    ServerFault(u16),
    /// Something else answers; what it says.
    #[error("it is not the server of a model: {0}")]
    OtherServer(String),
    /// The request cannot be made on this machine, in the words of what stops it.
    #[error("the request cannot be made: {0}")]
    Unmade(String),
    /// No secure connection comes about, in the words of TLS.
    #[error("no secure connection: {0}")]
    Tls(String),
    /// The name of the host is not known.
    #[error("the name of its host is not found")]
    NoName,
    /// Nothing listens there.
    #[error("nothing listens there")]
    Closed,
    /// The time was up.
    #[error("it did not answer in time")]
    Late,
    /// The connection fails otherwise, in the system's words.
    #[error("{0}")]
    Broken(String),
}

impl ListError {
    pub(super) fn of(fault: Fault, key: Option<&SecretString>) -> Self {
        let shown = |text: &str| clean(text, key);
        match fault {
            Fault::Key(error) => Self::Key(error),
            Fault::Refused(refused) => Self::refused(&refused),
            Fault::Request(cause) => Self::Unmade(shown(&cause)),
            Fault::Unreached { why, cause, .. } => match why {
                Unreached::Certificate | Unreached::Tls => Self::Tls(shown(&cause)),
                Unreached::NoName => Self::NoName,
                Unreached::Closed => Self::Closed,
                Unreached::Late => Self::Late,
                Unreached::Other => Self::Broken(shown(&cause)),
            },
            Fault::Broken(cause) => Self::Broken(shown(&cause)),
            Fault::Silent(_) => Self::Late,
            Fault::Redirected(target) => Self::OtherServer(format!("it redirects{target}")),
            Fault::OtherType { got, .. } => {
                Self::OtherServer(shown(&format!("it answers with {got}")))
            }
            Fault::Told(_)
            | Fault::TooLong { .. }
            | Fault::Unreadable(_)
            | Fault::Missing(_)
            | Fault::Cut
            | Fault::Ended(_)
            | Fault::Refusal(_)
            | Fault::Empty
            | Fault::Echo => Self::OtherServer("its answer is no list of models".to_owned()),
        }
    }

    fn refused(refused: &Refused) -> Self {
        match refused.status.as_u16() {
            _ if refused.is_about_the_key() => Self::KeyRefused(refused.status.as_u16()),
            429 => Self::TooMany,
            status @ 500.. => Self::ServerFault(status),
            status => Self::NoList(status),
        }
    }
}
