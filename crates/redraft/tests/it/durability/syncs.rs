//! What is synced when: a claim before its call, a reply before the next call, everything before success.

use super::trace::{self, Calls};
use crate::sandbox::{Sandbox, THREE_ITERATIONS};

const REVIEW: &str = "podcast review -w w --asset-id description --script script.json";

fn prepared() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "podcast init --episode-id e1 --workspace w");
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox
}

/// The agent's log is written at the moment a call reaches the agent, so its writes mark the calls.
#[test]
fn a_sync_lies_between_each_reply_and_the_next_call() {
    if !trace::works() {
        return;
    }
    let sandbox = prepared();
    let calls = Calls { names: "write,fsync,fdatasync", on: vec![] };
    let (output, lines) = trace::lines(sandbox.path(), REVIEW, &calls);
    assert!(output.status.success());
    let mut asked = 0;
    let mut synced = false;
    for line in lines {
        if line.contains("fsync(") || line.contains("fdatasync(") || line.contains("sync resumed") {
            synced = true;
        } else if line.contains("\"description ") && line.contains("ord") {
            assert!(synced, "call {} was sent before anything was synced", asked + 1);
            (asked, synced) = (asked + 1, false);
        }
    }
    assert_eq!(asked, 6, "calls seen in the trace");
}

#[test]
fn a_sync_that_fails_ends_the_run_with_1_and_nothing_claims_success() {
    if !trace::works() {
        return;
    }
    let template = prepared();
    // The workspace's files, then the journal's log and the journal; SQLite does not ask how its folder fared.
    fail_each_sync(&template, &Calls { names: "fsync", on: vec![] });
    for on in ["w/.redraft/journal.db-wal", "w/.redraft/journal.db"] {
        fail_each_sync(&template, &Calls { names: "fdatasync", on: vec![on.to_owned()] });
    }
}

fn fail_each_sync(template: &Sandbox, calls: &Calls) {
    let counted = Sandbox::new();
    template.copy(".", counted.path());
    let count = trace::count(counted.path(), REVIEW, calls);
    assert!(count > 0, "{calls:?}");
    for k in 1..=count {
        let sandbox = Sandbox::new();
        template.copy(".", sandbox.path());
        let output = trace::interfere(sandbox.path(), REVIEW, calls, "error=EIO", k);
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{calls:?} {k} of {count}\n{out}\n{err}");
        assert!(!out.contains("Outcome: converged"), "sync {k}: {out}");
        sandbox.expect(0, REVIEW);
        sandbox.expect(0, "verify -w w");
    }
}
