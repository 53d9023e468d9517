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

/// A moment as people read it, its day only where that is not today.
pub(crate) fn told(at: Time) -> String {
    let zoned = |at: Time| {
        let moment = jiff::Timestamp::from_microsecond(at.0).unwrap_or_default();
        moment.to_zoned(jiff::tz::TimeZone::UTC)
    };
    let (at, today) = (zoned(at), zoned(now()));
    let form = if at.date() == today.date() { "%H:%M:%S UTC" } else { "%F %T UTC" };
    at.strftime(form).to_string()
}

impl Clock for SystemClock {
    fn now(&self) -> Time {
        now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        tokio::time::sleep(duration).boxed()
    }
}
