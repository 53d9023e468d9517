//! The names of a call's two files.
//!
//! Invariant: two calls of a run have two names, the same call asked again has the same one, and no name leaves
//! its folder or hides in it.
//! Absent here: the folder.

use redraft_engine::{Call, sha256};
use std::fmt::Write;

/// The most characters of one part of a name.
const LONGEST: usize = 48;

/// The file names of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) prompt: String,
    pub(super) response: String,
}

impl Names {
    pub(super) fn of(call: &Call) -> Self {
        let (subject, step) = (segment(&call.subject), segment(call.step.as_str()));
        let role = segment(call.role.as_str());
        let mut stem = format!("{subject}-{}-{step}-{role}", call.round);
        if call.attempt > 1 {
            // Writing to a String cannot fail.
            let _ = write!(stem, "-{}", call.attempt);
        }
        Self { prompt: format!("{stem}.prompt.md"), response: format!("{stem}.response.md") }
    }
}

/// One part of a name: letters, digits and underscores. A word that had to be changed for that, or could be
/// taken for two parts, ends with some of its hash, so that it stays apart from others that look like it.
fn segment(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !word.is_empty() && word.len() <= LONGEST && word.chars().all(plain) {
        return word.to_owned();
    }
    let kept = word.chars().map(|c| if plain(c) { c } else { '_' });
    let kept: String = kept.take(LONGEST).collect();
    format!("{kept}~{}", &sha256(word).as_str()[..8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_loop::{CallId, RunId};
    use redraft_workflows::Prompt;
    use std::collections::BTreeSet;

    fn call(subject: &str, role: &str, attempt: u32) -> Call {
        Call {
            run: RunId::new("r"),
            call: CallId(1),
            subject: subject.into(),
            round: 2,
            step: "review".into(),
            role: role.into(),
            attempt,
            ordinal: 0,
            prompt: Prompt::default(),
        }
    }

    #[test]
    fn a_name_says_what_round_step_role_and_attempt_it_is_for() {
        let names = Names::of(&call("title_seo", "reviewer", 1));
        assert_eq!(names.prompt, "title_seo-2-review-reviewer.prompt.md");
        assert_eq!(names.response, "title_seo-2-review-reviewer.response.md");
        let again = Names::of(&call("title_seo", "reviewer", 3));
        assert_eq!(again.response, "title_seo-2-review-reviewer-3.response.md");
    }

    #[test]
    fn no_name_leaves_its_folder_or_hides_in_it() {
        for odd in ["../../etc/passwd", "/", "..", ".hidden", "", "a\0b", "a\nb", "CON\\x"] {
            let name = Names::of(&call(odd, odd, 1)).prompt;
            assert!(!name.contains(['/', '\\', '\0', '\n']) && !name.starts_with('.'), "{name}");
        }
    }

    #[test]
    fn calls_that_look_alike_have_different_names() {
        let long = "x".repeat(200);
        let alike =
            [("a", "b-c"), ("a", "b_c"), ("a", "b/c"), ("a_b", "c"), ("a-b", "c"), ("a", &long)];
        let names: BTreeSet<_> =
            alike.iter().map(|(subject, role)| Names::of(&call(subject, role, 1)).prompt).collect();
        assert_eq!(names.len(), alike.len());
        assert!(names.iter().all(|name| name.len() < 255), "{names:?}");
    }
}
