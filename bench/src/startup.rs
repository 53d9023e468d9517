//! How long the whole program takes to say its version, and how an episode of 13 assets stands.
//!
//! Absent here: anything but starting a process and waiting for its end.

use crate::{
    Outcome,
    disk::Scratch,
    figures::{Series, verdict},
};
use std::{
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

const TIMES: usize = 30;

pub(crate) fn run(redraft: &str) -> Outcome<bool> {
    let redraft = std::fs::canonicalize(redraft)?;
    let podcast = redraft.with_file_name("podcast");
    let scratch = Scratch::new("startup")?;
    let demo = Command::new(&redraft)
        .args(["demo", "--dir", "demo"])
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .output()?;
    if !demo.status.success() && demo.status.code() != Some(3) {
        return Err(String::from_utf8_lossy(&demo.stderr).into_owned().into());
    }
    let demo = scratch.path().join("demo");
    println!("Whole process, spawn to end, ms: median (least … most) of {TIMES}");
    measure(Path::new("/bin/true"), &[], &demo, None)?;
    let mut kept = measure(&redraft, &["--version"], &demo, Some(10.0))?;
    for workspace in workspaces(&demo)? {
        let words = ["status", "--workspace", &workspace];
        kept &= measure(&podcast, &words, &demo, Some(30.0))?;
    }
    Ok(kept)
}

/// The workspaces that the demo made.
fn workspaces(demo: &Path) -> Outcome<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(demo)? {
        let entry = entry?;
        if entry.path().join("episode.yaml").exists() {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    if demo.join("episode.yaml").exists() {
        found.push(".".to_owned());
    }
    found.sort();
    if found.is_empty() { Err("the demo made no workspace".into()) } else { Ok(found) }
}

fn measure(program: &Path, words: &[&str], folder: &Path, most: Option<f64>) -> Outcome<bool> {
    let mut times = Vec::new();
    for _ in 0..TIMES + 3 {
        let mut command = Command::new(program);
        command.args(words).current_dir(folder).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        let ended = command.status()?;
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
        if ended.code().is_none_or(|code| code == 1 || code == 2) {
            return Err(format!("{} {words:?}: {ended}", program.display()).into());
        }
    }
    // The first few bring the program into memory.
    let times = Series::new(times.split_off(3));
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let kept = most.is_none_or(|most| times.median() < most);
    let bound = most.map_or(String::new(), |most| format!(", below {most}: {}", verdict(kept)));
    println!("  {:<40} {}{bound}", format!("{name} {}", words.join(" ")), times.show(2));
    Ok(kept)
}
