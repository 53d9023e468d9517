//! The record of a pair: everybody's words in order, and what was found turn by turn.

use crate::stage::{answer, give};
use redraft_loop::*;
use redraft_workflows::{
    Workflow,
    pair::{
        self, Bounds, Built, CheckResult, Checked, Kind, Outcome as Worktree, Pair, Record,
        Standing::{self, Disputed, Fixed, New, Open, Reopened},
    },
};
use serde_json::{Value, json};

const A: &str = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n";
const B: &str = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+3\n";
const C: &str = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+4\n";

pub(crate) fn opened(turns: u32) -> Run {
    opened_for(turns, false)
}

/// The same with a builder that edits files itself, or does not.
fn opened_for(turns: u32, edits: bool) -> Run {
    let limits = Limits {
        rounds: turns,
        calls: None,
        tokens: None,
        cost: None,
        time: None,
        attempts: 1,
        ask_again: 1,
    };
    let repository = json!({"folder": "r", "commit": "c0ffee", "paths": ["x"]});
    let settings = json!({"task": "make it\ngood", "repository": repository, "checks": ["make test"], "edits": edits});
    Run::open(Opened {
        run: RunId::new("run"),
        at: Time(0),
        epoch: Epoch(1),
        subject: "pair".into(),
        shape: pair::shape(&Bounds { limits, checks: true }),
        cast: vec![],
        sources: vec![],
        seed: None,
        past: vec![],
        first_round: 1,
        settings,
    })
    .unwrap()
}

/// Plays the replies, one a call; the run goes no further than they do.
pub(crate) fn play(run: &mut Run, replies: &[String]) {
    for said in replies {
        while !matches!(run.next(), Action::Ask(_)) {
            let Action::Decide(_) = run.next() else { panic!("{:?}", run.next()) };
            give(run, Input::Decide { at: Time(1) });
        }
        let Action::Ask(asks) = run.next() else { panic!("{:?}", run.next()) };
        let reading = Pair.read(run, &asks[0], said).unwrap();
        answer(run, asks[0].clone(), Reply::Read(reading));
    }
    while let Action::Decide(_) = run.next() {
        give(run, Input::Decide { at: Time(1) });
    }
}

pub(crate) fn architect(kind: &str, turn: u32, more: &Value) -> String {
    let mut message = json!({"role": "architect", "type": kind, "content": format!("{kind} {turn}"), "turn": turn});
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    message.to_string()
}

pub(crate) fn built(turn: u32, diff: &str, disputes: &Value) -> String {
    let reply = json!({"role": "builder", "type": "implement", "content": "done", "turn": turn, "diff": diff, "disputes": disputes});
    let outcome = Worktree::Applied(diff.to_owned());
    let built = Built { reply: reply.to_string(), prose: false, outcome };
    serde_json::to_string(&built).unwrap()
}

pub(crate) fn checked(exit: i32) -> String {
    let check = CheckResult {
        command: "make test".into(),
        exit: Some(exit),
        timed_out: false,
        tail: "its end".into(),
        millis: 5,
    };
    serde_json::to_string(&Checked { checks: vec![check] }).unwrap()
}

pub(crate) fn critique(turn: u32, issues: &[&str], findings: &Value) -> String {
    let issues: Vec<Value> = issues
        .iter()
        .map(|text| json!({"severity": "error", "message": text, "file": "x"}))
        .collect();
    architect("critique", turn, &json!({"issues": issues, "findings": findings}))
}

pub(crate) fn rejected(turn: u32) -> String {
    architect("verify", turn, &json!({"verdict": "rejected"}))
}

pub(crate) fn stands(id: &str, status: &str) -> Value {
    json!({"id": id, "status": status, "note": null})
}

/// Three turns: a check that goes green and red again, a point that is disputed and upheld, one that comes back.
fn three_turns() -> Vec<String> {
    let disputes = json!([{"finding": "t1-1", "reason": "it is tested"}]);
    vec![
        architect("propose", 1, &json!({})),
        built(1, A, &json!([])),
        checked(1),
        critique(1, &["no test", "bad name"], &json!([])),
        rejected(1),
        built(2, B, &disputes),
        checked(0),
        critique(2, &[], &json!([stands("t1-1", "open"), stands("t1-2", "fixed")])),
        rejected(2),
        built(3, C, &json!([])),
        checked(1),
        critique(3, &["late"], &json!([stands("t1-1", "disputed"), stands("t1-2", "reopened")])),
        rejected(3),
    ]
}

/// A finding's id, and how it stood in each turn from the one that raised it.
type Row<'a> = (&'a str, Vec<(u32, Vec<Standing>)>);

fn table(record: &Record) -> Vec<Row<'_>> {
    let turns = |followed: &pair::Followed| {
        followed.turns.iter().map(|stood| (stood.turn, stood.was.clone())).collect()
    };
    record.findings.iter().map(|one| (one.finding.id.as_str(), turns(one))).collect()
}

