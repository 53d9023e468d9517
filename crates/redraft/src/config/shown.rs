//! A configuration as a flat list of keys, values and origins, to be shown.
//!
//! Invariant: no key and no argument that may hold one is in it.
//! Absent here: printing.

use super::{
    Config,
    agent::{Agent, Defined, Launch, Llm, Program},
    gated,
    layer::Caps,
    money::MicroUsd,
    origin::{Origin, Sourced},
};
use redraft_agents::llm::KeySource;
use serde_json::{Value, json};

/// One key with its value and its origin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    /// Dotted, as TOML writes it.
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

impl Config {
    /// Every value that is in force.
    pub(crate) fn settings(&self) -> Vec<Setting> {
        let mut list: Vec<Setting> = Vec::new();
        for (name, defined) in &self.agents {
            list.extend(agent(name, defined));
        }
        list.push(setting("roles.creator", &self.creator));
        list.push(setting("roles.reviewers", &self.reviewers));
        list.push(setting("roles.planner", &self.planner));
        list.push(setting("roles.generator", &self.generator));
        list.push(setting("roles.critics", &self.critics));
        list.extend(self.architect.iter().map(|name| setting("roles.architect", name)));
        list.extend(self.builder.iter().map(|name| setting("roles.builder", name)));
        list.extend(self.gated.iter().map(|(role, name)| setting(gated::key(*role), name)));
        for (name, lens) in &self.lenses {
            list.push(setting(format!("lenses.{name}"), lens));
        }
        list.extend(caps("budget", &self.run));
        list.push(setting("budget.call_seconds", &self.call_seconds));
        list.extend(self.total_seconds.iter().map(|s| setting("budget.total_seconds", s)));
        list.extend(caps("budget.home", &self.home));
        for (model, price) in &self.prices {
            let model = word(model);
            list.push(money(format!("prices.{model}.input"), &price.input));
            list.push(money(format!("prices.{model}.output"), &price.output));
        }
        list.push(setting("review.max_iterations", &self.max_iterations));
        list.push(setting("review.stop_on_stagnation", &self.stop_on_stagnation));
        list.extend(self.protected.iter().map(|pattern| setting("pair.protected", pattern)));
        list.push(setting("pair.check_seconds", &self.check_seconds));
        list
    }
}

fn setting<T: Clone + Into<Value>>(key: impl Into<String>, sourced: &Sourced<T>) -> Setting {
    let Sourced { value, origin } = sourced.clone();
    Setting { key: key.into(), value: value.into(), origin }
}

fn money(key: impl Into<String>, sourced: &Sourced<MicroUsd>) -> Setting {
    // Shown only: what counts are the micro-dollars.
    let value = sourced.value.to_string().parse::<f64>().map_or(Value::Null, Value::from);
    Setting { key: key.into(), value, origin: sourced.origin.clone() }
}

fn caps(table: &str, caps: &Caps) -> Vec<Setting> {
    let calls = caps.calls.iter().map(|cap| setting(format!("{table}.calls"), cap));
    let tokens = caps.tokens.iter().map(|cap| setting(format!("{table}.tokens"), cap));
    let usd = caps.usd.iter().map(|cap| money(format!("{table}.usd"), cap));
    calls.chain(tokens).chain(usd).collect()
}

fn agent(name: &str, defined: &Defined) -> Vec<Setting> {
    let mut pairs = vec![("kind", json!(defined.agent.kind()))];
    match &defined.agent {
        Agent::Llm(llm) => pairs.extend(of_llm(llm)),
        Agent::Command(program) => pairs.extend(of_program(program)),
        Agent::Human | Agent::Offline | Agent::Scripted => {}
    }
    let shown = |(key, value): (&'static str, Value)| {
        let place = defined.keys.get(key).cloned();
        let origin = place.map_or(Origin::BuiltIn, Origin::File);
        Setting { key: format!("agents.{name}.{key}"), value, origin }
    };
    pairs.into_iter().filter(|(_, value)| !value.is_null()).map(shown).collect()
}

fn of_llm(llm: &Llm) -> Vec<(&'static str, Value)> {
    let url = llm.base_url.as_deref().or_else(|| llm.provider.base_url());
    vec![
        ("provider", json!(llm.provider.name())),
        ("model", json!(llm.model)),
        ("family", json!(llm.family)),
        ("base_url", json!(url)),
        ("key", llm.key.as_ref().map_or(Value::Null, key)),
        ("temperature", json!(llm.temperature)),
        ("max_output_tokens", json!(llm.max_output_tokens)),
        ("stream", json!(llm.stream)),
        ("json_schema", json!(llm.json_schema)),
    ]
}

fn key(source: &KeySource) -> Value {
    match source {
        KeySource::Env(name) => json!({ "env": name }),
        KeySource::File(path) => json!({ "file": path.display().to_string() }),
        KeySource::Command { program, arguments, timeout: _ } => {
            let program = program.display().to_string();
            let hidden = arguments.iter().map(|_| "…".to_owned());
            json!({ "command": std::iter::once(program).chain(hidden).collect::<Vec<_>>() })
        }
    }
}

fn of_program(program: &Program) -> Vec<(&'static str, Value)> {
    let launch = match &program.launch {
        Launch::Preset(preset) => ("preset", json!(preset.name())),
        Launch::Program(path) => ("program", json!(path.display().to_string())),
    };
    vec![
        launch,
        ("args", json!(shown_args(&program.args))),
        ("input", json!(program.input.map(super::agent::Input::name))),
        ("env", json!(program.env)),
        ("max_output_bytes", json!(program.max_output_bytes)),
        ("timeout_seconds", json!(program.timeout_seconds)),
        ("edits", json!(program.edits)),
    ]
}

/// Whether a flag or a variable of this name probably has a secret.
pub(crate) fn sounds_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    ["key", "token", "secret", "password", "auth", "header", "credential"]
        .iter()
        .any(|word| name.contains(word))
}

/// Arguments without what follows a flag that sounds like a secret.
fn shown_args(args: &[String]) -> Vec<String> {
    let mut hide_next = false;
    let shown = args.iter().map(|arg| {
        let hidden = std::mem::take(&mut hide_next);
        let (flag, value) = arg.split_once('=').map_or((arg.as_str(), None), |(f, v)| (f, Some(v)));
        let secret = sounds_secret(flag);
        hide_next = secret && value.is_none() && flag.starts_with('-');
        match (hidden, secret && value.is_some()) {
            (true, _) => "…".to_owned(),
            (false, true) => format!("{flag}=…"),
            (false, false) => arg.clone(),
        }
    });
    shown.collect()
}

/// A part of a dotted key, in quotes where TOML wants them.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => Value::from(text).to_string(),
    }
}

/// A value as TOML writes it.
pub(crate) fn toml_text(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(toml_text).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{key} = {}", toml_text(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown_args;

    #[test]
    fn arguments_that_sound_secret_are_hidden() {
        let args = ["--model", "x", "--api-key", "CANARY", "--token=CANARY", "-v", "key"];
        let args = args.map(str::to_owned);
        let shown = shown_args(&args).join(" ");
        assert_eq!(shown, "--model x --api-key … --token=… -v key");
    }
}
