//! How patient a driver is: deadlines, back-off, and the two ways to be stopped.
//!
//! Invariant: delays are bounded, and differ between calls although no dice are thrown here.
//! Absent here: how often something is tried. The run's limits say that.

use crate::{AttemptError, delay::span};
use backon::{BackoffBuilder, ExponentialBuilder};
use redraft_loop::{CallId, Failure, RunId, Time};
use redraft_workflows::time::rfc3339;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The longest time for which a call is not sent because the other side asked for it.
const LONGEST_HELD: Duration = Duration::from_hours(24);

/// What stands before the time until which nothing is sent, at the end of a message.
const HELD: &str = "; nothing is sent before ";

/// Deadlines and delays of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// How long one call may take.
    pub call_timeout: Duration,
    /// The delay before the first retry; it doubles from there.
    pub first_delay: Duration,
    /// The longest delay.
    pub longest_delay: Duration,
    /// The longest wait that the other side may ask for. One who asks for more is not waited for: the call
    /// counts as failed for now, and no driver sends it before that time.
    pub longest_wait: Duration,
}

impl Policy {
    /// Patience for hosted models: a minute per call, one second before the first retry.
    pub const STANDARD: Self = Self {
        call_timeout: Duration::from_secs(60),
        first_delay: Duration::from_secs(1),
        longest_delay: Duration::from_secs(30),
        longest_wait: Duration::from_secs(60),
    };

    /// Gives up on one who asks for more patience than there is. No wait holds for longer than a day: one slip in a
    /// header would close the run for ever.
    pub(crate) fn within_patience(&self, error: AttemptError, at: Time) -> AttemptError {
        let retry_after = error.retry_after.map(|wait| wait.min(LONGEST_HELD));
        let error = AttemptError { retry_after, ..error };
        match retry_after.and_then(|wait| self.too_long(at, later(at, wait))) {
            Some(why) => {
                let message = format!("{}; {why}", error.message);
                AttemptError { message, failure: Failure::Permanent, ..error }
            }
            None => error,
        }
    }

    /// Why a wait is longer than this driver waits; `None` where it is not.
    pub(crate) fn too_long(&self, now: Time, until: Time) -> Option<String> {
        let (wait, longest) = (span(now, until), self.longest_wait);
        let seconds = [wait, longest].map(|span| span.as_secs());
        (wait > longest).then(|| {
            format!(
                "it asks to wait {}{} s, longer than the {} s that are waited{HELD}{}",
                if wait >= LONGEST_HELD { "at least " } else { "" },
                seconds[0],
                seconds[1],
                rfc3339(until)
            )
        })
    }

    /// How long to wait before the attempt that follows `failures` failed ones. What the other side asked
    /// for is a floor. Up to as much again is added by the call's own number, so that runs that failed
    /// together do not come back together.
    pub(crate) fn delay(
        &self,
        failures: u32,
        asked_for: Option<Duration>,
        run: &RunId,
        call: CallId,
    ) -> Duration {
        let delays = ExponentialBuilder::default()
            .with_min_delay(self.first_delay)
            .with_max_delay(self.longest_delay)
            .with_max_times(failures as usize)
            .build();
        let delay = delays.last().unwrap_or(self.first_delay);
        let spread = crate::sha256(format!("{run}/{call}"));
        let share = u32::from_str_radix(&spread.as_str()[..4], 16).unwrap_or(0);
        (delay + delay.mul_f64(f64::from(share) / 65_536.0)).max(asked_for.unwrap_or_default())
    }
}

/// Until when nothing is sent, as RFC 3339, where that is why a call was given up with this message.
pub fn held_until(message: &str) -> Option<&str> {
    let (_, until) = message.rsplit_once(HELD)?;
    (!until.contains(char::is_whitespace)).then_some(until)
}

/// A moment after this one.
pub(crate) fn later(at: Time, wait: Duration) -> Time {
    Time(at.0.saturating_add(i64::try_from(wait.as_micros()).unwrap_or(i64::MAX)))
}

/// The two ways to stop a driver.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    /// Finish the calls in flight, save, ask nothing new.
    pub soon: CancellationToken,
    /// Stop now; what is in flight is given up.
    pub now: CancellationToken,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delay(failures: u32, asked_for: Option<u64>, call: u32) -> Duration {
        let asked_for = asked_for.map(Duration::from_secs);
        Policy::STANDARD.delay(failures, asked_for, &RunId::new("r"), CallId(call))
    }

    #[test]
    fn delays_double_and_are_bounded() {
        for (failures, least) in [(1, 1), (2, 2), (3, 4), (9, 30)] {
            let (delay, least) = (delay(failures, None, 1), Duration::from_secs(least));
            assert!(least <= delay && delay < 2 * least, "{failures} failures: {delay:?}");
        }
    }

    #[test]
    fn what_the_other_side_asks_for_is_a_floor() {
        assert_eq!(delay(1, Some(40), 1), Duration::from_secs(40));
    }

    #[test]
    fn calls_spread() {
        assert_ne!(delay(1, None, 1), delay(1, None, 2));
    }
}
