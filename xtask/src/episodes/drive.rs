//! One transcript, from init to status, as a person would type it.

use super::Episode;
use super::outcome;
use crate::shell;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// Exits that end a step well: done, waits for a person, ended without convergence.
const TOLD: [i32; 3] = [0, 3, 4];

/// Runs one transcript in a workspace of its own below `scratch`.
pub(super) fn episode(binary: &Path, transcript: &Path, scratch: &Path) -> Result<Episode> {
    let name = transcript.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let workspace = scratch.join(&name);
    let podcast = |words: &str| {
        let mut command = Command::new(binary);
        command.arg("podcast").args(words.split_whitespace());
        command.arg("--workspace").arg(&workspace).current_dir(scratch);
        command
    };
    said(podcast(&format!("init --episode-id {name}")))?;
    let mut ingest = podcast("ingest");
    ingest.arg("--transcript").arg(transcript);
    said(ingest)?;
    said(podcast("summarize"))?;
    said(podcast("review --all"))?;
    let status = said(podcast("status --json"))?;
    let outcomes = outcome::read(&status, &workspace)
        .with_context(|| format!("{name}: cannot read its status:\n{status}"))?;
    Ok(Episode { name, outcomes })
}

/// Runs a step and gives its stdout; any exit but those that tell an outcome is a failure.
fn said(mut command: Command) -> Result<String> {
    let shown = shell::shown(&command);
    println!("+ {shown}");
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.code().is_some_and(|code| TOLD.contains(&code)) {
        let talk = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` failed: {}\n{}", output.status, talk.trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{shown}` wrote no UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Runs one episode with `sh` as the binary, so that a script called `podcast` plays it.
    fn play(name: &str, script: &str) -> Result<Episode> {
        let scratch = std::env::temp_dir().join(format!("redraft-{name}-{}", std::process::id()));
        fs::create_dir_all(&scratch).unwrap();
        fs::write(scratch.join("podcast"), script).unwrap();
        let episode = episode(Path::new("sh"), Path::new("tides.md"), &scratch);
        fs::remove_dir_all(&scratch).unwrap();
        episode
    }

    #[test]
    fn an_asset_that_waits_for_a_person_is_an_outcome_and_no_failure() {
        let status = r#"{"assets": [{"asset_id": "slug", "outcome": "needs_human"}]}"#;
        let script = format!("case $1 in review) exit 3;; status) echo '{status}'; exit 3;; esac");
        let episode = play("waits", &script).unwrap();
        assert_eq!((episode.name.as_str(), episode.outcomes.len()), ("tides", 1));
        assert_eq!(episode.outcomes[0].outcome, "needs_human");
    }

    #[test]
    fn a_step_that_fails_is_named_with_what_it_said() {
        let script = "case $1 in ingest) echo 'no such transcript' >&2; exit 2;; esac";
        let error = play("fails", script).unwrap_err().to_string();
        assert!(error.contains("podcast ingest"), "{error}");
        assert!(error.contains("no such transcript"), "{error}");
    }
}
