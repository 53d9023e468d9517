//! Moments as text: RFC 3339 in UTC with `Z`, at most microseconds.
//!
//! Invariant: what was written here is read back to the same moment.
//! Absent here: the present time.

use jiff::Timestamp;
use redraft_loop::Time;

/// The moment as RFC 3339, such as `2000-01-01T00:00:00Z`. Moments beyond the year 9999 are shown as the
/// last one that can be.
pub fn rfc3339(time: Time) -> String {
    Timestamp::from_microsecond(time.0).unwrap_or(Timestamp::MAX).to_string()
}

/// Reads RFC 3339 with any offset; finer digits than microseconds are cut off.
///
/// # Errors
/// The parser's message.
pub fn parse_rfc3339(text: &str) -> Result<Time, String> {
    let moment: Timestamp = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    Ok(Time(moment.as_microsecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_the_contract_has_them() {
        for text in ["2000-01-01T00:00:00Z", "2026-11-21T22:21:50.503683Z", "1969-12-31T23:59:59Z"]
        {
            assert_eq!(rfc3339(parse_rfc3339(text).unwrap()), text);
        }
        assert_eq!(
            rfc3339(parse_rfc3339("2000-01-01T01:00:00+01:00").unwrap()),
            "2000-01-01T00:00:00Z"
        );
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in ["", "2000-13-01T00:00:00Z", "yesterday", "2000-01-01"] {
            assert!(parse_rfc3339(text).is_err(), "{text}");
        }
    }
}
