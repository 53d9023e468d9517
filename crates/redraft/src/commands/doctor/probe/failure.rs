//! What a failed request means: the causes inside its error, told apart.
//!
//! Invariant: no address and no header of the request is repeated.

use super::{Probe, Unreachable};
use std::{error::Error, io};

/// The outcome of a request that got no answer.
pub(super) fn of(error: &reqwest::Error) -> Probe {
    let causes: Vec<&(dyn Error + 'static)> = causes(error).collect();
    if let Some(cause) = causes.iter().find_map(|cause| tls(*cause)) {
        return Probe::Tls { cause };
    }
    if error.is_timeout() {
        return Probe::Unreachable(Unreachable::Late);
    }
    let refused = |cause: &&(dyn Error + 'static)| {
        let io = cause.downcast_ref::<io::Error>();
        io.is_some_and(|io| io.kind() == io::ErrorKind::ConnectionRefused)
    };
    if causes.iter().any(refused) {
        return Probe::Unreachable(Unreachable::Refused);
    }
    // The resolver's error has a private type; its first words are all there is.
    if causes.iter().any(|cause| cause.to_string().starts_with("dns error")) {
        return Probe::Unreachable(Unreachable::NoName);
    }
    // The outermost error names the address; the innermost is the system's or the protocol's own.
    let innermost = causes.last().map_or("the request failed".to_owned(), ToString::to_string);
    match error.is_builder() {
        true => Probe::Tls { cause: innermost },
        false => Probe::Unreachable(Unreachable::Other(innermost)),
    }
}

/// The causes of an error, without itself.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause| (*cause).source())
}

/// An error of TLS hides inside errors of the system, sometimes several deep.
fn tls(cause: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        return Some(error.to_string());
    }
    let inside = cause.downcast_ref::<io::Error>()?.get_ref()?;
    tls(inside)
}
