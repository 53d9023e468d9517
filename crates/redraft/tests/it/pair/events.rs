//! `--events`: a run's facts line by line, whoever reads them how slowly, and whatever becomes of the command.

mod killed;
mod long;

use super::{desk, pair, paired};
use crate::sandbox::{Sandbox, ended};
use rusqlite::Connection;
use serde_json::Value;
use std::{
    fs::File,
    io::Read,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// The lines that a command has printed.
fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The facts of the newest run as the journal has them, each in its line.
fn journal(sandbox: &Sandbox) -> Vec<Value> {
    let db = Connection::open(sandbox.join(".redraft/journal.db")).unwrap();
    let mut query = db
        .prepare("SELECT seq, body FROM facts WHERE stream = (SELECT max(key) FROM streams) ORDER BY seq")
        .unwrap();
    let line = |row: &rusqlite::Row<'_>| -> rusqlite::Result<Value> {
        let (seq, body): (i64, String) = (row.get(0)?, row.get(1)?);
        let fact: Value = serde_json::from_str::<Value>(&body).unwrap()["fact"].take();
        let kind = fact.as_object().unwrap().keys().next().unwrap().clone();
        Ok(serde_json::json!({"id": seq, "event": kind, "data": fact}))
    };
    query.query_map([], line).unwrap().map(Result::unwrap).collect()
}

/// What a whole stream has to be: the journal, and then this command's document.
fn assert_whole(sandbox: &Sandbox, out: &str) -> Value {
    let mut lines = lines(out);
    let mut end = lines.pop().unwrap();
    assert_eq!(lines, journal(sandbox));
    assert_eq!((&end["event"], end.get("id")), (&"end".into(), None), "{end}");
    end["data"].take()
}

/// The command with its stdout in our hands.
fn piped(mut command: Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// A task so long that no pipe takes the first fact of its run at once.
fn long_task(sandbox: &Sandbox) {
    sandbox.write("task.md", "Tidy up. ".repeat(40_000));
}

/// Waits until the newest run is decided, while nobody reads what its command prints.
fn wait_until_decided(sandbox: &Sandbox, child: &mut Child) {
    loop {
        let runs = sandbox.json("runs list");
        if runs["runs"][0]["decision"].is_object() {
            return;
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended before anybody has read: {runs}");
        std::thread::sleep(Duration::from_millis(100)); // real time: the run goes on by itself
    }
}

#[test]
fn each_fact_is_a_line_and_the_document_is_the_last() {
    let sandbox = desk();
    let ended = paired(&sandbox, &["--mock", "--events"]);
    let document = assert_whole(&sandbox, &ended.out);
    let kinds: Vec<Value> = lines(&ended.out).iter().map(|line| line["event"].clone()).collect();
    assert_eq!((&kinds[0], &kinds[15], kinds.len()), (&"opened".into(), &"decided".into(), 17));
    assert_eq!((&document["command"], &document["exit_code"]), (&"pair".into(), &0.into()));
    assert_eq!((ended.code, &document["status"]), (0, &"CONVERGED".into()));
    let run = document["run_id"].as_str().unwrap();
    assert_eq!(document, sandbox.json(&format!("pair --resume {run}")));
    assert_eq!(ended.err, format!("run: {run}\n"), "the rest of the talk is for people");
}

#[test]
fn with_json_it_is_the_same_stream() {
    let sandbox = desk();
    let ended = ended(&pair(&sandbox, &["--mock", "--events", "--json"]).output().unwrap());
    assert_whole(&sandbox, &ended.out);
}

#[test]
fn a_decided_run_is_told_again_from_its_first_fact() {
    let sandbox = desk();
    let first = paired(&sandbox, &["--mock", "--max-turns", "1", "--events"]);
    assert_eq!(first.code, 4, "{}", first.err);
    let document = assert_whole(&sandbox, &first.out);
    let again = paired(&sandbox, &["--events", "--resume", document["run_id"].as_str().unwrap()]);
    assert_eq!((again.code, again.out), (4, first.out));
}

#[test]
fn a_failure_is_a_last_line_too() {
    let sandbox = desk();
    let ended = paired(&sandbox, &["--events", "--resume", "nobody"]);
    let [line] = &lines(&ended.out)[..] else { panic!("{}", ended.out) };
    assert_eq!((&line["event"], &line["data"]["exit_code"]), (&"end".into(), &2.into()));
    let message = line["data"]["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("there is no run nobody: "), "{message}");
    assert_eq!((ended.code, ended.err.as_str()), (2, ""));
}

#[test]
fn whoever_reads_late_holds_up_nothing_and_gets_everything() {
    let sandbox = desk();
    long_task(&sandbox);
    let mut child = piped(pair(&sandbox, &["--mock", "@task.md", "--events"]));
    wait_until_decided(&sandbox, &mut child);
    let ended = ended(&child.wait_with_output().unwrap());
    assert_whole(&sandbox, &ended.out);
    assert_eq!(ended.code, 0, "{}", ended.err);
}

#[test]
fn whoever_stops_reading_ends_nothing() {
    let sandbox = desk();
    long_task(&sandbox);
    let mut child = piped(pair(&sandbox, &["--mock", "@task.md", "--events"]));
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 100]).unwrap();
    drop(child.stdout.take());
    let ended = ended(&child.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.err.contains("error")), (0, false), "{}", ended.err);
    assert_eq!(journal(&sandbox)[15]["event"], "decided");
}

#[test]
fn lines_that_are_lost_are_told_and_the_run_is_kept() {
    let sandbox = desk();
    let mut command = pair(&sandbox, &["--mock", "--events"]);
    command.stdout(File::options().write(true).open("/dev/full").unwrap());
    let ended = ended(&command.output().unwrap());
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("what was to be told is lost"), "{}", ended.err);
    assert_eq!(journal(&sandbox)[15]["event"], "decided");
}

#[test]
fn hidden_characters_are_escapes_in_the_lines() {
    let sandbox = desk();
    let ended = paired(&sandbox, &["--mock", "--events", "a\u{202e}b"]);
    assert!(!ended.out.contains('\u{202e}') && ended.out.contains("\\u202e"), "{}", ended.out);
    assert_whole(&sandbox, &ended.out);
}

#[test]
fn a_solve_has_the_same_lines() {
    let sandbox = desk();
    sandbox.write("context.md", "Bees dance. The dance tells where flowers are.");
    let ended = sandbox.expect(0, "solve --context @context.md How-do-bees-tell? --events");
    let document = assert_whole(&sandbox, &ended.out);
    assert_eq!(document["command"], "solve");
    let run = document["run_id"].as_str().unwrap();
    let again = sandbox.expect(0, &format!("solve --resume {run} --events"));
    assert_eq!(again.out, ended.out);
    sandbox.expect(2, "solve --events --dry-run What?");
}
