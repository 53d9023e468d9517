//! What a run may still use, and which cap stands in its way, in words.
//!
//! Invariant: what is told names the figure and the cap.
//! Absent here: the caps of a home, which its store holds.

use crate::{Amount, Run, Step, Stop, Time, Timing, amount::dollars};
use alloc::{format, string::String};

impl Run {
    /// Calls left under the run's own cap; `None` without one.
    pub fn calls_left(&self) -> Option<u32> {
        self.limits.calls.map(|cap| cap.saturating_sub(self.calls))
    }

    /// Microseconds that count against the time that the run may take.
    pub fn time_taken(&self) -> i64 {
        match self.opened.shape.timing {
            Timing::Driven => self.driven_for,
            Timing::SinceOpened => self.driven_for.saturating_add(self.left_for),
        }
    }

    /// Microseconds left of the time that the run may take; `None` without such a bound.
    pub fn time_left(&self) -> Option<i64> {
        self.limits.time.map(|time| time.saturating_sub(self.time_taken()).max(0))
    }

    /// Until when a driver who comes later still finds time left, if nobody drives it from its newest fact on; `None`
    /// where waiting does not count.
    pub fn goes_on_until(&self) -> Option<Time> {
        let counts = self.opened.shape.timing == Timing::SinceOpened && !self.waits_for_a_person();
        let left = self.time_left().filter(|_| counts)?;
        Some(Time(self.now.0.saturating_add(left)))
    }

    /// Which cap forbids one more call of this step, its reserve for later steps included.
    pub(crate) fn cap_for(&self, step: &Step) -> Option<String> {
        if self.time_left() == Some(0) {
            return Some(self.time_is_up());
        }
        let cap = self.limits.calls.filter(|_| !self.of_the_house())?;
        let wanted = self.calls.saturating_add(1).saturating_add(step.reserve);
        (wanted > cap).then(|| match step.reserve {
            0 => format!("{} of {cap} calls of this run are used", self.calls),
            1 => format!(
                "{} of {cap} calls of this run are used and 1 is kept for later steps",
                self.calls
            ),
            kept => format!(
                "{} of {cap} calls of this run are used and {kept} are kept for later steps",
                self.calls
            ),
        })
    }

    /// The cap that stands in the way of the step at hand, if one does.
    pub fn cap_reached(&self) -> Option<String> {
        match &self.stop {
            Some(Stop::Cap(cap)) => Some(cap.clone()),
            _ => self.step().and_then(|step| self.cap_for(step)),
        }
    }

    fn time_is_up(&self) -> String {
        let [seconds, left] = [self.limits.time.unwrap_or(0), self.left_for].map(|n| n / 1_000_000);
        let told = format!("the {seconds} s that may be spent on this run are over");
        match self.opened.shape.timing {
            Timing::SinceOpened if left > 0 => {
                format!("{told}: it was interrupted, and nobody drove it for {left} s")
            }
            Timing::SinceOpened | Timing::Driven => told,
        }
    }

    /// Which cap forbids a call that may use so much, now.
    pub(crate) fn cap_on(&self, reserve: Amount, at: Time) -> Option<String> {
        let waited = at.0.saturating_sub(self.now.0).max(0);
        if self.time_left().is_some_and(|left| left <= waited) {
            return Some(self.time_is_up());
        }
        let over = |used: u64, more: u64, cap: u64| used.saturating_add(more) > cap;
        let (used, more) = (self.spent.tokens, reserve.tokens);
        if let Some(cap) = self.limits.tokens.filter(|cap| over(used, more, *cap)) {
            return Some(format!(
                "{used} of {cap} tokens of this run are used, and the next call may use {more}"
            ));
        }
        let (cap, used) = (self.limits.cost?, self.spent.cost);
        let Some(more) = reserve.cost else {
            return Some("the run has a cap on money, and the next call's price is unknown".into());
        };
        over(used, more, cap).then(|| {
            let [used, cap, more] = [used, cap, more].map(dollars);
            format!("{used} of {cap} of this run are used, and the next call may cost {more}")
        })
    }
}
