//! The journal of a run, as the engine uses it.

use crate::stage::{Stage, bodies, registration};
use redraft_engine::{Appended, Batch, Journal, JournalError, Settlement, Spend};
use redraft_loop::{
    Amount, Asked, CallId, Decided, Driven, Epoch, Exit, Fact, Hash, Interrupted, Outcome,
    Released, Role, RunId, StepId, Time,
};
use redraft_store::{
    CALLS, FactError, HOME_SCOPE, MICRODOLLARS, RunJournal, SERVER_SCOPE, Store, StreamWrite,
    TOKENS, UNPRICED, decode_fact, encode_fact,
};

fn journal(store: &Store, run: &str) -> RunJournal {
    RunJournal::new(store.clone(), RunId::new(run), registration("run", "slug"))
}

fn driven(epoch: u32) -> Fact {
    Fact::Driven(Driven { epoch: Epoch(epoch), at: Time(1) })
}

fn asked(call: u32) -> Asked {
    Asked {
        call: CallId(call),
        epoch: Epoch(1),
        round: 1,
        step: StepId::new("create"),
        seat: 0,
        role: Role::new("creator"),
        attempt: 1,
        ordinal: 0,
        house: false,
        prompt: Hash::new("0".repeat(64)),
        reserve: Amount::FREE,
        at: Time(2),
    }
}

fn batch(after: u64, epoch: u32, facts: Vec<Fact>, claims: Vec<Asked>) -> Batch {
    Batch {
        after,
        epoch: Epoch(epoch),
        facts,
        claims,
        settlement: Settlement::default(),
        at: Time(3),
    }
}

fn used(store: &Store) -> u64 {
    store.usage(HOME_SCOPE).unwrap().first().map_or(0, |budget| budget.used)
}

#[tokio::test]
async fn a_batch_is_one_commit_and_loads_as_it_was() {
    let stage = Stage::new();
    let store = stage.store();
    let journal = journal(&store, "r1");
    assert_eq!(journal.load().await.unwrap(), []);
    let done = journal.append(batch(0, 1, vec![driven(1)], vec![asked(1), asked(2)])).await;
    assert_eq!(done.unwrap(), Appended::All);
    assert_eq!(store.commits(), 1);
    let facts = [driven(1), Fact::Asked(asked(1)), Fact::Asked(asked(2))];
    assert_eq!(journal.load().await.unwrap(), facts);
    assert_eq!(used(&store), 2);
    let released = Fact::Released(Released { call: CallId(2), waits_for: None, at: Time(4) });
    let refund = Spend::of_call(Amount::FREE);
    let settlement = Settlement { refund, ..Settlement::default() };
    let batch = Batch { settlement, ..batch(3, 1, vec![released], vec![]) };
    journal.append(batch).await.unwrap();
    assert_eq!(used(&store), 1, "what was released is given back");
}

#[tokio::test]
async fn over_a_cap_the_facts_stay_and_the_claim_does_not() {
    let stage = Stage::new();
    let store = stage.store();
    store.set_cap(HOME_SCOPE, CALLS, Some(0)).await.unwrap();
    let journal = journal(&store, "r1");
    let done = journal.append(batch(0, 1, vec![driven(1)], vec![asked(1)])).await.unwrap();
    let Appended::OverCap(reached) = done else { panic!("{done:?}") };
    assert_eq!(reached.cap, "calls of home: 0 of 0 used, 1 more asked");
    let facts = journal.load().await.unwrap();
    assert_eq!(facts, [driven(1), Fact::CapReached(reached)]);
    assert_eq!(used(&store), 0);
}

#[tokio::test]
async fn a_cap_on_money_is_told_in_dollars() {
    let stage = Stage::new();
    let store = stage.store();
    store.set_cap(HOME_SCOPE, MICRODOLLARS, Some(20_000)).await.unwrap();
    let reserve = Amount { tokens: 0, cost: Some(335_874) };
    let claim = Asked { reserve, ..asked(1) };
    let done = journal(&store, "r1").append(batch(0, 1, vec![driven(1)], vec![claim])).await;
    let Appended::OverCap(reached) = done.unwrap() else { panic!("the cap holds") };
    assert_eq!(reached.cap, "money of home: $0.00 of $0.02 used, $0.335874 more asked");
}

