//! Where a model is served: the base address, and the addresses of its resources.
//!
//! Invariant: an address holds no secret, so it may stand in messages.

use super::{Model, ModelError, base_url};
use reqwest::Url;
use std::net::IpAddr;

/// Where a model is served.
#[derive(Debug, Clone)]
pub(super) struct Endpoint {
    base: Url,
    version: Option<&'static str>,
    /// Whether the provider itself serves it.
    pub own: bool,
}

impl Endpoint {
    pub(super) fn of(model: &Model) -> Result<Self, ModelError> {
        let name = || model.model.clone();
        let own = model.provider.base_url();
        let told =
            model.base_url.as_deref().or(own).ok_or_else(|| ModelError::NoBaseUrl(name()))?;
        let base = base_url::parse(told).map_err(|error| ModelError::BaseUrl(name(), error))?;
        let own = own.and_then(|own| Url::parse(own).ok()).is_some_and(|own| own == base);
        Ok(Self { base, version: model.provider.version(), own })
    }

    /// The address of a resource; the version comes before it unless the base address ends in it.
    pub(super) fn resource(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        let has_version = url.path_segments().is_some_and(|mut segments| {
            segments.rfind(|segment| !segment.is_empty()) == self.version
        });
        // An http address always has a path.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty();
            segments.extend(self.version.filter(|_| !has_version)).extend(path);
        }
        url
    }

    /// Whether TLS is spoken.
    pub(super) fn tls(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// Whether it is this machine.
    pub(super) fn loopback(&self) -> bool {
        let host = self.base.host_str().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let address = bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        address || host == "localhost" || host.ends_with(".localhost")
    }

    /// The server, for messages.
    pub(super) fn server(&self) -> String {
        origin(&self.base)
    }
}

/// Scheme, host and port of an address, which hold no secret.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{Provider, agent::tests::model};

    fn endpoint(provider: Provider, base: &str) -> Result<Endpoint, ModelError> {
        Endpoint::of(&Model { base_url: Some(base.into()), ..model(provider, "some-model") })
    }

    #[track_caller]
    fn check(provider: Provider, base: &str, path: &[&str], expected: &str) {
        assert_eq!(endpoint(provider, base).unwrap().resource(path).as_str(), expected);
    }

    #[test]
    fn a_path_may_stand_before_the_version_and_the_version_may_be_given() {
        let (anthropic, openai) = (Provider::Anthropic, Provider::Compatible);
        check(anthropic, "http://h:1", &["messages"], "http://h:1/v1/messages");
        check(anthropic, "http://h:1/", &["messages"], "http://h:1/v1/messages");
        check(anthropic, "http://h:1/v1/", &["messages"], "http://h:1/v1/messages");
        check(anthropic, "http://h:1/a/b", &["messages"], "http://h:1/a/b/v1/messages");
        check(
            openai,
            "http://h:1/x/v1",
            &["chat", "completions"],
            "http://h:1/x/v1/chat/completions",
        );
        check(openai, "http://h:1/", &["models"], "http://h:1/models");
    }

    #[test]
    fn a_models_name_cannot_leave_its_place_in_the_path() {
        let path = &["models", "../x?y#z:generateContent"];
        let expected = "http://h:1/v1beta/models/..%2Fx%3Fy%23z:generateContent";
        check(Provider::Gemini, "http://h:1", path, expected);
    }

    #[test]
    fn addresses_with_secrets_or_of_other_schemes_are_refused_without_showing_them() {
        for base in
            ["http://a:canary@h", "http://h/?key=canary", "canary", "ftp://h/canary", "http:"]
        {
            let refused = endpoint(Provider::OpenAi, base).unwrap_err().to_string();
            assert!(!refused.contains("canary"), "{refused}");
        }
        let model = Model { base_url: None, ..model(Provider::Compatible, "m") };
        assert_eq!(Endpoint::of(&model).unwrap_err(), ModelError::NoBaseUrl("m".into()));
    }

    #[test]
    fn this_machine_is_known_by_name_and_by_number() {
        for base in
            ["http://localhost:1", "http://127.9.9.9", "http://[::1]:8/v1", "http://a.localhost"]
        {
            assert!(endpoint(Provider::OpenAi, base).unwrap().loopback(), "{base}");
        }
        for base in ["http://localhost.example", "http://10.0.0.1", "https://api.openai.com/v1"] {
            assert!(!endpoint(Provider::OpenAi, base).unwrap().loopback(), "{base}");
        }
    }
}
