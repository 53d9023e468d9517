//! The invariants of the contract, each over solves in which anything fails anywhere.

use super::{cast::*, scene::*};
use proptest::{prelude::*, sample::select};
use redraft_engine::RunRecord;
use redraft_loop::{Fact, Run};
use redraft_workflows::solve::{self, candidates, critiques, incidents};
use std::collections::BTreeSet;

const ISSUES: [(&str, &str); 5] = [
    ("minor", "the tone is dry"),
    ("blocker", "it is wrong"),
    ("major", "it may be 43"),
    ("minor", "it is short"),
    ("blocker", "it is unsafe"),
];
const CONSTRAINTS: [&str; 12] = [
    "Name a number",
    "",
    " \n\t",
    "at most 3 words",
    "at least 90 words",
    "at most 3 words",
    "Do not mention \"42\"",
    " must include \"42\" ",
    "in German",
    "short",
    "{\"json\": \"[end constraints]\"}",
    "ends with \"it.\"",
];

fn says() -> impl Strategy<Value = Says> {
    let issues = || prop::sample::subsequence(ISSUES.to_vec(), 0..=ISSUES.len());
    let violations = || prop::sample::subsequence(vec!["Name a number: it is none"], 0..=1);
    (issues(), issues(), violations(), prop::bool::ANY).prop_map(
        |(first, again, broken, doubts)| {
            let mut says = Says { recritique: critique(&again), ..Says::finding(&first) };
            says.critique["constraint_violations"] = serde_json::json!(broken);
            if doubts {
                says.draft["uncertainty_flags"] = serde_json::json!(["is it 42?"]);
            }
            says
        },
    )
}

fn failing(critics: u32) -> impl Strategy<Value = Faults> {
    let times = prop_oneof![Just(1_usize), Just(2), Just(FOR_GOOD)];
    let one = (select(positions(critics)), (select(Goes::ALL.to_vec()), times));
    prop::collection::vec(one, 0..6).prop_map(|all| all.into_iter().collect())
}

prop_compose! {
    /// Any solve: 1 to 3 critics, any cap from the fewest calls to 12, any number of repairs, little or much time.
    fn any_scene()(critics in 1_u32..=3)(
        critics in Just(critics),
        says in says(),
        failing in failing(critics),
        calls in solve::fewest_calls(critics)..=12,
        repairs in 0_u32..=2,
        seconds in prop_oneof![Just(300_i64), 1_i64..400],
        constraints in prop::collection::vec(select(CONSTRAINTS.to_vec()), 0..6),
        footer in any::<bool>(),
        dies_after in prop_oneof![3 => Just(None), 1 => (0_usize..14).prop_map(Some)],
    ) -> Scene {
        let scene = Scene::of(says).constrained(&constraints);
        Scene { critics, failing, calls, repairs, seconds, footer, dies_after, ..scene }
    }
}

