//! Kill -9 anywhere while a record is closed and reviewed again: the same command ends with the same bytes.

use super::{check_clean, check_ids, foreign, record, reopen, waits_for_a_person};
use crate::{
    durability::trace::{self, Calls},
    sandbox::Sandbox,
    scene::{
        agrees, asset, check_untouched, final_draft, formatted, refused, review, script, scripted,
    },
};
use serde_json::Value;

const JOURNAL: &str = "w/.redraft/journal.db";

fn copy(template: &Sandbox) -> Sandbox {
    let sandbox = Sandbox::new();
    template.copy(".", sandbox.path());
    sandbox
}

/// Kills the command at each of these system calls, and runs it again: the files are those of an undisturbed run,
/// and the record is closed once.
fn check(template: &Sandbox, words: &str, asset: &str, calls: &Calls) {
    let expected = copy(template);
    let count = trace::count(expected.path(), words, calls);
    assert!(count > 0, "{words}: no {calls:?}");
    let mut came = 0;
    for k in 1..=count {
        let place = format!("{words}, killed at {} {k} of {count}", calls.names);
        let sandbox = copy(template);
        let killed = trace::interfere(sandbox.path(), words, calls, "signal=KILL", k);
        check_untouched(&sandbox, &place);
        came += usize::from(!killed.status.success());
        let ended = sandbox.redraft(words);
        assert_eq!(ended.code, 0, "{place}\n{}\n{}", ended.out, ended.err);
        let twice = sandbox.join(&format!("w/copy/protocol/{asset}/closed_02"));
        assert!(!twice.exists(), "{place}: it was reopened twice");
        assert!(sandbox.files("w") == expected.files("w"), "{place}");
        let released_by = sandbox.json("podcast status -w w")["assets"][0]["released_by"].clone();
        assert_eq!(released_by, Value::Null, "{place}: the new selection was let go too");
        check_clean(&sandbox, &place);
    }
    assert!(came + 1 >= count, "{words}: {came} of {count} {calls:?} came in time");
}

fn sweep(template: &Sandbox, words: &str, asset: &str) {
    if !trace::works() {
        return;
    }
    for names in ["renameat", "unlink"] {
        check(template, words, asset, &Calls { names, on: vec![] });
    }
    let on = vec![format!("{JOURNAL}-wal")];
    check(template, words, asset, &Calls { names: "fdatasync", on });
}

#[test]
fn a_killed_reopening_is_made_up_for() {
    sweep(&waits_for_a_person(), &reopen("shorter", ""), "description");
}

#[test]
fn a_killed_reopening_of_a_foreign_record_is_made_up_for() {
    sweep(&foreign::decided(), &reopen("shorter", ""), "description");
}

#[test]
fn a_review_that_was_killed_after_its_decision_can_be_reopened() {
    if !trace::works() {
        return;
    }
    let template = scripted(&[final_draft("one\n"), agrees()]);
    let (words, renames) = (review("description", ""), Calls { names: "renameat", on: vec![] });
    let count = trace::count(copy(&template).path(), &words, &renames);
    for k in [count - 1, count] {
        let sandbox = copy(&template);
        trace::interfere(sandbox.path(), &words, &renames, "signal=KILL", k);
        sandbox.expect(0, &reopen("anew", ""));
        let closed = record(&sandbox, "closed_01");
        assert_eq!(
            closed.keys().collect::<Vec<_>>(),
            ["iteration_01.json", "redraft.json", "state.json"]
        );
        let now = record(&sandbox, "");
        assert_eq!(
            now.keys().collect::<Vec<_>>(),
            ["iteration_02.json", "redraft.json", "state.json"]
        );
        assert_eq!(check_ids(&asset(&sandbox, "description")), 2);
        check_clean(&sandbox, "killed and reopened");
        refused(&sandbox, 0, &words, &["Outcome: converged"]);
    }
}

#[test]
fn a_killed_release_is_made_up_for() {
    let sandbox = scripted(&[formatted("first-slug\n", "plain"), agrees()]);
    sandbox.expect(0, &review("slug", ""));
    script(&sandbox, &[formatted("other-slug\n", "plain"), agrees()]);
    let words = review("slug", "--reopen --reason shorter --release-selection");
    sweep(&sandbox, &words, "slug");
}

#[test]
fn after_a_killed_reopening_a_plain_review_and_repair_work_too() {
    if !trace::works() {
        return;
    }
    let renames = Calls { names: "renameat", on: vec![] };
    for template in [waits_for_a_person(), foreign::decided()] {
        let (words, expected) = (reopen("shorter", ""), copy(&template));
        let count = trace::count(expected.path(), &words, &renames);
        for k in 1..=count {
            let place = format!("killed at rename {k} of {count}");
            let sandbox = copy(&template);
            trace::interfere(sandbox.path(), &words, &renames, "signal=KILL", k);
            let status = sandbox.json("podcast status -w w")["assets"][0].clone();
            assert_eq!(status["closed"][0]["reason"], "shorter", "{place}: {status}");
            assert_ne!(status["outcome"], "needs_human", "{place}: {status}");
            sandbox.expect(0, "repair -w w");
            sandbox.expect(0, &review("description", ""));
            assert!(sandbox.files("w") == expected.files("w"), "{place}");
            check_clean(&sandbox, &place);
        }
    }
}
