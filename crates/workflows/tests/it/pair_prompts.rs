//! What a pair is asked grows with what is open, not with the turns that it has taken.

use crate::pair_record::{architect, built, checked, critique, opened, play, rejected, stands};
use redraft_loop::{Action, Run};
use redraft_workflows::{Workflow, pair::Pair};
use serde_json::{Value, json};

/// A run whose critique of the turn after `turns` is due. Each critique raises so many points, and says of all that was
/// raised before it how it stands.
fn criticised(turns: u32, points: usize, status: &str) -> Run {
    let mut run = opened(turns + 2);
    play(&mut run, &[architect("propose", 1, &json!({}))]);
    let raised: Vec<String> =
        (0..points).map(|n| format!("point {n} {}", "x".repeat(80))).collect();
    let raised: Vec<&str> = raised.iter().map(String::as_str).collect();
    for turn in 1..=turns {
        let answers = answers(turn, points, status);
        let critique = critique(turn, &raised, &answers);
        play(&mut run, &[changed(turn), checked(0), critique, rejected(turn)]);
    }
    play(&mut run, &[changed(turns + 1), checked(0)]);
    run
}

/// Points that can still be answered so: what is fixed is not said again.
fn answers(turn: u32, points: usize, status: &str) -> Value {
    let first = if status == "fixed" { turn.saturating_sub(1).max(1) } else { 1 };
    let of = |turn: u32| (1..=points).map(move |n| stands(&format!("t{turn}-{n}"), status));
    (first..turn).flat_map(of).collect()
}

fn changed(turn: u32) -> String {
    built(turn, &format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+{turn}0\n"), &json!([]))
}

/// The findings that the architect is asked to judge now, and how long its prompt is.
fn judged(run: &Run) -> (Vec<Value>, usize) {
    let Action::Ask(asks) = run.next() else { panic!("{:?}", run.next()) };
    assert_eq!(asks[0].step.as_str(), "critique");
    let prompt = Pair.write(run, &asks[0]);
    let length = prompt.parts.iter().map(|part| part.text.len()).sum::<usize>();
    let findings = serde_json::from_str(prompt.part("findings").unwrap()).unwrap();
    (findings, length)
}

#[test]
fn what_was_mended_is_shown_without_its_history_and_only_the_newest() {
    let (few, short) = judged(&criticised(5, 20, "fixed"));
    let (many, long) = judged(&criticised(40, 20, "fixed"));
    assert_eq!((few.len(), many.len()), (70, 70), "20 open, 50 mended");
    assert!(long < short + 1_000 && long < 40_000, "{short} bytes, then {long}");
    let (open, mended) = many.split_at(20);
    assert!(open.iter().all(|one| one["status"] == "open" && one["history"][0]["round"] == 40));
    assert!(mended.iter().all(|one| one["status"] == "fixed" && one["history"] == json!([])));
    assert_eq!((&mended[0]["id"], &mended[49]["id"]), (&json!("t37-11"), &json!("t39-20")));
}

#[test]
fn what_is_open_is_shown_in_full_however_old_it_is() {
    let (all, _) = judged(&criticised(10, 10, "open"));
    assert_eq!(all.len(), 100);
    assert_eq!((&all[0]["id"], &all[0]["history"][0]["round"]), (&json!("t1-1"), &json!(1)));
}

#[test]
fn a_critique_that_leaves_more_open_than_can_be_answered_is_refused() {
    let run = criticised(4, 100, "open");
    let Action::Ask(asks) = run.next() else { panic!("{:?}", run.next()) };
    let answers = answers(5, 100, "open");
    let kept = Pair.read(&run, &asks[0], &critique(5, &[], &answers)).unwrap();
    assert_eq!(kept.issues.len(), 400);
    let why = Pair.read(&run, &asks[0], &critique(5, &["late"], &answers)).unwrap_err().why;
    assert!(why.contains("401 findings would stand open, and at most 400 may"), "{why}");
}