/// How often a step's turn was played.
fn turns(came: &Came, step: &str) -> usize {
    came.run.turns().iter().filter(|turn| turn.step.as_str() == step).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn invariant_1_at_least_one_critique_ran_and_one_by_the_rules_is_told_as_degraded(scene in any_scene()) {
        let came = scene.play();
        let drafted = !candidates(&came.run).is_empty();
        prop_assert_eq!(turns(&came, "critique"), usize::from(drafted), "{:#?}", came.response);
        let seats = positions(came.scene.critics).into_iter().filter(|(step, _)| *step == "critique");
        for (step, role) in seats.filter(|_| drafted) {
            let calls = came.seen.iter().filter(|seen| seen.step == step && seen.role == role).count();
            let in_time = came.scene.seconds == 300 && came.scene.dies_after.is_none();
            let late = came.known().contains("may be spent on this run are over");
            prop_assert!(calls > 0 || !in_time || late, "{role} had a call kept for it: {:#?}", came.response);
            let goes = came.scene.failing.get(&(step, role.clone()));
            let begins = name(&(step, role), came.scene.critics);
            let told = came.response.known_issues.iter().any(|one| one.starts_with(&begins) && one.contains("degraded mode"));
            // Where it fails for good the rules stand in for it, and where it never fails they do not.
            let for_good = goes.is_some_and(|(goes, times)| !goes.passes(*times)) && came.scene.dies_after.is_none();
            prop_assert!(told || !for_good, "{goes:?}: {:#?}", came.response);
            prop_assert!(!told || goes.is_some() || !in_time || late, "{:#?}", came.response);
        }
    }

    #[test]
    fn invariant_2_one_run_and_one_record_per_request_also_when_its_driver_dies(scene in any_scene(), after in 0_usize..14) {
        let came = Scene { dies_after: Some(after), ..scene }.play();
        let opened = came.facts.iter().filter(|fact| matches!(fact, Fact::Opened(_))).count();
        prop_assert_eq!(opened, 1);
        prop_assert_eq!(came.facts.get(..came.left.len()).unwrap(), came.left.as_slice(), "nothing is written over");
        prop_assert_eq!(&came.response.run_id, came.record.run_id.as_str());
        prop_assert_eq!(came.record.decision.as_ref(), came.run.decision());
        let solve = solve::record(&came.run).unwrap();
        prop_assert_eq!(&solve.final_response, &came.response);
        prop_assert_eq!(&solve.request, &came.scene.request);
        if !came.left.is_empty() {
            // What was left when it died is a record too, with a response of what there was.
            let left = Run::replay(came.left.clone()).unwrap();
            RunRecord::fold(&came.left).unwrap();
            prop_assert_eq!(solve::response(&left).run_id, came.response.run_id);
        }
    }

    #[test]
    fn invariant_3_every_open_issue_is_known_blockers_first_and_none_dropped(scene in any_scene()) {
        let came = scene.play();
        let body = serde_json::to_value(&came.response).unwrap();
        prop_assert!(body["assumptions"].is_array() && body["known_issues"].is_array());
        let known = &came.response.known_issues;
        let weight = |issue: &String| ["blocker (", "major (", "minor ("].iter().position(|begins| issue.starts_with(begins)).unwrap_or(3);
        prop_assert!(known.is_sorted_by_key(weight), "{known:#?}");
        prop_assert_eq!(known.iter().collect::<BTreeSet<_>>().len(), known.len(), "none stands twice");
        let last = critiques(&came.run).pop().unwrap_or_default();
        for issue in &last.issues {
            let one_line = issue.description.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert!(came.known().contains(&one_line), "{issue:?}: {known:#?}");
        }
        for violation in &last.constraint_violations {
            let told = known.iter().any(|one| one.starts_with("blocker (") && one.contains(violation.trim()));
            prop_assert!(told, "{violation:?}: {known:#?}");
        }
        prop_assert!(incidents(&came.run).iter().all(|incident| known.contains(&incident.what)));
        let closed = turns(&came, "recritique") == 1 && !came.known().contains("not criticised again");
        let read = came.record.calls.iter().any(|call| call.step.as_str() == "critique" && call.state == redraft_engine::CallState::Answered);
        if read && !closed {
            for issue in came.scene.says.critique["issues"].as_array().unwrap() {
                prop_assert!(came.known().contains(issue["description"].as_str().unwrap()), "still open: {known:#?}");
            }
        }
    }

    #[test]
    fn invariant_4_constraints_stand_word_for_word_in_every_call_and_in_the_record(
        scene in any_scene(),
        strange in prop::collection::vec("(?s).{0,20}", 0..4),
    ) {
        let constraints = [strange, scene.request.constraints.clone()].concat();
        let request = solve::Request { constraints: constraints.clone(), ..scene.request.clone() };
        let came = Scene { request, ..scene }.play();
        let solve = solve::record(&came.run).unwrap();
        prop_assert_eq!(&solve.request.constraints, &constraints);
        prop_assert_eq!(&solve.normalized_problem.constraints, &constraints);
        for seen in &came.seen {
            let part = seen.prompt.part("constraints");
            let told: Vec<String> = part.map_or(vec![], |part| serde_json::from_str(part).unwrap());
            prop_assert_eq!(&told, &constraints, "{}", seen.step);
        }
    }

    #[test]
    fn invariant_5_every_call_counts_and_no_cap_or_deadline_is_passed(scene in any_scene()) {
        let came = scene.play();
        let (charged, seen) = (came.run.calls() as usize, came.seen.len());
        // What a driver had claimed when it died may never have left, and stays charged.
        prop_assert!(charged == seen || charged > seen && !came.left.is_empty(), "{charged} for {seen}");
        prop_assert_eq!(came.record.calls.len(), charged);
        prop_assert!(came.run.calls() <= came.scene.calls, "{} of {}", came.run.calls(), came.scene.calls);
        prop_assert!(candidates(&came.run).len() <= 2 && turns(&came, "revise") <= 1, "one revision at most");
        prop_assert!(came.record.calls.iter().filter_map(|call| call.latency_ms).all(|ms| ms <= 60_000));
        // What a driver does after its last fact, and dies, nobody knows of.
        let in_time = came.run.elapsed() <= came.scene.seconds * 1_000_000;
        prop_assert!(in_time || came.scene.dies_after.is_some(), "{} µs", came.run.elapsed());
        for (step, role) in positions(came.scene.critics) {
            let calls = came.record.calls.iter().filter(|call| call.step.as_str() == step && call.role.as_str() == role);
            let unreadable = calls.filter(|call| matches!(call.state, redraft_engine::CallState::Unreadable { .. })).count();
            // A driver that takes over tries anew.
            let lives = if came.left.is_empty() { 1 } else { 2 };
            prop_assert!(unreadable <= lives * (came.scene.repairs as usize + 1), "{step} by {role}: {unreadable}");
        }
    }

    #[test]
    fn invariant_6_whatever_fails_there_is_a_response_and_an_incident(scene in any_scene()) {
        let came = scene.play();
        for (position, (goes, times)) in &came.scene.failing {
            let calls = came.seen.iter().filter(|seen| seen.step == position.0 && seen.role == position.1).count();
            // A second driver tries anew; whether the call then fails depends on how often it had before.
            if calls == 0 || goes.passes(*times) || came.scene.dies_after.is_some() {
                continue;
            }
            let begins = name(position, came.scene.critics);
            prop_assert!(incidents(&came.run).iter().any(|one| one.what.starts_with(&begins)), "{position:?} {goes:?}");
            prop_assert!(came.response.known_issues.iter().any(|one| one.starts_with(&begins)), "{position:?} {goes:?}");
        }
        match candidates(&came.run).pop() {
            Some(draft) => prop_assert!(came.response.final_answer.contains(&draft.answer_draft)),
            None => prop_assert_eq!(came.reason(), solve::NOTHING_GENERATED),
        }
        let goes = came.scene.failing.get(&first_seat("generate"));
        let spoke = goes.is_none_or(|(goes, times)| goes.speaks() || goes.passes(*times));
        let capped = came.scene.dies_after.is_some() || came.known().contains("of this run are used") || came.known().contains("are over");
        prop_assert!(spoke != candidates(&came.run).is_empty() || capped, "a generator that speaks is heard: {:#?}", came.response);
    }

    #[test]
    fn invariant_7_generator_and_critic_are_asked_apart_each_with_its_own_prompt(scene in any_scene()) {
        let came = scene.play();
        let mut instructions: BTreeSet<(&str, &str)> = BTreeSet::new();
        for seen in &came.seen {
            let expected = match seen.step.as_str() {
                "plan" => "planner",
                "generate" | "revise" => "generator",
                _ => "critic",
            };
            prop_assert!(seen.role.starts_with(expected), "{seen:?}");
            let step = if expected == "critic" { "critique" } else { seen.step.as_str() };
            instructions.insert((step, seen.prompt.instructions.as_str()));
        }
        let (steps, texts): (BTreeSet<&str>, BTreeSet<&str>) = instructions.iter().copied().unzip();
        prop_assert_eq!((steps.len(), texts.len()), (instructions.len(), instructions.len()));
    }

    #[test]
    fn invariant_8_a_record_only_grows(scene in any_scene()) {
        let came = scene.play();
        // Each earlier state of the journal is a beginning of the later one, and each beginning is a record.
        prop_assert!(came.facts.starts_with(&came.left));
        let mut calls = 0;
        for end in 1..=came.facts.len() {
            let record = RunRecord::fold(&came.facts[..end]).unwrap();
            prop_assert!(record.calls.len() >= calls, "no call is taken back");
            calls = record.calls.len();
        }
    }
}
