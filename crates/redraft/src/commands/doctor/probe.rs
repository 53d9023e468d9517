//! Asks a provider for its list of models, which is free and needs the key.
//!
//! Invariant: one request, no redirect; the key goes to the address that is configured and stands in no
//! outcome, since outcomes hold no text of ours that had it.
//! Absent here: what an outcome means for a person.

mod failure;
mod list;

use crate::config::{Provider, Secret};
use reqwest::{
    Client, RequestBuilder, Response, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderValue},
};
use std::{net::IpAddr, time::Duration};

/// How a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Probe {
    /// It knows the key, and has these models.
    Accepted { models: Vec<String> },
    /// It refuses the key.
    KeyRefused { status: u16 },
    /// It wants fewer requests.
    TooMany,
    /// It answers, but has no list of models there.
    NoList { status: u16 },
    /// It has a fault of its own.
    ServerFault { status: u16 },
    /// Something else answers.
    OtherServer { what: String },
    /// No secure connection comes about.
    Tls { cause: String },
    /// Nothing answers.
    Unreachable(Unreachable),
}

/// Why nothing answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unreachable {
    /// The host's name is not known.
    NoName,
    /// Nothing listens there.
    Refused,
    /// The time was up.
    Late,
    /// Something else, in the system's words.
    Other(String),
}

/// A list of models is shorter.
const LONGEST: usize = 8 * 1024 * 1024;

/// Asks the server at an address, within a deadline.
pub(super) async fn probe(
    provider: Provider,
    base_url: &str,
    key: Option<&Secret>,
    deadline: Duration,
) -> Probe {
    let client = match client(base_url) {
        Ok(client) => client,
        Err(error) => return failure::of(&error),
    };
    let asking = async {
        match request(&client, provider, base_url, key).send().await {
            Ok(response) => answer(response, provider).await,
            Err(error) => failure::of(&error),
        }
    };
    match tokio::time::timeout(deadline, asking).await {
        Ok(probe) => probe,
        Err(_) => Probe::Unreachable(Unreachable::Late),
    }
}

/// Whether an address is on this machine.
pub(super) fn is_loopback(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let Some(host) = url.host_str() else { return false };
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn client(base_url: &str) -> reqwest::Result<Client> {
    // A second installation is refused and changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder().redirect(reqwest::redirect::Policy::none());
    // No proxy can reach this machine's own servers.
    let builder = if is_loopback(base_url) { builder.no_proxy() } else { builder };
    builder.build()
}

fn request(
    client: &Client,
    provider: Provider,
    base_url: &str,
    key: Option<&Secret>,
) -> RequestBuilder {
    let base_url = base_url.trim_end_matches('/');
    let request = match provider {
        Provider::OpenAi | Provider::Compatible => client.get(format!("{base_url}/models")),
        Provider::Anthropic => client
            .get(format!("{base_url}/models?limit=1000"))
            .header("anthropic-version", "2023-06-01"),
        Provider::Gemini => client.get(format!("{base_url}/models?pageSize=1000")),
        // Its own protocol stands beside the `/v1` of the one it shares with others.
        Provider::Ollama => {
            let root = base_url.strip_suffix("/v1").unwrap_or(base_url);
            client.get(format!("{root}/api/tags"))
        }
    };
    let Some(key) = key else { return request };
    let (name, value) = match provider {
        Provider::OpenAi | Provider::Compatible | Provider::Ollama => {
            ("authorization", format!("Bearer {}", key.expose()))
        }
        Provider::Anthropic => ("x-api-key", key.expose().to_owned()),
        Provider::Gemini => ("x-goog-api-key", key.expose().to_owned()),
    };
    match HeaderValue::from_str(&value) {
        Ok(mut value) => {
            value.set_sensitive(true);
            request.header(name, value)
        }
        // A secret is checked to be visible ASCII, so this does not come about.
        Err(_) => request,
    }
}

async fn answer(response: Response, provider: Provider) -> Probe {
    let status = response.status();
    let number = status.as_u16();
    if status.is_redirection() {
        return Probe::OtherServer { what: format!("it redirects (HTTP {number})") };
    }
    if status.is_server_error() {
        return Probe::ServerFault { status: number };
    }
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_html = kind.is_some_and(|kind| kind.starts_with("text/html"));
    let body = match read(response).await {
        Ok(body) => body,
        Err(probe) => return probe,
    };
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Probe::KeyRefused { status: number },
        // Gemini calls a wrong key a wrong request.
        StatusCode::BAD_REQUEST if list::says_wrong_key(&body) => {
            Probe::KeyRefused { status: number }
        }
        StatusCode::TOO_MANY_REQUESTS => Probe::TooMany,
        _ if is_html => Probe::OtherServer { what: format!("an HTML page (HTTP {number})") },
        _ if status.is_success() => match list::models(provider, &body) {
            Some(models) => Probe::Accepted { models },
            None => Probe::OtherServer { what: "its answer is no list of models".to_owned() },
        },
        _ => Probe::NoList { status: number },
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, Probe> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() <= LONGEST => {
                body.extend_from_slice(&chunk);
            }
            Ok(Some(_)) => {
                return Err(Probe::OtherServer { what: "its answer has no end".to_owned() });
            }
            Ok(None) => return Ok(body),
            Err(error) => return Err(failure::of(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn this_machines_addresses_are_told_from_others() {
        for url in
            ["http://127.0.0.1:1/v1", "http://localhost", "http://[::1]:80/", "http://127.9.9.9"]
        {
            assert!(is_loopback(url), "{url}");
        }
        for url in
            ["http://10.0.0.1", "http://localhost.example.org", "https://example.org/127.0.0.1"]
        {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
