//! Appending: groups, expectations, epochs, refusals.

use crate::stage::{Stage, append, bodies, registration, write};
use redraft_store::{Append, Filter, StoreError, StreamId, StreamWrite};

#[tokio::test]
async fn what_was_appended_is_read_back_by_a_new_store() {
    let stage = Stage::new();
    append(&stage.store(), write("a", Some(0), 1, &["one", "two"])).await.unwrap();
    append(&stage.store(), write("a", Some(2), 1, &["three"])).await.unwrap();
    let entries = stage.store().read(&"a".into()).unwrap();
    let seen: Vec<_> = entries.iter().map(|e| (e.seq, e.epoch, e.body.as_str())).collect();
    assert_eq!(seen, [(1, 1, "one"), (2, 1, "two"), (3, 1, "three")]);
    assert_eq!(stage.store().read_after(&"a".into(), 2).unwrap(), entries[2..]);
    assert!(stage.store().read_after(&"a".into(), 3).unwrap().is_empty());
    assert!(stage.store().read(&"nobody".into()).unwrap().is_empty());
    assert!(stage.findings().is_empty());
}

#[tokio::test]
async fn pages_give_every_fact_once_and_find_a_hole_where_they_come_to_it() {
    let stage = Stage::new();
    append(&stage.store(), write("a", Some(0), 1, &["1", "2", "3", "4", "5"])).await.unwrap();
    let (store, a) = (stage.store(), StreamId::from("a"));
    let page = |after| {
        let entries = store.read_page(&a, after, 2)?;
        Ok::<_, StoreError>(entries.into_iter().map(|entry| entry.seq).collect::<Vec<_>>())
    };
    let pages: Vec<_> = [0, 2, 4, 5].map(|after| page(after).unwrap()).into();
    assert_eq!(pages, [vec![1, 2], vec![3, 4], vec![5], vec![]]);
    stage.edit("DELETE FROM facts WHERE seq = 5");
    assert_eq!(page(2).unwrap(), [3, 4]);
    assert!(matches!(page(4), Err(StoreError::Damaged { seq: 5, .. })));
    stage.edit("DELETE FROM facts WHERE seq = 4");
    assert!(matches!(page(2), Err(StoreError::Damaged { seq: 4, .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_appends_at_once_share_a_few_commits() {
    let stage = Stage::new();
    let store = stage.store();
    let tasks: Vec<_> = (0..100)
        .map(|n| {
            let store = store.clone();
            tokio::spawn(async move {
                append(&store, write(&format!("run-{n}"), Some(0), 1, &["opened"])).await
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let rows: i64 =
        stage.raw().query_row("SELECT count(*) FROM commits", [], |r| r.get(0)).unwrap();
    assert_eq!(rows, 100, "one row of the chain per stream and commit");
    assert!(store.commits() <= 20, "{} commits", store.commits());
    assert_eq!(store.streams(&Filter::default()).unwrap().len(), 100);
    assert!(stage.findings().is_empty());
}

#[tokio::test]
async fn many_streams_are_written_in_one_commit() {
    let stage = Stage::new();
    let store = stage.store();
    let shared = StreamWrite::shared("workspace".into(), vec!["run ended".into()]);
    let shared = shared.registered(registration("workspace", "one"));
    let writes = vec![write("a", Some(0), 1, &["decided"]), shared];
    store.append(Append::new(writes)).await.unwrap();
    assert_eq!(store.commits(), 1);
    assert_eq!(bodies(&store, "workspace"), ["run ended"]);
}

#[tokio::test]
async fn a_paused_driver_that_comes_back_cannot_write() {
    let stage = Stage::new();
    let (paused, newer) = (stage.store(), stage.store());
    append(&paused, write("a", Some(0), 1, &["opened"])).await.unwrap();
    append(&newer, write("a", Some(1), 2, &["driven"])).await.unwrap();
    for after in [Some(1), Some(2), None] {
        let refused = append(&paused, write("a", after, 1, &["late"])).await.unwrap_err();
        assert!(matches!(refused, StoreError::Stale { ours: 1, newest: 2, .. }), "{refused}");
    }
    assert_eq!(bodies(&newer, "a"), ["opened", "driven"]);
}

#[tokio::test]
async fn an_append_after_a_wrong_fact_is_refused() {
    let stage = Stage::new();
    let store = stage.store();
    append(&store, write("a", Some(0), 1, &["one"])).await.unwrap();
    for wrong in [0, 2, u64::MAX] {
        let refused = append(&store, write("a", Some(wrong), 1, &["two"])).await.unwrap_err();
        assert!(matches!(refused, StoreError::Moved { found: 1, .. }), "{refused}");
    }
    assert_eq!(bodies(&store, "a"), ["one"]);
}

#[tokio::test]
async fn a_refused_append_leaves_no_trace_and_does_not_spoil_its_group() {
    let stage = Stage::new();
    let store = stage.store();
    append(&store, write("b", Some(0), 5, &["opened"])).await.unwrap();
    let stale = vec![write("new", Some(0), 1, &["x"]), write("b", Some(1), 4, &["late"])];
    let contents = vec![b"never kept".to_vec()];
    let bad = store.append(Append { contents, ..Append::new(stale) });
    let good = append(&store, write("c", Some(0), 1, &["fine"]));
    let (bad, good) = tokio::join!(bad, good);
    assert!(matches!(bad.unwrap_err(), StoreError::Stale { .. }));
    good.unwrap();
    let names: Vec<_> = store.streams(&Filter::default()).unwrap();
    let names: Vec<_> = names.iter().map(|row| row.stream.as_str()).collect();
    assert_eq!(names, ["c", "b"], "neither the new stream nor its fact was kept");
    let rows: i64 =
        stage.raw().query_row("SELECT count(*) FROM contents", [], |r| r.get(0)).unwrap();
    assert_eq!(rows, 0);
    assert!(stage.findings().is_empty());
}

#[tokio::test]
async fn a_stream_nobody_has_registered_is_refused() {
    let stage = Stage::new();
    let store = stage.store();
    let write = StreamWrite::shared("nobody".into(), vec!["x".into()]);
    let refused = append(&store, write).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unregistered { .. }));
    assert_eq!(store.commits(), 0, "a group of refusals is no commit");
}

#[tokio::test]
async fn lists_are_newest_first_and_filtered() {
    let stage = Stage::new();
    let store = stage.store();
    for (at, (stream, kind, subject)) in
        [("a", "run", "slug"), ("b", "workspace", "one"), ("c", "run", "description")]
            .iter()
            .enumerate()
    {
        let of = redraft_store::Registration { at: at as i64, ..registration(kind, subject) };
        let write = StreamWrite::shared((*stream).into(), vec!["x".into()]).registered(of);
        append(&store, write).await.unwrap();
    }
    let names = |filter: Filter| -> Vec<String> {
        store.streams(&filter).unwrap().iter().map(|row| row.stream.to_string()).collect()
    };
    assert_eq!(names(Filter::default()), ["c", "b", "a"]);
    let kind = Some("run".to_owned());
    assert_eq!(names(Filter { kind: kind.clone(), ..Filter::default() }), ["c", "a"]);
    let subject = Some("slug".to_owned());
    assert_eq!(names(Filter { kind, subject, ..Filter::default() }), ["a"]);
    assert_eq!(store.heads("episodes/one").unwrap().len(), 3);
    assert!(store.heads("elsewhere").unwrap().is_empty());
    assert_eq!(store.heads("episodes/one").unwrap()[0].seq, 1);
}

#[tokio::test]
async fn captured_bytes_are_kept_once_under_their_hash() {
    let stage = Stage::new();
    let store = stage.store();
    let sha256 = store.capture(b"abc".to_vec()).await.unwrap();
    assert_eq!(sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(store.capture(b"abc".to_vec()).await.unwrap(), sha256);
    assert_eq!(store.content(&sha256).unwrap().unwrap(), b"abc");
    assert_eq!(store.content(&"0".repeat(64)).unwrap(), None);
    assert_eq!(store.content("no hash").unwrap(), None);
    let id = StreamId::new("a");
    assert!(store.read(&id).unwrap().is_empty());
}

#[tokio::test]
async fn a_list_can_be_had_in_parts_the_last_made_first() {
    let stage = Stage::new();
    let store = stage.store();
    for n in 1..=7 {
        let kind = if n % 3 == 0 { "key" } else { "run" };
        let stream = format!("s{n}");
        // Streams that are older by their own account keep the place in which they were made.
        let of = redraft_store::Registration { at: 100 - n, ..registration(kind, "one") };
        let write = StreamWrite::shared(stream.as_str().into(), vec!["x".into()]).registered(of);
        append(&store, write).await.unwrap();
    }
    let runs = Filter { kind: Some("run".into()), ..Filter::default() };
    let part = |before: Option<&str>, limit| {
        let rows = store.page(&runs, before.map(StreamId::new).as_ref(), limit).unwrap();
        rows.map(|rows| rows.iter().map(|row| row.stream.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(part(None, 2).unwrap(), ["s7", "s5"]);
    assert_eq!(part(Some("s5"), 2).unwrap(), ["s4", "s2"]);
    assert_eq!(part(Some("s2"), 2).unwrap(), ["s1"]);
    assert_eq!(part(Some("s1"), 2).unwrap(), [""; 0]);
    assert_eq!(part(Some("nobody"), 2), None);
    assert_eq!(store.page(&Filter::default(), None, 9).unwrap().unwrap().len(), 7);
}
