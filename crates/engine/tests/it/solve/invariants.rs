//! The invariants of the contract, each over solves in which anything fails anywhere.

use super::{
    any::{any_scene, any_scene_with_deaths},
    cast::*,
    scene::*,
};
use proptest::prelude::*;
use redraft_engine::{CallState, RunRecord};
use redraft_loop::{Fact, Run};
use redraft_workflows::solve::{self, candidates, critiques, incidents};
use std::collections::BTreeSet;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn invariant_1_at_least_one_critique_ran_and_one_by_the_rules_is_told_as_degraded(scene in any_scene()) {
        is_criticised(&scene.play());
    }

    #[test]
    fn invariant_2_one_run_and_one_record_per_request_also_when_its_driver_dies(
        scene in any_scene(), after in 0_usize..14,
    ) {
        has_one_record(&Scene { dies_after: Some(after), ..scene }.play());
    }

    #[test]
    fn invariant_3_every_open_issue_is_known_blockers_first_and_none_dropped(scene in any_scene_with_deaths()) {
        tells_what_is_open(&scene.play());
    }

    #[test]
    fn invariant_4_constraints_stand_word_for_word_in_every_call_and_in_the_record(
        scene in any_scene_with_deaths(), strange in prop::collection::vec("(?s).{0,20}", 0..4),
    ) {
        let mut scene = scene;
        scene.request.constraints.extend(strange);
        keeps_its_constraints(&scene.play());
    }

    #[test]
    fn invariant_5_every_call_counts_and_no_cap_or_deadline_is_passed(scene in any_scene()) {
        stays_within_its_bounds(&scene.play());
    }

    #[test]
    fn invariant_5_also_holds_when_a_driver_dies(scene in any_scene(), after in 0_usize..14) {
        counts_what_a_dead_driver_claimed(&Scene { dies_after: Some(after), ..scene }.play());
    }

    #[test]
    fn invariant_6_whatever_fails_there_is_a_response_and_an_incident(scene in any_scene()) {
        answers_and_tells_its_incidents(&scene.play());
    }

    #[test]
    fn invariant_7_generator_and_critic_are_asked_apart_each_with_its_own_prompt(scene in any_scene()) {
        asks_each_role_for_its_own(&scene.play());
    }

    #[test]
    fn invariant_8_a_record_only_grows(scene in any_scene_with_deaths()) {
        only_grows(&scene.play());
    }
}

fn turns(came: &Came, step: &str) -> usize {
    came.run.turns().iter().filter(|turn| turn.step.as_str() == step).count()
}

fn calls(came: &Came, (step, role): &Position) -> usize {
    came.seen.iter().filter(|seen| seen.step == *step && seen.role == *role).count()
}

/// Whether this position went wrong so that its step had to go on without it.
fn fails_for_good(came: &Came, position: &Position) -> bool {
    came.scene.failing.get(position).is_some_and(|(goes, times)| !goes.passes(*times))
}

fn is_late(came: &Came) -> bool {
    came.known().contains("s that may be spent on this run are over")
}

fn is_criticised(came: &Came) {
    let drafted = !candidates(&came.run).is_empty();
    assert_eq!(turns(came, "critique"), usize::from(drafted), "{:#?}", came.response);
    let seats = positions(came.scene.critics).into_iter().filter(|(step, _)| *step == "critique");
    for position in seats.filter(|_| drafted) {
        assert!(calls(came, &position) > 0 || is_late(came), "a call was kept for {position:?}");
        let begins = name(&position, came.scene.critics);
        let degraded = |one: &String| one.starts_with(&begins) && one.contains("degraded mode");
        let told = came.response.known_issues.iter().any(degraded);
        let may_fail = came.scene.failing.contains_key(&position) || is_late(came);
        assert!(told || !fails_for_good(came, &position), "{position:?}: {:#?}", came.response);
        assert!(!told || may_fail, "{position:?} never failed: {:#?}", came.response);
    }
}

fn has_one_record(came: &Came) {
    let opened = came.facts.iter().filter(|fact| matches!(fact, Fact::Opened(_))).count();
    assert_eq!(opened, 1);
    assert_eq!(came.response.run_id, came.record.run_id.as_str());
    assert_eq!(came.record.decision.as_ref(), came.run.decision());
    let solve = solve::record(&came.run).unwrap();
    assert_eq!((&solve.final_response, &solve.request), (&came.response, &came.scene.request));
    if !came.left.is_empty() {
        // What it left is a record too, with a response of what there was.
        let left = Run::replay(came.left.clone()).unwrap();
        let record = RunRecord::fold(&came.left).unwrap();
        assert_eq!(record.run_id, came.record.run_id);
        assert_eq!(solve::response(&left).run_id, came.response.run_id);
    }
}

fn tells_what_is_open(came: &Came) {
    let (known, told) = (&came.response.known_issues, came.known());
    let weights = ["blocker (", "major (", "minor ("];
    let weight = |issue: &String| weights.iter().position(|begins| issue.starts_with(begins));
    assert!(known.is_sorted_by_key(|issue| weight(issue).unwrap_or(3)), "{known:#?}");
    assert_eq!(known.iter().collect::<BTreeSet<_>>().len(), known.len(), "none stands twice");
    let last = critiques(&came.run).pop().unwrap_or_default();
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for issue in &last.issues {
        assert!(told.contains(&one_line(&issue.description)), "{issue:?}: {known:#?}");
    }
    for violation in &last.constraint_violations {
        let violation = one_line(violation);
        let blocks = |one: &String| one.starts_with("blocker (") && one.contains(&violation);
        assert!(known.iter().any(blocks), "{violation:?}: {known:#?}");
    }
    for incident in incidents(&came.run) {
        assert!(known.contains(&incident.what), "{incident:?}: {known:#?}");
    }
    if first_critique_stands(came) {
        for issue in came.scene.says.critique["issues"].as_array().unwrap() {
            let open = issue["description"].as_str().unwrap();
            assert!(told.contains(open), "{open:?} is still open: {known:#?}");
        }
    }
}

