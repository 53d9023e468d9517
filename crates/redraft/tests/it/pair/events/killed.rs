//! Kills, and what of the stream was printed before them.

use super::{assert_whole, desk, journal, lines};
use crate::{
    durability::trace::{self, Calls},
    sandbox::{Sandbox, ended},
};
use serde_json::Value;

const PAIR: &str = "pair --mock --events";

/// The whole lines of a stream that was cut off anywhere.
fn whole_lines(out: &str) -> Vec<Value> {
    lines(out.rsplit_once('\n').map_or("", |(whole, _)| whole))
}

/// Kills the command at its k-th call of this name; whether the kill came in time. What was printed then is durable,
/// and the command that goes on prints it again, and the rest.
fn killed_at(calls: &Calls, k: usize) -> bool {
    let sandbox = desk();
    let output = trace::interfere(sandbox.path(), PAIR, calls, "signal=KILL", k);
    let place = format!("killed at {} number {k}", calls.names);
    let printed = whole_lines(&String::from_utf8_lossy(&output.stdout));
    if output.status.success() {
        return false;
    }
    let kept = kept(&sandbox);
    let facts = printed.iter().filter(|line| line["event"] != "end").count();
    assert!(facts <= kept.len(), "{place}: {} of {facts} are durable", kept.len());
    assert_eq!(printed[..facts], kept[..facts], "{place}");
    let decided = kept.last().is_some_and(|last| last["event"] == "decided");
    if !decided {
        let resumed = sandbox.expect(0, PAIR);
        assert_whole(&sandbox, &resumed.out);
        assert_eq!(lines(&resumed.out)[..facts], printed[..facts], "{place}");
    }
    true
}

/// The facts of the run, if the kill has left one.
fn kept(sandbox: &Sandbox) -> Vec<Value> {
    let runs = ended(&sandbox.command(crate::sandbox::REDRAFT, "runs list").output().unwrap());
    if runs.out.contains(" pair ") { journal(sandbox) } else { Vec::new() }
}

fn killed_at_every(name: &'static str) {
    if !trace::works() {
        return;
    }
    let calls = Calls { names: name, on: Vec::new() };
    let sandbox = desk();
    let count = trace::count(sandbox.path(), PAIR, &calls);
    assert!(count > 8, "{name}: {count}");
    let in_time = (1..=count).filter(|k| killed_at(&calls, *k)).count();
    assert!(in_time * 2 > count, "{name}: {in_time} of {count} kills came in time");
}

#[test]
fn killed_at_every_sync_nothing_was_printed_that_is_not_durable() {
    killed_at_every("fdatasync");
}

#[test]
fn killed_at_every_write_the_stream_goes_on_from_its_first_line() {
    killed_at_every("write");
}
