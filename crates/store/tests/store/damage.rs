//! Damage of every kind, and what `verify` and reading say of it.

use crate::stage::{Stage, append, small_journal, write};
use redraft_store::StoreError;

/// The first finding after an edit, and that reading `stream` refuses where it says so.
async fn check(sql: &str, first: &str) {
    let stage = small_journal().await;
    assert!(stage.findings().is_empty());
    stage.edit(sql);
    let findings = stage.findings();
    assert_eq!(findings.first().map(String::as_str), Some(first), "{sql}: {findings:#?}");
}

#[tokio::test]
async fn an_edited_body_is_named() {
    let sql = "UPDATE facts SET body = 'other' WHERE stream = 2 AND seq = 3";
    check(sql, "run-b (run-b): fact 3: its hash does not fit what it says").await;
}

#[tokio::test]
async fn a_deleted_row_is_named() {
    let sql = "DELETE FROM facts WHERE stream = 1 AND seq = 2";
    check(sql, "run-a (run-a): fact 2: it is missing").await;
    let sql = "DELETE FROM facts WHERE stream = 1 AND seq IN (1, 2)";
    check(sql, "run-a (run-a): fact 1: it is missing, and all up to fact 2").await;
}

#[tokio::test]
async fn a_deleted_last_row_is_named() {
    let sql = "DELETE FROM facts WHERE stream = 3 AND seq = 4";
    check(sql, "run-c (run-c): fact 4: it is missing; the head says so").await;
}

#[tokio::test]
async fn a_deleted_last_row_with_its_head_moved_back_is_told_by_the_commits() {
    let sql =
        "UPDATE heads SET seq = 3, hash = (SELECT hash FROM facts WHERE stream = 3 AND seq = 3)
               WHERE stream = 3;
               DELETE FROM facts WHERE stream = 3 AND seq = 4";
    check(sql, "run-c (run-c): commit 6 names its fact 4, which is missing").await;
}

#[tokio::test]
async fn a_deleted_stream_is_named() {
    let sql = "DELETE FROM facts WHERE stream = 2; DELETE FROM heads WHERE stream = 2;
               DELETE FROM streams WHERE key = 2";
    check(sql, "stream #2: fact 1: its stream is missing").await;
    let with_commits = format!("{sql}; DELETE FROM commits WHERE stream = 2");
    check(&with_commits, "commit 2 is missing; the next is 3").await;
}

#[tokio::test]
async fn swapped_bodies_are_named() {
    let sql = "UPDATE facts SET body = CASE seq
                 WHEN 2 THEN (SELECT body FROM facts WHERE stream = 1 AND seq = 4)
                 ELSE (SELECT body FROM facts WHERE stream = 1 AND seq = 2) END
               WHERE stream = 1 AND seq IN (2, 4)";
    check(sql, "run-a (run-a): fact 2: its hash does not fit what it says").await;
}

#[tokio::test]
async fn swapped_numbers_are_named() {
    let sql = "UPDATE facts SET seq = 99 WHERE stream = 1 AND seq = 2;
               UPDATE facts SET seq = 2 WHERE stream = 1 AND seq = 3;
               UPDATE facts SET seq = 3 WHERE stream = 1 AND seq = 99";
    check(sql, "run-a (run-a): fact 2: its hash does not fit what it says").await;
}

#[tokio::test]
async fn a_whole_row_moved_to_another_stream_is_named() {
    let sql = "UPDATE facts SET stream = 99 WHERE stream = 1 AND seq = 1;
               UPDATE facts SET stream = 1 WHERE stream = 2 AND seq = 1;
               UPDATE facts SET stream = 2 WHERE stream = 99 AND seq = 1";
    check(sql, "run-a (run-a): fact 1: its hash does not fit what it says").await;
}

