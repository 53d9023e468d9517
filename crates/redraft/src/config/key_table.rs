//! Reads where an agent's key comes from.
//!
//! Invariant: what stands here by mistake is never repeated, since it may be the key itself.
//! Absent here: getting the key.

use super::{paths, table::Table};
use redraft_agents::llm::KeySource;
use std::time::Duration;
use toml::de::DeValue;

const HELP: &str = "say where the key comes from: { env = \"NAME\" }, { file = \"PATH\" } or { command = [\"PROGRAM\", \"ARGUMENT\"] }";

/// A password store may ask a person for its passphrase.
const PATIENCE: Duration = Duration::from_secs(30);

/// The source of the key of an agent's table.
pub(super) fn read(agent: &mut Table<'_>) -> Option<KeySource> {
    let (value, span) = agent.find("key")?;
    if matches!(value, DeValue::String(_)) {
        let message =
            format!("{}: a key itself never stands in a configuration", agent.path("key"));
        let help = format!("{HELP}; if this was a real key, replace it with its provider");
        return agent.refuse_hidden(&span, message, &help);
    }
    let mut table = agent.table("key")?;
    let variable = table.find("env").and_then(|_| table.text("env"));
    let file = table.find("file").and_then(|_| table.text("file"));
    let command = table.find("command").and_then(|_| table.texts("command"));
    let refuse =
        |what: &str| agent.refuse_hidden(&span, format!("{}: {what}", agent.path("key")), HELP);
    let source = match (variable, file, command) {
        (Some(name), None, None) if is_variable(&name.value) => Some(KeySource::Env(name.value)),
        (Some(_), None, None) => refuse("`env` is no name of a variable: capitals, digits and _"),
        (None, Some(path), None) if !path.value.is_empty() => {
            Some(KeySource::File(paths::file(&path.value, table.document.folder())))
        }
        (None, None, Some(words)) => match words.value.split_first() {
            Some((program, args)) if !program.is_empty() => {
                let program = paths::program(program, table.document.folder());
                Some(KeySource::Command { program, arguments: args.to_vec(), timeout: PATIENCE })
            }
            Some(_) | None => refuse("`command` names no program"),
        },
        _ => refuse("expected exactly one of `env`, `file` and `command`"),
    };
    table.finish();
    source
}

/// Keys have small letters in most cases, so that a key given as a name is told from one.
fn is_variable(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') && name.chars().all(plain)
}
