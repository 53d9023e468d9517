//! How a review goes, line by line, alone and with a panel.

use crate::play::{Stage, check, opened, play, reading};
use crate::shapes::{panel_review, review};
use redraft_loop::*;

#[test]
fn both_agree_and_the_run_converges() {
    let lines = ["create: v1", "review: change more", "create: v2 done", "review: ok"];
    check(&review(3), &lines, "converged: reviewer_ok_and_creator_done");
}

#[test]
fn agreement_counts_on_the_last_round_too() {
    check(
        &review(1),
        &["create: v1 done", "review: ok"],
        "converged: reviewer_ok_and_creator_done",
    );
}

#[test]
fn ok_alone_is_not_enough() {
    let lines = ["create: v1", "review: ok", "create: v2", "review: ok"];
    check(&review(2), &lines, "needs_human: iteration_limit");
}

#[test]
fn done_alone_is_not_enough() {
    check(&review(1), &["create: v1 done", "review: change more"], "needs_human: iteration_limit");
}

#[test]
fn a_warning_does_not_block() {
    let lines = ["create: v1 done", "review: warn short"];
    check(&review(2), &lines, "converged: reviewer_ok_and_creator_done");
}

#[test]
fn a_call_for_a_person_does_not_stop_the_rounds() {
    let lines = ["create: v1 done", "review: human", "create: v2 done", "review: ok"];
    check(&review(3), &lines, "converged: reviewer_ok_and_creator_done");
}

#[test]
fn going_in_circles_is_no_improvement() {
    let lines = [
        "create: a",
        "review: change x",
        "create: b",
        "review: change y",
        "create: a",
        "review: change x",
    ];
    check(&review(9), &lines, "needs_human: no_improvement");
}

#[test]
fn ok_beside_an_error_is_refused() {
    let mut stage = play(&review(1), &["create: v1 done"]);
    let forged = Reading { verdict: Some(Verdict::Ok), ..reading("change x") };
    assert_eq!(stage.reply("review", Reply::Read(forged)), Err(Refusal::Contradiction));
}

#[test]
fn a_reply_is_taken_once() {
    let mut stage = play(&review(1), &[]);
    let call = stage.call_of("create");
    stage.reply("create", Reply::Read(reading("v1"))).unwrap();
    assert_eq!(stage.reply("create", Reply::Read(reading("v2"))), Err(Refusal::NotInFlight(call)));
}

#[test]
fn an_unreadable_reply_is_repaired_once_and_then_stops_the_run() {
    check(
        &review(1),
        &["create: v1 done", "review: mumbles hm", "review: ok"],
        "converged: reviewer_ok_and_creator_done",
    );
    check(
        &review(1),
        &["create: v1 done", "review: mumbles hm", "review: mumbles hm"],
        "stop: review: no verdict",
    );
}

#[test]
fn a_repair_quotes_what_was_wrong() {
    let mut stage = Stage::open(&review(1));
    stage.prepare();
    let reply = Reply::Unreadable { why: "not JSON".into(), text: "sure!".into() };
    stage.reply("create", reply).unwrap();
    let ask = stage.wanted();
    assert_eq!(ask.repair, Some(("not JSON".into(), "sure!".into())));
    assert_eq!(
        (ask.attempt, ask.ordinal),
        (2, 1),
        "an unreadable reply was an answer all the same"
    );
}

#[test]
fn failed_attempts_are_retried_up_to_the_limit_and_a_new_driver_tries_again() {
    check(&review(1), &["create: fails", "create: fails"], "stop: create: create fell over");
    check(
        &review(1),
        &["create: fails", "create: fails", "driver: dies", "create: v1 done", "review: ok"],
        "converged: reviewer_ok_and_creator_done",
    );
}

#[test]
fn a_permanent_failure_is_not_retried() {
    check(&review(1), &["create: breaks"], "stop: create: create fell over");
}

#[test]
fn a_call_left_by_a_dead_driver_is_asked_again_once() {
    let lines = ["driver: dies", "create: v1 done", "review: ok"];
    check(&review(1), &lines, "converged: reviewer_ok_and_creator_done");
    check(&review(1), &["driver: dies", "driver: dies"], "stop: call 2 of create");
    assert_eq!(play(&review(1), &["driver: dies"]).run.calls(), 2, "the lost call stays charged");
}

