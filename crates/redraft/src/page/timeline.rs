//! When each call was made and how long it took, on one scale of time.
//!
//! Invariant: bars keep the order and the lengths of the calls; only rests in which nothing is asked are shortened.
//! Absent here: drawing.

use super::{calls, spans::span};
use redraft_engine::{CallRecord, RunRecord};

/// A rest of more milliseconds than this is drawn as if it were no longer.
const LONGEST_REST: i64 = 60_000;
/// How wide the whole is drawn.
const WIDTH: f64 = 1000.0;

/// All calls on one scale.
pub(super) struct Timeline {
    pub(super) bars: Vec<Bar>,
    /// How long it took in all, rests included.
    pub(super) whole: String,
    /// Whether a rest was shortened.
    pub(super) is_cut: bool,
}

/// One call.
pub(super) struct Bar {
    pub(super) call: u32,
    pub(super) step: String,
    pub(super) role: String,
    pub(super) state: &'static str,
    pub(super) outcome: &'static str,
    pub(super) took: String,
    pub(super) from: String,
    pub(super) width: String,
}

/// A call in milliseconds from the first one's claim.
#[derive(Clone, Copy)]
struct Stretch {
    from: i64,
    to: i64,
}

/// The calls of a run on one scale.
pub(super) fn timeline(record: &RunRecord) -> Timeline {
    let first = record.calls.first().map_or(0, |call| call.claimed.0);
    let stretch = |call: &CallRecord| {
        let from = (call.claimed.0 - first) / 1000;
        Stretch { from, to: from + call.latency_ms.unwrap_or(0).max(0) }
    };
    let real: Vec<Stretch> = record.calls.iter().map(stretch).collect();
    let (drawn, is_cut) = without_rests(&real);
    let end = |all: &[Stretch]| all.iter().map(|stretch| stretch.to).max().unwrap_or(0);
    // Milliseconds of a run are far below where a float would lose one.
    let scale = WIDTH / end(&drawn).max(1) as f64;
    let bar = |(call, drawn): (&CallRecord, &Stretch)| Bar {
        call: call.call.0,
        step: call.step.to_string(),
        role: call.role.to_string(),
        state: calls::state(&call.state),
        outcome: calls::outcome(&call.state).0,
        took: call.latency_ms.map_or("–".to_owned(), span),
        from: format!("{:.1}", (drawn.from as f64 * scale).min(WIDTH - 4.0)),
        width: format!("{:.1}", ((drawn.to - drawn.from) as f64 * scale).max(4.0)),
    };
    let bars = record.calls.iter().zip(&drawn).map(bar).collect();
    Timeline { bars, whole: span(end(&real)), is_cut }
}

/// The same calls with long rests shortened. Calls are in the order of their claims.
fn without_rests(real: &[Stretch]) -> (Vec<Stretch>, bool) {
    let (mut busy_until, mut left_out, mut drawn) = (0, 0, Vec::new());
    for Stretch { from, to } in real {
        left_out += (from - busy_until - LONGEST_REST).max(0);
        busy_until = busy_until.max(*to);
        drawn.push(Stretch { from: from - left_out, to: to - left_out });
    }
    (drawn, left_out > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(real: &[(i64, i64)], expected: &[(i64, i64)], cut: bool) {
        let real: Vec<Stretch> = real.iter().map(|&(from, to)| Stretch { from, to }).collect();
        let (drawn, is_cut) = without_rests(&real);
        let drawn: Vec<(i64, i64)> = drawn.iter().map(|one| (one.from, one.to)).collect();
        assert_eq!((drawn.as_slice(), is_cut), (expected, cut));
    }

    #[test]
    fn calls_side_by_side_stay_so() {
        check(&[(0, 900), (5, 400), (900, 1000)], &[(0, 900), (5, 400), (900, 1000)], false);
    }

    #[test]
    fn a_night_between_two_calls_is_a_minute() {
        let night = 36_000_000;
        check(&[(0, 10), (night + 10, night + 20)], &[(0, 10), (60_010, 60_020)], true);
    }
}
