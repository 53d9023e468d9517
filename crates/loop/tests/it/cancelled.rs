//! Giving a run up: wherever it stands, where a rule allows it; and what a turn that was sent back leaves behind.

use crate::play::{Stage, check, play};
use crate::shapes::{cancellable, gates, review};
use redraft_loop::*;

fn cancel() -> Input {
    Input::Cancel(Cancelled { by: "ada".into(), at: Time(99) })
}

const THROUGH: [&str; 2] = ["person: approves", "person: passes"];

/// The lines up to where the first review is asked for.
fn up_to_review() -> Vec<&'static str> {
    [&["plan: p"][..], &THROUGH, &["generate: g"], &THROUGH].concat()
}

#[test]
fn a_run_is_given_up_wherever_it_stands() {
    let review = up_to_review();
    let with = |more: &[&'static str]| [&review[..], more].concat();
    for lines in [
        vec![],
        vec!["plan: fails"],
        vec!["plan: breaks"],
        vec!["plan: mumbles hm"],
        vec!["plan: p"],
        vec!["plan: p", "person: rejects too long"],
        vec!["plan: p", "person: approves"],
        vec!["plan: p", "person: approves", "person: edits the file changed"],
        review.clone(),
        with(&["review: change x"]),
        with(&["review: ok", "person: approves"]),
        with(&["review: change x", "person: approves", "person: passes"]),
    ] {
        let mut stage = play(&cancellable(3), &lines);
        stage.give(cancel()).unwrap();
        assert_eq!(stage.run.step_at_hand(), None, "{lines:?}");
        assert_eq!(stage.run.gated(), None, "{lines:?}");
        assert!(matches!(stage.run.next(), Action::Decide(_)), "{lines:?}");
        assert_eq!(stage.ending(), "ended: cancelled", "{lines:?}");
    }
}

#[test]
fn a_run_is_given_up_before_anything_is_asked_and_while_a_call_is_in_flight() {
    let mut fresh = Stage::open(&cancellable(3));
    fresh.give(cancel()).unwrap();
    assert_eq!(fresh.ending(), "ended: cancelled");
    assert!(fresh.run.turns().is_empty());

    let mut asked = play(&cancellable(3), &[]);
    let call = asked.call_of("plan");
    assert_eq!(asked.run.next(), Action::Await(vec![call]));
    asked.give(cancel()).unwrap();
    assert_eq!(asked.run.unanswered(), [], "nobody waits for it any more");
    let reply = Reply::Read(Reading::text("late"));
    assert_eq!(asked.reply("plan", reply), Err(Refusal::NotInFlight(call)));
    assert_eq!(asked.ending(), "ended: cancelled");
}

#[test]
fn a_run_without_a_rule_on_it_cannot_be_given_up() {
    for (shape, lines) in
        [(gates(3), vec!["plan: p"]), (review(3), vec!["create: v1"]), (gates(3), vec![])]
    {
        let stage = play(&shape, &lines);
        assert_eq!(stage.run.decide(cancel()), Err(Refusal::NotCancellable));
    }
}

#[test]
fn a_decided_run_is_not_given_up() {
    let mut lines = up_to_review();
    lines.extend(["review: ok", "person: approves", "person: passes"]);
    let done = play(&cancellable(3), &lines);
    assert_eq!(done.run.decision().unwrap().reason, "approved");
    assert_eq!(done.run.decide(cancel()), Err(Refusal::Decided));

    let given_up = play(&cancellable(3), &["plan: p", "person: cancels"]);
    assert_eq!(given_up.run.decide(cancel()), Err(Refusal::Decided));
}

/// The rule is asked by the fact alone: nothing that happens by itself gives a run up.
#[test]
fn no_turn_gives_a_run_up_by_itself() {
    let lines = ["review: change x", "person: approves", "person: passes"];
    let lines = [up_to_review(), lines.to_vec()].concat();
    check(&cancellable(1), &lines, "needs_human: iteration_limit");
}

#[test]
fn a_turn_that_was_sent_back_is_kept_until_the_next_one_passes() {
    let said = |stage: &Stage| {
        let rejected = stage.run.rejected().map(|turn| turn.text().to_owned());
        (rejected, stage.run.feedback().map(str::to_owned))
    };
    let both = |turn: &str, feedback: &str| (Some(turn.to_owned()), Some(feedback.to_owned()));
    let play = |lines: &[&str]| play(&cancellable(3), lines);

    assert_eq!(said(&play(&["plan: p"])), (None, None));
    let mut lines = vec!["plan: p", "person: rejects too long"];
    assert_eq!(said(&play(&lines)), both("p", "too long"));
    lines.push("plan: p2");
    assert_eq!(said(&play(&lines)), both("p", "too long"), "at the gate of the next one");
    lines.push("person: rejects too short");
    assert_eq!(said(&play(&lines)), both("p2", "too short"), "the last one counts");
    lines.extend(["plan: p3", "person: approves"]);
    assert_eq!(said(&play(&lines)), both("p2", "too short"));
    lines.push("person: passes");
    assert_eq!(said(&play(&lines)), (None, None), "it was of another step");
}

#[test]
fn the_turn_at_its_gate_is_told_as_the_person_left_it() {
    let gated = |lines: &[&str]| {
        let stage = play(&cancellable(3), lines);
        stage.run.gated().map(|turn| turn.text().to_owned())
    };
    assert_eq!(gated(&[]), None);
    let mut lines = vec!["plan: p"];
    assert_eq!(gated(&lines).as_deref(), Some("p"));
    lines.push("person: approves edited");
    assert_eq!(gated(&lines).as_deref(), Some("edited"));
    lines.push("person: edits the file changed");
    assert_eq!(gated(&lines).as_deref(), Some("edited"), "the void leaves what was read");
    assert_eq!(gated(&["plan: p", "person: rejects no"]), None);
    assert_eq!(gated(&["plan: p", "person: approves", "person: passes"]), None);
}

#[test]
fn the_step_at_hand_is_the_one_that_is_asked_or_waits() {
    let at = |lines: &[&str]| {
        let stage = play(&cancellable(3), lines);
        stage.run.step_at_hand().map(|step| step.as_str().to_owned())
    };
    let review = up_to_review();
    assert_eq!(at(&[]).as_deref(), Some("plan"));
    assert_eq!(at(&["plan: p"]).as_deref(), Some("plan"));
    assert_eq!(at(&["plan: p", "person: approves"]).as_deref(), Some("plan"));
    assert_eq!(at(&review).as_deref(), Some("review"));
    let failed = [&review[..], &["review: change x"], &THROUGH].concat();
    assert_eq!(at(&failed).as_deref(), Some("revise"));
    let revised = [&failed[..], &["revise: r"], &THROUGH].concat();
    assert_eq!(at(&revised).as_deref(), Some("review"));
    let passed = [&revised[..], &["review: ok"], &THROUGH].concat();
    assert_eq!(at(&passed), None);
}

/// A revision makes the next iteration: a limit that it is beyond would be no limit.
#[test]
fn a_bound_below_the_round_that_is_due_is_refused() {
    let bound = |stage: &Stage, rounds: u32| {
        let limits = Limits { rounds, ..stage.run.limits().clone() };
        stage.run.decide(Input::Bound(Bounded { limits, at: Time(99) }))
    };
    let mut lines = up_to_review();
    let first = play(&cancellable(3), &lines);
    bound(&first, 1).unwrap();
    lines.extend(["review: change x", "person: approves", "person: passes"]);
    for more in [&[][..], &["revise: r"], &["person: approves"], &["person: passes"]] {
        lines.extend(more);
        let stage = play(&cancellable(3), &lines);
        let refused = Err(Refusal::BelowRecorded { begun: 2, limit: 1 });
        assert_eq!(bound(&stage, 1), refused, "{lines:?}");
        bound(&stage, 2).unwrap();
    }
}