#[tokio::test]
async fn the_port_tells_stale_moved_and_damaged_apart() {
    let stage = Stage::new();
    let store = stage.store();
    let journal = journal(&store, "r1");
    journal.append(batch(0, 2, vec![driven(2)], vec![])).await.unwrap();
    let stale = journal.append(batch(1, 1, vec![driven(1)], vec![])).await.unwrap_err();
    assert!(matches!(stale, JournalError::Stale { newest: Epoch(2), .. }), "{stale}");
    let moved = journal.append(batch(0, 3, vec![driven(3)], vec![])).await.unwrap_err();
    assert!(matches!(moved, JournalError::Moved { expected: 0, found: 1, .. }), "{moved}");
    stage.edit("UPDATE facts SET body = '{}'");
    let damaged = journal.load().await.unwrap_err();
    assert!(matches!(damaged, JournalError::Damaged { seq: 1, .. }), "{damaged}");
}

#[tokio::test]
async fn the_workspace_hears_of_the_decision_in_the_same_commit() {
    let stage = Stage::new();
    let store = stage.store();
    let news = StreamWrite::shared("workspace".into(), vec!["run ended".into()]);
    let news = news.registered(registration("workspace", "one"));
    let journal = journal(&store, "r1").also_when_decided(news);
    let interrupted = Fact::Interrupted(Interrupted { at: Time(1) });
    journal.append(batch(0, 1, vec![interrupted], vec![])).await.unwrap();
    assert_eq!(bodies(&store, "workspace"), [""; 0]);
    let exit = Exit { outcome: Outcome::Converged, reason: "agreed".into() };
    let decided = Fact::Decided(Decided { exit, at: Time(2) });
    journal.append(batch(1, 1, vec![decided], vec![])).await.unwrap();
    assert_eq!(bodies(&store, "workspace"), ["run ended"]);
    assert_eq!(store.commits(), 2);
}

