//! Programs of others against the running server: OpenAI's client for Python, and schemathesis, which makes requests up
//! from the interface's own description.
//!
//! The test command installs both for deep runs and names their folder in `REDRAFT_HTTP_CLIENTS`; without that, nothing
//! is played. Answers come from the offline agent.

use super::Server;
use crate::sandbox::Sandbox;
use std::{
    path::PathBuf,
    process::{Command, Output},
    time::Instant,
};

const CLIENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/tests/clients/");
/// How many seconds requests are made up for.
const SECONDS: &str = "120";

/// The folder of their programs, if there is one.
fn installed() -> Option<PathBuf> {
    let folder = std::env::var_os("REDRAFT_HTTP_CLIENTS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!(
            "SKIPPED: REDRAFT_HTTP_CLIENTS names no folder of clients; `cargo xtask test --deep` installs them"
        );
    }
    folder
}

fn house() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    sandbox
}

/// What it said, when it was content.
fn content(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{said}");
    said
}

#[test]
fn openais_client_is_answered_whole_and_streamed_and_raises_its_own_exceptions() {
    let Some(folder) = installed() else { return };
    for token in [None, Some("t0ken")] {
        let sandbox = house();
        let variables: Vec<_> =
            token.map(|token| ("REDRAFT_SERVER_TOKEN", token)).into_iter().collect();
        let server = Server::with(&sandbox, "", &variables);
        let mut python = sandbox.command(folder.join("python").to_str().unwrap(), "-B");
        python
            .arg(format!("{CLIENTS}openai_client.py"))
            .arg(format!("http://{}/v1", server.address));
        let said = content(python.args(token));
        assert!(said.ends_with("the OpenAI client is content\n"), "{said}");
        eprintln!("OpenAI's client, token {token:?}: {}", said.trim());
    }
}

#[test]
fn no_request_that_the_interface_allows_or_forbids_breaks_what_it_says() {
    let Some(folder) = installed() else { return };
    let sandbox = house();
    let server = Server::start(&sandbox, "");
    let began = Instant::now();
    let mut tester = sandbox.command(folder.join("schemathesis").to_str().unwrap(), "");
    tester.args(["--config-file", &format!("{CLIENTS}schemathesis.toml"), "run"]);
    // What is suppressed are complaints about its own making up of requests.
    tester.args(["--suppress-health-check", "all", "--no-color"]);
    tester.args(["--max-time", SECONDS, "--workers", "1"]);
    let said = content(tester.arg(format!("http://{}/openapi.json", server.address)));
    let line =
        |start: &str| said.lines().find(|line| line.contains(start)).unwrap_or_default().trim();
    eprintln!(
        "schemathesis: {}; {}; {:.0?}; peak memory {} KiB",
        line(" generated, "),
        line("Seed:"),
        began.elapsed(),
        server.peak(),
    );
    assert!(line(" generated, ").contains("passed"), "{said}");
    assert!(!said.contains("[500]") && !said.contains("Server error"), "{said}");
}
