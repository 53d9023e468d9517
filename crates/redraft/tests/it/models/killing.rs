//! Kills at the k-th system call of a name, and what the journal of the killed command has.

use super::KEY;
use crate::{
    durability::trace,
    sandbox::{REDRAFT, Sandbox},
};
use rusqlite::Connection;

/// Runs the program and kills it there; whether the kill came in time.
pub(super) fn killed_at(sandbox: &Sandbox, words: &str, name: &str, k: usize) -> bool {
    let inject = format!("--inject={name}:signal=KILL:when={k}");
    let mut traced = trace::strace();
    traced.args(["-o", "/dev/null", &format!("--trace={name}"), &inject, REDRAFT]);
    traced.args(words.split(' ')).current_dir(sandbox.path()).env_clear();
    traced.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    traced.env("XDG_CONFIG_HOME", sandbox.join("config")).env("TEST_KEY", KEY);
    !traced.output().unwrap().status.success()
}

/// How many facts of this kind stand in the workspace's own stream.
pub(super) fn facts(sandbox: &Sandbox, kind: &str) -> i64 {
    let db = Connection::open(sandbox.join("w/.redraft/journal.db")).unwrap();
    let query = "SELECT count(*) FROM facts JOIN streams ON streams.key = facts.stream
        WHERE streams.kind = 'workspace' AND json_extract(body, '$.fact.' || ?1) IS NOT NULL";
    db.query_row(query, [kind], |row| row.get(0)).unwrap()
}
