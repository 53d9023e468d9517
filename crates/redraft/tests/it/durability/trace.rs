//! Running the program under strace: counting system calls, and interfering with the k-th.

use crate::sandbox::REDRAFT;
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
};

/// Whether strace works here. Where it does not, the sweeps say so and are skipped; CI installs it.
pub(crate) fn works() -> bool {
    let traced = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    let works = traced.is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("STRACE DOES NOT WORK HERE: this sweep is skipped");
    }
    works
}

/// Strace for a program on one processor, where it plays all its runs on one thread: strace counts in each thread by
/// itself, and a sweep is to reach every call.
pub(crate) fn strace() -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    let first = allowed.trim().split(['-', ',']).next().unwrap();
    let mut command = Command::new("taskset");
    command.args(["-c", first, "strace", "-f", "-qq"]);
    command
}

/// One system call, on some files or on all.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    pub(crate) names: &'static str,
    /// Only calls on these files; all files when empty.
    pub(crate) on: Vec<String>,
}

/// The program under strace, in a folder, with an agent log.
fn traced(folder: &Path, words: &str, options: &[String]) -> Output {
    strace()
        .args(options)
        .arg(REDRAFT)
        .args(words.split_whitespace())
        .current_dir(folder)
        .env("REDRAFT_SCRIPT_LOG", folder.join("agent.log"))
        .output()
        .unwrap()
}

fn options(calls: &Calls, folder: &Path, out: &Path) -> Vec<String> {
    let mut options =
        vec!["-o".into(), out.display().to_string(), format!("--trace={}", calls.names)];
    options.extend(calls.on.iter().map(|on| format!("--trace-path={}", folder.join(on).display())));
    options
}

/// The trace of a run, line by line.
pub(crate) fn lines(folder: &Path, words: &str, calls: &Calls) -> (Output, Vec<String>) {
    let out = folder.join("trace");
    let output = traced(folder, words, &options(calls, folder, &out));
    let text = fs::read_to_string(&out).unwrap_or_default();
    fs::remove_file(&out).unwrap();
    (output, text.lines().map(str::to_owned).collect())
}

/// How many of the calls the busiest thread makes: strace counts in each thread, and for each name, by itself.
pub(crate) fn count(folder: &Path, words: &str, calls: &Calls) -> usize {
    let (output, lines) = lines(folder, words, calls);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut threads: BTreeMap<&str, usize> = BTreeMap::new();
    for line in lines.iter().filter(|line| !line.contains("resumed>")) {
        *threads.entry(line.split(' ').next().unwrap()).or_default() += 1;
    }
    threads.into_values().max().unwrap_or(0)
}

/// Runs and interferes with the k-th call, such as `signal=KILL` or `error=EIO`.
pub(crate) fn interfere(folder: &Path, words: &str, calls: &Calls, how: &str, k: usize) -> Output {
    let out = folder.join("trace");
    let mut options = options(calls, folder, &out);
    options.push(format!("--inject={}:{how}:when={k}", calls.names));
    let output = traced(folder, words, &options);
    let _ = fs::remove_file(&out);
    output
}
