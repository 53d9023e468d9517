//! The address where a provider's API begins, as a person writes it.
//!
//! Invariant: an address that is taken holds no secret; no refusal repeats what was written, since it may hold one.
//! Absent here: versions and resources.

use reqwest::Url;

/// Why a text is no base address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// It cannot be read as an address.
    #[error("not an address")]
    NotAnAddress,
    /// Its scheme is neither http nor https, or it has no host.
    #[error("not an http or https address of a server")]
    NotAServer,
    /// It has a user name or a password.
    #[error("an address with credentials")]
    Credentials,
    /// It has a query or a fragment.
    #[error("an address with a query")]
    Query,
}

/// Reads a base address, and gives it back as it is shown, without a slash at its end.
///
/// # Errors
/// When it is none, or holds what could be secret.
pub fn base_url(text: &str) -> Result<String, BaseUrlError> {
    Ok(parse(text)?.as_str().trim_end_matches('/').to_owned())
}

pub(super) fn parse(text: &str) -> Result<Url, BaseUrlError> {
    let url = Url::parse(text.trim()).map_err(|_| BaseUrlError::NotAnAddress)?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(BaseUrlError::NotAServer);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(BaseUrlError::Credentials);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(BaseUrlError::Query);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_a_slash_at_its_end() {
        assert_eq!(base_url(" http://h:1/v1/ ").as_deref(), Ok("http://h:1/v1"));
    }

    #[test]
    fn what_is_no_plain_address_of_a_server_is_refused() {
        for (text, error) in [
            ("h", BaseUrlError::NotAnAddress),
            ("ftp://h", BaseUrlError::NotAServer),
            ("http://a:b@h", BaseUrlError::Credentials),
            ("http://h?key=x", BaseUrlError::Query),
        ] {
            assert_eq!(base_url(text), Err(error), "{text}");
        }
    }
}
