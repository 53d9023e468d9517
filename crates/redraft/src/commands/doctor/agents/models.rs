//! A language model: its key, its server, and whether the server has it.

use super::super::check::Check;
use crate::{config::Llm, players::model};
use redraft_agents::llm::{Connections, KeySource, ListError, LlmAgent, Provider};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(5);

/// What stands in the way of a model, or that nothing does.
pub(super) async fn checks(name: String, llm: &Llm, connections: &Connections) -> Vec<Check> {
    let agent = match LlmAgent::new(model::of(llm, None), connections) {
        Ok(agent) => agent,
        Err(error) => return vec![Check::error(name, error.to_string(), "correct the agent")],
    };
    let url = llm.base_url.as_deref().or(llm.provider.base_url()).unwrap_or_default();
    let exposed = llm.key.as_ref().and_then(KeySource::exposure);
    let exposed = exposed.map(|found| Check::warning(&name, found, "chmod 600 the file"));
    let mut checks: Vec<Check> = exposed.into_iter().collect();
    if agent.bares_its_key() {
        let found = format!("the key goes to {url} unencrypted");
        checks.push(Check::warning(&name, found, "use https in base_url"));
    }
    checks.push(match agent.list_models(PATIENCE).await {
        Ok(models) => listed(name, llm, url, &models),
        Err(error) => unlisted(name, llm, url, &error),
    });
    checks
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

/// Each cause with what helps.
fn unlisted(name: String, llm: &Llm, url: &str, error: &ListError) -> Check {
    let unreached = |fix| Check::error(&name, format!("{url} cannot be reached: {error}"), fix);
    match error {
        ListError::Key(error) => {
            Check::error(name, error.to_string(), llm.key.as_ref().map_or_else(no_key, fix_source))
        }
        ListError::KeyRefused(status) => {
            let key = llm.key.as_ref().map(KeySource::place);
            let whence =
                key.as_ref().map_or("no key".to_owned(), |at| format!("the key from {at}"));
            let valid = |at| format!("put a valid key of this provider into {at}");
            let found = format!("{url} refuses {whence} (HTTP {status})");
            Check::error(name, found, key.map_or_else(no_key, valid))
        }
        ListError::TooMany => {
            let found = format!("{url} answers, and wants fewer requests (HTTP 429)");
            Check::warning(name, found, "wait, or look at the account's limits and credit")
        }
        ListError::NoList(status) => {
            let found = format!("{url} answers, but lists no models (HTTP {status})");
            Check::warning(name, format!("{found}; the key is not checked"), fix_path(llm.provider))
        }
        ListError::ServerFault(status) => {
            let found = format!("{url} fails (HTTP {status})");
            Check::error(name, found, "try again later; it is the server's fault")
        }
        ListError::OtherServer(what) => {
            let found = format!("{url} is not the server of a model: {what}");
            Check::error(name, found, "correct base_url; redirects are not followed")
        }
        ListError::Tls(cause) | ListError::Unmade(cause) => {
            let found = format!("no secure connection to {url}: {cause}");
            let fix = "check the clock and the certificates of this machine, and that base_url is not meant to be http";
            Check::error(name, found, fix)
        }
        ListError::NoName => unreached("check the network, or the host in base_url"),
        ListError::Closed if llm.provider == Provider::Ollama => {
            unreached("start it: ollama serve")
        }
        ListError::Closed => unreached("start the server, or correct base_url"),
        ListError::Late => unreached("check the network, a firewall or a proxy"),
        ListError::Broken(_) => unreached("check the network"),
    }
}

fn no_key() -> String {
    "name the source of a key: key = { env = \"NAME\" }".to_owned()
}

fn fix_source(source: &KeySource) -> String {
    match source {
        KeySource::Env(name) => {
            format!("set {name} in your environment, or name another source in `key`")
        }
        KeySource::File(path) => {
            format!("write the key, and nothing else, to {}; chmod 600", path.display())
        }
        KeySource::Command { program, .. } => {
            let program = program.display();
            format!("run the command yourself: {program} must print the key in its first line")
        }
    }
}

fn fix_path(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi | Provider::Compatible => "check base_url: its path usually ends with /v1",
        Provider::Anthropic | Provider::Gemini | Provider::Ollama => {
            "check base_url: the version is not part of it"
        }
    }
}
