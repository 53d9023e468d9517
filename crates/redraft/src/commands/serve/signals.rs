//! What tells a server to stop: Ctrl-C, and on Unix what a service manager sends.
//!
//! Invariant: from the moment it is made no signal is lost, and none ends the process by itself.
//! Absent here: what stopping means.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals of this process. One that the system does not let us hear is never told.
pub(super) struct Signals {
    #[cfg(unix)]
    heard: [Option<Signal>; 2],
}

#[cfg(unix)]
impl Signals {
    pub(super) fn new() -> Self {
        Self {
            heard: [SignalKind::interrupt(), SignalKind::terminate()].map(|kind| signal(kind).ok()),
        }
    }

    /// The next one, of either kind.
    pub(super) async fn next(&mut self) {
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
    pub(super) fn new() -> Self {
        Self {}
    }

    /// The next one.
    pub(super) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
