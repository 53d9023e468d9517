//! The processes of the system, as Linux shows them in `/proc`.
//!
//! Absent here: which of them belong to a call.

use super::census::MARK;
use rustix::process::Pid;
use std::fs;

/// A line of `/proc/PID/stat`, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) id: Pid,
    pub(super) dead: bool,
    pub(super) parent: i32,
    pub(super) group: i32,
    /// In the system's ticks; with the number it names a process for good.
    pub(super) started: u64,
}

/// How far beyond the highest number a newer process is looked for.
const AHEAD: i32 = 32;

/// All processes, the newest first, each looked at when its turn comes: those that fork and leave are found before
/// they are gone. Numbers are given out in order, so whoever came after the list was made is just ahead of it.
pub(super) fn all() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let listed = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mut ids: Vec<i32> = listed.collect();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    let mut next = ids.first().map_or(1, |newest| newest.saturating_add(1));
    let mut last = next.saturating_add(AHEAD);
    let newer = std::iter::from_fn(move || {
        while next < last {
            let found = Pid::from_raw(next).and_then(look);
            next += 1;
            if found.is_some() {
                last = next.saturating_add(AHEAD);
                return found;
            }
        }
        None
    });
    newer.chain(ids.into_iter().filter_map(|id| look(Pid::from_raw(id)?)))
}

/// One process; `None` when there is none of that number.
pub(super) fn look(id: Pid) -> Option<Process> {
    let stat = fs::read(format!("/proc/{}/stat", id.as_raw_pid())).ok()?;
    parse(id, &stat)
}

/// The name stands in brackets and may contain anything; what follows the last bracket are numbers.
fn parse(id: Pid, stat: &[u8]) -> Option<Process> {
    let end = stat.iter().rposition(|&byte| byte == b')')?;
    let rest = std::str::from_utf8(&stat[end + 1..]).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |n: usize| fields.get(n)?.parse::<i32>().ok();
    Some(Process {
        id,
        dead: matches!(*fields.first()?, "Z" | "X"),
        parent: number(1)?,
        group: number(2)?,
        started: fields.get(19)?.parse().ok()?,
    })
}

/// The mark in the environment that a process was started with; `None` also where we may not look.
pub(super) fn mark(id: Pid) -> Option<String> {
    let environment = fs::read(format!("/proc/{}/environ", id.as_raw_pid())).ok()?;
    let mut variables = environment.split(|&byte| byte == 0);
    let value = |variable: &[u8]| {
        let value = variable.strip_prefix(MARK.as_bytes())?.strip_prefix(b"=")?;
        String::from_utf8(value.to_vec()).ok()
    };
    variables.find_map(value)
}

/// Whether the system has not yet set up what the process was started with: between its start and its first
/// instruction its environment reads as empty. So does that of a process without any, and of the kernel's own.
pub(super) fn may_be_starting(process: &Process) -> bool {
    const OF_THE_KERNEL: i32 = 2;
    let own = process.id.as_raw_pid();
    let is_of_the_kernel = own == OF_THE_KERNEL || process.parent == OF_THE_KERNEL;
    let environment = fs::read(format!("/proc/{own}/environ"));
    !process.dead && !is_of_the_kernel && environment.is_ok_and(|bytes| bytes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getpid;

    #[test]
    fn a_name_full_of_brackets_does_not_move_the_fields() {
        let stat = b"7 (a) Z 1 (b) S 3 4 5 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 98765 1 2";
        let id = Pid::from_raw(7).unwrap();
        let process = Process { id, dead: false, parent: 3, group: 4, started: 98_765 };
        assert_eq!(parse(id, stat), Some(process));
    }

    #[test]
    fn we_find_ourselves() {
        let us = getpid();
        assert!(all().any(|process| process.id == us && !process.dead));
        assert!(look(us).unwrap().started > 0);
    }
}
