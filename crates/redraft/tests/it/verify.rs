//! `redraft verify` names the first bad fact, whatever was done to the journal behind its back.

use crate::sandbox::Sandbox;
use rusqlite::Connection;
use std::fs;

const JOURNAL: &str = "demo_workspace/.redraft/journal.db";

fn reviewed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "podcast review --fake-runner --asset-id description --max-iterations 2");
    sandbox.expect(0, "verify --workspace demo_workspace");
    sandbox
}

fn run_of(sandbox: &Sandbox) -> String {
    let listed = sandbox.json("runs list --workspace demo_workspace");
    listed["runs"][0]["run_id"].as_str().unwrap().to_owned()
}

/// Changes the journal by SQL, its triggers put aside as an attacker would.
fn tamper(sandbox: &Sandbox, change: &str) {
    let db = Connection::open(sandbox.join(JOURNAL)).unwrap();
    let mut triggers = db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").unwrap();
    let names: Vec<String> =
        triggers.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    drop(triggers);
    for name in names {
        db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    db.execute_batch(change).unwrap();
}

/// After the change, verify names the fact of the run and ends with 6.
fn check(change: &str, fact: u64) {
    let sandbox = reviewed();
    let run = run_of(&sandbox);
    let stream = format!("(SELECT key FROM streams WHERE id = '{run}')");
    tamper(&sandbox, &change.replace("RUN", &stream));
    let found = sandbox.expect(6, "verify --workspace demo_workspace");
    let first = found.out.lines().find(|line| line.starts_with("Damaged:")).unwrap().to_owned();
    assert!(
        first.contains(&run) && first.contains(&format!("fact {fact}")),
        "{change}\n{}",
        found.out
    );
}

#[test]
fn an_edited_fact_is_named() {
    check(
        "UPDATE facts SET body = replace(body, 'Revision', 'Decision') WHERE stream = RUN AND seq = 7",
        7,
    );
}

#[test]
fn a_deleted_row_is_named_the_last_one_too() {
    check("DELETE FROM facts WHERE stream = RUN AND seq = 3", 3);
    check(
        "DELETE FROM facts WHERE stream = RUN AND seq = (SELECT max(seq) FROM facts WHERE stream = RUN)",
        10,
    );
}

#[test]
fn the_first_of_two_swapped_rows_is_named() {
    let swap = "UPDATE facts SET seq = 999 WHERE stream = RUN AND seq = 4;
        UPDATE facts SET seq = 4 WHERE stream = RUN AND seq = 6;
        UPDATE facts SET seq = 6 WHERE stream = RUN AND seq = 999;";
    check(swap, 4);
}

#[test]
fn the_triggers_refuse_what_an_honest_program_would_never_do() {
    let sandbox = reviewed();
    let db = Connection::open(sandbox.join(JOURNAL)).unwrap();
    for change in ["UPDATE facts SET body = ''", "DELETE FROM facts", "DELETE FROM commits"] {
        assert!(db.execute_batch(change).is_err(), "{change}");
    }
}

#[test]
fn a_flipped_byte_in_a_fact_is_named() {
    let sandbox = reviewed();
    let run = run_of(&sandbox);
    let path = sandbox.join(JOURNAL);
    let mut bytes = fs::read(&path).unwrap();
    let marker = b"Revision 2";
    // Pages keep stale copies of what was moved; nobody reads those, so all are flipped at once.
    let places: Vec<usize> =
        (0..bytes.len() - marker.len()).filter(|at| bytes[*at..].starts_with(marker)).collect();
    assert!(!places.is_empty());
    places.into_iter().for_each(|at| bytes[at] ^= 1);
    fs::write(&path, bytes).unwrap();
    let found = sandbox.expect(6, "verify --workspace demo_workspace");
    let first = found.out.lines().find(|line| line.starts_with("Damaged:")).unwrap();
    assert!(first.contains(&run) && first.contains("fact "), "{}", found.out);
    // A damaged journal is never taken for an empty one.
    sandbox.expect(6, "podcast review --fake-runner --asset-id description -w demo_workspace");
}

#[test]
fn what_is_no_journal_is_damage_and_not_an_empty_home() {
    for bytes in [&b""[..], b"hello", &[0; 4096]] {
        let sandbox = reviewed();
        for file in ["journal.db-wal", "journal.db-shm"] {
            let _ = fs::remove_file(sandbox.join("demo_workspace/.redraft").join(file));
        }
        fs::write(sandbox.join(JOURNAL), bytes).unwrap();
        let before = sandbox.files("demo_workspace");
        for words in
            ["verify", "podcast status", "repair", "podcast review --asset-id slug --fake-runner"]
        {
            sandbox.expect(6, &format!("{words} --workspace demo_workspace"));
        }
        assert_eq!(sandbox.files("demo_workspace"), before);
    }
}
