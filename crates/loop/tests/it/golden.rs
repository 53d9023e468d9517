//! Golden journals: facts written by earlier versions, which must replay for ever.
//!
//! Never edit a file in `golden/`. A new version of the format adds files of its own:
//! `REDRAFT_WRITE_GOLDEN=1 cargo test -p redraft-loop golden` writes those that are missing.

use crate::play::{Stage, play, reading};
use crate::shapes::{cancellable, gates, pair, panel_review, review, solve};
use redraft_loop::*;
use std::{fs, path::PathBuf};

fn check(name: &str, ending: &str, write: impl FnOnce() -> Stage) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.jsonl"));
    if !path.exists() && std::env::var_os("REDRAFT_WRITE_GOLDEN").is_some() {
        fs::write(&path, write().journal.join("\n") + "\n").unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    let facts: Vec<Fact> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rewritten: Vec<String> = facts.iter().map(|f| serde_json::to_string(f).unwrap()).collect();
    assert_eq!(rewritten, text.lines().collect::<Vec<_>>(), "facts are written as they were read");
    match Run::replay(facts).unwrap().next() {
        Action::Done(exit) => assert_eq!(exit.reason, ending),
        other => assert_eq!(format!("{other:?}"), ending),
    }
}

#[test]
fn golden_v1_a_review_with_every_kind_of_trouble() {
    check("v1-review", "reviewer_ok_and_creator_done", || {
        let lines = [
            "create: fails",
            "create: v1",
            "driver: dies",
            "review: mumbles hm",
            "review: change more",
            "limits: rounds 4",
            "create: v2 done",
            "review: warn short",
        ];
        play(&review(3), &lines)
    });
}

#[test]
fn golden_v1_a_panel() {
    check("v1-panel", "iteration_limit", || {
        play(&panel_review(1, &["anna", "ben"]), &["create: v1", "ben: human", "anna: ok"])
    });
}

#[test]
fn golden_v1_an_answer_criticised_by_the_fallback() {
    check("v1-solve", "no_open_blocker", || {
        let lines = [
            "workflow: problem",
            "plan: p",
            "generate: a",
            "critique: breaks",
            "workflow: ok",
            "workflow: answer",
        ];
        play(&solve(6), &lines)
    });
}

#[test]
fn golden_v1_architect_and_builder_in_circles() {
    check("v1-pair", "NO_IMPROVEMENT", || {
        let lines = [
            "propose: p",
            "implement: d1",
            "check: ok",
            "critique: c",
            "verify: change x",
            "implement: d1",
        ];
        play(&pair(3), &lines)
    });
}

#[test]
fn golden_v1_gates() {
    check("v1-gates", "approved", || {
        let lines = [
            "plan: p",
            "person: rejects too long",
            "plan: p2",
            "person: approves",
            "person: edits the file changed",
            "person: approves",
            "person: passes",
            "generate: g",
            "person: approves",
            "person: passes",
            "review: ok",
            "person: approves",
            "person: passes",
        ];
        play(&gates(3), &lines)
    });
}

#[test]
fn golden_v2_a_dispute_with_money_and_a_person_who_takes_their_time() {
    check("v2-budgets", "dispute", || {
        let mut shape = review(3);
        let stuck = Condition::Found { step: "review".into(), code: "stuck".into() };
        shape.rules.insert(1, Rule::new(stuck, Outcome::NeedsHuman, "dispute"));
        let limits = &mut shape.limits;
        (limits.tokens, limits.cost, limits.time) =
            (Some(9_000), Some(5_000_000), Some(60_000_000));
        let mut opened = crate::play::opened(&shape);
        let member = |role: &str, lens: Option<&str>| CastMember {
            role: role.into(),
            agent: "writer".into(),
            model: Some("m-1".into()),
            provider: None,
            family: Some("m".into()),
            lens: lens.map(Into::into),
        };
        opened.cast = vec![member("create", None), member("review", Some("facts"))];
        let mut stage = Stage::open_as(opened);
        stage.reserve = Amount { tokens: 100, cost: Some(2_000) };
        stage.prepare();
        let served = Some(Served {
            model: Some("m-1-2026".into()),
            request: Some("req_1".into()),
            finish: Some("stop".into()),
        });
        let (call, at) = (stage.call_of("create"), stage.now());
        let usage = Some(Usage { input_tokens: 30, output_tokens: 9 });
        let reply = Reply::Read(reading("v1"));
        let replied = Replied { call, at, reply, usage, cost: Some(300), served: served.clone() };
        stage.give(Input::Reply(replied)).unwrap();
        stage.reserve = Amount { tokens: 100, cost: Some(0) };
        stage.prepare();
        let (call, at) = (stage.call_of("review"), stage.now());
        let (failure, message) = (Failure::Transient, "cut off".to_owned());
        let (cost, not_before, unsent) = (None, None, false);
        let failed = Failed { call, at, failure, message, usage, cost, served, not_before, unsent };
        stage.give(Input::Fail(failed)).unwrap();
        stage.prepare();
        let (call, at) = (stage.call_of("review"), stage.now());
        let waits_for = Some("an answer in review.response.md".to_owned());
        stage.give(Input::Release(Released { call, waits_for, at })).unwrap();
        stage.drive();
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
        stage
    });
}

#[test]
fn golden_v2_a_server_that_asks_for_patience() {
    check("v2-patience", "reviewer_ok_and_creator_done", || {
        let mut stage = Stage::open_as(crate::play::opened(&review(3)));
        stage.prepare();
        let (call, at) = (stage.call_of("create"), stage.now());
        let not_before = Some(Time(at.0 + 3_600_000_000));
        let (failure, message) = (Failure::Permanent, "slow down".to_owned());
        let (usage, cost, served, unsent) = (None, None, None, false);
        let failed = Failed { call, at, failure, message, not_before, usage, cost, served, unsent };
        stage.give(Input::Fail(failed)).unwrap();
        assert!(matches!(stage.run.next(), Action::Stop(Stop::Failed { .. })));
        stage.drive();
        assert_eq!(stage.wanted().not_before, not_before, "whoever drives next");
        stage.prepare();
        stage.reply("create", Reply::Read(Reading { done: true, ..reading("v1") })).unwrap();
        stage.prepare();
        assert!(!format!("{:?}", stage.run).contains("not_before: Some"), "it was waited for");
        let ok = Reading { verdict: Some(Verdict::Ok), ..reading("ok") };
        stage.reply("review", Reply::Read(ok)).unwrap();
        stage.prepare();
        stage
    });
}

#[test]
fn golden_v2_a_run_that_a_person_gave_up() {
    check("v2-cancelled", "cancelled", || {
        let lines = [
            "plan: p",
            "person: rejects too long",
            "plan: p2",
            "person: approves",
            "person: passes",
            "generate: fails",
            "person: cancels",
        ];
        play(&cancellable(3), &lines)
    });
}
