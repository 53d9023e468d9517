//! What a run may use and has used.
//!
//! Absent here: the caps of a home, which belong to no run.

use super::spans::span;
use crate::commands::money;
use redraft_engine::RunRecord;
use redraft_loop::dollars;

/// One bound of a run.
pub(super) struct Meter {
    pub(super) name: &'static str,
    pub(super) used: String,
    /// `None`: the run has no cap of its own.
    pub(super) cap: Option<String>,
    /// How much of the cap is used, in hundredths; 100 at most.
    pub(super) share: Option<u64>,
}

/// The bounds of a run, whether they are set or not.
pub(super) fn meters(record: &RunRecord) -> Vec<Meter> {
    let (limits, spent) = (&record.limits, record.spent);
    let calls = u64::from(record.calls_charged);
    let cap = limits.calls.map(u64::from);
    let worked = u64::try_from(record.worked_ms).unwrap_or(0);
    let time = limits.time.map(|micros| micros / 1000);
    vec![
        meter("Calls", (calls, calls.to_string()), cap.map(|cap| (cap, cap.to_string()))),
        meter(
            "Tokens",
            (spent.tokens, spent.tokens.to_string()),
            limits.tokens.map(|cap| (cap, cap.to_string())),
        ),
        meter("Cost", (spent.cost, money::cost(spent)), limits.cost.map(|cap| (cap, dollars(cap)))),
        meter(
            "Time at work",
            (worked, span(record.worked_ms)),
            time.map(|cap| (u64::try_from(cap).unwrap_or(0), span(cap))),
        ),
    ]
}

fn meter(name: &'static str, used: (u64, String), cap: Option<(u64, String)>) -> Meter {
    let share = cap.as_ref().map(|(cap, _)| match (used.0, *cap) {
        (used, cap) if used >= cap => 100,
        (used, cap) => used.saturating_mul(100) / cap,
    });
    Meter { name, used: used.1, cap: cap.map(|(_, told)| told), share }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_between_none_and_all() {
        let share = |used: u64, cap: Option<u64>| {
            meter("", (used, String::new()), cap.map(|cap| (cap, String::new()))).share
        };
        assert_eq!(share(1, None), None);
        assert_eq!([share(0, Some(6)), share(3, Some(6))], [Some(0), Some(50)]);
        assert_eq!([share(9, Some(6)), share(0, Some(0))], [Some(100), Some(100)]);
        assert!(share(u64::MAX - 1, Some(u64::MAX)).is_some_and(|share| share <= 100));
    }
}
