//! The system's clock.

use futures::FutureExt;
use redraft_engine::{BoxFuture, Clock};
use redraft_loop::Time;
use std::time::Duration;

/// Tells the time of this machine.
pub(crate) struct SystemClock;

/// The present moment.
pub(crate) fn now() -> Time {
    Time(jiff::Timestamp::now().as_microsecond())
}

impl Clock for SystemClock {
    fn now(&self) -> Time {
        now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        tokio::time::sleep(duration).boxed()
    }
}
