//! A program that prints a key: run without a shell, in a process group of its own, under a deadline.
//!
//! Invariant: when this returns, the program has ended or it and what it started in its group were killed; what it
//! prints is in no message.

use super::LONGEST;
use std::{
    io::Read,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

/// No program that prints a key takes longer.
const LONGEST_RUN: Duration = Duration::from_secs(3600);

/// What the program prints.
pub(super) fn output(
    program: &Path,
    arguments: &[String],
    timeout: Duration,
) -> Result<Vec<u8>, String> {
    let end = Instant::now() + timeout.min(LONGEST_RUN);
    let (mut child, _apart) = start(program, arguments)?;
    let printed = printed(&mut child).ok_or("prints to nowhere")?;
    let output = printed.recv_timeout(timeout.min(LONGEST_RUN));
    let status = output.as_ref().ok().and_then(|_| ended_by(&mut child, end));
    kill(&mut child);
    let late = || format!("takes longer than {} s", timeout.as_secs_f64());
    match (output, status) {
        (Ok(Ok(output)), Some(status)) if status.success() => Ok(output),
        (Ok(Err(error)), Some(_)) => Err(format!("cannot be read: {error}")),
        (Ok(_), Some(status)) => Err(format!("fails ({status}); run it by hand to see why")),
        (_, None) | (Err(_), _) => Err(late()),
    }
}

#[cfg(unix)]
type Apart = crate::command::live::Apart;
#[cfg(not(unix))]
type Apart = ();

fn start(program: &Path, arguments: &[String]) -> Result<(Child, Apart), String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let cannot = |error| format!("cannot be run: {error}");
    #[cfg(unix)]
    {
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        crate::command::live::apart(&mut command).map_err(cannot)
    }
    #[cfg(not(unix))]
    command.spawn().map(|child| (child, ())).map_err(cannot)
}

/// Reads on a thread of its own, since a read has no deadline. The thread ends when the group has been killed.
fn printed(child: &mut Child) -> Option<Receiver<std::io::Result<Vec<u8>>>> {
    let stdout = child.stdout.take()?;
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut output = Vec::new();
        let read = stdout.take(LONGEST + 1).read_to_end(&mut output);
        // Nobody listens any more when the deadline has passed.
        let _ = sender.send(read.map(|_| output));
    });
    Some(receiver)
}

/// Waits for the end of a program that has closed its output, which is near.
fn ended_by(child: &mut Child, end: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => return None,
        }
    }
}

fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // Fails when all of the group have ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str, timeout: Duration) -> Result<Vec<u8>, String> {
        output(Path::new("/bin/sh"), &["-c".into(), script.into()], timeout)
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_program_gives_what_it_prints() {
        assert_eq!(sh("echo sk-canary", LONG).unwrap(), b"sk-canary\n");
    }

    #[test]
    fn a_program_that_fails_or_is_missing_is_told_without_its_output() {
        let failed = sh("echo sk-canary; echo sk-canary >&2; exit 3", LONG).unwrap_err();
        assert!(failed.contains('3') && !failed.contains("canary"), "{failed}");
        let missing = output(Path::new("/no/such/program"), &[], LONG).unwrap_err();
        assert!(missing.contains("cannot be run"), "{missing}");
    }

    #[test]
    fn arguments_are_read_by_no_shell() {
        let argument = "$(touch x); `id` $HOME";
        let printed = output(Path::new("/bin/echo"), &[argument.into()], LONG).unwrap();
        assert_eq!(printed, format!("{argument}\n").as_bytes());
    }

    #[test]
    fn a_program_that_hangs_is_dead_when_its_time_is_over_and_so_is_its_child() {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let script = format!("sleep 600 & echo $! > {}; wait", pid.display());
        let error = sh(&script, Duration::from_millis(300)).unwrap_err();
        assert!(error.contains("longer than 0.3 s"), "{error}");
        let child = std::fs::read_to_string(&pid).unwrap();
        assert!(is_gone(child.trim()), "{child}");
    }

    /// Dead, or dead and not yet buried by who inherited it.
    fn is_gone(pid: &str) -> bool {
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            if stat.is_empty() || stat.contains(") Z ") {
                return true;
            }
            std::thread::yield_now();
        }
        false
    }

    #[test]
    fn a_program_that_floods_is_cut_off() {
        let flood = sh("yes sk-canary", LONG);
        assert!(flood.is_err() || flood.is_ok_and(|output| output.len() as u64 == LONGEST + 1));
    }
}