#[test]
fn a_fact_has_one_known_form_and_strange_ones_are_told_apart() {
    let text = encode_fact(&driven(3)).unwrap();
    assert_eq!(text, r#"{"v":2,"fact":{"driven":{"epoch":3,"at":1}}}"#);
    assert_eq!(decode_fact(&text).unwrap(), driven(3));
    let first_version = r#"{"v":1,"fact":{"driven":{"epoch":3,"at":1}}}"#;
    assert_eq!(decode_fact(first_version).unwrap(), driven(3), "it reads for ever");
    for newer in [r#"{"v":3,"fact":{"sung":{}}}"#, &text.replace("\"v\":2", "\"v\":9")] {
        assert!(matches!(decode_fact(newer).unwrap_err(), FactError::Version { .. }), "{newer}");
    }
    for bad in ["", "{}", r#"{"v":1}"#, r#"{"v":1,"fact":{"sung":{}}}"#, &text.replace("at", "ta")]
    {
        assert!(matches!(decode_fact(bad).unwrap_err(), FactError::Json(_)), "{bad}");
    }
}

#[tokio::test]
async fn what_was_reserved_is_settled_by_what_was_used() {
    let stage = Stage::new();
    let store = stage.store();
    let journal = journal(&store, "r1");
    let of_home = |unit: &str| {
        let budgets = store.usage(HOME_SCOPE).unwrap();
        budgets.iter().find(|budget| budget.unit == unit).map_or(0, |budget| budget.used)
    };
    let reserve = Amount { tokens: 100, cost: Some(500) };
    let claim = Asked { reserve, ..asked(1) };
    journal.append(batch(0, 1, vec![driven(1)], vec![claim])).await.unwrap();
    assert_eq!((of_home(TOKENS), of_home(MICRODOLLARS)), (100, 500));
    let settlement = Settlement {
        refund: Spend { tokens: 70, ..Spend::default() },
        overdraft: Spend { cost: 25, ..Spend::default() },
    };
    store.set_cap(HOME_SCOPE, MICRODOLLARS, Some(500)).await.unwrap();
    let settled = Batch { settlement, ..batch(2, 1, vec![driven(1)], vec![]) };
    journal.append(settled).await.unwrap();
    assert_eq!((of_home(TOKENS), of_home(MICRODOLLARS), of_home(CALLS)), (30, 525, 1));
}

/// What is used of a scope's calls, tokens and microdollars.
fn used_of(store: &Store, scope: &str) -> [u64; 3] {
    let budgets = store.usage(scope).unwrap();
    let used = |unit: &str| budgets.iter().find(|budget| budget.unit == unit).map_or(0, |b| b.used);
    [CALLS, TOKENS, MICRODOLLARS].map(used)
}

#[tokio::test]
async fn a_claim_is_reserved_in_every_scope_or_in_none() {
    let stage = Stage::new();
    let store = stage.store();
    store.set_cap(SERVER_SCOPE, MICRODOLLARS, Some(900)).await.unwrap();
    let claim = Asked { reserve: Amount { tokens: 100, cost: Some(500) }, ..asked(1) };
    let of_server = journal(&store, "r1").within([SERVER_SCOPE]);
    of_server.append(batch(0, 1, vec![driven(1)], vec![claim.clone()])).await.unwrap();
    let done = of_server.append(batch(2, 1, vec![], vec![claim.clone()])).await.unwrap();
    let Appended::OverCap(reached) = done else { panic!("{done:?}") };
    assert_eq!(reached.cap, "money of server: $0.0005 of $0.0009 used, $0.0005 more asked");
    assert_eq!(used_of(&store, SERVER_SCOPE), [1, 100, 500]);
    assert_eq!(used_of(&store, HOME_SCOPE), [1, 100, 500], "what one refuses, none counts");
    journal(&store, "r2").append(batch(0, 1, vec![driven(1)], vec![claim])).await.unwrap();
    assert_eq!(used_of(&store, SERVER_SCOPE), [1, 100, 500], "other runs are not in it");
    assert_eq!(used_of(&store, HOME_SCOPE), [2, 200, 1_000]);
}

#[tokio::test]
async fn a_call_that_a_killed_driver_left_is_given_back_to_all_its_scopes_by_the_next() {
    let stage = Stage::new();
    let claim = Asked { reserve: Amount { tokens: 100, cost: Some(500) }, ..asked(1) };
    let refund = Spend::of_call(claim.reserve);
    let store = stage.store();
    let first = journal(&store, "r1").within([SERVER_SCOPE]);
    first.append(batch(0, 1, vec![driven(1)], vec![claim])).await.unwrap();
    drop((first, store));
    let store = stage.store();
    let second = journal(&store, "r1").within([SERVER_SCOPE, SERVER_SCOPE]);
    let released = Fact::Released(Released { call: CallId(1), waits_for: None, at: Time(4) });
    let settlement = Settlement { refund, ..Settlement::default() };
    let given_back = Batch { settlement, ..batch(2, 2, vec![driven(2), released], vec![]) };
    second.append(given_back).await.unwrap();
    for scope in [HOME_SCOPE, SERVER_SCOPE] {
        assert_eq!(used_of(&store, scope), [0, 0, 0], "{scope}");
    }
}

/// How many calls without a price a scope counts.
fn unpriced_of(store: &Store, scope: &str) -> u64 {
    let budgets = store.usage(scope).unwrap();
    budgets.iter().find(|budget| budget.unit == UNPRICED).map_or(0, |budget| budget.used)
}

fn unpriced(call: u32) -> Asked {
    Asked { reserve: Amount { tokens: 100, cost: None }, ..asked(call) }
}

#[tokio::test]
async fn a_call_without_a_price_is_refused_in_all_scopes_where_one_caps_money_whenever_it_was_set()
{
    let stage = Stage::new();
    let store = stage.store();
    let of_server = journal(&store, "r1").within([SERVER_SCOPE]);
    let done = of_server.append(batch(0, 1, vec![driven(1)], vec![unpriced(1)])).await.unwrap();
    assert_eq!(done, Appended::All, "without a cap on money it is counted");
    let both = |store: &Store| [HOME_SCOPE, SERVER_SCOPE].map(|scope| unpriced_of(store, scope));
    assert_eq!(both(&store), [1, 1]);
    store.set_cap(SERVER_SCOPE, MICRODOLLARS, Some(10_000)).await.unwrap();
    let priced = Asked { reserve: Amount { tokens: 1, cost: Some(1) }, ..asked(2) };
    let pair = vec![priced.clone(), unpriced(3)];
    let done = of_server.append(batch(2, 1, vec![], pair)).await.unwrap();
    let Appended::OverCap(reached) = done else { panic!("{done:?}") };
    let told = "the price of this call is unknown, and money of server has a cap ($0.01): ";
    assert!(reached.cap.starts_with(told), "{}", reached.cap);
    assert!(reached.cap.contains("budget set --server --usd none"), "{}", reached.cap);
    assert_eq!(both(&store), [1, 1], "what one refuses, none counts");
    for scope in [HOME_SCOPE, SERVER_SCOPE] {
        assert_eq!(used_of(&store, scope), [1, 100, 0], "{scope}: nor what was asked beside it");
    }
    let done = of_server.append(batch(3, 1, vec![], vec![priced])).await.unwrap();
    assert_eq!(done, Appended::All, "what has a price goes on");
    let of_home = journal(&store, "r2");
    let done = of_home.append(batch(0, 1, vec![driven(1)], vec![unpriced(1)])).await.unwrap();
    assert_eq!(done, Appended::All, "a run that is not the server's goes on");
    store.set_cap(SERVER_SCOPE, MICRODOLLARS, None).await.unwrap();
    let done = of_server.append(batch(4, 1, vec![], vec![unpriced(4)])).await.unwrap();
    assert_eq!(done, Appended::All, "without the cap it goes on");
    store.set_cap(HOME_SCOPE, MICRODOLLARS, Some(0)).await.unwrap();
    let free = Asked { reserve: Amount::FREE, ..asked(5) };
    let done = of_server.append(batch(5, 1, vec![], vec![free])).await.unwrap();
    assert_eq!(done, Appended::All, "what is free is not unpriced");
    let done = of_server.append(batch(6, 1, vec![], vec![unpriced(6)])).await.unwrap();
    let Appended::OverCap(reached) = done else { panic!("{done:?}") };
    assert!(reached.cap.contains("money of home has a cap ($0.00)"), "{}", reached.cap);
    assert!(reached.cap.contains("budget set --usd none"), "{}", reached.cap);
    assert_eq!(both(&store), [3, 2]);
}

#[tokio::test]
async fn a_call_whose_price_became_known_is_unpriced_no_more() {
    let stage = Stage::new();
    let store = stage.store();
    let journal = journal(&store, "r1").within([SERVER_SCOPE]);
    let claims = vec![unpriced(1), unpriced(2)];
    journal.append(batch(0, 1, vec![driven(1)], claims)).await.unwrap();
    let none = Spend::default();
    let settlement =
        Settlement { refund: Spend { unpriced: 1, ..none }, overdraft: Spend { cost: 25, ..none } };
    let settled = Batch { settlement, ..batch(3, 1, vec![driven(1)], vec![]) };
    journal.append(settled).await.unwrap();
    let refund = Spend::of_call(unpriced(2).reserve);
    let settlement = Settlement { refund, ..Settlement::default() };
    for scope in [HOME_SCOPE, SERVER_SCOPE] {
        assert_eq!((unpriced_of(&store, scope), used_of(&store, scope)), (1, [2, 200, 25]));
    }
    let given_back = Batch { settlement, ..batch(4, 1, vec![driven(1)], vec![]) };
    journal.append(given_back).await.unwrap();
    for scope in [HOME_SCOPE, SERVER_SCOPE] {
        assert_eq!((unpriced_of(&store, scope), used_of(&store, scope)), (0, [1, 100, 25]));
    }
}
