//! Ending a call's processes: asked first, killed after a grace period, looked for until none is left.
//!
//! It is done on a thread of its own, so that it goes on when nobody waits for it and holds up nobody else.
//!
//! Invariant: it takes less than two seconds.
//! Absent here: who belongs to a call.

use super::census::{Found, Kin};
use rustix::process::Signal;
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// How long a program may tidy up once it is asked to end.
pub(super) const GRACE: Duration = Duration::from_millis(400);

/// How long they are killed after that. Only what may not be killed outlives it.
const INSIST: Duration = Duration::from_millis(1_000);

/// The pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How many calls are being ended.
static UNDER_WAY: Mutex<usize> = Mutex::new(0);
static ONE_LESS: Condvar = Condvar::new();

/// Ends all of them and then says how many could not be ended.
pub(super) fn begin(
    kin: Arc<Mutex<Kin>>,
    grace: Duration,
    done: impl FnOnce(usize) + Send + 'static,
) {
    *lock(&UNDER_WAY) += 1;
    let job: Job = Box::new(move || {
        done(end_all(&kin, grace));
        *lock(&UNDER_WAY) -= 1;
        ONE_LESS.notify_all();
    });
    let job = Arc::new(Mutex::new(Some(job)));
    let theirs = Arc::clone(&job);
    let thread = thread::Builder::new().name("ending a call".to_owned());
    if thread.spawn(move || run(&theirs)).is_err() {
        // No thread is to be had: then whoever asked waits.
        run(&job);
    }
}

/// Waits until no call is being ended any more; whether that came about in time. For programs that are about to
/// exit: their threads, and with them the ending, would stop.
pub fn settle(within: Duration) -> bool {
    let under_way = lock(&UNDER_WAY);
    let waited = ONE_LESS.wait_timeout_while(under_way, within, |under_way| *under_way > 0);
    let waited = waited.unwrap_or_else(PoisonError::into_inner);
    !waited.1.timed_out()
}

type Job = Box<dyn FnOnce() + Send>;

fn run(job: &Mutex<Option<Job>>) {
    let job = lock(job).take();
    if let Some(job) = job {
        job();
    }
}

/// Two looks in a row must find nobody, dead or alive: one who forks and leaves may slip past a look, but leaves
/// its dead to us.
fn end_all(kin: &Mutex<Kin>, grace: Duration) -> usize {
    let begun = Instant::now();
    let (mut first, mut empty_looks) = (true, 0);
    loop {
        let spent = begun.elapsed();
        let signal = match (spent >= grace, first) {
            (true, _) => Some(Signal::KILL),
            (false, true) => Some(Signal::TERM),
            (false, false) => None,
        };
        let found = lock(kin).look(signal);
        let empty = found == Found::default();
        empty_looks = if empty { empty_looks + 1 } else { 0 };
        if empty_looks == 2 || spent > grace + INSIST {
            return found.living;
        }
        first = false;
        thread::sleep(LOOK_EVERY);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