#[tokio::test]
async fn edited_heads_commits_and_registrations_are_found() {
    let head = "UPDATE heads SET epoch = 9 WHERE stream = 1";
    check(head, "run-a (run-a): its head is not that of fact 4, its last").await;
    let head = "UPDATE heads SET seq = 3 WHERE stream = 1";
    check(head, "run-a (run-a): fact 4: the head ends before it, at fact 3").await;
    check("DELETE FROM heads WHERE stream = 1", "run-a (run-a): its head is missing").await;
    check("DELETE FROM commits WHERE n = 2", "commit 2 is missing; the next is 3").await;
    check("DELETE FROM commits WHERE n = 7", "workspace (one): no commit names it").await;
    let last = "DELETE FROM commits WHERE n = 6 OR n = 7";
    check(last, "run-c (run-c): its newest commit is of fact 2, its head of fact 4").await;
    let chain = "UPDATE commits SET chain = zeroblob(32) WHERE n = 3";
    check(chain, "commit 3 does not fit the one before it").await;
    let subject = "UPDATE streams SET subject = 'y' WHERE key = 1";
    check(subject, "run-a (y): fact 1: its hash does not fit what it says").await;
}

#[tokio::test]
async fn edited_contents_triggers_and_tables_are_found() {
    let stage = small_journal().await;
    stage.edit("UPDATE contents SET bytes = x'00'");
    assert!(stage.findings()[0].ends_with("its bytes are not what was captured"));
    let stage = small_journal().await;
    stage.raw().execute_batch("DROP TRIGGER facts_keep").unwrap();
    assert_eq!(stage.findings(), ["page 1: the trigger facts_keep is missing or changed"]);
    let stage = small_journal().await;
    stage.raw().execute_batch("CREATE TABLE guest(x)").unwrap();
    assert_eq!(stage.findings(), ["page 1: the table guest does not belong there"]);
}

#[tokio::test]
async fn all_findings_are_told_bad_facts_first() {
    let stage = small_journal().await;
    stage.edit(
        "DELETE FROM commits WHERE n = 2; UPDATE budgets SET used = -1;
         UPDATE facts SET body = 'x' WHERE stream = 3 AND seq = 2;
         DELETE FROM facts WHERE stream = 1 AND seq = 3",
    );
    let findings = stage.findings();
    assert_eq!(findings[0], "run-a (run-a): fact 3: it is missing");
    assert_eq!(findings[1], "run-c (run-c): fact 2: its hash does not fit what it says");
    assert!(findings.contains(&"commit 2 is missing; the next is 3".to_owned()), "{findings:#?}");
    assert!(findings.iter().any(|line| line.starts_with("budget calls")), "{findings:#?}");
}

#[tokio::test]
async fn reading_refuses_what_verify_would_name() {
    for (sql, seq) in [
        ("UPDATE facts SET body = 'x' WHERE stream = 1 AND seq = 2", 2),
        ("UPDATE facts SET epoch = 9 WHERE stream = 1 AND seq = 3", 3),
        ("DELETE FROM facts WHERE stream = 1 AND seq = 1", 1),
        ("DELETE FROM facts WHERE stream = 1 AND seq = 4", 4),
        ("UPDATE heads SET hash = zeroblob(32) WHERE stream = 1", 4),
        ("UPDATE heads SET seq = 2 WHERE stream = 1", 3),
        ("DELETE FROM heads WHERE stream = 1", 1),
        ("UPDATE streams SET opened_at = 1 WHERE key = 1", 1),
        ("UPDATE facts SET hash = x'00' WHERE stream = 1 AND seq = 2", 2),
    ] {
        let stage = small_journal().await;
        stage.edit(sql);
        let error = stage.store().read(&"run-a".into()).unwrap_err();
        let found = matches!(&error, StoreError::Damaged { seq: found, .. } if *found == seq);
        assert!(found, "{sql}: {error}");
        assert!(error.is_damage());
    }
}

#[tokio::test]
async fn nothing_is_appended_to_a_stream_that_lost_its_head() {
    let stage = small_journal().await;
    stage.edit("DELETE FROM heads WHERE stream = 1");
    let error = append(&stage.store(), write("run-a", None, 1, &["x"])).await.unwrap_err();
    assert!(error.is_damage(), "{error}");
}

#[tokio::test]
async fn nothing_is_appended_where_a_fact_stands_already() {
    let stage: Stage = small_journal().await;
    stage.edit(
        "UPDATE heads SET seq = 3, hash = (SELECT hash FROM facts WHERE stream = 1 AND seq = 3)
         WHERE stream = 1",
    );
    let store = stage.store();
    let error = append(&store, write("run-a", Some(3), 1, &["x"])).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged { seq: 4, .. }), "{error}");
    append(&store, write("run-b", Some(4), 1, &["the others go on"])).await.unwrap();
}
