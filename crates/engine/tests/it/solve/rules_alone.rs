//! Answers that nobody but the rules of the house has looked at: the decision and the known issues say so.

use super::{cast::*, scene::*};
use redraft_workflows::solve::{self, End};

const NOBODY: &str = "minor (requirements): not checked by anybody: ";

fn unheard(critics: u32, fails: &[&str]) -> Came {
    let mut scene = Scene { critics, ..Scene::of(Says::finding(&[])) };
    for role in fails {
        scene.failing.insert(("critique", (*role).to_owned()), (Goes::Refused, FOR_GOOD));
    }
    scene.constrained(&["be kind", "at most 30 words", "", "be  kind "]).play()
}

#[test]
fn without_any_critic_the_rules_alone_accept_it_and_what_they_do_not_understand_is_told() {
    for (critics, fails) in [(1, &["critic"][..]), (2, &["critic", "critic_2"])] {
        let came = unheard(critics, fails);
        assert_eq!(came.reason(), solve::ACCEPTED_BY_RULES);
        assert_eq!(came.end(), End::Answered);
        assert!(came.known().contains("degraded"), "{}", came.known());
        let told = format!("{NOBODY}\"be kind\", \"be kind\"");
        assert!(came.response.known_issues.contains(&told), "{}", came.known());
    }
}

#[test]
fn one_critic_who_is_heard_is_enough_to_have_it_looked_at() {
    for came in [unheard(1, &[]), unheard(2, &["critic"])] {
        assert_eq!(came.reason(), solve::ACCEPTED);
        assert!(!came.known().contains(NOBODY), "{}", came.known());
    }
}

#[test]
fn a_critic_that_looked_from_no_view_is_none() {
    let mut says = Says::finding(&[]);
    let views =
        ["requirements", "architecture", "risk", "compliance", "security/ops", "evaluation"];
    says.critique["missing_roles"] = views.as_slice().into();
    let came = Scene::of(says.clone()).constrained(&["be kind"]).play();
    assert_eq!(came.reason(), solve::ACCEPTED_BY_RULES);
    assert!(came.known().contains(NOBODY), "{}", came.known());
    says.critique["missing_roles"] = views[1..].into();
    let came = Scene::of(says).constrained(&["be kind"]).play();
    assert_eq!(came.reason(), solve::ACCEPTED);
}

#[test]
fn a_revision_that_only_the_rules_looked_at_is_accepted_by_them_alone() {
    let says = Says { revised: draft("Forty-two.", "a2"), ..Says::finding(&[]) };
    let scene = Scene::of(says).constrained(&["at most 3 words", "be kind"]);
    let came = scene.with("recritique", Goes::Refused, FOR_GOOD).play();
    assert_eq!(came.reason(), solve::ACCEPTED_REVISED_BY_RULES);
    assert!(came.known().contains(&format!("{NOBODY}\"be kind\"")), "{}", came.known());
}

#[test]
fn a_cap_that_ends_the_attempts_is_told_with_what_they_came_to() {
    let scene = Scene { calls: 4, ..Scene::of(Says::finding(&[])) };
    let came = scene.with("generate", Goes::ServerError, FOR_GOOD).play();
    let told =
        "3 of 4 calls of this run are used and 1 is kept for later steps (the last attempt: ";
    assert!(came.known().contains(told), "{}", came.known());
    assert!(came.known().contains("HTTP 500"), "{}", came.known());
}

#[test]
fn the_one_who_writes_and_those_who_criticise_are_of_two_families_and_the_planner_is_asked_nothing()
{
    let came = Scene::of(Says::finding(&[])).play();
    let mut opened = came.run.opened().clone();
    let member = |role: &str, family: &str| redraft_loop::CastMember {
        role: redraft_loop::Role::new(role),
        agent: role.to_owned(),
        model: None,
        provider: None,
        family: Some(family.to_owned()),
        lens: None,
    };
    for (critic, warned) in [("b", 0), ("a", 1)] {
        opened.cast =
            vec![member("planner", "a"), member("generator", "a"), member("critic", critic)];
        let facts = [redraft_loop::Fact::Opened(opened.clone())];
        let record = redraft_engine::RunRecord::fold(&facts).unwrap();
        assert_eq!(record.warnings.len(), warned, "{:?}", record.warnings);
        let told =
            |one: &String| one.starts_with("generator and critic are of one model family (a)");
        assert!(record.warnings.iter().all(told), "{:?}", record.warnings);
    }
}
