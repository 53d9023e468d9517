//! Kill -9 at each of many calls of the system: how they are counted, reached and swept.
//!
//! Strace follows the program's own threads alone: whomever it starts is let go where he begins, so nobody ends them for
//! us. Strace counts the calls of each thread by itself.

use super::trace;
use std::{
    collections::BTreeMap,
    fs,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// What makes writes durable.
pub(crate) const SYNCS: [&str; 2] = ["fdatasync", "fsync"];

/// Whether every place is to be tried, however long it takes.
pub(crate) fn is_deep() -> bool {
    std::env::var_os("REDRAFT_DEEP").is_some()
}

/// Every n-th place on most days, all of them when there is time.
pub(crate) fn stride(usual: usize) -> usize {
    if is_deep() { 1 } else { usual }
}

/// Runs what `under` makes of strace with these options; gives how it ended.
fn traced(options: &[String], under: impl Fn(Command) -> Command) -> ExitStatus {
    let mut strace = trace::strace();
    strace.args(["-b", "execve"]).args(options);
    let mut traced = under(strace);
    // Whoever outlives the program must not hold us up.
    traced.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    traced.status().unwrap()
}

/// How many calls of these names each thread of a command makes, by name, and its exit code; the trace stands in `folder`
/// meanwhile.
pub(crate) fn count(
    names: &[&str],
    folder: &Path,
    under: impl Fn(Command) -> Command,
) -> (BTreeMap<String, Vec<usize>>, Option<i32>) {
    let out = folder.join("trace");
    let path = out.display().to_string();
    let trace = format!("--trace={}", names.join(","));
    let status = traced(&["-o".into(), path, trace, "--signal=none".into()], under);
    let mut threads: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in fs::read_to_string(&out).unwrap().lines().filter(|it| !it.contains("resumed>")) {
        let (thread, call) = line.split_once(' ').unwrap();
        let name = call.trim_start().split('(').next().unwrap();
        *threads.entry((name.to_owned(), thread.to_owned())).or_default() += 1;
    }
    fs::remove_file(out).unwrap();
    let mut counts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for ((name, _), count) in threads {
        counts.entry(name).or_default().push(count);
    }
    (counts, status.code())
}

/// Kills a command at its k-th call of this name; whether it came in time.
pub(crate) fn kill(name: &str, k: usize, under: impl Fn(Command) -> Command) -> bool {
    let inject = format!("--inject={name}:signal=KILL:when={k}");
    let options = ["-o".into(), "/dev/null".into(), format!("--trace={name}"), inject];
    traced(&options, under).signal() == Some(9)
}

/// Plays each place, two at a time; gives how many came in time, as `play` says.
pub(crate) fn each<P: Sync>(places: &[P], play: impl Fn(&P) -> bool + Sync) -> usize {
    let (next, came) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(place) = places.get(next.fetch_add(1, Relaxed)) {
                    came.fetch_add(usize::from(play(place)), Relaxed);
                }
            });
        }
    });
    came.into_inner()
}