#[test]
fn findings_stand_in_each_turn_as_its_messages_left_them() {
    let mut run = opened(3);
    play(&mut run, &three_turns());
    assert_eq!(run.decision().unwrap().reason, pair::MAX_TURNS);
    let record = pair::record(&run).unwrap();
    assert_eq!(
        table(&record),
        [
            ("check-1", vec![(1, vec![New]), (2, vec![Fixed]), (3, vec![Reopened])]),
            ("t1-1", vec![(1, vec![New]), (2, vec![Disputed, Open]), (3, vec![Disputed])]),
            ("t1-2", vec![(1, vec![New]), (2, vec![Fixed]), (3, vec![Reopened])]),
            ("t3-1", vec![(3, vec![New])]),
        ]
    );
    assert_eq!(record.turns.iter().map(|turn| turn.open).collect::<Vec<_>>(), [2, 1, 3]);
    let notes: Vec<_> =
        record.findings[1].finding.history.iter().map(|change| &change.note).collect();
    assert!(notes.contains(&&Some("it is tested".to_owned())), "{notes:?}");
}

#[test]
fn a_finding_that_nobody_speaks_of_stands_on() {
    let mut run = opened(3);
    let mut replies = three_turns();
    replies[7] = critique(2, &[], &json!([stands("t1-1", "open"), stands("t1-2", "open")]));
    play(&mut run, &replies[..9]);
    let record = pair::record(&run).unwrap();
    assert_eq!(table(&record)[2], ("t1-2", vec![(1, vec![New]), (2, vec![Open])]));
}

#[test]
fn the_record_has_every_message_in_order_and_each_diff_once() {
    let mut run = opened(3);
    play(&mut run, &three_turns());
    let record = pair::record(&run).unwrap();
    use Kind::{Critique, Implement, Propose, Verify};
    let kinds: Vec<Kind> = record.messages.iter().map(|message| message.kind).collect();
    let turn = [Implement, Critique, Verify];
    assert_eq!(kinds, [[Propose].as_slice(), &turn, &turn, &turn].concat());
    let json = serde_json::to_string(&record).unwrap();
    for diff in [A, B, C] {
        let quoted = serde_json::to_string(diff).unwrap();
        assert_eq!(json.matches(&quoted).count(), 1, "{diff}");
    }
    assert_eq!((record.task.as_str(), record.commit.as_deref()), ("make it\ngood", Some("c0ffee")));
    assert_eq!(record.checks, ["make test"]);
    let failing: Vec<_> = record.turns.iter().map(|turn| turn.failing).collect();
    assert_eq!(failing, [Some(1), Some(0), Some(1)]);
    assert_eq!(record.turns[0].checks.as_ref().unwrap()[0].tail, "its end");
    assert!(record.turns.iter().all(|turn| turn.verified == Some(false)));
}

#[test]
fn the_best_turn_is_handed_over_unless_the_run_converged_on_the_newest() {
    let numbers = |run: &Run| {
        let record = pair::record(run).unwrap();
        (record.best_turn, record.handed_over)
    };
    let mut run = opened(3);
    play(&mut run, &three_turns());
    assert_eq!(numbers(&run), (Some(2), Some(2)));
    let mut agreed = opened(3);
    let mut replies = three_turns();
    replies[12] = architect("verify", 3, &json!({"verdict": "verified"}));
    replies[10] = checked(0);
    play(&mut agreed, &replies);
    assert_eq!(agreed.decision().unwrap().reason, pair::VERIFIED);
    assert_eq!(numbers(&agreed), (Some(2), Some(3)), "turn 2 left fewer points open");
    let mut cut_off = opened(3);
    play(&mut cut_off, &three_turns()[..1]);
    assert_eq!(numbers(&cut_off), (None, None));
    let half = {
        let mut run = opened(3);
        play(&mut run, &three_turns()[..6]);
        pair::record(&run).unwrap()
    };
    let newest = half.turns.last().unwrap();
    assert_eq!(
        (newest.turn, &newest.checks, newest.failing, newest.verified),
        (2, &None, None, None)
    );
}

#[test]
fn a_model_is_asked_for_a_diff_and_a_program_that_edits_to_edit() {
    for edits in [false, true] {
        let mut run = opened_for(1, edits);
        let proposal = json!({"role": "architect", "type": "propose", "turn": 1, "content": "p"});
        play(&mut run, &[proposal.to_string()]);
        let Action::Ask(asks) = run.next() else { panic!("{:?}", run.next()) };
        let prompt = Pair.write(&run, &asks[0]);
        assert_eq!(prompt.instructions.contains("\nEdit the files."), edits, "{prompt:?}");
        assert_eq!(prompt.instructions.contains("as one unified diff"), !edits, "{prompt:?}");
        assert_eq!(prompt.reply.is_none(), edits, "its reply has no form");
        assert_eq!(prompt.part("proposal").unwrap(), "p");
    }
}
