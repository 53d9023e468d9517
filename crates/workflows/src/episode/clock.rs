//! Times as people write them: `MM:SS`, `HH:MM:SS`, either with a fraction of a second.
//!
//! Invariant: seconds are below 60, and so are minutes where hours are given. Absent: frames; the
//! digits after the dot are a decimal fraction, whatever a cutting program meant by them.

/// A time in milliseconds, or `None` when the text is no time.
///
/// Digits of the fraction after the third are cut off.
pub(super) fn parse(text: &str) -> Option<u64> {
    let (clock, fraction) = match text.split_once(['.', ',']) {
        Some((clock, fraction)) => (clock, millis(fraction)?),
        None => (text, 0),
    };
    let fields: Vec<&str> = clock.split(':').collect();
    let (hours, minutes, seconds) = match fields.as_slice() {
        [minutes, seconds] => (0, number(minutes, 1, 3)?, number(seconds, 2, 2)?),
        [hours, minutes, seconds] => {
            let minutes = number(minutes, 2, 2).filter(|minutes| *minutes < 60)?;
            (number(hours, 1, 3)?, minutes, number(seconds, 2, 2)?)
        }
        _ => return None,
    };
    let seconds = Some(seconds).filter(|seconds| *seconds < 60)?;
    Some(((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction)
}

/// Whether the text is a time with hours, such as `00:12:06.29`.
pub(super) fn has_hours(text: &str) -> bool {
    text.matches(':').count() == 2 && parse(text).is_some()
}

/// Milliseconds as seconds; exact for any recording, and rounded beyond 2^53 of them.
pub(super) fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

fn number(text: &str, least: usize, most: usize) -> Option<u64> {
    let fits = (least..=most).contains(&text.len());
    (fits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn millis(fraction: &str) -> Option<u64> {
    number(fraction, 1, 9)?;
    let padded = format!("{fraction}00");
    padded.get(..3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<u64>) {
        assert_eq!(parse(text), expected, "{text}");
    }

    #[test]
    fn minutes_and_seconds_are_enough() {
        check("04:18", Some(258_000));
        check("4:18", Some(258_000));
        check("75:30", Some(4_530_000));
    }

    #[test]
    fn hours_and_fractions_are_understood() {
        check("01:02:46.13", Some(3_766_130));
        check("1:00:00", Some(3_600_000));
        check("00:00:01,5", Some(1_500));
        check("00:00:01.123456", Some(1_123));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in ["", ":", "12", "12:", "12:6", "12:60", "1:60:00", "01:2:03", "12:00.", "a:00"]
        {
            check(text, None);
        }
        for text in ["1:2:3:4", "12:00 ", "+1:00", "1000:00:00", "12:00.1.2", "１２:00"] {
            check(text, None);
        }
    }
}
