//! Reads one agent's table.
//!
//! Invariant: an agent is read whole from one table; a kind's keys are refused for another kind.
//! Absent here: whether the file may define it.

use super::{
    agent::{Agent, BUILT_IN, Defined, Input, LONGEST_REPLY, Launch, Llm, Program},
    complaint::Complaint,
    document::Show,
    key_table,
    origin::Sourced,
    paths, suggest,
    table::Table,
};
use redraft_agents::{
    Preset,
    llm::{self, KeySource, Provider},
};
use std::ops::Range;

const KINDS: [&str; 5] = ["llm", "command", "human", "offline", "scripted"];

/// Reads the agent with this name; what is wrong is noted by the table.
pub(super) fn read(mut table: Table<'_>, name: &str, span: &Range<usize>) -> Option<Defined> {
    let place = table.document.place(span, Show::Name);
    check_name(&table, name, span)?;
    let kind = table.text("kind");
    let kind = required(&mut table, "kind", kind)?;
    let agent = of_kind(&mut table, &kind)?;
    let keys = table.places().into_iter().collect();
    table.finish();
    Some(Defined { agent: agent?, place, keys })
}

fn check_name(table: &Table<'_>, name: &str, span: &Range<usize>) -> Option<()> {
    if BUILT_IN.contains(&name) {
        return table.refuse(span, format!("the agent {name} is built in and cannot be defined"));
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c);
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
        let message = "an agent's name has small letters, digits, _ and - only, 64 at most";
        return table.refuse(span, message.to_owned());
    }
    Some(())
}

/// The agent, if its kind is known; inside, `None` when something in it is wrong.
fn of_kind(table: &mut Table<'_>, kind: &Sourced<String>) -> Option<Option<Agent>> {
    let agent = match kind.value.as_str() {
        "llm" => llm(table).map(Agent::Llm),
        "command" => program(table).map(Agent::Command),
        "human" => Some(Agent::Human),
        "offline" => Some(Agent::Offline),
        "scripted" => Some(Agent::Scripted),
        other => {
            let near = suggest::did_you_mean(other, &KINDS);
            let message = format!("{}: there is no such kind; {near}", table.path("kind"));
            table.complain(Complaint::new(kind.origin.clone(), message));
            return None;
        }
    };
    Some(agent)
}

fn llm(table: &mut Table<'_>) -> Option<Llm> {
    let provider = table.word("provider", &Provider::ALL, Provider::name);
    let model = filled(table, "model");
    let family = filled(table, "family");
    let (given, base_url) = base_url(table);
    let key = key_table::read(table);
    let temperature = table.decimal("temperature", 0.0..=2.0);
    let max_output_tokens = table.whole("max_output_tokens", 1..=u64::from(u32::MAX));
    let stream = table.switch("stream");
    let json_schema = table.switch("json_schema");
    let provider = required(table, "provider", provider)?.value;
    let model = required(table, "model", model)?.value;
    if provider == Provider::Compatible && !given {
        table.missing("base_url");
        return None;
    }
    // A key by custom goes to its provider alone, never to an address that somebody typed.
    let by_custom = key_variable(provider).filter(|_| !given);
    let by_custom = by_custom.map(|name| KeySource::Env(name.to_owned()));
    Some(Llm {
        provider,
        model,
        family: family.map(|family| family.value),
        base_url,
        key: key.or(by_custom),
        temperature: temperature.map(|found| found.value),
        max_output_tokens: max_output_tokens.and_then(|found| found.value.try_into().ok()),
        stream: stream.is_none_or(|found| found.value),
        json_schema: json_schema.is_none_or(|found| found.value),
    })
}

const OPENAI: &str = "OPENAI_API_KEY";
const ANTHROPIC: &str = "ANTHROPIC_API_KEY";
const GEMINI: &str = "GEMINI_API_KEY";

/// The variables that hold keys by custom.
pub(crate) const KEYS: [&str; 3] = [OPENAI, ANTHROPIC, GEMINI];

/// The variable that holds the key by custom.
fn key_variable(provider: Provider) -> Option<&'static str> {
    match provider {
        Provider::OpenAi => Some(OPENAI),
        Provider::Anthropic => Some(ANTHROPIC),
        Provider::Gemini => Some(GEMINI),
        Provider::Ollama | Provider::Compatible => None,
    }
}

fn program(table: &mut Table<'_>) -> Option<Program> {
    let preset = table.word("preset", &Preset::ALL, Preset::name);
    let program = filled(table, "program");
    let args = table.texts("args");
    let input = table.word("input", &Input::ALL, Input::name);
    let env = table.texts("env");
    let bytes = table.whole("max_output_bytes", 1..=1_000_000_000);
    let timeout_seconds = table.whole("timeout_seconds", 1..=86_400);
    let edits = table.switch("edits");
    let launch = match (preset, program) {
        (Some(preset), None) => Launch::Preset(preset.value),
        (None, Some(program)) => {
            Launch::Program(paths::program(&program.value, table.document.folder()))
        }
        (Some(_), Some(program)) => {
            let message =
                format!("{}: give a preset or a program, not both", table.path("program"));
            table.complain(Complaint::new(program.origin, message));
            return None;
        }
        (None, None) => {
            if table.find("preset").or(table.find("program")).is_none() {
                table.missing("program");
            }
            return None;
        }
    };
    let env = env.map_or_else(Vec::new, |env| env.value);
    if let Some(name) = env.iter().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
        let place = table.find("env").map(|(_, span)| span)?;
        let message = format!("{}: expected names of variables", table.path("env"));
        let help = if name.contains('=') { "values are not given here" } else { "a name is empty" };
        return table.refuse_hidden(&place, message, help);
    }
    Some(Program {
        launch,
        args: args.map_or_else(Vec::new, |args| args.value),
        input: input.map(|input| input.value),
        env,
        max_output_bytes: bytes.map_or(LONGEST_REPLY, |bytes| bytes.value),
        timeout_seconds: timeout_seconds.map(|seconds| seconds.value),
        edits: edits.is_none_or(|edits| edits.value),
    })
}

/// A text that is not empty.
fn filled(table: &mut Table<'_>, key: &'static str) -> Option<Sourced<String>> {
    let text = table.text(key)?;
    if text.value.trim().is_empty() {
        let message = format!("{}: empty", table.path(key));
        table.complain(Complaint::new(text.origin, message));
        return None;
    }
    Some(text)
}

/// Whether an address is given, and the address.
fn base_url(table: &mut Table<'_>) -> (bool, Option<String>) {
    let Some((_, span)) = table.find("base_url") else { return (false, None) };
    let Some(text) = table.text("base_url") else { return (true, None) };
    match llm::base_url(&text.value) {
        Ok(url) => (true, Some(url)),
        Err(error) => {
            let help = "expected http:// or https://, a host, and perhaps a path";
            let message = format!("{}: {error}", table.path("base_url"));
            (true, table.refuse_hidden(&span, message, help))
        }
    }
}

/// Notes a key that must be there, unless something was wrong with it already.
fn required<T>(table: &mut Table<'_>, key: &'static str, found: Option<T>) -> Option<T> {
    if found.is_none() && table.find(key).is_none() {
        table.missing(key);
    }
    found
}
