//! Several critics side by side, of whom some cannot be had.

use super::{cast::*, scene::*};
use redraft_workflows::solve::{self, critiques};

/// Three critics find a major in the first draft and a minor in the second; this one fails at these steps.
fn without(critic: &str, steps: &[&'static str]) -> Came {
    let says = Says::finding(&[("major", "it may be 43")]);
    let says = Says { recritique: critique(&[("minor", "it is dry")]), ..says };
    let mut scene = Scene { critics: 3, ..Scene::of(says) };
    for step in steps {
        scene.failing.insert((step, critic.into()), (Goes::Refused, FOR_GOOD));
    }
    scene.play()
}

#[test]
fn a_member_that_fails_is_named_and_the_others_are_heard() {
    for critic in ["critic", "critic_2", "critic_3"] {
        let came = without(critic, &["critique", "recritique"]);
        let [issue, first, second] = came.response.known_issues.as_slice() else {
            panic!("{critic}: {:#?}", came.response)
        };
        assert_eq!(issue, "minor (risk): it is dry");
        assert!(first.starts_with(&format!("critique by {critic}: it refuses; ")), "{first}");
        assert!(second.starts_with(&format!("recritique by {critic}: it refuses; ")), "{second}");
        assert_eq!(came.reason(), solve::ACCEPTED_REVISED);
        assert_eq!(critiques(&came.run).len(), 2);
    }
}

#[test]
fn what_a_member_held_against_the_draft_stays_open_until_it_looks_again() {
    for critic in ["critic", "critic_2", "critic_3"] {
        let came = without(critic, &["recritique"]);
        assert_eq!(
            came.response.known_issues[..2],
            ["major (risk): it may be 43", "minor (risk): it is dry"]
        );
        assert_eq!(came.reason(), solve::ISSUES_REMAIN);
    }
}

#[test]
fn the_issues_of_all_members_are_joined_and_twins_are_told_once() {
    let came = without("nobody", &[]);
    assert_eq!(came.response.known_issues, ["minor (risk): it is dry"]);
    assert_eq!(came.run.calls(), 9);
    let [first, second] = &critiques(&came.run)[..] else { panic!("two critiques") };
    assert_eq!((first.issues.len(), second.issues.len()), (1, 1));
}
