//! A program and all that it starts, from the start to the end of a call.
//!
//! Invariant: a family that is dropped is ended all the same, by a thread of its own.
//! Absent here: what is said to the program and heard from it.

#[cfg(target_os = "linux")]
use super::leftovers;
use super::{
    census::{Kin, MARK},
    ending::{self, GRACE},
    failure::Cause,
    launch::Launch,
    live,
    program::WorkingFolder,
};
use rustix::process::Pid;
#[cfg(target_os = "linux")]
use rustix::process::{getpid, set_child_subreaper};
use std::{
    io,
    path::Path,
    process::Stdio,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};
use tempfile::TempDir;
use tokio::{
    process::{Child, Command},
    sync::watch,
    task::spawn_blocking,
    time::sleep,
};

/// How often processes are counted.
const COUNT_EVERY: Duration = Duration::from_millis(200);

/// The processes of one call.
pub(super) struct Family {
    kin: Arc<Mutex<Kin>>,
    mark: String,
    /// The empty folder it runs in; gone with the last process.
    folder: Mutex<Option<TempDir>>,
    /// Set when the end begins; tells how many could not be ended, once that has been tried.
    survivors: OnceLock<watch::Receiver<Option<usize>>>,
}

/// Starts a program, with pipes on stdout and stderr, and on stdin where it has something to read.
pub(super) fn start(launch: &Launch, reads: bool) -> Result<(Child, Family), Cause> {
    prepare();
    let folder = working_folder(&launch.folder)?;
    let place = match (&folder, &launch.folder) {
        (Some(own), _) => own.path(),
        (None, WorkingFolder::At(path)) => path,
        (None, WorkingFolder::Empty) => Path::new("/"),
    };
    let mark = new_mark();
    let mut command = Command::new(&launch.file);
    command
        .args(&launch.args)
        .env_clear()
        .envs(launch.env.iter().map(|(name, value)| (name, value)))
        .env(MARK, &mark)
        .current_dir(place)
        .process_group(0)
        .stdin(if reads { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (child, leader) = spawn(&mut command, &mark)?;
    let kin = Arc::new(Mutex::new(Kin::new(mark.clone(), leader)));
    Ok((child, Family { kin, mark, folder: Mutex::new(folder), survivors: OnceLock::new() }))
}

/// Starts it and enters it among the live calls, in one step for whoever looks for strangers.
fn spawn(command: &mut Command, mark: &str) -> Result<(Child, Pid), Cause> {
    let mut calls = live::calls();
    let child = command.spawn().map_err(Cause::NotStarted)?;
    let id = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let leader = id.ok_or_else(|| Cause::NotStarted(io::Error::other("it has no number")))?;
    calls.push((mark.to_owned(), leader));
    Ok((child, leader))
}

fn working_folder(folder: &WorkingFolder) -> Result<Option<TempDir>, Cause> {
    match folder {
        WorkingFolder::Empty => {
            let made = tempfile::Builder::new().prefix("redraft-agent-").tempdir();
            made.map(Some).map_err(Cause::NotStarted)
        }
        WorkingFolder::At(path) if path.is_dir() => Ok(None),
        WorkingFolder::At(path) => Err(Cause::NoFolder { path: path.clone() }),
    }
}

/// Once in the life of this process: what an earlier one left behind is ended, and from now on orphans among our
/// descendants come to us.
#[cfg(target_os = "linux")]
pub(super) fn prepare() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        leftovers::end();
        // Where it is refused, marks and groups still tell who belongs.
        let _ = set_child_subreaper(Some(getpid()));
    });
}

#[cfg(not(target_os = "linux"))]
pub(super) fn prepare() {}

#[cfg(target_os = "linux")]
pub(super) fn new_mark() -> String {
    leftovers::new_mark()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn new_mark() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

impl Family {
    /// Ends all of them: asks, and insists after a grace period. Gives how many could not be ended.
    pub(super) async fn end(&self) -> usize {
        self.end_within(GRACE).await
    }

    /// Ends all of them without asking.
    pub(super) async fn kill(&self) -> usize {
        self.end_within(Duration::ZERO).await
    }

    async fn end_within(&self, grace: Duration) -> usize {
        let mut survivors = self.survivors.get_or_init(|| self.begin(grace)).clone();
        survivors.wait_for(Option::is_some).await.map_or(0, |known| known.unwrap_or(0))
    }

    /// Begins to end them, whether or not anybody waits for it.
    fn begin(&self, grace: Duration) -> watch::Receiver<Option<usize>> {
        let (tell, told) = watch::channel(None);
        let (mark, folder) = (self.mark.clone(), lock(&self.folder).take());
        ending::begin(Arc::clone(&self.kin), grace, move |survivors| {
            live::leave(&mark);
            drop(folder);
            tell.send_replace(Some(survivors));
        });
        told
    }

    /// Resolves when more processes than these are alive; never while there are fewer.
    pub(super) fn outgrows(&self, cap: usize) -> impl Future<Output = ()> + use<> {
        let kin = Arc::clone(&self.kin);
        async move {
            loop {
                sleep(COUNT_EVERY).await;
                let kin = Arc::clone(&kin);
                let count = move || lock(&kin).look(None).living;
                if spawn_blocking(count).await.is_ok_and(|living| living > cap) {
                    return;
                }
            }
        }
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        self.survivors.get_or_init(|| self.begin(GRACE));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
