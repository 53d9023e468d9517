//! Runs real transcripts through the built binary and prints what became of each asset.
//!
//! What it drives is what a person would type: init, ingest, summarize, review, status. Absent:
//! the product's own types; only its command line and its files are used.

mod drive;
mod outcome;
mod table;

use crate::{house, shell};
use anyhow::{Context, Result, bail};
use outcome::Outcome;
use std::fs;
use std::path::{Path, PathBuf};

/// Which build of the binary runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// The profile of everyday work and of CI.
    Dev,
    /// The profile that users get.
    Release,
}

/// What became of the assets of one transcript.
#[derive(Debug)]
struct Episode {
    name: String,
    outcomes: Vec<Outcome>,
}

/// `cargo xtask episodes DIR`: fails when an episode falls below what the project promises.
pub(crate) fn run(dir: &str, build: Build) -> Result<()> {
    let transcripts = transcripts(Path::new(dir))?;
    let binary = built(build)?;
    let scratch = std::env::temp_dir().join(format!("redraft-episodes-{}", std::process::id()));
    fs::create_dir_all(&scratch).with_context(|| format!("cannot make {}", scratch.display()))?;
    let mut episodes = Vec::new();
    for transcript in &transcripts {
        episodes.push(drive::episode(&binary, transcript, &scratch)?);
    }
    print!("{}", table::table(&episodes));
    let short = table::shortfalls(&episodes);
    if !short.is_empty() {
        bail!("{}\nthe workspaces are in {}", short.join("\n"), scratch.display());
    }
    fs::remove_dir_all(&scratch).with_context(|| format!("cannot remove {}", scratch.display()))
}

/// The Markdown files of the folder by name, its README aside.
fn transcripts(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "md") && !path.ends_with("README.md") {
            found.push(fs::canonicalize(&path)?);
        }
    }
    if found.is_empty() {
        bail!("no transcripts (*.md) in {}", dir.display());
    }
    found.sort();
    Ok(found)
}

fn built(build: Build) -> Result<PathBuf> {
    let (line, folder) = match build {
        Build::Dev => ("cargo build -p redraft", "debug"),
        Build::Release => ("cargo build -p redraft --release", "release"),
    };
    shell::run(&mut shell::command(line))?;
    Ok(house::target().join(folder).join(format!("redraft{}", std::env::consts::EXE_SUFFIX)))
}
