//! Why a server is not reached: the causes inside an error, told apart.
//!
//! Absent here: what follows from it.

use std::{error::Error, io};

/// Why a server is not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreached {
    /// Its certificate is not good, or this machine has none to check it with.
    Certificate,
    /// TLS does not come about otherwise.
    Tls,
    /// The name of its host is not known.
    NoName,
    /// Nothing listens there.
    Closed,
    /// The time was up.
    Late,
    /// Something else.
    Other,
}

impl Unreached {
    pub(super) fn of(error: &reqwest::Error) -> Self {
        let causes: Vec<&(dyn Error + 'static)> =
            std::iter::successors(error.source(), |cause| (*cause).source()).collect();
        if let Some(tls) = causes.iter().find_map(|cause| tls(*cause)) {
            let certificate = matches!(tls, rustls::Error::InvalidCertificate(_));
            return if certificate { Self::Certificate } else { Self::Tls };
        }
        if error.is_timeout() {
            return Self::Late;
        }
        let is_closed = |cause: &&(dyn Error + 'static)| {
            let io = cause.downcast_ref::<io::Error>();
            io.is_some_and(|io| io.kind() == io::ErrorKind::ConnectionRefused)
        };
        if causes.iter().any(is_closed) {
            return Self::Closed;
        }
        // The resolver's error has a private type; its first words are all there is.
        match causes.iter().any(|cause| cause.to_string().starts_with("dns error")) {
            true => Self::NoName,
            false => Self::Other,
        }
    }
}

/// An error of TLS hides inside errors of the system, sometimes several deep.
fn tls<'a>(cause: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        return Some(error);
    }
    tls(cause.downcast_ref::<io::Error>()?.get_ref()?)
}
