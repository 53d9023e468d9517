//! What must hold before a change is taken in: `just verify` and CI run exactly this.
//!
//! Why a missing tool is an error only in CI: a developer without it should still get the rest,
//! while a green CI must mean that everything ran.

use crate::{house, shell, suite, tidy};
use anyhow::{Result, bail};

/// A check by a tool that a machine may not have.
struct Tool {
    name: &'static str,
    probe: &'static str,
    check: &'static str,
    install: &'static str,
}

const TOOLS: [Tool; 2] = [
    Tool {
        name: "cargo-deny",
        probe: "cargo deny --version",
        // The advisory database cannot be reached everywhere; these three need no network.
        check: "cargo deny check --hide-inclusion-graph bans licenses sources",
        install: "cargo install cargo-deny --locked",
    },
    Tool {
        name: "typos",
        probe: "typos --version",
        check: "typos",
        install: "python3 -m pip install typos",
    },
];

/// Runs everything, cheapest first; the first failure ends it.
pub(crate) fn run() -> Result<()> {
    check()?;
    suite::tests(suite::Depth::Usual)
}

/// Everything but the tests.
pub(crate) fn check() -> Result<()> {
    shell::run(&mut shell::command("cargo fmt --all --check"))?;
    tidy::run()?;
    let missing = TOOLS.iter().filter(|tool| !shell::works(tool.probe)).collect::<Vec<_>>();
    if house::in_ci() && !missing.is_empty() {
        bail!("CI lacks {}", missing.iter().map(|t| t.name).collect::<Vec<_>>().join(" and "));
    }
    for tool in TOOLS.iter().filter(|tool| missing.iter().all(|gone| gone.name != tool.name)) {
        shell::run(&mut shell::command(tool.check))?;
    }
    shell::run(&mut shell::command("cargo clippy --workspace --all-targets -- -D warnings"))?;
    for tool in missing {
        println!("NOTE: {} DID NOT RUN, it is not installed: {}", tool.name, tool.install);
    }
    Ok(())
}
