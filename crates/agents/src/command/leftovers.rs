//! Programs that outlived a driver which was killed itself: found by their mark, and ended before the next one.
//!
//! A mark names who started the program: the space that process numbers are counted in, the number, and the start.
//! A resumed run would otherwise have two programs at work on the same call.
//!
//! Invariant: only programs are ended whose starter is known to be dead. Where numbers are counted in another space,
//! as in a container, nobody here can know that.
//! Absent here: the calls of this process.

use super::processes::{Process, all, look, mark, may_be_starting};
use rustix::process::{Pid, Signal, getpid, kill_process};
use std::{fs, thread, time::Duration};
use uuid::Uuid;

/// How often they are looked for at most; each look comes this long after the one before.
const LOOKS: u32 = 50;
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How long before us somebody may have been started who is not yet told by its mark, in the system's ticks: a second.
const JUST_BEFORE: u64 = 100;

/// A mark for a new call of ours.
pub(super) fn new_mark() -> String {
    let started = look(getpid()).map_or(0, |us| us.started);
    mark_of(&number_space("self"), getpid(), started)
}

fn mark_of(space: &str, starter: Pid, started: u64) -> String {
    format!("{space}.{}.{started}.{}", starter.as_raw_pid(), Uuid::new_v4().simple())
}

/// Ends them, without asking: whoever could have heard their answers is gone.
pub(super) fn end() {
    let since = look(getpid()).map_or(0, |us| us.started.saturating_sub(JUST_BEFORE));
    for _ in 0..LOOKS {
        let mut again = false;
        for process in all() {
            if is_left(&process) {
                again = true;
                let _ = kill_process(process.id, Signal::KILL);
            } else if process.started >= since {
                // One that was started just before its starter died may not bear its mark yet.
                again |= may_be_starting(&process);
            }
        }
        if !again {
            return;
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn is_left(process: &Process) -> bool {
    let starter_is_dead = |mark: String| {
        let mut parts = mark.split('.');
        let (space, id, started) = (parts.next()?, parts.next()?, parts.next()?);
        let (id, started) = (Pid::from_raw(id.parse().ok()?)?, started.parse::<u64>().ok()?);
        let number = process.id.as_raw_pid().to_string();
        let comparable = space == number_space("self") && space == number_space(&number);
        let alive = look(id).is_some_and(|now| !now.dead && now.started == started);
        Some(comparable && !alive)
    };
    !process.dead && mark(process.id).and_then(starter_is_dead).unwrap_or(false)
}

/// What names the space of numbers that a process lives in; empty where we may not know.
fn number_space(process: &str) -> String {
    let link = fs::read_link(format!("/proc/{process}/ns/pid")).unwrap_or_default();
    link.to_string_lossy().chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::super::census::MARK;
    use super::*;
    use std::process::{Child, Command};

    fn program(mark: &str) -> Child {
        Command::new("sleep").arg("60").env(MARK, mark).spawn().unwrap()
    }

    #[test]
    fn only_programs_of_a_dead_starter_are_ended() {
        let (us, space) = (getpid(), number_space("self"));
        let started = look(us).unwrap().started;
        let mut ours = program(&new_mark());
        let mut elsewhere = program(&mark_of("1", us, started + 1));
        let mut other = program("no mark of this kind");
        // The number is in use, by somebody who was started at another time.
        let mut left = program(&mark_of(&space, us, started + 1));
        end();
        assert!(!left.wait().unwrap().success());
        for alive in [&mut ours, &mut elsewhere, &mut other] {
            assert_eq!(alive.try_wait().unwrap(), None);
            alive.kill().unwrap();
            alive.wait().unwrap();
        }
    }
}
