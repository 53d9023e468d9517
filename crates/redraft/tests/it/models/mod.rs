//! Reviews by models: the built binary against a provider on loopback.

mod canaries;
pub(crate) mod dice;
mod drafts;
mod drafts_left_behind;
mod drafts_of_several;
mod faults;
mod findings;
mod killing;
mod kills;
mod large_runs;
mod limits;
mod litellm;
mod money;
mod panels;
mod programs;
mod server_caps;
mod serving;
mod shared_cap;
mod side_by_side;
mod slips;
mod solve_kills;
mod solve_time;
mod solving;
mod standing;
mod stopping;
mod summaries;
mod unpriced;
mod waiting_for_people;

use crate::{
    provider::Provider,
    sandbox::{Ended, REDRAFT, Sandbox, ended},
};
use std::process::Command;

/// The key that every provider of these plays is given.
pub(super) const KEY: &str = "sk-canary-5f1e9c0b7a";

/// A workspace `w` whose user has a writer and a critic at this provider; `more` is added to the configuration.
pub(super) fn studio(provider: &Provider, more: &str) -> Sandbox {
    let sandbox = crate::scene::workspace();
    configure(&sandbox, provider, more);
    sandbox
}

/// Sets the user's configuration.
pub(super) fn configure(sandbox: &Sandbox, provider: &Provider, more: &str) {
    let agent = |name: &str| {
        format!(
            "[agents.{name}]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"{name}\"\n\
             base_url = \"{}\"\nkey = {{ env = \"TEST_KEY\" }}\nmax_output_tokens = 1000\n",
            provider.base_url()
        )
    };
    let text = format!(
        "{}{}{}[roles]\ncreator = \"writer\"\nreviewers = [\"critic\"]\n{more}",
        agent("writer"),
        agent("critic"),
        agent("critic2"),
    );
    sandbox.write("config/redraft/config.toml", text);
}

/// The program with the user's configuration and key.
pub(super) fn command(sandbox: &Sandbox, words: &str) -> Command {
    let mut command = sandbox.command(REDRAFT, words);
    command.env("XDG_CONFIG_HOME", sandbox.join("config")).env("TEST_KEY", KEY);
    command
}

/// Runs it and expects this exit code.
pub(super) fn expect(sandbox: &Sandbox, code: i32, words: &str) -> Ended {
    let ended = ended(&command(sandbox, words).output().unwrap());
    assert_eq!(ended.code, code, "redraft {words}\n{}\n{}", ended.out, ended.err);
    ended
}
