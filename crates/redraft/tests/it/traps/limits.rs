//! Limits: raised while in progress, never below what is recorded; and going in circles.

use crate::{
    sandbox::THREE_ITERATIONS,
    scene::{
        agrees, asked, document, draft, expect_logged, final_draft, objects, refused, review,
        scripted, workspace,
    },
};

#[test]
fn a_calls_cap_leaves_the_loop_in_progress_and_more_calls_go_on() {
    let sandbox = workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    for (cap, asked_for) in [(1, 1), (1, 1), (3, 3), (4, 4)] {
        let words = review("description", &format!("--max-calls {cap}"));
        let ended = expect_logged(&sandbox, 5, &words);
        assert!(ended.out.contains("Outcome: in_progress\n"), "{}", ended.out);
        assert!(ended.err.contains(&format!("{cap} of {cap} calls")), "{}", ended.err);
        assert_eq!(asked(&sandbox).len(), asked_for);
    }
    let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
    assert_eq!(protocol["decision"], serde_json::Value::Null);
    expect_logged(&sandbox, 0, &review("description", "--max-calls 6"));
    assert_eq!(asked(&sandbox).len(), 6);
}

#[test]
fn max_iterations_may_be_raised_while_in_progress() {
    let replies = [
        draft("a"),
        objects("1"),
        draft("b"),
        objects("2"),
        draft("c"),
        objects("3"),
        final_draft("d"),
        agrees(),
    ];
    let sandbox = scripted(&replies);
    sandbox.expect(5, &review("description", "--max-iterations 2 --max-calls 3"));
    let ended = sandbox.expect(0, &review("description", "--max-iterations 4 --max-calls 99"));
    assert!(
        ended.out.contains("Outcome: converged (reviewer_ok_and_creator_done)"),
        "{}",
        ended.out
    );
    let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
    assert_eq!(protocol["max_iterations"], 4);
    assert_eq!(protocol["decision"]["final_iteration"], 4);
}

#[test]
fn max_iterations_below_what_is_recorded_is_an_error_and_nothing_changes() {
    let sandbox = workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox.expect(5, &review("description", "--max-calls 3"));
    let runs = sandbox.json("runs list -w w");
    let words = review("description", "--max-iterations 1 --max-calls 99");
    refused(&sandbox, 2, &words, &["2 iterations are recorded", "--max-iterations 1"]);
    refused(&sandbox, 2, &review("description", "--max-iterations 0"), &["--max-iterations"]);
    assert_eq!(sandbox.json("runs list -w w"), runs);
    sandbox.expect(0, &review("description", "--max-iterations 3 --max-calls 99"));
}

#[test]
fn max_iterations_lowered_to_what_is_recorded_ends_the_loop_without_a_call() {
    let sandbox = scripted(&[draft("a"), objects("1"), draft("b"), objects("2")]);
    sandbox.expect(5, &review("description", "--max-calls 2"));
    let ended = expect_logged(&sandbox, 3, &review("description", "--max-iterations 1"));
    assert!(ended.out.contains("Outcome: needs_human (iteration_limit)"), "{}", ended.out);
    assert_eq!(asked(&sandbox), Vec::<String>::new());
}

#[test]
fn going_in_circles_ends_the_loop_only_where_it_is_asked_for() {
    let circle = [
        draft("A"),
        objects("b"),
        draft("B"),
        objects("a"),
        draft("A"),
        objects("b"),
        final_draft("C"),
        agrees(),
    ];
    let sandbox = scripted(&circle);
    let words = review("description", "--max-iterations 4 --stop-on-stagnation");
    let ended = sandbox.expect(4, &words);
    assert!(ended.out.contains("Outcome: needs_human (no_improvement)\n"), "{}", ended.out);
    let decision = document(&sandbox, "w/copy/protocol/description/state.json")["decision"].clone();
    assert_eq!(
        (&decision["reason"], &decision["final_iteration"]),
        (&"no_improvement".into(), &3.into())
    );
    refused(&sandbox, 4, &words, &["Outcome: needs_human (no_improvement)"]);
    let sandbox = scripted(&circle);
    sandbox.expect(0, &review("description", "--max-iterations 4"));
}

#[test]
fn agreement_on_the_last_iteration_counts() {
    let sandbox = scripted(&[draft("a"), objects("1"), final_draft("b"), agrees()]);
    sandbox.expect(0, &review("description", "--max-iterations 2"));
}

#[test]
fn ok_without_a_creator_who_is_done_goes_on() {
    let sandbox = scripted(&[draft("a"), agrees(), draft("b"), agrees()]);
    let ended = sandbox.expect(3, &review("description", "--max-iterations 2"));
    assert!(ended.out.contains("Outcome: needs_human (iteration_limit)"), "{}", ended.out);
}
