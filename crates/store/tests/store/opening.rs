//! Opening: what is a journal and what is not.

use crate::stage::{Stage, append, small_journal, write};
use redraft_store::{Store, StoreError, verify};
use std::fs;

#[test]
fn a_read_command_makes_no_journal() {
    let stage = Stage::new();
    assert!(Store::open_existing(&stage.home).unwrap().is_none());
    assert!(!stage.database().exists());
    assert!(matches!(verify(&stage.home).unwrap_err(), StoreError::Missing { .. }));
}

fn refused(stage: &Stage) -> StoreError {
    let before = fs::read(stage.database()).unwrap();
    let error = Store::open(&stage.home).unwrap_err();
    assert_eq!(fs::read(stage.database()).unwrap(), before, "not a byte has changed");
    error
}

#[test]
fn a_file_that_is_no_database_is_damage_and_never_taken_for_empty() {
    for bytes in [&b""[..], b"x", b"SQLite format 3\0", &[0; 8192], &[b'z'; 8192]] {
        let stage = Stage::new();
        fs::write(stage.database(), bytes).unwrap();
        assert!(refused(&stage).is_damage(), "{} bytes", bytes.len());
        assert!(stage.findings()[0].starts_with("page 1: "));
    }
}

#[test]
fn another_programs_database_is_refused() {
    let stage = Stage::new();
    stage.raw().execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t(x)").unwrap();
    assert!(matches!(refused(&stage), StoreError::NotAJournal { .. }));
}

#[tokio::test]
async fn a_newer_journal_is_refused_with_both_versions() {
    let stage = small_journal().await;
    stage.raw().pragma_update(None, "user_version", 7).unwrap();
    let error = refused(&stage);
    assert!(matches!(error, StoreError::Newer { found: 7, known: 1, .. }), "{error}");
    assert!(!error.is_damage());
    assert!(error.to_string().contains("format 7"));
    assert!(matches!(verify(&stage.home).unwrap_err(), StoreError::Newer { .. }));
}

#[tokio::test]
async fn a_database_truncated_anywhere_is_damage() {
    let stage = small_journal().await;
    let whole = fs::read(stage.database()).unwrap();
    for length in (0..whole.len()).step_by(1365) {
        fs::write(stage.database(), &whole[..length]).unwrap();
        assert!(!stage.findings().is_empty(), "cut to {length} bytes");
        let read = Store::open(&stage.home).and_then(|store| store.read(&"run-a".into()));
        match read {
            Ok(entries) => assert_eq!(entries.len(), 4, "cut to {length} bytes"),
            Err(error) => assert!(error.is_damage(), "cut to {length} bytes: {error}"),
        }
    }
}

#[tokio::test]
async fn a_log_without_its_database_is_not_taken_into_a_new_one() {
    let stage = Stage::new();
    let store = stage.store();
    append(&store, write("a", Some(0), 1, &["one"])).await.unwrap();
    assert!(stage.home.dir().join("journal.db-wal").exists());
    fs::remove_file(stage.database()).unwrap();
    let error = Store::open(&stage.home).unwrap_err();
    assert!(error.is_damage(), "{error}");
    assert!(Store::open_existing(&stage.home).unwrap_err().is_damage());
}

#[cfg(unix)]
#[tokio::test]
async fn a_linked_journal_is_refused() {
    let (stage, other) = (Stage::new(), small_journal().await);
    std::os::unix::fs::symlink(other.database(), stage.database()).unwrap();
    assert!(matches!(refused(&stage), StoreError::NotAJournal { .. }));
}

#[tokio::test]
async fn what_a_killed_maker_left_is_swept_away() {
    let stage = Stage::new();
    fs::write(stage.home.dir().join("journal.db.new"), b"half").unwrap();
    fs::write(stage.home.dir().join("journal.db.new-wal"), b"half").unwrap();
    append(&stage.store(), write("a", Some(0), 1, &["one"])).await.unwrap();
    assert!(!stage.home.dir().join("journal.db.new").exists());
    assert!(stage.findings().is_empty());
}

#[tokio::test]
async fn update_delete_and_replace_are_refused_by_the_database_itself() {
    let stage = small_journal().await;
    let db = stage.raw();
    for (sql, why) in [
        ("UPDATE facts SET body = 'x' WHERE seq = 1", "facts are never changed"),
        ("DELETE FROM facts WHERE seq = 4", "facts are never deleted"),
        (
            "REPLACE INTO facts SELECT stream, seq, epoch, version, 'x', hash FROM facts",
            "facts are never replaced",
        ),
        ("UPDATE commits SET seq = 9", "commits are never changed"),
        ("DELETE FROM commits", "commits are never deleted"),
        (
            "REPLACE INTO commits SELECT n, 1, 1, head, chain FROM commits",
            "commits are never replaced",
        ),
        ("UPDATE contents SET bytes = x'00'", "contents are never changed"),
        ("DELETE FROM contents", "contents are never deleted"),
        ("REPLACE INTO contents SELECT sha256, x'00' FROM contents", "contents are never replaced"),
        ("UPDATE streams SET subject = 'x'", "streams are never changed"),
        ("DELETE FROM streams", "streams are never deleted"),
        (
            "REPLACE INTO streams SELECT key, id, 'x', workspace, subject, workflow, 0 FROM streams",
            "streams are never replaced",
        ),
        ("DELETE FROM heads", "heads are never deleted"),
    ] {
        let error = db.execute_batch(sql).unwrap_err().to_string();
        assert!(error.contains(why), "{sql}: {error}");
    }
    assert!(stage.findings().is_empty());
}