#[test]
fn a_stale_driver_is_refused() {
    let mut stage = play(&review(1), &["driver: dies"]);
    let driven = Driven { epoch: Epoch(2), at: Time(9) };
    assert_eq!(stage.give(Input::Drive(driven)), Err(Refusal::StaleEpoch(Epoch(2))));
}

#[test]
fn a_released_claim_costs_nothing() {
    let mut stage = play(&review(1), &[]);
    let call = stage.call_of("create");
    stage.give(Input::Release(Released { call, waits_for: None, at: Time(5) })).unwrap();
    assert_eq!(stage.run.calls(), 0);
    stage.prepare();
    assert_eq!(stage.call_of("create"), CallId(2), "a number is never used twice");
}

#[test]
fn the_cap_counts_claims_and_repairs() {
    let mut shape = review(3);
    shape.limits.calls = Some(3);
    let lines = ["create: v1", "review: mumbles hm", "review: change x"];
    check(&shape, &lines, "stop: 3 of 3 calls of this run are used");
}

#[test]
fn a_refused_claim_stops_the_driver_and_not_the_run() {
    let mut stage = play(&review(1), &[]);
    let call = stage.call_of("create");
    stage.give(Input::Release(Released { call, waits_for: None, at: Time(1) })).unwrap();
    let cap = CapReached { cap: "7 of 7 calls of this home are used".into(), at: Time(2) };
    stage.give(Input::Cap(cap)).unwrap();
    assert_eq!(stage.ending(), "stop: 7 of 7 calls of this home are used");
    stage.drive();
    assert_eq!(stage.ending(), "waits for 1 calls");
}

#[test]
fn a_panel_is_merged_in_its_own_order() {
    let shape = panel_review(2, &["anna", "ben", "cleo"]);
    let lines = ["create: v1 done", "cleo: ok", "anna: ok", "ben: change dull"];
    let stage = play(&shape, &lines);
    let turn = stage.run.newest(&"review".into()).unwrap();
    assert_eq!(turn.verdict(), Some(Verdict::ChangesRequested));
    let other = play(&shape, &["create: v1 done", "ben: change dull", "cleo: ok", "anna: ok"]);
    assert_eq!(other.run.newest(&"review".into()).unwrap().readings, turn.readings);
}

#[test]
fn a_panel_calls_for_a_person_only_when_nobody_asks_for_changes() {
    let shape = panel_review(1, &["anna", "ben"]);
    let run = play(&shape, &["create: v1 done", "anna: human", "ben: ok"]).run;
    assert_eq!(run.newest(&"review".into()).unwrap().verdict(), Some(Verdict::NeedsHuman));
}

#[test]
fn one_failed_member_does_not_lose_the_others() {
    let shape = panel_review(1, &["anna", "ben"]);
    check(&shape, &["create: v1 done", "anna: breaks"], "waits for 1 calls");
    check(&shape, &["create: v1 done", "anna: breaks", "ben: ok"], "stop: anna: anna fell over");
    check(
        &shape,
        &["create: v1 done", "anna: breaks", "ben: ok", "driver: dies", "anna: ok"],
        "converged: reviewer_ok_and_creator_done",
    );
}

#[test]
fn limits_may_be_raised_and_not_lowered_below_what_is_recorded() {
    let lines =
        ["create: v1", "review: change x", "limits: rounds 2", "create: v2", "review: human"];
    check(&review(3), &lines, "needs_human: iteration_limit");
    let mut stage = play(&review(3), &["create: v1", "review: change x", "create: v2"]);
    let limits = Limits { rounds: 1, ..stage.run.limits().clone() };
    let refused = stage.give(Input::Bound(Bounded { limits, at: Time(9) }));
    assert_eq!(refused, Err(Refusal::BelowRecorded { begun: 2, limit: 1 }));
}

#[test]
fn a_bound_that_is_met_already_ends_the_run() {
    let mut stage = play(&review(3), &["create: v1"]);
    stage.reply("review", Reply::Read(reading("change x"))).unwrap();
    let limits = Limits { rounds: 1, ..stage.run.limits().clone() };
    stage.give(Input::Bound(Bounded { limits, at: Time(9) })).unwrap();
    assert_eq!(stage.ending(), "needs_human: iteration_limit");
}

