//! Being the one driver of a run, and waiting to become it.
//!
//! Absent here: what is done under the lock.

use super::Plan;
use crate::{
    episode::Shared,
    exit::{Code, Failure},
};
use redraft_engine::Cancel;
use redraft_store::LockGuard;
use std::time::Duration;

/// Makes this process the one driver of a run; see [`Desk::lock_run`](crate::episode::Desk::lock_run). Waiting for another holds up neither the assets
/// beside this one nor an interruption.
pub(crate) async fn lock(
    subject: &str,
    plan: &Plan,
    cancel: &Cancel,
    shared: &Shared,
) -> Result<LockGuard, Failure> {
    loop {
        match shared.desk.lock_run(subject) {
            Err(failure) if failure.code == Code::Busy && plan.wait => {}
            locked => return locked,
        }
        tokio::select! {
            () = tokio::time::sleep(LOCK_POLL) => {}
            () = cancel.soon.cancelled() => {
                let message = format!("{subject}: interrupted while another driver was at work");
                return Err(Failure::new(Code::Interrupted, message));
            }
        }
    }
}

/// How often a lock that another process holds is tried.
const LOCK_POLL: Duration = Duration::from_millis(20);
