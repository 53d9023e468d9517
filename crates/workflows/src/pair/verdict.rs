//! The architect's word on a turn.
//!
//! Invariant: it is read from the architect's own message; a structured verdict always wins over words.
//! Absent here: checks. A failing one blocks convergence by the run's rules.

use super::message::Message;
use redraft_loop::Verdict;
use serde::{Deserialize, Serialize};

/// What a verify message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// The change is what was asked for.
    Verified,
    /// It is not.
    Rejected,
}

/// The word that an agent without structured verdicts begins with (contract §3).
const LITERAL: &str = "Verified";

/// What a verify message says of its turn.
pub(super) fn of(message: &Message) -> Verdict {
    let verified = match message.verdict {
        Some(Judgement::Verified) => true,
        Some(Judgement::Rejected) => false,
        None => says_verified(&message.content),
    };
    if verified { Verdict::Ok } else { Verdict::ChangesRequested }
}

/// Whether a content starts with the literal, followed by a colon, a full stop, a blank or the end.
fn says_verified(content: &str) -> bool {
    content.strip_prefix(LITERAL).is_some_and(|rest| {
        rest.chars().next().is_none_or(|next| matches!(next, ':' | '.') || next.is_whitespace())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literal_counts_at_the_beginning_alone_and_with_its_end() {
        for yes in
            ["Verified", "Verified.", "Verified: all of it", "Verified all", "Verified\nindeed"]
        {
            assert!(says_verified(yes), "{yes:?}");
        }
        for no in [
            "Verified-but-wrong",
            "Verifiedly",
            "verified",
            " Verified",
            "Not Verified:",
            "",
            "VERIFIED:",
        ] {
            assert!(!says_verified(no), "{no:?}");
        }
    }
}