#[test]
fn a_decision_is_locked_whole() {
    let mut stage = play(&review(1), &["create: v1", "review: ok"]);
    let exit = stage.run.decision().cloned();
    let limits = Limits { rounds: 9, ..stage.run.limits().clone() };
    let tries = [
        Input::Bound(Bounded { limits, at: Time(9) }),
        Input::Drive(Driven { epoch: Epoch(9), at: Time(9) }),
        Input::Interrupt(Interrupted { at: Time(9) }),
        Input::Decide { at: Time(9) },
    ];
    for input in tries {
        assert_eq!(stage.give(input), Err(Refusal::Decided));
    }
    assert_eq!(stage.run.decision().cloned(), exit);
}

#[test]
fn rounds_played_elsewhere_count() {
    let turn = |step: &str, what| Turn {
        round: 1,
        step: step.into(),
        at: Time(0),
        readings: vec![reading(what)],
    };
    let past = vec![turn("create", "v1"), turn("review", "change x")];
    let mut stage = Stage::open_as(Opened { past, first_round: 2, ..opened(&review(2)) });
    let ask = stage.wanted();
    assert_eq!((ask.round, ask.ordinal), (2, 1), "the reply of round 1 was given elsewhere");
    stage.prepare();
    stage.reply("create", Reply::Read(reading("v2"))).unwrap();
    stage.prepare();
    stage.reply("review", Reply::Read(reading("change x"))).unwrap();
    assert_eq!(stage.ending(), "needs_human: iteration_limit");
}

#[test]
fn rounds_played_elsewhere_may_have_ended_the_run_already() {
    let turn = |step: &str, what| Turn {
        round: 1,
        step: step.into(),
        at: Time(0),
        readings: vec![reading(what)],
    };
    for (created, reviewed, rounds, ending) in [
        ("v1 done", "ok", 3, "converged: reviewer_ok_and_creator_done"),
        ("v1 done", "ok", 1, "converged: reviewer_ok_and_creator_done"),
        ("v1", "change x", 1, "needs_human: iteration_limit"),
        ("v1", "change x", 2, "waits for 1 calls"),
    ] {
        let past = vec![turn("create", created), turn("review", reviewed)];
        let mut stage = Stage::open_as(Opened { past, first_round: 2, ..opened(&review(rounds)) });
        assert_eq!(stage.ending(), ending);
    }
}

#[test]
fn of_several_seats_each_may_be_claimed_first() {
    let mut stage = play(&panel_review(1, &["anna", "ben"]), &[]);
    stage.reply("create", Reply::Read(reading("v1 done"))).unwrap();
    let Action::Ask(asks) = stage.run.next() else { panic!("{:?}", stage.run.next()) };
    let (ask, prompt, at) = (asks[1].clone(), Hash::new("0".repeat(64)), Time(9));
    stage.give(Input::Claim { ask, prompt, reserve: Amount::FREE, at }).unwrap();
    stage.prepare();
    assert_eq!(stage.ending(), "waits for 2 calls");
}

#[test]
fn an_interruption_hears_what_is_in_flight_and_asks_nothing_new() {
    let mut stage = play(&review(1), &[]);
    stage.give(Input::Interrupt(Interrupted { at: Time(3) })).unwrap();
    assert_eq!(stage.ending(), "waits for 1 calls");
    stage.reply("create", Reply::Read(reading("v1"))).unwrap();
    assert_eq!(stage.ending(), "stop: interrupted");
}

#[test]
fn a_shape_that_could_go_on_for_ever_is_refused() {
    let mut shape = review(3);
    shape.rules.remove(1);
    assert_eq!(Run::open(opened(&shape)), Err(ReplayError::Shape(ShapeError::Unbounded)));
}

#[test]
fn a_rule_about_a_step_that_is_not_there_is_refused() {
    let mut shape = review(3);
    shape.repeating.remove(0);
    let unknown = ShapeError::UnknownStep("create".into());
    assert_eq!(Run::open(opened(&shape)), Err(ReplayError::Shape(unknown)));
}

#[test]
fn a_finding_of_that_code_ends_the_run() {
    let mut shape = review(3);
    let when = Condition::Found { step: "review".into(), code: "stuck".into() };
    shape.rules.insert(1, Rule::new(when, Outcome::NeedsHuman, "dispute"));
    let mut stage = play(&shape, &["create: v1"]);
    stage.prepare();
    let issue = Issue {
        id: "i".into(),
        severity: Severity::Warning,
        message: "nobody gives in".into(),
        code: Some("stuck".into()),
        field: None,
    };
    let said = Reading { issues: vec![issue], ..reading("change it") };
    stage.reply("review", Reply::Read(said)).unwrap();
    stage.prepare();
    assert_eq!(stage.ending(), "needs_human: dispute");
}
