//! The header `Prefer` (RFC 7240), as far as it is known here: `respond-async` and `wait`.
//!
//! Absent here: other preferences, which are passed over as the RFC wants it.

use axum::http::HeaderMap;
use std::time::Duration;

/// What the client prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prefer {
    /// To wait for the answer.
    Answer,
    /// To be told where the answer will be, unless it is there within this time.
    Async(Duration),
}

impl Prefer {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
        let all: Vec<String> = values.flat_map(preferences).collect();
        if !all.iter().any(|preference| preference == "respond-async") {
            return Self::Answer;
        }
        let wait = all.iter().find_map(|preference| preference.strip_prefix("wait="));
        let seconds = wait.and_then(|text| text.trim_matches('"').parse().ok()).unwrap_or(0);
        Self::Async(Duration::from_secs(seconds))
    }
}

/// The preferences of one header, without their parameters.
fn preferences(value: &str) -> impl Iterator<Item = String> {
    value.split(',').map(|preference| {
        let name = preference.split(';').next().unwrap_or_default();
        name.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefer(values: &[&str]) -> Prefer {
        let named = |value: &&str| ("prefer".parse().unwrap(), value.parse().unwrap());
        Prefer::of(&values.iter().map(named).collect())
    }

    #[test]
    fn respond_async_is_found_in_any_writing() {
        let now = Prefer::Async(Duration::ZERO);
        assert_eq!(prefer(&["respond-async"]), now);
        assert_eq!(prefer(&["handling=lenient", "Respond-Async; foo=bar"]), now);
        assert_eq!(prefer(&["respond-async, wait = 7"]), Prefer::Async(Duration::from_secs(7)));
        assert_eq!(prefer(&["respond-async, wait=soon"]), now);
    }

    #[test]
    fn other_preferences_change_nothing() {
        assert_eq!(prefer(&[]), Prefer::Answer);
        assert_eq!(prefer(&["wait=5", "return=minimal"]), Prefer::Answer);
    }
}
