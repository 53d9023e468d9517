//! What our own programs report of a turn, for lines of progress: the change as git has it, and how the checks ended.
//!
//! Invariant: it follows from the journal alone, never from anybody's words.
//! Absent here: how it is told.

use super::{kept::Kept, message::Kind};
use redraft_loop::Reading;

/// What is reported of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported<'a> {
    /// The diff against the commit that the run began at.
    Change(&'a str),
    /// How the checks ended.
    Checks {
        /// Those that did not pass.
        failing: usize,
        /// All of them.
        of: usize,
    },
}

/// What is reported in a reading; `None` where it is somebody's words.
pub fn reported(reading: &Reading) -> Option<Reported<'_>> {
    match Kept::of(reading)? {
        Kept::Checked(checked) => {
            let failing = checked.checks.iter().filter(|check| !check.passed()).count();
            Some(Reported::Checks { failing, of: checked.checks.len() })
        }
        Kept::Message(message) => match message.kind {
            Kind::Implement => Some(Reported::Change(&reading.text)),
            Kind::Propose | Kind::Critique | Kind::Verify => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{
        CheckResult, Checked, Message,
        kept::{checks_reading, message_reading},
    };

    const DIFF: &str = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n";

    #[test]
    fn a_builders_change_is_reported() {
        let diff = Some(DIFF.to_owned());
        let message = Message { diff, ..Message::new(Kind::Implement, 1, "Done.") };
        assert_eq!(reported(&message_reading(message)), Some(Reported::Change(DIFF)));
    }

    #[test]
    fn checks_are_reported_by_how_they_ended() {
        let check = |exit, timed_out| CheckResult {
            command: "test".to_owned(),
            exit,
            timed_out,
            tail: String::new(),
            millis: 1,
        };
        let checks = vec![check(Some(0), false), check(Some(1), false), check(Some(0), true)];
        let reading = checks_reading(Checked { checks });
        assert_eq!(reported(&reading), Some(Reported::Checks { failing: 2, of: 3 }));
    }

    #[test]
    fn words_are_no_report_though_they_look_like_a_diff() {
        let proposal = Message::new(Kind::Propose, 1, DIFF);
        assert_eq!(reported(&message_reading(proposal)), None);
        assert_eq!(reported(&Reading::text(DIFF)), None);
    }
}
