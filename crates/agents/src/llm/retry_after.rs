//! How long the other side asks to wait, read from the headers of a refusal.
//!
//! Invariant: what cannot be read is as if it were not there; a wait is never negative and never overflows.
//! Absent here: how long one is willing to wait.

use jiff::{Timestamp, fmt::rfc2822};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use std::time::Duration;

/// How LiteLLM hands on the header of the provider behind it.
const HANDED_ON: &str = "llm_provider-retry-after";

/// The longest wait that the headers ask for: `retry-after-ms` where it can be read, else `retry-after` as seconds
/// or as a date, else the same of the provider behind a gateway. A date that has passed asks for no wait.
pub(super) fn asked_for(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let longest = |name: &str, read: &dyn Fn(&str) -> Option<Duration>| {
        let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.filter_map(|value| read(value.trim())).max()
    };
    let wait = |name| longest(name, &|value| seconds(value).or_else(|| until(value, now)));
    longest("retry-after-ms", &|value| seconds(value).map(|millis| millis / 1000))
        .or_else(|| wait(RETRY_AFTER.as_str()))
        .or_else(|| wait(HANDED_ON))
}

/// A plain decimal number as seconds; no sign, no exponent.
pub(super) fn seconds(value: &str) -> Option<Duration> {
    let plain = value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    Duration::try_from_secs_f64(value.parse().ok().filter(|_| plain)?).ok()
}

fn until(date: &str, now: Timestamp) -> Option<Duration> {
    let date = rfc2822::parse(date).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn wait(headers: &[(&'static str, &str)]) -> Option<f64> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        let now = "1994-11-06T08:49:00Z".parse().unwrap();
        asked_for(&map, now).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn seconds_and_dates_are_read_and_anything_else_is_not_there() {
        let after = |value| wait(&[("retry-after", value)]);
        assert_eq!(after("0"), Some(0.0));
        assert_eq!(after(" 7 "), Some(7.0));
        assert_eq!(after("1.5"), Some(1.5));
        assert_eq!(after("1000000000000"), Some(1e12));
        assert_eq!(after("Sun, 06 Nov 1994 08:49:37 GMT"), Some(37.0));
        assert_eq!(after("Sun, 06 Nov 1994 08:00:00 GMT"), Some(0.0));
        for odd in ["-1", "abc", "", "1e3", "inf", "NaN", "+5", "1,5", "99999999999999999999999"] {
            assert_eq!(after(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn milliseconds_come_first_then_the_longer_wait_then_what_a_gateway_hands_on() {
        assert_eq!(wait(&[("retry-after-ms", "250"), ("retry-after", "9")]), Some(0.25));
        assert_eq!(wait(&[("retry-after-ms", "soon"), ("retry-after", "9")]), Some(9.0));
        assert_eq!(
            wait(&[("retry-after", "2"), ("retry-after", "9"), ("retry-after", "x")]),
            Some(9.0)
        );
        assert_eq!(wait(&[(HANDED_ON, "7"), ("retry-after", "2")]), Some(2.0));
        assert_eq!(wait(&[(HANDED_ON, "7"), ("retry-after", "x")]), Some(7.0));
        assert_eq!(wait(&[]), None);
    }
}
