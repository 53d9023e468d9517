//! Caps on calls and time: what is still asked under each, and that the critics' calls are kept back.

use super::{cast::*, scene::*};
use redraft_workflows::solve::{self, End, fewest_calls};

fn unsound() -> Says {
    Says::finding(&[("major", "it may be 43")])
}

#[test]
fn each_cap_from_three_to_eight_leaves_out_what_comes_last() {
    for calls in 3..=8 {
        let came = Scene { calls, ..Scene::of(unsound()) }.play();
        let asked = STEPS.len().min(calls as usize);
        assert_eq!(came.steps(), &STEPS[..asked], "a cap of {calls}");
        let end = if calls < 5 { End::CutShort } else { End::Answered };
        assert_eq!(came.end(), end, "a cap of {calls}");
        let answer = if calls == 3 { DRAFT } else { REVISED };
        assert!(came.response.final_answer.starts_with(answer), "a cap of {calls}");
        let (known, open) = (came.known(), calls < 5);
        assert_eq!(known.contains("it may be 43"), open, "what is open stays told: {known}");
        assert_eq!(known.contains("not revised"), calls == 3, "{known}");
        assert_eq!(known.contains("not criticised again"), calls == 4, "{known}");
        assert_eq!(known.contains(&format!("{calls} of {calls} calls of this run")), open);
    }
}

#[test]
fn the_critics_calls_are_kept_back_while_all_others_fail() {
    for critics in 1..=3 {
        for calls in fewest_calls(critics)..=8 {
            for goes in Goes::ALL {
                let scene = Scene { critics, calls, ..Scene::of(unsound()) };
                let scene = scene.with("plan", Goes::ServerError, FOR_GOOD);
                let came = scene.with("generate", goes, FOR_GOOD).play();
                let place = format!("{critics} critics, {calls} calls, {goes:?}");
                let heard = came.steps().iter().filter(|step| **step == "critique").count();
                let expected = if goes.speaks() { critics as usize } else { 0 };
                assert_eq!(heard, expected, "{place}: {:?}", came.steps());
                assert!(came.seen.len() <= calls as usize, "{place}");
                assert!(came.known().contains("plan: "), "{place}: {}", came.known());
            }
        }
    }
}

#[test]
fn time_that_is_over_ends_each_step_with_what_there_is() {
    for (step, begins) in
        [("plan", 0), ("generate", 0), ("critique", 1), ("revise", 1), ("recritique", 2)]
    {
        let scene = Scene { seconds: 10, ..Scene::of(unsound()) };
        let came = scene.with(step, Goes::TimesOut, FOR_GOOD).play();
        assert_eq!(came.run.elapsed(), 10_000_000, "{step}");
        assert_eq!(came.steps().last(), Some(&step), "nobody is asked after it");
        let over = "the 10 s that may be spent on this run are over";
        let told = |one: &&String| one.starts_with(&format!("{step}: ")) && one.contains(over);
        assert_eq!(came.response.known_issues.iter().filter(told).count(), 1, "{step}");
        let answer = [solve::NOTHING_GENERATED, DRAFT, REVISED][begins];
        match begins {
            0 => assert_eq!(came.reason(), answer, "{step}"),
            _ => assert!(came.response.final_answer.starts_with(answer), "{step}"),
        }
        let end = if begins == 0 { End::Nothing } else { End::CutShort };
        assert_eq!(came.end(), end, "{step}");
    }
}
