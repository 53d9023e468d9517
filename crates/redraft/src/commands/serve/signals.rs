//! What tells a server to stop: Ctrl-C, and on Unix what a service manager sends.
//!
//! A thread of its own listens, with a runtime of its own: whatever the server's threads work on, it hears, and where
//! they do not end it ends the process.
//!
//! Invariant: from the moment it listens no signal is lost, and none ends the process by itself.
//! Absent here: what stopping with grace means.

use crate::{
    commands::together::settle_programs,
    exit::{Code, Failure},
    say,
    signals::Signals,
};
use redraft_server::Limits;
use std::{thread, time::Duration};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How much longer than its grace a server may take to stop after the first signal.
const SLACK: Duration = Duration::from_secs(5);
/// How long it may take after the second.
const AT_ONCE: Duration = Duration::from_secs(1);

/// From now on the first signal stops the server with grace, the second at once.
///
/// # Errors
/// When the system gives no thread for it.
pub(super) fn listen(stop: CancellationToken, now: CancellationToken) -> Result<(), Failure> {
    let failed = |error| Failure::of(Code::Failure, &error);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(failed)?;
    let signals = {
        let _within = runtime.enter();
        Signals::new()
    };
    let listens = move || {
        runtime.block_on(until_told(signals, stop, now));
        thread::sleep(AT_ONCE);
        settle_programs();
        std::process::exit(Code::Interrupted as i32);
    };
    thread::Builder::new().name("signals".to_owned()).spawn(listens).map(drop).map_err(failed)
}

/// Ends when the server has to have ended.
async fn until_told(mut signals: Signals, stop: CancellationToken, now: CancellationToken) {
    signals.next().await;
    stop.cancel();
    say::err("stopping: what is open goes on at the next start. Once more stops now.");
    // Without a second one it is stopped all the same when its grace is over.
    let _ = timeout(Limits::STANDARD.grace + SLACK, signals.next()).await;
    now.cancel();
}
