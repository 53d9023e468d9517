//! The signals by which a process is told to stop: Ctrl-C, and on Unix what service managers send.
//!
//! Invariant: none is lost between two waits.
//! Absent here: what stopping means.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals of this process. One that the system does not let us hear is never told.
pub(crate) struct Signals {
    #[cfg(unix)]
    heard: [Option<Signal>; 2],
}

#[cfg(unix)]
impl Signals {
    /// From now on none of them ends the process by itself.
    pub(crate) fn new() -> Self {
        Self {
            heard: [SignalKind::interrupt(), SignalKind::terminate()].map(|kind| signal(kind).ok()),
        }
    }

    /// The next one, of either kind.
    pub(crate) async fn next(&mut self) {
        let [interrupt, terminate] = &mut self.heard;
        tokio::select! {
            () = told(interrupt) => {}
            () = told(terminate) => {}
        }
    }
}

#[cfg(unix)]
async fn told(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

#[cfg(not(unix))]
impl Signals {
    /// From now on none of them ends the process by itself.
    pub(crate) fn new() -> Self {
        Self {}
    }

    /// The next one.
    pub(crate) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
