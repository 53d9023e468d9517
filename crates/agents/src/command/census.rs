//! Which processes belong to a call, and their end.
//!
//! A process belongs to a call when one of these holds, each of which is inherited and which a program would
//! have to shed all together:
//!
//! - its environment has the call's mark, which survives `setsid`, a second fork and a closed terminal;
//! - its group is the one that the program was started in;
//! - its parent belongs to the call, now or when it was last looked at;
//! - it has been adopted by us and nobody else can have started it. On Linux orphans come to us and not to
//!   process 1, since we ask for them; a child of ours in a group that is neither ours nor a live call's was an
//!   orphan. With several calls at once nobody can tell whose it was, so it goes with the first call that ends.
//!   Hence other parts of this program must not put their own children into groups of their own, and what they
//!   leave running in the background while a call is under way is taken for the call's.
//!
//! Invariant: a process is signalled only after it was seen to belong, and its start time is part of its name, so
//! that a number that was given away again names nobody.
//! Absent here: patience; when to ask and when to insist.

use rustix::process::{Pid, Signal};
use std::collections::HashMap;

/// The variable that carries the mark.
pub(super) const MARK: &str = "REDRAFT_CALL";

/// How the processes of one call are told.
#[derive(Debug)]
pub(super) struct Kin {
    /// The value of the mark.
    pub(super) mark: String,
    /// The process that was started; its number is also its group's.
    pub(super) leader: Pid,
    /// When it was started, in the system's ticks. Whoever is older is no kin.
    pub(super) since: u64,
    /// Who was seen to belong: process number and start.
    seen: HashMap<i32, u64>,
}

impl Kin {
    pub(super) fn new(mark: String, leader: Pid) -> Self {
        let since = system::started(leader).unwrap_or(0);
        Self { mark, leader, since, seen: HashMap::new() }
    }

    /// Looks for the processes of the call, and sends each this signal as it is found: one who forks and leaves
    /// would be gone if all were looked for first.
    pub(super) fn look(&mut self, signal: Option<Signal>) -> Found {
        system::find(self, signal)
    }
}

/// What one look found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Found {
    /// How many are alive.
    pub(super) living: usize,
    /// How many died without having been seen alive. They may have left somebody behind.
    pub(super) missed: usize,
}

#[cfg(target_os = "linux")]
mod system {
    use super::{Found, Kin};
    use crate::command::{
        live,
        processes::{Process, all, look, mark},
    };
    use rustix::process::{
        Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, kill_process_group,
        test_kill_process_group, waitpid,
    };

    pub(super) fn started(id: Pid) -> Option<u64> {
        look(id).map(|process| process.started)
    }

    pub(super) fn find(kin: &mut Kin, signal: Option<Signal>) -> Found {
        // The number is the group's as long as nobody else was given it.
        let group_is_ours = look(kin.leader).is_none_or(|found| found.started == kin.since);
        if let Some(signal) = signal.filter(|_| group_is_ours) {
            // At once for the whole group: nobody in it can fork meanwhile. Many take a second request to end
            // for impatience, so its members are not told again below.
            let _ = kill_process_group(kin.leader, signal);
        }
        if !is_shown() {
            // Then only the group is known.
            let living = usize::from(test_kill_process_group(kin.leader).is_ok());
            return Found { living, missed: 0 };
        }
        let (mut found, since) = (Found::default(), kin.since);
        for process in all().filter(|process| process.started >= since) {
            let in_group = group_is_ours && process.group == kin.leader.as_raw_pid();
            let known = kin.seen.get(&process.id.as_raw_pid()) == Some(&process.started);
            let kindred = known || in_group || belongs(kin, &process);
            if !kindred {
                continue;
            }
            kin.seen.insert(process.id.as_raw_pid(), process.started);
            if process.dead {
                found.missed += usize::from(!known);
                reap(kin, &process);
            } else {
                found.living += 1;
                if let Some(signal) = signal.filter(|_| !in_group) {
                    let _ = kill_process(process.id, signal);
                }
            }
        }
        found
    }

    /// Whether there is a `/proc` to look into.
    fn is_shown() -> bool {
        look(getpid()).is_some()
    }

    fn belongs(kin: &Kin, process: &Process) -> bool {
        kin.seen.contains_key(&process.parent)
            || mark(process.id).as_ref() == Some(&kin.mark)
            || (is_child_apart(process) && is_nobodys(process))
    }

    /// A child of ours that is not in our group, in which the children stay that this program starts itself.
    fn is_child_apart(process: &Process) -> bool {
        process.parent == getpid().as_raw_pid() && process.group != getpgrp().as_raw_pid()
    }

    /// Whether no live call can claim it. No program is being started while this is looked at: until it is
    /// known, a new leader would pass for nobody's.
    fn is_nobodys(process: &Process) -> bool {
        let calls = live::calls();
        let mark = mark(process.id);
        let claimed = calls.iter().any(|(value, leader)| {
            mark.as_ref() == Some(value) || process.group == leader.as_raw_pid()
        });
        !claimed && look(process.id).is_some_and(|now| now.started == process.started)
    }

    /// An orphan that came to us is ours to bury. The leader is its starter's.
    fn reap(kin: &Kin, process: &Process) {
        if process.parent == getpid().as_raw_pid() && process.id != kin.leader {
            let _ = waitpid(Some(process.id), WaitOptions::NOHANG);
        }
    }
}

/// Where there is no `/proc` only the group is known: one who leaves it is not found.
#[cfg(not(target_os = "linux"))]
mod system {
    use super::{Found, Kin};
    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

    pub(super) fn started(_: Pid) -> Option<u64> {
        None
    }

    pub(super) fn find(kin: &mut Kin, signal: Option<Signal>) -> Found {
        if let Some(signal) = signal {
            let _ = kill_process_group(kin.leader, signal);
        }
        let living = usize::from(test_kill_process_group(kin.leader).is_ok());
        Found { living, missed: 0 }
    }
}
