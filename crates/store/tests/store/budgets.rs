//! Caps and what they refuse.

use crate::stage::{Stage, append, bodies, write};
use redraft_store::{Append, AppendOutcome, Claims, Reservation, Store, StoreError};

fn claims(body: &str, calls: u64) -> Option<Claims> {
    Some(Claims {
        bodies: vec![body.to_owned()],
        reserve: vec![
            Reservation::new("home", "calls", calls),
            Reservation::new("run:a", "calls", calls),
        ],
        over: Box::new(|cap| format!("cap reached: {cap}")),
    })
}

async fn claim(store: &Store, after: u64, calls: u64) -> AppendOutcome {
    let append = Append::new(vec![write("a", Some(after), 1, &["replied"])]);
    store.append(Append { claims: claims("asked", calls), ..append }).await.unwrap()
}

fn used(store: &Store, scope: &str) -> u64 {
    store.usage(scope).unwrap().first().map_or(0, |budget| budget.used)
}

#[tokio::test]
async fn a_claim_over_the_cap_is_not_kept_but_its_batch_is() {
    let stage = Stage::new();
    let store = stage.store();
    store.set_cap("home", "calls", Some(3)).await.unwrap();
    assert_eq!(claim(&store, 0, 2).await, AppendOutcome::All);
    let text = "calls of home: 2 of 3 used, 2 more asked".to_owned();
    assert_eq!(claim(&store, 2, 2).await, AppendOutcome::OverCap(text.clone()));
    let over = format!("cap reached: {text}");
    assert_eq!(bodies(&store, "a"), ["replied", "asked", "replied", &over]);
    assert_eq!((used(&store, "home"), used(&store, "run:a")), (2, 2), "all or nothing");
    assert_eq!(claim(&store, 4, 1).await, AppendOutcome::All);
    assert_eq!(used(&store, "home"), 3);
}

#[tokio::test]
async fn a_cap_can_be_raised_and_lifted() {
    let stage = Stage::new();
    let store = stage.store();
    store.set_cap("run:a", "calls", Some(0)).await.unwrap();
    assert!(matches!(claim(&store, 0, 1).await, AppendOutcome::OverCap(_)));
    store.set_cap("run:a", "calls", None).await.unwrap();
    assert_eq!(claim(&store, 2, 1).await, AppendOutcome::All);
    assert_eq!(store.usage("run:a").unwrap()[0].cap, None);
    assert!(store.usage("run:nobody").unwrap().is_empty());
}

#[tokio::test]
async fn a_cap_is_tightened_and_not_loosened_in_one_step() {
    let stage = Stage::new();
    let store = stage.store();
    for (wanted, stands) in [(5, 5), (9, 5), (5, 5), (2, 2), (3, 2)] {
        store.tighten_cap("home", "calls", wanted).await.unwrap();
        assert_eq!(store.usage("home").unwrap()[0].cap, Some(stands), "{wanted}");
    }
}

#[tokio::test]
async fn a_refund_makes_room_and_never_falls_below_zero() {
    let stage = Stage::new();
    let store = stage.store();
    store.set_cap("home", "calls", Some(1)).await.unwrap();
    claim(&store, 0, 1).await;
    let back = |amount| vec![Reservation::new("home", "calls", amount)];
    let next = Append::new(vec![write("a", Some(2), 1, &["released"])]);
    let next = Append { refund: back(1), claims: claims("asked again", 1), ..next };
    assert_eq!(store.append(next).await.unwrap(), AppendOutcome::All);
    assert_eq!(used(&store, "home"), 1);
    store.append(Append { refund: back(9), ..Append::new(Vec::new()) }).await.unwrap();
    assert_eq!(used(&store, "home"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cap_holds_under_concurrency() {
    let stage = Stage::new();
    let store = stage.store();
    store.set_cap("home", "calls", Some(10)).await.unwrap();
    let tasks: Vec<_> = (0..40)
        .map(|n| {
            // Two stores are two writers, as two processes have.
            let store = if n % 2 == 0 { store.clone() } else { stage.store() };
            tokio::spawn(async move {
                let write = write(&format!("run-{n}"), Some(0), 1, &["opened"]);
                store
                    .append(Append { claims: claims("asked", 1), ..Append::new(vec![write]) })
                    .await
            })
        })
        .collect();
    let mut kept = 0;
    for task in tasks {
        kept += u32::from(task.await.unwrap().unwrap() == AppendOutcome::All);
    }
    assert_eq!((kept, used(&store, "home")), (10, 10));
}

#[tokio::test]
async fn claims_without_a_write_and_refused_appends_reserve_nothing() {
    let stage = Stage::new();
    let store = stage.store();
    let alone = Append { claims: claims("asked", 1), ..Append::new(Vec::new()) };
    assert!(matches!(store.append(alone).await.unwrap_err(), StoreError::ClaimsWithoutWrite));
    append(&store, write("a", Some(0), 2, &["opened"])).await.unwrap();
    let stale = Append::new(vec![write("a", Some(1), 1, &[])]);
    let stale = Append { claims: claims("asked", 1), ..stale };
    assert!(matches!(store.append(stale).await.unwrap_err(), StoreError::Stale { .. }));
    assert_eq!(used(&store, "home"), 0);
}

#[tokio::test]
async fn an_edited_budget_is_refused_and_found() {
    let stage = Stage::new();
    let store = stage.store();
    claim(&store, 0, 5).await;
    stage.edit("UPDATE budgets SET used = 1 WHERE scope = 'home'");
    assert!(matches!(store.usage("home").unwrap_err(), StoreError::DamagedBudget { .. }));
    assert_eq!(stage.findings(), ["budget calls of home: it is not what was written"]);
}
