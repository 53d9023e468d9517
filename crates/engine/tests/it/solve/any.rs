//! Any solve there can be: any cast, any bounds, anything going wrong anywhere.

use super::{cast::*, scene::*};
use proptest::{collection::vec, prelude::*, sample::select, sample::subsequence};
use redraft_workflows::solve::fewest_calls;
use serde_json::json;

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
    let issues = || subsequence(ISSUES.to_vec(), 0..=ISSUES.len());
    let violations = subsequence(vec!["Name a number: it is none"], 0..=1);
    let doubts = subsequence(vec!["is it 42?"], 0..=1);
    let all = (issues(), issues(), violations, doubts);
    all.prop_map(|(first, again, violations, doubts)| {
        let mut says = Says { recritique: critique(&again), ..Says::finding(&first) };
        says.critique["constraint_violations"] = json!(violations);
        says.draft["uncertainty_flags"] = json!(doubts);
        says
    })
}

fn failing(critics: u32) -> impl Strategy<Value = Faults> {
    let times = prop_oneof![Just(1_usize), Just(2), Just(FOR_GOOD)];
    let one = (select(positions(critics)), (select(Goes::ALL.to_vec()), times));
    vec(one, 0..6).prop_map(|all| all.into_iter().collect())
}

prop_compose! {
    /// 1 to 3 critics, any cap from the fewest calls to 12, any number of repairs, little or much time.
    pub(super) fn any_scene()(critics in 1_u32..=3)(
        critics in Just(critics),
        says in says(),
        failing in failing(critics),
        calls in fewest_calls(critics)..=12,
        repairs in 0_u32..=2,
        seconds in prop_oneof![Just(300_i64), 1_i64..400],
        constraints in vec(select(CONSTRAINTS.to_vec()), 0..6),
        footer in any::<bool>(),
    ) -> Scene {
        let scene = Scene::of(says).constrained(&constraints);
        Scene { critics, failing, calls, repairs, seconds, footer, ..scene }
    }
}

/// The same, by a driver that dies on the way, or by one that does not.
pub(super) fn any_scene_with_deaths() -> impl Strategy<Value = Scene> {
    let dies_after = prop_oneof![3 => Just(None), 1 => (0_usize..14).prop_map(Some)];
    (any_scene(), dies_after).prop_map(|(scene, dies_after)| Scene { dies_after, ..scene })
}
