//! A language model: its key, its server, and whether the server has it.

use super::super::{
    check::Check,
    probe::{self, Probe, Unreachable},
};
use crate::config::{KeySource, Llm, Provider, Secret};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(5);

/// What stands in the way of a model, or that nothing does.
pub(super) async fn checks(name: String, llm: &Llm) -> Vec<Check> {
    let Some(url) = llm.base_url.as_deref().or(Provider::own_url(llm.provider)) else {
        return vec![Check::error(name, "no address", "set base_url")];
    };
    let mut checks: Vec<Check> = llm.key.iter().filter_map(|key| exposed(&name, key)).collect();
    let key = match &llm.key {
        None => None,
        Some(source) => match source.obtain().await {
            Ok(key) => Some(key),
            Err(error) => {
                checks.push(Check::error(name, error.to_string(), fix_source(source)));
                return checks;
            }
        },
    };
    if key.is_some() && url.starts_with("http:") && !probe::is_loopback(url) {
        let found = format!("the key goes to {url} unencrypted");
        checks.push(Check::warning(&name, found, "use https in base_url"));
    }
    checks.push(asked(name, llm, url, key.as_ref()).await);
    checks
}

fn exposed(name: &str, source: &KeySource) -> Option<Check> {
    let found = source.exposure()?;
    Some(Check::warning(name, found, "chmod 600 the file"))
}

fn fix_source(source: &KeySource) -> String {
    match source {
        KeySource::Variable(name) => {
            format!("set {name} in your environment, or name another source in `key`")
        }
        KeySource::File(path) => {
            format!("write the key, and nothing else, to {}; chmod 600", path.display())
        }
        KeySource::Command { program, .. } => {
            format!(
                "run the command yourself: {} must print the key in its first line",
                program.display()
            )
        }
    }
}

async fn asked(name: String, llm: &Llm, url: &str, key: Option<&Secret>) -> Check {
    let whence = match &llm.key {
        Some(source) => format!("the key from {source}"),
        None => "no key".to_owned(),
    };
    match probe::probe(llm.provider, url, key, PATIENCE).await {
        Probe::Accepted { models } => listed(name, llm, url, &models),
        Probe::KeyRefused { status } => {
            let found = format!("{url} refuses {whence} (HTTP {status})");
            Check::error(name, found, fix_key(llm.key.as_ref()))
        }
        Probe::TooMany => {
            let found = format!("{url} answers, and wants fewer requests (HTTP 429)");
            Check::warning(name, found, "wait, or look at the account's limits and credit")
        }
        Probe::NoList { status } => {
            let found = format!(
                "{url} answers, but lists no models (HTTP {status}); the key is not checked"
            );
            Check::warning(name, found, "check base_url: its path usually ends with /v1")
        }
        Probe::ServerFault { status } => {
            let found = format!("{url} fails (HTTP {status})");
            Check::error(name, found, "try again later; it is the server's fault")
        }
        Probe::OtherServer { what } => {
            let found = format!("{url} is not the server of a model: {what}");
            Check::error(name, found, "correct base_url; redirects are not followed")
        }
        Probe::Tls { cause } => {
            let found = format!("no secure connection to {url}: {cause}");
            let fix = "check the clock and the certificates of this machine, and that base_url is not meant to be http";
            Check::error(name, found, fix)
        }
        Probe::Unreachable(why) => unreachable(name, llm.provider, url, &why),
    }
}

fn fix_key(source: Option<&KeySource>) -> String {
    match source {
        Some(source) => format!("put a valid key of this provider into {source}"),
        None => "name the source of a key: key = { env = \"NAME\" }".to_owned(),
    }
}

fn listed(name: String, llm: &Llm, url: &str, models: &[String]) -> Check {
    let wanted = llm.model.as_str();
    // Ollama names the newest version of a model also without its tag.
    let is_it = |found: &String| found == wanted || found.strip_suffix(":latest") == Some(wanted);
    if models.iter().any(is_it) {
        return Check::ok(name, format!("{wanted} at {url}"));
    }
    let near = crate::config::nearest(wanted, models.iter().map(String::as_str));
    let fix = match (near, llm.provider) {
        (Some(near), _) => format!("did you mean {near:?}?"),
        (None, Provider::Ollama) => format!("ollama pull {wanted}"),
        (None, _) => "correct `model`, or ask the provider for access to it".to_owned(),
    };
    Check::warning(name, format!("{url} works, but does not list {wanted}"), fix)
}

fn unreachable(name: String, provider: Provider, url: &str, why: &Unreachable) -> Check {
    let (cause, fix) = match why {
        Unreachable::NoName => {
            ("the name of its host is not found", "check the network, or the host in base_url")
        }
        Unreachable::Refused if provider == Provider::Ollama => {
            ("nothing listens there", "start it: ollama serve")
        }
        Unreachable::Refused => ("nothing listens there", "start the server, or correct base_url"),
        Unreachable::Late => {
            ("it did not answer within 5 s", "check the network, a firewall or a proxy")
        }
        Unreachable::Other(cause) => (cause.as_str(), "check the network"),
    };
    Check::error(name, format!("{url} cannot be reached: {cause}"), fix)
}