/// Whether a critic was heard, and nobody was heard later that may say otherwise.
fn first_critique_stands(came: &Came) -> bool {
    let answered = |step: &str| {
        let of_step = came.record.calls.iter().filter(|call| call.step.as_str() == step);
        of_step.filter(|call| call.state == CallState::Answered).count()
    };
    answered("critique") > 0 && answered("recritique") == 0
}

fn keeps_its_constraints(came: &Came) {
    let constraints = &came.scene.request.constraints;
    let solve = solve::record(&came.run).unwrap();
    assert_eq!(&solve.request.constraints, constraints);
    assert_eq!(&solve.normalized_problem.constraints, constraints);
    for seen in &came.seen {
        let part = seen.prompt.part("constraints");
        let told: Vec<String> = part.map_or(vec![], |part| serde_json::from_str(part).unwrap());
        assert_eq!(&told, constraints, "{}", seen.step);
    }
}

fn stays_within_its_bounds(came: &Came) {
    let Scene { critics, calls, repairs, seconds, .. } = came.scene;
    assert_eq!(came.run.calls() as usize, came.seen.len(), "every call is charged, and no other");
    assert_eq!(came.record.calls.len(), came.seen.len());
    assert!(came.run.calls() <= calls, "{} of {calls}", came.run.calls());
    assert!(candidates(&came.run).len() <= 2 && turns(came, "revise") <= 1, "one revision");
    assert!(came.run.elapsed() <= seconds * 1_000_000, "{} µs", came.run.elapsed());
    let latencies = came.record.calls.iter().filter_map(|call| call.latency_ms);
    assert!(latencies.into_iter().all(|ms| ms <= 60_000));
    for (step, role) in positions(critics) {
        let calls = came.record.calls.iter();
        let calls = calls.filter(|call| call.step.as_str() == step && call.role.as_str() == role);
        let unread = calls.filter(|call| matches!(call.state, CallState::Unreadable { .. }));
        assert!(unread.count() <= repairs as usize + 1, "{step} by {role}");
    }
}

/// What was claimed when it died may never have left, and stays charged.
fn counts_what_a_dead_driver_claimed(came: &Came) {
    let (charged, seen) = (came.run.calls() as usize, came.seen.len());
    assert!(seen <= charged && charged <= came.scene.calls as usize, "{seen}, {charged}");
    let state = |call: &redraft_engine::CallRecord| call.state == CallState::MaybeBilled;
    let lost = came.record.calls.iter().filter(|call| state(call)).count();
    assert!(charged <= seen + lost, "{charged} for {seen} and {lost} that were lost");
    assert_eq!(came.record.calls.len(), charged);
    assert!(candidates(&came.run).len() <= 2 && turns(came, "revise") <= 1, "one revision");
}

fn answers_and_tells_its_incidents(came: &Came) {
    let failed = came.scene.failing.keys();
    let failed = failed.filter(|one| calls(came, one) > 0 && fails_for_good(came, one));
    for position in failed {
        let begins = name(position, came.scene.critics);
        let tells = |text: &String| text.starts_with(&begins);
        assert!(incidents(&came.run).iter().any(|one| tells(&one.what)), "{position:?}");
        assert!(came.response.known_issues.iter().any(tells), "{position:?}");
    }
    match candidates(&came.run).pop() {
        Some(draft) => assert!(came.response.final_answer.contains(&draft.answer_draft)),
        None => assert_eq!(came.reason(), solve::NOTHING_GENERATED),
    }
    let goes = came.scene.failing.get(&first_seat("generate"));
    let speaks = goes.is_none_or(|(goes, times)| goes.speaks() || goes.passes(*times));
    let capped = is_late(came) || came.known().contains("of this run are used");
    let is_drafted = !candidates(&came.run).is_empty();
    assert!(speaks == is_drafted || capped, "who speaks is heard: {:#?}", came.response);
}

fn asks_each_role_for_its_own(came: &Came) {
    let mut instructions: BTreeSet<(&str, &str)> = BTreeSet::new();
    for seen in &came.seen {
        let (role, task) = match seen.step.as_str() {
            "plan" => ("planner", "plan"),
            "generate" => ("generator", "generate"),
            "revise" => ("generator", "revise"),
            _ => ("critic", "criticise"),
        };
        assert!(seen.role.starts_with(role), "{seen:?}");
        instructions.insert((task, seen.prompt.instructions.as_str()));
    }
    let (tasks, texts): (BTreeSet<&str>, BTreeSet<&str>) = instructions.iter().copied().unzip();
    assert_eq!((tasks.len(), texts.len()), (instructions.len(), instructions.len()));
}

fn only_grows(came: &Came) {
    assert!(came.facts.starts_with(&came.left), "nothing is written over");
    let mut calls = 0;
    for end in 1..=came.facts.len() {
        let record = RunRecord::fold(&came.facts[..end]).unwrap();
        assert!(record.calls.len() >= calls, "no call is taken back");
        calls = record.calls.len();
    }
}
