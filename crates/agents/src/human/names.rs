//! The names of a call's two files.
//!
//! Invariant: two questions of a run have two names, and no name leaves its folder or hides in it. The same question
//! has the same one however often it is asked, so that an answer counts that was written before a run was killed. A
//! repair is another question: it shows the reply that could not be read.
//! Absent here: the folder.

use redraft_engine::{Call, sha256};

/// The most characters of one part of a name.
const LONGEST: usize = 48;

/// The part of a prompt that only a repair has.
const REPAIRED: &str = "your reply";

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
        if call.prompt.part(REPAIRED).is_some() {
            stem.push_str("-repair");
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
    use redraft_workflows::{Part, Prompt};
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
    fn a_name_says_what_round_step_and_role_it_is_for_whatever_attempt_it_is() {
        let names = Names::of(&call("title_seo", "reviewer", 1));
        assert_eq!(names.prompt, "title_seo-2-review-reviewer.prompt.md");
        assert_eq!(names.response, "title_seo-2-review-reviewer.response.md");
        assert_eq!(Names::of(&call("title_seo", "reviewer", 3)), names);
    }

    #[test]
    fn a_repair_has_files_of_its_own_whatever_attempt_it_is() {
        let repair = |attempt| {
            let mut call = call("title_seo", "reviewer", attempt);
            call.prompt.parts = vec![Part { name: "your reply".into(), text: "Sure!".into() }];
            Names::of(&call)
        };
        assert_eq!(repair(2).prompt, "title_seo-2-review-reviewer-repair.prompt.md");
        assert_eq!(repair(2).response, "title_seo-2-review-reviewer-repair.response.md");
        assert_eq!(repair(3), repair(2));
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
