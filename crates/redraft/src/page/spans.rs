//! Moments and spans of time in a reader's words.
//!
//! Absent here: the present time.

/// A moment of a record, to the second: `2026-11-22 08:04:37 UTC`.
pub(super) fn moment(rfc3339: &str) -> String {
    match (rfc3339.get(..10), rfc3339.get(11..19)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => rfc3339.to_owned(),
    }
}

/// So many milliseconds.
pub(super) fn span(ms: i64) -> String {
    let seconds = ms / 1000;
    match ms {
        ..0 => "0 ms".to_owned(),
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{seconds}.{} s", ms % 1000 / 100),
        60_000..3_600_000 => format!("{} min {} s", seconds / 60, seconds % 60),
        3_600_000..86_400_000 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_two_units_at_most() {
        let told = [-1, 0, 999, 1_050, 59_999, 61_000, 3_725_000, 90_000_000].map(span);
        let expected =
            ["0 ms", "0 ms", "999 ms", "1.0 s", "59.9 s", "1 min 1 s", "1 h 2 min", "1 d 1 h"];
        assert_eq!(told, expected);
    }

    #[test]
    fn moments_are_told_to_the_second() {
        assert_eq!(moment("2026-11-21T22:21:50.503683Z"), "2026-11-21 22:21:50 UTC");
        assert_eq!(moment("never"), "never");
    }
}
