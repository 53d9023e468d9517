//! `redraft verify`: checks the journal from its first fact to its last.

use crate::{
    exit::{Code, Failure},
    say, standalone,
};
use redraft_store::verify;
use serde_json::json;
use std::path::PathBuf;

/// Check the journal from its first fact to its last
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A folder in or above which the home (.redraft) is
    #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
    workspace: PathBuf,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let from = &args.workspace;
    let home = standalone::known(from)?.ok_or_else(|| standalone::nothing(from))?;
    let report = verify(&home)?;
    let code = if report.is_clean() { Code::Done } else { Code::Damaged };
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    if as_json {
        let fields = json!({
            "home": home.dir().display().to_string(),
            "streams": report.streams,
            "facts": report.facts,
            "commits": report.commits,
            "findings": findings,
        });
        say::json("verify", code, fields);
        return Ok(code);
    }
    say::out(&format!("Home: {}", home.dir().display()));
    say::out(&format!(
        "Checked: {} facts of {} streams in {} commits",
        report.facts, report.streams, report.commits
    ));
    findings.iter().for_each(|finding| say::out(&format!("Damaged: {finding}")));
    match findings.is_empty() {
        true => say::out("The journal is as it was written."),
        false => say::err(
            "  help: restore .redraft from a backup; the first line names the first bad fact",
        ),
    }
    Ok(code)
}
