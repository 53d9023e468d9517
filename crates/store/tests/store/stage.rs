//! The stage of the plays: a temporary home, its store, and a back door into its database.

use redraft_store::{
    Append, AppendOutcome, Home, Registration, Store, StoreError, StreamId, StreamWrite,
};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

pub(crate) struct Stage {
    pub(crate) home: Home,
    folder: TempDir,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::create(folder.path()).unwrap();
        Self { home, folder }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn store(&self) -> Store {
        Store::open(&self.home).unwrap()
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.home.dir().join("journal.db")
    }

    /// A connection that knows no rules.
    pub(crate) fn raw(&self) -> Connection {
        let db = Connection::open(self.database()).unwrap();
        db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        db
    }

    /// Edits behind the journal's back: the triggers step aside and come back unchanged.
    pub(crate) fn edit(&self, sql: &str) {
        let db = self.raw();
        let triggers: Vec<(String, String)> = db
            .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        for (name, _) in &triggers {
            db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
        }
        db.execute_batch(sql).unwrap();
        for (_, sql) in &triggers {
            db.execute_batch(sql).unwrap();
        }
    }

    /// The findings of `verify`, as lines.
    pub(crate) fn findings(&self) -> Vec<String> {
        let report = redraft_store::verify(&self.home).unwrap();
        report.findings.iter().map(ToString::to_string).collect()
    }
}

pub(crate) fn registration(kind: &str, subject: &str) -> Registration {
    Registration {
        kind: kind.into(),
        workspace: Some("episodes/one".into()),
        subject: Some(subject.into()),
        workflow: Some("review".into()),
        at: 1_700_000_000_000_000,
    }
}

/// A write of one run's driver.
pub(crate) fn write(stream: &str, after: Option<u64>, epoch: u32, bodies: &[&str]) -> StreamWrite {
    StreamWrite {
        stream: StreamId::new(stream),
        register: Some(registration("run", stream)),
        after,
        epoch,
        bodies: bodies.iter().map(|body| (*body).to_owned()).collect(),
    }
}

pub(crate) async fn append(store: &Store, write: StreamWrite) -> Result<AppendOutcome, StoreError> {
    store.append(Append::new(vec![write])).await
}

pub(crate) fn bodies(store: &Store, stream: &str) -> Vec<String> {
    let entries = store.read(&StreamId::new(stream)).unwrap();
    entries.into_iter().map(|entry| entry.body).collect()
}

/// A home with three runs of four facts, a workspace's stream, budgets and a captured input; the
/// log is checkpointed and gone.
pub(crate) async fn small_journal() -> Stage {
    let stage = Stage::new();
    let store = stage.store();
    for round in 0..2 {
        for run in ["run-a", "run-b", "run-c"] {
            let texts = [format!("{run} first of {round}"), format!("{run} second of {round}")];
            let bodies: Vec<&str> = texts.iter().map(String::as_str).collect();
            append(&store, write(run, Some(round * 2), 1, &bodies)).await.unwrap();
        }
    }
    let shared = StreamWrite::shared("workspace".into(), vec!["created".into()]);
    append(&store, shared.registered(registration("workspace", "one"))).await.unwrap();
    store.set_cap("home", "calls", Some(100)).await.unwrap();
    store.capture(b"a transcript".to_vec()).await.unwrap();
    drop(store);
    let log = stage.home.dir().join("journal.db-wal");
    assert!(!log.exists(), "the log is gone once the writer has closed");
    stage
}

/// This very test once more, in a process of its own, in another role.
pub(crate) fn again(test: &str, role: &str, root: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env("REDRAFT_TEST_ROLE", role).env("REDRAFT_TEST_ROOT", root);
    command.stdin(Stdio::null());
    command
}

/// The role and the home of a process that [`again`] started.
pub(crate) fn role() -> Option<(String, Home)> {
    let role = std::env::var("REDRAFT_TEST_ROLE").ok()?;
    let root = std::env::var_os("REDRAFT_TEST_ROOT")?;
    Some((role, Home::create(Path::new(&root)).unwrap()))
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}
